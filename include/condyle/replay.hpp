#pragma once
// From a recording to one HTML page that replays it in a browser, offline, with forces, plots and tables.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace condyle {

struct ReplayOptions {
  double most_megabytes = 20;  ///< > 0; what does not fit is left out in a fixed order, and the page says what
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< s
};

struct ReplaySummary {
  std::uint64_t bytes = 0;           ///< of the page
  std::uint64_t frames = 0;          ///< that it can show
  std::vector<std::string> dropped;  ///< a sentence for each thing that is in the recording and not in the page
};

/// Writes the page of a recording, of nothing else: the same recording gives the same bytes. Throws Error if the recording
/// is damaged, the page cannot be written, or it is too big even after all that may be dropped is dropped.
ReplaySummary write_replay(const std::string& recording, const std::string& page, const ReplayOptions& options = {});

/// Two recordings of one scene in one page: the second as a ghost, with plots of the difference.
ReplaySummary write_replay(const std::string& recording, const std::string& other, const std::string& page,
                           const ReplayOptions& options);

/// A page of plots from the JSON of `condyle solve` or of a benchmark; the shape is in viewer/README.md.
ReplaySummary write_study(const std::vector<std::string>& files, const std::string& page);

}  // namespace condyle
