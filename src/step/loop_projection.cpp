#include "step/loop_projection.hpp"

#include "constraints/joint_rows.hpp"
#include "constraints/loop_closure.hpp"
#include "linalg/least_norm.hpp"
#include "linalg/singular_values.hpp"
#include "scene/canonical_order.hpp"

#include <Eigen/Cholesky>

#include <numeric>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Directions of the rows that are left with less than this are taken as dependent. Redundant loops are dependent only on
/// the manifold; a drift of this size off it must not make a huge step out of their small difference.
constexpr double dependent = 1e-6;
constexpr double longest_step = 1;  ///< rad or m, of one velocity in one Newton step
}  // namespace

struct LoopProjection::Work {
  /// What moves as one block of the inertia: a tree or a free body.
  struct Mover {
    int tree = -1, body = -1;
    int q = 0, nq = 0, v = 0, nv = 0;
    int local = 0;  ///< first velocity within the group
  };
  struct Constraint {
    int index = 0;  ///< closure, or number of closures + coupling
    int row = 0, rows = 0, linear = 0;
    bool angular = false;  ///< of a coupling
  };
  /// Loops that share a mover are solved together, others apart.
  struct Group {
    std::vector<Mover> movers;
    std::vector<Constraint> constraints;
    int rows = 0, nv = 0, nq = 0;
  };

  explicit Work(const SceneData& s);
  void evaluate(const Group& group, const Kinematics& kinematics, const Eigen::VectorXd& q);
  void residual_of(const Constraint& c, const Kinematics& kinematics, const Eigen::VectorXd& q, double* f) const;
  void metric(const Group& group, const std::vector<TreeDynamics>& trees, const FreeBodies& bodies);
  void least_change(const Group& group);
  void move(const Group& group, std::vector<TreeDynamics>& trees, const FreeBodies& bodies, Kinematics& kinematics,
            Eigen::VectorXd& q, double h);
  double residual(const Group& group, const Kinematics& kinematics, const Eigen::VectorXd& q, Outcome* outcome);
  void project(const Group& group, std::vector<TreeDynamics>& trees, const FreeBodies& bodies, Kinematics& kinematics,
               Eigen::VectorXd& q, double tolerance, int max_iterations, Outcome& outcome);

  const SceneData& scene;
  std::vector<Group> groups;
  std::vector<int> local;  ///< velocity of the scene -> velocity of its group
  int rows = 0;

  // of the group at hand
  Eigen::MatrixXd Jt;  ///< velocities × rows: Jᵀ, then L⁻¹ Jᵀ
  Eigen::MatrixXd L;   ///< inertia's factors, one mover below the other
  Eigen::VectorXd f, wanted, delta, q_start;
  LeastNorm least_norm;
};

LoopProjection::Work::Work(const SceneData& s) : scene(s), local(at(s.nv), -1) {
  // movers: 0 the world (joins nothing), then trees, then free bodies
  const int trees = static_cast<int>(scene.trees.size()), movers = 1 + trees + static_cast<int>(scene.free_bodies.size());
  std::vector<int> parent(at(movers));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[at(i)] != i) i = parent[at(i)];
    return i;
  };
  const auto mover_of = [&](const BodyRef& ref) {
    if (ref.kind == BodyRef::Kind::link) return 1 + ref.index;
    return ref.kind == BodyRef::Kind::free_body ? 1 + trees + ref.index : 0;
  };
  const auto tree_of = [&](int velocity) {
    for (int t = 0; t < trees; ++t)
      if (velocity >= scene.trees[at(t)].v && velocity < scene.trees[at(t)].v + scene.trees[at(t)].model->nv) return 1 + t;
    return 0;
  };
  const int closures = static_cast<int>(scene.closures.size());
  std::vector<std::pair<int, Constraint>> all;  // with one of its movers
  const auto add = [&](int a, int b, Constraint c) {
    if (a != 0 && b != 0) parent[at(std::max(root(a), root(b)))] = std::min(root(a), root(b));
    c.row = rows;
    rows += c.rows;
    all.emplace_back(a != 0 ? a : b, c);
  };
  const CanonicalOrder order(scene);  // the rows' order is that of the assembly
  for (const int i : order.closures) {
    const SceneClosure& closure = scene.closures[at(i)];
    if (closure.active)
      add(mover_of(closure.a), mover_of(closure.b), {i, 0, rows_of(closure.kind), linear_rows_of(closure.kind), false});
  }
  for (const int i : order.couplings) {
    const SceneCoupling& coupling = scene.couplings[at(i)];
    add(tree_of(coupling.v), tree_of(coupling.of_v), {closures + i, 0, 1, 0, joint_info(scene, coupling.v).angular});
  }
  std::vector<int> group_of(at(movers), -1);
  for (const auto& [mover, constraint] : all) {
    int& g = group_of[at(root(mover))];
    if (g < 0) g = static_cast<int>(groups.size()), groups.emplace_back();
    groups[at(g)].constraints.push_back(constraint);
    groups[at(g)].rows += constraint.rows;
  }
  std::vector<int> in_order;
  for (const int t : order.trees) in_order.push_back(1 + t);
  for (const int b : order.free_bodies) in_order.push_back(1 + trees + b);
  for (const int m : in_order) {
    const int g = group_of[at(root(m))];
    if (g < 0) continue;
    Group& group = groups[at(g)];
    Mover mover;
    if (m <= trees) {
      const Tree& tree = scene.trees[at(m - 1)];
      mover = {m - 1, -1, tree.q, tree.model->nq, tree.v, tree.model->nv, group.nv};
    } else {
      const FreeBody& body = scene.free_bodies[at(m - 1 - trees)];
      mover = {-1, m - 1 - trees, body.q, 7, body.v, 6, group.nv};
    }
    for (int k = 0; k < mover.nv; ++k) local[at(mover.v + k)] = group.nv + k;
    group.nv += mover.nv;
    group.nq += mover.nq;
    group.movers.push_back(mover);
  }
  int most_rows = 0, most_nv = 0, most_nq = 0, most_block = 0;
  for (const Group& group : groups) {
    most_rows = std::max(most_rows, group.rows);
    most_nv = std::max(most_nv, group.nv);
    most_nq = std::max(most_nq, group.nq);
    for (const Mover& mover : group.movers) most_block = std::max(most_block, mover.nv);
  }
  Jt.resize(most_nv, most_rows);
  L.resize(most_nv, most_block);
  f.resize(most_rows);
  wanted.resize(most_rows);
  delta.resize(std::max(most_nv, scene.nv));
  q_start.resize(most_nq);
}

LoopProjection::LoopProjection(const SceneData& scene) : work_(std::make_unique<Work>(scene)) {}
LoopProjection::~LoopProjection() = default;
LoopProjection::LoopProjection(LoopProjection&&) noexcept = default;
LoopProjection& LoopProjection::operator=(LoopProjection&&) noexcept = default;

int LoopProjection::rows() const { return work_->rows; }

void LoopProjection::Work::residual_of(const Constraint& c, const Kinematics& kinematics, const Eigen::VectorXd& q,
                                       double* out) const {
  const int closures = static_cast<int>(scene.closures.size());
  if (c.index >= closures) {
    out[0] = coupling_row(scene.couplings[at(c.index - closures)], q).residual;
    return;
  }
  const SceneClosure& closure = scene.closures[at(c.index)];
  ClosureRows rows_of_it;
  loop_closure(closure.kind, closure.length, kinematics.pose(closure.a) * closure.frame_a,
               kinematics.pose(closure.b) * closure.frame_b, rows_of_it);
  for (int i = 0; i < c.linear; ++i) out[i] = rows_of_it.f_linear[i];
  for (int i = c.linear; i < c.rows; ++i) out[i] = rows_of_it.f_angular[i - c.linear];
}

void LoopProjection::residual(const Kinematics& kinematics, const Eigen::VectorXd& q, Eigen::VectorXd& f) const {
  f.resize(work_->rows);
  for (const Work::Group& group : work_->groups)
    for (const Work::Constraint& c : group.constraints) work_->residual_of(c, kinematics, q, f.data() + c.row);
}

/// f and Jᵀ of a group.
void LoopProjection::Work::evaluate(const Group& group, const Kinematics& kinematics, const Eigen::VectorXd& q) {
  const int closures = static_cast<int>(scene.closures.size());
  Jt.topLeftCorner(group.nv, group.rows).setZero();
  ClosureRows made;
  int row = 0;
  for (const Constraint& c : group.constraints) {
    if (c.index >= closures) {
      const JointRow joint = coupling_row(scene.couplings[at(c.index - closures)], q);
      f[row] = joint.residual;
      for (int i = 0; i < 2; ++i) Jt(local[at(joint.velocity[i])], row) += joint.coefficient[i];
      ++row;
      continue;
    }
    const SceneClosure& closure = scene.closures[at(c.index)];
    loop_closure(closure.kind, closure.length, kinematics.pose(closure.a) * closure.frame_a,
                 kinematics.pose(closure.b) * closure.frame_b, made);
    for (int i = 0; i < c.rows; ++i, ++row) {
      const bool linear = i < c.linear;
      f[row] = linear ? made.f_linear[i] : made.f_angular[i - c.linear];
      const Eigen::Matrix<double, 6, 1> x = linear ? made.linear.row_at(i, Eigen::Vector3d::Zero())
                                                   : made.angular.row_at(i - c.linear, Eigen::Vector3d::Zero());
      const auto add = [&](const BodyRef& ref, double sign) {
        for (const int k : kinematics.support(kinematics.body_of(ref)))
          Jt(local[at(k)], row) += sign * x.dot(Eigen::Map<const Eigen::Matrix<double, 6, 1>>(kinematics.column(k)));
      };
      add(closure.a, -1);
      add(closure.b, 1);
    }
  }
}

void LoopProjection::Work::metric(const Group& group, const std::vector<TreeDynamics>& trees, const FreeBodies& bodies) {
  for (const Mover& mover : group.movers) {
    auto block = L.block(mover.local, 0, mover.nv, mover.nv);
    if (mover.tree >= 0)
      trees[at(mover.tree)].mass_matrix(block);
    else
      block = bodies.inertia_block(mover.body);
    if (Eigen::internal::llt_inplace<double, Eigen::Lower>::unblocked(block) >= 0) block.setIdentity();
  }
}

/// delta of least |delta|_M with J delta nearest to `wanted`: with M = L Lᵀ, y = Lᵀ delta has the plain norm.
void LoopProjection::Work::least_change(const Group& group) {
  auto jt = Jt.topLeftCorner(group.nv, group.rows);
  for (const Mover& mover : group.movers)
    L.block(mover.local, 0, mover.nv, mover.nv)
        .triangularView<Eigen::Lower>()
        .solveInPlace(jt.middleRows(mover.local, mover.nv));
  if (group.nv == Jt.rows()) {
    least_norm.solve(Jt.data(), group.nv, group.rows, wanted.data(), delta.data(), dependent);
  } else {  // bring the columns together; in place, forwards
    for (int j = 0; j < group.rows; ++j)
      for (int i = 0; i < group.nv; ++i) Jt.data()[j * group.nv + i] = Jt(i, j);
    least_norm.solve(Jt.data(), group.nv, group.rows, wanted.data(), delta.data(), dependent);
  }
  for (const Mover& mover : group.movers) {
    auto part = delta.segment(mover.local, mover.nv);
    L.block(mover.local, 0, mover.nv, mover.nv).triangularView<Eigen::Lower>().transpose().solveInPlace(part);
  }
}

/// q = q_start ⊕ h delta for the group's movers; trees and kinematics follow.
void LoopProjection::Work::move(const Group& group, std::vector<TreeDynamics>& trees, const FreeBodies& bodies,
                                Kinematics& kinematics, Eigen::VectorXd& q, double h) {
  int start = 0;
  for (const Mover& mover : group.movers) {
    if (mover.tree >= 0) {
      TreeDynamics& tree = trees[at(mover.tree)];
      tree.integrate(q_start.segment(start, mover.nq), h, delta.segment(mover.local, mover.nv),
                     q.segment(mover.q, mover.nq));
      tree.update(q.segment(mover.q, mover.nq));
    } else {
      bodies.integrate_one(mover.body, q_start.data() + start, h, delta.data() + mover.local, q.data() + mover.q);
      kinematics.update_free_body(mover.body, q);
    }
    start += mover.nq;
  }
}

/// Σ (scale f)² with the scales of the last least-squares step: what that step descends. With `outcome`: the largest
/// entries.
double LoopProjection::Work::residual(const Group& group, const Kinematics& kinematics, const Eigen::VectorXd& q,
                                      Outcome* outcome) {
  double sum = 0, entry[6];
  int row = 0;
  for (const Constraint& c : group.constraints) {
    residual_of(c, kinematics, q, entry);
    for (int i = 0; i < c.rows; ++i) {
      if (!outcome) {
        const double scaled = least_norm.scale(row++) * entry[i];
        sum += scaled * scaled;
        continue;
      }
      const bool metres = c.index < static_cast<int>(scene.closures.size()) ? i < c.linear : !c.angular;
      const double size = std::abs(entry[i]), largest = std::max(outcome->metres, outcome->radians);
      if (size > largest || outcome->worst < 0) outcome->worst = c.index;
      double& mine = metres ? outcome->metres : outcome->radians;
      mine = std::max(mine, size);
    }
  }
  return sum;
}

void LoopProjection::Work::project(const Group& group, std::vector<TreeDynamics>& trees, const FreeBodies& bodies,
                                   Kinematics& kinematics, Eigen::VectorXd& q, double tolerance, int max_iterations,
                                   Outcome& outcome) {
  int iteration = 0;
  for (;; ++iteration) {
    evaluate(group, kinematics, q);
    const double largest = f.head(group.rows).lpNorm<Eigen::Infinity>();
    if (largest <= tolerance || iteration == max_iterations || !std::isfinite(largest)) break;
    metric(group, trees, bodies);
    wanted.head(group.rows) = -f.head(group.rows);
    least_change(group);
    const double length = delta.head(group.nv).lpNorm<Eigen::Infinity>();
    int start = 0;
    for (const Mover& mover : group.movers) {
      q_start.segment(start, mover.nq) = q.segment(mover.q, mover.nq);
      start += mover.nq;
    }
    const double now = residual(group, kinematics, q, nullptr);
    double h = std::min(1.0, longest_step / length);
    bool better = false;
    if (length > 0 && std::isfinite(length))
      for (int halvings = 0; halvings < 30 && !better; ++halvings, h *= 0.5) {
        move(group, trees, bodies, kinematics, q, h);
        better = residual(group, kinematics, q, nullptr) < (1 - 1e-4 * h) * now;
      }
    if (!better) {  // as near as it gets: round-off, or a loop that cannot be closed
      if (length > 0) move(group, trees, bodies, kinematics, q, 0.0);
      break;
    }
  }
  outcome.iterations = std::max(outcome.iterations, iteration);
  residual(group, kinematics, q, &outcome);
}

LoopProjection::Outcome LoopProjection::project(std::vector<TreeDynamics>& trees, const FreeBodies& bodies,
                                                Kinematics& kinematics, Eigen::VectorXd& q, double tolerance,
                                                int max_iterations) {
  Outcome outcome;
  for (std::size_t i = 0; i < trees.size(); ++i)
    trees[i].update(q.segment(work_->scene.trees[i].q, work_->scene.trees[i].model->nq));
  kinematics.update(q);
  for (const Work::Group& group : work_->groups)
    work_->project(group, trees, bodies, kinematics, q, tolerance, max_iterations, outcome);
  outcome.converged = outcome.metres <= tolerance && outcome.radians <= tolerance;
  return outcome;
}

void LoopProjection::project_velocity(const std::vector<TreeDynamics>& trees, const FreeBodies& bodies,
                                      const Kinematics& kinematics, const Eigen::VectorXd& q, Eigen::VectorXd& v) {
  Work& w = *work_;
  for (const Work::Group& group : w.groups) {
    w.evaluate(group, kinematics, q);
    w.metric(group, trees, bodies);
    auto wanted = w.wanted.head(group.rows);
    wanted.setZero();
    for (const Work::Mover& mover : group.movers)
      wanted.noalias() -= w.Jt.block(mover.local, 0, mover.nv, group.rows).transpose() * v.segment(mover.v, mover.nv);
    w.least_change(group);
    for (const Work::Mover& mover : group.movers) v.segment(mover.v, mover.nv) += w.delta.segment(mover.local, mover.nv);
  }
}

void LoopProjection::jacobian(const Kinematics& kinematics, const Eigen::VectorXd& q, Eigen::MatrixXd& J) const {
  Work& w = *work_;
  J = Eigen::MatrixXd::Zero(w.rows, w.scene.nv);
  for (const Work::Group& group : w.groups) {
    w.evaluate(group, kinematics, q);
    int row = 0;
    for (const Work::Constraint& c : group.constraints) {
      for (const Work::Mover& mover : group.movers)
        J.block(c.row, mover.v, c.rows, mover.nv) = w.Jt.block(mover.local, row, mover.nv, c.rows).transpose();
      row += c.rows;
    }
  }
}

int LoopProjection::rank(const Kinematics& kinematics, const Eigen::VectorXd& q, double tolerance) const {
  Work& w = *work_;
  int out = 0;
  for (const Work::Group& group : w.groups) {
    if (group.nv == 0) continue;
    w.evaluate(group, kinematics, q);
    const Eigen::VectorXd s = singular_values(w.Jt.topLeftCorner(group.nv, group.rows));
    out += static_cast<int>((s.array() > tolerance * s[0]).count());
  }
  return out;
}

}  // namespace condyle
