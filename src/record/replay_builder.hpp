#pragma once
// Makes the data of a replay page from a recording: the JSON head and the arrays, as viewer/README.md defines them.
#include <condyle/recording.hpp>
#include <condyle/replay.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "record/replay_arrays.hpp"

namespace condyle::record {

/// What is left out to make a page smaller.
struct Cuts {
  std::size_t contacts = std::numeric_limits<std::size_t>::max();        ///< of a frame, the strongest
  std::size_t mesh_triangles = std::numeric_limits<std::size_t>::max();  ///< of a mesh
  bool twists = true;
  std::uint64_t thin = 1;  ///< of the frames that would be shown, each so many
  std::uint64_t bin = 1;   ///< steps of a series that become their least and their largest value; 1: all stay
};

class ReplayBuilder {
 public:
  ReplayBuilder(const Recording& recording, const ReplayOptions& options);

  /// The JSON head and the base64 text of the arrays.
  struct Made {
    std::string head, arrays;
    std::vector<std::string> dropped;
    std::uint64_t frames = 0;
    std::size_t bytes() const { return head.size() + arrays.size(); }
  };
  Made make(const Cuts& cuts);

  /// Fewest bytes that the contacts can take in a page with at most so many in a frame.
  std::size_t least_contact_bytes(std::size_t most) const;
  double frame_rate(std::uint64_t thin) const;  ///< Hz
  std::size_t largest_mesh() const;
  std::uint64_t step_count() const { return steps_.size(); }

 private:
  using Json = nlohmann::ordered_json;

  void choose_frames();
  std::vector<std::uint64_t> shown_frames(std::uint64_t thin) const;
  // replay_bodies.cpp
  Json bodies() const;
  Json shapes() const;
  Json closures() const;
  Json meshes(std::size_t most, std::vector<std::string>& dropped);
  double position_step() const;
  void add_motion(const std::vector<std::uint64_t>& frames, const Cuts& cuts, const std::string& key);
  Eigen::Matrix<double, 7, Eigen::Dynamic> poses(std::uint64_t frame) const;
  // replay_contacts.cpp
  void add_contacts(const std::vector<std::uint64_t>& frames, const Cuts& cuts, const std::string& key);
  void add_others(const std::vector<std::uint64_t>& frames, const std::string& key);
  void say_contacts_dropped(std::size_t most, std::vector<std::string>& dropped) const;
  int closure_index(const ConstraintRow& row, std::vector<int>& used) const;
  // replay_series.cpp
  Json add_series(const Cuts& cuts, const std::string& key);
  Json add_rows(const std::string& group, const std::vector<std::vector<double>>& rows, int bits, std::uint64_t bin);
  std::vector<std::vector<double>> joint_rows(char which) const;
  void add_uncertified(const std::string& key);
  Json verdict() const;
  Json events() const;
  Json run() const;
  Json step_times(std::uint64_t bin);
  std::vector<double> column(const std::string& name) const;  ///< of the steps in range
  std::uint64_t contacts_in(std::uint64_t frame) const;

  const Recording& recording_;
  ReplayOptions options_;
  Json scene_;                          ///< the recording's description
  std::vector<std::uint64_t> steps_;    ///< recorded frames within the times asked for
  std::vector<std::uint64_t> frames_;   ///< those of them that are shown, if none are dropped
  std::vector<double> times_;           ///< of steps_
  std::vector<double> contact_counts_;  ///< of all recorded frames
  std::vector<double> vertices_;
  std::vector<std::int32_t> triangles_;
  ReplayArrays arrays_;
  int moving_ = 0;  ///< links and free bodies
  double step_ = 1e-5;
};

}  // namespace condyle::record
