#pragma once
#include <cstdlib>
#include <string>

namespace condyle::test {

/// With CONDYLE_LONG=1 in the environment the whole length, else the short one.
inline double seconds(double whole, double quick) {
  const char* value = std::getenv("CONDYLE_LONG");
  return value && std::string(value) != "0" ? whole : quick;
}

}  // namespace condyle::test
