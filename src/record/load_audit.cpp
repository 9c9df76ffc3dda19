#include "record/load_audit.hpp"

#include "collision/default_pairs.hpp"
#include "collision/tree_joints.hpp"
#include "dynamics/tree_dynamics.hpp"
#include "scene/mass_properties.hpp"
#include "scene/scene_data.hpp"
#include "scene/sidecar.hpp"

#include <Eigen/Eigenvalues>

namespace condyle {

namespace {

/// The model's own name, unless it is one that a scene cannot give.
std::string scene_name(const ModelDescription& model) {
  const std::string& name = model.name;
  return name.empty() || name == "world" || name.find('/') != std::string::npos ? "model" : name;
}

/// A joint that a sidecar split has a link between its halves that stands at the joint's own place in the file.
int bodies_of_file(const ModelDescription& model) {
  int between = 0;
  for (const JointSpec& joint : model.joints) {
    const LinkSpec& link = model.links[static_cast<std::size_t>(joint.child)];
    between += !link.has_inertial && link.place.line > 0 && link.place.line == joint.place.line &&
               link.place.element == joint.place.element;
  }
  return static_cast<int>(model.links.size()) - between;
}

void find_order(const Tree& tree, LoadAudit& out) {
  out.free_base = tree.model->free_base;
  if (tree.model->free_base && (tree.model->joints.empty() || tree.model->joints.front().q > 0))
    out.joint_order.push_back({"(free base)", to_string(JointKind::floating), 0, 0});
  for (const TreeJoint& joint : tree.model->joints)
    out.joint_order.push_back({joint.name, to_string(joint.kind), joint.q, joint.v});
}

void weigh(const ModelDescription& model, LoadAudit& out) {
  for (const LinkSpec& link : model.links) {
    if (!(link.inertial.mass > 0)) {
      out.massless.push_back(link.name);
      continue;
    }
    const std::string reason = unphysical(link.inertial);
    if (reason.empty()) continue;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(link.inertial.inertia, Eigen::EigenvaluesOnly);
    out.unphysical.push_back({link.name, reason, principal.eigenvalues()});
  }
}

std::string link_name(const ModelDescription& model, int link) {
  return link < 0 ? "world" : model.links[static_cast<std::size_t>(link)].name;
}

void measure_closures(const ModelDescription& model, const TreeDynamics& at, LoadAudit& out) {
  const auto pose = [&](int link) { return link < 0 ? Pose() : at.link_pose(link); };
  for (const ClosureSpec& c : model.closures) {
    const ClosureError open = closure_error(c.kind, pose(c.link_a) * c.frame_a, pose(c.link_b) * c.frame_b);
    out.closures.push_back({c.name, c.kind, link_name(model, c.link_a), link_name(model, c.link_b), c.frame_a, c.frame_b,
                            c.active, open.length, open.angle});
  }
}

void find_pairs(const SceneData& scene, LoadAudit::Pairs& out, LoadReport& report) {
  CoalShapes made;
  const std::vector<CoalShape> shapes = make_shapes(scene, made);
  const PairTable table = default_pairs(scene, shapes, initial_shape_poses(scene));
  out.candidate = table.candidates;
  out.reasons = table.filtered;
  for (const auto& [reason, count] : table.filtered) out.filtered += count;
  for (const OverlapEntry& overlap : table.overlapping) out.overlapping.push_back({overlap.a, overlap.b, overlap.depth});
  report_shapes(scene, shapes, report);
  report_pairs(table, report);
}

}  // namespace

LoadedModel examine(std::shared_ptr<const ModelDescription> model, Base base) {
  SceneBuilder build;
  ModelOptions options;
  options.name = scene_name(*model);
  options.base = base;
  build.add_model(model, options);
  const Scene scene = build.finish();
  const Tree& tree = scene.data().trees.front();

  LoadedModel out{model, scene.report(), {}};
  TreeDynamics at(tree);
  at.update(tree.q_initial);
  out.audit.bodies = bodies_of_file(*model);
  find_order(tree, out.audit);
  weigh(*model, out.audit);
  out.audit.joints_at_fault = at.joints_without_inertia();
  measure_closures(*model, at, out.audit);
  find_pairs(scene.data(), out.audit.pairs, out.report);
  return out;
}

}  // namespace condyle
