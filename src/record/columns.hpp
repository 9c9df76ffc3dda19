#pragma once
#include <condyle/simulator.hpp>

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
enum FramePart { time_part, step_part, q_part, v_part, control_part, state_hash_part, frame_part_count };

/// All parts of a recording with room for `frames` frames: first those of FramePart, then the report's columns, then the
/// rest.
Layout make_layout(std::uint64_t frames, int nq, int nv, const std::string& description);

/// Bytes that one more frame takes.
std::uint64_t frame_bytes(int nq, int nv);

}  // namespace condyle::record
