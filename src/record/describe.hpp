#pragma once
#include <condyle/recording.hpp>

#include <string>
#include <vector>

#include "record/drawing.hpp"
#include "record/hdf5.hpp"

namespace condyle::record {

/// The JSON text of /scene/description: names, sizes and masses of the scene, and how the run was made.
std::string describe(const Scene& scene, const SimulatorOptions& options, const std::string& command,
                     const Drawing& drawing);

/// The same facts of the run as root attributes, for readers that want no JSON.
std::vector<Attribute> root_attributes(const Scene& scene, const SimulatorOptions& options, const std::string& command,
                                       bool complete);

/// Fills what `info` takes from the description. Throws Error at `file` if the text is damaged.
void read_description(const std::string& text, const std::string& file, RecordingInfo& info);

}  // namespace condyle::record
