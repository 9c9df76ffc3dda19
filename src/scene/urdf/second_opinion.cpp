// The only file that sees urdfdom and console_bridge.
#include "scene/urdf/second_opinion.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace condyle::urdf {

namespace {

constexpr std::size_t most_links = 2000;  // urdfdom frees a chain of links by recursion

/// Takes console_bridge's output while it lives. One at a time: the handler is global in console_bridge.
class Capture : public console_bridge::OutputHandler {
 public:
  Capture() : lock_(mutex()), before_(console_bridge::getOutputHandler()), level_(console_bridge::getLogLevel()) {
    console_bridge::useOutputHandler(this);
    console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_WARN);
  }
  ~Capture() override {
    console_bridge::setLogLevel(level_);
    console_bridge::useOutputHandler(before_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && words_.size() < 400)
      words_ += (words_.empty() ? "" : "; ") + text;
  }
  const std::string& words() const { return words_; }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::unique_lock<std::mutex> lock_;
  console_bridge::OutputHandler* before_;
  console_bridge::LogLevel level_;
  std::string words_;
};

bool close(double a, double b, double scale = 0) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b || (std::isnan(a) && std::isnan(b));
  return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), scale});
}

template <class A, class B>
bool close_all(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b, double scale = 0) {
  const double size = std::max({a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff(), scale});
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j)
      if (!close(a(i, j), b(i, j), size)) return false;
  return true;
}

Eigen::Vector3d vector_of(const ::urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Pose pose_of(const ::urdf::Pose& pose) {
  double x, y, z, w;
  pose.rotation.getQuaternion(x, y, z, w);
  return Pose::from_xyz_quaternion(vector_of(pose.position), {x, y, z, w});
}

std::string words(const Eigen::Vector3d& v) { return fmt::format("{:.9g} {:.9g} {:.9g}", v[0], v[1], v[2]); }
std::string words(double x) { return fmt::format("{:.9g}", x); }

/// Collects the differences of one link or joint.
class Differ {
 public:
  void number(const char* what, double ours, double theirs, double scale = 0) {
    if (!close(ours, theirs, scale)) add(what, words(ours), words(theirs));
  }
  void vector(const char* what, const Eigen::Vector3d& ours, const Eigen::Vector3d& theirs) {
    if (!close_all(ours, theirs)) add(what, words(ours), words(theirs));
  }
  void pose(const std::string& what, const Pose& ours, const Pose& theirs) {
    vector((what + " position").c_str(), ours.p, theirs.p);
    if (!close_all(ours.R, theirs.R, 1))
      add((what + " rotation").c_str(), words(ours.R.col(0)) + " | " + words(ours.R.col(1)),
          words(theirs.R.col(0)) + " | " + words(theirs.R.col(1)));
  }
  void text(const char* what, const std::string& ours, const std::string& theirs) {
    if (ours != theirs) add(what, "'" + ours + "'", "'" + theirs + "'");
  }
  const std::string& words_of_all() const { return words_; }

 private:
  void add(const char* what, const std::string& ours, const std::string& theirs) {
    words_ += fmt::format("{}{} {} here and {} there", words_.empty() ? "" : ", ", what, ours, theirs);
  }
  std::string words_;
};

class Comparison {
 public:
  Comparison(const ModelDescription& model, const std::vector<CouplingSpec>& written,
             const std::map<std::string, std::vector<std::string>>& oddities, LoadReport& report)
      : model_(model), written_(written), oddities_(oddities), report_(report) {}

  void run(const ::urdf::ModelInterface& theirs, const Place& robot) {
    Differ counts;
    counts.number("links", static_cast<double>(model_.links.size()), static_cast<double>(theirs.links_.size()));
    counts.number("joints", static_cast<double>(model_.joints.size()), static_cast<double>(theirs.joints_.size()));
    counts.text("root", model_.links.front().name, theirs.getRoot() ? theirs.getRoot()->name : "");
    conclude("robot " + model_.name, robot, counts);
    for (std::size_t i = 0; i < model_.links.size(); ++i) link(i, theirs);
    for (const JointSpec& joint : model_.joints) this->joint(joint, theirs);
  }

 private:
  void conclude(const std::string& key, const Place& place, const Differ& differ) {
    if (differ.words_of_all().empty()) return;
    const auto odd = oddities_.find(key);
    if (odd == oddities_.end())
      throw Error("readers-disagree", place, fmt::format("two readers see this differently: {}", differ.words_of_all()),
                  "this is an error of Condyle: please report it with the file");
    report_.add(Outcome::applied, "urdfdom-differs", place,
                fmt::format("other tools that use urdfdom see this differently: {} ({})", odd->second.front(),
                            differ.words_of_all()));
  }

  void link(std::size_t index, const ::urdf::ModelInterface& theirs) {
    const LinkSpec& ours = model_.links[index];
    const auto other = theirs.getLink(ours.name);
    Differ d;
    d.text("link", ours.name, other ? other->name : "");
    if (other) {
      d.text("inertial", ours.has_inertial ? "yes" : "no", other->inertial ? "yes" : "no");
      if (ours.has_inertial && other->inertial) inertial(ours.inertial, *other->inertial, d);
      shapes(static_cast<int>(index), ShapeRole::visual, other->visual_array, "visual", d);
      shapes(static_cast<int>(index), ShapeRole::collision, other->collision_array, "collision", d);
    }
    conclude("link " + ours.name, ours.place, d);
  }

  static void inertial(const Inertial& ours, const ::urdf::Inertial& other, Differ& d) {
    const Pose origin = pose_of(other.origin);
    Eigen::Matrix3d inertia;
    inertia << other.ixx, other.ixy, other.ixz, other.ixy, other.iyy, other.iyz, other.ixz, other.iyz, other.izz;
    inertia = origin.R * inertia * origin.R.transpose();
    d.number("mass", ours.mass, other.mass);
    d.vector("centre of mass", ours.com, origin.p);
    if (!close_all(ours.inertia, inertia))
      d.text("inertia", words(ours.inertia.diagonal()), words(inertia.diagonal()) + " (diagonal)");
  }

  template <class Array>
  void shapes(int link, ShapeRole role, const Array& theirs, const char* what, Differ& d) const {
    std::vector<const ShapeSpec*> ours;
    for (const ShapeSpec& shape : model_.shapes)
      if (shape.link == link && shape.role == role) ours.push_back(&shape);
    d.number(fmt::format("number of {} shapes", what).c_str(), static_cast<double>(ours.size()),
             static_cast<double>(theirs.size()));
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
      if (theirs[i] && theirs[i]->geometry) {
        d.pose(fmt::format("{} {}", what, i), ours[i]->shape.pose, pose_of(theirs[i]->origin));
        geometry(ours[i]->shape, *theirs[i]->geometry, d);
      }
  }

  static void geometry(const Shape& ours, const ::urdf::Geometry& other, Differ& d) {
    ShapeKind kind = ShapeKind::mesh;
    Eigen::Vector3d size = Eigen::Vector3d::Zero();
    if (const auto* sphere = dynamic_cast<const ::urdf::Sphere*>(&other)) {
      kind = ShapeKind::sphere;
      size[0] = sphere->radius;
    } else if (const auto* box = dynamic_cast<const ::urdf::Box*>(&other)) {
      kind = ShapeKind::box;
      size = vector_of(box->dim);
    } else if (const auto* cylinder = dynamic_cast<const ::urdf::Cylinder*>(&other)) {
      kind = ShapeKind::cylinder;
      size = {cylinder->radius, cylinder->length, 0};
    } else if (const auto* capsule = dynamic_cast<const ::urdf::Capsule*>(&other)) {
      kind = ShapeKind::capsule;
      size = {capsule->radius, capsule->length, 0};
    } else if (const auto* mesh = dynamic_cast<const ::urdf::Mesh*>(&other)) {
      size = vector_of(mesh->scale);
      d.text("mesh", ours.mesh_uri, mesh->filename);
    }
    d.text("shape", to_string(ours.kind), to_string(kind));
    if (ours.kind == kind) d.vector("size", ours.size, size);
  }

  static const char* kind_of(const ::urdf::Joint& joint) {
    switch (joint.type) {
      case ::urdf::Joint::REVOLUTE: return "revolute";
      case ::urdf::Joint::CONTINUOUS: return "continuous";
      case ::urdf::Joint::PRISMATIC: return "prismatic";
      case ::urdf::Joint::FLOATING: return "floating";
      case ::urdf::Joint::PLANAR: return "planar";
      case ::urdf::Joint::FIXED: return "fixed";
      default: return "unknown";
    }
  }

  void joint(const JointSpec& ours, const ::urdf::ModelInterface& theirs) {
    const auto other = theirs.getJoint(ours.name);
    Differ d;
    d.text("joint", ours.name, other ? other->name : "");
    if (other) {
      d.text("type", to_string(ours.kind), kind_of(*other));
      d.text("parent", model_.links[static_cast<std::size_t>(ours.parent)].name, other->parent_link_name);
      d.text("child", model_.links[static_cast<std::size_t>(ours.child)].name, other->child_link_name);
      d.pose("origin", ours.origin, pose_of(other->parent_to_joint_origin_transform));
      const bool has_axis = nv_of(ours.kind) == 1 || ours.kind == JointKind::planar;
      if (has_axis) d.vector("axis", ours.axis, vector_of(other->axis).stableNormalized());
      limits(ours, *other, d);
      if (ours.kind != JointKind::fixed) {
        d.number("damping", ours.damping, other->dynamics ? other->dynamics->damping : 0);
        d.number("friction", ours.friction, other->dynamics ? other->dynamics->friction : 0);
        mimic(ours, *other, d);
      }
    }
    conclude("joint " + ours.name, ours.place, d);
  }

  static void limits(const JointSpec& ours, const ::urdf::Joint& other, Differ& d) {
    if (nv_of(ours.kind) != 1) return;  // limits of the others are reported as without effect
    // A negative limit means none here; urdfdom hands it on as it is.
    const auto positive = [](double x) { return x < 0 ? unlimited : x; };
    d.number("effort", ours.effort, other.limits ? positive(other.limits->effort) : unlimited);
    d.number("velocity", ours.velocity, other.limits ? positive(other.limits->velocity) : unlimited);
    if (ours.kind == JointKind::continuous || !other.limits) return;
    d.number("lower", ours.lower, other.limits->lower);
    d.number("upper", ours.upper, other.limits->upper);
  }

  void mimic(const JointSpec& ours, const ::urdf::Joint& other, Differ& d) const {
    const auto own =
        std::find_if(written_.begin(), written_.end(), [&](const CouplingSpec& c) { return c.joint == ours.name; });
    d.text("mimic", own == written_.end() ? "" : own->of, other.mimic ? other.mimic->joint_name : "");
    if (own == written_.end() || !other.mimic) return;
    d.number("offset", own->polynomial[0], other.mimic->offset);
    d.number("multiplier", own->polynomial[1], other.mimic->multiplier);
  }

  const ModelDescription& model_;
  const std::vector<CouplingSpec>& written_;
  const std::map<std::string, std::vector<std::string>>& oddities_;
  LoadReport& report_;
};

}  // namespace

void second_opinion(const std::string& text, const ModelDescription& model, const std::vector<CouplingSpec>& written,
                    const std::map<std::string, std::vector<std::string>>& oddities, const Place& robot,
                    LoadReport& report) {
  if (model.links.size() > most_links) {
    report.add(Outcome::assumed, "urdfdom-skipped", robot,
               fmt::format("urdfdom is not asked about more than {} links; the file was read once only", most_links));
    return;
  }
  ::urdf::ModelInterfaceSharedPtr theirs;
  std::string complaint;
  {
    Capture capture;
    try {
      theirs = ::urdf::parseURDF(text);
    } catch (const std::exception& error) {
      complaint = error.what();
    }
    if (complaint.empty()) complaint = capture.words();
  }
  if (theirs) return Comparison(model, written, oddities, report).run(*theirs, robot);
  for (const auto& [key, reasons] : oddities) {
    // What urdfdom cannot read in a link or a <loop_joint> never makes it refuse the file.
    if (!key.starts_with("joint ") && !key.starts_with("robot ")) continue;
    report.add(
        Outcome::applied, "urdfdom-differs", robot,
        fmt::format("other tools that use urdfdom refuse this file: {} in {} (\"{}\")", reasons.front(), key, complaint));
    return;
  }
  throw Error("readers-disagree", robot, fmt::format("urdfdom refuses what this reader accepts: \"{}\"", complaint),
              "this is an error of Condyle: please report it with the file");
}

}  // namespace condyle::urdf
