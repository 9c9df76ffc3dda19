#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "scene/mixer.hpp"

namespace condyle::record {

/// 64-bit checksum of bytes in memory. Each round of the mixer is a bijection of its value, so any change within one
/// 8-byte word is found for certain; others slip through once in 2^64.
inline std::uint64_t checksum(const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  Mixer mixer;
  mixer.word(bytes);
  while (bytes > 0) {
    std::uint64_t word = 0;
    const std::size_t count = bytes < sizeof word ? bytes : sizeof word;
    std::memcpy(&word, at, count);
    mixer.word(word);
    at += count;
    bytes -= count;
  }
  return mixer.value();
}

}  // namespace condyle::record
