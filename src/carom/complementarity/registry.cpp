#include "carom/complementarity/registry.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "carom/complementarity/admm.hpp"
#include "carom/complementarity/default_policy.hpp"
#include "carom/complementarity/enumeration.hpp"
#include "carom/complementarity/fischer_burmeister.hpp"
#include "carom/complementarity/lemke.hpp"
#include "carom/complementarity/mlcp_lemke.hpp"
#include "carom/complementarity/nsgs.hpp"
#include "carom/complementarity/pgs.hpp"
#include "carom/complementarity/proximal.hpp"
#include "carom/complementarity/semismooth_newton.hpp"
#include "carom/core/error.hpp"

namespace carom {
namespace {

constexpr std::array<SolverInfo, 10> kSolvers{{
    {"default", "warm start, cheap solver, certificate, escalation", true, true, true},
    {"lemke", "complementary pivoting, lexicographic ratio test", true, true, false},
    {"enumeration", "every complementary basis of a small LCP", true, false, false},
    {"fischer-burmeister", "semismooth Newton on the Fischer–Burmeister function", true, true, false},
    {"pgs", "projected Gauss–Seidel", true, true, false},
    {"nsgs", "nonsmooth Gauss–Seidel, exact cone, exact local solver", false, false, true},
    {"nsgs-anderson", "nonsmooth Gauss–Seidel with Anderson acceleration", false, false, true},
    {"newton", "semismooth Newton on the Alart–Curnier function", false, false, true},
    {"proximal", "proximal point around the semismooth Newton method", false, false, true},
    {"admm", "alternating directions with De Saxcé's term", false, false, true},
}};

constexpr int kAndersonWindow = 8;

ContactSummary summary(std::string_view solver, const LcpSolution& s) {
  return {std::string(solver), s.status, s.certificate, s.iterations, s.z, s.w, {}};
}

ContactSummary summary(std::string_view solver, const ContactSolution& s) {
  return {std::string(solver), s.status, s.certificate, s.iterations, s.r, s.u, {}};
}

struct Call {
  std::string_view id;
  const ContactOptions& o;

  int limit(int fallback) const { return o.max_iterations > 0 ? o.max_iterations : fallback; }

  [[noreturn]] void refuse(const char* kind, bool SolverInfo::*applies) const {
    std::string choices;
    for (const SolverInfo& s : kSolvers)
      if (s.*applies) choices += fmt::format("{}{}", choices.empty() ? "" : ", ", s.id);
    throw InputError("solver", std::string(id), fmt::format("for {} must be one of {}", kind, choices));
  }

  ContactSummary operator()(const Lcp& p) const {
    if (id == "default") return solve_default(p, o);
    if (id == "lemke") return summary(id, solve_lemke(p, {.tolerance = o.tolerance, .max_pivots = o.max_iterations}));
    if (id == "enumeration") return summary(id, solve_enumeration(p, {.tolerance = o.tolerance}));
    if (id == "fischer-burmeister")
      return summary(id, solve_fischer_burmeister(p, {.tolerance = o.tolerance, .max_steps = limit(200)}, o.warm));
    if (id == "pgs") return summary(id, solve_pgs(p, {.tolerance = o.tolerance, .max_sweeps = limit(10000)}, o.warm));
    refuse("an LCP", &SolverInfo::lcp);
  }

  ContactSummary operator()(const Mlcp& p) const {
    if (id == "default") return solve_default(p, o);
    if (id == "lemke") return summary(id, solve_lemke(p, {.tolerance = o.tolerance, .max_pivots = o.max_iterations}));
    if (id == "fischer-burmeister")
      return summary(id, solve_fischer_burmeister(p, {.tolerance = o.tolerance, .max_steps = limit(200)}, o.warm));
    if (id == "pgs") return summary(id, solve_pgs(p, {.tolerance = o.tolerance, .max_sweeps = limit(10000)}, o.warm));
    refuse("an MLCP", &SolverInfo::mlcp);
  }

  ContactSummary operator()(const FrictionContact& p) const {
    if (id == "default") return solve_default(p, o);
    if (id == "nsgs") return summary(id, solve_nsgs(p, {.tolerance = o.tolerance, .max_sweeps = limit(10000)}, o.warm));
    if (id == "nsgs-anderson")
      return summary(id, solve_nsgs(p, {.tolerance = o.tolerance, .max_sweeps = limit(10000), .anderson = kAndersonWindow}, o.warm));
    if (id == "newton") return summary(id, solve_newton(p, {.tolerance = o.tolerance, .max_steps = limit(100)}, o.warm));
    if (id == "proximal") return summary(id, solve_proximal(p, {.tolerance = o.tolerance, .max_outer = limit(100)}, o.warm));
    if (id == "admm") return summary(id, solve_admm(p, {.tolerance = o.tolerance, .max_iterations = limit(5000)}, o.warm));
    refuse("a friction problem", &SolverInfo::friction);
  }

  ContactSummary operator()(const GlobalFrictionContact& p) const { return (*this)(reduce(p)); }
};

}  // namespace

std::span<const SolverInfo> solvers() { return kSolvers; }

void ContactOptions::validate() const {
  if (!(tolerance > 0)) throw InputError("tolerance", fmt::format("{}", tolerance), "must be positive");
  if (max_iterations < 0) throw InputError("max_iterations", fmt::format("{}", max_iterations), "must be at least 0");
}

std::string ContactSummary::brief() const {
  return fmt::format("{} by {}: natural map {:.2e}, cone {:.2e}, complementarity {:.2e}, {} iterations", name(status), solver,
                     certificate.natural_map, certificate.cone, certificate.complementarity, iterations);
}

ContactSummary solve_contact(const AnyProblem& problem, std::string_view solver, const ContactOptions& options) {
  options.validate();
  return std::visit(Call{solver, options}, problem);
}

}  // namespace carom
