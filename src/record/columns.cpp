#include "record/columns.hpp"

#include "record/checksum.hpp"

namespace condyle::record {

namespace {
constexpr ReportColumn columns[] = {
    {"status", Type::i32, 1, "", [](const StepReport& r, int) { return static_cast<double>(r.status); }},
    {"residual", Type::f64, 1, "m/s", [](const StepReport& r, int) { return r.residual; }},
    {"contacts", Type::i32, 1, "", [](const StepReport& r, int) { return static_cast<double>(r.contacts); }},
    {"rows", Type::i32, 1, "", [](const StepReport& r, int) { return static_cast<double>(r.rows); }},
    {"iterations", Type::i32, 1, "", [](const StepReport& r, int) { return static_cast<double>(r.iterations); }},
    {"factorizations", Type::i32, 1, "", [](const StepReport& r, int) { return static_cast<double>(r.factorizations); }},
    {"energy_kinetic", Type::f64, 1, "J", [](const StepReport& r, int) { return r.energy.kinetic; }},
    {"energy_potential", Type::f64, 1, "J", [](const StepReport& r, int) { return r.energy.potential; }},
    {"energy_elastic", Type::f64, 1, "J", [](const StepReport& r, int) { return r.energy.elastic; }},
    {"energy_change", Type::f64, 1, "J", [](const StepReport& r, int) { return r.energy_change; }},
    {"limit_violation", Type::f64, 1, "rad or m", [](const StepReport& r, int) { return r.limit_violation; }},
    {"penetration", Type::f64, 1, "m", [](const StepReport& r, int) { return r.penetration; }},
    {"closure_m", Type::f64, 1, "m", [](const StepReport& r, int) { return r.closure_m; }},
    {"closure_rad", Type::f64, 1, "rad", [](const StepReport& r, int) { return r.closure_rad; }},
    {"slip", Type::f64, 1, "m/s", [](const StepReport& r, int) { return r.slip; }},
    {"stage_us", Type::f64, stage_count, "us",
     [](const StepReport& r, int k) { return r.stage_us[static_cast<std::size_t>(k)]; }},
};

void add_frame_parts(std::vector<Part>& parts, std::uint64_t n, std::uint64_t nq, std::uint64_t nv) {
  parts.push_back({"/time", Type::f64, {n}, "s", {}});
  parts.push_back({"/step", Type::u64, {n}, "", {}});
  parts.push_back({"/q", Type::f64, {n, nq}, "m, rad or quaternion", {}});
  parts.push_back({"/v", Type::f64, {n, nv}, "m/s or rad/s", {}});
  parts.push_back({"/control", Type::f64, {n, nv}, "N or N m", {}});
  parts.push_back({"/state_hash", Type::u64, {n}, "", {}});
  for (const ReportColumn& column : columns) {
    Part part{std::string("/report/") + column.name, column.type, {n}, column.unit, {}};
    if (column.width > 1) {
      part.shape.push_back(static_cast<std::uint64_t>(column.width));
      for (int k = 0; k < column.width; ++k) part.labels.emplace_back(to_string(static_cast<Stage>(k)));
    }
    parts.push_back(std::move(part));
  }
}

/// Frame i's constraints are rows offset[i] .. offset[i+1] of the other columns, which have no rows yet.
void add_constraint_parts(std::vector<Part>& parts, std::uint64_t n) {
  parts.push_back({"/constraints/offset", Type::u64, {n + 1}, "", {}});
  for (const char* name : {"id", "body_a", "body_b", "kind", "mode"})
    parts.push_back({std::string("/constraints/") + name, name == std::string("id") ? Type::u64 : Type::i32, {0}, "", {}});
  parts.push_back({"/constraints/point", Type::f64, {0, 3}, "m", {}});
  parts.push_back({"/constraints/normal", Type::f64, {0, 3}, "", {}});
  parts.push_back({"/constraints/gap", Type::f64, {0}, "m", {}});
  parts.push_back({"/constraints/force", Type::f64, {0, 3}, "N", {}});
  parts.push_back({"/constraints/impulse", Type::f64, {0, 3}, "N s", {}});
}
}  // namespace

std::span<const ReportColumn> report_columns() { return columns; }

Layout make_layout(std::uint64_t frames, int nq, int nv, const std::string& description) {
  Layout layout{frames, {}};
  add_frame_parts(layout.parts, frames, static_cast<std::uint64_t>(nq), static_cast<std::uint64_t>(nv));
  layout.parts.push_back({"/frames_written", Type::u64, {}, "", {}});
  layout.parts.push_back(
      {"/scene/description", Type::text, {description.size()}, "", {}, 0, checksum(description.data(), description.size())});
  add_constraint_parts(layout.parts, frames);
  return layout;
}

std::uint64_t frame_bytes(int nq, int nv) {
  std::uint64_t bytes = 0;
  for (const Part& part : make_layout(1, nq, nv, {}).parts)
    if (!part.shape.empty() && part.type != Type::text) bytes += part.row_bytes();
  return bytes;
}

}  // namespace condyle::record
