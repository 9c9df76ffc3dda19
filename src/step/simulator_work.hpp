#pragma once
// The work memory of a simulator and the stages of a step, one file for each group of stages:
// free_stage.cpp, constraint_stage.cpp, motion_stage.cpp.
#include "dynamics/free_bodies.hpp"
#include "dynamics/kinematics.hpp"
#include "problem/assembly.hpp"
#include "solvers/problem_solver.hpp"
#include "step/loop_projection.hpp"
#include "step/stage_clock.hpp"
#include "step/violations.hpp"

#include <optional>

namespace condyle {

inline constexpr int most_passes = 3;  ///< contacts that an impact brings about are added and solved for again

/// Whether the velocity that the contact problem is about is the one that carries the position: q+ = q ⊕ h v.
inline bool moves_with_unknown(Integrator scheme) {
  return scheme != Integrator::midpoint && scheme != Integrator::explicit_euler;
}

SolverOptions solver_options_of(const SimulatorOptions& options);

struct Simulator::Work {
  Work(const Scene& s, const SimulatorOptions& o);

  Scene scene;
  const SceneData& data;
  SimulatorOptions options;
  Scheme scheme;
  std::vector<TreeDynamics> trees;
  FreeBodies bodies;
  Kinematics kinematics;
  LimitViolation limits;
  LoopProjection loops;
  // Empty where nothing in the scene can ever constrain the motion.
  std::optional<ContactFinder> finder;
  std::optional<Assembly> assembly;
  std::optional<ProblemSolver> solver, corrector;
  std::vector<std::string> notes;
  StepReport report;

  Eigen::VectorXd tau;             ///< nv, applied forces of the user, of torque actuators and of the scene
  Eigen::VectorXd no_tau;          ///< nv, zero
  Eigen::VectorXd v_free, v;       ///< nv, v* and v+
  Eigen::VectorXd v_solved;        ///< nv, v+ before what floats is carried to q+
  Eigen::VectorXd v0;              ///< nv, velocity at the start in the axes of the constraints' q
  Eigen::VectorXd push;            ///< nv, velocity of the position correction alone; never part of v+
  Eigen::VectorXd v_move;          ///< nv, v+ and push
  Eigen::VectorXd q;               ///< nq, q+
  Eigen::VectorXd q_mid;           ///< nq, q_m of the Moreau midpoint
  Eigen::VectorXd q_last, v_last;  ///< the state the last step ended with
  bool has_last = false;
  std::vector<BaseMomentum> momenta;  ///< per tree, wanted after the step

  BlockDiagonal A;                          ///< trees, then free bodies
  std::vector<ShapeMotion> motions;         ///< per shape of the scene
  std::vector<int> shape_body;              ///< moving body of each shape
  std::vector<Contact> contacts;            ///< of this step
  Eigen::VectorXd closure_ahead;            ///< f(q ⊕ dt v0) of closures and couplings, m and rad
  Eigen::VectorXd closure_here;             ///< f(q)
  const ContactProblem* problem = nullptr;  ///< of the last step; null: nothing constrained it
  ContactProblem correction;
  Eigen::VectorXd start;     ///< λ to begin with
  Eigen::VectorXd no_start;  ///< empty
  const SolveResult* solved = nullptr;
  std::vector<WarmImpulse> warm;  ///< what the state will carry on
  std::vector<ConstraintRow> table;
  bool table_is_made = false;
  State before;         ///< the state a step with policy substep began with
  bool pushed = false;  ///< `push` is not zero

  auto q_of(Eigen::VectorXd& x, std::size_t i) { return x.segment(data.trees[i].q, data.trees[i].model->nq); }
  auto v_of(Eigen::VectorXd& x, std::size_t i) { return x.segment(data.trees[i].v, data.trees[i].model->nv); }

  // construction
  void choose_implicit_springs();
  void refuse_without_inertia();
  void constrain();

  // the whole, with the scheme's present dt
  bool step_once(State& x, const Eigen::Ref<const Eigen::VectorXd>& given, StageClock& clock);
  void step_in_halves(State& x, const Eigen::Ref<const Eigen::VectorXd>& given, StageClock& clock);

  // free_stage.cpp
  bool accept(const State& x, const Eigen::Ref<const Eigen::VectorXd>& given);
  void apply_forces(const State& x);
  bool reject(const State& x, std::string reason);
  bool free_motion(State& x);
  // constraint_stage.cpp
  void place(State& x);
  void move_shapes(const Eigen::VectorXd& velocity);
  void find_contacts();
  void look_ahead(State& x);
  void assemble(State& x);
  void start_from(const std::vector<WarmImpulse>& last);
  void solve(const State& x);
  bool finds_more_at(const Eigen::VectorXd& velocity);
  void judge_step();
  void correct(State& x);
  // motion_stage.cpp
  void advance(State& x);
  void move_to_middle(State& x);
  void close_loops();
  void carry_momentum(State& x);
  void settle_velocity();
  Energy energy_now(State& x);
  void account(State& x);

  const Eigen::VectorXd& constraint_q(const State& x) const {
    return scheme.kind == Integrator::moreau_midpoint ? q_mid : x.q;
  }
  FreeMotion free_motion_view(const State& x) const {
    return {kinematics, trees, A, constraint_q(x), v0, v_free, scheme.dt, x.t};
  }
};

}  // namespace condyle
