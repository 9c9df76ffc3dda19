#include "problem/files/binary.hpp"
#include "problem/files/hdf5_tree.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace condyle::files {

namespace {

constexpr std::int64_t largest_int = std::numeric_limits<int>::max();

std::int64_t scalar(const Hdf5Reader& in, const std::string& path) {
  const std::vector<std::int64_t> x = in.integers(path);
  if (x.size() != 1) in.fail(path, fmt::format("it has {} numbers instead of 1", x.size()));
  return x[0];
}

Eigen::VectorXd vector(const Hdf5Reader& in, const std::string& path) {
  const std::vector<double> x = in.doubles(path);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i])) in.fail(path, fmt::format("number {} is {}", i, x[i]));
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Sparse matrix(const Hdf5Reader& in, const std::string& path, std::size_t file_bytes) {
  const std::int64_t m = scalar(in, path + "/m"), n = scalar(in, path + "/n"), nz = scalar(in, path + "/nz");
  // every row and column has a number of its own in the vectors
  if (m < 0 || n < 0 || m > static_cast<std::int64_t>(file_bytes) || n > static_cast<std::int64_t>(file_bytes) ||
      m > largest_int || n > largest_int)
    in.fail(path, fmt::format("{} by {} is absurd in a file of {} bytes", m, n, file_bytes));
  const std::vector<std::int64_t> p = in.integers(path + "/p"), i = in.integers(path + "/i");
  const std::vector<double> x = in.doubles(path + "/x");
  std::vector<Eigen::Triplet<double>> entries;
  auto put = [&](std::int64_t row, std::int64_t column, double value) {
    if (row < 0 || row >= m || column < 0 || column >= n)
      in.fail(path, fmt::format("there is no place ({}, {}) in {} by {}", row, column, m, n));
    if (!std::isfinite(value)) in.fail(path, fmt::format("its entry ({}, {}) is {}", row, column, value));
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  };
  if (nz >= 0) {
    const auto count = static_cast<std::size_t>(nz);
    if (i.size() < count || p.size() < count || x.size() < count) in.fail(path, fmt::format("{} entries are not there", nz));
    for (std::size_t k = 0; k < count; ++k) put(i[k], p[k], x[k]);
  } else if (nz == -1 || nz == -2) {
    const std::int64_t lines = nz == -1 ? n : m;
    if (static_cast<std::int64_t>(p.size()) < lines + 1 || p[0] != 0)
      in.fail(path + "/p", fmt::format("there are not {} pointers from 0 on", lines + 1));
    for (std::int64_t l = 0; l < lines; ++l) {
      const std::int64_t from = p[static_cast<std::size_t>(l)], to = p[static_cast<std::size_t>(l) + 1];
      if (from > to || from < 0 || to > static_cast<std::int64_t>(std::min(i.size(), x.size())))
        in.fail(path + "/p", fmt::format("pointer {} is {}", l + 1, to));
      for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k)
        nz == -1 ? put(i[k], l, x[k]) : put(l, i[k], x[k]);
    }
  } else {
    in.fail(path + "/nz", fmt::format("there is no storage {}", nz));
  }
  Sparse out(static_cast<int>(m), static_cast<int>(n));
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

void put_matrix(Hdf5Writer& out, const std::string& path, Sparse A) {
  A.makeCompressed();
  const auto nnz = static_cast<std::size_t>(A.nonZeros());
  out.integers(path + "/m", {static_cast<int>(A.rows())});
  out.integers(path + "/n", {static_cast<int>(A.cols())});
  out.integers(path + "/nzmax", {static_cast<int>(nnz)});
  out.integers(path + "/nz", {-1});
  out.integers(path + "/p", std::vector<int>(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1));
  out.integers(path + "/i", std::vector<int>(A.innerIndexPtr(), A.innerIndexPtr() + nnz));
  out.doubles(path + "/x", A.valuePtr(), nnz);
}

void put_vector(Hdf5Writer& out, const std::string& path, const Eigen::VectorXd& x) {
  out.doubles(path, x.data(), static_cast<std::size_t>(x.size()));
}

const char* root_of(ProblemFormat format) {
  return format == ProblemFormat::fclib_local    ? "fclib_local"
         : format == ProblemFormat::fclib_global ? "fclib_global"
                                                 : "fclib_global_rolling";
}

}  // namespace

bool is_hdf5(const std::string& bytes) { return bytes.compare(0, 4, "\x89HDF") == 0; }

ProblemFormat hdf5_format(const std::string& file, const std::string& bytes) {
  const std::vector<std::string> groups = Hdf5Reader(file, bytes).names("");
  for (const std::string& group : groups) {
    for (const ProblemFormat format :
         {ProblemFormat::fclib_local, ProblemFormat::fclib_global, ProblemFormat::fclib_global_rolling})
      if (group == root_of(format)) return format;
    if (group == "condyle_problem") return ProblemFormat::condyle;
  }
  throw Error("unknown-format", {file, 0, "root group"},
              fmt::format("this HDF5 file holds no contact problem but '{}'", fmt::join(groups, "', '")),
              "fclib_local, fclib_global, fclib_global_rolling and condyle_problem are known");
}

ContactProblem read_fclib(const std::string& file, const std::string& bytes, ProblemFormat format) {
  const Hdf5Reader in(file, bytes);
  const std::string root = root_of(format), vectors = root + "/vectors/";
  if (!in.has(root)) in.fail(root, "it is missing");
  const bool rolling = format == ProblemFormat::fclib_global_rolling;
  const std::int64_t d = scalar(in, root + "/spacedim");
  if (rolling ? d != 5 : d != 2 && d != 3)
    in.fail(root + "/spacedim", fmt::format("contacts have {} rows instead of {}", d, rolling ? "5" : "2 or 3"));
  auto need_contacts = [&](const std::string& path, const Eigen::VectorXd& mu, Eigen::Index rows) {
    if (mu.size() * d != rows) in.fail(path, fmt::format("{} contacts of {} rows do not make {}", mu.size(), d, rows));
  };
  if (format == ProblemFormat::fclib_local) {
    LocalForm form;
    form.d = static_cast<int>(d);
    form.W = matrix(in, root + "/W", bytes.size());
    form.q = vector(in, vectors + "q");
    form.mu = vector(in, vectors + "mu");
    need_contacts(vectors + "mu", form.mu, form.q.size());
    if (in.has(root + "/V") != in.has(root + "/R")) in.fail(root, "of the bilateral part V, R one is missing");
    if (in.has(root + "/V")) {
      form.V = matrix(in, root + "/V", bytes.size());
      form.R = matrix(in, root + "/R", bytes.size());
      form.s = vector(in, vectors + "s");
    }
    return to_problem(form, file);
  }
  GlobalForm form;
  form.d = static_cast<int>(d);
  form.M = matrix(in, root + "/M", bytes.size());
  form.H = matrix(in, root + "/H", bytes.size());
  form.f = vector(in, vectors + "f");
  form.w = vector(in, vectors + "w");
  form.mu = vector(in, vectors + "mu");
  need_contacts(vectors + "mu", form.mu, form.w.size());
  if (form.H.cols() != form.w.size())
    in.fail(root + "/H", fmt::format("it has {} columns instead of {}", form.H.cols(), form.w.size()));
  if (in.has(root + "/G")) {
    form.G = matrix(in, root + "/G", bytes.size());
    form.b = vector(in, vectors + "b");
  }
  if (rolling) drop_rolling(form);
  return to_problem(form, file);
}

std::string fclib_bytes(const ContactProblem& problem, const std::string& file, ProblemFormat format) {
  const std::string root = root_of(format), vectors = root + "/vectors/";
  const bool rolling = format == ProblemFormat::fclib_global_rolling;
  if (format == ProblemFormat::fclib_local) {
    const LocalForm form = local_form(problem, file);
    Hdf5Writer out(file);
    out.integers(root + "/spacedim", {form.d});
    put_matrix(out, root + "/W", form.W);
    put_vector(out, vectors + "q", form.q);
    put_vector(out, vectors + "mu", form.mu);
    if (form.s.size() > 0) {
      put_matrix(out, root + "/V", form.V);
      put_matrix(out, root + "/R", form.R);
      put_vector(out, vectors + "s", form.s);
    }
    out.texts(root + "/info/title", {problem.name});
    return out.bytes();
  }
  GlobalForm form = global_form(problem, file);
  if (rolling) {
    if (form.d != 3)
      refuse(file, "contacts", "rolling friction is for contacts of three rows", "write a format without rolling");
    if (form.b.size() > 0) refuse(file, "bilateral rows", "the rolling format has none", "write fclib-global or condyle");
    add_rolling(form);
  }
  Hdf5Writer out(file);
  out.integers(root + "/spacedim", {form.d});
  put_matrix(out, root + "/M", form.M);
  put_matrix(out, root + "/H", form.H);
  put_vector(out, vectors + "f", form.f);
  put_vector(out, vectors + "w", form.w);
  put_vector(out, vectors + "mu", form.mu);
  if (rolling) put_vector(out, vectors + "mu_r", Eigen::VectorXd::Zero(form.mu.size()));
  if (form.b.size() > 0) {
    put_matrix(out, root + "/G", form.G);
    put_vector(out, vectors + "b", form.b);
  }
  out.texts(root + "/info/title", {problem.name});
  return out.bytes();
}

}  // namespace condyle::files
