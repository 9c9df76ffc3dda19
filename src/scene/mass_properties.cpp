#include "scene/mass_properties.hpp"

#include <Eigen/Eigenvalues>
#include <numbers>

#include <fmt/format.h>

namespace condyle {

namespace {

constexpr double pi = std::numbers::pi;

Eigen::Matrix3d diagonal(double x, double y, double z) { return Eigen::Vector3d(x, y, z).asDiagonal(); }

/// Steiner's term of a mass at offset d.
Eigen::Matrix3d offset_inertia(double mass, const Eigen::Vector3d& d) {
  return mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
}

Inertial capsule(double r, double l) {
  const double rod = pi * r * r * l, ball = 4.0 / 3.0 * pi * r * r * r;
  const double along = 0.5 * rod * r * r + 0.4 * ball * r * r;
  // a half ball's centre lies 3r/8 beyond the rod's end; its own moment about that centre is 83/320 m r²
  const double h = l / 2 + 3.0 / 8.0 * r;
  const double across = rod * (l * l / 12 + r * r / 4) + ball * (83.0 / 320.0 * r * r + h * h);
  return {rod + ball, Eigen::Vector3d::Zero(), diagonal(across, across, along)};
}

Inertial primitive(const Shape& shape, const Place& place) {
  const Eigen::Vector3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere: {
      const double m = 4.0 / 3.0 * pi * s[0] * s[0] * s[0], i = 0.4 * m * s[0] * s[0];
      return {m, Eigen::Vector3d::Zero(), diagonal(i, i, i)};
    }
    case ShapeKind::box: {
      const double m = s.prod(), x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
      return {m, Eigen::Vector3d::Zero(), diagonal(y + z, x + z, x + y) * (m / 12)};
    }
    case ShapeKind::capsule: return capsule(s[0], s[1]);
    case ShapeKind::cylinder: {
      const double m = pi * s[0] * s[0] * s[1], across = m * (s[0] * s[0] / 4 + s[1] * s[1] / 12);
      return {m, Eigen::Vector3d::Zero(), diagonal(across, across, m * s[0] * s[0] / 2)};
    }
    case ShapeKind::cone: {  // base at z = -length/2, tip at +length/2; the centre is a quarter up from the base
      const double m = pi * s[0] * s[0] * s[1] / 3, across = 3.0 / 20.0 * m * (s[0] * s[0] + s[1] * s[1] / 4);
      return {m, Eigen::Vector3d(0, 0, -s[1] / 4), diagonal(across, across, 0.3 * m * s[0] * s[0])};
    }
    case ShapeKind::ellipsoid: {
      const double m = 4.0 / 3.0 * pi * s.prod(), x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
      return {m, Eigen::Vector3d::Zero(), diagonal(y + z, x + z, x + y) * (m / 5)};
    }
    case ShapeKind::halfspace:
    case ShapeKind::plane:
    case ShapeKind::mesh:
    case ShapeKind::heightfield: break;
  }
  throw Error("missing-inertia", place,
              std::string("the inertia of a ") + to_string(shape.kind) + " cannot be taken from its shape",
              "give inertia and com, or make the body static");
}

}  // namespace

Inertial unit_density(const Shape& shape, const Place& place) {
  Inertial out = primitive(shape, place);
  out.com = shape.pose * out.com;
  out.inertia = (shape.pose.R * out.inertia * shape.pose.R.transpose()).eval();
  return out;
}

Inertial combine(const Inertial& a, const Inertial& b) {
  Inertial out;
  out.mass = a.mass + b.mass;
  if (out.mass == 0) return {0, Eigen::Vector3d::Zero(), a.inertia + b.inertia};
  out.com = (a.mass * a.com + b.mass * b.com) / out.mass;
  out.inertia = a.inertia + offset_inertia(a.mass, a.com - out.com) + b.inertia + offset_inertia(b.mass, b.com - out.com);
  return out;
}

Inertial solid(const std::vector<Shape>& shapes, double mass, const Place& place) {
  if (shapes.empty()) throw Error("missing-inertia", place, "a body without shape needs its inertia", "give inertia");
  Inertial out = unit_density(shapes.front(), place);
  for (std::size_t i = 1; i < shapes.size(); ++i) out = combine(out, unit_density(shapes[i], place));
  const double density = mass / out.mass;
  out.mass = mass;
  out.inertia *= density;
  return out;
}

std::string unphysical(const Inertial& inertial) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertial.inertia, Eigen::EigenvaluesOnly);
  const Eigen::Vector3d e = solver.eigenvalues();
  const std::string values =
      fmt::format("principal moments {:.6g}, {:.6g}, {:.6g} kg m², mass {:.6g} kg", e[0], e[1], e[2], inertial.mass);
  const double size = e.cwiseAbs().maxCoeff();
  if (inertial.mass < 0 || e[0] < -1e-9 * size) return "negative: " + values;
  if (inertial.mass == 0 && e[2] > 0) return "inertia without mass: " + values;
  if (e[0] + e[1] < e[2] - 1e-6 * e[2]) return "triangle inequality: " + values;
  return {};
}

}  // namespace condyle
