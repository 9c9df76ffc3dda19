#pragma once
#include <condyle/simulator.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace condyle {

struct RecorderOptions {
  std::uint64_t expected_frames =
      0;                  ///< room made beforehand, the first frame included, so that the file need not grow; 0: unknown
  int every = 1;          ///< a frame each so many steps
  double flush_s = 1.0;   ///< wall time between flushes
  std::string command{};  ///< the command line that made the run; may be empty
  bool meshes = true;     ///< read the mesh files that only a drawing needs, so that a replay needs no file but this one
};

/// Writes an HDF5 recording, readable with h5py alone; layout in src/record/README.md.
class Recorder {
 public:
  /// Throws Error if the file cannot be written.
  Recorder(const std::string& file, const Scene& scene, const SimulatorOptions& options,
           const RecorderOptions& recorder = {});
  ~Recorder();  ///< closes; a failure to write is then lost: call close() to hear of it
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  /// The first frame: the state before any step.
  void start(const State& x);
  /// The state after a step, the forces that were applied in it, its report and what its constraints did
  /// (Simulator::constraints). Skips frames according to `every`.
  void add(const State& x, const Eigen::Ref<const Eigen::VectorXd>& tau, const StepReport& report,
           std::span<const ConstraintRow> constraints = {});
  /// A step that moved nothing: it is counted, and no frame is made of it.
  void add_rejected(const StepReport& report);
  bool wants_next() const;  ///< the next add() will write a frame: whether it is worth making the table of constraints
  void flush();
  void close();

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

struct RecordingInfo {
  std::string file, scene, version, integrator, command, solver;
  std::uint64_t scene_identity = 0;
  double dt = 0;
  double tolerance = 0;  ///< m/s, of the certificate
  int nq = 0, nv = 0;
  int links = 0;  ///< of all trees: the first of `bodies`
  std::uint64_t frames = 0;
  double t_first = 0, t_last = 0;
  bool complete = false;  ///< closed by its program; false: killed, readable up to the last flush
  std::vector<std::string> q_names, v_names, bodies;
  /// Of the whole run, also of steps that no frame was made of.
  std::uint64_t steps = 0, uncertified = 0, rejected = 0, worst_step = 0;
  double worst_residual = 0;  ///< m/s; NaN: of a step that has none
};

/// Reads a recording. Every damage is an Error that names the file and the part.
class Recording {
 public:
  explicit Recording(const std::string& file);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  const RecordingInfo& info() const;
  /// Bit-identical to the state that was recorded; its hash is checked against the stored one.
  State state(std::uint64_t frame) const;
  std::uint64_t state_hash(std::uint64_t frame) const;
  /// One column of /report ("energy_kinetic", "residual", "stage_us.solve", ...), all frames. A frame without a step, as the
  /// first one, has NaN, or 0 in a count.
  std::vector<double> column(const std::string& name) const;
  std::vector<std::string> columns() const;
  /// What the constraints did in the step that led to a frame.
  std::vector<ConstraintRow> constraints(std::uint64_t frame) const;
  /// Applied forces of a frame, nv.
  Eigen::VectorXd control(std::uint64_t frame) const;
  /// Poses of the links of all trees (x y z, quaternion x y z w) and their velocities (of the origin, then angular, world
  /// axes). Those of free bodies are in the state.
  Eigen::Matrix<double, 7, Eigen::Dynamic> link_poses(std::uint64_t frame) const;
  Eigen::Matrix<double, 6, Eigen::Dynamic> link_twists(std::uint64_t frame) const;
  /// The JSON text of /scene/description: bodies, joints, shapes, meshes.
  const std::string& description() const;
  /// All vertices (three numbers each) and triangles (three indices each, within their mesh) of /scene.
  std::vector<double> mesh_vertices() const;
  std::vector<std::int32_t> mesh_triangles() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle
