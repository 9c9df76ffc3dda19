// numpy archives as contactbench has them: G, g, mus; contacts are (T1, T2, N) like ours.
#include "problem/files/binary.hpp"
#include "problem/files/zip.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace condyle::files {

namespace {

struct Array {
  std::vector<std::size_t> shape;
  std::vector<double> values;  ///< row by row
};

/// The text behind 'key': up to the comma or the closing bracket.
std::string entry(const std::string& header, const std::string& key) {
  const std::size_t place = header.find("'" + key + "':");
  if (place == std::string::npos) return {};
  std::size_t begin = header.find_first_not_of(' ', place + key.size() + 3);
  if (begin == std::string::npos) return {};
  const char open = header[begin];
  const std::size_t end = open == '('    ? header.find(')', begin)
                          : open == '\'' ? header.find('\'', begin + 1)
                                         : header.find_first_of(",}", begin);
  if (end == std::string::npos) return {};
  return open == '(' || open == '\'' ? header.substr(begin + 1, end - begin - 1) : header.substr(begin, end - begin);
}

double real(const char* bytes, const std::string& type) {
  auto as = [&]<class T>(T value) {
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  };
  if (type == "<f8") return as(double{});
  if (type == "<f4") return as(float{});
  if (type == "<i8") return as(std::int64_t{});
  return as(std::int32_t{});
}

Array read_array(const std::string& file, const std::map<std::string, std::string>& members, const std::string& name) {
  const auto found = members.find(name + ".npy");
  auto fail = [&](const std::string& reason) {
    refuse(file, name + ".npy", reason, "save G, g and mus with numpy.savez as little-endian float64");
  };
  if (found == members.end()) fail("it is missing");
  const std::string& bytes = found->second;
  if (bytes.size() < 12 || bytes.compare(0, 6, "\x93NUMPY") != 0) fail("this is not a numpy array");
  const bool first = bytes[6] == 1;
  auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t start = first ? 10 : 12;
  const std::size_t length = byte(8) | byte(9) << 8 | (first ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > bytes.size() - start) fail("its header is longer than it");
  const std::string header = bytes.substr(start, length), type = entry(header, "descr"),
                    order = entry(header, "fortran_order");
  if (type != "<f8" && type != "<f4" && type != "<i8" && type != "<i4")
    fail(fmt::format("its type '{}' is not read", type.substr(0, 20)));
  if (order != "False" && order != "True") fail("its header does not say in which order it is");

  Array out;
  std::size_t count = 1;
  const std::string shape = entry(header, "shape");
  for (std::size_t i = 0; i < shape.size();) {
    if (shape[i] == ' ' || shape[i] == ',') {
      ++i;
      continue;
    }
    std::size_t extent = 0;
    const std::size_t begin = i;
    for (; i < shape.size() && shape[i] >= '0' && shape[i] <= '9'; ++i) {
      extent = 10 * extent + static_cast<std::size_t>(shape[i] - '0');
      if (extent > bytes.size()) fail("its shape is absurd");
    }
    if (i == begin || (extent != 0 && count > bytes.size() / extent)) fail("its shape is absurd");
    count *= extent;
    out.shape.push_back(extent);
  }
  const std::size_t width = type[2] == '8' ? 8 : 4;
  if ((bytes.size() - start - length) / width < count) fail(fmt::format("{} numbers are not there", count));
  out.values.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    out.values[i] = real(bytes.data() + start + length + i * width, type);
    if (!std::isfinite(out.values[i])) fail(fmt::format("number {} is {}", i, out.values[i]));
  }
  if (order == "True" && out.shape.size() == 2) {
    const std::vector<double> columns = out.values;
    for (std::size_t i = 0; i < out.shape[0]; ++i)
      for (std::size_t j = 0; j < out.shape[1]; ++j) out.values[i * out.shape[1] + j] = columns[j * out.shape[0] + i];
  }
  return out;
}

std::string npy(const std::string& shape, const std::vector<double>& values) {
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape);
  header.resize((10 + header.size()) / 64 * 64 + 64 - 11, ' ');  // with the line's end: data begin at a multiple of 64
  header += '\n';
  std::string out = "\x93NUMPY\x01";
  out += '\0';
  out += static_cast<char>(header.size() & 255);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return out;
}

static_assert(std::endian::native == std::endian::little);

}  // namespace

bool is_zip(const std::string& bytes) { return bytes.compare(0, 4, "PK\x03\x04") == 0; }

ContactProblem read_npz(const std::string& file, const std::string& bytes) {
  const auto members = unzip(file, bytes);
  const Array G = read_array(file, members, "G"), g = read_array(file, members, "g"), mus = read_array(file, members, "mus");
  const std::size_t nc = mus.values.size(), m = 3 * nc;
  const char* cure = "with nc numbers in mus, G is 3 nc by 3 nc and g has 3 nc numbers";
  if (g.values.size() != m) refuse(file, "g.npy", fmt::format("it has {} numbers instead of {}", g.values.size(), m), cure);
  if (G.shape != std::vector<std::size_t>{m, m})
    refuse(file, "G.npy", fmt::format("its shape is ({}) instead of ({}, {})", fmt::join(G.shape, ", "), m, m), cure);
  const auto n = static_cast<Eigen::Index>(m);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd full = Eigen::Map<const RowMajor>(G.values.data(), n, n);
  ContactProblem problem = dual_problem(full.sparseView(0.0, 0.0), Eigen::Map<const Eigen::VectorXd>(g.values.data(), n));
  for (std::size_t c = 0; c < nc; ++c) {
    ConstraintBlock block;
    block.kind = ConstraintKind::contact;
    block.set = SetKind::cone;
    block.row = static_cast<int>(3 * c);
    block.rows = 3;
    block.friction = mus.values[c];
    problem.blocks.push_back(block);
  }
  return problem;
}

std::string npz_bytes(const ContactProblem& problem, const std::string& file) {
  std::vector<double> mus;
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const ConstraintBlock& block = problem.blocks[static_cast<std::size_t>(b)];
    if (block.set != SetKind::cone || block.rows != 3)
      refuse(file, problem.block_name(b),
             fmt::format("a {} of {} rows has no place in this format", to_string(block.set), block.rows),
             "it knows contacts of three rows; condyle holds everything");
    mus.push_back(block.friction);
  }
  const DualForm dual = dual_form(problem, file);
  const Eigen::MatrixXd columns = Eigen::MatrixXd(dual.G).transpose();  // row-major in the file
  const int m = problem.rows();
  return zip({{"G.npy", npy(fmt::format("({}, {})", m, m), {columns.data(), columns.data() + columns.size()})},
              {"g.npy", npy(fmt::format("({}, 1)", m), {dual.g.data(), dual.g.data() + m})},
              {"mus.npy", npy(fmt::format("({},)", mus.size()), mus)}});
}

}  // namespace condyle::files
