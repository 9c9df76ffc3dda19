// LCP, MLCP, GMP and boxed LCP: σ = G λ + g with rows that are equalities, complementarities, contacts or bounded.
#include "problem/files/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace condyle::files {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void add_block(ContactProblem& problem, SetKind set, int rows) {
  ConstraintBlock block;
  block.set = set;
  block.row = problem.blocks.empty() ? 0 : problem.blocks.back().row + problem.blocks.back().rows;
  block.rows = rows;
  problem.blocks.push_back(block);
}

void need_square(TextReader& in, const Sparse& M, int n) {
  if (M.rows() != n || M.cols() != n)
    in.fail("M", fmt::format("it is {} by {} instead of {} by {}", M.rows(), M.cols(), n, n));
}

/// The set of each row, for formats that know rows only.
std::vector<SetKind> sets_of_rows(const ContactProblem& problem, const std::string& file, bool bilateral,
                                  const char* format) {
  std::vector<SetKind> out;
  for (int i = 0; i < static_cast<int>(problem.blocks.size()); ++i) {
    const ConstraintBlock& block = problem.blocks[at(i)];
    if (block.set != SetKind::nonnegative && !(bilateral && block.set == SetKind::bilateral))
      refuse(file, problem.block_name(i),
             fmt::format("its set is {}, and {} has no such rows", to_string(block.set), format),
             "gmp holds contacts and equalities, boxed-lcp bounds, condyle everything");
    out.insert(out.end(), at(block.rows), block.set);
  }
  return out;
}

}  // namespace

ContactProblem read_lcp(const std::string& file, const std::string& text) {
  TextReader in(file, text);
  const int n = in.count("n");
  Sparse M = in.matrix("M");
  need_square(in, M, n);
  ContactProblem problem = dual_problem(std::move(M), in.vector("q", n));  // free text may follow
  for (int i = 0; i < n; ++i) add_block(problem, SetKind::nonnegative, 1);
  return problem;
}

std::string lcp_text(const ContactProblem& problem, const std::string& file, MatrixStorage storage) {
  sets_of_rows(problem, file, false, "lcp");
  const DualForm dual = dual_form(problem, file);
  const std::vector<int> ends = equal_blocks(problem.rows(), problem.rows());
  std::string out = fmt::format("{}\n", problem.rows());
  put_matrix(out, dual.G, storage == MatrixStorage::automatic ? MatrixStorage::dense : storage, ends, ends);
  put_line(out, dual.g);
  return out;
}

ContactProblem read_mlcp(const std::string& file, const std::string& text) {
  TextReader in(file, text);
  const long s1 = in.integer("first flag"), s2 = in.integer("second flag");
  if ((s1 != 0 && s1 != 1) || (s2 != 0 && s2 != 1) || s1 + s2 == 0)
    in.fail("flags", fmt::format("they are {} and {}", s1, s2), "0 or 1, and at least one of them 1");
  const int n = in.count("number of equalities"), m = in.count("number of complementarities");
  if (n > std::numeric_limits<int>::max() - m) in.fail("counts", "they are absurd");
  std::vector<bool> equality(at(n + m), false);
  std::fill(equality.begin(), equality.begin() + n, true);
  Sparse M;
  Eigen::VectorXd q;
  if (s1 == 1) {
    std::vector<int> ends{in.count("block ends")};
    if (ends[0] != 0) in.fail("block ends", "they do not begin with 0");
    while (ends.back() < n + m) {
      ends.push_back(in.count("block ends"));
      if (ends.back() <= ends[ends.size() - 2])
        in.fail("block ends", fmt::format("{} follows {}", ends.back(), ends[ends.size() - 2]));
    }
    if (ends.back() != n + m) in.fail("block ends", fmt::format("the last is {} instead of {}", ends.back(), n + m));
    for (std::size_t b = 0; b + 1 < ends.size(); ++b) {
      const long flag = in.integer("block flags");
      if (flag != 0 && flag != 1) in.fail("block flags", fmt::format("{} is neither 0 nor 1", flag));
      std::fill(equality.begin() + ends[b], equality.begin() + ends[b + 1], flag == 0);
    }
    if (std::count(equality.begin(), equality.end(), true) != n)
      in.fail("block flags", fmt::format("they do not make {} equalities", n));
    M = in.matrix("M");
    need_square(in, M, n + m);
    q = in.vector("q", n + m);
  }
  if (s2 == 1) {
    if (!std::all_of(equality.begin(), equality.begin() + n, [](bool e) { return e; }))
      in.fail("block flags", "equalities do not stand first, and A, B, C, D need that");
    const Eigen::MatrixXd A = in.rows("A", n, n), B = in.rows("B", m, m), C = in.rows("C", n, m), D = in.rows("D", m, n);
    const Eigen::VectorXd a = in.vector("a", n), b = in.vector("b", m);
    Eigen::MatrixXd full(n + m, n + m);
    full << A, C, D, B;
    Eigen::VectorXd both(n + m);
    both << a, b;
    if (s1 == 1) {
      Eigen::Index i = 0, j = 0;
      const double difference = full.size() == 0 ? 0 : (full - Eigen::MatrixXd(M)).cwiseAbs().maxCoeff(&i, &j);
      if (difference != 0)
        in.fail("A, B, C, D", fmt::format("they differ from M by {} at ({}, {})", difference, i, j), "the two must agree");
      if (both != q) in.fail("a, b", "they differ from q", "the two must agree");
    } else {
      M = full.sparseView(0.0, 0.0);
      q = both;
    }
  }
  ContactProblem problem = dual_problem(std::move(M), std::move(q));  // an old solution may follow
  for (const bool e : equality) add_block(problem, e ? SetKind::bilateral : SetKind::nonnegative, 1);
  return problem;
}

std::string mlcp_text(const ContactProblem& problem, const std::string& file, MatrixStorage storage) {
  const std::vector<SetKind> sets = sets_of_rows(problem, file, true, "mlcp");
  const int n = static_cast<int>(std::count(sets.begin(), sets.end(), SetKind::bilateral)), all = problem.rows(),
            m = all - n;
  const bool first = std::all_of(sets.begin(), sets.begin() + n, [](SetKind set) { return set == SetKind::bilateral; });
  const DualForm dual = dual_form(problem, file);
  std::string out = fmt::format("1\n{}\n{}\n{}\n0 ", first ? 1 : 0, n, m), flags;
  for (int i = 0; i < all; ++i)
    if (i + 1 == all || sets[at(i)] != sets[at(i + 1)]) {
      out += fmt::format("{} ", i + 1);
      flags += sets[at(i)] == SetKind::bilateral ? "0 " : "1 ";
    }
  out += '\n' + flags + '\n';
  const std::vector<int> ends = equal_blocks(all, all);
  put_matrix(out, dual.G, storage == MatrixStorage::automatic ? MatrixStorage::dense : storage, ends, ends);
  put_line(out, dual.g);
  if (!first) return out;
  const Eigen::MatrixXd M(dual.G);
  auto put = [&](int row, int column, int rows, int columns) {
    for (int i = row; i < row + rows; ++i) put_line(out, M.row(i).segment(column, columns).transpose());
  };
  put(0, 0, n, n);
  put(n, n, m, m);
  put(0, n, n, m);
  put(n, 0, m, n);
  put_line(out, dual.g.head(n));
  put_line(out, dual.g.tail(m));
  return out;
}

ContactProblem read_gmp(const std::string& file, const std::string& text) {
  std::vector<int> ends;
  {  // the kinds are listed by block row, so the blocks' ends are needed beside the matrix
    TextReader again(file, text);
    if (again.integer("storage of M") != 1) again.fail("M", "a GMP has its matrix in blocks", "storage 1");
    const int rows = again.count("M");
    again.count("M");
    again.count("M");
    const int R = again.count("M");
    again.count("M");
    for (int r = 0; r < R; ++r) ends.push_back(again.count("M"));
    if (ends.empty() ? rows != 0 : ends.back() != rows) again.fail("M", fmt::format("its blocks do not end at {}", rows));
  }
  TextReader in(file, text);
  Sparse M = in.matrix("M");
  const int n = static_cast<int>(M.rows());
  need_square(in, M, n);
  const Eigen::VectorXd q = in.vector("q", n);
  std::vector<ConstraintBlock> blocks;
  std::vector<int> row_of(at(n));
  for (std::size_t b = 0; b < ends.size(); ++b) {
    ConstraintBlock block;
    block.row = b == 0 ? 0 : ends[b - 1];
    block.rows = ends[b] - block.row;
    const long kind = in.integer("kind of a block");
    if (block.rows < 1) in.fail("M", fmt::format("block row {} is empty", b));
    if (kind != 2 && kind != 0 && kind != 4)
      in.fail("kind of a block", fmt::format("{} is unknown", kind), "2 equality, 0 complementarity, 4 contact");
    if (kind == 0) block.set = SetKind::nonnegative;
    if (kind == 4) {
      if (block.rows != 3) in.fail("kind of a block", fmt::format("a contact has {} rows instead of 3", block.rows));
      block.kind = ConstraintKind::contact;
      block.set = SetKind::cone;
      block.friction = in.number("mu");
      if (block.friction < 0) in.fail("mu", fmt::format("{} is below zero", block.friction));
    }
    for (int i = 0; i < block.rows; ++i) row_of[at(block.row + i)] = block.row + (kind == 4 ? row_of_file_row(i, 3) : i);
    blocks.push_back(block);
  }
  if (!in.only_space_left()) in.fail("end", "more follows than the kinds of the blocks");
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < n; ++j)
    for (Sparse::InnerIterator it(M, j); it; ++it)
      entries.emplace_back(row_of[at(static_cast<int>(it.row()))], row_of[at(j)], it.value());
  Sparse G(n, n);
  G.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd g(n);
  for (int i = 0; i < n; ++i) g[row_of[at(i)]] = q[i];
  ContactProblem problem = dual_problem(std::move(G), std::move(g));
  problem.blocks = std::move(blocks);
  return problem;
}

std::string gmp_text(const ContactProblem& problem, const std::string& file) {
  const int n = problem.rows();
  std::vector<int> ends, row_of(at(n));  // the file's row of each of ours
  std::string kinds;
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const ConstraintBlock& block = problem.blocks[at(b)];
    const bool contact = block.set == SetKind::cone;
    if (contact ? block.rows != 3 : block.set != SetKind::bilateral && block.set != SetKind::nonnegative)
      refuse(file, problem.block_name(b),
             fmt::format("a {} of {} rows has no place in a GMP", to_string(block.set), block.rows),
             "condyle holds everything");
    ends.push_back(block.row + block.rows);
    for (int i = 0; i < block.rows; ++i) row_of[at(block.row + (contact ? row_of_file_row(i, 3) : i))] = block.row + i;
    kinds += contact ? fmt::format("4\n{}\n", shortest(block.friction)) : block.set == SetKind::bilateral ? "2\n" : "0\n";
  }
  const DualForm dual = dual_form(problem, file);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < n; ++j)
    for (Sparse::InnerIterator it(dual.G, j); it; ++it)
      entries.emplace_back(row_of[at(static_cast<int>(it.row()))], row_of[at(j)], it.value());
  Sparse M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  std::string out;
  put_matrix(out, M, MatrixStorage::blocks, ends, ends);
  Eigen::VectorXd q(n);
  for (int i = 0; i < n; ++i) q[row_of[at(i)]] = dual.g[i];
  put_line(out, q);
  return out + kinds;
}

ContactProblem read_boxed_lcp(const std::string& file, const std::string& text) {
  TextReader in(file, text);
  const int n = in.count("n");
  const Eigen::MatrixXd A = in.rows("A", n, n);
  const Eigen::VectorXd b = in.vector("b", n);
  Eigen::VectorXd lo(n), hi(n);
  for (int i = 0; i < n; ++i) lo[i] = in.number_or_infinity("lo");
  for (int i = 0; i < n; ++i) hi[i] = in.number_or_infinity("hi");
  ContactProblem problem = dual_problem(A.sparseView(0.0, 0.0), -b);
  std::vector<bool> is_normal(at(n), false);
  for (int i = 0; i < n; ++i) {
    const long k = in.integer("findex");
    if (k < -1 || k >= n || k == i) in.fail("findex", fmt::format("row {} has no normal {}", i, k));
    if (!(lo[i] <= hi[i])) in.fail("lo, hi", fmt::format("row {} has the bounds {} and {}", i, lo[i], hi[i]));
    if (k >= 0 && (!std::isfinite(lo[i]) || !std::isfinite(hi[i])))
      in.fail("lo, hi", fmt::format("the friction of row {} is infinite", i));
    const bool free = lo[i] == -infinity && hi[i] == infinity;
    const bool half = lo[i] == 0 && hi[i] == infinity;
    add_block(problem,
              k >= 0 ? SetKind::friction_box
              : free ? SetKind::bilateral
              : half ? SetKind::nonnegative
                     : SetKind::box,
              1);
    ConstraintBlock& block = problem.blocks.back();
    if (block.set == SetKind::box || k >= 0) {
      block.lower = lo[i];
      block.upper = hi[i];
    }
    if (k >= 0) {
      block.normal_row = static_cast<int>(k);
      is_normal[static_cast<std::size_t>(k)] = true;
    }
  }
  if (!in.only_space_left()) in.fail("end", "more numbers follow");
  for (int i = 0; i < n; ++i) {
    if (!is_normal[at(i)]) continue;
    if (problem.blocks[at(i)].set == SetKind::friction_box)
      in.fail("findex", fmt::format("row {} is friction and a normal", i));
    problem.blocks[at(i)].kind = ConstraintKind::contact;
  }
  return problem;
}

std::string boxed_lcp_text(const ContactProblem& problem, const std::string& file) {
  const int n = problem.rows();
  const DualForm dual = dual_form(problem, file);
  Eigen::VectorXd lo(n), hi(n);
  std::vector<int> findex(at(n), -1);
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const ConstraintBlock& block = problem.blocks[at(b)];
    if (block.set == SetKind::cone)
      refuse(file, problem.block_name(b), "a friction cone is not a box",
             "write a format that has cones; a pyramid would be another problem");
    for (int i = block.row; i < block.row + block.rows; ++i) {
      const bool bounded = block.set == SetKind::box || block.set == SetKind::friction_box;
      lo[i] = bounded ? block.lower : block.set == SetKind::nonnegative ? 0 : -infinity;
      hi[i] = bounded ? block.upper : infinity;
      if (block.set == SetKind::friction_box) findex[at(i)] = block.normal_row;
    }
  }
  std::string out = fmt::format("{}\n", n);
  const Eigen::MatrixXd A(dual.G);
  for (int i = 0; i < n; ++i) put_line(out, A.row(i).transpose());
  put_line(out, -dual.g);
  put_line(out, lo);
  put_line(out, hi);
  out += fmt::format("{}\n", fmt::join(findex, " "));
  return out;
}

}  // namespace condyle::files
