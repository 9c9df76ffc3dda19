#include "collision/height_field.hpp"

#include "collision/triangle_mesh.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace condyle {

HeightSurface::HeightSurface(const HeightField& field)
    : heights_(field.heights),
      rows_(static_cast<int>(field.heights.rows())),
      columns_(static_cast<int>(field.heights.cols())),
      x0_(-0.5 * field.extent[0]),
      y0_(-0.5 * field.extent[1]),
      dx_(field.extent[0] / (columns_ - 1)),
      dy_(field.extent[1] / (rows_ - 1)) {
  solid_ = endless_ = true;
  box_.add(Eigen::Vector3d(x0_, y0_, heights_.minCoeff() - field.extent.maxCoeff()));  // what fell through is found again
  box_.add(Eigen::Vector3d(-x0_, -y0_, heights_.maxCoeff()));
  std::vector<std::pair<int, int>> flat;
  const auto join = [&](int t, int u) {
    const Eigen::Vector3d n = normal(t), m = normal(u);
    if (n.cross(m).norm() < flat_angle) flat.emplace_back(t, u);
  };
  for (int i = 0; i + 1 < rows_; ++i)
    for (int j = 0; j + 1 < columns_; ++j) {
      join(triangle(i, j, 0), triangle(i, j, 1));
      if (j + 2 < columns_) join(triangle(i, j, 0), triangle(i, j + 1, 1));
      if (i + 2 < rows_) join(triangle(i, j, 1), triangle(i + 1, j, 0));
    }
  number_regions(flat, triangles(), regions_);
}

/// A cell is cut from its first corner to the opposite one: half 0 has its edge at low y, half 1 the one at low x.
std::array<int, 3> HeightSurface::corners(int t) const {
  const int cell = t / 2, i = cell / (columns_ - 1), j = cell % (columns_ - 1);
  const int low = i * columns_ + j, high = low + columns_;
  return t % 2 == 0 ? std::array<int, 3>{low, low + 1, high + 1} : std::array<int, 3>{low, high + 1, high};
}

Eigen::Vector3d HeightSurface::vertex(int v) const {
  const int i = v / columns_, j = v % columns_;
  return {x0_ + j * dx_, y0_ + i * dy_, heights_(i, j)};
}

Eigen::Vector3d HeightSurface::normal(int t) const {
  const std::array<int, 3> c = corners(t);
  const Eigen::Vector3d a = vertex(c[0]);
  return (vertex(c[1]) - a).cross(vertex(c[2]) - a).normalized();
}

void HeightSurface::around(int v, std::vector<int>& out) const {
  const int i = v / columns_, j = v % columns_;
  const auto add = [&](int row, int column, int half) {
    if (row >= 0 && column >= 0 && row + 1 < rows_ && column + 1 < columns_) out.push_back(triangle(row, column, half));
  };
  add(i, j, 0), add(i, j, 1);                  // as first corner
  add(i, j - 1, 0), add(i - 1, j, 1);          // as the corner of one half only
  add(i - 1, j - 1, 0), add(i - 1, j - 1, 1);  // as the opposite corner
}

void HeightSurface::query(const Aabb& box, std::vector<int>& out) const {
  if (!box.overlaps({{box_.low[0], box_.low[1], -1e300}, {box_.high[0], box_.high[1], box_.high[2]}})) return;
  const auto cell = [](double x, int count) { return static_cast<int>(std::clamp(std::floor(x), 0.0, count - 1.0)); };
  const int j0 = cell((box.low[0] - x0_) / dx_, columns_ - 1), j1 = cell((box.high[0] - x0_) / dx_, columns_ - 1);
  const int i0 = cell((box.low[1] - y0_) / dy_, rows_ - 1), i1 = cell((box.high[1] - y0_) / dy_, rows_ - 1);
  for (int i = i0; i <= i1; ++i)
    for (int j = j0; j <= j1; ++j)
      if (heights_.block<2, 2>(i, j).maxCoeff() >= box.low[2])
        for (const int half : {0, 1}) out.push_back(triangle(i, j, half));
}

void HeightSurface::query_below(const Eigen::Vector3d& normal, double offset, std::vector<int>& out) const {
  for (int t = 0; t < triangles(); ++t)
    for (const int v : corners(t))
      if (normal.dot(vertex(v)) <= offset) {
        out.push_back(t);
        break;
      }
}

bool HeightSurface::holds(const Eigen::Vector3d& x) const {
  const double u = (x[0] - x0_) / dx_, v = (x[1] - y0_) / dy_;
  if (!(u >= 0 && v >= 0 && u <= columns_ - 1 && v <= rows_ - 1)) return false;
  const int j = std::min(static_cast<int>(u), columns_ - 2), i = std::min(static_cast<int>(v), rows_ - 2);
  const double p = u - j, q = v - i;
  const double h00 = heights_(i, j), h11 = heights_(i + 1, j + 1), h01 = heights_(i, j + 1), h10 = heights_(i + 1, j);
  const double height = p >= q ? h00 + p * (h01 - h00) + q * (h11 - h01) : h00 + q * (h10 - h00) + p * (h11 - h10);
  return x[2] <= height;
}

}  // namespace condyle
