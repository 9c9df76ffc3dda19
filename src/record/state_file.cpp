// A state file: eight words, q, v, warm impulses (id and three numbers each), and a checksum of everything before it. All
// little-endian.
#include <condyle/error.hpp>
#include <condyle/state.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <vector>

#include "record/checksum.hpp"
#include "record/files.hpp"

static_assert(std::endian::native == std::endian::little, "state files are written as they lie in memory");

namespace condyle {

namespace {
struct Head {
  char magic[8];
  std::uint64_t version;
  std::uint64_t scene_identity;
  std::uint64_t nq, nv;
  std::uint64_t step;
  double t;
  std::uint64_t warm;  ///< number of warm impulses
};
static_assert(sizeof(Head) == 64);

constexpr char magic[8] = {'c', 'n', 'd', 'y', 'S', 'T', 'A', 'T'};
constexpr std::uint64_t format_version = 2;
constexpr std::size_t word = sizeof(double);
constexpr std::size_t warm_words = sizeof(WarmImpulse) / word;

[[noreturn]] void damaged(const std::string& file, const std::string& part, const std::string& reason) {
  throw Error("damaged-file", {file, 0, part}, reason, "use another copy of the file");
}

Head read_head(const record::File& in, const std::string& file) {
  Head head{};
  const std::uint64_t size = in.size();
  if (size < sizeof head + word) damaged(file, "head", fmt::format("{} bytes are too few for a state file", size));
  in.read(0, &head, sizeof head, "head");
  if (std::memcmp(head.magic, magic, sizeof magic) != 0)
    throw Error("not-a-state-file", {file, 0, "head"}, "this is not a state file", "write one with condyle::save");
  if (head.version != format_version)
    throw Error("wrong-version", {file, 0, "head"},
                fmt::format("state file version {}; this program reads {}", head.version, format_version));
  const std::uint64_t words = (size - sizeof head) / word - 1;
  // Compared one by one first: the sum of two huge numbers may wrap around.
  if (size % word != 0 || head.nq > words || head.nv > words || head.warm > words / warm_words ||
      head.nq + head.nv + warm_words * head.warm != words)
    damaged(
        file, "sizes",
        fmt::format("nq {}, nv {} and {} warm impulses do not fit a file of {} bytes", head.nq, head.nv, head.warm, size));
  return head;
}
}  // namespace

void save(const State& state, std::uint64_t scene_identity, const std::string& file) {
  const auto nq = static_cast<std::size_t>(state.q.size()), nv = static_cast<std::size_t>(state.v.size());
  const std::size_t warm = state.warm.size();
  Head head{{}, format_version, scene_identity, nq, nv, state.step, state.t, warm};
  std::memcpy(head.magic, magic, sizeof magic);

  std::vector<char> bytes(sizeof head + (nq + nv + warm_words * warm + 1) * word);
  char* at = bytes.data();
  std::memcpy(at, &head, sizeof head);
  at += sizeof head;
  if (nq > 0) std::memcpy(at, state.q.data(), nq * word);
  at += nq * word;
  if (nv > 0) std::memcpy(at, state.v.data(), nv * word);
  at += nv * word;
  if (warm > 0) std::memcpy(at, state.warm.data(), warm * sizeof(WarmImpulse));
  at += warm * sizeof(WarmImpulse);
  const std::uint64_t sum = record::checksum(bytes.data(), bytes.size() - word);
  std::memcpy(at, &sum, word);

  record::Replacement replacement(record::resolve_target(file), file);
  record::File out = record::File::create(replacement.path());
  out.call(file);
  out.write(0, bytes.data(), bytes.size(), "state");
  out.sync();
  replacement.commit();
}

State restore(const std::string& file, std::uint64_t scene_identity) {
  const record::File in = record::File::open_for_reading(file);
  const Head head = read_head(in, file);
  std::vector<char> bytes(sizeof head + (head.nq + head.nv + warm_words * head.warm + 1) * word);
  in.read(0, bytes.data(), bytes.size(), "state");
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - word, word);
  if (sum != record::checksum(bytes.data(), bytes.size() - word)) damaged(file, "state", "the checksum does not match");
  if (head.scene_identity != scene_identity)
    throw Error("wrong-scene", {file, 0, "scene_identity"},
                fmt::format("the state belongs to scene {:016x}, not to {:016x}", head.scene_identity, scene_identity),
                "restore it into the scene that it was saved from, with the same parameters");

  State state;
  state.t = head.t;
  state.step = head.step;
  state.q.resize(static_cast<Eigen::Index>(head.nq));
  state.v.resize(static_cast<Eigen::Index>(head.nv));
  const char* at = bytes.data() + sizeof head;
  if (head.nq > 0) std::memcpy(state.q.data(), at, head.nq * word);
  if (head.nv > 0) std::memcpy(state.v.data(), at + head.nq * word, head.nv * word);
  state.warm.resize(head.warm);
  if (head.warm > 0) std::memcpy(state.warm.data(), at + (head.nq + head.nv) * word, head.warm * sizeof(WarmImpulse));
  return state;
}

}  // namespace condyle
