#pragma once
// The arrays of a replay page: rounded, reordered so that deflate finds what repeats, deflated one by one, base64 in all.
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace condyle::record {

/// float32 with `bits` of its mantissa kept, rounded to nearest; NaN and infinity stay. Deflate removes the zeros.
float keep_bits(double value, int bits);

/// value / step as an integer; INT32_MIN: not finite, or beyond what an integer holds.
std::int32_t quantized(double value, double step);

/// All first bytes, then all second bytes, and so on, of little-endian values.
template <class T>
std::string planes(const std::vector<T>& values);
/// int32 -> unsigned with the sign in the last bit -> planes.
std::string zigzag(const std::vector<std::int32_t>& values);
/// rows × channels, row after row -> channel after channel -> differences in time -> zigzag.
std::string delta(const std::vector<std::int32_t>& values, std::size_t channels);

class ReplayArrays {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& values, std::vector<std::size_t> shape = {});
  /// Integers that stand for value = integer × step; shape {rows, channels} differenced in time or, for `zigzag`, as it is.
  void add_delta(const std::string& name, const std::vector<std::int32_t>& values, std::size_t channels, double step);
  void add_zigzag(const std::string& name, const std::vector<std::int32_t>& values, std::vector<std::size_t> shape,
                  double step);
  /// Takes an array over from an earlier attempt at the page, if it was made with the same key.
  bool reuse(const std::string& name, const std::string& key);

  /// Ends an attempt and begins the next; what was made stays for reuse().
  void restart();
  const nlohmann::ordered_json& directory() const { return directory_; }
  std::string base64() const;
  std::size_t bytes() const { return end_; }

 private:
  struct Made {
    std::string key;
    nlohmann::ordered_json entry;
    std::string deflated;
  };
  void put(const std::string& name, const std::string& raw, nlohmann::ordered_json entry);
  void place(const std::string& name);

  std::map<std::string, Made> made_;
  std::vector<std::string> order_;
  nlohmann::ordered_json directory_ = nlohmann::ordered_json::object();
  std::size_t end_ = 0;
  std::string key_;
};

}  // namespace condyle::record
