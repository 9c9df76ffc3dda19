#include "scene/linkage.hpp"

#include "scene/builtin_texts.hpp"
#include "scene/mass_properties.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>

namespace condyle {
namespace {

using Eigen::Vector3d;

std::string spaced(const Vector3d& x) { return fmt::format("{} {} {}", x.x(), x.y(), x.z()); }
std::string listed(const Vector3d& x) { return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z()); }

/// Yaw and pitch take z to the axis of a rod; nothing here needs a roll.
std::string rpy_of(const Eigen::Matrix3d& R) {
  const Vector3d z = R.col(2);
  return spaced({0, std::atan2(std::hypot(z.x(), z.y()), z.z()), std::atan2(z.y(), z.x())});
}

std::string geometry(const Shape& shape, const Vector3d& at) {
  const Vector3d& s = shape.size;
  std::string out;
  if (shape.kind == ShapeKind::box) out = fmt::format(R"(<box size="{}"/>)", spaced(s));
  if (shape.kind == ShapeKind::sphere) out = fmt::format(R"(<sphere radius="{}"/>)", s[0]);
  if (shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder)
    out = fmt::format(R"(<{} radius="{}" length="{}"/>)", to_string(shape.kind), s[0], s[1]);
  return fmt::format(R"(<origin xyz="{}" rpy="{}"/><geometry>{}</geometry>)", spaced(shape.pose.p - at),
                     rpy_of(shape.pose.R), out);
}

/// A scene file's frame whose axes z and x are given.
std::string frame(const Vector3d& at, const Vector3d& z, const Vector3d& x) {
  Pose pose;
  pose.R << x, z.cross(x), z;
  const Eigen::Vector4d turn = pose.quaternion();
  return fmt::format("{{xyz: {}, quaternion: [{}, {}, {}, {}]}}", listed(at), turn[0], turn[1], turn[2], turn[3]);
}

std::string section(const char* key, const std::string& entries) {
  return entries.empty() ? "" : fmt::format("{}:\n{}", key, entries);
}

}  // namespace

Linkage::Form Linkage::rod(const Vector3d& from, const Vector3d& to, double radius) {
  Form out;
  out.shape.kind = ShapeKind::capsule;
  out.shape.size << radius, (to - from).norm(), 1;
  out.shape.pose = {rotation_z_to(to - from), 0.5 * (from + to)};
  return out;
}

Linkage::Form Linkage::box(const Vector3d& centre, const Vector3d& size) {
  Form out;
  out.shape.kind = ShapeKind::box;
  out.shape.size = size;
  out.shape.pose.p = centre;
  return out;
}

Linkage::Form Linkage::ball(const Vector3d& centre, double radius) {
  Form out;
  out.shape.size << radius, 1, 1;
  out.shape.pose.p = centre;
  return out;
}

Linkage::Form Linkage::wheel(const Vector3d& centre, double radius, double width) {
  Form out;
  out.shape.kind = ShapeKind::cylinder;
  out.shape.size << radius, width, 1;
  out.shape.pose = {rotation_z_to(Vector3d::UnitY()), centre};
  return out;
}

Linkage::Form Linkage::touching(Form form) {
  form.touches = true;
  return form;
}

Linkage::Linkage(std::string name, const std::string& root, const Vector3d& at, const Form& form, double mass)
    : name_(std::move(name)), root_(root), at_(at) {
  link(root, at, form, mass);
}

void Linkage::link(const std::string& name, const Vector3d& at, const Form& form, double mass) {
  places_[name] = at;
  const Inertial body = solid({form.shape}, mass, Place{});
  const Eigen::Matrix3d& I = body.inertia;
  const std::string shape = geometry(form.shape, at);
  links_ += fmt::format(R"(        <link name="{}">
          <inertial>
            <origin xyz="{}"/><mass value="{}"/>
            <inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/>
          </inertial>
          <visual>{}</visual>
{}        </link>
)",
                        name, spaced(body.com - at), mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2), shape,
                        form.touches ? fmt::format("          <collision>{}</collision>\n", shape) : "");
}

void Linkage::hinge(const std::string& name, const std::string& parent, const Vector3d& at, const Vector3d& axis,
                    const Form& form, double mass) {
  link(name, at, form, mass);
  links_ += fmt::format(R"(        <joint name="{0}" type="continuous">
          <parent link="{1}"/><child link="{0}"/><origin xyz="{2}"/><axis xyz="{3}"/>
        </joint>
)",
                        name, parent, spaced(at - places_.at(parent)), spaced(axis));
}

void Linkage::ball_joint(const std::string& name, const std::string& parent, const Vector3d& at, const Form& form,
                         double mass) {
  hinge(name, parent, at, Vector3d::UnitZ(), form, mass);
  balls_ += fmt::format("  - {{joint: {}/{}, kind: spherical}}\n", name_, name);
}

void Linkage::push_rod(const std::string& name, const std::string& crank, const std::string& lever, const Vector3d& from,
                       const Vector3d& to, const Vector3d& axis, double radius, double mass) {
  ball_joint(name, crank, from, rod(from, to, radius), mass);
  loops_ += fmt::format("  - {{name: {1}, kind: universal, between: [{0}/{2}, {0}/{1}], at: {3}}}\n", name_, name, lever,
                        frame(to, axis, axis.cross(to - from).normalized()));
}

void Linkage::close_by_hinge(const std::string& name, const std::string& a, const std::string& b, const Vector3d& at,
                             const Vector3d& axis) {
  const Eigen::Matrix3d R = rotation_z_to(axis);
  loops_ += fmt::format("  - {{name: {1}, kind: revolute, between: [{0}/{2}, {0}/{3}], at: {4}}}\n", name_, name, a, b,
                        frame(at, R.col(2), R.col(0)));
}

void Linkage::servo(const std::string& joint, double kp, double swing) {
  servo(joint, kp,
        swing == 0 ? "0" : fmt::format("{{times: [0, 1], values: [0, {}], period: 2, interpolation: smooth}}", swing));
}

void Linkage::servo(const std::string& joint, double kp, const std::string& target) {
  actuators_ +=
      fmt::format("  - {{joint: {}/{}, kind: pd, kp: {}, kd: {}, target: {}}}\n", name_, joint, kp, 0.05 * kp, target);
  actuated_ += fmt::format("{}{}/{}", actuated_.empty() ? "" : ", ", name_, joint);
}

void Linkage::motor(const std::string& joint, double kd, double speed) {
  actuators_ += fmt::format("  - {{joint: {}/{}, kind: pd, kp: 0, kd: {}, target_velocity: {}}}\n", name_, joint, kd, speed);
  actuated_ += fmt::format("{}{}/{}", actuated_.empty() ? "" : ", ", name_, joint);
}

void Linkage::spring(const std::string& joint, double stiffness, double damping) {
  springs_ += fmt::format("  - {{joint: {}/{}, stiffness: {}, damping: {}}}\n", name_, joint, stiffness, damping);
}

std::string Linkage::text(bool free_base) const {
  return fmt::format(
             "models:\n  - name: {0}\n    base: {1}\n    pose: {{xyz: {2}}}\n    inline_urdf: |\n"
             "      <robot name=\"{0}\" version=\"1.1\">\n{3}      </robot>\n",
             name_, free_base ? "free" : "fixed", listed(at_), links_) +
         (free_base ? "bodies:\n  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}}\n" : "") +
         section("retype", balls_) + section("joint_properties", springs_) + section("loops", loops_) +
         section("actuators", actuators_) + fmt::format("actuated: [{}]\n", actuated_);
}

}  // namespace condyle
