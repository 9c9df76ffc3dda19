#pragma once
// One step's contact problem P = (A, v*, J, b, R, K):  A (v+ - v*) = Jᵀ λ,  σ = J v+ + b + R λ,  -(σ + Γ(σ)) ∈ N_K(λ).
// Plain data: a simulator fills it, any solver takes it, the judge reads it, a file holds it.
#include <condyle/eigen_abi.hpp>

#include <Eigen/SparseCore>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace condyle {

/// A: dense blocks on the diagonal, one for each tree or free body. Files may bring blocks that are not symmetric.
struct BlockDiagonal {
  std::vector<int> begin{0};   ///< first velocity of each block, and the number of velocities at the end
  std::vector<int> value{};    ///< where each block's numbers begin, column by column
  std::vector<double> values;  ///< kg, kg m²

  int size() const { return begin.back(); }
  int blocks() const { return static_cast<int>(begin.size()) - 1; }
  int block_size(int b) const { return begin[static_cast<std::size_t>(b) + 1] - begin[static_cast<std::size_t>(b)]; }
  Eigen::Map<const Eigen::MatrixXd> block(int b) const {
    return {values.data() + value[static_cast<std::size_t>(b)], block_size(b), block_size(b)};
  }
  /// Appends a block of n velocities, zero, and returns it.
  Eigen::Map<Eigen::MatrixXd> add_block(int n);
  void clear();
};

/// J, block-sparse. Constraints between the same two bodies share a carrier: the relative twist of the bodies (6 rows) over
/// the velocities between them; each constraint block is J_i = X_i C with a small X_i (rows × 6). So many points between two
/// bodies cost one wide product. A joint's row has a carrier of one row and X = 1.
struct BlockJacobian {
  struct Run {  ///< columns that lie side by side, all within one block of A
    int column = 0, columns = 0;
    int value = 0;  ///< carrier rows × columns numbers, column by column
  };
  struct Carrier {
    int rows = 0;
    int run_begin = 0, run_end = 0;
  };
  struct Part {  ///< rows of one constraint block
    int carrier = 0, row = 0, rows = 0;
    int x = -1;  ///< rows × carrier rows numbers, column by column; -1: X = 1
  };
  std::vector<Run> runs;
  std::vector<Carrier> carriers;
  std::vector<Part> parts;
  std::vector<double> values;
  int rows = 0, columns = 0;

  void clear();
};

enum class SetKind {
  bilateral,    ///< K = R^d
  nonnegative,  ///< K = R+^d
  box,          ///< K = [lower, upper]^d
  cone,         ///< rows (tangents, normal): ‖λ_t‖ ≤ μ λ_n; two rows: plane contact
  friction_box  ///< MLCP only: [lower λ_k, upper λ_k], k the row `normal_row`
};
const char* to_string(SetKind kind);

enum class ConstraintKind { contact, closure, coupling, joint_limit, joint_friction, actuator, spring_damper, other };
const char* to_string(ConstraintKind kind);

/// One constraint, or the linear or angular half of one.
struct ConstraintBlock {
  ConstraintKind kind = ConstraintKind::other;
  SetKind set = SetKind::bilateral;
  int row = 0, rows = 0;
  double friction = 0;  ///< μ of a cone
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();  ///< N s
  int normal_row = -1;   ///< of a friction_box
  bool angular = false;  ///< σ is in rad/s, λ in N m s
  std::uint64_t id = 0;  ///< stays from step to step; 0: none
  double weight = 0;     ///< w_i = ‖G_ii‖_F / rows, 1/kg; filled by the assembly, 0: not yet known
};

struct ContactProblem {
  std::string name;
  double dt = 0;  ///< s; 0: unknown (files)

  BlockDiagonal A;
  Eigen::VectorXd v_free;    ///< n, v*
  Eigen::VectorXd momentum;  ///< n, A v* where a file gave that instead of v*, so that it can be written again; else empty
  BlockJacobian J;
  Eigen::VectorXd bias;        ///< m, b
  Eigen::VectorXd compliance;  ///< m, R >= 0
  std::vector<ConstraintBlock> blocks;
  std::vector<std::string> names;  ///< of the blocks; may be empty

  /// Files may give only the dual form, σ = (G + R) λ + g; A, v* and J are then empty. G need not be symmetric.
  bool dual_only = false;
  Eigen::SparseMatrix<double> G;
  Eigen::VectorXd g;

  int rows() const { return static_cast<int>(bias.size()); }
  int velocities() const { return A.size(); }
  int contacts() const;
  void clear();
  /// "a on b, point 3", or "block 7" where there are no names.
  std::string block_name(int block) const;
  /// Empty if sizes, indices and numbers fit together; else what does not.
  std::string defect() const;
};

}  // namespace condyle
