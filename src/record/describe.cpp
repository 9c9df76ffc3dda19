#include "record/describe.hpp"

#include <condyle/version.hpp>

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "scene/scene_data.hpp"

namespace condyle::record {

namespace {
using Json = nlohmann::ordered_json;

Json bodies_of(const SceneData& scene) {
  Json out = Json::array();
  const auto com = [](const Inertial& i) { return Json{i.com.x(), i.com.y(), i.com.z()}; };
  for (const Tree& tree : scene.trees)
    for (const TreeLink& link : tree.model->links)
      out.push_back({{"name", tree.name + "/" + link.name},
                     {"kind", "link"},
                     {"mass", link.inertial.mass},
                     {"com", com(link.inertial)},
                     {"moves", link.joint > 0},
                     {"tree", tree.name}});
  for (const FreeBody& body : scene.free_bodies)
    out.push_back({{"name", body.name}, {"kind", "free"}, {"mass", body.inertial.mass}, {"com", com(body.inertial)}});
  for (const StaticBody& body : scene.static_bodies) {
    const Eigen::Vector4d q = body.pose.quaternion();
    out.push_back({{"name", body.name},
                   {"kind", "static"},
                   {"pose", {body.pose.p.x(), body.pose.p.y(), body.pose.p.z(), q.x(), q.y(), q.z(), q.w()}}});
  }
  return out;
}

Json joints_of(const SceneData& scene) {
  Json out = Json::array();
  for (const Tree& tree : scene.trees) {
    if (tree.model->free_base)
      out.push_back({{"name", tree.name}, {"kind", "floating"}, {"q", tree.q}, {"v", tree.v}, {"nq", 7}, {"nv", 6}});
    for (const TreeJoint& joint : tree.model->joints)
      out.push_back({{"name", tree.name + "/" + joint.name},
                     {"kind", to_string(joint.kind)},
                     {"q", tree.q + joint.q},
                     {"v", tree.v + joint.v},
                     {"nq", joint.nq},
                     {"nv", joint.nv}});
  }
  for (const FreeBody& body : scene.free_bodies)
    out.push_back({{"name", body.name}, {"kind", "floating"}, {"q", body.q}, {"v", body.v}, {"nq", 7}, {"nv", 6}});
  return out;
}

Json defaults_of(const RunDefaults& defaults) {
  return {{"dt", defaults.dt},
          {"end", defaults.end},
          {"integrator", to_string(defaults.integrator)},
          {"solver", defaults.solver},
          {"tolerance", defaults.tolerance},
          {"max_iterations", defaults.max_iterations}};
}

// JSON readers keep numbers as doubles, which hold 53 bits; an identity has 64.
std::string identity_text(std::uint64_t identity) { return fmt::format("{:016x}", identity); }

std::uint64_t identity_from(const std::string& text, const std::string& file) {
  std::uint64_t out = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  if (trouble != std::errc() || end != text.data() + text.size())
    throw Error("damaged-file", {file, 0, "/scene/description"},
                "identity '" + text + "' is not a number of 16 hexadecimal digits");
  return out;
}
}  // namespace

std::string describe(const Scene& scene, const SimulatorOptions& options, const std::string& command,
                     const Drawing& drawing) {
  const SceneData& data = scene.data();
  const Eigen::Vector3d& g = scene.gravity();
  const Json out = {{"name", scene.name()},
                    {"identity", identity_text(scene.identity())},
                    {"nq", scene.nq()},
                    {"nv", scene.nv()},
                    {"gravity", {g.x(), g.y(), g.z()}},
                    {"total_mass", scene.total_mass()},
                    {"q_names", scene.q_names()},
                    {"v_names", scene.v_names()},
                    {"bodies", bodies_of(data)},
                    {"joints", joints_of(data)},
                    {"moving_bodies", scene.body_count()},
                    {"shapes", drawing.shapes},
                    {"meshes", drawing.meshes},
                    {"closures", drawing.closures},
                    {"drawing_notes", drawing.notes},
                    {"defaults", defaults_of(scene.defaults())},
                    {"run",
                     {{"condyle_version", version},
                      {"dt", options.dt},
                      {"integrator", to_string(options.integrator)},
                      {"solver", options.solver},
                      {"tolerance", options.tolerance},
                      {"max_iterations", options.max_iterations},
                      {"command", command}}}};
  // Names from robot files need not be UTF-8; a recording must not fail for that.
  return out.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::vector<Attribute> root_attributes(const Scene& scene, const SimulatorOptions& options, const std::string& command,
                                       bool complete) {
  return {{"format", "condyle-recording"},
          {"format_version", std::int64_t{format_version}},
          {"condyle_version", std::string(version)},
          {"scene", scene.name()},
          {"scene_identity", scene.identity()},
          {"dt", options.dt},
          {"integrator", std::string(to_string(options.integrator))},
          {"solver", options.solver},
          {"tolerance", options.tolerance},
          {"command", command},
          {"complete", std::int64_t{complete ? 1 : 0}}};
}

void read_description(const std::string& text, const std::string& file, RecordingInfo& info) {
  try {
    const Json in = Json::parse(text);
    info.scene = in.at("name").get<std::string>();
    info.scene_identity = identity_from(in.at("identity").get<std::string>(), file);
    info.q_names = in.at("q_names").get<std::vector<std::string>>();
    info.v_names = in.at("v_names").get<std::vector<std::string>>();
    for (const Json& body : in.at("bodies"))
      if (body.at("kind").get<std::string>() != "static") {
        info.bodies.push_back(body.at("name").get<std::string>());
        info.links += body.at("kind").get<std::string>() == "link";
      }
    const Json& run = in.at("run");
    info.version = run.at("condyle_version").get<std::string>();
    info.dt = run.at("dt").get<double>();
    info.integrator = run.at("integrator").get<std::string>();
    info.solver = run.at("solver").get<std::string>();
    info.tolerance = run.at("tolerance").get<double>();
    info.command = run.at("command").get<std::string>();
  } catch (const nlohmann::json::exception& trouble) {
    throw Error("damaged-file", {file, 0, "/scene/description"}, trouble.what(), "use another copy of the file");
  }
}

}  // namespace condyle::record
