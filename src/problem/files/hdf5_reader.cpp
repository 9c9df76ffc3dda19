// HDF5's file format (its specification version 3), as far as plain groups and contiguous datasets need it.
#include "problem/files/hdf5_tree.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <string_view>

namespace condyle::files {

namespace {
constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
constexpr const char* other_copy = "use another copy of the file; h5repack -l CONTI makes one of plain datasets";
constexpr const char* signature = "\x89HDF\r\n\x1a\n";
}  // namespace

/// What an object's header says: links of a group, or type, shape and place of a dataset.
struct Hdf5Reader::Object {
  std::map<std::string, std::uint64_t> links;
  bool group = false, shaped = false, typed = false, placed = false;
  int type = -1;  ///< 0 integer, 1 float, 3 text
  bool is_signed = false;
  std::uint64_t size = 0, count = 0;  ///< of an element in bytes, of elements
  std::uint64_t data = nowhere;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> more{};  ///< pieces of the header elsewhere: place and size
  int messages_seen = 0;
  bool v2 = false, creation_order = false;
};

Hdf5Reader::Hdf5Reader(const std::string& file, const std::string& bytes) : file_(file), bytes_(bytes) {
  if (bytes.size() < 16 || std::memcmp(bytes.data(), signature, 8) != 0) fail("", "this is not an HDF5 file");
  const std::uint64_t version = number(8, 1, "superblock");
  if (version > 3) fail("superblock", fmt::format("its version {} is unknown", version));
  const std::uint64_t sizes = version < 2 ? 13 : 9;
  if (number(sizes, 1, "superblock") != 8 || number(sizes + 1, 1, "superblock") != 8)
    fail("superblock", "places do not have 8 bytes");
  if (version < 2) {
    const std::uint64_t start = version == 0 ? 24 : 28;
    base_ = number(start, 8, "superblock");
    root_ = number(start + 40, 8, "superblock");  // behind base, free space, end, driver, and the root's name
  } else {
    base_ = number(12, 8, "superblock");
    root_ = number(36, 8, "superblock");
  }
  if (base_ != 0) fail("superblock", fmt::format("the file begins with {} bytes of something else", base_));
}

void Hdf5Reader::fail(const std::string& path, const std::string& reason) const {
  throw Error("damaged-file", {file_, 0, path}, reason, other_copy);
}

void Hdf5Reader::need(std::uint64_t place, std::uint64_t bytes, const std::string& path) const {
  if (place > bytes_.size() || bytes > bytes_.size() - place)
    fail(path, fmt::format("it reaches beyond the end of the file ({} bytes at {})", bytes, place));
}

std::uint64_t Hdf5Reader::number(std::uint64_t place, int bytes, const std::string& path) const {
  need(place, static_cast<std::uint64_t>(bytes), path);
  std::uint64_t out = 0;
  for (int i = bytes - 1; i >= 0; --i)
    out = out << 8 | static_cast<unsigned char>(bytes_[static_cast<std::size_t>(place) + static_cast<std::size_t>(i)]);
  return out;
}

Hdf5Reader::Object Hdf5Reader::object(std::uint64_t place, const std::string& path) const {
  Object out;
  need(place, 16, path);
  if (bytes_.compare(static_cast<std::size_t>(place), 4, "OHDR") == 0)
    header_v2(place, out, path);
  else
    header_v1(place, out, path);
  // pieces may name further pieces; the count of messages bounds a chain that bites its tail
  for (std::size_t i = 0; i < out.more.size(); ++i) {
    auto [where, size] = out.more[i];
    if (i > 1000) fail(path, "its header has no end");
    need(where, size, path);
    if (out.v2) {
      if (size < 8 || bytes_.compare(static_cast<std::size_t>(where), 4, "OCHK") != 0)
        fail(path, "a piece of its header is damaged");
      where += 4;
      size -= 8;
    }
    messages(where, size, out, path);
  }
  return out;
}

void Hdf5Reader::header_v1(std::uint64_t place, Object& out, const std::string& path) const {
  if (number(place, 1, path) != 1) fail(path, "its header is damaged");
  messages(place + 16, number(place + 8, 4, path), out, path);
}

void Hdf5Reader::header_v2(std::uint64_t place, Object& out, const std::string& path) const {
  out.v2 = true;
  if (number(place + 4, 1, path) != 2) fail(path, "its header is damaged");
  const std::uint64_t flags = number(place + 5, 1, path);
  out.creation_order = (flags & 4) != 0;
  std::uint64_t next = place + 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
  const int width = 1 << (flags & 3);
  const std::uint64_t size = number(next, width, path);
  messages(next + static_cast<std::uint64_t>(width), size, out, path);
}

void Hdf5Reader::messages(std::uint64_t place, std::uint64_t size, Object& out, const std::string& path) const {
  need(place, size, path);
  const std::uint64_t end = place + size, head = out.v2 ? (out.creation_order ? 6 : 4) : 8;
  while (place + head <= end) {
    if (++out.messages_seen > 100000) fail(path, "its header has no end");
    const std::uint64_t type = number(place, out.v2 ? 1 : 2, path);
    const std::uint64_t length = number(place + (out.v2 ? 1 : 2), 2, path);
    const std::uint64_t flags = number(place + (out.v2 ? 3 : 4), 1, path);
    if (length > end - place - head) fail(path, "a part of its header is too long");
    if ((flags & 2) != 0 && (type == 1 || type == 3)) fail(path, "its type is shared with others, which is not read");
    message(type, place + head, length, out, path);
    place += head + length;
  }
}

void Hdf5Reader::message(std::uint64_t type, std::uint64_t place, std::uint64_t size, Object& out,
                         const std::string& path) const {
  const auto inside = [&](std::uint64_t bytes) {
    if (bytes > size) fail(path, "a part of its header is too short");
  };
  switch (type) {
    case 0x01: {  // shape
      inside(4);
      const std::uint64_t version = number(place, 1, path), rank = number(place + 1, 1, path);
      const std::uint64_t start = version == 1 ? 8 : 4;
      if (version != 1 && version != 2) fail(path, "its shape is damaged");
      if (version == 2 && number(place + 3, 1, path) == 2) {
        out.count = 0;  // null
      } else {
        inside(start + 8 * rank);
        out.count = 1;
        for (std::uint64_t k = 0; k < rank; ++k) {
          const std::uint64_t extent = number(place + start + 8 * k, 8, path);
          // an element has at least one byte, so more than the file has bytes cannot be there
          if (extent > bytes_.size() || (extent != 0 && out.count > bytes_.size() / extent))
            fail(path, fmt::format("its extent {} is absurd in a file of {} bytes", extent, bytes_.size()));
          out.count *= extent;
        }
      }
      out.shaped = true;
      break;
    }
    case 0x03: {  // type
      inside(8);
      const std::uint64_t kind = number(place, 1, path) & 15, bits = number(place + 1, 1, path);
      out.size = number(place + 4, 4, path);
      out.typed = true;
      if (kind == 0 || kind == 1) {
        inside(12);
        if ((bits & 1) != 0) fail(path, "its numbers are big-endian, which is not read");
        if (number(place + 8, 2, path) != 0 || number(place + 10, 2, path) != 8 * out.size)
          fail(path, "its numbers have an unusual type");
        out.is_signed = (bits & 8) != 0;
      }
      out.type = static_cast<int>(kind);
      break;
    }
    case 0x06: link(place, size, out, path); break;
    case 0x02: {  // link info: many links are in a heap of their own
      inside(18);
      const std::uint64_t flags = number(place + 1, 1, path), heap = place + 2 + ((flags & 1) != 0 ? 8 : 0);
      if (heap + 8 <= place + size && number(heap, 8, path) != nowhere)
        fail(path, "it has its links in a fractal heap, which is not read");
      out.group = true;
      break;
    }
    case 0x08: {  // place
      inside(2);
      const std::uint64_t version = number(place, 1, path), kind = number(place + 1, 1, path);
      if (version != 3 && version != 4) fail(path, fmt::format("its layout version {} is not read", version));
      if (kind == 0) {
        inside(4);
        inside(4 + number(place + 2, 2, path));
        out.data = place + 4;
        out.placed = true;
      } else if (kind == 1) {
        inside(18);
        out.data = number(place + 2, 8, path);
        out.placed = true;
      } else {
        fail(path, "its numbers are stored in chunks, which is not read");
      }
      break;
    }
    case 0x10:
      inside(16);
      out.more.emplace_back(number(place, 8, path), number(place + 8, 8, path));
      break;
    case 0x11:
      inside(16);
      symbol_table(number(place, 8, path), number(place + 8, 8, path), out, path);
      break;
    default: break;
  }
}

void Hdf5Reader::link(std::uint64_t place, std::uint64_t size, Object& out, const std::string& path) const {
  out.group = true;
  if (size < 4) fail(path, "a link is damaged");
  const std::uint64_t flags = number(place + 1, 1, path), end = place + size;
  std::uint64_t next = place + 2;
  const std::uint64_t kind = (flags & 8) != 0 ? number(next++, 1, path) : 0;
  next += ((flags & 4) != 0 ? 8 : 0) + ((flags & 16) != 0 ? 1 : 0);
  const int width = 1 << (flags & 3);
  const std::uint64_t length = number(next, width, path);
  next += static_cast<std::uint64_t>(width);
  if (kind != 0) return;  // soft and outer links lead nowhere that is needed
  if (next > end || length > end - next || end - next - length < 8) fail(path, "a link is damaged");
  out.links[bytes_.substr(static_cast<std::size_t>(next), static_cast<std::size_t>(length))] =
      number(next + length, 8, path);
}

void Hdf5Reader::symbol_table(std::uint64_t tree, std::uint64_t heap, Object& out, const std::string& path) const {
  out.group = true;
  need(heap, 32, path);
  if (bytes_.compare(static_cast<std::size_t>(heap), 4, "HEAP") != 0) fail(path, "its heap of names is damaged");
  need(tree, 24, path);
  if (bytes_.compare(static_cast<std::size_t>(tree), 4, "TREE") != 0) fail(path, "its tree of names is damaged");
  tree_node(tree, static_cast<int>(number(tree + 5, 1, path)), heap, out, path);
}

void Hdf5Reader::tree_node(std::uint64_t node, int level, std::uint64_t heap, Object& out, const std::string& path) const {
  if (++out.messages_seen > 100000) fail(path, "its tree of names has no end");
  need(node, 24, path);
  if (level > 16 || bytes_.compare(static_cast<std::size_t>(node), 4, "TREE") != 0 || number(node + 4, 1, path) != 0 ||
      number(node + 5, 1, path) != static_cast<std::uint64_t>(level))
    fail(path, "its tree of names is damaged");
  const std::uint64_t names_at = number(heap + 24, 8, path), names_size = number(heap + 8, 8, path);
  need(names_at, names_size, path);
  const std::uint64_t children = number(node + 6, 2, path);
  for (std::uint64_t c = 0; c < children; ++c) {
    const std::uint64_t child = number(node + 24 + 8 + 16 * c, 8, path);
    if (level > 0) {
      tree_node(child, level - 1, heap, out, path);
      continue;
    }
    need(child, 8, path);
    if (bytes_.compare(static_cast<std::size_t>(child), 4, "SNOD") != 0) fail(path, "its table of names is damaged");
    const std::uint64_t entries = number(child + 6, 2, path);
    for (std::uint64_t e = 0; e < entries; ++e) {
      if (++out.messages_seen > 100000) fail(path, "its table of names has no end");
      const std::uint64_t entry = child + 8 + 40 * e, offset = number(entry, 8, path);
      if (offset >= names_size) fail(path, "a name lies outside its heap");
      const std::string_view rest(bytes_.data() + names_at + offset, static_cast<std::size_t>(names_size - offset));
      out.links[std::string(rest.substr(0, rest.find('\0')))] = number(entry + 8, 8, path);
    }
  }
}

bool Hdf5Reader::find(const std::string& path, Object& out) const {
  out = object(root_, "root group");
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const auto found = out.links.find(path.substr(begin, end - begin));
    if (found == out.links.end()) return false;
    out = object(found->second, path.substr(0, end));
    begin = end + 1;
  }
  return true;
}

bool Hdf5Reader::has(const std::string& path) const {
  Object found;
  return find(path, found);
}

std::vector<std::string> Hdf5Reader::names(const std::string& path) const {
  Object found;
  std::vector<std::string> out;
  if (find(path, found))
    for (const auto& [name, place] : found.links) out.push_back(name);
  return out;
}

Hdf5Reader::Object Hdf5Reader::dataset(const std::string& path) const {
  Object out;
  if (!find(path, out)) fail(path, "it is missing");
  if (!out.shaped || !out.typed || !out.placed) fail(path, "it is not a dataset");
  if (out.count == 0) return out;
  if (out.size == 0 || out.count > bytes_.size() / out.size)
    fail(path, fmt::format("{} numbers of {} bytes are not there", out.count, out.size));
  if (out.data == nowhere) fail(path, "it was never written");
  need(out.data, out.count * out.size, path);
  return out;
}

std::vector<double> Hdf5Reader::doubles(const std::string& path) const {
  const Object set = dataset(path);
  if (set.type != 1 || (set.size != 8 && set.size != 4)) fail(path, "it does not hold float64 or float32 numbers");
  std::vector<double> out(static_cast<std::size_t>(set.count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bits = number(set.data + i * set.size, static_cast<int>(set.size), path);
    out[i] = set.size == 8 ? std::bit_cast<double>(bits)
                           : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  return out;
}

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& path) const {
  const Object set = dataset(path);
  if (set.type != 0 || (set.size != 1 && set.size != 2 && set.size != 4 && set.size != 8))
    fail(path, "it does not hold whole numbers");
  std::vector<std::int64_t> out(static_cast<std::size_t>(set.count));
  const int spare = 64 - 8 * static_cast<int>(set.size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bits = number(set.data + i * set.size, static_cast<int>(set.size), path);
    out[i] = set.is_signed ? static_cast<std::int64_t>(bits << spare) >> spare : static_cast<std::int64_t>(bits);
  }
  return out;
}

std::vector<std::string> Hdf5Reader::texts(const std::string& path) const {
  const Object set = dataset(path);
  if (set.type != 3) fail(path, "it does not hold texts of fixed length");
  std::vector<std::string> out(static_cast<std::size_t>(set.count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = bytes_.substr(static_cast<std::size_t>(set.data + i * set.size), static_cast<std::size_t>(set.size));
    out[i].resize(std::min(out[i].find('\0'), out[i].size()));
  }
  return out;
}

}  // namespace condyle::files
