#pragma once
#include <condyle/simulator.hpp>
#include <condyle/state.hpp>

#include <array>
#include <span>

#include "record/layout.hpp"

namespace condyle::record {

/// One dataset of /report: `width` numbers of a step's report.
struct ReportColumn {
  const char* name;
  Type type;
  int width;
  const char* unit;
  double (*value)(const StepReport& report, int k);
};

std::span<const ReportColumn> report_columns();

/// Names of the parts that hold one row for each frame and are not in /report, in the order of the layout.
enum FramePart {
  time_part,
  step_part,
  q_part,
  v_part,
  control_part,
  state_hash_part,
  link_pose_part,
  link_twist_part,
  frame_part_count
};

/// What /steps/counts counts: every step of the run, whether or not a frame was made of it.
enum StepCount { steps_taken, steps_uncertified, steps_rejected, worst_step, count_count };

/// What decides the sizes of a recording's parts beside its length.
struct Sizes {
  int nq = 0, nv = 0, links = 0;              ///< links of all trees
  std::uint64_t vertices = 0, triangles = 0;  ///< of the meshes that are drawn
};

/// A table with any number of rows in each frame: rows offset[i] to offset[i+1] of its columns belong to frame i.
enum Ragged { constraint_table, warm_table, ragged_count };

struct RaggedColumn {
  const char* name;
  Type type;
  int width;
  const char* unit;
};
const char* folder_of(Ragged table);
std::span<const RaggedColumn> columns_of(Ragged table);
std::uint64_t row_bytes(Ragged table);

/// Room for rows of the ragged tables.
using RaggedRoom = std::array<std::uint64_t, ragged_count>;

/// Writes one row, column after column, as columns_of() says, to places[k] for column k.
void put_row(const ConstraintRow& row, double dt, std::span<char* const> places);
void put_row(const WarmImpulse& row, std::span<char* const> places);
ConstraintRow constraint_from(std::span<const char* const> places);
WarmImpulse warm_from(std::span<const char* const> places);

/// All parts of a recording with room for `frames` frames: first those of FramePart, then the report's columns, then the
/// ragged tables' offsets, then their columns, then the rest.
Layout make_layout(std::uint64_t frames, const RaggedRoom& rows, const Sizes& sizes, const std::string& description);
std::size_t offsets_begin();              ///< index of the first table's offset part
std::size_t columns_begin(Ragged table);  ///< index of the table's first column

/// Bytes that one more frame takes, without rows of tables.
std::uint64_t frame_bytes(const Sizes& sizes);

}  // namespace condyle::record
