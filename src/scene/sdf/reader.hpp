#pragma once
// One <model> of an SDF file. SDF gives poses of links in the model and joints between any two of them: the first joint that
// names a link as its child carries it, every later one closes a loop.
#include <condyle/model.hpp>

#include <string>

namespace condyle {

ModelDescription read_sdf_text(const std::string& text, const std::string& file, const ReadOptions& options,
                               LoadReport* partial);

}  // namespace condyle
