#include "scene/names.hpp"

#include <algorithm>
#include <cstdlib>

namespace condyle {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), last(n + 1), now(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[n];
}

std::string nearest_name(std::string_view wanted, const std::vector<std::string>& candidates, int most) {
  std::string best;
  int best_distance = most + 1;
  for (const std::string& candidate : candidates) {
    if (std::abs(static_cast<int>(candidate.size()) - static_cast<int>(wanted.size())) >= best_distance) continue;
    const int d = edit_distance(wanted, candidate);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& candidates, int most) {
  const std::string near = nearest_name(wanted, candidates, most);
  return near.empty() ? std::string() : " (did you mean '" + near + "'?)";
}

}  // namespace condyle
