#pragma once
// Numbers and matrices in the text files of Siconos: three ways to store a matrix, read with the place of every error.
#include "problem/files/forms.hpp"

#include <condyle/problem_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace condyle::files {

/// Goes through a text number by number.
class TextReader {
 public:
  TextReader(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  /// `what` is the element in an error.
  long integer(const char* what);
  /// A count: not negative, and not more than the file could hold.
  int count(const char* what);
  double number(const char* what);
  double number_or_infinity(const char* what);
  Eigen::VectorXd vector(const char* what, int n);
  Sparse matrix(const char* what);
  /// Row-major numbers without a header.
  Eigen::MatrixXd rows(const char* what, int m, int n);
  /// Bytes that are left.
  std::size_t left() const { return text_.size() - at_; }
  bool only_space_left() const;
  [[noreturn]] void fail(const char* what, const std::string& reason, const std::string& cure = {}) const;

 private:
  std::string_view token(const char* what);
  std::string_view line(const char* what);
  /// Error if `n` numbers cannot stand in what is left.
  void need_room(const char* what, double n) const;
  Sparse dense(const char* what, int rows, int columns);
  Sparse blocks(const char* what, int rows, int columns);
  Sparse sparse(const char* what, int rows, int columns);
  std::vector<int> ends(const char* what, int n, int last);

  const std::string& file_;
  const std::string& text_;
  std::size_t at_ = 0;
};

/// The shortest text that reads back as the same number.
std::string shortest(double x);
void put_line(std::string& out, const Eigen::VectorXd& x);
/// `ends` are the cumulative block ends of rows and columns, for storage in blocks.
void put_matrix(std::string& out, const Sparse& A, MatrixStorage storage, const std::vector<int>& row_ends,
                const std::vector<int>& column_ends);
/// width, 2 width, ... up to n; n itself if width does not divide it.
std::vector<int> equal_blocks(int n, int width);

ContactProblem read_siconos(const std::string& file, const std::string& text, bool global, bool rolling);
ContactProblem read_lcp(const std::string& file, const std::string& text);
ContactProblem read_mlcp(const std::string& file, const std::string& text);
ContactProblem read_gmp(const std::string& file, const std::string& text);
ContactProblem read_boxed_lcp(const std::string& file, const std::string& text);

std::string siconos_text(const ContactProblem& problem, const std::string& file, bool global, bool rolling,
                         MatrixStorage storage);
std::string lcp_text(const ContactProblem& problem, const std::string& file, MatrixStorage storage);
std::string mlcp_text(const ContactProblem& problem, const std::string& file, MatrixStorage storage);
std::string gmp_text(const ContactProblem& problem, const std::string& file);
std::string boxed_lcp_text(const ContactProblem& problem, const std::string& file);

}  // namespace condyle::files
