// What touched and what was transmitted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "record/replay_builder.hpp"

namespace condyle::record {

namespace {
/// Octahedral map of a unit vector to two bytes, less than a degree off.
std::pair<std::int8_t, std::int8_t> octahedral(const Eigen::Vector3d& n) {
  const double sum = n.cwiseAbs().sum();
  if (!(sum > 0) || !std::isfinite(sum)) return {0, 0};
  double x = n.x() / sum, y = n.y() / sum;
  if (n.z() < 0) {
    const double u = x, sx = x >= 0 ? 1 : -1, sy = y >= 0 ? 1 : -1;
    x = (1 - std::abs(y)) * sx;
    y = (1 - std::abs(u)) * sy;
  }
  return {static_cast<std::int8_t>(std::lround(127 * x)), static_cast<std::int8_t>(std::lround(127 * y))};
}
}  // namespace

std::uint64_t ReplayBuilder::contacts_in(std::uint64_t frame) const {
  return static_cast<std::uint64_t>(std::max(0.0, contact_counts_[frame]));
}

std::size_t ReplayBuilder::least_contact_bytes(std::size_t most) const {
  std::size_t rows = 0;
  for (const std::uint64_t frame : frames_) rows += std::min<std::size_t>(most, contacts_in(frame));
  return 3 * rows;
}

void ReplayBuilder::say_contacts_dropped(std::size_t most, std::vector<std::string>& dropped) const {
  std::size_t frames = 0;
  for (const std::uint64_t frame : frames_) frames += contacts_in(frame) > most;
  if (frames > 0)
    dropped.push_back(
        fmt::format("only the {} strongest contacts of a frame are here; {} of {} frames have more (their number and the "
                    "sum of forces are true)",
                    most, frames, frames_.size()));
}

void ReplayBuilder::add_contacts(const std::vector<std::uint64_t>& frames, const Cuts& cuts, const std::string& key) {
  static const char* const names[] = {"contact.count", "contact.total", "contact.sum",    "contact.a",
                                      "contact.b",     "contact.point", "contact.normal", "contact.force",
                                      "contact.gap",   "contact.mu",    "contact.state"};
  const std::string own = fmt::format("{} {}", key, cuts.contacts);
  bool known = true;
  for (const char* name : names) known = known && arrays_.reuse(name, own);
  if (known) return;
  const double dt = recording_.info().dt;
  std::vector<std::uint32_t> count, total, a, b;
  std::vector<std::int32_t> point[3];
  std::vector<std::int8_t> normal[2];
  std::vector<float> force[3], gap, sum;
  std::vector<std::uint16_t> mu;
  std::vector<std::uint8_t> state;
  for (const std::uint64_t frame : frames) {
    std::vector<ConstraintRow> rows = recording_.constraints(frame);
    std::erase_if(rows, [](const ConstraintRow& row) { return row.kind != ConstraintKind::contact; });
    total.push_back(static_cast<std::uint32_t>(rows.size()));
    sum.push_back(keep_bits(std::accumulate(rows.begin(), rows.end(), 0.0,
                                            [&](double s, const ConstraintRow& row) { return s + row.impulse.norm() / dt; }),
                            11));
    if (rows.size() > cuts.contacts) {
      std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(cuts.contacts), rows.end(),
                       [](const ConstraintRow& x, const ConstraintRow& y) {
                         const double fx = x.impulse.squaredNorm(), fy = y.impulse.squaredNorm();
                         return fx != fy ? fx > fy : x.id < y.id;
                       });
      rows.resize(cuts.contacts);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
    count.push_back(static_cast<std::uint32_t>(rows.size()));
    for (ConstraintRow& row : rows) {
      const auto moves = [&](int body) { return body >= 0 && body < moving_; };
      if (moves(row.body_a) && !moves(row.body_b)) {  // a person asks what the floor does to the foot
        std::swap(row.body_a, row.body_b);
        row.impulse = -row.impulse;
        row.frame.col(2) = -row.frame.col(2);
      }
      a.push_back(static_cast<std::uint32_t>(row.body_a + 1));
      b.push_back(static_cast<std::uint32_t>(row.body_b + 1));
      for (std::size_t k = 0; k < 3; ++k) {
        point[k].push_back(quantized(row.point[static_cast<Eigen::Index>(k)], 10 * step_));
        force[k].push_back(keep_bits(row.impulse[static_cast<Eigen::Index>(k)] / dt, 8));
      }
      const auto [u, v] = octahedral(row.frame.col(2));
      normal[0].push_back(u);
      normal[1].push_back(v);
      gap.push_back(keep_bits(row.gap, 8));
      mu.push_back(static_cast<std::uint16_t>(std::clamp(std::lround(1e3 * row.friction), 0l, 65535l)));
      state.push_back(row.mode == ContactMode::stick ? 1 : row.mode == ContactMode::slip ? 2 : 0);
    }
  }
  const std::size_t n = a.size();
  const auto joined = [](auto* parts, std::size_t k) {
    auto out = parts[0];
    for (std::size_t i = 1; i < k; ++i) out.insert(out.end(), parts[i].begin(), parts[i].end());
    return out;
  };
  arrays_.add("contact.count", count);
  arrays_.add("contact.total", total);
  arrays_.add("contact.sum", sum);
  arrays_.add("contact.a", a);
  arrays_.add("contact.b", b);
  arrays_.add_zigzag("contact.point", joined(point, 3), {3, n}, 10 * step_);
  arrays_.add("contact.normal", joined(normal, 2), {2, n});
  arrays_.add("contact.force", joined(force, 3), {3, n});
  arrays_.add("contact.gap", gap);
  arrays_.add("contact.mu", mu);
  arrays_.add("contact.state", state);
}

int ReplayBuilder::closure_index(const ConstraintRow& row, std::vector<int>& used) const {
  // the k-th row between two bodies is the k-th closure between them
  const Json& closures = scene_.at("closures");
  for (std::size_t i = 0; i < closures.size(); ++i)
    if (!std::count(used.begin(), used.end(), static_cast<int>(i)) && closures[i].at("a") == row.body_a &&
        closures[i].at("b") == row.body_b) {
      used.push_back(static_cast<int>(i));
      return static_cast<int>(i);
    }
  return -1;
}

void ReplayBuilder::add_others(const std::vector<std::uint64_t>& frames, const std::string& key) {
  static const char* const names[] = {"other.count", "other.kind",  "other.state", "other.a",       "other.b",
                                      "other.index", "other.force", "other.gap",   "other.residual"};
  bool known = true;
  for (const char* name : names) known = known && arrays_.reuse(name, key);
  if (known) return;
  const double dt = recording_.info().dt;
  std::vector<std::uint32_t> count, a, b;
  std::vector<std::uint8_t> kind, state;
  std::vector<std::int32_t> index;
  std::vector<float> force, gap, residual;
  std::vector<int> used;
  for (const std::uint64_t frame : frames) {
    std::uint32_t rows = 0;
    used.clear();
    for (const ConstraintRow& row : recording_.constraints(frame)) {
      if (row.kind == ConstraintKind::contact) continue;
      ++rows;
      kind.push_back(static_cast<std::uint8_t>(row.kind));
      state.push_back(static_cast<std::uint8_t>(row.mode));
      a.push_back(static_cast<std::uint32_t>(row.body_a + 1));
      b.push_back(static_cast<std::uint32_t>(row.body_b + 1));
      index.push_back(row.kind == ConstraintKind::closure ? closure_index(row, used) : row.joint);
      force.push_back(keep_bits((row.joint >= 0 ? row.impulse[0] : row.impulse.norm()) / dt, 11));
      gap.push_back(keep_bits(row.gap, 8));
      residual.push_back(keep_bits(row.residual, 8));
    }
    count.push_back(rows);
  }
  arrays_.add("other.count", count);
  arrays_.add("other.kind", kind);
  arrays_.add("other.state", state);
  arrays_.add("other.a", a);
  arrays_.add("other.b", b);
  arrays_.add_zigzag("other.index", index, {index.size()}, 1);
  arrays_.add("other.force", force);
  arrays_.add("other.gap", gap);
  arrays_.add("other.residual", residual);
}

}  // namespace condyle::record
