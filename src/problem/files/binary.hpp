#pragma once
// Problems in binary files: FCLIB and Condyle's dump (HDF5), numpy archives.
#include "problem/files/forms.hpp"

#include <condyle/problem_file.hpp>

namespace condyle::files {

bool is_hdf5(const std::string& bytes);
bool is_zip(const std::string& bytes);
/// fclib_* or condyle, by the groups at the root.
ProblemFormat hdf5_format(const std::string& file, const std::string& bytes);

ContactProblem read_fclib(const std::string& file, const std::string& bytes, ProblemFormat format);
std::string fclib_bytes(const ContactProblem& problem, const std::string& file, ProblemFormat format);
ContactProblem read_dump(const std::string& file, const std::string& bytes);
std::string dump_bytes(const ContactProblem& problem, const std::string& file);
ContactProblem read_npz(const std::string& file, const std::string& bytes);
std::string npz_bytes(const ContactProblem& problem, const std::string& file);

}  // namespace condyle::files
