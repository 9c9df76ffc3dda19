#include "record/replay_arrays.hpp"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace condyle::record {

namespace {
using Json = nlohmann::ordered_json;
constexpr int deflate_level = 6;

template <class T>
const char* type_name();
template <>
const char* type_name<std::uint8_t>() {
  return "u8";
}
template <>
const char* type_name<std::int8_t>() {
  return "i8";
}
template <>
const char* type_name<std::uint16_t>() {
  return "u16";
}
template <>
const char* type_name<std::uint32_t>() {
  return "u32";
}
template <>
const char* type_name<float>() {
  return "f32";
}
template <>
const char* type_name<double>() {
  return "f64";
}

std::string deflated(const std::string& raw) {
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
                static_cast<uLong>(raw.size()), deflate_level) != Z_OK)
    throw std::runtime_error("zlib could not deflate an array");
  out.resize(size);
  return out;
}
}  // namespace

float keep_bits(double value, int bits) {
  const auto single = static_cast<float>(value);
  if (!std::isfinite(single)) return single;
  const int cut = 23 - bits;
  const auto word = std::bit_cast<std::uint32_t>(single);
  const std::uint32_t rounded = ((word + (1u << (cut - 1))) >> cut) << cut;
  const auto out = std::bit_cast<float>(rounded);
  return std::isfinite(out) ? out : single;
}

std::int32_t quantized(double value, double step) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  const double scaled = std::round(value / step);
  if (!(std::abs(scaled) <= most)) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(scaled);
}

template <class T>
std::string planes(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &values[i], sizeof(T));
    for (std::size_t k = 0; k < sizeof(T); ++k) out[k * values.size() + i] = bytes[k];
  }
  return out;
}
template std::string planes(const std::vector<std::uint8_t>&);
template std::string planes(const std::vector<std::int8_t>&);
template std::string planes(const std::vector<std::uint16_t>&);
template std::string planes(const std::vector<std::uint32_t>&);
template std::string planes(const std::vector<float>&);
template std::string planes(const std::vector<double>&);

std::string zigzag(const std::vector<std::int32_t>& values) {
  std::vector<std::uint32_t> folded(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto u = static_cast<std::uint32_t>(values[i]);
    folded[i] = (u << 1) ^ (values[i] < 0 ? ~0u : 0u);
  }
  return planes(folded);
}

std::string delta(const std::vector<std::int32_t>& values, std::size_t channels) {
  const std::size_t rows = channels > 0 ? values.size() / channels : 0;
  std::vector<std::int32_t> out(values.size());
  for (std::size_t c = 0; c < channels; ++c) {
    std::uint32_t last = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      const auto now = static_cast<std::uint32_t>(values[r * channels + c]);
      out[c * rows + r] = static_cast<std::int32_t>(now - last);  // modulo 2^32, as the reader adds
      last = now;
    }
  }
  return zigzag(out);
}

template <class T>
void ReplayArrays::add(const std::string& name, const std::vector<T>& values, std::vector<std::size_t> shape) {
  if (shape.empty()) shape = {values.size()};
  put(name, planes(values), {{"type", type_name<T>()}, {"shape", shape}, {"code", "planes"}});
}
template void ReplayArrays::add(const std::string&, const std::vector<std::uint8_t>&, std::vector<std::size_t>);
template void ReplayArrays::add(const std::string&, const std::vector<std::int8_t>&, std::vector<std::size_t>);
template void ReplayArrays::add(const std::string&, const std::vector<std::uint16_t>&, std::vector<std::size_t>);
template void ReplayArrays::add(const std::string&, const std::vector<std::uint32_t>&, std::vector<std::size_t>);
template void ReplayArrays::add(const std::string&, const std::vector<float>&, std::vector<std::size_t>);
template void ReplayArrays::add(const std::string&, const std::vector<double>&, std::vector<std::size_t>);

void ReplayArrays::add_delta(const std::string& name, const std::vector<std::int32_t>& values, std::size_t channels,
                             double step) {
  put(name, delta(values, channels),
      {{"type", "i32"},
       {"shape", {channels > 0 ? values.size() / channels : 0, channels}},
       {"code", "delta"},
       {"step", step}});
}

void ReplayArrays::add_zigzag(const std::string& name, const std::vector<std::int32_t>& values,
                              std::vector<std::size_t> shape, double step) {
  put(name, zigzag(values), {{"type", "i32"}, {"shape", shape}, {"code", "zigzag"}, {"step", step}});
}

bool ReplayArrays::reuse(const std::string& name, const std::string& key) {
  const auto found = made_.find(name);
  if (found != made_.end() && found->second.key == key) {
    place(name);
    return true;
  }
  key_ = key;  // of the arrays that are made until the next question
  return false;
}

void ReplayArrays::put(const std::string& name, const std::string& raw, Json entry) {
  Made& made = made_[name];
  made.deflated = deflated(raw);
  made.key = key_;
  entry["bytes"] = made.deflated.size();
  entry["crc"] = crc32(0, reinterpret_cast<const Bytef*>(raw.data()), static_cast<uInt>(raw.size()));
  made.entry = std::move(entry);
  place(name);
}

void ReplayArrays::place(const std::string& name) {
  const Made& made = made_.at(name);
  Json entry = made.entry;
  entry["at"] = end_;
  end_ += made.deflated.size();
  directory_[name] = std::move(entry);
  order_.push_back(name);
}

void ReplayArrays::restart() {
  order_.clear();
  directory_ = Json::object();
  end_ = 0;
}

std::string ReplayArrays::base64() const {
  static const char* const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string all;
  all.reserve(end_ + 2);
  for (const std::string& name : order_) all += made_.at(name).deflated;
  const std::size_t padding = (3 - all.size() % 3) % 3;
  all.append(padding, '\0');
  std::string out;
  out.reserve(all.size() / 3 * 4);
  for (std::size_t i = 0; i < all.size(); i += 3) {
    const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(all[i + k])); };
    const std::uint32_t word = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (int shift = 18; shift >= 0; shift -= 6) out.push_back(letters[(word >> shift) & 63]);
  }
  for (std::size_t k = 0; k < padding; ++k) out[out.size() - 1 - k] = '=';
  return out;
}

}  // namespace condyle::record
