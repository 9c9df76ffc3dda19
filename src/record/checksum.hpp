#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace condyle::record {

/// 64-bit checksum of bytes in memory. Each round is a bijection of the running value, so any change within one 8-byte
/// word is found for certain; others slip through once in 2^64.
inline std::uint64_t checksum(const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  std::uint64_t h = 0x9E3779B97F4A7C15ull ^ bytes;
  while (bytes > 0) {
    std::uint64_t word = 0;
    const std::size_t count = bytes < sizeof word ? bytes : sizeof word;
    std::memcpy(&word, at, count);
    h = (h ^ word) * 0xBF58476D1CE4E5B9ull;
    h ^= h >> 32;
    at += count;
    bytes -= count;
  }
  return h;
}

}  // namespace condyle::record
