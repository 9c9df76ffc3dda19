#pragma once
// How fast contacts slip that ought to stick: regularized friction holds only what it is pulled by.
#include <condyle/condyle.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace condyle {

/// ‖J v‖ of the tangents over the contacts that carry load: σ_t without the part R λ that a sticking contact needs.
/// A contact that sticks slips by R_t ‖λ_t‖ <= σ w μ λ_n: what SAP (31) is where w = 1/m and λ_n = m g dt.
struct Slip {
  double mean = 0, median = 0, worst = 0;
  double limit = 0;           ///< mean of σ w μ λ_n
  double law = 0;             ///< of contacts within their cone: the largest |slip - R_t ‖λ_t‖| in parts of their limit
  int contacts = 0, sticking = 0;
};

inline Slip slip_of(Simulator& simulator) {
  Slip out;
  const ContactProblem problem = simulator.problem();
  std::map<std::uint64_t, const ConstraintBlock*> blocks;
  for (const ConstraintBlock& block : problem.blocks) blocks[block.id] = &block;
  std::vector<double> all;
  for (const ConstraintRow& row : simulator.constraints()) {
    if (row.kind != ConstraintKind::contact) continue;
    const Eigen::Vector3d impulse = row.frame.transpose() * row.impulse;
    if (!(impulse[2] > 0)) continue;
    const ConstraintBlock& block = *blocks.at(row.id);
    const double R = problem.compliance[block.row], limit = R * block.friction * impulse[2];
    const double pull = R * impulse.head<2>().norm();
    const double slip = (row.velocity.head<2>() - R * impulse.head<2>()).norm();
    out.mean += slip;
    out.limit += limit;
    out.sticking += slip <= (1 + 1e-3) * limit;
    if (pull < 0.99 * limit) out.law = std::max(out.law, std::abs(slip - pull) / limit);
    all.push_back(slip);
    ++out.contacts;
  }
  if (all.empty()) return out;
  out.mean /= out.contacts;
  out.limit /= out.contacts;
  std::sort(all.begin(), all.end());
  out.median = all[all.size() / 2];
  out.worst = all.back();
  return out;
}

}  // namespace condyle
