#pragma once
// Makes the HDF5 side of a recording. The library is only ever used on files that were made a moment ago: it crashes
// on damaged ones (README.md), so nothing here opens a file that came from elsewhere.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "record/layout.hpp"

namespace condyle::record {

struct Attribute {
  std::string name;
  std::variant<std::string, double, std::uint64_t, std::int64_t> value;
};

/// Makes file `path` with these root attributes and all parts of `layout`, their room claimed and not yet filled, and
/// sets the parts' offsets. The first `user_block` bytes are left free. `name` is the file in error messages.
void make_hdf5(const std::string& path, const std::string& name, const std::vector<Attribute>& root, Layout& layout);

/// Sets the root attribute "complete" of a file that make_hdf5 made to 1.
void set_complete_attribute(const std::string& path, const std::string& name);

}  // namespace condyle::record
