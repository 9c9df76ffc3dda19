#pragma once
// What several solvers made of several problems, family by family.
#include <condyle/solver.hpp>

#include <string>
#include <vector>

namespace condyle::cli {

/// One solver's answer to one file.
struct Outcome {
  std::string file, solver;
  const SolveResult* result = nullptr;
};

/// For each family (the folder of a file) and solver: how many are solved, medians of iterations, factorizations and time,
/// the worst residual. Nothing where there is one file.
void print_families(const std::vector<Outcome>& outcomes);

/// Performance profiles: the share of problems that a solver solves within τ times the time of the fastest that solves it.
/// Nothing where there is one solver or one file.
void print_profiles(const std::vector<Outcome>& outcomes);

}  // namespace condyle::cli
