#pragma once
// urdfdom reads the same text; what it sees differently is either explained and reported, or the file is refused.
#include "scene/urdf/reading.hpp"

#include <map>
#include <string>
#include <vector>

namespace condyle::urdf {

/// Compares item by item. Differences at a link or joint that has an oddity become entries; any other one throws
/// `readers-disagree` with both values. `written` holds the couplings before chains of them were resolved.
void second_opinion(const std::string& text, const ModelDescription& model, const std::vector<CouplingSpec>& written,
                    const std::map<std::string, std::vector<std::string>>& oddities, const Place& robot, LoadReport& report);

}  // namespace condyle::urdf
