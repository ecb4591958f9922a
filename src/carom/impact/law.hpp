#pragma once
// A law = a process (how impulse accumulates) × a restitution hypothesis (when it ends), with everything a user may want to
// know about it in one table: the command line's help, error messages and the documentation are made from it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/outcome.hpp"
#include "carom/impact/problem.hpp"

namespace carom {

enum class Restitution { newton, poisson, stronge };
std::string_view name(Restitution);

// A user's choice. An empty process means the documented default: `routh` for one contact, `lzb` for several.
struct ImpactLaw {
  std::string process;
  std::string restitution;  // "newton", "poisson", "stronge"; empty: the law's first
  LawOptions options;
  bool history = true;      // record events and segments
};

// One option of a law: what it means, its unit, default and allowed values.
struct OptionInfo {
  std::string name;
  OptionValue fallback;              // the default
  double low = 0, high = 0;          // for numbers: the closed range
  std::vector<std::string> choices;  // for words
  std::string unit, meaning;
};

// What a law function is given: the validated problem, a restitution hypothesis it supports, its options complete.
struct LawCall {
  const ImpactProblem& problem;
  Restitution restitution;
  const LawOptions& options;
  bool history;

  double number(std::string_view option) const { return std::get<double>(options.find(std::string(option))->second); }
  bool flag(std::string_view option) const { return std::get<bool>(options.find(std::string(option))->second); }
  const std::string& word(std::string_view option) const { return std::get<std::string>(options.find(std::string(option))->second); }
};

// What a law says of itself. `solve` fills v_post, p, energy.contacts, events, segments, warnings and status; the ledger's
// sums, the residuals and q̇⁺ are computed by resolve(), outside every law.
struct LawInfo {
  std::string id;
  std::vector<std::string> aliases{};         // documented other names, "alias" or "alias+restitution"
  std::vector<int> dimensions;                // 2, 3
  bool many_contacts = false;                 // more than one contact
  std::vector<Restitution> restitutions;      // the first is the default
  std::vector<Restitution> never_gains{};     // hypotheses under which kinetic energy provably never grows
  bool order_free = false;                    // another order of the contacts gives the same velocities
  std::vector<OptionInfo> options{};
  std::string summary;                        // one sentence
  std::string citation;                       // keys of docs/references.bib
  ImpactOutcome (*solve)(const LawCall&);
};

// Every law, in the order of the documentation.
std::span<const LawInfo> all_laws();

// The law of that id or alias; an InputError lists the known ones. An alias may fix the restitution hypothesis.
const LawInfo& find_law(std::string_view id_or_alias);

// The law that applies when the user names none.
const LawInfo& default_law(const ImpactProblem& problem);

// Resolves an impact. Pure: no clock, no random numbers, no log. Throws InputError for a problem or law that makes no sense;
// numerical trouble is a status with residuals.
[[nodiscard]] ImpactOutcome resolve(const ImpactProblem& problem, const ImpactLaw& law = {});

}  // namespace carom
