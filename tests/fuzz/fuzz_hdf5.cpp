// fuzz_hdf5 COUNT SEED: damages recordings and state files and reads them. Anything but a condyle::Error that comes out,
// and any file that takes more than a second, ends the program with 1 and names the number of the input.
#include <condyle/error.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

#include "fuzz/mutate.hpp"
#include "record/checksum.hpp"
#include "record/layout.hpp"
#include "record/some_recording.hpp"

namespace condyle::fuzz {
namespace {

using namespace condyle::testing;
constexpr std::size_t head_bytes = 64;
constexpr std::uint64_t identity = 0x0123456789ABCDEFull;
const std::vector<std::string> tokens = {
    "/q", "/v", "/time", "/report/residual", "\"shape\":[", "\"at\":", "f64", "i32", "labels", "sum", "{", "[",
    "]",  "}",  "null"};

std::string make_recording(const std::string& file, bool killed) {
  const Scene scene = scene_of_free_bodies(1, identity);
  Recorder recorder(file, scene, {}, {.expected_frames = killed ? 64u : 33u});
  record_steps(recorder, scene, 32);
  recorder.flush();
  if (!killed) recorder.close();
  return read_bytes(file);
}

/// Words that sizes, counts and places turn into when they go wrong.
std::uint64_t nasty_word(Mutator& mutator) {
  const std::uint64_t word = std::uint64_t{1} << mutator.pick(64);
  switch (mutator.pick(4)) {
    case 0: return word;
    case 1: return word - 1;
    case 2: return ~word + 1;
    default: return mutator.pick(100);
  }
}

void overwrite_words(std::string& bytes, Mutator& mutator) {
  for (std::size_t k = 0; k <= mutator.pick(8); ++k) {
    const std::uint64_t word = nasty_word(mutator);
    // Half of them in the first bytes, where the sizes are.
    const std::size_t reach = mutator.pick(2) == 0 ? std::size_t{128} : bytes.size();
    std::memcpy(bytes.data() + mutator.pick(reach - sizeof word), &word, 1 + mutator.pick(sizeof word));
  }
}

std::size_t directory_end(const std::string& bytes) { return bytes.find('\0', head_bytes); }

/// Damages the directory and makes its checksum right again, so that the damage is met by what comes after.
std::string damage_directory(const std::string& good, Mutator& mutator) {
  const std::string directory = mutator.mutate(good.substr(head_bytes, directory_end(good) - head_bytes), tokens);
  std::string block(record::user_block, '\0');
  const std::size_t size = std::min(directory.size(), block.size() - head_bytes);
  block.replace(head_bytes, size, directory, 0, size);
  record::seal(block, size, mutator.pick(2) == 0);
  return block + good.substr(record::user_block);
}

/// The same for the description, whose checksum is a number in the directory.
std::string damage_description(const std::string& good, Mutator& mutator) {
  const std::size_t from = good.find("{\n \"name\"", record::user_block), to = good.find("\n}", from) + 2;
  const std::string old = good.substr(from, to - from);
  std::string text = mutator.mutate(old, tokens);
  text.resize(old.size(), ' ');
  std::string bytes = good;
  bytes.replace(from, text.size(), text);

  const std::string sum = "\"sum\":" + std::to_string(record::checksum(old.data(), old.size()));
  std::string block = bytes.substr(0, record::user_block);
  const std::size_t at = block.find(sum);
  if (at == std::string::npos) throw std::logic_error("the directory has no checksum of the description");
  block.replace(at, sum.size(), "\"sum\":" + std::to_string(record::checksum(text.data(), text.size())));
  block.resize(record::user_block, '\0');
  record::seal(block, directory_end(block) - head_bytes, true);
  return block + bytes.substr(record::user_block);
}

std::string damage_recording(const std::string& good, Mutator& mutator) {
  std::string bytes = good;
  switch (mutator.pick(5)) {
    case 0: return mutator.mutate(good, tokens);
    case 1: overwrite_words(bytes, mutator); return bytes;
    case 2: return good.substr(0, mutator.pick(good.size()));
    case 3: return damage_description(good, mutator);
    default: return damage_directory(good, mutator);
  }
}

std::string damage_state(const std::string& good, Mutator& mutator) {
  std::string bytes = good;
  switch (mutator.pick(3)) {
    case 0: return mutator.mutate(good, tokens);
    case 1: overwrite_words(bytes, mutator); return bytes;
    default: break;
  }
  overwrite_words(bytes, mutator);
  const std::uint64_t sum = record::checksum(bytes.data(), bytes.size() - sizeof(std::uint64_t));
  std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
  return bytes;
}

/// Reads all frames and columns one by one, so that one damaged frame does not hide the others.
bool read_recording(const std::string& file) {
  bool whole = true;
  auto attempt = [&](const std::function<void()>& read) {
    try {
      read();
    } catch (const Error&) {
      whole = false;
    }
  };
  attempt([&] {
    const Recording recording(file);
    for (std::uint64_t i = 0; i < recording.info().frames; ++i) {
      attempt([&] { recording.state(i); });
      attempt([&] { recording.control(i); });
    }
    for (const std::string& name : recording.columns()) attempt([&] { recording.column(name); });
  });
  return whole;
}

bool read_state(const std::string& file) {
  try {
    restore(file, identity);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void limit_memory() {
#ifndef __SANITIZE_ADDRESS__  // which claims terabytes of addresses
  const rlimit most{std::size_t{2} << 30, std::size_t{2} << 30};
  ::setrlimit(RLIMIT_AS, &most);
#endif
}

int run(std::uint64_t count, std::uint64_t seed) {
  const std::string folder = std::filesystem::temp_directory_path() / fmt::format("fuzz_hdf5_{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/damaged";
  const std::string whole = make_recording(folder + "/whole.h5", false),
                    killed = make_recording(folder + "/killed.h5", true);
  save(some_state(scene_of_free_bodies(1), 5), identity, folder + "/state");
  const std::string state = read_bytes(folder + "/state");
  limit_memory();

  std::uint64_t refused = 0, read = 0;
  double slowest = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Mutator mutator(seed * 1000003 + i);
    const bool is_state = i % 4 == 3;
    write_bytes(file, is_state ? damage_state(state, mutator) : damage_recording(i % 2 == 0 ? whole : killed, mutator));
    const auto start = std::chrono::steady_clock::now();
    try {
      (is_state ? read_state(file) : read_recording(file)) ? ++read : ++refused;
    } catch (const std::exception& escaped) {
      fmt::print(stderr, "input {} of seed {}: {} came out; the file is {}\n", i, seed, escaped.what(), file);
      return 1;
    }
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    slowest = std::max(slowest, took);
    if (took > 1) {
      fmt::print(stderr, "input {} of seed {} took {} s; the file is {}\n", i, seed, took, file);
      return 1;
    }
  }
  std::filesystem::remove_all(folder);
  fmt::print("{} inputs: {} refused, {} read in full; slowest {:.1f} ms\n", count, refused, read, 1e3 * slowest);
  return 0;
}

}  // namespace
}  // namespace condyle::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "fuzz_hdf5 COUNT SEED\n");
    return 2;
  }
  return condyle::fuzz::run(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10));
}
