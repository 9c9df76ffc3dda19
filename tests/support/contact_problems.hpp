#pragma once
// Small contact problems built by hand: free bodies with points on the floor or against each other, joints' rows, loops.
#include <condyle/contact_problem.hpp>

#include <Eigen/Geometry>

#include <cstdint>

namespace condyle::test {

class ProblemBuilder {
 public:
  ContactProblem problem;

  ProblemBuilder() { problem.J.columns = 0; }

  /// A rigid body with velocity (linear, angular) about its centre; returns its block.
  int body(double mass, const Eigen::Vector3d& inertia, const Eigen::Matrix<double, 6, 1>& v_free) {
    auto A = problem.A.add_block(6);
    for (int k = 0; k < 3; ++k) {
      A(k, k) = mass;
      A(3 + k, 3 + k) = inertia[k];
    }
    return finish_body(v_free);
  }
  int tree(const Eigen::MatrixXd& A, const Eigen::VectorXd& v_free) {
    problem.A.add_block(static_cast<int>(A.rows())) = A;
    return finish_body(v_free);
  }
  /// The relative twist of b minus a at a common point, over two bodies; -1: the world.
  int twist_carrier(int a, int b, const Eigen::Vector3d& point_from_a, const Eigen::Vector3d& point_from_b) {
    BlockJacobian& J = problem.J;
    BlockJacobian::Carrier carrier{6, static_cast<int>(J.runs.size()), 0};
    const auto add = [&](int body, const Eigen::Vector3d& r, double sign) {
      if (body < 0) return;
      Eigen::Matrix<double, 6, 6> C = Eigen::Matrix<double, 6, 6>::Identity();
      C.topRightCorner<3, 3>() << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;  // v + ω × r
      C *= sign;
      J.runs.push_back({problem.A.begin[static_cast<std::size_t>(body)], 6, static_cast<int>(J.values.size())});
      J.values.insert(J.values.end(), C.data(), C.data() + 36);
    };
    add(a, point_from_a, -1);
    add(b, point_from_b, 1);
    carrier.run_end = static_cast<int>(J.runs.size());
    J.carriers.push_back(carrier);
    return static_cast<int>(J.carriers.size()) - 1;
  }
  /// A contact at `offset` from the carrier's point, with normal n.
  int contact(int carrier, const Eigen::Vector3d& offset, const Eigen::Vector3d& n, double friction, double bias = 0) {
    const Eigen::Vector3d t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    Eigen::Matrix<double, 3, 6> X;
    const Eigen::Vector3d axes[3] = {t1, t2, n};
    for (int k = 0; k < 3; ++k) {
      X.row(k).head<3>() = axes[k].transpose();
      X.row(k).tail<3>() = offset.cross(axes[k]).transpose();
    }
    ConstraintBlock block;
    block.kind = ConstraintKind::contact;
    block.set = SetKind::cone;
    block.friction = friction;
    const int i = add_block(block, 3, carrier, X);
    problem.bias[problem.blocks[static_cast<std::size_t>(i)].row + 2] = bias;
    return i;
  }
  /// A row over single velocities: Σ factor v_column.
  int row(const std::vector<std::pair<int, double>>& terms, SetKind set, double bias = 0, double compliance = 0,
          double lower = -std::numeric_limits<double>::infinity(), double upper = std::numeric_limits<double>::infinity()) {
    BlockJacobian& J = problem.J;
    BlockJacobian::Carrier carrier{1, static_cast<int>(J.runs.size()), 0};
    for (const auto& [column, factor] : terms) {
      J.runs.push_back({column, 1, static_cast<int>(J.values.size())});
      J.values.push_back(factor);
    }
    carrier.run_end = static_cast<int>(J.runs.size());
    J.carriers.push_back(carrier);
    ConstraintBlock block;
    block.set = set;
    block.lower = lower;
    block.upper = upper;
    const int i = add_block(block, 1, static_cast<int>(J.carriers.size()) - 1, Eigen::MatrixXd());
    problem.bias[problem.rows() - 1] = bias;
    problem.compliance[problem.rows() - 1] = compliance;
    return i;
  }
  /// Point of b tied to point of a (3 rows).
  int closure(int carrier, const Eigen::Vector3d& offset) {
    Eigen::Matrix<double, 3, 6> X;
    for (int k = 0; k < 3; ++k) {
      X.row(k).head<3>() = Eigen::Vector3d::Unit(k).transpose();
      X.row(k).tail<3>() = offset.cross(Eigen::Vector3d::Unit(k)).transpose();
    }
    ConstraintBlock block;
    block.kind = ConstraintKind::closure;
    return add_block(block, 3, carrier, X);
  }

 private:
  int finish_body(const Eigen::VectorXd& v_free) {
    problem.v_free.conservativeResize(problem.A.size());
    problem.v_free.tail(v_free.size()) = v_free;
    problem.J.columns = problem.A.size();
    return problem.A.blocks() - 1;
  }
  int add_block(ConstraintBlock block, int rows, int carrier, const Eigen::MatrixXd& X) {
    BlockJacobian& J = problem.J;
    block.row = problem.rows();
    block.rows = rows;
    J.parts.push_back({carrier, block.row, rows, X.size() ? static_cast<int>(J.values.size()) : -1});
    J.values.insert(J.values.end(), X.data(), X.data() + X.size());
    problem.blocks.push_back(block);
    J.rows = block.row + rows;
    problem.bias.conservativeResize(J.rows);
    problem.compliance.conservativeResize(J.rows);
    problem.bias.tail(rows).setZero();
    problem.compliance.tail(rows).setZero();
    return static_cast<int>(problem.blocks.size()) - 1;
  }
};

/// A cube of edge 0.2 and mass m whose four lower corners touch the floor; v is its free velocity.
inline void add_cube_on_floor(ProblemBuilder& build, double mass, const Eigen::Vector3d& v, double friction) {
  Eigen::Matrix<double, 6, 1> twist = Eigen::Matrix<double, 6, 1>::Zero();
  twist.head<3>() = v;
  const int cube = build.body(mass, Eigen::Vector3d::Constant(mass * 0.04 / 6), twist);
  const int carrier = build.twist_carrier(-1, cube, {}, Eigen::Vector3d::Zero());
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) build.contact(carrier, {x, y, -0.1}, Eigen::Vector3d::UnitZ(), friction);
}

/// Cubes on top of each other, masses m ratio^k, pressed down by one step of gravity.
inline ContactProblem cube_stack(int n, double ratio, double friction, double sideways = 0) {
  ProblemBuilder build;
  const double dt = 0.001;
  Eigen::Matrix<double, 6, 1> twist = Eigen::Matrix<double, 6, 1>::Zero();
  twist << sideways, 0, -9.81 * dt, 0, 0, 0;
  double mass = 1;
  for (int k = 0; k < n; ++k, mass *= ratio) build.body(mass, Eigen::Vector3d::Constant(mass * 0.04 / 6), twist);
  for (int k = 0; k < n; ++k) {
    const int carrier = build.twist_carrier(k - 1, k, Eigen::Vector3d(0, 0, 0.2), Eigen::Vector3d::Zero());
    for (const double x : {-0.1, 0.1})
      for (const double y : {-0.1, 0.1}) build.contact(carrier, {x, y, -0.1}, Eigen::Vector3d::UnitZ(), friction);
  }
  build.problem.dt = dt;
  return build.problem;
}

/// Cubes of edge 0.2 in a lattice on the floor: four points below each, two to each neighbour beside it, some of them with a
/// small gap; free velocities of gravity and a random stir. At rest everything fits, so a solution exists.
inline ContactProblem box_pile(int nx, int ny, int nz, double stir, std::uint64_t seed = 1) {
  ProblemBuilder build;
  const double dt = 0.001;
  std::uint64_t state = seed * 0x9e3779b97f4a7c15ull + 1;
  const auto random = [&] {  // in [-1, 1); the same everywhere
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1;
  };
  const auto index = [&](int x, int y, int z) { return (z * ny + y) * nx + x; };
  for (int k = 0; k < nx * ny * nz; ++k) {
    Eigen::Matrix<double, 6, 1> twist;
    for (int l = 0; l < 6; ++l) twist[l] = stir * random();
    twist[2] -= 9.81 * dt;
    const double mass = 1 + 0.5 * random();
    build.body(mass, Eigen::Vector3d::Constant(mass * 0.04 / 6), twist);
  }
  const auto touch = [&](int a, int b, const Eigen::Vector3d& n, int points) {
    const int carrier = build.twist_carrier(a, b, 0.2 * n, Eigen::Vector3d::Zero());
    const Eigen::Vector3d u = n.unitOrthogonal(), w = n.cross(u);
    for (int k = 0; k < points; ++k) {
      const double gap = random() > 0.5 ? 1e-3 * (1 + random()) : 0.0;
      const Eigen::Vector3d at = -0.1 * n + 0.1 * (k & 1 ? 1 : -1) * u + 0.1 * (k & 2 ? 1 : -1) * w;
      build.contact(carrier, at, n, 0.4 + 0.2 * random(), gap);
    }
  };
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        touch(z == 0 ? -1 : index(x, y, z - 1), index(x, y, z), Eigen::Vector3d::UnitZ(), 4);
        if (x > 0) touch(index(x - 1, y, z), index(x, y, z), Eigen::Vector3d::UnitX(), 2);
        if (y > 0) touch(index(x, y - 1, z), index(x, y, z), Eigen::Vector3d::UnitY(), 2);
      }
  build.problem.dt = dt;
  return build.problem;
}

}  // namespace condyle::test
