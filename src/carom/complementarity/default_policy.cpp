#include "carom/complementarity/default_policy.hpp"

#include <algorithm>

namespace carom {
namespace {

struct Rung {
  std::string_view solver;
  int max_iterations;  // 0: the solver's default
  bool warm;           // start from the best answer so far
};

template <class Problem>
ContactSummary climb(const Problem& problem, const ContactOptions& options, std::initializer_list<Rung> ladder) {
  ContactSummary best;
  best.certificate.natural_map = std::numeric_limits<double>::infinity();
  std::vector<Attempt> attempts;
  int iterations = 0;
  for (const Rung& rung : ladder) {
    ContactOptions o = options;
    if (o.max_iterations == 0) o.max_iterations = rung.max_iterations;
    if (rung.warm && best.x.size() > 0) o.warm = best.x;
    ContactSummary s = solve_contact(problem, rung.solver, o);
    iterations += s.iterations;
    attempts.push_back({std::string(rung.solver), s.status, s.iterations, s.certificate.natural_map});
    if (best.x.size() == 0 || s.certificate.natural_map < best.certificate.natural_map) best = std::move(s);
    if (best.usable()) break;
  }
  best.attempts = std::move(attempts);
  best.iterations = iterations;
  return best;
}

}  // namespace

ContactSummary solve_default(const Lcp& problem, const ContactOptions& options) {
  return climb(problem, options, {{"lemke", 0, false}, {"enumeration", 0, false}, {"fischer-burmeister", 0, false}, {"pgs", 0, false}});
}

ContactSummary solve_default(const Mlcp& problem, const ContactOptions& options) {
  return climb(problem, options, {{"lemke", 0, false}, {"fischer-burmeister", 0, false}, {"pgs", 0, false}});
}

ContactSummary solve_default(const FrictionContact& problem, const ContactOptions& options) {
  return climb(problem, options, {{"nsgs", 100, true},
                                  {"nsgs-anderson", 300, true},
                                  {"newton", 40, true},
                                  {"proximal", 0, true},
                                  {"admm", 2000, false},
                                  {"nsgs-anderson", 20000, true}});
}

}  // namespace carom
