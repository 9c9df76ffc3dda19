#include <condyle/recording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>

#include "record/checksum.hpp"
#include "record/columns.hpp"
#include "record/describe.hpp"
#include "record/files.hpp"
#include "record/layout.hpp"
#include "scene/names.hpp"

namespace condyle {

namespace {
using namespace record;

constexpr const char* other_copy = "use another copy of the file";

/// Where the numbers of one reported column stand.
struct Column {
  std::string name;
  const Part* part;
  std::uint64_t index;  ///< within a row
};

std::vector<Column> report_columns_of(const Layout& layout) {
  const std::string folder = "/report/";
  std::vector<Column> out;
  for (const Part& part : layout.parts) {
    if (part.name.rfind(folder, 0) != 0) continue;
    const std::string name = part.name.substr(folder.size());
    if (part.labels.empty()) out.push_back({name, &part, 0});
    for (std::size_t k = 0; k < part.labels.size(); ++k) out.push_back({name + "." + part.labels[k], &part, k});
  }
  return out;
}
}  // namespace

struct Recording::Work {
  explicit Work(const std::string& name);

  const Part& need(const std::string& part, Type type, std::size_t dimensions) const;
  /// A part with one row for each frame.
  const Part& need_rows(const std::string& part, Type type, std::size_t dimensions) const;
  void check_columns() const;
  void read_text();
  void check_frame(std::uint64_t frame) const;
  void read_row(const Part& part, std::uint64_t frame, void* out) const;
  [[noreturn]] void damaged(const std::string& part, const std::string& reason) const;
  void need_table(Ragged table);
  /// Calls `take` with the places of each row's columns.
  template <class Take>
  void read_table(Ragged table, std::uint64_t frame, Take&& take) const;

  struct Table {
    const Part* offset;
    std::vector<const Part*> columns;
  };
  std::array<Table, ragged_count> tables;
  File file;
  Layout layout;
  RecordingInfo info;
  const Part *time, *step, *q, *v, *control, *state_hash, *link_pose, *link_twist, *vertices, *triangles;
  std::string description;
  std::vector<Column> columns;
};

void Recording::Work::damaged(const std::string& part, const std::string& reason) const {
  throw Error("damaged-file", {info.file, 0, part}, reason, other_copy);
}

const Part& Recording::Work::need(const std::string& part, Type type, std::size_t dimensions) const {
  const Part* found = layout.find(part);
  if (found == nullptr) damaged(part, "this dataset is missing");
  if (found->type != type)
    damaged(part, fmt::format("its type is {}, not {}", record::to_string(found->type), record::to_string(type)));
  if (found->shape.size() != dimensions)
    damaged(part, fmt::format("it has {} dimensions, not {}", found->shape.size(), dimensions));
  return *found;
}

const Part& Recording::Work::need_rows(const std::string& part, Type type, std::size_t dimensions) const {
  const Part& found = need(part, type, dimensions);
  if (found.shape[0] != layout.frames) damaged(part, fmt::format("it has {} rows, not {}", found.shape[0], layout.frames));
  if (found.width() > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    damaged(part, fmt::format("{} numbers in a row are absurd", found.width()));
  return found;
}

void Recording::Work::check_columns() const {
  for (const Column& column : columns) {
    const Part& part = *column.part;
    if (part.type != Type::f64 && part.type != Type::i32) damaged(part.name, "it does not hold numbers");
    need_rows(part.name, part.type, part.labels.empty() ? 1 : 2);
  }
}

void Recording::Work::need_table(Ragged table) {
  const std::string folder = folder_of(table);
  Table& out = tables[table];
  out.offset = &need(folder + "/offset", Type::u64, 1);
  if (out.offset->shape[0] != layout.frames + 1)
    damaged(out.offset->name, fmt::format("it has {} entries, not {}", out.offset->shape[0], layout.frames + 1));
  for (const RaggedColumn& column : record::columns_of(table)) {
    const Part& part = need(folder + "/" + column.name, column.type, column.width > 1 ? 2 : 1);
    if (part.width() != static_cast<std::uint64_t>(column.width))
      damaged(part.name, fmt::format("a row has {} numbers, not {}", part.width(), column.width));
    if (!out.columns.empty() && part.shape[0] != out.columns[0]->shape[0])
      damaged(part.name, fmt::format("it has {} rows, its neighbours {}", part.shape[0], out.columns[0]->shape[0]));
    out.columns.push_back(&part);
  }
}

template <class Take>
void Recording::Work::read_table(Ragged table, std::uint64_t frame, Take&& take) const {
  const Table& from = tables[table];
  std::uint64_t range[2];
  file.read(from.offset->offset + frame * sizeof range[0], range, sizeof range, from.offset->name);
  if (range[0] > range[1] || range[1] > from.columns[0]->shape[0])
    damaged(from.offset->name,
            fmt::format("frame {} has rows {} to {} of {}", frame, range[0], range[1], from.columns[0]->shape[0]));
  const std::uint64_t count = range[1] - range[0];
  std::vector<std::vector<char>> bytes(from.columns.size());
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    const Part& part = *from.columns[k];
    bytes[k].resize(count * part.row_bytes());
    if (count > 0) file.read(part.offset + range[0] * part.row_bytes(), bytes[k].data(), bytes[k].size(), part.name);
  }
  std::vector<const char*> places(bytes.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < bytes.size(); ++k) places[k] = bytes[k].data() + i * from.columns[k]->row_bytes();
    take(std::span<const char* const>(places));
  }
}

void Recording::Work::read_text() {
  const Part& part = need("/scene/description", Type::text, 1);
  std::string text(part.bytes(), '\0');
  file.read(part.offset, text.data(), text.size(), "/scene/description");
  if (checksum(text.data(), text.size()) != part.sum) damaged("/scene/description", "the checksum does not match");
  read_description(text, info.file, info);
  description = std::move(text);
  if (link_pose->width() != 7 * static_cast<std::uint64_t>(info.links))
    damaged("/link_pose", fmt::format("{} numbers in a row for {} links", link_pose->width(), info.links));
  if (link_twist->width() != 6 * static_cast<std::uint64_t>(info.links))
    damaged("/link_twist", fmt::format("{} numbers in a row for {} links", link_twist->width(), info.links));
  if (info.q_names.size() != q->width() || info.v_names.size() != v->width())
    damaged("/scene/description", fmt::format("{} and {} names for {} positions and {} velocities", info.q_names.size(),
                                              info.v_names.size(), q->width(), v->width()));
}

Recording::Work::Work(const std::string& name) : file(File::open_for_reading(name)) {
  info.file = name;
  Decoded decoded = decode(file, name);
  layout = std::move(decoded.layout);
  info.complete = decoded.complete;

  time = &need_rows("/time", Type::f64, 1);
  step = &need_rows("/step", Type::u64, 1);
  q = &need_rows("/q", Type::f64, 2);
  v = &need_rows("/v", Type::f64, 2);
  control = &need_rows("/control", Type::f64, 2);
  state_hash = &need_rows("/state_hash", Type::u64, 1);
  link_pose = &need_rows("/link_pose", Type::f64, 2);
  link_twist = &need_rows("/link_twist", Type::f64, 2);
  vertices = &need("/scene/vertices", Type::f64, 2);
  triangles = &need("/scene/triangles", Type::i32, 2);
  for (const Part* part : {vertices, triangles})
    if (part->width() != 3) damaged(part->name, fmt::format("a row has {} numbers, not 3", part->width()));
  if (control->width() != v->width())
    damaged("/control", fmt::format("it has {} columns, /v has {}", control->width(), v->width()));
  columns = report_columns_of(layout);
  check_columns();
  need_table(constraint_table);
  need_table(warm_table);
  read_text();

  info.nq = static_cast<int>(q->width());
  info.nv = static_cast<int>(v->width());
  file.read(need("/frames_written", Type::u64, 0).offset, &info.frames, sizeof info.frames, "/frames_written");
  if (info.frames > layout.frames || (info.complete && info.frames != layout.frames))
    damaged("/frames_written", fmt::format("{} frames, but there is room for {}", info.frames, layout.frames));
  const Part& counts = need("/steps/counts", Type::u64, 1);
  std::array<std::uint64_t, count_count> counted{};
  if (counts.shape[0] != counted.size()) damaged(counts.name, fmt::format("it has {} entries", counts.shape[0]));
  file.read(counts.offset, counted.data(), sizeof counted, counts.name);
  info.steps = counted[steps_taken];
  info.uncertified = counted[steps_uncertified];
  info.rejected = counted[steps_rejected];
  info.worst_step = counted[record::worst_step];
  file.read(need("/steps/worst_residual", Type::f64, 0).offset, &info.worst_residual, sizeof info.worst_residual,
            "/steps/worst_residual");
  if (info.frames > 0) {
    read_row(*time, 0, &info.t_first);
    read_row(*time, info.frames - 1, &info.t_last);
  }
}

void Recording::Work::check_frame(std::uint64_t frame) const {
  if (frame >= info.frames)
    throw Error("no-such-frame", {info.file, 0, fmt::format("frame {}", frame)},
                fmt::format("the recording has {} frames", info.frames), "count from 0");
}

void Recording::Work::read_row(const Part& part, std::uint64_t frame, void* out) const {
  file.read(part.offset + frame * part.row_bytes(), out, part.row_bytes(), part.name);
}

Recording::Recording(const std::string& file) try : work_(std::make_unique<Work>(file)) {
} catch (const std::bad_alloc&) {
  throw Error("damaged-file", {file, 0, {}}, "its sizes do not fit the memory of this machine", other_copy);
}

Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

const RecordingInfo& Recording::info() const { return work_->info; }

State Recording::state(std::uint64_t frame) const {
  work_->check_frame(frame);
  State x;
  x.q.resize(work_->info.nq);
  x.v.resize(work_->info.nv);
  work_->read_row(*work_->q, frame, x.q.data());
  work_->read_row(*work_->v, frame, x.v.data());
  work_->read_row(*work_->time, frame, &x.t);
  work_->read_row(*work_->step, frame, &x.step);
  work_->read_table(warm_table, frame, [&](auto places) { x.warm.push_back(warm_from(places)); });
  if (hash(x) != state_hash(frame))
    work_->damaged(fmt::format("frame {}", frame), "the state does not match its hash in /state_hash");
  return x;
}

std::vector<ConstraintRow> Recording::constraints(std::uint64_t frame) const {
  work_->check_frame(frame);
  std::vector<ConstraintRow> out;
  work_->read_table(constraint_table, frame, [&](auto places) {
    out.push_back(constraint_from(places));
    const ConstraintRow& row = out.back();
    if (row.kind < ConstraintKind::contact || row.kind > ConstraintKind::other || row.mode < ContactMode::open ||
        row.mode > ContactMode::free_)
      work_->damaged("/constraints", fmt::format("frame {} has a constraint of no known kind or mode", frame));
  });
  return out;
}

std::uint64_t Recording::state_hash(std::uint64_t frame) const {
  work_->check_frame(frame);
  std::uint64_t out = 0;
  work_->read_row(*work_->state_hash, frame, &out);
  return out;
}

std::vector<std::string> Recording::columns() const {
  std::vector<std::string> out;
  for (const Column& column : work_->columns) out.push_back(column.name);
  return out;
}

std::vector<double> Recording::column(const std::string& name) const {
  const auto found =
      std::find_if(work_->columns.begin(), work_->columns.end(), [&](const Column& c) { return c.name == name; });
  if (found == work_->columns.end())
    throw Error("unknown-column", {work_->info.file, 0, "/report"},
                "there is no column '" + name + "'" + did_you_mean(name, columns()), "columns() lists them");
  const Part& part = *found->part;
  const std::uint64_t row = part.row_bytes(), block = std::max<std::uint64_t>(1, 65536 / row);
  std::vector<double> out;
  std::vector<char> bytes(block * row);
  out.reserve(work_->info.frames);
  for (std::uint64_t first = 0; first < work_->info.frames; first += block) {
    const std::uint64_t count = std::min(block, work_->info.frames - first);
    work_->file.read(part.offset + first * row, bytes.data(), count * row, part.name);
    for (std::uint64_t i = 0; i < count; ++i) {
      const char* at = bytes.data() + i * row + found->index * size_of(part.type);
      std::int32_t whole = 0;
      double value = 0;
      if (part.type == Type::i32) {
        std::memcpy(&whole, at, sizeof whole);
        value = whole;
      } else {
        std::memcpy(&value, at, sizeof value);
      }
      out.push_back(value);
    }
  }
  return out;
}

Eigen::VectorXd Recording::control(std::uint64_t frame) const {
  work_->check_frame(frame);
  Eigen::VectorXd out(work_->info.nv);
  work_->read_row(*work_->control, frame, out.data());
  return out;
}

Eigen::Matrix<double, 7, Eigen::Dynamic> Recording::link_poses(std::uint64_t frame) const {
  work_->check_frame(frame);
  Eigen::Matrix<double, 7, Eigen::Dynamic> out(7, work_->info.links);
  work_->read_row(*work_->link_pose, frame, out.data());
  return out;
}

Eigen::Matrix<double, 6, Eigen::Dynamic> Recording::link_twists(std::uint64_t frame) const {
  work_->check_frame(frame);
  Eigen::Matrix<double, 6, Eigen::Dynamic> out(6, work_->info.links);
  work_->read_row(*work_->link_twist, frame, out.data());
  return out;
}

const std::string& Recording::description() const { return work_->description; }

std::vector<double> Recording::mesh_vertices() const {
  std::vector<double> out(3 * work_->vertices->shape[0]);
  if (!out.empty()) work_->file.read(work_->vertices->offset, out.data(), work_->vertices->bytes(), work_->vertices->name);
  return out;
}

std::vector<std::int32_t> Recording::mesh_triangles() const {
  std::vector<std::int32_t> out(3 * work_->triangles->shape[0]);
  if (!out.empty())
    work_->file.read(work_->triangles->offset, out.data(), work_->triangles->bytes(), work_->triangles->name);
  return out;
}

}  // namespace condyle
