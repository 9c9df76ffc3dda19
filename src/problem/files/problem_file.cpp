#include <condyle/problem_file.hpp>

#include "problem/files/binary.hpp"
#include "problem/files/text.hpp"
#include "scene/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

namespace condyle {

namespace {

using Format = ProblemFormat;
namespace fs = std::filesystem;

struct Named {
  Format format;
  const char* name;
};
constexpr Named names[] = {{Format::condyle, "condyle"},
                           {Format::fclib_local, "fclib-local"},
                           {Format::fclib_global, "fclib-global"},
                           {Format::fclib_global_rolling, "fclib-global-rolling"},
                           {Format::siconos_local, "siconos-local"},
                           {Format::siconos_global, "siconos-global"},
                           {Format::siconos_rolling, "siconos-rolling"},
                           {Format::siconos_global_rolling, "siconos-global-rolling"},
                           {Format::lcp, "lcp"},
                           {Format::mlcp, "mlcp"},
                           {Format::gmp, "gmp"},
                           {Format::npz, "npz"},
                           {Format::boxed_lcp, "boxed-lcp"}};

std::string contents(const std::string& path) {
  std::error_code problem;
  if (fs::is_directory(path, problem)) throw Error("not-a-file", {path, 0, ""}, "this is a folder", "name a problem file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("no-file", {path, 0, ""}, "the file cannot be opened", "check its name and its permissions");
  std::string out{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw Error("cannot-read", {path, 0, ""}, "the file cannot be read to its end", "check the disk");
  return out;
}

std::string lower_name(const std::string& path) {
  std::string out = fs::path(path).filename().string();
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

/// What the name of a text file says; FORMAT's rule, because local and global files look alike.
Format text_format_of_name(const std::string& path) {
  const std::string name = lower_name(path);
  if (name.ends_with(".txt")) return Format::boxed_lcp;
  if (name.find("mlcp") != std::string::npos) return Format::mlcp;
  if (name.starts_with("lcp")) return Format::lcp;
  if (name.starts_with("gmp")) return Format::gmp;
  if (name.starts_with("grfc3d")) return Format::siconos_global_rolling;
  if (name.starts_with("rfc3d") || name.starts_with("rockfall")) return Format::siconos_rolling;
  if (name.starts_with("gfc3d") || name.starts_with("gfc2d"))
    return name.find("-condensed") == std::string::npos ? Format::siconos_global : Format::siconos_local;
  if (name.starts_with("fc3d") || name.starts_with("fc2d")) return Format::siconos_local;
  return Format::automatic;
}

/// For writing. HDF5 names do not tell local from global; the problem does.
Format format_of_name(const std::string& path, const ContactProblem& problem) {
  const std::string name = lower_name(path);
  if (name.ends_with(".condyle.h5")) return Format::condyle;
  if (name.ends_with(".npz")) return Format::npz;
  if (name.ends_with(".hdf5")) return problem.dual_only ? Format::fclib_local : Format::fclib_global;
  return text_format_of_name(path);
}

/// The whole numbers at the beginning, as many as there are up to `most`.
std::vector<long> leading_integers(const std::string& text, std::size_t most) {
  std::vector<long> out;
  const char *p = text.data(), *end = p + text.size();
  while (out.size() < most) {
    while (p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r'))) ++p;
    long value = 0;
    const auto [stop, problem] = std::from_chars(p, end, value);
    if (problem != std::errc() || (stop < end && *stop != ' ' && !(*stop >= '\t' && *stop <= '\r'))) break;
    out.push_back(value);
    p = stop;
  }
  return out;
}

/// For names that say nothing.
Format text_format_of_content(const std::string& text) {
  const std::vector<long> x = leading_integers(text, 6);
  if (x.size() < 4) return Format::automatic;
  const auto storage = [](long s) { return s >= 0 && s <= 2; };
  if (x.size() >= 5 && (x[0] == 2 || x[0] == 3 || x[0] == 5) && storage(x[2]) && x[3] == x[4] && x[1] >= 0) {
    const bool rolling = x[0] == 5;
    if (x[3] == x[0] * x[1]) return rolling ? Format::siconos_rolling : Format::siconos_local;
    if (x[1] > 0) return rolling ? Format::siconos_global_rolling : Format::siconos_global;
  }
  if (storage(x[1]) && x[0] == x[2] && x[0] == x[3]) return Format::lcp;
  if (x.size() >= 6 && x[0] == 1 && x[1] == x[2] && x[4] == x[5]) return Format::gmp;
  if (x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1 && x[0] + x[1] > 0) return Format::mlcp;
  return Format::automatic;
}

Format detect(const std::string& path, const std::string& bytes) {
  if (files::is_hdf5(bytes)) return files::hdf5_format(path, bytes);
  if (files::is_zip(bytes)) return Format::npz;
  Format out = text_format_of_name(path);
  if (out == Format::automatic) out = text_format_of_content(bytes);
  if (out == Format::automatic)
    throw Error("unknown-format", {path, 0, ""}, "neither the name nor the first bytes say what kind of problem this is",
                fmt::format("name the format, for example {}", to_string(Format::siconos_local)));
  return out;
}

ContactProblem read_as(Format format, const std::string& path, const std::string& bytes) {
  using namespace files;
  switch (format) {
    case Format::siconos_local: return read_siconos(path, bytes, false, false);
    case Format::siconos_global: return read_siconos(path, bytes, true, false);
    case Format::siconos_rolling: return read_siconos(path, bytes, false, true);
    case Format::siconos_global_rolling: return read_siconos(path, bytes, true, true);
    case Format::lcp: return read_lcp(path, bytes);
    case Format::mlcp: return read_mlcp(path, bytes);
    case Format::gmp: return read_gmp(path, bytes);
    case Format::boxed_lcp: return read_boxed_lcp(path, bytes);
    case Format::fclib_local:
    case Format::fclib_global:
    case Format::fclib_global_rolling: return read_fclib(path, bytes, format);
    case Format::condyle: return read_dump(path, bytes);
    case Format::npz: return read_npz(path, bytes);
    case Format::automatic: break;
  }
  throw Error("unknown-format", {path, 0, ""}, "no format is named");
}

std::string bytes_as(Format format, const ContactProblem& problem, const std::string& path, MatrixStorage storage) {
  using namespace files;
  switch (format) {
    case Format::siconos_local: return siconos_text(problem, path, false, false, storage);
    case Format::siconos_global: return siconos_text(problem, path, true, false, storage);
    case Format::siconos_rolling: return siconos_text(problem, path, false, true, storage);
    case Format::siconos_global_rolling: return siconos_text(problem, path, true, true, storage);
    case Format::lcp: return lcp_text(problem, path, storage);
    case Format::mlcp: return mlcp_text(problem, path, storage);
    case Format::gmp: return gmp_text(problem, path);
    case Format::boxed_lcp: return boxed_lcp_text(problem, path);
    case Format::fclib_local:
    case Format::fclib_global:
    case Format::fclib_global_rolling: return fclib_bytes(problem, path, format);
    case Format::condyle: return dump_bytes(problem, path);
    case Format::npz: return npz_bytes(problem, path);
    case Format::automatic: break;
  }
  throw Error("unknown-format", {path, 0, ""}, "no format is named");
}

}  // namespace

const char* to_string(ProblemFormat format) {
  for (const Named& named : names)
    if (named.format == format) return named.name;
  return "automatic";
}

const std::vector<ProblemFormat>& problem_formats() {
  static const std::vector<ProblemFormat> all = [] {
    std::vector<ProblemFormat> out;
    for (const Named& named : names) out.push_back(named.format);
    return out;
  }();
  return all;
}

ProblemFormat problem_format(const std::string& name) {
  std::vector<std::string> known;
  for (const Named& named : names) {
    if (name == named.name) return named.format;
    known.emplace_back(named.name);
  }
  throw Error("unknown-format", {"", 0, "format '" + name + "'"}, "there is no such format" + did_you_mean(name, known),
              fmt::format("it must be {}", fmt::join(known, ", ")));
}

ProblemFormat detect_problem_format(const std::string& path) { return detect(path, contents(path)); }

ContactProblem read_problem(const std::string& path, ProblemFormat format) {
  const std::string bytes = contents(path);
  if (format == Format::automatic) format = detect(path, bytes);
  ContactProblem problem = read_as(format, path, bytes);
  if (format != Format::condyle) problem.name = fs::path(path).stem().string();
  if (const std::string word = problem.defect(); !word.empty())
    throw Error("bad-problem", {path, 0, ""}, word, "use another copy of the file");
  return problem;
}

void write_problem(const ContactProblem& problem, const std::string& path, ProblemFormat format, MatrixStorage storage) {
  if (const std::string word = problem.defect(); !word.empty())
    throw Error("bad-problem", {path, 0, ""}, "the problem to be written does not fit together: " + word,
                "mend the problem first");
  if (format == Format::automatic) format = format_of_name(path, problem);
  if (format == Format::automatic)
    throw Error("unknown-format", {path, 0, ""}, "the name does not say in which format",
                "name a format, or end the name with .condyle.h5");
  const std::string bytes = bytes_as(format, problem, path, storage);
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out)
    throw Error("cannot-write", {path, 0, ""}, "the file cannot be written",
                "check its folder, its permissions and the room on the disk");
}

}  // namespace condyle
