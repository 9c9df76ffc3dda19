#pragma once

namespace condyle {

/// Into what an island is divided; the last two are the baselines of CANAL's Table III.
enum class Splitting {
  body,  ///< a system for each tree, a slack for each constraint and branch of it
  tree,  ///< "No Body": a slack for each constraint and tree
  none   ///< "No Sub": one system
};

struct SubadmmOptions {
  Splitting split = Splitting::body;
  double beta = 3;     ///< first penalty in scaled variables; 0: `density` times the pseudo-densities' geometric mean
  double density = 1;  ///< see beta
  double gamma = 10;   ///< β ← β √(θ_p/θ_d) where one is this many times the other (44)
  int hold = 20;       ///< iterations between two such tests; 0: β stays
  int memory = 10;     ///< of the acceleration; 0: none, as in the paper
  int check = 5;       ///< iterations between two measures
  int max_iterations = 20000;
};

}  // namespace condyle
