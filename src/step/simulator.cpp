#include <condyle/simulator.hpp>

#include "dynamics/free_bodies.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/tree_dynamics.hpp"
#include "scene/scene_data.hpp"
#include "step/declared.hpp"
#include "step/stage_clock.hpp"

#include <fmt/format.h>

#include <cstring>

namespace condyle {

namespace {
constexpr double allowed_break = 1e-6;  ///< m or rad: a declared constraint that free motion broke by more is said

/// The linear velocity v of a pose q0, given in its axes, in the axes of q1.
void turn_to(const double* q1, const double* q0, double* v) {
  Eigen::Map<Eigen::Vector3d> linear(v);
  linear = (rotation_of(q1 + 3).transpose() * (rotation_of(q0 + 3) * linear)).eval();
}
}  // namespace

struct Simulator::Work {
  Work(const Scene& s, const SimulatorOptions& o)
      : scene(s),
        data(scene.data()),
        options(o),
        scheme(scheme_of(o)),
        bodies(data.free_bodies, data.gravity),
        declared(data),
        tau(Eigen::VectorXd::Zero(data.nv)),
        no_tau(tau),
        v_free(data.nv),
        v(data.nv),
        q(data.nq),
        q_mid(data.nq),
        q_last(data.nq),
        v_last(data.nv) {
    for (const Tree& tree : data.trees) trees.emplace_back(tree);
    momenta.resize(trees.size());
  }

  Scene scene;
  const SceneData& data;
  SimulatorOptions options;
  Scheme scheme;
  std::vector<TreeDynamics> trees;
  FreeBodies bodies;
  DeclaredConstraints declared;
  std::vector<std::string> notes;
  StepReport report;

  Eigen::VectorXd tau;             ///< nv, applied forces of the user and of torque actuators
  Eigen::VectorXd no_tau;          ///< nv, zero
  Eigen::VectorXd v_free, v;       ///< nv, v* and v+
  Eigen::VectorXd q;               ///< nq, q+
  Eigen::VectorXd q_mid;           ///< nq, q_m of the Moreau midpoint
  Eigen::VectorXd q_last, v_last;  ///< the state the last step ended with
  bool has_last = false;
  std::vector<BaseMomentum> momenta;  ///< per tree, wanted after the step

  auto q_of(Eigen::VectorXd& x, std::size_t i) { return x.segment(data.trees[i].q, data.trees[i].model->nq); }
  auto v_of(Eigen::VectorXd& x, std::size_t i) { return x.segment(data.trees[i].v, data.trees[i].model->nv); }

  void choose_implicit_springs();
  void refuse_without_inertia();
  bool accept(const State& x, const Eigen::Ref<const Eigen::VectorXd>& given);
  bool reject(const State& x, std::string reason);
  bool free_motion(State& x);
  void advance(State& x);
  void carry_momentum(State& x);
  Energy energy_now(State& x);
  void account(State& x);
};

Simulator::Simulator(const Scene& scene, const SimulatorOptions& options) {
  options.check();
  work_ = std::make_unique<Work>(scene, options);
  work_->refuse_without_inertia();
  work_->choose_implicit_springs();
  for (std::string& note : work_->declared.notes()) work_->notes.push_back(std::move(note));
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Scene& Simulator::scene() const { return work_->scene; }
const SimulatorOptions& Simulator::options() const { return work_->options; }
const StepReport& Simulator::report() const { return work_->report; }
const std::vector<std::string>& Simulator::notes() const { return work_->notes; }

const StepReport& Simulator::step(State& x) { return step(x, work_->no_tau); }

/// ALGORITHMS section 2 in its order: free motion at q0, velocity at the end of the step, position, then the accounts.
const StepReport& Simulator::step(State& x, const Eigen::Ref<const Eigen::VectorXd>& tau) {
  Work& w = *work_;
  StageClock clock(w.report);
  if (!w.accept(x, tau) || !w.free_motion(x)) return w.report;
  clock.done(Stage::kinematics);

  w.v = w.v_free;  // no constraint acts: v+ = v*
  w.advance(x);
  w.carry_momentum(x);
  if (!w.q.allFinite() || !w.v.allFinite()) {
    w.reject(x, "the motion is not finite at the end of the step; take a smaller dt");
    return w.report;
  }
  clock.done(Stage::integrate);

  w.account(x);
  clock.done(Stage::other);
  return w.report;
}

bool Simulator::Work::reject(const State& x, std::string reason) {
  report.status = StepStatus::rejected;
  report.reason = std::move(reason);
  report.step = x.step;
  report.t = x.t;
  return false;
}

bool Simulator::Work::accept(const State& x, const Eigen::Ref<const Eigen::VectorXd>& given) {
  if (x.q.size() != data.nq || x.v.size() != data.nv)
    return reject(x, fmt::format("the state has {} positions and {} velocities, the scene {} and {}", x.q.size(), x.v.size(),
                                 data.nq, data.nv));
  if (given.size() != data.nv)
    return reject(x, fmt::format("tau has {} entries, the scene {} velocities", given.size(), data.nv));
  if (!x.finite()) return reject(x, "the state is not finite");
  if (!given.allFinite()) return reject(x, "tau is not finite");
  report.status = StepStatus::certified;
  report.residual = 0;
  report.reason.clear();
  report.worst.clear();
  report.iterations = 0;
  report.factorizations = static_cast<int>(trees.size());
  tau = given;
  for (const SceneActuator& actuator : data.actuators)
    if (actuator.spec.kind == ActuatorKind::torque)
      tau[actuator.v] += std::clamp(actuator.spec.value, -actuator.spec.effort, actuator.spec.effort);
  return true;
}

bool Simulator::Work::free_motion(State& x) {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (options.conserve_momentum && trees[i].free_base()) {
      trees[i].update(q_of(x.q, i));
      const auto tau_i = v_of(tau, i);
      const BaseMomentum now = trees[i].base_momentum(v_of(x.v, i));
      const BaseMomentum applied = trees[i].impulse_on_base(scheme.dt * tau_i.head<6>());
      momenta[i] = {now.linear + applied.linear + scheme.dt * trees[i].base_mass() * data.gravity,
                    now.angular + applied.angular};
    }
    const int n = trees[i].free_velocity(scheme, q_of(x.q, i), v_of(x.v, i), v_of(tau, i), v_of(v_free, i));
    if (n == -1)
      return reject(x, fmt::format("the implicit step of '{}' does not converge; take a smaller dt", data.trees[i].name));
    if (n == -2)
      return reject(x, fmt::format("the joint-space inertia of '{}' is not positive definite", data.trees[i].name));
    report.iterations = std::max(report.iterations, n);
  }
  if (bodies.size() == 0) return true;
  const int n = bodies.free_velocity(scheme, x.q.data() + data.free_q, x.v.data() + data.free_v, tau.data() + data.free_v,
                                     v_free.data() + data.free_v);
  if (n < 0) return reject(x, "the implicit step of a free body does not converge; take a smaller dt");
  report.iterations = std::max(report.iterations, n);
  return true;
}

/// From v+ (or v̂) to q+: which velocity carries the position is what distinguishes the schemes.
void Simulator::Work::advance(State& x) {
  const double dt = scheme.dt, share = 1 - scheme.mid_velocity;
  const auto move = [&](Eigen::VectorXd& from, double h, Eigen::VectorXd& velocity, Eigen::VectorXd& to) {
    for (std::size_t i = 0; i < trees.size(); ++i) trees[i].integrate(q_of(from, i), h, v_of(velocity, i), q_of(to, i));
    bodies.integrate(from.data() + data.free_q, h, velocity.data() + data.free_v, to.data() + data.free_q);
  };
  switch (scheme.kind) {
    case Integrator::explicit_euler: move(x.q, dt, x.v, q); break;
    case Integrator::symplectic:
    case Integrator::implicit_euler: move(x.q, dt, v, q); break;
    case Integrator::midpoint:
      v = 0.5 * (v + x.v);
      move(x.q, dt, v, q);
      v = 2 * v - x.v;
      break;
    case Integrator::moreau_midpoint:  // v+ is in the axes of q_m, which is where it moves the base from
      move(x.q, 0.5 * dt, x.v, q_mid);
      move(q_mid, 0.5 * dt, v, q);
      break;
    case Integrator::mid_velocity:
      move(x.q, dt, v, q);
      v = (v - scheme.mid_velocity * x.v) / share;
      v_free = (v_free - scheme.mid_velocity * x.v) / share;
      break;
  }
}

/// v+ has its components in the axes of q0 (q_m); the state wants them in those of q+. The joint rates stay; what floats
/// gets the velocity whose momentum is exactly the old one plus the impulses, or, if that is switched off, v+ turned.
void Simulator::Work::carry_momentum(State& x) {
  const Eigen::VectorXd& from = scheme.kind == Integrator::moreau_midpoint ? q_mid : x.q;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    trees[i].update(q_of(q, i));
    if (!trees[i].free_base()) continue;
    if (options.conserve_momentum)
      trees[i].set_base_momentum(momenta[i], v_of(v, i));
    else
      turn_to(q.data() + data.trees[i].q, from.data() + data.trees[i].q, v.data() + data.trees[i].v);
  }
  const double* q1 = q.data() + data.free_q;
  double* v1 = v.data() + data.free_v;
  if (options.conserve_momentum)
    bodies.carry_momentum(scheme, x.q.data() + data.free_q, x.v.data() + data.free_v, tau.data() + data.free_v,
                          v_free.data() + data.free_v, q1, v1);
  else
    for (int i = 0; i < bodies.size(); ++i) turn_to(q1 + 7 * i, from.data() + data.free_q + 7 * i, v1 + 6 * i);
}

Energy Simulator::Work::energy_now(State& x) {
  Energy e;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    trees[i].update(q_of(x.q, i));
    e.kinetic += trees[i].kinetic_energy(v_of(x.v, i));
    e.potential += trees[i].potential_energy();
    e.elastic += trees[i].elastic_energy(q_of(x.q, i));
  }
  e.kinetic += bodies.kinetic_energy(x.v.data() + data.free_v);
  e.potential += bodies.potential_energy(x.q.data() + data.free_q);
  return e;
}

void Simulator::Work::account(State& x) {
  const auto same = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
  };
  const bool follows = has_last && same(x.q, q_last) && same(x.v, v_last);
  x.q.swap(q);
  x.v.swap(v);
  x.step += 1;
  x.t += scheme.dt;
  report.step = x.step;
  report.t = x.t;
  if (options.account_energy) {
    const double before = report.energy.total();
    report.energy = energy_now(x);
    report.energy_change = follows ? report.energy.total() - before : 0;
    q_last = x.q;
    v_last = x.v;
    has_last = true;
  }
  declared.measure(x.q, trees, allowed_break, report);
}

void Simulator::Work::refuse_without_inertia() {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = data.trees[i];
    trees[i].update(tree.q_initial);
    const std::vector<std::string> bad = trees[i].joints_without_inertia();
    if (bad.empty()) continue;
    throw Error("no-inertia", {tree.description ? tree.description->file : "", 0, "model '" + tree.name + "'"},
                fmt::format("nothing gives inertia to joint{} {}", bad.size() == 1 ? "" : "s", fmt::join(bad, ", ")),
                "give the links mass and inertia, the joints armature, or load with default_inertia");
  }
}

void Simulator::Work::choose_implicit_springs() {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = data.trees[i];
    if (!(tree.stiffness.array() > 0).any()) continue;
    Eigen::VectorXd mask = Eigen::VectorXd::Zero(tree.model->nv);
    if (options.implicit_springs == ImplicitSprings::on) mask.setOnes();
    if (options.implicit_springs == ImplicitSprings::automatic && !scheme.implicit()) {
      trees[i].update(tree.q_initial);
      const Eigen::VectorXd w = trees[i].inverse_inertia_diagonal();
      for (const TreeJoint& joint : tree.model->joints)
        for (int k = joint.v; k < joint.v + joint.nv; ++k) {
          const double stiff = scheme.dt * scheme.dt * tree.stiffness[k] * w[k];
          if (!(stiff > 0.25)) continue;
          mask[k] = 1;
          notes.push_back(
              fmt::format("spring of joint '{}/{}' is taken implicitly: dt² k w = {:.3g} > 0.25, where the explicit "
                          "scheme is near its stability limit; it loses energy instead",
                          tree.name, joint.name, stiff));
        }
    }
    trees[i].set_implicit_springs(mask);
  }
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
  return body_pose(w.data, body, x.q, w.trees);
}

}  // namespace condyle
