#pragma once
// One island in scaled variables (SOLVER_RECIPES 2): λ = c D λ̃, σ = c D⁻¹ σ̃, so that G̃ + R̃ has a unit diagonal and every
// penalty of a solver is a pure number. Everything a solver iterates with is here; islands of any size share the memory.
#include "problem/islands.hpp"
#include "problem/operators.hpp"
#include "solvers/primal_structure.hpp"

#include <condyle/solver.hpp>

#include <Eigen/SparseCore>

#include <cstdint>
#include <vector>

namespace condyle {

using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
inline Vector view(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }
inline ConstVector view(const std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

/// How the linear systems of an island are kept: G̃ (rows × rows) or I + Ĵᵀ R̃⁻¹ Ĵ (velocities × velocities).
enum class Form { automatic, dual_dense, primal_dense, dual_sparse, primal_sparse };
const char* to_string(Form form);

class ScaledIsland {
 public:
  struct Span {  ///< of one block: columns side by side in the island's velocities
    int column = 0, columns = 0;
    int value = 0;  ///< rows × columns numbers of Ĵ
  };

  /// `delassus` is built for this problem, or unused for dual-only ones; `all_g` = J v* + b of the whole
  /// problem. `scaled` false: D = 1 and c = 1, to see what scaling is worth.
  void set(const ContactProblem& problem, const Islands& islands, int island, const Delassus& delassus,
           const Eigen::VectorXd& all_g, bool convex, SolverOptions::Criterion criterion, Form form = Form::automatic,
           bool scaled = true);

  /// Another free motion of the rows on the same island, after `set`: matrices stay as they are.
  void take_free_motion(const Eigen::VectorXd& all_g);

  /// `momentum`, and `guess` from a velocity of the whole problem (or an empty one), after `set` with the same arguments.
  void take_motion(const ContactProblem& problem, const Delassus& delassus, const Eigen::VectorXd& velocity);

  int rows() const { return static_cast<int>(g.size()); }
  int velocities() const { return velocities_; }
  Form form() const { return form_; }
  bool symmetric() const { return symmetric_; }
  bool convex() const { return convex_; }
  bool has_friction_boxes() const { return has_friction_boxes_; }
  bool finite() const;
  /// Differs wherever Ĵ or R̃ may.
  std::uint64_t stamp() const { return stamp_; }

  std::vector<ConstraintBlock> blocks;  ///< rows count within the island; `weight` is w; bounds are in lower, upper
  std::vector<int> global_row;
  std::vector<int> bodies;  ///< first velocity of each body in the island, and the number of velocities at the end
  std::vector<double> d, g, R, lower, upper;  ///< each row's; bounds of friction boxes are factors of the normal impulse
  std::vector<double> momentum;               ///< L⁻¹ A v* / c, each velocity's; empty: not asked for, or not known
  std::vector<double> guess;                  ///< u of a velocity to begin with, v - v* = c L⁻ᵀ u; empty: none
  double c = 1;

  /// out = (G̃ + R̃) x, and the same plus g̃.
  void multiply(const double* x, double* out);
  void sigma(const double* x, double* out);
  /// out = G̃ᵀ x + R̃ x: the same as multiply where G is symmetric.
  void multiply_transposed(const double* x, double* out);
  /// y = P_K(x). May be in place.
  void project(const double* x, double* y) const;
  /// What a solver stops on: the certificate's formula in m/s, or the larger relative residual; of λ̃ and its σ̃.
  double measure(const double* impulse, const double* sigma) const;
  /// True impulses to scaled ones and back; `all` is the whole problem's vector.
  void gather(const Eigen::VectorXd& all, double* scaled) const;
  void scatter(const double* scaled, Eigen::VectorXd& all) const;

  const Span* spans_begin(int block) const { return spans_.data() + span_begin_[static_cast<std::size_t>(block)]; }
  const Span* spans_end(int block) const { return spans_.data() + span_begin_[static_cast<std::size_t>(block) + 1]; }
  const double* values(const Span& span) const { return J_.data() + span.value; }
  /// Dense forms only: G̃ without R̃, column by column.
  const std::vector<double>& G() const { return G_; }
  const Eigen::SparseMatrix<double>& sparse_G() const { return sparse_G_; }
  /// G̃ + R̃ in any form, column by column: for rank-revealing steps and tests.
  Eigen::MatrixXd dense();
  /// Sparse primal form only.
  PrimalStructure& structure() const { return *structure_; }
  /// u = Ĵᵀ x and out = Ĵ u, primal forms only.
  void to_velocities(const double* x, double* u) const;
  void to_rows(const double* u, double* out) const;

 private:
  void take_blocks(const ContactProblem& problem, const Islands& islands, int island);
  void take_jacobian(const ContactProblem& problem, const Islands& islands, int island, const Delassus& delassus);
  void take_dual(const ContactProblem& problem);
  void scale(const ContactProblem& problem, const Eigen::VectorXd& all_g);
  void form_delassus();
  void form_sparse_delassus();

  int velocities_ = 0;
  std::uint64_t stamp_ = 0;
  Form form_ = Form::dual_dense;
  bool symmetric_ = true, convex_ = false, scaled_ = true, has_friction_boxes_ = false;
  SolverOptions::Criterion criterion_ = SolverOptions::Criterion::speed;
  std::vector<int> source_block_, source_body_, body_column_, span_begin_, local_row_;
  std::vector<Span> spans_;
  std::vector<double> J_, K_, G_, stack_, stack_right_, W_, diagonal_, frobenius_;
  mutable std::vector<double> u_;
  std::vector<int> touching_, touching_begin_, next_;
  Eigen::SparseMatrix<double> sparse_G_;
  PrimalStructures structures_;
  PrimalStructure* structure_ = nullptr;
};

}  // namespace condyle
