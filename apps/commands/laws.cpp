// carom laws [ID]: what the laws say of themselves.

#include <fmt/format.h>

#include "carom/core/table.hpp"
#include "carom/io/answer_json.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct LawsArguments {
  std::string id;
  bool json = false;
};

std::string names(const std::vector<Restitution>& hypotheses) {
  std::vector<std::string_view> words;
  for (const Restitution each : hypotheses) words.push_back(name(each));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string shown(const OptionValue& value) {
  return std::visit([](const auto& content) { return fmt::format("{}", content); }, value);
}

std::string range(const OptionInfo& option) {
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, ", "));
  if (std::holds_alternative<double>(option.fallback)) return fmt::format("[{}, {}]", option.low, option.high);
  return std::holds_alternative<bool>(option.fallback) ? "true, false" : "";
}

std::string overview() {
  Table table{{{"law"}, {"also"}, {"dimension"}, {"contacts"}, {"restitution"}, {"never gains energy with"}}, {}};
  for (const LawInfo& law : all_laws())
    table.rows.push_back({law.id, fmt::format("{}", fmt::join(law.aliases, ", ")), fmt::format("{}", fmt::join(law.dimensions, ", ")), law.many_contacts ? "any" : "1",
                          names(law.restitutions), names(law.never_gains)});
  return to_text(table) + "\nThe first restitution hypothesis of a law is its default. `carom laws ID` tells more about one.\n";
}

std::string details(const LawInfo& law) {
  std::string text = fmt::format("{}\n  {}\n\n", law.id, law.summary);
  if (!law.aliases.empty()) text += fmt::format("  also             {}\n", fmt::join(law.aliases, ", "));
  text += fmt::format("  dimensions       {}\n  contacts         {}\n  restitution      {}\n  never gains with {}\n  citation         {}\n", fmt::join(law.dimensions, ", "),
                      law.many_contacts ? "any number" : "1", names(law.restitutions), names(law.never_gains), law.citation);
  if (law.many_contacts) text += fmt::format("  order            {}\n", law.order_free ? "contacts in another order give the same velocities" : "may depend on the order of contacts");
  if (law.options.empty()) return text;
  Table table{{{"option"}, {"default", Align::right}, {"allowed"}, {"unit"}, {"meaning"}}, {}};
  for (const OptionInfo& option : law.options) table.rows.push_back({option.name, shown(option.fallback), range(option), option.unit, option.meaning});
  return text + "\n" + to_text(table, "  ");
}

int run_laws(const LawsArguments& arguments) {
  const std::span<const LawInfo> chosen = arguments.id.empty() ? all_laws() : std::span(&find_law(arguments.id), 1);
  if (arguments.json) {
    io::JsonWriter json;
    io::write_laws(json, chosen);
    print(json.text());
    print("\n");
  } else {
    print(arguments.id.empty() ? overview() : details(chosen.front()));
  }
  return kAnswered;
}

}  // namespace

void add_laws(CLI::App& program, int& code) {
  auto arguments = std::make_shared<LawsArguments>();
  CLI::App* command = program.add_subcommand("laws", "The impact laws: what each handles, promises and takes");
  command->add_option("ID", arguments->id, "one law, by id or alias");
  command->add_flag("--json", arguments->json, "answer as JSON");
  command->callback([arguments, &code] { code = run_laws(*arguments); });
}

}  // namespace carom::app
