#pragma once
// Whether two problems are the same, bit for bit; and where the stored problems of others are.
#include <condyle/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace condyle::testing {

inline bool same_bits(const double* a, const double* b, std::size_t n) {
  return n == 0 || std::memcmp(a, b, n * sizeof(double)) == 0;
}

inline bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), static_cast<std::size_t>(a.size()));
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && same_bits(a.data(), b.data(), a.size());
}

inline bool same_matrix(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  for (int j = 0; j < a.outerSize(); ++j) {
    Eigen::SparseMatrix<double>::InnerIterator p(a, j), q(b, j);
    for (; p && q; ++p, ++q)
      if (p.row() != q.row() || std::memcmp(&p.value(), &q.value(), sizeof(double)) != 0) return false;
    if (p || q) return false;
  }
  return true;
}

/// Empty: the same; else the first thing that differs.
inline std::string difference(const ContactProblem& a, const ContactProblem& b) {
  if (a.name != b.name) return fmt::format("name '{}' and '{}'", a.name, b.name);
  if (a.dt != b.dt) return "dt";
  if (a.dual_only != b.dual_only) return "dual_only";
  if (a.A.begin != b.A.begin || a.A.value != b.A.value || !same_bits(a.A.values, b.A.values)) return "A";
  if (!same_bits(a.v_free, b.v_free)) return "v_free";
  if (!same_bits(a.momentum, b.momentum)) return "momentum";
  if (!same_bits(a.bias, b.bias)) return "bias";
  if (!same_bits(a.compliance, b.compliance)) return "compliance";
  if (!same_matrix(a.G, b.G)) return "G";
  if (!same_bits(a.g, b.g)) return "g";
  const BlockJacobian &J = a.J, &K = b.J;
  if (J.rows != K.rows || J.columns != K.columns || !same_bits(J.values, K.values)) return "J's numbers";
  auto same = [](const auto& x, const auto& y, auto equal) {
    return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), equal);
  };
  if (!same(J.runs, K.runs, [](const auto& p, const auto& q) {
        return p.column == q.column && p.columns == q.columns && p.value == q.value;
      }))
    return "J's runs";
  if (!same(J.carriers, K.carriers, [](const auto& p, const auto& q) {
        return p.rows == q.rows && p.run_begin == q.run_begin && p.run_end == q.run_end;
      }))
    return "J's carriers";
  if (!same(J.parts, K.parts, [](const auto& p, const auto& q) {
        return p.carrier == q.carrier && p.row == q.row && p.rows == q.rows && p.x == q.x;
      }))
    return "J's parts";
  if (a.blocks.size() != b.blocks.size()) return fmt::format("{} and {} blocks", a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    const ConstraintBlock &p = a.blocks[i], &q = b.blocks[i];
    if (p.kind != q.kind || p.set != q.set || p.row != q.row || p.rows != q.rows || p.friction != q.friction ||
        p.lower != q.lower || p.upper != q.upper || p.normal_row != q.normal_row || p.angular != q.angular || p.id != q.id ||
        p.weight != q.weight)
      return fmt::format("block {}", i);
  }
  if (a.names != b.names) return "names";
  return {};
}

inline std::filesystem::path problem_folder() { return std::filesystem::path(CONDYLE_SHARED_DATA) / "problems"; }

/// Sorted; empty where the data are absent.
inline std::vector<std::filesystem::path> stored_problems() {
  std::vector<std::filesystem::path> out;
  if (!std::filesystem::is_directory(problem_folder())) return out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(problem_folder()))
    if (entry.is_regular_file() && entry.path().parent_path() != problem_folder()) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

inline std::filesystem::path output_folder(const std::string& name) {
  const std::filesystem::path out = std::filesystem::path(CONDYLE_TEST_OUTPUT) / "problems" / name;
  std::filesystem::create_directories(out);
  return out;
}

}  // namespace condyle::testing
