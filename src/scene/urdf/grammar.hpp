#pragma once
// The table of URDF: which elements and attributes there are, where, and what holds when one is left out.
#include "scene/urdf/xml.hpp"

#include <condyle/load_report.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace condyle::urdf {

/// "<joint knee>", "<origin> of knee": the element itself if it has a name, else with the link or joint it stands in.
Place place_of(const std::string& file, const XmlNode& node, std::string_view owner = {});

/// Reports everything in `node` and below that the table does not know, that has no effect, that stands there twice, or
/// whose default is taken because it is absent. `rule` names a row of the table: "link", "joint", "material", ...
void check_grammar(const XmlNode& node, std::string_view rule, std::string_view owner, const std::string& file,
                   LoadReport& report);

}  // namespace condyle::urdf
