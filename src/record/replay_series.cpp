// Numbers of every recorded step, and what the run was.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "record/replay_builder.hpp"

namespace condyle::record {

namespace {
using Json = nlohmann::ordered_json;
constexpr int whole_float = 23;
constexpr std::size_t most_joint_rows = 400;
enum Status : std::uint8_t { certified, not_certified, iteration_limit, failed };

/// Two numbers for each bin: its least and its largest, in the order in which they came.
std::vector<double> least_and_largest(const std::vector<double>& x, std::uint64_t bin) {
  std::vector<double> out;
  for (std::size_t first = 0; first < x.size(); first += bin) {
    const std::size_t end = std::min<std::size_t>(first + bin, x.size());
    std::size_t least = end, most = end;
    for (std::size_t i = first; i < end; ++i) {
      if (std::isnan(x[i])) continue;
      if (least == end || x[i] < x[least]) least = i;
      if (most == end || x[i] > x[most]) most = i;
    }
    if (least == end) least = most = first;
    out.push_back(x[std::min(least, most)]);
    out.push_back(x[std::max(least, most)]);
  }
  return out;
}
}  // namespace

std::vector<double> ReplayBuilder::column(const std::string& name) const {
  const std::vector<double> all = recording_.column(name);
  std::vector<double> out;
  out.reserve(steps_.size());
  for (const std::uint64_t frame : steps_) out.push_back(all[frame]);
  return out;
}

Json ReplayBuilder::run() const {
  const RecordingInfo& info = recording_.info();
  Json out = {{"scene", info.scene},
              {"solver", info.solver},
              {"backend", "generalized"},
              {"integrator", info.integrator},
              {"dt", info.dt},
              {"tolerance", info.tolerance},
              {"version", info.version},
              {"command", info.command},
              {"sceneIdentity", fmt::format("{:016x}", info.scene_identity)},
              {"movingBodies", scene_.at("moving_bodies")},
              {"dofs", info.nv},
              {"gravity", scene_.at("gravity")},
              {"totalMass", scene_.at("total_mass")},
              {"complete", info.complete}};
  if (info.frames > 0) out["stateHash"] = fmt::format("{:016x}", recording_.state_hash(info.frames - 1));
  return out;
}

Json ReplayBuilder::verdict() const {
  const RecordingInfo& info = recording_.info();
  return {{"certified", info.uncertified == 0}, {"steps", info.steps},          {"uncertified", info.uncertified},
          {"rejected", info.rejected},          {"worstStep", info.worst_step}, {"worstResidual", info.worst_residual}};
}

Json ReplayBuilder::events() const {
  Json out = Json::array();
  const std::vector<double> substeps = column("substeps");
  for (std::size_t i = 0; i < steps_.size() && out.size() < 2000; ++i)
    if (substeps[i] > 1)
      out.push_back({{"t", times_[i]},
                     {"kind", "substep"},
                     {"text", fmt::format("taken in {} parts", static_cast<int>(substeps[i]))}});
  if (recording_.info().rejected > 0 && !times_.empty())
    out.push_back({{"t", times_.back()}, {"kind", "failed"}, {"text", "the next step was rejected; the run ended here"}});
  return out;
}

void ReplayBuilder::add_uncertified(const std::string& key) {
  if (arrays_.reuse("bad.step", key) && arrays_.reuse("bad.time", key) && arrays_.reuse("bad.residual", key) &&
      arrays_.reuse("bad.status", key))
    return;
  const std::vector<double> status = column("status"), residual = column("residual"), iterations = column("iterations");
  const double limit = scene_.at("run").value("max_iterations", 0.0);
  std::vector<std::uint32_t> step;
  std::vector<double> time;
  std::vector<float> value;
  std::vector<std::uint8_t> why;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (status[i] == static_cast<double>(StepStatus::certified)) continue;
    step.push_back(static_cast<std::uint32_t>(i));
    time.push_back(times_[i]);
    value.push_back(static_cast<float>(residual[i]));
    why.push_back(status[i] == static_cast<double>(StepStatus::rejected) ? failed
                  : limit > 0 && iterations[i] >= limit                  ? iteration_limit
                                                                         : not_certified);
  }
  arrays_.add("bad.step", step);
  arrays_.add("bad.time", time);
  arrays_.add("bad.residual", value);
  arrays_.add("bad.status", why);
}

Json ReplayBuilder::step_times(std::uint64_t bin) {
  Json out = {{"recorded", steps_.size()}, {"startsBeforeAnyStep", !steps_.empty() && steps_.front() == 0}};
  std::vector<double> times = times_;
  if (bin > 1) {
    times.clear();
    for (std::size_t first = 0; first < times_.size(); first += bin) {
      const double begin = times_[first], end = times_[std::min<std::size_t>(first + bin, times_.size()) - 1];
      times.push_back(begin + 0.25 * (end - begin));
      times.push_back(begin + 0.75 * (end - begin));
    }
  }
  out["count"] = times.size();
  if (times.empty()) return out;
  const double dt = times.size() > 1 ? (times.back() - times.front()) / static_cast<double>(times.size() - 1) : 0;
  bool even = true;
  for (std::size_t i = 0; i < times.size(); ++i)
    even = even && std::abs(times[i] - (times.front() + dt * static_cast<double>(i))) <= 1e-6 * std::abs(dt);
  if (even) {
    out["t0"] = times.front();
    out["dt"] = dt;
  } else {
    arrays_.add("step.time", times);
    out["times"] = "step.time";
  }
  return out;
}

Json ReplayBuilder::add_rows(const std::string& group, const std::vector<std::vector<double>>& rows, int bits,
                             std::uint64_t bin) {
  std::vector<float> values;
  for (const std::vector<double>& row : rows)
    for (const double value : bin > 1 ? least_and_largest(row, bin) : row)
      values.push_back(bits == whole_float ? static_cast<float>(value) : keep_bits(value, bits));
  const std::string name = "series." + group;
  arrays_.add(name, values, {rows.size(), rows.empty() ? 0 : values.size() / rows.size()});
  return name;
}

std::vector<std::vector<double>> ReplayBuilder::joint_rows(char which) const {
  std::vector<int> places;
  for (const Json& joint : scene_.at("joints")) {
    if (joint.at("kind") == "floating") continue;  // where a body is can be plotted from its pose
    const int first = joint.at(which == 'q' ? "q" : "v").get<int>(), n = joint.at(which == 'q' ? "nq" : "nv").get<int>();
    for (int k = 0; k < n && places.size() < most_joint_rows; ++k) places.push_back(first + k);
  }
  std::vector<std::vector<double>> out(places.size());
  if (places.empty()) return out;
  const double dt = recording_.info().dt;
  for (const std::uint64_t frame : steps_) {
    Eigen::VectorXd x;
    if (which == 't') {
      x = recording_.control(frame);
      for (const ConstraintRow& row : recording_.constraints(frame))
        if (row.kind == ConstraintKind::actuator && row.joint >= 0 && row.joint < x.size())
          x[row.joint] += row.impulse[0] / dt;
    } else {
      const State state = recording_.state(frame);
      x = which == 'q' ? state.q : state.v;
    }
    for (std::size_t i = 0; i < places.size(); ++i) out[i].push_back(x[places[i]]);
  }
  return out;
}

Json ReplayBuilder::add_series(const Cuts& cuts, const std::string& key) {
  Json out = Json::array();
  const std::string own = fmt::format("{} {}", key, cuts.bin);
  struct Row {
    std::string name, column;
    double scale = 1;
  };
  const auto group = [&](const std::string& name, const std::string& title, const std::string& unit, int bits,
                         const std::vector<Row>& rows, const Json& more) {
    if (!arrays_.reuse("series." + name, own)) {
      std::vector<std::vector<double>> values;
      for (const Row& row : rows) {
        values.push_back(column(row.column));
        for (double& value : values.back()) value *= row.scale;
      }
      add_rows(name, values, bits, cuts.bin);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Json entry = {{"name", rows[i].name},      {"group", title}, {"unit", unit}, {"rate", "step"},
                    {"array", "series." + name}, {"row", i}};
      entry.update(more);
      out.push_back(std::move(entry));
    }
  };
  const double tolerance = recording_.info().tolerance;
  group("residual", "Residual", "m/s", whole_float, {{"residual", "residual"}},
        {{"log", true}, {"line", tolerance}, {"lineLabel", fmt::format("tolerance {:g}", tolerance)}});
  group("energy", "Energy", "J", whole_float,
        {{"kinetic", "energy_kinetic"}, {"potential", "energy_potential"}, {"elastic", "energy_elastic"}},
        {{"total", true}});
  group("iterations", "Iterations", "", 11, {{"iterations", "iterations"}, {"factorizations", "factorizations"}},
        {{"stepped", true}});
  std::vector<Row> stages;
  for (const std::string& name : recording_.columns())
    if (name.starts_with("stage_us.")) stages.push_back({name.substr(9), name, 1e-3});
  group("time", "Step time", "ms", 11, stages, {{"stack", true}});
  group("penetration", "Penetration", "m", 11, {{"penetration", "penetration"}}, Json::object());
  group("closure", "Closure error", "m, rad", 11, {{"closure_m", "closure_m"}, {"closure_rad", "closure_rad"}},
        {{"log", true}});
  group("counts", "Problem size", "", 11, {{"contacts", "contacts"}, {"rows", "rows"}, {"islands", "islands"}},
        {{"stepped", true}});
  group("slip", "Sliding speed", "m/s", 11, {{"slip", "slip"}}, Json::object());
  group("limits", "Limit violation", "rad, m", 11, {{"limit_violation", "limit_violation"}}, Json::object());

  const auto joints = [&](char which, const std::string& name, const std::string& title, const std::string& unit) {
    const Json& names = scene_.at(which == 'q' ? "q_names" : "v_names");
    if (!arrays_.reuse("series." + name, own)) add_rows(name, joint_rows(which), 11, cuts.bin);
    std::size_t row = 0;
    for (const Json& joint : scene_.at("joints")) {
      if (joint.at("kind") == "floating") continue;
      const int first = joint.at(which == 'q' ? "q" : "v").get<int>(), n = joint.at(which == 'q' ? "nq" : "nv").get<int>();
      for (int k = 0; k < n && row < most_joint_rows; ++k, ++row)
        out.push_back({{"name", names.at(static_cast<std::size_t>(first + k))},
                       {"group", title},
                       {"unit", unit},
                       {"rate", "step"},
                       {"array", "series." + name},
                       {"row", row}});
    }
  };
  joints('q', "q", "Joint position", "rad, m");
  joints('v', "v", "Joint velocity", "rad/s, m/s");
  joints('t', "tau", "Joint torque", "N m, N");
  return out;
}

}  // namespace condyle::record
