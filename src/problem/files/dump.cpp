// Condyle's own dump: a ContactProblem member by member, so that a failing step can be sent to someone and solved again.
#include "problem/files/binary.hpp"
#include "problem/files/hdf5_tree.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace condyle::files {

namespace {

constexpr int version = 1;
const std::string root = "condyle_problem/";

/// One column of a table of structs.
template <class T, class F>
std::vector<int> column(const std::vector<T>& table, F member) {
  std::vector<int> out(table.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(member(table[i]));
  return out;
}

template <class T, class F>
std::vector<double> reals(const std::vector<T>& table, F member) {
  std::vector<double> out(table.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = member(table[i]);
  return out;
}

void put(Hdf5Writer& out, const char* path, const Eigen::VectorXd& x) {
  out.doubles(root + path, x.data(), static_cast<std::size_t>(x.size()));
}

void put_blocks(Hdf5Writer& out, const ContactProblem& problem) {
  const auto& b = problem.blocks;
  using B = ConstraintBlock;
  std::vector<std::string> kinds, sets;
  std::vector<std::uint64_t> ids;
  for (const B& block : b) {
    kinds.emplace_back(to_string(block.kind));
    sets.emplace_back(to_string(block.set));
    ids.push_back(block.id);
  }
  out.texts(root + "blocks/kind", kinds);
  out.texts(root + "blocks/set", sets);
  out.integers(root + "blocks/row", column(b, [](const B& x) { return x.row; }));
  out.integers(root + "blocks/rows", column(b, [](const B& x) { return x.rows; }));
  out.doubles(root + "blocks/friction", reals(b, [](const B& x) { return x.friction; }));
  out.doubles(root + "blocks/lower", reals(b, [](const B& x) { return x.lower; }));
  out.doubles(root + "blocks/upper", reals(b, [](const B& x) { return x.upper; }));
  out.integers(root + "blocks/normal_row", column(b, [](const B& x) { return x.normal_row; }));
  out.integers(root + "blocks/angular", column(b, [](const B& x) { return x.angular; }));
  out.naturals(root + "blocks/id", ids);
  out.doubles(root + "blocks/weight", reals(b, [](const B& x) { return x.weight; }));
  if (!problem.names.empty()) out.texts(root + "blocks/name", problem.names);
}

void put_jacobian(Hdf5Writer& out, const BlockJacobian& J) {
  using R = BlockJacobian::Run;
  using C = BlockJacobian::Carrier;
  using P = BlockJacobian::Part;
  out.integers(root + "J/size", {J.rows, J.columns});
  out.integers(root + "J/run_column", column(J.runs, [](const R& x) { return x.column; }));
  out.integers(root + "J/run_columns", column(J.runs, [](const R& x) { return x.columns; }));
  out.integers(root + "J/run_value", column(J.runs, [](const R& x) { return x.value; }));
  out.integers(root + "J/carrier_rows", column(J.carriers, [](const C& x) { return x.rows; }));
  out.integers(root + "J/carrier_run_begin", column(J.carriers, [](const C& x) { return x.run_begin; }));
  out.integers(root + "J/carrier_run_end", column(J.carriers, [](const C& x) { return x.run_end; }));
  out.integers(root + "J/part_carrier", column(J.parts, [](const P& x) { return x.carrier; }));
  out.integers(root + "J/part_row", column(J.parts, [](const P& x) { return x.row; }));
  out.integers(root + "J/part_rows", column(J.parts, [](const P& x) { return x.rows; }));
  out.integers(root + "J/part_x", column(J.parts, [](const P& x) { return x.x; }));
  out.doubles(root + "J/values", J.values);
}

/// Reads with the checks that Hdf5Reader leaves to its user; what fits together is ContactProblem::defect's to say.
struct DumpReader {
  const Hdf5Reader& in;

  std::vector<int> ints(const std::string& path, std::size_t n = nowhere) const {
    const std::vector<std::int64_t> x = in.integers(root + path);
    check_length(path, x.size(), n);
    std::vector<int> out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < std::numeric_limits<int>::min() || x[i] > std::numeric_limits<int>::max())
        in.fail(root + path, fmt::format("number {} is {}", i, x[i]));
      out[i] = static_cast<int>(x[i]);
    }
    return out;
  }
  std::vector<double> reals(const std::string& path, std::size_t n = nowhere) const {
    std::vector<double> x = in.doubles(root + path);
    check_length(path, x.size(), n);
    return x;
  }
  Eigen::VectorXd vector(const std::string& path) const {
    const std::vector<double> x = reals(path);
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  std::vector<std::string> texts(const std::string& path, std::size_t n = nowhere) const {
    std::vector<std::string> x = in.texts(root + path);
    check_length(path, x.size(), n);
    return x;
  }
  void check_length(const std::string& path, std::size_t found, std::size_t n) const {
    if (n != nowhere && found != n) in.fail(root + path, fmt::format("it has {} entries instead of {}", found, n));
  }
  template <class Kind>
  Kind kind(const std::string& path, const std::string& name, Kind last) const {
    for (int k = 0; k <= static_cast<int>(last); ++k)
      if (name == to_string(static_cast<Kind>(k))) return static_cast<Kind>(k);
    in.fail(root + path, fmt::format("'{}' is unknown", name.substr(0, 40)));
  }
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
};

void read_blocks(const DumpReader& in, ContactProblem& problem) {
  const std::vector<std::string> kinds = in.texts("blocks/kind");
  const std::size_t n = kinds.size();
  const auto sets = in.texts("blocks/set", n);
  const auto row = in.ints("blocks/row", n), rows = in.ints("blocks/rows", n), normal_row = in.ints("blocks/normal_row", n),
             angular = in.ints("blocks/angular", n);
  const auto friction = in.reals("blocks/friction", n), lower = in.reals("blocks/lower", n),
             upper = in.reals("blocks/upper", n), weight = in.reals("blocks/weight", n);
  const auto id = in.in.integers(root + "blocks/id");
  in.check_length("blocks/id", id.size(), n);
  problem.blocks.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    ConstraintBlock& b = problem.blocks[i];
    b.kind = in.kind("blocks/kind", kinds[i], ConstraintKind::other);
    b.set = in.kind("blocks/set", sets[i], SetKind::friction_box);
    b.row = row[i];
    b.rows = rows[i];
    b.friction = friction[i];
    b.lower = lower[i];
    b.upper = upper[i];
    b.normal_row = normal_row[i];
    b.angular = angular[i] != 0;
    b.id = static_cast<std::uint64_t>(id[i]);
    b.weight = weight[i];
  }
  if (in.in.has(root + "blocks/name")) problem.names = in.texts("blocks/name", n);
}

void read_jacobian(const DumpReader& in, BlockJacobian& J) {
  const auto size = in.ints("J/size", 2);
  J.rows = size[0];
  J.columns = size[1];
  const auto column = in.ints("J/run_column");
  const auto columns = in.ints("J/run_columns", column.size()), value = in.ints("J/run_value", column.size());
  for (std::size_t i = 0; i < column.size(); ++i) J.runs.push_back({column[i], columns[i], value[i]});
  const auto carrier_rows = in.ints("J/carrier_rows");
  const auto run_begin = in.ints("J/carrier_run_begin", carrier_rows.size()),
             run_end = in.ints("J/carrier_run_end", carrier_rows.size());
  for (std::size_t i = 0; i < carrier_rows.size(); ++i) J.carriers.push_back({carrier_rows[i], run_begin[i], run_end[i]});
  const auto carrier = in.ints("J/part_carrier");
  const auto row = in.ints("J/part_row", carrier.size()), rows = in.ints("J/part_rows", carrier.size()),
             x = in.ints("J/part_x", carrier.size());
  for (std::size_t i = 0; i < carrier.size(); ++i) J.parts.push_back({carrier[i], row[i], rows[i], x[i]});
  J.values = in.reals("J/values");
}

void read_delassus(const DumpReader& in, ContactProblem& problem) {
  problem.g = in.vector("g");
  const auto m = static_cast<int>(problem.g.size());
  const auto p = in.ints("G/p", static_cast<std::size_t>(m) + 1), i = in.ints("G/i");
  const auto x = in.reals("G/x", i.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < m; ++j) {
    const int from = p[static_cast<std::size_t>(j)], to = p[static_cast<std::size_t>(j) + 1];
    if (from < 0 || from > to || static_cast<std::size_t>(to) > i.size())
      in.in.fail(root + "G/p", fmt::format("pointer {} is {}", j + 1, to));
    for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k) {
      if (i[k] < 0 || i[k] >= m) in.in.fail(root + "G/i", fmt::format("there is no row {}", i[k]));
      entries.emplace_back(i[k], j, x[k]);
    }
  }
  problem.G.resize(m, m);
  problem.G.setFromTriplets(entries.begin(), entries.end());
}

}  // namespace

std::string dump_bytes(const ContactProblem& problem, const std::string& file) {
  Hdf5Writer out(file);
  out.integers(root + "version", {version});
  out.texts(root + "name", {problem.name});
  out.doubles(root + "dt", &problem.dt, 1);
  put(out, "bias", problem.bias);
  put(out, "compliance", problem.compliance);
  put_blocks(out, problem);
  if (problem.dual_only) {
    Sparse G = problem.G;
    G.makeCompressed();
    out.integers(root + "G/p", std::vector<int>(G.outerIndexPtr(), G.outerIndexPtr() + G.cols() + 1));
    out.integers(root + "G/i", std::vector<int>(G.innerIndexPtr(), G.innerIndexPtr() + G.nonZeros()));
    out.doubles(root + "G/x", G.valuePtr(), static_cast<std::size_t>(G.nonZeros()));
    put(out, "g", problem.g);
    return out.bytes();
  }
  out.integers(root + "A/begin", problem.A.begin);
  out.integers(root + "A/value", problem.A.value);
  out.doubles(root + "A/values", problem.A.values);
  put(out, "v_free", problem.v_free);
  if (problem.momentum.size() > 0) put(out, "momentum", problem.momentum);
  put_jacobian(out, problem.J);
  return out.bytes();
}

ContactProblem read_dump(const std::string& file, const std::string& bytes) {
  const Hdf5Reader reader(file, bytes);
  const DumpReader in{reader};
  if (!reader.has("condyle_problem")) reader.fail("condyle_problem", "it is missing");
  if (const int found = in.ints("version", 1)[0]; found != version)
    throw Error("unknown-format", {file, 0, root + "version"},
                fmt::format("version {} of the dump is not known here", found), "use a Condyle that is as new as the file");
  ContactProblem problem;
  problem.name = in.texts("name", 1)[0];
  problem.dt = in.reals("dt", 1)[0];
  problem.bias = in.vector("bias");
  problem.compliance = in.vector("compliance");
  read_blocks(in, problem);
  if (reader.has(root + "G")) {
    problem.dual_only = true;
    read_delassus(in, problem);
    return problem;
  }
  problem.A.begin = in.ints("A/begin");
  problem.A.value = in.ints("A/value");
  problem.A.values = in.reals("A/values");
  if (problem.A.begin.empty()) reader.fail(root + "A/begin", "it is empty");
  problem.v_free = in.vector("v_free");
  if (reader.has(root + "momentum")) problem.momentum = in.vector("momentum");
  read_jacobian(in, problem.J);
  return problem;
}

}  // namespace condyle::files
