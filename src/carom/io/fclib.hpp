#pragma once
// FCLIB's HDF5 problems (Acary, Brémond, Huber: FCLIB): groups fclib_local {W, vectors/{q, mu}, spacedim} and
// fclib_global {M, H[, G], vectors/{f, w, mu[, b]}, spacedim}. FCLIB orders the components of a contact (n, t1[, t2]); carom
// (t1[, t2], n). Both directions convert here. Matrices are read as triplets, compressed columns or compressed rows and
// written as triplets. Rolling friction is refused by name.

#include <string>

#include "carom/complementarity/any_problem.hpp"

namespace carom {

AnyProblem read_fclib(const std::string& path);  // throws InputError
// Friction contact in local or global form; others are refused.
void write_fclib(const AnyProblem& problem, const std::string& path, const std::string& title = "carom");

}  // namespace carom
