#include "linalg/block_panels.hpp"

#include <algorithm>

namespace condyle::panels {

namespace {
std::ptrdiff_t at(int row, int column, int ld) { return row + static_cast<std::ptrdiff_t>(column) * ld; }
}  // namespace

void fill(const BlockAnalysis& analysis, const BlockPattern& pattern, const double* straight, const double* mirrored,
          double* values) {
  std::fill(values, values + analysis.values(), 0.0);
  for (int k = 0; k < pattern.blocks(); ++k) {
    const BlockAnalysis::Place& place = analysis.places()[static_cast<std::size_t>(k)];
    const std::size_t first = pattern.value[static_cast<std::size_t>(k)];
    double* to = values + place.value;
    if (place.transposed) {
      const double* from = mirrored + first;
      for (int i = 0; i < place.rows; ++i, to += place.ld)
        for (int j = 0; j < place.columns; ++j) to[j] = from[at(i, j, place.rows)];
    } else {
      const double* from = straight + first;
      for (int j = 0; j < place.columns; ++j, to += place.ld, from += place.rows) std::copy(from, from + place.rows, to);
    }
  }
}

void update(const Kernels& kernels, const BlockAnalysis& analysis, const BlockAnalysis::Supernode& node, const double* A,
            const double* B, double* targets) {
  const int ld = node.ld(), k = node.width;
  for (int u = node.update_begin; u < node.update_end; ++u) {
    const BlockAnalysis::Update& to = analysis.updates()[static_cast<std::size_t>(u)];
    const double* b = B + to.from;
    double* C = targets + to.value;
    const BlockAnalysis::Segment* segment = analysis.segments().data() + to.segment_begin;
    const BlockAnalysis::Segment* end = analysis.segments().data() + to.segment_end;
    // the first one begins on the diagonal of the target: nothing above it is needed
    for (int j = 0; j < to.columns; j += Kernels::strip)
      kernels.subtract_product(C + at(segment->to + j, j, to.ld), to.ld, A + segment->from + j, ld, b + j, 1, ld,
                               segment->rows - j, std::min(Kernels::strip, to.columns - j), k);
    for (++segment; segment != end; ++segment)
      kernels.subtract_product(C + segment->to, to.ld, A + segment->from, ld, b, 1, ld, segment->rows, to.columns, k);
  }
}

void solve_right(const Kernels& kernels, double* X, int ldx, int m, const double* T, int row, int column,
                 const double* inverse, int n) {
  for (int j = 0; j < n; j += Kernels::strip) {
    const int width = std::min(Kernels::strip, n - j);
    const double* t = T + static_cast<std::ptrdiff_t>(j) * row;
    if (j > 0) kernels.subtract_product(X + at(0, j, ldx), ldx, X, ldx, t, row, column, m, width, j);
    kernels.solve_right(X + at(0, j, ldx), ldx, m, t + static_cast<std::ptrdiff_t>(j) * column, row, column, inverse + j,
                        width);
  }
}

void gather(const BlockAnalysis& analysis, const BlockAnalysis::Supernode& node, const double* x, double* piece) {
  piece = std::copy(x + node.begin, x + node.begin + node.width, piece);
  for (int r = node.row_begin; r < node.row_end; ++r) {
    const BlockAnalysis::Rows& rows = analysis.rows()[static_cast<std::size_t>(r)];
    piece = std::copy(x + rows.begin, x + rows.begin + rows.count, piece);
  }
}

void scatter(const BlockAnalysis& analysis, const BlockAnalysis::Supernode& node, const double* piece, double* x) {
  std::copy(piece, piece + node.width, x + node.begin);
  piece += node.width;
  for (int r = node.row_begin; r < node.row_end; ++r) {
    const BlockAnalysis::Rows& rows = analysis.rows()[static_cast<std::size_t>(r)];
    for (int i = 0; i < rows.count; ++i) x[rows.begin + i] += *piece++;
  }
}

}  // namespace condyle::panels
