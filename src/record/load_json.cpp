#include "record/load_json.hpp"

#include <nlohmann/json.hpp>

namespace condyle {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

Json numbers(const Eigen::Ref<const Eigen::VectorXd>& x) { return std::vector<double>(x.data(), x.data() + x.size()); }

Json pose(const Pose& p) { return {{"xyz", numbers(p.p)}, {"quaternion_xyzw", numbers(p.quaternion())}}; }

Json body_table(const ModelDescription& model) {
  std::vector<const JointSpec*> above(model.links.size(), nullptr);
  for (const JointSpec& joint : model.joints) above[static_cast<std::size_t>(joint.child)] = &joint;
  Json out = Json::array();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Inertial& body = model.links[i].inertial;
    Json inertia = Json::array();
    for (int row = 0; row < 3; ++row) inertia.push_back(numbers(body.inertia.row(row).transpose()));
    const JointSpec* joint = above[i];
    out.push_back({{"name", model.links[i].name},
                   {"mass_kg", body.mass},
                   {"com", numbers(body.com)},
                   {"inertia_kg_m2", inertia},
                   {"parent", joint ? Json(model.links[static_cast<std::size_t>(joint->parent)].name) : Json()},
                   {"joint", joint ? Json(joint->name) : Json()}});
  }
  return out;
}

Json joint_table(const ModelDescription& model) {
  Json out = Json::array();
  for (const JointSpec& j : model.joints)
    out.push_back({{"name", j.name},
                   {"type", to_string(j.kind)},
                   {"nq", nq_of(j.kind)},
                   {"nv", nv_of(j.kind)},
                   {"lower", j.lower},
                   {"upper", j.upper},
                   {"effort", j.effort},
                   {"velocity", j.velocity},
                   {"damping", j.damping},
                   {"friction", j.friction},
                   {"armature", j.armature}});
  return out;
}

Json inertia(const LoadAudit& audit) {
  Json unphysical = Json::array();
  for (const LoadAudit::Unphysical& u : audit.unphysical)
    unphysical.push_back({{"body", u.body}, {"eigenvalues_kg_m2", numbers(u.moments)}, {"reason", u.reason}});
  return {{"massless", audit.massless},
          {"unphysical", unphysical},
          {"positive_definite", audit.joints_at_fault.empty()},
          {"joints_at_fault", audit.joints_at_fault}};
}

Json closures(const LoadAudit& audit) {
  Json out = Json::array();
  for (const LoadAudit::Closure& c : audit.closures)
    out.push_back({{"name", c.name},
                   {"kind", to_string(c.kind)},
                   {"bodies", {c.body_a, c.body_b}},
                   {"frame_a", pose(c.frame_a)},
                   {"frame_b", pose(c.frame_b)},
                   {"active", c.active},
                   {"error_m", c.error_m},
                   {"error_rad", c.error_rad}});
  return out;
}

Json pairs(const LoadAudit::Pairs& p) {
  Json reasons = Json::object(), overlapping = Json::array();
  for (const auto& [reason, count] : p.reasons) reasons[reason] = count;
  for (const LoadAudit::Overlap& o : p.overlapping) overlapping.push_back({{"a", o.a}, {"b", o.b}, {"depth_m", o.depth}});
  return {{"candidate", p.candidate}, {"filtered", p.filtered}, {"reasons", reasons}, {"overlapping", overlapping}};
}

/// The parts that a refused file has, too.
void add_report(Json& out, const LoadReport& report) {
  out["files"] = report.files;
  for (const Outcome outcome : {Outcome::applied, Outcome::ignored, Outcome::assumed, Outcome::error})
    out["counts"][to_string(outcome)] = report.count(outcome);
  Json meshes = Json::array(), entries = Json::array();
  for (const MeshUse& m : report.meshes)
    meshes.push_back({{"uri", m.uri},
                      {"path", m.path.empty() ? Json() : Json(m.path)},
                      {"rule", m.rule},
                      {"role", m.role},
                      {"policy", m.policy},
                      {"vertices", m.vertices < 0 ? Json() : Json(m.vertices)}});
  for (const ReportEntry& e : report.entries)
    entries.push_back({{"element", e.place.element},
                       {"line", e.place.line},
                       {"outcome", to_string(e.outcome)},
                       {"reason", e.reason},
                       {"code", e.code},
                       {"file", e.place.file}});
  out["meshes"] = meshes;
  out["entries"] = entries;
}

}  // namespace

std::string load_json(const LoadedModel& loaded) {
  const ModelDescription& model = *loaded.model;
  const LoadAudit& audit = loaded.audit;
  int collision = 0, visual = 0;
  for (const ShapeSpec& shape : model.shapes) ++(shape.role == ShapeRole::collision ? collision : visual);

  Json out;
  out["file"] = model.file;
  out["format"] = model.format;
  out["name"] = model.name;
  out["status"] = "ok";
  out["bodies"] = audit.bodies;
  out["joints"] = model.joints.size();
  out["nq"] = model.nq();
  out["nv"] = model.nv();
  out["total_mass_kg"] = model.total_mass();
  out["loops"] = model.closures.size();
  out["collision_shapes"] = collision;
  out["visual_shapes"] = visual;
  out["actuators"] = model.actuators.size() + model.actuated_joints.size();
  out["mimics"] = model.couplings.size();
  out["base"] = audit.free_base ? "free" : "fixed";
  out["body_table"] = body_table(model);
  out["joint_table"] = joint_table(model);
  out["joint_order"] = Json::array();
  for (const LoadAudit::Slot& slot : audit.joint_order)
    out["joint_order"].push_back({{"name", slot.name}, {"type", slot.type}, {"q", slot.q}, {"v", slot.v}});
  out["couplings"] = Json::array();
  for (const CouplingSpec& c : model.couplings)
    out["couplings"].push_back({{"joint", c.joint}, {"of", c.of}, {"polynomial", c.polynomial}});
  out["closures"] = closures(audit);
  out["not_simulated"] = model.closures_not_simulated;
  out["inertia"] = inertia(audit);
  out["pairs"] = pairs(audit.pairs);
  add_report(out, loaded.report);
  return dump(out);
}

std::string refused_json(const std::string& file, const Error& error, const LoadReport& report) {
  Json out;
  out["file"] = file;
  out["status"] = "refused";
  out["error"] = {{"code", error.code()},       {"message", error.reason()},        {"file", error.place().file},
                  {"line", error.place().line}, {"element", error.place().element}, {"cure", error.cure()}};
  add_report(out, report);
  return dump(out);
}

}  // namespace condyle
