// Fills the templates. What does not fit the limit is left out in the order of viewer/README.md, and said.
#include <condyle/error.hpp>
#include <condyle/replay.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "record/files.hpp"
#include "record/replay_builder.hpp"
#include "record/replay_template.hpp"

namespace condyle {

namespace {
using namespace record;
constexpr std::size_t megabyte = 1000000;
constexpr double least_frame_rate = 25;  // Hz

/// What is left out next, from the least loss to the largest; false: nothing more may be.
bool cut_more(Cuts& cuts, const ReplayBuilder& data) {
  for (const std::size_t most : {4000u, 2000u, 1000u, 500u, 250u})
    if (cuts.contacts > most) {
      cuts.contacts = most;
      return true;
    }
  if (cuts.mesh_triangles > 2000 && data.largest_mesh() > 2000) {
    cuts.mesh_triangles = cuts.mesh_triangles > 5000 ? 5000 : 2000;
    return true;
  }
  if (cuts.twists) {
    cuts.twists = false;
    return true;
  }
  if (data.frame_rate(2 * cuts.thin) >= least_frame_rate) {
    cuts.thin *= 2;
    return true;
  }
  if (data.step_count() / cuts.bin > 4000) {
    cuts.bin = std::max<std::uint64_t>(4, 2 * cuts.bin);
    return true;
  }
  return false;
}

ReplayBuilder::Made fit(ReplayBuilder& data, std::size_t room, const std::string& file) {
  Cuts cuts;
  while (cuts.contacts > 250 && data.least_contact_bytes(cuts.contacts) > room)
    cut_more(cuts, data);  // it cannot fit: the attempt is spared
  ReplayBuilder::Made made = data.make(cuts);
  while (made.bytes() > room) {
    if (!cut_more(cuts, data))
      throw Error("page-too-big", {file, 0, {}},
                  fmt::format("the data of the page have {:.2f} MB where {:.2f} MB are left for them",
                              static_cast<double>(made.bytes()) / megabyte, static_cast<double>(room) / megabyte),
                  "show a part with --from and --to, or allow more with --replay-max");
    made = data.make(cuts);
  }
  return made;
}

std::string filled(const std::string& page, const std::string& elements) {
  static const std::string marker = "<!--condyle:recording-->";
  const std::size_t at = page.find(marker);
  if (at == std::string::npos) throw std::logic_error("the template of the page has no place for the data");
  return page.substr(0, at) + elements + page.substr(at + marker.size());
}

std::string element(const char* type, const std::string& id, const std::string& text) {
  return fmt::format("<script type=\"{}\" id=\"{}\">{}</script>\n", type, id, text);
}

std::string elements_of(const ReplayBuilder::Made& made, const std::string& ending) {
  return element("application/json", "condyle-recording" + ending, made.head) +
         element("text/plain", "condyle-arrays" + ending, made.arrays);
}

void write_page(const std::string& page, const std::string& text) {
  Replacement replacement(resolve_target(page), page);
  File out = File::create(replacement.path());
  out.call(page);
  out.write(0, text.data(), text.size(), "page");
  out.close();
  replacement.commit();
}

std::size_t room_for(const ReplayOptions& options, const std::string& page, const std::string& text, int recordings) {
  const double bytes = options.most_megabytes * megabyte - static_cast<double>(text.size()) - 1000;
  if (!(bytes > 1000))
    throw Error("bad-option", {page, 0, "most_megabytes"},
                fmt::format("{:g} MB are less than an empty page has", options.most_megabytes), "allow at least 1 MB");
  return static_cast<std::size_t>(bytes) / static_cast<std::size_t>(recordings);
}
}  // namespace

ReplaySummary write_replay(const std::string& recording, const std::string& page, const ReplayOptions& options) {
  const std::string text = replay_template();
  const std::size_t room = room_for(options, page, text, 1);
  const Recording in(recording);
  ReplayBuilder data(in, options);
  const ReplayBuilder::Made made = fit(data, room, recording);
  const std::string out = filled(text, elements_of(made, ""));
  write_page(page, out);
  return {out.size(), made.frames, made.dropped};
}

ReplaySummary write_replay(const std::string& recording, const std::string& other, const std::string& page,
                           const ReplayOptions& options) {
  const std::string text = replay_template();
  const std::size_t room = room_for(options, page, text, 2);
  const Recording a(recording), b(other);
  ReplayBuilder data_a(a, options), data_b(b, options);
  const ReplayBuilder::Made made_a = fit(data_a, room, recording), made_b = fit(data_b, room, other);
  const std::string out = filled(text, elements_of(made_a, "") + elements_of(made_b, "-b"));
  write_page(page, out);
  ReplaySummary summary{out.size(), made_a.frames, made_a.dropped};
  for (const std::string& sentence : made_b.dropped) summary.dropped.push_back("second recording: " + sentence);
  return summary;
}

ReplaySummary write_study(const std::vector<std::string>& files, const std::string& page) {
  nlohmann::ordered_json sources = nlohmann::ordered_json::array();
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
      throw Error("cannot-read", {file, 0, {}}, "it cannot be opened", "name a JSON file of condyle solve or a benchmark");
    std::ostringstream text;
    text << in.rdbuf();
    try {
      sources.push_back(
          {{"file", std::filesystem::path(file).filename().string()}, {"data", nlohmann::ordered_json::parse(text.str())}});
    } catch (const nlohmann::json::exception& trouble) {
      throw Error("bad-json", {file, 0, {}}, trouble.what(), "give the file that --json wrote");
    }
    const auto& data = sources.back().at("data");
    if (!(data.is_array() && !data.empty() && data[0].is_object() && data[0].contains("solver")) &&
        !(data.is_object() &&
          (data.contains("benchmarks") || data.value("format", nlohmann::ordered_json()) == "condyle-study")))
      throw Error("not-a-study", {file, 0, {}}, "it is neither the JSON of condyle solve, nor of a benchmark, nor a study",
                  "viewer/README.md has the shapes that the page knows");
  }
  const std::string plain = sources.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  for (const char c : plain) c == '<' ? safe += "\\u003c" : safe += c;
  const std::string out = filled(study_template(), element("application/json", "condyle-study", safe));
  write_page(page, out);
  return {out.size(), 0, {}};
}

}  // namespace condyle
