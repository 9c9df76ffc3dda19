#include "cli/load_text.hpp"

#include "cli/common.hpp"
#include "cli/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace condyle::cli {

namespace {

constexpr std::size_t few = 3;

/// The first few names and how many more there are.
std::string names(const std::vector<std::string>& all, bool every) {
  const std::size_t shown = every ? all.size() : std::min<std::size_t>(all.size(), 8);
  const std::vector<std::string> first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     shown < all.size() ? fmt::format(" and {} more", all.size() - shown) : "");
}

void print_header(const LoadedModel& loaded) {
  const ModelDescription& model = *loaded.model;
  const LoadAudit& audit = loaded.audit;
  std::uint64_t moving = 0, collision = 0;
  for (const JointSpec& joint : model.joints) moving += joint.kind != JointKind::fixed;
  for (const ShapeSpec& shape : model.shapes) collision += shape.role == ShapeRole::collision;
  fmt::print("{}: {}\n", model.name.empty() ? "(no name)" : model.name, short_path(model.file));
  print_line("format", model.format);
  print_line("bodies", fmt::format("{}, {:.6g} kg", audit.bodies, model.total_mass()));
  print_line("joints", fmt::format("{}, of which {} {}", model.joints.size(), moving, moving == 1 ? "moves" : "move"));
  const bool base_added = audit.free_base && audit.joint_order.front().name == "(free base)";
  const std::size_t reported = model.closures_not_simulated.size();
  print_line("coordinates",
             fmt::format("nq {}, nv {}{}", model.nq(), model.nv(), base_added ? "; the free base adds 7 and 6" : ""));
  print_line("base", audit.free_base ? "free" : "fixed");
  print_line("loops", fmt::format("{}{}", model.closures.size(),
                                  reported ? fmt::format(", and {} that are only reported", reported) : ""));
  print_line("mimics", fmt::format("{}", model.couplings.size()));
  print_line("actuators", fmt::format("{}", model.actuators.size() + model.actuated_joints.size()));
  print_line("shapes", fmt::format("{} collision, {} visual", collision, model.shapes.size() - collision));
}

void print_order(const LoadAudit& audit, bool all) {
  fmt::print("\norder of q and v\n");
  const std::size_t shown = all ? audit.joint_order.size() : std::min<std::size_t>(audit.joint_order.size(), 12);
  for (std::size_t i = 0; i < shown; ++i) {
    const LoadAudit::Slot& slot = audit.joint_order[i];
    fmt::print("  q {:>3}  v {:>3}  {:<11} {}\n", slot.q, slot.v, slot.type, slot.name);
  }
  if (shown < audit.joint_order.size()) fmt::print("  and {} more (--all)\n", audit.joint_order.size() - shown);
  if (audit.joint_order.empty()) fmt::print("  nothing moves\n");
}

void print_closures(const LoadAudit& audit) {
  if (audit.closures.empty()) return;
  fmt::print("\nloops at the start pose\n");
  for (const LoadAudit::Closure& c : audit.closures)
    fmt::print("  {:<11} {}: {} - {}, open by {:.3g} m, {:.3g} rad{}\n", to_string(c.kind), c.name, c.body_a, c.body_b,
               c.error_m, c.error_rad, c.active ? "" : ", switched off");
}

void print_inertia(const LoadAudit& audit, bool all) {
  fmt::print("\ninertia\n");
  if (!audit.massless.empty()) fmt::print("  massless: {}\n", names(audit.massless, all));
  for (const LoadAudit::Unphysical& u : audit.unphysical) fmt::print("  unphysical: {}: {}\n", u.body, u.reason);
  if (audit.joints_at_fault.empty())
    fmt::print("  the joint-space inertia is positive definite at the start pose\n");
  else
    fmt::print("  it cannot be simulated as it is: nothing gives inertia to {} (--default-inertia helps)\n",
               names(audit.joints_at_fault, all));
}

void print_meshes(const LoadReport& report, bool all) {
  if (report.meshes.empty()) return;
  std::size_t missing = 0;
  for (const MeshUse& mesh : report.meshes) missing += mesh.path.empty();
  fmt::print("\nmeshes: {} files{}\n", report.meshes.size(), missing ? fmt::format(", {} not found", missing) : "");
  std::size_t shown = 0;
  for (const MeshUse& mesh : report.meshes) {
    if (!all && shown == few) break;
    ++shown;
    fmt::print("  {}: {}, {}{}{}\n", mesh.uri, mesh.role, mesh.policy.empty() ? "" : mesh.policy + ", ",
               mesh.vertices < 0 ? "" : fmt::format("{} vertices, ", mesh.vertices), mesh.rule);
  }
  if (shown < report.meshes.size()) fmt::print("  and {} more (--all)\n", report.meshes.size() - shown);
}

void print_pairs(const LoadAudit::Pairs& pairs) {
  std::string reasons;
  for (const auto& [reason, count] : pairs.reasons)
    reasons += fmt::format("{}{} {}", reasons.empty() ? ": " : ", ", count, reason);
  fmt::print("\npairs of shapes: {} candidates, {} left out{}\n", pairs.candidate, pairs.filtered, reasons);
}

/// Entries by outcome, then by code in the order of their first appearance.
void print_entries(const LoadReport& report, const std::string& main_file, bool all) {
  fmt::print("\nreport: {} applied with a remark, {} assumed, {} ignored\n", report.count(Outcome::applied),
             report.count(Outcome::assumed), report.count(Outcome::ignored));
  for (const Outcome outcome : {Outcome::error, Outcome::ignored, Outcome::assumed, Outcome::applied}) {
    std::vector<std::string> codes;
    for (const ReportEntry& entry : report.entries)
      if (entry.outcome == outcome && std::find(codes.begin(), codes.end(), entry.code) == codes.end())
        codes.push_back(entry.code);
    for (const std::string& code : codes) {
      std::size_t total = 0;
      for (const ReportEntry& entry : report.entries) {
        if (entry.outcome != outcome || entry.code != code) continue;
        if (total == 0) fmt::print("  {} ({})\n", to_string(outcome), code);
        ++total;
        if (!all && total > few) continue;
        Place place = entry.place;
        if (place.file == main_file) place.file.clear();  // the heading names it
        fmt::print("    {}: {}\n", place.text(), entry.reason);
      }
      if (!all && total > few) fmt::print("    and {} more (--all)\n", total - few);
    }
  }
}

}  // namespace

void print_loaded(const LoadedModel& loaded, bool all) {
  print_header(loaded);
  print_order(loaded.audit, all);
  print_closures(loaded.audit);
  print_inertia(loaded.audit, all);
  print_meshes(loaded.report, all);
  print_pairs(loaded.audit.pairs);
  print_entries(loaded.report, loaded.model->file, all);
}

}  // namespace condyle::cli
