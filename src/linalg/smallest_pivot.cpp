#include "linalg/smallest_pivot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace condyle {

double SmallestPivot::of_rows(const double* B, int rows, int columns) {
  const auto m = static_cast<std::size_t>(rows);
  const auto place = [m](int i, int j) { return static_cast<std::size_t>(i) * m + static_cast<std::size_t>(j); };
  L_.assign(m * m, 0.0);
  first_.resize(m);
  for (int i = 0; i < rows; ++i) first_[static_cast<std::size_t>(i)] = i;
  for (int k = 0; k < columns; ++k, B += m) {
    filled_.clear();
    for (int i = 0; i < rows; ++i)
      if (B[i] != 0) filled_.push_back(i);
    for (const int i : filled_) {
      int& first = first_[static_cast<std::size_t>(i)];
      first = std::min(first, filled_.front());
      for (const int j : filled_) {
        if (j > i) break;
        L_[place(i, j)] += B[i] * B[j];
      }
    }
  }
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rows; ++i) {
    double* const row = L_.data() + place(i, 0);
    const int begin = first_[static_cast<std::size_t>(i)];
    const double length = row[i];
    for (int j = begin; j < i; ++j) {
      const double* const other = L_.data() + place(j, 0);
      for (int k = std::max(begin, first_[static_cast<std::size_t>(j)]); k < j; ++k) row[j] -= row[k] * other[k];
      row[j] /= other[j];
      row[i] -= row[j] * row[j];
    }
    if (!(row[i] > 1e-12 * length)) return 0;
    least = std::min(least, row[i]);
    row[i] = std::sqrt(row[i]);
  }
  return least;
}

}  // namespace condyle
