#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace condyle {

/// Edits (insert, delete, replace, swap of neighbours) that turn a into b.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `wanted` within `most` edits, ties by order; empty: none is near.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& candidates, int most = 2);

/// " (did you mean 'x'?)" or nothing.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& candidates, int most = 3);

}  // namespace condyle
