#pragma once
#include <condyle/constraint_table.hpp>
#include <condyle/contact_laws.hpp>
#include <condyle/scene.hpp>

#include <Eigen/Geometry>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace condyle {

enum class ImplicitSprings { off, on, automatic };

/// What happens when a step's certificate is above the tolerance.
enum class OnFailure {
  accept,   ///< the state moves with the best impulses found; the report says so
  substep,  ///< the step is taken again as two halves, these again if need be, down to dt / max_substeps
  stop      ///< the state is not moved: rejected
};
const char* to_string(OnFailure policy);

struct SimulatorOptions {
  double dt = 1e-3;  ///< s, > 0
  Integrator integrator = Integrator::symplectic;
  bool implicit_damping = true;  ///< A += dt D also in the explicit schemes
  /// automatic: a joint spring is taken implicitly where dt² k w > 0.25, near the explicit scheme's stability limit
  ImplicitSprings implicit_springs = ImplicitSprings::automatic;
  double mid_velocity_theta = 0.5;  ///< [0, 1): weight of the old velocity in the mid-velocity scheme
  /// After each step the base velocity of a free-floating tree or body is re-expressed at the new pose so that linear
  /// momentum and angular momentum about the centre of mass change by the applied impulses alone.
  bool conserve_momentum = true;
  bool account_energy = true;  ///< StepReport::energy is computed
  std::string solver = "auto";
  std::map<std::string, double> solver_parameters{};  ///< rho and the like, by the solver's own names
  double tolerance = 1e-7;                            ///< m/s, of the certificate
  int max_iterations = 20000;
  int threads = 1;                  ///< 1 or more: islands are solved side by side; no bit depends on it
  double solver_time_limit_ms = 0;  ///< wall clock of each solve, >= 0; 0: none, so that runs repeat themselves
  LawOptions laws{};                ///< how positions enter the contact problem
  double contact_margin = 1e-3;     ///< m, >= 0: nearer points are in the problem whatever their velocity; less for what is
                                    ///< smaller than 0.1 m: at most a hundredth of its diameter
  bool project_loops = true;        ///< after each step q is put back onto the manifold of loops and couplings
  OnFailure on_failure = OnFailure::accept;
  int max_substeps = 16;            ///< 1 or more, of OnFailure::substep
  double newton_tolerance = 1e-12;  ///< relative, implicit schemes: change of v in the last Newton step

  /// Throws Error naming the bad field, its value and its range.
  void check() const;
};

enum class StepStatus {
  certified,    ///< the certificate holds
  uncertified,  ///< the state moved, but the certificate is above the tolerance: see message()
  rejected      ///< the state was not moved: bad input or a result that is not finite
};
const char* to_string(StepStatus status);

struct Energy {
  double kinetic = 0, potential = 0, elastic = 0;  ///< J; potential of gravity is zero at the world's origin
  double total() const { return kinetic + potential + elastic; }
};

struct Momentum {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< N s, world axes
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< N m s, about the world's origin
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< m, centre of all moving mass
  double mass = 0;                                    ///< kg
  /// About the centre of mass.
  Eigen::Vector3d angular_about_com() const { return angular - com.cross(linear); }
};

enum class Stage { kinematics, collision, assembly, solve, integrate, other };
inline constexpr int stage_count = 6;
const char* to_string(Stage stage);

/// What one step did. Owned by the simulator; valid until its next step.
struct StepReport {
  std::uint64_t step = 0;  ///< number of the step that ended here
  double t = 0;            ///< s, after the step
  StepStatus status = StepStatus::certified;
  double residual = 0;  ///< m/s, the certificate
  int contacts = 0, rows = 0, iterations = 0, factorizations = 0, islands = 0;
  int substeps = 1;                       ///< more: the step was taken in parts (OnFailure::substep)
  Energy energy;                          ///< after the step
  double energy_change = 0;               ///< J, over this step; 0 in the first one after a state was changed by hand
  double limit_violation = 0;             ///< rad or m, largest over all joint limits after the step
  double penetration = 0;                 ///< m, deepest overlap at the start of the step
  double closure_m = 0, closure_rad = 0;  ///< largest loop errors after the step
  double slip = 0;                        ///< m/s, largest sliding speed of a contact that carries load
  double gliding = 0;                     ///< how far what slides lifts off, as Residuals::gliding has it
  double projection_us = 0;               ///< what putting q back onto the loops cost, part of the stage `integrate`
  std::array<double, stage_count> stage_us{};
  std::string worst;   ///< name of the worst constraint; empty: no constraint acted
  std::string path;    ///< which methods solved it, in order; "start": the last step's impulses were still right
  std::string reason;  ///< in words, if not certified

  bool certified() const { return status == StepStatus::certified; }
  std::string message() const;
};

/// Moves a State through time. Holds all work memory; one per thread.
class Simulator {
 public:
  /// Throws Error if the options are bad or a tree's joint-space inertia is not positive definite at its start.
  explicit Simulator(const Scene& scene, const SimulatorOptions& options = {});
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  /// One step with applied generalized forces tau (nv; N or N m). Never throws for numerical trouble: see the report.
  const StepReport& step(State& x, const Eigen::Ref<const Eigen::VectorXd>& tau);
  const StepReport& step(State& x);
  const StepReport& report() const;

  Energy energy(const State& x);
  Momentum momentum(const State& x);
  /// Pose in the world of a link ("model/link"), a body or a static body.
  Pose pose(const State& x, const std::string& body);

  /// What every constraint did in the last step; empty before the first one. Made on request, valid until the next step.
  const std::vector<ConstraintRow>& constraints();
  /// The contacts among them.
  std::vector<ConstraintRow> contacts();
  /// v+ of the last step as it was solved for and moved with: what floats in the axes of the configuration at which the
  /// constraints were evaluated (q0; the Moreau midpoint's q_m). The state has it in those of q+.
  const Eigen::VectorXd& solved_velocity() const;
  /// Names that ConstraintRow::body_a and body_b index.
  const std::vector<std::string>& body_names() const;
  /// The contact problem of the last step, with names: solve it again with any solver, save it, send it to someone.
  ContactProblem problem() const;

  const Scene& scene() const;
  const SimulatorOptions& options() const;
  /// What a user should know of this run: springs taken implicitly, pairs of shapes that are not looked at.
  const std::vector<std::string>& notes() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle
