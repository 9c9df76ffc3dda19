#include "record/columns.hpp"

#include "record/checksum.hpp"

#include <cstring>

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
    {"islands", Type::i32, 1, "", [](const StepReport& r, int) { return static_cast<double>(r.islands); }},
    {"substeps", Type::i32, 1, "", [](const StepReport& r, int) { return static_cast<double>(r.substeps); }},
    {"projection_us", Type::f64, 1, "us", [](const StepReport& r, int) { return r.projection_us; }},
    {"stage_us", Type::f64, stage_count, "us",
     [](const StepReport& r, int k) { return r.stage_us[static_cast<std::size_t>(k)]; }},
};

void add_frame_parts(std::vector<Part>& parts, std::uint64_t n, const Sizes& sizes) {
  const auto nq = static_cast<std::uint64_t>(sizes.nq), nv = static_cast<std::uint64_t>(sizes.nv),
             links = static_cast<std::uint64_t>(sizes.links);
  parts.push_back({"/time", Type::f64, {n}, "s", {}});
  parts.push_back({"/step", Type::u64, {n}, "", {}});
  parts.push_back({"/q", Type::f64, {n, nq}, "m, rad or quaternion", {}});
  parts.push_back({"/v", Type::f64, {n, nv}, "m/s or rad/s", {}});
  parts.push_back({"/control", Type::f64, {n, nv}, "N or N m", {}});
  parts.push_back({"/state_hash", Type::u64, {n}, "", {}});
  parts.push_back({"/link_pose", Type::f64, {n, 7 * links}, "m and quaternion", {}});
  parts.push_back({"/link_twist", Type::f64, {n, 6 * links}, "m/s and rad/s", {}});
  for (const ReportColumn& column : columns) {
    Part part{std::string("/report/") + column.name, column.type, {n}, column.unit, {}};
    if (column.width > 1) {
      part.shape.push_back(static_cast<std::uint64_t>(column.width));
      for (int k = 0; k < column.width; ++k) part.labels.emplace_back(to_string(static_cast<Stage>(k)));
    }
    parts.push_back(std::move(part));
  }
}

constexpr RaggedColumn constraint_columns[] = {
    {"id", Type::u64, 1, ""},          {"kind", Type::i32, 1, ""},        {"mode", Type::i32, 1, ""},
    {"body_a", Type::i32, 1, ""},      {"body_b", Type::i32, 1, ""},      {"joint", Type::i32, 1, ""},
    {"point", Type::f64, 3, "m"},      {"normal", Type::f64, 3, ""},      {"tangent", Type::f64, 3, ""},
    {"gap", Type::f64, 1, "m"},        {"force", Type::f64, 3, "N"},      {"impulse", Type::f64, 3, "N s"},
    {"moment", Type::f64, 3, "N m s"}, {"velocity", Type::f64, 3, "m/s"}, {"residual", Type::f64, 1, "m/s"},
    {"friction", Type::f64, 1, ""},
};
constexpr RaggedColumn warm_columns[] = {{"id", Type::u64, 1, ""}, {"impulse", Type::f64, 3, "N s"}};

void add_ragged_parts(std::vector<Part>& parts, std::uint64_t n, const RaggedRoom& rows) {
  for (const Ragged table : {constraint_table, warm_table})
    parts.push_back({std::string(folder_of(table)) + "/offset", Type::u64, {n + 1}, "", {}});
  for (const Ragged table : {constraint_table, warm_table})
    for (const RaggedColumn& column : columns_of(table)) {
      Part part{std::string(folder_of(table)) + "/" + column.name, column.type, {rows[table]}, column.unit, {}};
      if (column.width > 1) part.shape.push_back(static_cast<std::uint64_t>(column.width));
      parts.push_back(std::move(part));
    }
}
}  // namespace

std::span<const ReportColumn> report_columns() { return columns; }

const char* folder_of(Ragged table) { return table == constraint_table ? "/constraints" : "/warm"; }

std::span<const RaggedColumn> columns_of(Ragged table) {
  if (table == constraint_table) return constraint_columns;
  return warm_columns;
}

std::uint64_t row_bytes(Ragged table) {
  std::uint64_t bytes = 0;
  for (const RaggedColumn& column : columns_of(table))
    bytes += static_cast<std::uint64_t>(column.width) * size_of(column.type);
  return bytes;
}

void put_row(const ConstraintRow& row, double dt, std::span<char* const> places) {
  std::size_t k = 0;
  const auto whole = [&](int value) {
    const auto stored = static_cast<std::int32_t>(value);
    std::memcpy(places[k++], &stored, sizeof stored);
  };
  const auto vector = [&](const Eigen::Vector3d& x) { std::memcpy(places[k++], x.data(), 3 * sizeof(double)); };
  std::memcpy(places[k++], &row.id, sizeof row.id);
  whole(static_cast<int>(row.kind));
  whole(static_cast<int>(row.mode));
  whole(row.body_a);
  whole(row.body_b);
  whole(row.joint);
  vector(row.point);
  vector(row.frame.col(2));
  vector(row.frame.col(0));
  std::memcpy(places[k++], &row.gap, sizeof row.gap);
  vector(row.impulse / dt);
  vector(row.impulse);
  vector(row.moment);
  vector(row.velocity);
  std::memcpy(places[k++], &row.residual, sizeof row.residual);
  std::memcpy(places[k++], &row.friction, sizeof row.friction);
}

ConstraintRow constraint_from(std::span<const char* const> places) {
  ConstraintRow row;
  std::size_t k = 0;
  const auto whole = [&] {
    std::int32_t stored = 0;
    std::memcpy(&stored, places[k++], sizeof stored);
    return static_cast<int>(stored);
  };
  const auto vector = [&] {
    Eigen::Vector3d x;
    std::memcpy(x.data(), places[k++], 3 * sizeof(double));
    return x;
  };
  std::memcpy(&row.id, places[k++], sizeof row.id);
  row.kind = static_cast<ConstraintKind>(whole());
  row.mode = static_cast<ContactMode>(whole());
  row.body_a = whole();
  row.body_b = whole();
  row.joint = whole();
  row.point = vector();
  row.frame.col(2) = vector();
  row.frame.col(0) = vector();
  row.frame.col(1) = row.frame.col(2).cross(row.frame.col(0));
  std::memcpy(&row.gap, places[k++], sizeof row.gap);
  vector();  // the force is the impulse over dt
  row.impulse = vector();
  row.moment = vector();
  row.velocity = vector();
  std::memcpy(&row.residual, places[k++], sizeof row.residual);
  std::memcpy(&row.friction, places[k++], sizeof row.friction);
  return row;
}

void put_row(const WarmImpulse& row, std::span<char* const> places) {
  std::memcpy(places[0], &row.id, sizeof row.id);
  std::memcpy(places[1], row.impulse.data(), sizeof row.impulse);
}

WarmImpulse warm_from(std::span<const char* const> places) {
  WarmImpulse row;
  std::memcpy(&row.id, places[0], sizeof row.id);
  std::memcpy(row.impulse.data(), places[1], sizeof row.impulse);
  return row;
}

std::size_t offsets_begin() { return frame_part_count + std::size(columns); }

std::size_t columns_begin(Ragged table) {
  return offsets_begin() + ragged_count + (table == constraint_table ? 0 : std::size(constraint_columns));
}

Layout make_layout(std::uint64_t frames, const RaggedRoom& rows, const Sizes& sizes, const std::string& description) {
  Layout layout{frames, {}};
  add_frame_parts(layout.parts, frames, sizes);
  add_ragged_parts(layout.parts, frames, rows);
  layout.parts.push_back({"/frames_written", Type::u64, {}, "", {}});
  layout.parts.push_back({"/steps/counts", Type::u64, {count_count}, "", {}});
  layout.parts.push_back({"/steps/worst_residual", Type::f64, {}, "m/s", {}});
  layout.parts.push_back({"/scene/vertices", Type::f64, {sizes.vertices, 3}, "m", {}});
  layout.parts.push_back({"/scene/triangles", Type::i32, {sizes.triangles, 3}, "", {}});
  layout.parts.push_back(
      {"/scene/description", Type::text, {description.size()}, "", {}, 0, checksum(description.data(), description.size())});
  return layout;
}

std::uint64_t frame_bytes(const Sizes& sizes) {
  const Layout one = make_layout(1, {0, 0}, sizes, {});
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < offsets_begin() + ragged_count; ++i) bytes += one.parts[i].row_bytes();
  return bytes;
}

}  // namespace condyle::record
