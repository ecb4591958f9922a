#pragma once
// Siconos's ASCII problems (.dat): LCP, MLCP, friction contact in local and global form, planar and spatial, with dense,
// sparse-block and CSparse-dump matrices. data/siconos_problems/README.md states the format.
//
// The files carry no kind: a text is of the kind as which it can be read to its end with consistent sizes.
// Siconos orders the components of a contact (n, t1[, t2]); carom (t1[, t2], n). Both directions convert here.

#include <string>

#include "carom/complementarity/any_problem.hpp"

namespace carom {

enum class MatrixStorage { dense, sparse_block };

// Throws InputError with file and line.
AnyProblem read_siconos_dat(const std::string& path);
AnyProblem parse_siconos_dat(const std::string& text, const std::string& name_of_file = {});

// Shortest digits that read back to the same bits. Global problems are written with sparse (triplet) matrices whatever `storage`.
void write_siconos_dat(const AnyProblem& problem, const std::string& path, MatrixStorage storage = MatrixStorage::sparse_block);
std::string format_siconos_dat(const AnyProblem& problem, MatrixStorage storage = MatrixStorage::sparse_block);

// Siconos .dat or FCLIB HDF5, told apart by the file's first bytes.
AnyProblem load_contact_problem(const std::string& path);

}  // namespace carom
