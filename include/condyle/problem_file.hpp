#pragma once
// Contact problems in files: those of other programs, and Condyle's own dump, which keeps every bit and the names.
#include <condyle/contact_problem.hpp>

#include <string>
#include <vector>

namespace condyle {

enum class ProblemFormat {
  automatic,  ///< by signature, then by name, then by the first numbers
  condyle,    ///< Condyle's own dump (HDF5): everything that a ContactProblem holds, bit for bit
  fclib_local,
  fclib_global,
  fclib_global_rolling,  ///< HDF5
  siconos_local,
  siconos_global,
  siconos_rolling,
  siconos_global_rolling,  ///< text
  lcp,
  mlcp,
  gmp,       ///< text
  npz,       ///< numpy: G, g, mus
  boxed_lcp  ///< text: n, A, b, lo, hi, findex
};
const char* to_string(ProblemFormat format);
/// Of a name as to_string gives it; throws Error naming the nearest.
ProblemFormat problem_format(const std::string& name);
/// All but `automatic`.
const std::vector<ProblemFormat>& problem_formats();

/// How the text formats of Siconos hold a matrix.
enum class MatrixStorage { automatic, dense, blocks, sparse };

/// Throws Error if the file cannot be read or is like none of the formats.
ProblemFormat detect_problem_format(const std::string& path);

/// Rows are (tangents, normal) whatever the file has; of rolling friction the first three rows of each contact are taken.
/// Velocities that a global file has scattered come back with those of one block of M side by side. Throws Error naming the
/// file and the place.
ContactProblem read_problem(const std::string& path, ProblemFormat format = ProblemFormat::automatic);

/// `automatic`: as the name says; a name that says nothing is an error. A problem that has A and J becomes G and g where the
/// format knows nothing else; a compliance goes onto G's diagonal. Rolling formats get rolling friction zero. Throws Error
/// for what the format cannot hold, before anything is written.
void write_problem(const ContactProblem& problem, const std::string& path, ProblemFormat format = ProblemFormat::automatic,
                   MatrixStorage storage = MatrixStorage::automatic);

}  // namespace condyle
