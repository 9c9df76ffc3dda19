#pragma once
// The shapes in which friction problems stand in files, normal first in each contact, and the way from and to a
// ContactProblem.
#include <condyle/contact_problem.hpp>
#include <condyle/error.hpp>

#include <string>

namespace condyle::files {

using Sparse = Eigen::SparseMatrix<double>;

/// u = W r + V l + q,  0 = Vᵀ r + R l + s.
struct LocalForm {
  int d = 3;  ///< rows of a contact
  Sparse W;
  Eigen::VectorXd q, mu;
  Sparse V, R;  ///< bilateral part, may be empty
  Eigen::VectorXd s;
};

/// M v = H r + G l + f,  u = Hᵀ v + w,  0 = Gᵀ v + b.
struct GlobalForm {
  int d = 3;
  Sparse M, H;
  Eigen::VectorXd f, w, mu;
  Sparse G;  ///< bilateral part, may be empty
  Eigen::VectorXd b;
};

/// σ = G λ + g of any problem: G with R on its diagonal.
struct DualForm {
  Sparse G;
  Eigen::VectorXd g;
};

[[noreturn]] void refuse(const std::string& file, const std::string& element, const std::string& reason,
                         const std::string& cure = {});

/// Takes the first three rows of each contact of five.
void drop_rolling(LocalForm& form);
void drop_rolling(GlobalForm& form);
/// Adds the two rows again, zero.
void add_rolling(LocalForm& form);
void add_rolling(GlobalForm& form);

/// Sizes must fit together; `file` is for the words of errors.
ContactProblem to_problem(const LocalForm& form, const std::string& file);
ContactProblem to_problem(const GlobalForm& form, const std::string& file);
/// From G and g in Condyle's order of rows, blocks still to be filled.
ContactProblem dual_problem(Sparse G, Eigen::VectorXd g);

LocalForm local_form(const ContactProblem& problem, const std::string& file);
GlobalForm global_form(const ContactProblem& problem, const std::string& file);
DualForm dual_form(const ContactProblem& problem, const std::string& file);

/// Row of Condyle's that the file's row i of contacts of d rows each becomes: (N, T1, T2) → (T1, T2, N).
inline int row_of_file_row(int i, int d) { return i % d == 0 ? i + d - 1 : i - 1; }

}  // namespace condyle::files
