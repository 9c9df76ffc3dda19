#include "record/layout.hpp"

#include <condyle/error.hpp>

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "record/checksum.hpp"
#include "record/files.hpp"

namespace condyle::record {

namespace {
constexpr char magic[24] = "condyle recording\n";

struct Head {
  char magic[24];
  std::uint64_t version;
  std::uint64_t directory_bytes;
  std::uint64_t directory_checksum;
  std::uint64_t complete;
  std::uint64_t reserved;
};
static_assert(sizeof(Head) == 64);

[[noreturn]] void damaged(const std::string& file, const std::string& part, const std::string& reason) {
  throw Error("damaged-file", {file, 0, part}, reason, "use another copy of the file");
}

nlohmann::json to_json(const Part& part) {
  nlohmann::json out = {{"name", part.name}, {"type", to_string(part.type)}, {"shape", part.shape}, {"at", part.offset}};
  if (!part.labels.empty()) out["labels"] = part.labels;
  if (part.type == Type::text) out["sum"] = part.sum;
  return out;
}

Type type_from(const std::string& name, const std::string& file, const std::string& part) {
  for (Type type : {Type::f64, Type::i32, Type::u64, Type::text})
    if (name == to_string(type)) return type;
  damaged(file, part, "unknown type '" + name + "'");
}

Part part_from(const nlohmann::json& in, const std::string& file, std::uint64_t file_size) {
  Part part;
  part.name = in.at("name").get<std::string>();
  part.type = type_from(in.at("type").get<std::string>(), file, part.name);
  part.shape = in.at("shape").get<std::vector<std::uint64_t>>();
  part.offset = in.at("at").get<std::uint64_t>();
  if (part.type == Type::text) part.sum = in.at("sum").get<std::uint64_t>();
  if (in.contains("labels")) part.labels = in.at("labels").get<std::vector<std::string>>();

  if (part.shape.size() > 2) damaged(file, part.name, "it has more than two dimensions");
  std::uint64_t bytes = size_of(part.type);
  for (std::uint64_t n : part.shape) {
    if (n > 0 && bytes > std::numeric_limits<std::uint64_t>::max() / n) damaged(file, part.name, "its size is absurd");
    bytes *= n;
  }
  if (bytes > file_size || part.offset > file_size - bytes)
    damaged(
        file, part.name,
        fmt::format("{} bytes from byte {} do not fit the file's {} bytes: it was cut off", bytes, part.offset, file_size));
  if (!part.labels.empty() && part.labels.size() != part.width())
    damaged(file, part.name, fmt::format("{} labels for {} columns", part.labels.size(), part.width()));
  return part;
}

Layout layout_from(const std::string& directory, const std::string& file, std::uint64_t file_size) {
  try {
    const nlohmann::json in = nlohmann::json::parse(directory);
    Layout layout;
    layout.frames = in.at("frames").get<std::uint64_t>();
    for (const nlohmann::json& part : in.at("parts")) layout.parts.push_back(part_from(part, file, file_size));
    return layout;
  } catch (const nlohmann::json::exception& trouble) {
    damaged(file, "directory", trouble.what());
  }
}
}  // namespace

const char* to_string(Type type) {
  switch (type) {
    case Type::f64: return "f64";
    case Type::i32: return "i32";
    case Type::u64: return "u64";
    case Type::text: return "text";
  }
  return "?";
}

std::uint64_t size_of(Type type) {
  switch (type) {
    case Type::f64: return 8;
    case Type::i32: return 4;
    case Type::u64: return 8;
    case Type::text: return 1;
  }
  return 0;
}

std::uint64_t Part::bytes() const {
  std::uint64_t out = size_of(type);
  for (std::uint64_t n : shape) out *= n;
  return out;
}

const Part* Layout::find(const std::string& name) const {
  for (const Part& part : parts)
    if (part.name == name) return &part;
  return nullptr;
}

void seal(std::string& block, std::uint64_t directory_bytes, bool complete) {
  Head head{{}, format_version, directory_bytes, checksum(block.data() + sizeof(Head), directory_bytes), complete ? 1u : 0u,
            0};
  std::memcpy(head.magic, magic, sizeof magic);
  std::memcpy(block.data(), &head, sizeof head);
}

std::string encode(const Layout& layout, bool complete) {
  nlohmann::json out = {{"frames", layout.frames}, {"parts", nlohmann::json::array()}};
  for (const Part& part : layout.parts) out["parts"].push_back(to_json(part));
  const std::string directory = out.dump();
  if (sizeof(Head) + directory.size() > user_block) throw std::logic_error("the directory outgrew the user block");

  std::string block(user_block, '\0');
  std::memcpy(block.data() + sizeof(Head), directory.data(), directory.size());
  seal(block, directory.size(), complete);
  return block;
}

Decoded decode(const File& in, const std::string& file) {
  const std::uint64_t size = in.size();
  Head head{};
  if (size >= sizeof head) in.read(0, &head, sizeof head, "head");
  if (std::memcmp(head.magic, magic, sizeof magic) != 0)
    throw Error("not-a-recording", {file, 0, "head"}, "this is not a Condyle recording",
                "make one with condyle run --record");
  if (head.version != format_version)
    throw Error("wrong-version", {file, 0, "head"},
                fmt::format("recording of version {}; this program reads {}", head.version, format_version));
  if (head.directory_bytes > user_block - sizeof head || head.complete > 1) damaged(file, "head", "its values are absurd");
  if (size < user_block) damaged(file, "directory", fmt::format("the file ends at byte {}, within this part", size));

  std::string directory(head.directory_bytes, '\0');
  in.read(sizeof head, directory.data(), directory.size(), "directory");
  if (checksum(directory.data(), directory.size()) != head.directory_checksum)
    damaged(file, "directory", "the checksum does not match");
  return {layout_from(directory, file, size), head.complete == 1};
}

void mark_complete(File& out) {
  const std::uint64_t yes = 1;
  out.write(offsetof(Head, complete), &yes, sizeof yes, "head");
}

}  // namespace condyle::record
