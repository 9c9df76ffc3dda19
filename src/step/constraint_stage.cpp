#include "dynamics/rotation.hpp"
#include "step/simulator_work.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double margin_of_size = 0.01;  ///< of the smaller shape's diameter: what is small gets a smaller margin
constexpr int most_named = 3;            ///< pairs of shapes in the notes

/// The finder's order: by pair, then feature.
bool comes_before(const Contact& a, const Contact& b) {
  return a.place != b.place ? a.place < b.place : a.at.feature != b.at.feature ? a.at.feature < b.at.feature : a.id < b.id;
}
}  // namespace

/// Makes what the constraint stages need, unless nothing in the scene can ever act on the motion.
void Simulator::Work::constrain() {
  int shapes = 0;
  bool moving = false, joints = false;
  for (const SceneShape& shape : data.shapes) {
    shape_body.push_back(kinematics.body_of(shape.body));
    if (shape.role != ShapeRole::collision) continue;
    ++shapes;
    moving = moving || shape_body.back() != 0;
  }
  for (const Tree& tree : data.trees) {
    joints = joints || (tree.friction.array() > 0).any();
    for (const TreeJoint& joint : tree.model->joints)
      joints = joints || (joint.nq == 1 && (std::isfinite(joint.lower) || std::isfinite(joint.upper)));
  }
  for (const SceneActuator& actuator : data.actuators) joints = joints || actuator.spec.kind == ActuatorKind::pd;
  const bool touching = moving && shapes > 1;
  if (!touching && !joints && loops.rows() == 0 && data.springs.empty()) return;

  assembly.emplace(data, options.laws);
  solver.emplace(solver_options_of(options));
  if (options.laws.correction == Correction::split) {
    // Where a position ends up within a step need not be exact, and what is wedged in has no way out at all.
    SolverOptions coarse = solver_options_of(options);
    coarse.solver = "auto";
    coarse.parameters.clear();
    coarse.tolerance = std::max(options.tolerance, 1e-3 * options.laws.depenetration_speed);
    coarse.max_iterations = 200;
    coarse.threads = 1;
    corrector.emplace(coarse);
  }
  motions.resize(data.shapes.size());
  if (!touching) return;
  FinderOptions finding;
  finding.margin = options.contact_margin;
  finding.margin_of_size = margin_of_size;
  finder.emplace(data, finding);
  int left_out = 0;
  for (const OverlapEntry& entry : finder->pairs().overlapping)
    if (!entry.kept && ++left_out <= most_named)
      notes.push_back(fmt::format("'{}' and '{}' overlap by {:.3g} m at the start and are not tested for contact", entry.a,
                                  entry.b, entry.depth));
  if (left_out > most_named)
    notes.push_back(fmt::format("and {} more pairs of shapes that overlap at the start", left_out - most_named));
}

/// Kinematics and inertia at the configuration at which constraints are evaluated.
void Simulator::Work::place(State& x) {
  v0 = x.v;
  if (scheme.kind == Integrator::moreau_midpoint) {
    move_to_middle(x);
    const auto turn = [&](int q_index, int v_index) {
      const Eigen::Vector3d world = rotation_of(x.q.data() + q_index + 3) * v0.segment<3>(v_index);
      v0.segment<3>(v_index) = rotation_of(q_mid.data() + q_index + 3).transpose() * world;
    };
    for (const Tree& tree : data.trees)
      if (tree.model->free_base) turn(tree.q, tree.v);
    for (const FreeBody& body : data.free_bodies) turn(body.q, body.v);
  }
  A.clear();
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (trees[i].nv() == 0) continue;  // has no block
    auto block = A.add_block(trees[i].nv());
    trees[i].inertia(scheme, block);
    trees[i].update(q_of(scheme.kind == Integrator::moreau_midpoint ? q_mid : x.q, i));
  }
  for (int i = 0; i < bodies.size(); ++i) A.add_block(6) = bodies.inertia_block(i) / (1 - scheme.mid_velocity);
  kinematics.update(constraint_q(x));
}

void Simulator::Work::move_shapes(const Eigen::VectorXd& velocity) {
  for (std::size_t i = 0; i < data.shapes.size(); ++i) {
    const SceneShape& shape = data.shapes[i];
    if (shape.role != ShapeRole::collision) continue;
    ShapeMotion& motion = motions[i];
    motion.pose = kinematics.pose(shape.body) * shape.shape.pose;
    const Twist twist = kinematics.twist(shape_body[i], velocity);
    motion.linear = twist.at(motion.pose.p);
    motion.angular = twist.angular;
  }
}

void Simulator::Work::find_contacts() {
  contacts.clear();
  if (!finder) return;
  move_shapes(v_free);
  const std::vector<Contact>& found = finder->find(motions, scheme.dt);
  contacts.assign(found.begin(), found.end());
}

/// Contacts were found along the free motion. An impact may send a body elsewhere, so if anything moves otherwise than
/// foreseen by more than the margin all are looked for again: true if there are new contacts, which then take part.
bool Simulator::Work::finds_more_at(const Eigen::VectorXd& velocity) {
  if (!finder || !problem) return false;
  bool strays = false;
  for (std::size_t i = 0; i < data.shapes.size(); ++i) {
    if (data.shapes[i].role != ShapeRole::collision || shape_body[i] == 0) continue;
    const Twist twist = kinematics.twist(shape_body[i], velocity);
    const double change = (twist.at(motions[i].pose.p) - motions[i].linear).norm() +
                          (twist.angular - motions[i].angular).norm() * finder->radius(static_cast<int>(i));
    strays = strays || change * scheme.dt > finder->margin(static_cast<int>(i));
  }
  if (!strays) return false;
  move_shapes(velocity);
  const std::size_t known = contacts.size();
  for (const Contact& c : finder->find(motions, scheme.dt))
    if (!std::binary_search(contacts.begin(), contacts.begin() + static_cast<std::ptrdiff_t>(known), c, comes_before))
      contacts.push_back(c);
  if (contacts.size() == known) return false;
  std::sort(contacts.begin(), contacts.end(), comes_before);
  return true;
}

/// f(q ⊕ dt v0): with it the bias holds the curvature of the loops, so that v+ leads to the closed configuration and not
/// along its tangent. Without it the next step would take away, and lose, the energy of dt J̇ v each time. Schemes in which
/// v+ alone does not carry the position need v+ on the tangent at the end of the step: twice the curvature, as 2 dt sees it.
void Simulator::Work::look_ahead(State& x) {
  const bool tangent_at_end = !moves_with_unknown(scheme.kind);
  const double h = tangent_at_end ? 2 * scheme.dt : scheme.dt;
  Eigen::VectorXd& here = scheme.kind == Integrator::moreau_midpoint ? q_mid : x.q;
  if (tangent_at_end) loops.residual(kinematics, here, closure_here);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    trees[i].integrate(q_of(here, i), h, v_of(v0, i), q_of(q, i));
    trees[i].update(q_of(q, i));
  }
  bodies.integrate(here.data() + data.free_q, h, v0.data() + data.free_v, q.data() + data.free_q);
  kinematics.update(q);
  loops.residual(kinematics, q, closure_ahead);
  if (tangent_at_end) closure_ahead = 0.5 * (closure_ahead + closure_here);
  for (std::size_t i = 0; i < trees.size(); ++i) trees[i].update(q_of(here, i));
  kinematics.update(here);
}

void Simulator::Work::assemble(State& x) {
  if (loops.rows() > 0) look_ahead(x);
  problem = &assembly->build(free_motion_view(x), contacts, closure_ahead);
}

/// λ to begin with: each constraint's own of the last step. Points that are new between two shapes share what the pair's
/// vanished points carried, since the pair as a whole is still pressed together (CRBD III-D).
void Simulator::Work::start_from(const std::vector<WarmImpulse>& last) {
  start.setZero(problem->rows());
  const auto less = [](const WarmImpulse& w, std::uint64_t id) { return w.id < id; };
  const std::vector<ConstraintBlock>& blocks = problem->blocks;
  for (std::size_t i = 0, end = 0; i < blocks.size(); i = end) {
    const bool contact = blocks[i].kind == ConstraintKind::contact;
    const std::uint64_t pair = pair_of_id(blocks[i].id);
    Eigen::Vector3d vanished = Eigen::Vector3d::Zero();
    double whole = 0;
    const auto of_pair = std::lower_bound(last.begin(), last.end(), contact ? pair << 32 : blocks[i].id, less);
    auto behind = of_pair;
    for (; contact && behind != last.end() && pair_of_id(behind->id) == pair; ++behind) {
      vanished += Eigen::Vector3d::Map(behind->impulse.data());
      whole += behind->impulse[2];
    }
    if (!contact && of_pair != last.end()) ++behind;
    int fresh = 0;
    for (end = i; end < blocks.size() && (end == i || (contact && blocks[end].kind == ConstraintKind::contact &&
                                                       pair_of_id(blocks[end].id) == pair));
         ++end) {
      const ConstraintBlock& block = blocks[end];
      const auto found = std::find_if(of_pair, behind, [&](const WarmImpulse& w) { return w.id == block.id; });
      if (block.id == 0 || found == behind) {
        ++fresh;
        continue;
      }
      for (int k = 0; k < block.rows; ++k) start[block.row + k] = found->impulse[at(k)];
      vanished -= Eigen::Vector3d::Map(found->impulse.data());
    }
    if (!contact || fresh == 0 || !(vanished.z() > 1e-9 * whole)) continue;
    for (std::size_t k = i; k < end; ++k)
      if (start.segment<3>(blocks[k].row).isZero(0)) start.segment<3>(blocks[k].row) = vanished / fresh;
  }
}

/// From the impulses that the state carries to those that solve the problem.
void Simulator::Work::solve(const State& x) {
  if (problem->rows() == 0) {
    problem = nullptr;
    warm.clear();
    v = v_free;
    return;
  }
  start_from(x.warm);
  solved = &solver->solve(*problem, start, v0);
  v = solved->solution.velocity;
  if (report.path != solved->stats.path) {  // solved again where new contacts were found
    if (!report.path.empty()) report.path += ", then ";
    report.path += solved->stats.path;
  }
  report.iterations += solved->stats.iterations;
  report.factorizations += solved->stats.factorizations;
}

/// What the judge said becomes the step's verdict; the impulses become the next step's start.
void Simulator::Work::judge_step() {
  if (!problem) return;
  const Residuals& residuals = solved->residuals;
  report.residual = residuals.certificate;
  report.rows = problem->rows();
  report.islands = solver->islands();
  report.contacts = static_cast<int>(contacts.size());
  if (residuals.worst >= 0) assembly->append_name(residuals.worst, report.worst);
  if (!(residuals.certificate <= options.tolerance)) {
    report.status = StepStatus::uncertified;
    fmt::format_to(std::back_inserter(report.reason), "{} is off by {:.3g} m/s: {}", report.worst, residuals.certificate,
                   solved->status.message);
  }
  for (const Contact& contact : contacts) report.penetration = std::max(report.penetration, -contact.at.gap);

  report.slip = residuals.slip;
  report.gliding = residuals.gliding;

  const Eigen::VectorXd& next = solver->next_start();
  warm.clear();
  for (const ConstraintBlock& block : problem->blocks) {
    WarmImpulse w{block.id, {0, 0, 0}};
    for (int k = 0; k < block.rows; ++k) w.impulse[at(k)] = next[block.row + k];
    if (block.id != 0 && w.impulse != std::array<double, 3>{0, 0, 0}) warm.push_back(w);
  }
  std::sort(warm.begin(), warm.end(), [](const WarmImpulse& a, const WarmImpulse& b) { return a.id < b.id; });

  // Rows of a free base in A (v+ - v*) = Jᵀ λ are the wrench on the whole tree.
  for (std::size_t i = 0; i < trees.size(); ++i)
    if (options.conserve_momentum && trees[i].free_base()) {
      const auto block = A.block(kinematics.block_of(data.trees[i].v));
      Eigen::Matrix<double, 6, 1> wrench = Eigen::Matrix<double, 6, 1>::Zero();
      for (int k = 0, first = data.trees[i].v; k < trees[i].nv(); ++k)
        wrench += block.col(k).head<6>() * (v[first + k] - v_free[first + k]);
      const BaseMomentum given = trees[i].impulse_on_base(wrench);
      momenta[i].linear += given.linear;
      momenta[i].angular += given.angular;
    }
}

/// Errors that exist already are taken away by a motion that leaves no velocity behind.
void Simulator::Work::correct(State& x) {
  if (!corrector || !assembly->build_correction(free_motion_view(x), v, contacts, correction)) return;
  const SolveResult& result = corrector->solve(correction, no_start);
  // A body wedged between two others cannot be pushed out of both: then it is left where it is.
  if (!(result.residuals.certificate <= 0.1 * options.laws.depenetration_speed)) return;
  push = result.solution.velocity;
  pushed = true;
  report.iterations += result.stats.iterations;
  report.factorizations += result.stats.factorizations;
}

}  // namespace condyle
