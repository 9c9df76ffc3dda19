#include "step/simulator_work.hpp"

#include <fmt/format.h>

namespace condyle {

Simulator::Simulator(const Scene& scene, const SimulatorOptions& options) {
  options.check();
  work_ = std::make_unique<Work>(scene, options);
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Scene& Simulator::scene() const { return work_->scene; }
const SimulatorOptions& Simulator::options() const { return work_->options; }
const StepReport& Simulator::report() const { return work_->report; }
const std::vector<std::string>& Simulator::notes() const { return work_->notes; }

const StepReport& Simulator::step(State& x) { return step(x, work_->no_tau); }

const StepReport& Simulator::step(State& x, const Eigen::Ref<const Eigen::VectorXd>& tau) {
  Work& w = *work_;
  StageClock clock(w.report);
  w.report.substeps = 1;
  if (w.options.on_failure == OnFailure::accept || !w.assembly) {
    w.step_once(x, tau, clock);
    return w.report;
  }
  w.before = x;
  w.step_once(x, tau, clock);
  if (w.report.status != StepStatus::uncertified) return w.report;
  if (w.options.on_failure == OnFailure::substep) w.step_in_halves(x, tau, clock);
  if (w.options.on_failure == OnFailure::stop) {
    x = w.before;
    w.has_last = false;
    w.reject(x, "the step is not certified and the policy is to stop: " + w.report.reason);
  }
  return w.report;
}

/// The way through the house: free motion, contacts, contact problem, solution, new state.
bool Simulator::Work::step_once(State& x, const Eigen::Ref<const Eigen::VectorXd>& given, StageClock& clock) {
  if (!accept(x, given) || !free_motion(x)) return false;
  clock.done(Stage::kinematics);

  v = v_free;
  if (assembly) {
    place(x);
    clock.done(Stage::kinematics);
    for (int pass = 0; pass < most_passes; ++pass) {
      if (pass == 0) find_contacts();
      clock.done(Stage::collision);
      assemble(x);
      clock.done(Stage::assembly);
      solve(x);
      clock.done(Stage::solve);
      if (!finds_more_at(v)) break;
    }
    judge_step();
    correct(x);
    clock.done(Stage::solve);
  }

  advance(x);
  close_loops();
  carry_momentum(x);
  settle_velocity();
  if (!q.allFinite() || !v.allFinite())
    return reject(x, "the motion is not finite at the end of the step; take a smaller dt");
  clock.done(Stage::integrate);

  account(x);
  clock.done(Stage::other);
  return true;
}

void Simulator::Work::step_in_halves(State& x, const Eigen::Ref<const Eigen::VectorXd>& given, StageClock& clock) {
  const double dt = scheme.dt;
  const State whole = before;
  for (int parts = 2; parts <= options.max_substeps; parts *= 2) {
    x = whole;
    has_last = false;
    scheme.dt = dt / parts;
    double residual = 0;
    int iterations = 0, factorizations = 0;
    bool moved = true, certified = true;
    for (int k = 0; k < parts && moved; ++k) {
      moved = step_once(x, given, clock);
      certified = certified && report.certified();
      residual = std::max(residual, report.residual);
      iterations += report.iterations;
      factorizations += report.factorizations;
    }
    x.step = whole.step + (moved ? 1 : 0);
    report.step = x.step;
    report.substeps = parts;
    report.residual = residual;
    report.iterations = iterations;
    report.factorizations = factorizations;
    if (moved && !certified) report.status = StepStatus::uncertified;
    if (moved && certified) break;
    if (!moved) x = whole;
  }
  scheme.dt = dt;
  has_last = false;
}

const std::vector<ConstraintRow>& Simulator::constraints() {
  Work& w = *work_;
  if (!w.table_is_made && w.problem)
    w.assembly->table(w.solved->solution.impulse, w.solver->sigma(), w.solver->block_residuals(), w.table);
  w.table_is_made = true;
  return w.table;
}

std::vector<ConstraintRow> Simulator::contacts() {
  std::vector<ConstraintRow> out;
  for (const ConstraintRow& row : constraints())
    if (row.kind == ConstraintKind::contact) out.push_back(row);
  return out;
}

const Eigen::VectorXd& Simulator::solved_velocity() const { return work_->v_solved; }

const std::vector<std::string>& Simulator::body_names() const {
  static const std::vector<std::string> none;
  return work_->assembly ? work_->assembly->body_names() : none;
}

ContactProblem Simulator::problem() const {
  const Work& w = *work_;
  if (!w.problem) return {};
  ContactProblem out = *w.problem;
  out.name = fmt::format("{}, step {}", w.data.name, w.report.step);
  out.names.clear();
  for (std::size_t b = 0; b < out.blocks.size(); ++b) out.names.push_back(w.assembly->name_of(static_cast<int>(b)));
  return out;
}

Energy Simulator::energy(const State& x) {
  State copy = x;
  return work_->energy_now(copy);
}

Momentum Simulator::momentum(const State& x) {
  Work& w = *work_;
  Momentum out;
  for (std::size_t i = 0; i < w.trees.size(); ++i) {
    const Tree& tree = w.data.trees[i];
    w.trees[i].add_momentum(x.q.segment(tree.q, tree.model->nq), x.v.segment(tree.v, tree.model->nv), out);
  }
  w.bodies.add_momentum(x.q.data() + w.data.free_q, x.v.data() + w.data.free_v, out);
  if (out.mass > 0) out.com /= out.mass;
  return out;
}

Pose Simulator::pose(const State& x, const std::string& name) {
  Work& w = *work_;
  BodyRef body;
  if (!w.data.find_body(name, body))
    throw Error("unknown-body", {"", 0, ""}, "there is no body '" + name + "'", "write it as model/link or body");
  if (body.kind == BodyRef::Kind::link) {
    const Tree& tree = w.data.trees[static_cast<std::size_t>(body.index)];
    w.trees[static_cast<std::size_t>(body.index)].update(x.q.segment(tree.q, tree.model->nq));
  }
  if (body.kind == BodyRef::Kind::free_body) {
    const int k = w.data.free_bodies[static_cast<std::size_t>(body.index)].q;
    return Pose::from_xyz_quaternion(x.q.segment<3>(k), x.q.segment<4>(k + 3));
  }
  return w.kinematics.pose(body);
}

}  // namespace condyle
