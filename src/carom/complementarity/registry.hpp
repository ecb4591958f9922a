#pragma once
// Every solver by its id, for the program: one table of what each is and which problems it takes, and one function that runs
// it on any problem. Global friction problems are reduced to local form first.

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/complementarity/any_problem.hpp"

namespace carom {

struct SolverInfo {
  std::string_view id;
  std::string_view meaning;
  bool lcp = false, mlcp = false, friction = false;  // problem kinds (friction: local and global)
};

std::span<const SolverInfo> solvers();

struct ContactOptions {
  double tolerance = 1e-8;  // natural map of the problem's kind
  int max_iterations = 0;   // 0: the solver's own default
  Eigen::VectorXd warm{};   // start; empty: zero

  void validate() const;  // throws InputError
};

// One solver's try, as recorded by the default policy.
struct Attempt {
  std::string solver;
  SolveStatus status = SolveStatus::missed;
  int iterations = 0;
  double natural_map = 0;
};

struct ContactSummary {
  std::string solver;   // the one whose answer this is
  SolveStatus status = SolveStatus::missed;
  Certificate certificate;
  int iterations = 0;   // of all attempts
  Eigen::VectorXd x;    // z of an LCP or MLCP, r of a friction problem
  Eigen::VectorXd dual; // w, or u
  std::vector<Attempt> attempts;

  bool usable() const { return status == SolveStatus::solved; }
  std::string brief() const;  // one line for people
};

// `solver`: an id of solvers(), or "default". Throws InputError for an id that is unknown or not made for this kind.
[[nodiscard]] ContactSummary solve_contact(const AnyProblem& problem, std::string_view solver = "default",
                                           const ContactOptions& options = {});

}  // namespace carom
