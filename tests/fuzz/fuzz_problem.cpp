// fuzz_problem COUNT SEED: damages problem files of every format and reads them. Anything but a condyle::Error that comes
// out, a problem with a defect, and any file that takes more than a second, ends the program with 1.
#include <condyle/error.hpp>
#include <condyle/problem_file.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "fuzz/mutate.hpp"

namespace condyle::fuzz {
namespace {

namespace fs = std::filesystem;
const std::vector<std::string> tokens = {"0",     "1",           "2",   "3", "-1",       "nan",     "inf",
                                         "1e308", "99999999999", "col", ":", "triplet:", "CSparse", "\n"};

struct Original {
  ProblemFormat format;
  std::string bytes;
};

std::string read_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// Two bodies of two coupled velocities each, two contacts.
const char* global_text =
    "3 2\n0 4 4\n4 4\n2 1 0 0 1 2 0 0 0 0 3 0.5 0 0 0.5 3\n0 4 6\n4 6\n1 0 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0 0 0 1 1 0 0 -1\n"
    "1 -2 3 -4\n-1 0.5 0.25 -1 0 0\n0.5 0.7\n";
const char* lcp_text = "2 0 2 2 2 2 2 1 1 2 -1 -2\n";
const char* mlcp_text = "1 1 1 1\n0 1 2\n0 1\n0 2 2 2 2 1 3 2 4\n5 6\n1\n4\n2\n3\n5\n6\n";
const char* boxed_text = "3\n1 0 0\n0 1 0\n0 0 1\n7 8 9\n0 -0.5 -2\ninf 0.5 3\n-1 0 -1\n";

std::vector<Original> originals(const fs::path& folder) {
  const fs::path file = folder / "whole";
  std::vector<Original> out;
  auto from = [&](const char* text, ProblemFormat format, const std::vector<ProblemFormat>& into) {
    write_bytes(file, text);
    const ContactProblem problem = read_problem(file, format);
    for (const ProblemFormat other : into)
      for (const MatrixStorage storage : {MatrixStorage::dense, MatrixStorage::blocks, MatrixStorage::sparse}) {
        write_problem(problem, file, other, storage);
        out.push_back({other, read_bytes(file)});
      }
  };
  from(global_text, ProblemFormat::siconos_global,
       {ProblemFormat::condyle, ProblemFormat::fclib_local, ProblemFormat::fclib_global, ProblemFormat::fclib_global_rolling,
        ProblemFormat::siconos_local, ProblemFormat::siconos_global, ProblemFormat::siconos_rolling,
        ProblemFormat::siconos_global_rolling, ProblemFormat::gmp, ProblemFormat::npz});
  from(lcp_text, ProblemFormat::lcp, {ProblemFormat::lcp, ProblemFormat::condyle});
  from(mlcp_text, ProblemFormat::mlcp, {ProblemFormat::mlcp});
  from(boxed_text, ProblemFormat::boxed_lcp, {ProblemFormat::boxed_lcp, ProblemFormat::condyle});
  return out;
}

void overwrite_words(std::string& bytes, Mutator& mutator) {
  for (std::size_t k = 0; k <= mutator.pick(8); ++k) {
    const std::uint64_t power = std::uint64_t{1} << mutator.pick(64);
    const std::uint64_t words[] = {power, power - 1, ~power + 1, mutator.pick(100), mutator.pick(bytes.size())};
    const std::uint64_t word = words[mutator.pick(5)];
    if (bytes.size() > sizeof word)
      std::memcpy(bytes.data() + mutator.pick(bytes.size() - sizeof word), &word, 1 + mutator.pick(sizeof word));
  }
}

int run(std::uint64_t count, std::uint64_t seed) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("fuzz_problem_{}", ::getpid());
  fs::create_directories(folder);
  const fs::path file = folder / "damaged";
  const std::vector<Original> whole = originals(folder);
#ifndef __SANITIZE_ADDRESS__  // which claims terabytes of addresses
  const rlimit most{rlim_t{2} << 30, rlim_t{2} << 30};
  ::setrlimit(RLIMIT_AS, &most);
#endif
  std::uint64_t refused = 0, read = 0;
  double slowest = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Mutator mutator(seed * 1000003 + i);
    const Original& original = whole[mutator.pick(whole.size())];
    std::string bytes = original.bytes;
    const bool binary = bytes.find('\0') != std::string::npos;
    if (binary && mutator.pick(3) != 0)
      overwrite_words(bytes, mutator);
    else
      bytes = mutator.mutate(bytes, tokens);
    write_bytes(file, bytes);
    const std::clock_t begin = std::clock();
    std::string trouble;
    try {
      const ContactProblem problem = read_problem(file, mutator.pick(4) == 0 ? ProblemFormat::automatic : original.format);
      trouble = problem.defect();
      ++read;
    } catch (const Error& error) {
      ++refused;
      if (error.place().file.empty()) trouble = fmt::format("an error without a file: {}", error.what());
    } catch (const std::exception& escaped) {
      trouble = fmt::format("{} came out", escaped.what());
    }
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    slowest = std::max(slowest, took);
    if (took > 1) trouble += fmt::format(" took {} s", took);
    if (trouble.empty()) continue;
    fmt::print(stderr, "input {} of seed {}, {}: {}; the file is {}\n", i, seed, to_string(original.format), trouble,
               file.string());
    return 1;
  }
  fs::remove_all(folder);
  fmt::print("{} inputs: {} refused, {} read; slowest {:.1f} ms\n", count, refused, read, 1e3 * slowest);
  return 0;
}

}  // namespace
}  // namespace condyle::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "fuzz_problem COUNT SEED\n");
    return 2;
  }
  return condyle::fuzz::run(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10));
}
