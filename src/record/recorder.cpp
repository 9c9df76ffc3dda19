#include <condyle/recording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "record/columns.hpp"
#include "record/describe.hpp"
#include "record/files.hpp"
#include "record/hdf5.hpp"
#include "record/link_motion.hpp"

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

namespace condyle {

namespace {
using Clock = std::chrono::steady_clock;
using namespace record;

constexpr std::uint64_t unknown_length = 4096;               // frames of room if nobody says how many will come
constexpr std::uint64_t most_room = std::uint64_t{1} << 40;  // bytes claimed beforehand; holes, but disks have limits too
constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t rows_a_frame = 64;  // room made for a ragged table: holes until used, doubled when used up

/// Rows of one part that are not in the file yet.
struct Buffer {
  std::vector<char> rows;
  std::uint64_t row_bytes = 0;

  char* row(std::uint64_t i) { return rows.data() + i * row_bytes; }
};

/// Rows of a ragged table that are not in the file yet.
struct Table {
  std::vector<Buffer> columns;
  Buffer ends;  ///< offset[i + 1] of the buffered frames
  std::vector<char*> places;
  std::uint64_t buffered = 0, written = 0;
  std::uint64_t most = 0;  ///< rows for which there is memory

  void start_row() {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      Buffer& column = columns[k];
      if (column.rows.size() < (buffered + 1) * column.row_bytes) column.rows.resize(2 * (buffered + 1) * column.row_bytes);
      // only if one frame alone has more rows than there is room: append() flushes before that
      places[k] = column.row(buffered);
    }
    ++buffered;
  }
};
}  // namespace

struct Recorder::Work {
  Work(const std::string& file, const Scene& scene, const SimulatorOptions& options, const RecorderOptions& recorder);

  void append(const State& x, const double* tau, const StepReport* report, std::span<const ConstraintRow> constraints);
  void put_tables(const State& x, std::span<const ConstraintRow> constraints);
  void put_report(std::uint64_t row, const StepReport* report);
  void count(const StepReport& report);
  void flush();
  void close();

  /// A new file with room for `frames` and `rows`, holding all that was written, takes the place of the present one.
  void rebuild(std::uint64_t frames, const RaggedRoom& rows, bool complete);
  void copy_rows(File& to, const Layout& where) const;
  void write_count(File& to, const Layout& where) const;

  std::string name;    ///< as the user wrote it
  std::string target;  ///< the program may change its folder meanwhile
  Scene scene;
  SimulatorOptions options;
  RecorderOptions settings;
  LinkMotion motion;
  Drawing drawing;
  Sizes sizes;
  std::string description;
  std::array<std::uint64_t, count_count> counts{};
  double worst_residual = -1;  ///< below 0: no step yet
  Layout layout;
  File file;
  std::array<Table, ragged_count> tables;
  RaggedRoom room{};
  std::vector<Buffer> buffers;  ///< of the parts with a row for each frame, which come first in the layout
  std::uint64_t block = 1;      ///< rows in a buffer
  std::uint64_t buffered = 0, written = 0, steps = 0;
  Clock::time_point last_flush = Clock::now();
  bool closed = false;
};

Recorder::Work::Work(const std::string& file_name, const Scene& the_scene, const SimulatorOptions& the_options,
                     const RecorderOptions& recorder)
    : name(file_name), scene(the_scene), options(the_options), settings(recorder), motion(scene.data()) {
  if (settings.every < 1)
    throw Error("bad-option", {name, 0, "every"}, fmt::format("{} is not a number of steps", settings.every),
                "give 1 or more");
  if (!(settings.flush_s >= 0))
    throw Error("bad-option", {name, 0, "flush_s"}, fmt::format("{} is not a time", settings.flush_s), "give 0 s or more");
  target = resolve_target(name);
  drawing = draw(scene.data(), settings.meshes);
  sizes = {scene.nq(), scene.nv(), motion.links(), drawing.vertices.size() / 3, drawing.triangles.size() / 3};
  description = describe(scene, options, settings.command, drawing);

  const std::uint64_t bytes = frame_bytes(sizes);
  const std::uint64_t wanted = settings.expected_frames > 0 ? settings.expected_frames : unknown_length;
  const std::uint64_t frames = std::clamp<std::uint64_t>(most_room / bytes, 1, wanted);
  RaggedRoom rows{};
  for (const Ragged which : {constraint_table, warm_table})
    rows[which] = std::clamp<std::uint64_t>(most_room / record::row_bytes(which), 1, rows_a_frame * frames);
  rebuild(frames, rows, false);

  block = std::clamp<std::uint64_t>(block_bytes / bytes, 1, 1024);
  buffers.resize(frame_part_count + report_columns().size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    buffers[i].row_bytes = layout.parts[i].row_bytes();
    buffers[i].rows.resize(block * buffers[i].row_bytes);
  }
  for (const Ragged which : {constraint_table, warm_table}) {
    Table& table = tables[which];
    table.ends.row_bytes = sizeof(std::uint64_t);
    table.ends.rows.resize(block * table.ends.row_bytes);
    for (const RaggedColumn& column : columns_of(which))
      table.columns.push_back({{}, static_cast<std::uint64_t>(column.width) * size_of(column.type)});
    table.most = block_bytes / record::row_bytes(which);
    for (Buffer& column : table.columns) column.rows.resize(table.most * column.row_bytes);
    table.places.resize(table.columns.size());
  }
}

void Recorder::Work::write_count(File& to, const Layout& where) const {
  static const std::string counts_part = "/steps/counts",
                           worst_part = "/steps/worst_residual";  // made once: a flush claims no memory
  to.write(where.find(counts_part)->offset, counts.data(), sizeof counts, counts_part);
  const double worst = counts[steps_taken] > 0 ? worst_residual : 0;
  to.write(where.find(worst_part)->offset, &worst, sizeof worst, worst_part);
  to.write(where.find("/frames_written")->offset, &written, sizeof written, "/frames_written");
}

void Recorder::Work::copy_rows(File& to, const Layout& where) const {
  if (written == 0) return;  // the first file has none before it
  std::vector<char> bytes(block_bytes);
  const auto copy = [&](std::size_t i, std::uint64_t rows) {
    const Part &source = layout.parts[i], &sink = where.parts[i];
    const std::uint64_t total = rows * source.row_bytes();
    for (std::uint64_t done = 0; done < total;) {
      const std::uint64_t count = std::min<std::uint64_t>(bytes.size(), total - done);
      file.read(source.offset + done, bytes.data(), count, source.name);
      to.write(sink.offset + done, bytes.data(), count, source.name);
      done += count;
    }
  };
  for (std::size_t i = 0; i < offsets_begin(); ++i) copy(i, written);
  for (const Ragged which : {constraint_table, warm_table}) {
    copy(offsets_begin() + which, written + 1);
    for (std::size_t k = 0; k < tables[which].columns.size(); ++k) copy(columns_begin(which) + k, tables[which].written);
  }
}

void Recorder::Work::rebuild(std::uint64_t frames, const RaggedRoom& rows, bool complete) {
  Replacement replacement(target, name);
  Layout planned = make_layout(frames, rows, sizes, description);
  make_hdf5(replacement.path(), name, root_attributes(scene, options, settings.command, complete), planned);

  File next = File::open_for_writing(replacement.path());
  next.call(name);
  const std::string head = encode(planned, complete);
  next.write(0, head.data(), head.size(), "head");
  next.write(planned.find("/scene/description")->offset, description.data(), description.size(), "/scene/description");
  const auto write_all = [&](const char* part, const auto& values) {
    if (!values.empty()) next.write(planned.find(part)->offset, values.data(), values.size() * sizeof values[0], part);
  };
  write_all("/scene/vertices", drawing.vertices);
  write_all("/scene/triangles", drawing.triangles);
  copy_rows(next, planned);
  write_count(next, planned);
  replacement.commit();
  file = std::move(next);
  layout = std::move(planned);
  room = rows;
}

void Recorder::Work::put_report(std::uint64_t row, const StepReport* report) {
  Buffer* buffer = &buffers[frame_part_count];
  for (const ReportColumn& column : report_columns()) {
    for (int k = 0; k < column.width; ++k) {
      if (column.type == Type::i32) {
        const std::int32_t value = report ? static_cast<std::int32_t>(column.value(*report, k)) : 0;
        std::memcpy(buffer->row(row) + k * static_cast<int>(sizeof value), &value, sizeof value);
      } else {
        // Nothing was computed for a frame without a step, and zero would be a statement.
        const double value = report ? column.value(*report, k) : std::numeric_limits<double>::quiet_NaN();
        std::memcpy(buffer->row(row) + k * static_cast<int>(sizeof value), &value, sizeof value);
      }
    }
    ++buffer;
  }
}

void Recorder::Work::put_tables(const State& x, std::span<const ConstraintRow> constraints) {
  Table& rows = tables[constraint_table];
  for (const ConstraintRow& row : constraints) {
    rows.start_row();
    put_row(row, options.dt, rows.places);
  }
  Table& warm = tables[warm_table];
  for (const WarmImpulse& row : x.warm) {
    warm.start_row();
    put_row(row, warm.places);
  }
  for (Table& table : tables) {
    const std::uint64_t end = table.written + table.buffered;
    std::memcpy(table.ends.row(buffered), &end, sizeof end);
  }
}

void Recorder::Work::append(const State& x, const double* tau, const StepReport* report,
                            std::span<const ConstraintRow> constraints) {
  if (closed) throw Error("recorder-closed", {name, 0, {}}, "a frame was added after close()");
  if (x.q.size() != scene.nq() || x.v.size() != scene.nv())
    throw Error(
        "bad-size", {name, 0, "state"},
        fmt::format("q and v have {} and {} entries, the scene {} and {}", x.q.size(), x.v.size(), scene.nq(), scene.nv()));
  if (tables[constraint_table].buffered + constraints.size() > tables[constraint_table].most ||
      tables[warm_table].buffered + x.warm.size() > tables[warm_table].most)
    flush();
  if (written + buffered == layout.frames) {
    flush();
    rebuild(2 * layout.frames, room, false);
  }

  const std::uint64_t hash_of_x = hash(x);
  auto put = [&](FramePart part, const void* row) {
    Buffer& buffer = buffers[part];
    if (buffer.row_bytes == 0) return;
    if (row == nullptr)
      std::memset(buffer.row(buffered), 0, buffer.row_bytes);
    else
      std::memcpy(buffer.row(buffered), row, buffer.row_bytes);
  };
  put(time_part, &x.t);
  put(step_part, &x.step);
  put(q_part, x.q.data());
  put(v_part, x.v.data());
  put(control_part, tau);
  put(state_hash_part, &hash_of_x);
  motion.compute(x, reinterpret_cast<double*>(buffers[link_pose_part].row(buffered)),
                 reinterpret_cast<double*>(buffers[link_twist_part].row(buffered)));
  put_report(buffered, report);
  put_tables(x, constraints);
  ++buffered;
  if (buffered == block || std::chrono::duration<double>(Clock::now() - last_flush).count() >= settings.flush_s) flush();
}

void Recorder::Work::count(const StepReport& report) {
  ++counts[steps_taken];
  counts[steps_uncertified] += report.status != StepStatus::certified;
  counts[steps_rejected] += report.status == StepStatus::rejected;
  // a residual that is no number is worse than any; the first of equals stays
  if (!(report.residual <= worst_residual) && !std::isnan(worst_residual)) {
    worst_residual = report.residual;
    counts[worst_step] = report.step;
  }
}

void Recorder::Work::flush() {
  last_flush = Clock::now();
  if (buffered == 0) return;
  RaggedRoom wanted = room;
  for (const Ragged which : {constraint_table, warm_table})
    while (wanted[which] < tables[which].written + tables[which].buffered) wanted[which] *= 2;
  if (wanted != room) rebuild(layout.frames, wanted, false);

  const auto write = [&](std::size_t i, const Buffer& buffer, std::uint64_t first, std::uint64_t count) {
    const Part& part = layout.parts[i];
    const std::uint64_t row = buffer.row_bytes;
    if (count > 0) file.write(part.offset + first * row, buffer.rows.data(), count * row, part.name);
  };
  for (const Ragged which : {constraint_table, warm_table}) {
    Table& table = tables[which];
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      write(columns_begin(which) + k, table.columns[k], table.written, table.buffered);
    write(offsets_begin() + which, table.ends, written + 1, buffered);
    table.written += table.buffered;
    table.buffered = 0;
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) write(i, buffers[i], written, buffered);
  // Last, and one aligned word: a reader never counts a frame that is not there.
  written += buffered;
  buffered = 0;
  write_count(file, layout);
}

void Recorder::Work::close() {
  if (closed) return;
  flush();
  closed = true;
  if (!file.is_at(target))
    throw Error("cannot-write", {name, 0, {}}, "somebody removed or replaced it during the run",
                "record each run to a file of its own");
  const RaggedRoom used{tables[constraint_table].written, tables[warm_table].written};
  if (written != layout.frames || room != used) {
    rebuild(written, used, true);
  } else {
    set_complete_attribute(target, name);
    mark_complete(file);
  }
  file.close();
}

Recorder::Recorder(const std::string& file, const Scene& scene, const SimulatorOptions& options,
                   const RecorderOptions& recorder)
    : work_(std::make_unique<Work>(file, scene, options, recorder)) {}

Recorder::~Recorder() {
  try {
    if (work_) work_->close();
  } catch (const std::exception&) {
    // A destructor has nobody to tell; close() does. What was flushed stays readable.
  }
}

Recorder::Recorder(Recorder&&) noexcept = default;

Recorder& Recorder::operator=(Recorder&& other) noexcept {
  std::swap(work_, other.work_);
  return *this;
}

void Recorder::start(const State& x) {
  if (work_->written + work_->buffered > 0)
    throw Error("bad-order", {work_->name, 0, {}}, "start() was called after a frame",
                "call it once, before the first step");
  work_->append(x, nullptr, nullptr, {});
}

bool Recorder::wants_next() const { return (work_->steps + 1) % static_cast<std::uint64_t>(work_->settings.every) == 0; }

void Recorder::add(const State& x, const Eigen::Ref<const Eigen::VectorXd>& tau, const StepReport& report,
                   std::span<const ConstraintRow> constraints) {
  const bool wanted = wants_next();
  ++work_->steps;
  work_->count(report);
  if (!wanted) return;
  if (tau.size() != work_->scene.nv())
    throw Error("bad-size", {work_->name, 0, "tau"},
                fmt::format("it has {} entries, the scene's velocity {}", tau.size(), work_->scene.nv()));
  work_->append(x, tau.data(), &report, constraints);
}

void Recorder::add_rejected(const StepReport& report) { work_->count(report); }

void Recorder::flush() { work_->flush(); }
void Recorder::close() { work_->close(); }

}  // namespace condyle
