#include "problem/files/forms.hpp"

#include "linalg/block_factor.hpp"
#include "linalg/block_jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace condyle::files {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Rows and columns renumbered; -1: left out. Zeros fall away, so that a problem does not depend on how its file stores
/// them.
Sparse renumbered(const Sparse& A, const std::vector<int>& rows, const std::vector<int>& columns, int m, int n) {
  Triplets entries;
  entries.reserve(static_cast<std::size_t>(A.nonZeros()));
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it)
      if (it.value() != 0 && rows[at(static_cast<int>(it.row()))] >= 0 && columns[at(j)] >= 0)
        entries.emplace_back(rows[at(static_cast<int>(it.row()))], columns[at(j)], it.value());
  Sparse out(m, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::vector<int> identity(Eigen::Index n) {
  std::vector<int> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

std::vector<int> condyle_rows(Eigen::Index contact_rows, int d, Eigen::Index all) {
  std::vector<int> out = identity(all);
  for (int i = 0; i < contact_rows; ++i) out[at(i)] = row_of_file_row(i, d);
  return out;
}

/// Of contacts of five rows: where the first three go.
std::vector<int> three_of_five(Eigen::Index rows) {
  std::vector<int> out(static_cast<std::size_t>(rows), -1);
  for (int i = 0; i < rows; ++i)
    if (i % 5 < 3) out[at(i)] = i / 5 * 3 + i % 5;
  return out;
}

std::vector<int> five_of_three(Eigen::Index rows) {
  std::vector<int> out(static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i) out[at(i)] = i / 3 * 5 + i % 3;
  return out;
}

Eigen::VectorXd renumbered(const Eigen::VectorXd& x, const std::vector<int>& rows, Eigen::Index n) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < x.size(); ++i)
    if (rows[at(i)] >= 0) out[rows[at(i)]] = x[i];
  return out;
}

void add_blocks(ContactProblem& problem, const Eigen::VectorXd& mu, int d, Eigen::Index bilateral_rows) {
  int row = 0;
  for (int c = 0; c < mu.size(); ++c, row += d) {
    ConstraintBlock block;
    block.kind = ConstraintKind::contact;
    block.set = SetKind::cone;
    block.row = row;
    block.rows = d;
    block.friction = mu[c];
    problem.blocks.push_back(block);
  }
  for (int k = 0; k < bilateral_rows; ++k, ++row) {
    ConstraintBlock block;
    block.row = row;
    block.rows = 1;
    problem.blocks.push_back(block);
  }
}

void need(bool good, const std::string& file, const char* element, const std::string& reason) {
  if (!good) refuse(file, element, reason, "use a file whose sizes fit together");
}

void need_size(const std::string& file, const char* element, Eigen::Index found, Eigen::Index expected) {
  need(found == expected, file, element, fmt::format("it has {} entries instead of {}", found, expected));
}

void need_shape(const std::string& file, const char* element, const Sparse& A, Eigen::Index m, Eigen::Index n) {
  need(A.rows() == m && A.cols() == n, file, element,
       fmt::format("it is {} by {} instead of {} by {}", A.rows(), A.cols(), m, n));
}

void check_contacts(const std::string& file, int d, const Eigen::VectorXd& mu) {
  need(d == 2 || d == 3, file, "dimension", fmt::format("contacts have {} rows; 2, 3 and (rolling) 5 are known", d));
  for (int c = 0; c < mu.size(); ++c)
    need(mu[c] >= 0 && std::isfinite(mu[c]), file, "mu", fmt::format("the friction of contact {} is {}", c, mu[c]));
}

/// Velocities in an order in which those that M couples stand side by side; `begin` gets the first of each block.
std::vector<int> places_of_velocities(const Sparse& M, std::vector<int>& begin) {
  const int n = static_cast<int>(M.rows());
  std::vector<int> root = identity(n);
  auto find = [&](int i) {
    while (root[at(i)] != i) i = root[at(i)] = root[at(root[at(i)])];
    return i;
  };
  for (int j = 0; j < n; ++j)
    for (Sparse::InnerIterator it(M, j); it; ++it)
      if (it.value() != 0) {
        const int a = find(static_cast<int>(it.row())), b = find(j);
        root[at(std::max(a, b))] = std::min(a, b);  // so a root is the first velocity of its block
      }
  std::vector<int> count(at(n), 0), next(at(n), 0), place(at(n));
  for (int i = 0; i < n; ++i) ++count[at(find(i))];
  begin.assign(1, 0);
  for (int i = 0; i < n; ++i)
    if (count[at(i)] > 0) {
      next[at(i)] = begin.back();
      begin.push_back(begin.back() + count[at(i)]);
    }
  for (int i = 0; i < n; ++i) place[at(i)] = next[at(find(i))]++;
  return place;
}

void fill_inertia(ContactProblem& problem, const Sparse& M, const std::vector<int>& begin, const std::string& file) {
  double numbers = 0;
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) numbers += std::pow(begin[b + 1] - begin[b], 2);
  constexpr double most = 5e7;
  if (numbers > most)
    refuse(file, "M",
           fmt::format("its coupled velocities make dense blocks of {:.3g} numbers, more than {:.0g}", numbers, most),
           "split the problem, or condense it to W and q");
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
    auto block = problem.A.add_block(begin[b + 1] - begin[b]);
    for (int j = begin[b]; j < begin[b + 1]; ++j)
      for (Sparse::InnerIterator it(M, j); it; ++it) block(it.row() - begin[b], j - begin[b]) = it.value();
  }
}

/// One carrier of `rows` rows from row `row` of J on; JT has one column for each row.
void add_carrier(BlockJacobian& J, const Sparse& JT, const std::vector<int>& block_of, int row, int rows) {
  BlockJacobian::Carrier carrier{rows, static_cast<int>(J.runs.size()), 0};
  std::vector<int> columns;
  for (int k = 0; k < rows; ++k)
    for (Sparse::InnerIterator it(JT, row + k); it; ++it) columns.push_back(static_cast<int>(it.row()));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (const int column : columns) {
    const bool next = static_cast<int>(J.runs.size()) > carrier.run_begin &&
                      J.runs.back().column + J.runs.back().columns == column &&
                      block_of[at(J.runs.back().column)] == block_of[at(column)];
    if (!next) J.runs.push_back({column, 0, static_cast<int>(J.values.size())});
    ++J.runs.back().columns;
    J.values.resize(J.values.size() + at(rows), 0.0);
  }
  carrier.run_end = static_cast<int>(J.runs.size());
  for (int k = 0; k < rows; ++k) {
    int r = carrier.run_begin;
    for (Sparse::InnerIterator it(JT, row + k); it; ++it) {
      while (it.row() >= J.runs[at(r)].column + J.runs[at(r)].columns) ++r;
      J.values[at(J.runs[at(r)].value + (static_cast<int>(it.row()) - J.runs[at(r)].column) * rows + k)] = it.value();
    }
  }
  J.parts.push_back({static_cast<int>(J.carriers.size()), row, rows, -1});
  J.carriers.push_back(carrier);
}

/// [left right].
Sparse beside(const Sparse& left, const Sparse& right, Eigen::Index rows) {
  Triplets entries;
  for (int j = 0; j < left.cols(); ++j)
    for (Sparse::InnerIterator it(left, j); it; ++it) entries.emplace_back(it.row(), j, it.value());
  for (int j = 0; j < right.cols(); ++j)
    for (Sparse::InnerIterator it(right, j); it; ++it) entries.emplace_back(it.row(), left.cols() + j, it.value());
  Sparse out(rows, left.cols() + right.cols());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

/// Number of rows in cones, all of d rows, that stand before all bilateral rows; fills mu.
int contact_rows(const ContactProblem& problem, const std::string& file, int& d, Eigen::VectorXd& mu) {
  const char* cure = "gmp holds contacts with other rows, boxed-lcp bounds, condyle everything";
  std::vector<double> friction;
  int rows = 0;
  d = 3;
  for (int i = 0; i < static_cast<int>(problem.blocks.size()); ++i) {
    const ConstraintBlock& block = problem.blocks[at(i)];
    if (block.set == SetKind::bilateral) continue;
    if (block.set != SetKind::cone)
      refuse(file, problem.block_name(i),
             fmt::format("its set is {}, and this format knows contacts only", to_string(block.set)), cure);
    if (block.row != rows)
      refuse(file, problem.block_name(i), "a contact stands after other rows, and this format has contacts first", cure);
    if (friction.empty()) d = block.rows;
    if (block.rows != d) refuse(file, problem.block_name(i), "contacts in the plane and in space are mixed", cure);
    friction.push_back(block.friction);
    rows += block.rows;
  }
  mu = Eigen::Map<Eigen::VectorXd>(friction.data(), static_cast<Eigen::Index>(friction.size()));
  return rows;
}

Sparse part(const Sparse& A, int row, int column, int rows, int columns) {
  return Sparse(A.block(row, column, rows, columns));
}

std::vector<int> file_rows(int contact_rows, int d, int all) {
  const std::vector<int> to = condyle_rows(contact_rows, d, all);
  std::vector<int> out(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) out[at(to[i])] = static_cast<int>(i);
  return out;
}

/// A v*: what the file gave, as long as it still gives v*.
Eigen::VectorXd momentum_of(const ContactProblem& problem) {
  if (problem.momentum.size() == problem.v_free.size()) {
    BlockFactor factor;
    Eigen::VectorXd v = problem.momentum;
    if (factor.factor(problem.A) < 0) {
      factor.solve(v.data());
      if ((v.array() == problem.v_free.array()).all()) return problem.momentum;
    }
  }
  Eigen::VectorXd out(problem.velocities());
  for (int b = 0; b < problem.A.blocks(); ++b) {
    const int first = problem.A.begin[at(b)], n = problem.A.block_size(b);
    out.segment(first, n) = problem.A.block(b) * problem.v_free.segment(first, n);
  }
  return out;
}

}  // namespace

void refuse(const std::string& file, const std::string& element, const std::string& reason, const std::string& cure) {
  throw Error("bad-problem", {file, 0, element}, reason, cure);
}

void drop_rolling(LocalForm& form) {
  const auto rows = three_of_five(form.q.size());
  const int m = static_cast<int>(form.q.size()) / 5 * 3;
  form.W = renumbered(form.W, rows, rows, m, m);
  form.q = renumbered(form.q, rows, m);
  form.d = 3;
}

void drop_rolling(GlobalForm& form) {
  const auto rows = three_of_five(form.w.size());
  const int m = static_cast<int>(form.w.size()) / 5 * 3;
  form.H = renumbered(form.H, identity(form.H.rows()), rows, static_cast<int>(form.H.rows()), m);
  form.w = renumbered(form.w, rows, m);
  form.d = 3;
}

void add_rolling(LocalForm& form) {
  const auto rows = five_of_three(form.q.size());
  const int m = static_cast<int>(form.q.size()) / 3 * 5;
  form.W = renumbered(form.W, rows, rows, m, m);
  form.q = renumbered(form.q, rows, m);
  form.d = 5;
}

void add_rolling(GlobalForm& form) {
  const auto rows = five_of_three(form.w.size());
  const int m = static_cast<int>(form.w.size()) / 3 * 5;
  form.H = renumbered(form.H, identity(form.H.rows()), rows, static_cast<int>(form.H.rows()), m);
  form.w = renumbered(form.w, rows, m);
  form.d = 5;
}

ContactProblem dual_problem(Sparse G, Eigen::VectorXd g) {
  ContactProblem problem;
  problem.dual_only = true;
  G.prune([](Eigen::Index, Eigen::Index, double x) { return x != 0; });
  G.makeCompressed();
  problem.G = std::move(G);
  problem.g = std::move(g);
  problem.bias = Eigen::VectorXd::Zero(problem.g.size());
  problem.compliance = Eigen::VectorXd::Zero(problem.g.size());
  return problem;
}

ContactProblem to_problem(const LocalForm& form, const std::string& file) {
  const Eigen::Index m = form.mu.size() * form.d, k = form.s.size();
  check_contacts(file, form.d, form.mu);
  need_size(file, "q", form.q.size(), m);
  need_shape(file, "W", form.W, m, m);
  Sparse W = form.W;
  Eigen::VectorXd q(m + k);
  q << form.q, form.s;
  if (k > 0) {
    need_shape(file, "V", form.V, m, k);
    need_shape(file, "R", form.R, k, k);
    Triplets entries;
    auto put = [&](const Sparse& A, Eigen::Index row, Eigen::Index column, bool transpose) {
      for (int j = 0; j < A.cols(); ++j)
        for (Sparse::InnerIterator it(A, j); it; ++it)
          entries.emplace_back(row + (transpose ? j : it.row()), column + (transpose ? it.row() : j), it.value());
    };
    put(form.W, 0, 0, false);
    put(form.V, 0, m, false);
    put(form.V, m, 0, true);
    put(form.R, m, m, false);
    W.resize(m + k, m + k);
    W.setFromTriplets(entries.begin(), entries.end());
  }
  const auto rows = condyle_rows(m, form.d, m + k);
  ContactProblem problem =
      dual_problem(renumbered(W, rows, rows, static_cast<int>(m + k), static_cast<int>(m + k)), renumbered(q, rows, m + k));
  add_blocks(problem, form.mu, form.d, k);
  return problem;
}

ContactProblem to_problem(const GlobalForm& form, const std::string& file) {
  const Eigen::Index n = form.M.rows(), m = form.mu.size() * form.d, k = form.b.size();
  check_contacts(file, form.d, form.mu);
  need_shape(file, "M", form.M, n, n);
  need_shape(file, "H", form.H, n, m);
  need_size(file, "f", form.f.size(), n);
  need_size(file, "w", form.w.size(), m);
  if (k > 0) need_shape(file, "G", form.G, n, k);

  ContactProblem problem;
  std::vector<int> begin;
  const std::vector<int> place = places_of_velocities(form.M, begin);
  const auto rows = condyle_rows(m, form.d, m + k);
  fill_inertia(problem, renumbered(form.M, place, place, static_cast<int>(n), static_cast<int>(n)), begin, file);
  const Sparse JT =
      renumbered(k > 0 ? beside(form.H, form.G, n) : form.H, place, rows, static_cast<int>(n), static_cast<int>(m + k));
  std::vector<int> block_of(static_cast<std::size_t>(n));
  for (std::size_t b = 0; b + 1 < begin.size(); ++b)
    std::fill(block_of.begin() + begin[b], block_of.begin() + begin[b + 1], static_cast<int>(b));

  problem.J.rows = static_cast<int>(m + k);
  problem.J.columns = static_cast<int>(n);
  add_blocks(problem, form.mu, form.d, k);
  for (const ConstraintBlock& block : problem.blocks) add_carrier(problem.J, JT, block_of, block.row, block.rows);
  Eigen::VectorXd bias(m + k);
  bias << form.w, form.b;
  problem.bias = renumbered(bias, rows, m + k);
  problem.compliance = Eigen::VectorXd::Zero(m + k);
  problem.momentum = renumbered(form.f, place, n);

  BlockFactor factor;
  if (const int bad = factor.factor(problem.A); bad >= 0)
    refuse(file, "M",
           fmt::format("the block of {} velocities that begins with {} cannot be inverted", problem.A.block_size(bad),
                       std::find(place.begin(), place.end(), begin[at(bad)]) - place.begin()),
           "give every velocity a mass");
  problem.v_free = problem.momentum;
  factor.solve(problem.v_free.data());
  return problem;
}

DualForm dual_form(const ContactProblem& problem, const std::string& file) {
  const int m = problem.rows();
  DualForm out;
  if (problem.dual_only) {
    out.G = problem.G;
    out.g = problem.g;
  } else {
    constexpr int most = 6000;
    if (m > most)
      refuse(file, "G", fmt::format("G of {} rows would be dense; at most {} are written", m, most),
             "write a global format, or condyle");
    BlockFactor factor;
    if (const int bad = factor.factor(problem.A); bad >= 0)
      refuse(file, "A", fmt::format("block {} cannot be inverted", bad), "give every velocity a mass");
    JacobianProduct product;
    Eigen::MatrixXd G(m, m);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(m), v(problem.velocities());
    for (int j = 0; j < m; ++j) {
      unit[j] = 1;
      v.setZero();
      product.add_transposed(problem.J, unit.data(), v.data());
      factor.solve(v.data());
      product.multiply(problem.J, v.data(), G.col(j).data());
      unit[j] = 0;
    }
    out.G = G.sparseView(0.0, 0.0);
    out.g.resize(m);
    product.multiply(problem.J, problem.v_free.data(), out.g.data());
    out.g += problem.bias;
  }
  for (int i = 0; i < m; ++i)
    if (problem.compliance[i] != 0) out.G.coeffRef(i, i) += problem.compliance[i];
  out.G.makeCompressed();
  return out;
}

LocalForm local_form(const ContactProblem& problem, const std::string& file) {
  LocalForm out;
  const int m = contact_rows(problem, file, out.d, out.mu), all = problem.rows(), k = all - m;
  const DualForm dual = dual_form(problem, file);
  const auto rows = file_rows(m, out.d, all);
  const Sparse W = renumbered(dual.G, rows, rows, all, all);
  const Eigen::VectorXd q = renumbered(dual.g, rows, all);
  out.W = part(W, 0, 0, m, m);
  out.q = q.head(m);
  if (k > 0) {
    out.V = part(W, 0, m, m, k);
    out.R = part(W, m, m, k, k);
    out.s = q.tail(k);
    if (Eigen::MatrixXd(out.V) != Eigen::MatrixXd(part(W, m, 0, k, m)).transpose())
      refuse(file, "V", "the coupling of contacts and bilateral rows is not symmetric", "gmp and condyle hold it");
  }
  return out;
}

GlobalForm global_form(const ContactProblem& problem, const std::string& file) {
  if (problem.dual_only)
    refuse(file, "M", "the problem has G and g only, no masses and velocities", "write a local format, or condyle");
  for (int i = 0; i < problem.rows(); ++i)
    if (problem.compliance[i] != 0)
      refuse(file, "row " + std::to_string(i),
             fmt::format("its compliance {} has no place in this format", problem.compliance[i]),
             "write a local format (there it goes onto the diagonal), or condyle");
  GlobalForm out;
  const int m = contact_rows(problem, file, out.d, out.mu), all = problem.rows(), k = all - m, n = problem.velocities();
  Triplets inertia, jacobian;
  for (int b = 0; b < problem.A.blocks(); ++b) {
    const auto block = problem.A.block(b);
    const int first = problem.A.begin[at(b)];
    for (int j = 0; j < block.cols(); ++j)
      for (int i = 0; i < block.rows(); ++i)
        if (block(i, j) != 0) inertia.emplace_back(first + i, first + j, block(i, j));
  }
  out.M.resize(n, n);
  out.M.setFromTriplets(inertia.begin(), inertia.end());
  const auto rows = file_rows(m, out.d, all);
  for (const BlockJacobian::Part& p : problem.J.parts) {
    const BlockJacobian::Carrier& carrier = problem.J.carriers[at(p.carrier)];
    for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
      const BlockJacobian::Run& run = problem.J.runs[at(r)];
      const Eigen::Map<const Eigen::MatrixXd> C(problem.J.values.data() + run.value, carrier.rows, run.columns);
      Eigen::MatrixXd rows_of_part = C.topRows(std::min(p.rows, carrier.rows));
      if (p.x >= 0)
        rows_of_part = Eigen::Map<const Eigen::MatrixXd>(problem.J.values.data() + p.x, p.rows, carrier.rows) * C;
      for (int j = 0; j < run.columns; ++j)
        for (int i = 0; i < p.rows; ++i)
          if (rows_of_part(i, j) != 0) jacobian.emplace_back(run.column + j, rows[at(p.row + i)], rows_of_part(i, j));
    }
  }
  Sparse JT(n, all);
  JT.setFromTriplets(jacobian.begin(), jacobian.end());
  const Eigen::VectorXd bias = renumbered(problem.bias, rows, all);
  out.H = part(JT, 0, 0, n, m);
  out.w = bias.head(m);
  if (k > 0) {
    out.G = part(JT, 0, m, n, k);
    out.b = bias.tail(k);
  }
  out.f = momentum_of(problem);
  return out;
}

}  // namespace condyle::files
