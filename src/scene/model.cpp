#include <condyle/model.hpp>

namespace condyle {

const char* to_string(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere: return "sphere";
    case ShapeKind::box: return "box";
    case ShapeKind::capsule: return "capsule";
    case ShapeKind::cylinder: return "cylinder";
    case ShapeKind::cone: return "cone";
    case ShapeKind::ellipsoid: return "ellipsoid";
    case ShapeKind::halfspace: return "halfspace";
    case ShapeKind::plane: return "plane";
    case ShapeKind::mesh: return "mesh";
    case ShapeKind::heightfield: return "heightfield";
  }
  return "";
}

const char* to_string(MeshPolicy policy) {
  switch (policy) {
    case MeshPolicy::hull: return "hull";
    case MeshPolicy::convex_parts: return "convex-parts";
    case MeshPolicy::bvh: return "bvh";
  }
  return "";
}

const char* to_string(JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return "fixed";
    case JointKind::revolute: return "revolute";
    case JointKind::continuous: return "continuous";
    case JointKind::prismatic: return "prismatic";
    case JointKind::planar: return "planar";
    case JointKind::floating: return "floating";
    case JointKind::ball: return "ball";
  }
  return "";
}

int nq_of(JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return 0;
    case JointKind::revolute:
    case JointKind::prismatic: return 1;
    case JointKind::continuous: return 2;
    case JointKind::planar:
    case JointKind::ball: return 4;
    case JointKind::floating: return 7;
  }
  return 0;
}

int nv_of(JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return 0;
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::continuous: return 1;
    case JointKind::planar:
    case JointKind::ball: return 3;
    case JointKind::floating: return 6;
  }
  return 0;
}

const char* to_string(ClosureKind kind) {
  switch (kind) {
    case ClosureKind::spherical: return "spherical";
    case ClosureKind::revolute: return "revolute";
    case ClosureKind::universal: return "universal";
    case ClosureKind::cylindrical: return "cylindrical";
    case ClosureKind::prismatic: return "prismatic";
    case ClosureKind::planar: return "planar";
    case ClosureKind::weld: return "weld";
    case ClosureKind::distance: return "distance";
  }
  return "";
}

int rows_of(ClosureKind kind) {
  switch (kind) {
    case ClosureKind::spherical:
    case ClosureKind::planar: return 3;
    case ClosureKind::universal:
    case ClosureKind::cylindrical: return 4;
    case ClosureKind::revolute:
    case ClosureKind::prismatic: return 5;
    case ClosureKind::weld: return 6;
    case ClosureKind::distance: return 1;
  }
  return 0;
}

double ModelDescription::total_mass() const {
  double mass = 0;
  for (const LinkSpec& link : links) mass += link.inertial.mass;
  return mass;
}

int ModelDescription::nq() const {
  int n = 0;
  for (const JointSpec& joint : joints) n += nq_of(joint.kind);
  return n;
}

int ModelDescription::nv() const {
  int n = 0;
  for (const JointSpec& joint : joints) n += nv_of(joint.kind);
  return n;
}

int ModelDescription::find_link(std::string_view wanted) const {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].name == wanted) return static_cast<int>(i);
  return -1;
}

int ModelDescription::find_joint(std::string_view wanted) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == wanted) return static_cast<int>(i);
  return -1;
}

std::vector<Pose> ModelDescription::reference_poses() const {
  std::vector<Pose> out(links.size());
  for (const JointSpec& joint : joints)  // depth first: a parent's pose is known before its child's
    out[static_cast<std::size_t>(joint.child)] = out[static_cast<std::size_t>(joint.parent)] * joint.origin;
  return out;
}

}  // namespace condyle
