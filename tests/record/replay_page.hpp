#pragma once
// Reads back what a replay page holds, by another road than the one that wrote it.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "record/some_recording.hpp"

namespace condyle::testing {

class PageText {
 public:
  explicit PageText(const std::string& file, const std::string& ending = "") : text(read_bytes(file)) {
    head = nlohmann::json::parse(element("condyle-recording" + ending));
    bytes = from_base64(element("condyle-arrays" + ending));
  }

  std::string inflated(const std::string& name) const {
    const auto& entry = head.at("arrays").at(name);
    std::string out;
    z_stream stream{};
    inflateInit(&stream);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + entry.at("at").get<std::size_t>()));
    stream.avail_in = entry.at("bytes").get<uInt>();
    char room[65536];
    int code = Z_OK;
    while (code == Z_OK) {
      stream.next_out = reinterpret_cast<Bytef*>(room);
      stream.avail_out = sizeof room;
      code = inflate(&stream, Z_NO_FLUSH);
      out.append(room, sizeof room - stream.avail_out);
    }
    inflateEnd(&stream);
    EXPECT_EQ(code, Z_STREAM_END) << name;
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(out.data()), static_cast<uInt>(out.size())),
              entry.at("crc").get<unsigned long>())
        << name;
    return out;
  }

  template <class T>
  std::vector<T> planes(const std::string& name) const {
    const std::string raw = inflated(name);
    std::vector<T> out(raw.size() / sizeof(T));
    for (std::size_t i = 0; i < out.size(); ++i) {
      char one[sizeof(T)];
      for (std::size_t k = 0; k < sizeof(T); ++k) one[k] = raw[k * out.size() + i];
      std::memcpy(&out[i], one, sizeof(T));
    }
    return out;
  }

  /// Values of a `delta` array, rows × channels.
  std::vector<double> delta(const std::string& name) const {
    const auto& entry = head.at("arrays").at(name);
    const auto rows = entry.at("shape").at(0).get<std::size_t>(), channels = entry.at("shape").at(1).get<std::size_t>();
    const std::vector<std::uint32_t> folded = planes<std::uint32_t>(name);
    EXPECT_EQ(folded.size(), rows * channels) << name;
    std::vector<double> out(folded.size());
    for (std::size_t c = 0; c < channels; ++c) {
      std::uint32_t sum = 0;
      for (std::size_t r = 0; r < rows; ++r) {
        const std::uint32_t u = folded[c * rows + r];
        sum += (u >> 1) ^ (0u - (u & 1));
        out[r * channels + c] = entry.at("step").get<double>() * static_cast<std::int32_t>(sum);
      }
    }
    return out;
  }

  std::string text, bytes;
  nlohmann::json head;

 private:
  std::string element(const std::string& id) const {
    const std::size_t at = text.find("id=\"" + id + "\">");
    if (at == std::string::npos) throw std::out_of_range(id);
    const std::size_t begin = text.find('>', at) + 1;
    return text.substr(begin, text.find("</script>", begin) - begin);
  }

  static std::string from_base64(const std::string& in) {
    static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t word = 0;
    int bits = 0;
    for (const char c : in) {
      const std::size_t value = letters.find(c);
      if (value == std::string::npos) continue;
      word = word << 6 | static_cast<std::uint32_t>(value);
      bits += 6;
      if (bits >= 8) out.push_back(static_cast<char>(word >> (bits -= 8)));
    }
    return out;
  }
};

}  // namespace condyle::testing
