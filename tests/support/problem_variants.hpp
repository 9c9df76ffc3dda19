#pragma once
// Perturbed variants of a stored contact problem: other friction, other free velocities, other units and masses, fewer
// contacts. The same on every machine: the generator is written out, no distribution of the standard library is used.
#include <condyle/contact_problem.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace condyle::test {

/// splitmix64.
class SmallRandom {
 public:
  explicit SmallRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double normal() {  // Irwin-Hall: twelve uniform numbers
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += uniform();
    return sum;
  }

 private:
  std::uint64_t state_;
};

inline std::uint64_t seed_of(const std::string& name, int variant) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325ULL + static_cast<std::uint64_t>(variant);
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

enum class Perturbation {
  friction_tenth,
  friction_more,
  friction_one,
  friction_mixed,    ///< each contact's times a number in [0.2, 1.8]
  slippery,          ///< three contacts in ten have none
  slippery_others,   ///< three others
  velocity_percent,  ///< free velocity of each row, by 1, 10 and 50 % of their size
  velocity_tenth,
  velocity_half,
  units,   ///< files with masses: each body's times a number in [0.1, 10]; without: each contact's units of length
  scaled,  ///< the whole scene 1000 times heavier and a hundred times slower
  dropped_tenth,
  dropped_many
};
inline constexpr int perturbations = 13;

inline const char* to_string(Perturbation which) {
  switch (which) {
    case Perturbation::friction_tenth: return "friction x 0.1";
    case Perturbation::friction_more: return "friction x 1.5";
    case Perturbation::friction_one: return "friction = 1";
    case Perturbation::friction_mixed: return "friction x 0.2..1.8";
    case Perturbation::slippery: return "30 % slippery";
    case Perturbation::slippery_others: return "30 % others slippery";
    case Perturbation::velocity_percent: return "velocity 1 %";
    case Perturbation::velocity_tenth: return "velocity 10 %";
    case Perturbation::velocity_half: return "velocity 50 %";
    case Perturbation::units: return "blocks scaled";
    case Perturbation::scaled: return "scene scaled";
    case Perturbation::dropped_tenth: return "10 % dropped";
    case Perturbation::dropped_many: return "40 % dropped";
  }
  return "?";
}

namespace detail {
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class Change>
void each_cone(ContactProblem& problem, Change&& change) {
  for (ConstraintBlock& block : problem.blocks)
    if (block.set == SetKind::cone) change(block);
}

inline Eigen::VectorXd free_velocity(const ContactProblem& problem) {
  if (problem.dual_only) return problem.g;
  Eigen::VectorXd out = problem.bias;
  for (const BlockJacobian::Part& part : problem.J.parts) {
    const BlockJacobian::Carrier& carrier = problem.J.carriers[at(part.carrier)];
    Eigen::VectorXd twist = Eigen::VectorXd::Zero(carrier.rows);
    for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
      const BlockJacobian::Run& run = problem.J.runs[at(r)];
      twist += Eigen::Map<const Eigen::MatrixXd>(problem.J.values.data() + run.value, carrier.rows, run.columns) *
               problem.v_free.segment(run.column, run.columns);
    }
    if (part.x < 0)
      out.segment(part.row, part.rows) += twist;
    else
      out.segment(part.row, part.rows) +=
          Eigen::Map<const Eigen::MatrixXd>(problem.J.values.data() + part.x, part.rows, carrier.rows) * twist;
  }
  return out;
}

inline void shake(ContactProblem& problem, double size, SmallRandom& random) {
  const Eigen::VectorXd g = free_velocity(problem);
  const double typical = g.norm() / std::sqrt(static_cast<double>(g.size()));
  Eigen::VectorXd& to = problem.dual_only ? problem.g : problem.bias;
  for (Eigen::Index k = 0; k < to.size(); ++k) to[k] += size * typical * random.normal();
}

inline void change_units(ContactProblem& problem, SmallRandom& random) {
  const auto factor = [&] { return std::pow(10.0, 2 * random.uniform() - 1); };
  problem.momentum.resize(0);
  for (ConstraintBlock& block : problem.blocks) block.weight = 0;
  if (!problem.dual_only) {
    for (int b = 0; b < problem.A.blocks(); ++b) {
      const double mass = factor();
      const int count = problem.A.block_size(b) * problem.A.block_size(b);
      for (int k = 0; k < count; ++k) problem.A.values[at(problem.A.value[at(b)] + k)] *= mass;
    }
    return;
  }
  Eigen::VectorXd s(problem.rows());
  for (const ConstraintBlock& block : problem.blocks) s.segment(block.row, block.rows).setConstant(factor());
  problem.G = s.asDiagonal() * problem.G * s.asDiagonal();
  problem.g = s.cwiseProduct(problem.g);
}

inline void scale_scene(ContactProblem& problem, double mass, double velocity) {
  problem.momentum.resize(0);
  for (ConstraintBlock& block : problem.blocks) block.weight = 0;
  for (double& x : problem.A.values) x *= mass;
  problem.v_free *= velocity;
  problem.bias *= velocity;
  problem.g *= velocity;
  problem.G *= 1 / mass;
}

inline void keep(ContactProblem& problem, const std::vector<char>& kept) {
  std::vector<int> new_row(at(problem.rows()), -1);
  int rows = 0;
  std::vector<ConstraintBlock> blocks;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    if (!kept[i]) continue;
    ConstraintBlock block = problem.blocks[i];
    for (int k = 0; k < block.rows; ++k) new_row[at(block.row + k)] = rows + k;
    block.row = rows;
    rows += block.rows;
    blocks.push_back(block);
    if (!problem.names.empty()) names.push_back(problem.names[i]);
  }
  const auto shrink = [&](Eigen::VectorXd& x) {
    if (x.size() != static_cast<Eigen::Index>(new_row.size())) return;
    Eigen::VectorXd out(rows);
    for (std::size_t k = 0; k < new_row.size(); ++k)
      if (new_row[k] >= 0) out[new_row[k]] = x[static_cast<Eigen::Index>(k)];
    x = out;
  };
  if (problem.dual_only) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < problem.G.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(problem.G, j); entry; ++entry)
        if (new_row[at(static_cast<int>(entry.row()))] >= 0 && new_row[at(j)] >= 0)
          entries.emplace_back(new_row[at(static_cast<int>(entry.row()))], new_row[at(j)], entry.value());
    problem.G.resize(rows, rows);
    problem.G.setFromTriplets(entries.begin(), entries.end());
  }
  shrink(problem.g);
  shrink(problem.bias);
  shrink(problem.compliance);
  std::vector<BlockJacobian::Part> parts;
  for (BlockJacobian::Part part : problem.J.parts) {
    if (new_row[at(part.row)] < 0) continue;
    part.row = new_row[at(part.row)];
    parts.push_back(part);
  }
  problem.J.parts = parts;
  if (!problem.dual_only) problem.J.rows = rows;
  problem.blocks = blocks;
  problem.names = names;
}

inline bool drop(ContactProblem& problem, double share, SmallRandom& random) {
  std::vector<char> kept(problem.blocks.size(), 1);
  std::size_t left = kept.size();
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (problem.blocks[i].set == SetKind::cone && left > 1 && random.uniform() < share) {
      kept[i] = 0;
      --left;
    }
  if (left == kept.size() && left > 1) {
    kept[random.bits() % kept.size()] = 0;
    --left;
  }
  if (left == kept.size()) return false;
  keep(problem, kept);
  return true;
}
}  // namespace detail

/// False: the perturbation would change nothing (one contact cannot be dropped).
inline bool perturb(ContactProblem& problem, Perturbation which, std::uint64_t seed) {
  SmallRandom random(seed);
  const auto make_slippery = [&] {
    int changed = 0;
    detail::each_cone(problem, [&](ConstraintBlock& block) {
      if (random.uniform() < 0.3) block.friction = 0, ++changed;
    });
    if (changed == 0) problem.blocks.front().friction = 0;
  };
  switch (which) {
    case Perturbation::friction_tenth: detail::each_cone(problem, [](ConstraintBlock& b) { b.friction *= 0.1; }); break;
    case Perturbation::friction_more: detail::each_cone(problem, [](ConstraintBlock& b) { b.friction *= 1.5; }); break;
    case Perturbation::friction_one: detail::each_cone(problem, [](ConstraintBlock& b) { b.friction = 1; }); break;
    case Perturbation::friction_mixed:
      detail::each_cone(problem, [&](ConstraintBlock& b) { b.friction *= 0.2 + 1.6 * random.uniform(); });
      break;
    case Perturbation::slippery:
    case Perturbation::slippery_others: make_slippery(); break;
    case Perturbation::velocity_percent: detail::shake(problem, 0.01, random); break;
    case Perturbation::velocity_tenth: detail::shake(problem, 0.1, random); break;
    case Perturbation::velocity_half: detail::shake(problem, 0.5, random); break;
    case Perturbation::units: detail::change_units(problem, random); break;
    case Perturbation::scaled: detail::scale_scene(problem, 1e3, 1e-2); break;
    case Perturbation::dropped_tenth: return detail::drop(problem, 0.1, random);
    case Perturbation::dropped_many: return detail::drop(problem, 0.4, random);
  }
  return true;
}

}  // namespace condyle::test
