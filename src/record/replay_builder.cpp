#include "record/replay_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace condyle::record {

namespace {
using Json = nlohmann::ordered_json;
constexpr double shown_rate = 100;            // Hz
constexpr std::size_t frames_at_least = 600;  // a short run is not shown more coarsely than it needs to be
constexpr std::size_t most_bad_frames = 500;

/// ASCII alone, and no `<`: no text of a recording can end the element that it stands in.
std::string page_text(const Json& json) {
  const std::string plain = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  for (const char c : plain)
    if (c == '<')
      out += "\\u003c";
    else
      out.push_back(c);
  return out;
}
}  // namespace

ReplayBuilder::ReplayBuilder(const Recording& recording, const ReplayOptions& options)
    : recording_(recording), options_(options) {
  try {
    scene_ = Json::parse(recording.description());
    moving_ = static_cast<int>(recording.info().bodies.size());
    if (recording.info().nq < 7 * (moving_ - recording.info().links))
      throw Error("damaged-file", {recording.info().file, 0, "/scene/description"},
                  "it has more free bodies than positions");
    contact_counts_ = recording.column("contacts");
    vertices_ = recording.mesh_vertices();
    triangles_ = recording.mesh_triangles();
    choose_frames();
    step_ = position_step();
  } catch (const nlohmann::json::exception& trouble) {
    throw Error("damaged-file", {recording.info().file, 0, "/scene/description"}, trouble.what(),
                "use another copy of the file");
  }
}

void ReplayBuilder::choose_frames() {
  for (std::uint64_t frame = 0; frame < recording_.info().frames; ++frame) {
    const double t = recording_.state(frame).t;
    if (t < options_.from || t > options_.to) continue;
    steps_.push_back(frame);
    times_.push_back(t);
  }
  if (steps_.empty()) return;
  const double length = std::abs(times_.back() - times_.front());
  const double wanted = std::max(static_cast<double>(frames_at_least), shown_rate * length);
  const auto stride = static_cast<std::size_t>(std::max(1.0, std::floor(static_cast<double>(steps_.size() - 1) / wanted)));
  for (std::size_t i = 0; i < steps_.size(); i += stride) frames_.push_back(steps_[i]);
  frames_.push_back(steps_.back());
  // whoever follows the verdict to a step finds that very step
  const std::vector<double> status = recording_.column("status");
  std::size_t bad = 0;
  for (const std::uint64_t frame : steps_)
    if (status[frame] != static_cast<double>(StepStatus::certified) && bad++ < most_bad_frames) frames_.push_back(frame);
  std::sort(frames_.begin(), frames_.end());
  frames_.erase(std::unique(frames_.begin(), frames_.end()), frames_.end());
}

std::vector<std::uint64_t> ReplayBuilder::shown_frames(std::uint64_t thin) const {
  std::vector<std::uint64_t> out;
  const std::vector<double> status = recording_.column("status");
  for (std::size_t i = 0; i < frames_.size(); ++i)
    if (i % thin == 0 || i + 1 == frames_.size() || status[frames_[i]] != static_cast<double>(StepStatus::certified))
      out.push_back(frames_[i]);
  return out;
}

double ReplayBuilder::frame_rate(std::uint64_t thin) const {
  const double length = times_.empty() ? 0 : times_.back() - times_.front();
  return length > 0 ? static_cast<double>(frames_.size()) / (static_cast<double>(thin) * length) : 0;
}

ReplayBuilder::Made ReplayBuilder::make(const Cuts& cuts) try {
  Made out;
  arrays_.restart();
  const std::vector<std::uint64_t> frames = shown_frames(cuts.thin);
  const std::string key = fmt::format("{}", cuts.thin);

  Json head = {{"format", "condyle-replay"}, {"version", 1}, {"run", run()}, {"verdict", verdict()}};
  std::vector<std::uint32_t> at;  // of the shown frames among the recorded steps
  for (const std::uint64_t frame : frames)
    at.push_back(static_cast<std::uint32_t>(std::lower_bound(steps_.begin(), steps_.end(), frame) - steps_.begin()));
  std::vector<double> times;
  for (const std::uint32_t i : at) times.push_back(times_[i]);
  arrays_.add("frame.step", at);
  arrays_.add("frame.time", times);
  head["frames"] = {{"count", frames.size()}, {"steps", "frame.step"}, {"times", "frame.time"}};
  head["steps"] = step_times(cuts.bin);
  head["bodies"] = bodies();
  head["shapes"] = shapes();
  head["closures"] = closures();
  head["joints"] = scene_.at("joints");
  head["velocityNames"] = scene_.at("v_names");
  add_motion(frames, cuts, key);
  add_others(frames, key);
  add_uncertified("");
  head["series"] = add_series(cuts, "");
  head["meshes"] = meshes(cuts.mesh_triangles, out.dropped);
  add_contacts(frames, cuts, key);  // last: they are the most and are decoded last
  head["events"] = events();

  for (const Json& note : scene_.at("drawing_notes")) out.dropped.push_back(note.get<std::string>());
  say_contacts_dropped(cuts.contacts, out.dropped);
  if (!cuts.twists) out.dropped.emplace_back("velocities of bodies are differences of their places");
  if (frames.size() < steps_.size())
    head["frames"]["note"] = fmt::format("{} of {} recorded steps are shown as frames", frames.size(), steps_.size());
  if (cuts.thin > 1)
    out.dropped.push_back(
        fmt::format("{} of {} frames are shown, {:.3g} a second", frames.size(), frames_.size(), frame_rate(cuts.thin)));
  if (cuts.bin > 1)
    out.dropped.push_back(fmt::format("plots have the least and the largest value of each {} steps instead of all {}",
                                      cuts.bin, steps_.size()));
  const RecordingInfo& info = recording_.info();
  if (steps_.size() < info.frames)
    out.dropped.push_back(fmt::format("only the times from {:g} s to {:g} s: {} of {} recorded steps",
                                      times_.empty() ? 0 : times_.front(), times_.empty() ? 0 : times_.back(), steps_.size(),
                                      info.frames));
  if (info.steps + 1 > info.frames && info.frames > 0 && info.steps > info.frames - 1 + info.rejected)
    out.dropped.push_back(fmt::format("the recording has {} of the {} steps of the run", info.frames - 1, info.steps));
  head["dropped"] = out.dropped;
  head["arrays"] = arrays_.directory();
  out.head = page_text(head);
  out.arrays = arrays_.base64();
  out.frames = frames.size();
  return out;
} catch (const nlohmann::json::exception& trouble) {
  throw Error("damaged-file", {recording_.info().file, 0, "/scene/description"}, trouble.what(),
              "use another copy of the file");
}

}  // namespace condyle::record
