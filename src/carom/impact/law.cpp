#include "carom/impact/law.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "carom/core/error.hpp"
#include "carom/impact/laws/laws.hpp"
#include "carom/impact/ledger.hpp"

namespace carom {
namespace {

const std::vector<LawInfo>& table() {
  static const std::vector<LawInfo> entries = {
      laws::routh(),
      laws::routh_ode(),
      laws::mirtich(),
      laws::park(),
      laws::anitescu_potra(),
      laws::rodriguez_bowling(),
      laws::lzb(),
      laws::sequential(),
      laws::moreau(),
      laws::conventional(),
      laws::kane_levinson(),
  };
  return entries;
}

std::optional<Restitution> parse_restitution(std::string_view text) {
  for (const Restitution r : {Restitution::newton, Restitution::poisson, Restitution::stronge})
    if (name(r) == text) return r;
  return std::nullopt;
}

// "alias+restitution" or "alias".
struct Alias {
  std::string_view id, restitution;
};
Alias split(std::string_view alias) {
  const std::size_t plus = alias.find('+');
  if (plus == std::string_view::npos) return {alias, {}};
  return {alias.substr(0, plus), alias.substr(plus + 1)};
}

Restitution choose_restitution(const LawInfo& info, const ImpactLaw& law) {
  std::string_view fixed;
  for (const std::string& alias : info.aliases)
    if (split(alias).id == law.process) fixed = split(alias).restitution;
  if (law.restitution.empty()) return fixed.empty() ? info.restitutions.front() : *parse_restitution(fixed);
  const std::optional<Restitution> asked = parse_restitution(law.restitution);
  if (!asked) throw InputError("restitution_law", law.restitution, "must be newton, poisson or stronge");
  if (!fixed.empty() && fixed != law.restitution)
    throw InputError("restitution_law", law.restitution, fmt::format("{} is {} with {} restitution; name {} to choose another", law.process, info.id, fixed, info.id));
  if (std::find(info.restitutions.begin(), info.restitutions.end(), *asked) == info.restitutions.end()) {
    std::vector<std::string_view> allowed;
    for (const Restitution r : info.restitutions) allowed.push_back(name(r));
    throw InputError("restitution_law", law.restitution, fmt::format("law {} takes only {}", info.id, fmt::join(allowed, ", ")));
  }
  return *asked;
}

void check_option(const LawInfo& info, const OptionInfo& option, const OptionValue& value) {
  const std::string field = "options." + option.name;
  if (value.index() != option.fallback.index()) {
    constexpr std::array kinds{"a number", "true or false", "a word"};
    throw InputError(field, "", fmt::format("of law {} must be {}", info.id, kinds[option.fallback.index()]));
  }
  if (const double* number = std::get_if<double>(&value); number && !(*number >= option.low && *number <= option.high))
    throw InputError(field, fmt::format("{}", *number), fmt::format("must lie in [{}, {}]", option.low, option.high));
  if (const std::string* word = std::get_if<std::string>(&value);
      word && std::find(option.choices.begin(), option.choices.end(), *word) == option.choices.end())
    throw InputError(field, *word, fmt::format("must be one of {}", fmt::join(option.choices, ", ")));
}

LawOptions complete_options(const LawInfo& info, const LawOptions& asked) {
  LawOptions options;
  for (const OptionInfo& option : info.options) options[option.name] = option.fallback;
  for (const auto& asked_option : asked) {
    const std::string& key = asked_option.first;
    const OptionValue& value = asked_option.second;
    const auto option = std::find_if(info.options.begin(), info.options.end(), [&](const OptionInfo& o) { return o.name == key; });
    if (option == info.options.end()) {
      std::vector<std::string> known;
      for (const OptionInfo& o : info.options) known.push_back(o.name);
      throw InputError("options." + key, "", fmt::format("law {} has no such option; it has: {}", info.id, known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    check_option(info, *option, value);
    options[key] = value;
  }
  return options;
}

void check_fit(const LawInfo& info, const ImpactProblem& problem) {
  if (std::find(info.dimensions.begin(), info.dimensions.end(), problem.dimension) == info.dimensions.end())
    throw InputError("law", info.id, fmt::format("does not handle dimension {}; it handles {}", problem.dimension, fmt::join(info.dimensions, ", ")));
  if (problem.contacts() > 1 && !info.many_contacts)
    throw InputError("law", info.id, fmt::format("resolves one contact, the problem has {}", problem.contacts()));
}

bool approaches(const ImpactProblem& problem) {
  for (int c = 0; c < problem.contacts(); ++c)
    if (problem.v_pre(problem.normal(c)) < 0) return true;
  return false;
}

ImpactOutcome untouched(const ImpactProblem& problem) {
  ImpactOutcome outcome;
  outcome.status = ImpactStatus::separating;
  outcome.v_post = problem.v_pre;
  outcome.p = Eigen::VectorXd::Zero(problem.v_pre.size());
  outcome.energy.contacts.resize(static_cast<std::size_t>(problem.contacts()));
  return outcome;
}

}  // namespace

std::string_view name(Restitution restitution) {
  constexpr std::array<std::string_view, 3> names{"newton", "poisson", "stronge"};
  return names[static_cast<std::size_t>(restitution)];
}

std::span<const LawInfo> all_laws() { return table(); }

const LawInfo& find_law(std::string_view id_or_alias) {
  std::vector<std::string_view> known;
  for (const LawInfo& law : table()) {
    if (law.id == id_or_alias) return law;
    known.push_back(law.id);
    for (const std::string& alias : law.aliases) {
      if (split(alias).id == id_or_alias) return law;
      known.push_back(split(alias).id);
    }
  }
  throw InputError("law", std::string(id_or_alias), fmt::format("must be one of {}", fmt::join(known, ", ")));
}

const LawInfo& default_law(const ImpactProblem& problem) { return find_law(problem.contacts() > 1 ? "lzb" : "routh"); }

ImpactOutcome resolve(const ImpactProblem& problem, const ImpactLaw& law) {
  validate(problem);
  const LawInfo& info = law.process.empty() ? default_law(problem) : find_law(law.process);
  check_fit(info, problem);
  const Restitution restitution = choose_restitution(info, law);
  const LawOptions options = complete_options(info, law.options);
  ImpactOutcome outcome = approaches(problem) ? info.solve({problem, restitution, options, law.history}) : untouched(problem);
  outcome.law = info.id;
  outcome.restitution = name(restitution);
  outcome.options = options;
  settle(problem, outcome);
  return outcome;
}

}  // namespace carom
