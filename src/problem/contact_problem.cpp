#include <condyle/contact_problem.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace condyle {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool within(long long begin, long long count, std::size_t size) {
  return begin >= 0 && count >= 0 && begin + count <= static_cast<long long>(size);
}

long first_not_finite(const double* x, long n) {
  for (long i = 0; i < n; ++i)
    if (!std::isfinite(x[i])) return i;
  return -1;
}

std::string vector_defect(const char* name, const Eigen::VectorXd& x, int size) {
  if (x.size() != size) return fmt::format("{} has {} entries instead of {}", name, x.size(), size);
  const long bad = first_not_finite(x.data(), x.size());
  return bad < 0 ? std::string() : fmt::format("{}[{}] is {}", name, bad, x[bad]);
}

std::string inertia_defect(const BlockDiagonal& A) {
  if (A.begin.empty() || A.begin.front() != 0) return "A.begin does not start at 0";
  if (A.value.size() + 1 != A.begin.size())
    return fmt::format("A has {} block starts for {} blocks", A.value.size(), A.begin.size() - 1);
  for (int b = 0; b < A.blocks(); ++b) {
    const long long n = static_cast<long long>(A.begin[at(b) + 1]) - A.begin[at(b)];
    if (n < 1) return fmt::format("block {} of A has {} velocities", b, n);
    if (n > 46340 || !within(A.value[at(b)], n * n, A.values.size()))
      return fmt::format("block {} of A lies outside its numbers", b);
  }
  const long bad = first_not_finite(A.values.data(), static_cast<long>(A.values.size()));
  return bad < 0 ? std::string() : fmt::format("number {} of A is {}", bad, A.values[static_cast<std::size_t>(bad)]);
}

std::string run_defect(const BlockDiagonal& A, const BlockJacobian& J, int c, int r) {
  const BlockJacobian::Run& run = J.runs[at(r)];
  if (run.columns < 1 || !within(run.column, run.columns, at(J.columns)))
    return fmt::format("run {} of J has {} columns from {} on, of {}", r, run.columns, run.column, J.columns);
  const auto after = std::upper_bound(A.begin.begin(), A.begin.end(), run.column);
  if (after == A.begin.end() || run.column + run.columns > *after)
    return fmt::format("run {} of J reaches over the end of a block of A", r);
  if (!within(run.value, static_cast<long long>(run.columns) * J.carriers[at(c)].rows, J.values.size()))
    return fmt::format("run {} of J lies outside its numbers", r);
  return {};
}

std::string part_defect(const BlockJacobian& J, int p) {
  const BlockJacobian::Part& part = J.parts[at(p)];
  if (part.carrier < 0 || at(part.carrier) >= J.carriers.size())
    return fmt::format("part {} of J has no carrier {}", p, part.carrier);
  if (part.rows < 1 || !within(part.row, part.rows, at(J.rows)))
    return fmt::format("part {} of J has {} rows from {} on, of {}", p, part.rows, part.row, J.rows);
  const int width = J.carriers[at(part.carrier)].rows;
  if (part.x < -1) return fmt::format("part {} of J has no X {}", p, part.x);
  if (part.x == -1 && part.rows != width)
    return fmt::format("part {} of J has {} rows and X = 1 on a carrier of {}", p, part.rows, width);
  if (part.x >= 0 && !within(part.x, static_cast<long long>(part.rows) * width, J.values.size()))
    return fmt::format("X of part {} of J lies outside its numbers", p);
  return {};
}

/// Products write a row where its part stands, so each row must have exactly one part.
std::string cover_defect(const BlockJacobian& J) {
  long long next = 0;
  bool ordered = true;
  for (const BlockJacobian::Part& part : J.parts) {
    ordered = ordered && part.row == next;
    next += part.rows;
  }
  if (ordered && next == J.rows) return {};
  std::vector<char> seen(at(J.rows), 0);
  for (const BlockJacobian::Part& part : J.parts)
    for (int i = part.row; i < part.row + part.rows; ++i)
      if (seen[at(i)]++) return fmt::format("row {} of J has two parts", i);
  const auto missing = std::find(seen.begin(), seen.end(), 0);
  return missing == seen.end() ? std::string() : fmt::format("row {} of J has no part", missing - seen.begin());
}

std::string jacobian_defect(const BlockDiagonal& A, const BlockJacobian& J, int rows) {
  if (J.rows != rows) return fmt::format("J has {} rows instead of {}", J.rows, rows);
  if (J.columns != A.size()) return fmt::format("J has {} columns instead of {}", J.columns, A.size());
  for (int c = 0; c < static_cast<int>(J.carriers.size()); ++c) {
    const BlockJacobian::Carrier& carrier = J.carriers[at(c)];
    if (carrier.rows < 1) return fmt::format("carrier {} of J has {} rows", c, carrier.rows);
    if (!within(carrier.run_begin, static_cast<long long>(carrier.run_end) - carrier.run_begin, J.runs.size()))
      return fmt::format("carrier {} of J has runs {} to {}, of {}", c, carrier.run_begin, carrier.run_end, J.runs.size());
    for (int r = carrier.run_begin; r < carrier.run_end; ++r)
      if (std::string word = run_defect(A, J, c, r); !word.empty()) return word;
  }
  for (int p = 0; p < static_cast<int>(J.parts.size()); ++p)
    if (std::string word = part_defect(J, p); !word.empty()) return word;
  const long bad = first_not_finite(J.values.data(), static_cast<long>(J.values.size()));
  if (bad >= 0) return fmt::format("number {} of J is {}", bad, J.values[static_cast<std::size_t>(bad)]);
  return cover_defect(J);
}

std::string set_defect(const ConstraintBlock& block, int rows) {
  switch (block.set) {
    case SetKind::bilateral:
    case SetKind::nonnegative: return {};
    case SetKind::box:
      return block.lower <= block.upper ? std::string() : fmt::format("has the bounds {} and {}", block.lower, block.upper);
    case SetKind::friction_box:
      if (!(block.lower <= block.upper)) return fmt::format("has the bounds {} and {}", block.lower, block.upper);
      if (!std::isfinite(block.lower) || !std::isfinite(block.upper))
        return fmt::format("has the friction {} and {}", block.lower, block.upper);
      if (!within(block.normal_row, 1, at(rows)))
        return fmt::format("has its normal at row {} of {}", block.normal_row, rows);
      return {};
    case SetKind::cone:
      if (block.rows != 2 && block.rows != 3) return fmt::format("is a cone of {} rows", block.rows);
      if (!(block.friction >= 0) || !std::isfinite(block.friction))
        return fmt::format("has the friction {}", block.friction);
      return {};
  }
  return "has an unknown set";
}

std::string blocks_defect(const ContactProblem& problem) {
  long long next = 0;
  for (int i = 0; i < static_cast<int>(problem.blocks.size()); ++i) {
    const ConstraintBlock& block = problem.blocks[at(i)];
    if (block.row != next) return fmt::format("{} begins at row {} instead of {}", problem.block_name(i), block.row, next);
    if (block.rows < 1) return fmt::format("{} has {} rows", problem.block_name(i), block.rows);
    next += block.rows;
    if (std::string word = set_defect(block, problem.rows()); !word.empty()) return problem.block_name(i) + " " + word;
    if (!(block.weight >= 0) || !std::isfinite(block.weight))
      return fmt::format("{} has the weight {}", problem.block_name(i), block.weight);
  }
  if (next != problem.rows()) return fmt::format("the blocks have {} rows instead of {}", next, problem.rows());
  if (!problem.names.empty() && problem.names.size() != problem.blocks.size())
    return fmt::format("there are {} names for {} blocks", problem.names.size(), problem.blocks.size());
  return {};
}

std::string dual_defect(const ContactProblem& problem) {
  const int m = problem.rows();
  if (problem.velocities() != 0 || problem.v_free.size() != 0 || !problem.J.parts.empty())
    return "a problem in dual form has velocities too";
  if (problem.G.rows() != m || problem.G.cols() != m)
    return fmt::format("G is {} by {} instead of {} by {}", problem.G.rows(), problem.G.cols(), m, m);
  for (int j = 0; j < m; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(problem.G, j); it; ++it)
      if (!std::isfinite(it.value())) return fmt::format("G({}, {}) is {}", it.row(), j, it.value());
  return vector_defect("g", problem.g, m);
}

}  // namespace

const char* to_string(SetKind kind) {
  switch (kind) {
    case SetKind::bilateral: return "bilateral";
    case SetKind::nonnegative: return "nonnegative";
    case SetKind::box: return "box";
    case SetKind::cone: return "cone";
    case SetKind::friction_box: return "friction_box";
  }
  return "unknown";
}

const char* to_string(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::contact: return "contact";
    case ConstraintKind::closure: return "closure";
    case ConstraintKind::coupling: return "coupling";
    case ConstraintKind::joint_limit: return "joint_limit";
    case ConstraintKind::joint_friction: return "joint_friction";
    case ConstraintKind::actuator: return "actuator";
    case ConstraintKind::spring_damper: return "spring_damper";
    case ConstraintKind::other: return "other";
  }
  return "unknown";
}

Eigen::Map<Eigen::MatrixXd> BlockDiagonal::add_block(int n) {
  value.push_back(static_cast<int>(values.size()));
  begin.push_back(begin.back() + n);
  values.resize(values.size() + at(n) * at(n), 0.0);
  return {values.data() + value.back(), n, n};
}

void BlockDiagonal::clear() {
  begin.resize(1);
  begin[0] = 0;
  value.clear();
  values.clear();
}

void BlockJacobian::clear() {
  runs.clear();
  carriers.clear();
  parts.clear();
  values.clear();
  rows = columns = 0;
}

int ContactProblem::contacts() const {
  return static_cast<int>(std::count_if(blocks.begin(), blocks.end(),
                                        [](const ConstraintBlock& b) { return b.kind == ConstraintKind::contact; }));
}

void ContactProblem::clear() {
  name.clear();
  dt = 0;
  A.clear();
  v_free.resize(0);
  momentum.resize(0);
  J.clear();
  bias.resize(0);
  compliance.resize(0);
  blocks.clear();
  names.clear();
  dual_only = false;
  G.resize(0, 0);
  g.resize(0);
}

std::string ContactProblem::block_name(int block) const {
  if (block >= 0 && at(block) < names.size() && !names[at(block)].empty()) return names[at(block)];
  return fmt::format("block {}", block);
}

std::string ContactProblem::defect() const {
  const int m = rows();
  if (!(dt >= 0) || !std::isfinite(dt)) return fmt::format("dt is {}", dt);
  if (std::string word = vector_defect("bias", bias, m); !word.empty()) return word;
  if (std::string word = vector_defect("compliance", compliance, m); !word.empty()) return word;
  for (int i = 0; i < m; ++i)
    if (compliance[i] < 0) return fmt::format("compliance[{}] is {}, below zero", i, compliance[i]);
  if (std::string word = blocks_defect(*this); !word.empty()) return word;
  if (dual_only) return dual_defect(*this);
  if (std::string word = inertia_defect(A); !word.empty()) return word;
  if (std::string word = vector_defect("v_free", v_free, A.size()); !word.empty()) return word;
  if (momentum.size() != 0)
    if (std::string word = vector_defect("momentum", momentum, A.size()); !word.empty()) return word;
  return jacobian_defect(A, J, m);
}

}  // namespace condyle
