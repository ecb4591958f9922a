#include "carom/lab/reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

namespace carom::lab {
std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 3> names{"reproduced", "explained", "DIFFERS"};
  return names[static_cast<std::size_t>(verdict)];
}

Finding check_number(std::string item, std::string published, double computed, std::string explanation) {
  const std::size_t point = published.find('.');
  const auto decimals = static_cast<int>(point == std::string::npos ? 0 : published.size() - point - 1);
  const double unit = std::pow(10.0, -decimals), value = std::strtod(published.c_str(), nullptr);
  const double miss = std::abs(value - computed) / unit;
  Finding out{std::move(item), std::move(published), fmt::format("{:.10g}", computed), Verdict::differs, ""};
  if (miss <= 0.5 * (1 + 1e-9)) {
    out.verdict = Verdict::reproduced;
  } else if (miss < 1 && !explanation.empty()) {
    out.verdict = Verdict::explained;
    out.note = std::move(explanation);
  }
  return out;
}

Finding check_word(std::string item, std::string published, std::string computed) {
  const Verdict verdict = published == computed ? Verdict::reproduced : Verdict::differs;
  return {std::move(item), std::move(published), std::move(computed), verdict, ""};
}

Finding check_reference(std::string item, double reference, double computed, double tolerance) {
  const double miss = std::abs(computed - reference);
  const Verdict verdict = miss <= tolerance * std::max(1.0, std::abs(reference)) ? Verdict::reproduced : Verdict::differs;
  return {std::move(item), fmt::format("{:.15g}", reference), fmt::format("{:.15g}", computed), verdict, fmt::format("off by {:.1e}", miss)};
}

int Reproduction::count(Verdict verdict) const {
  int total = 0;
  for (const FindingGroup& group : groups)
    total += static_cast<int>(std::count_if(group.findings.begin(), group.findings.end(), [&](const Finding& f) { return f.verdict == verdict; }));
  return total;
}

Report to_report(const Reproduction& reproduction) {
  Report report{reproduction.title, {{"", reproduction.preface, {}, {}}}};
  for (const NamedTable& each : reproduction.tables) report.sections.push_back({each.heading, "", {each.table}, {}});
  for (const FindingGroup& group : reproduction.groups) {
    Table table{{{"item"}, {reproduction.published_heading, Align::right}, {"computed", Align::right}, {"verdict"}, {"note"}}, {}};
    for (const Finding& f : group.findings) table.rows.push_back({f.item, f.published, f.computed, std::string(name(f.verdict)), f.note});
    report.sections.push_back({group.heading, "", {table}, {}});
  }
  if (!reproduction.figures.empty()) {
    report.sections.push_back({"Pictures", "", {}, {}});
    for (const NamedFigure& each : reproduction.figures) report.sections.back().figures.push_back(each.figure);
  }
  if (!reproduction.remarks.empty()) report.sections.push_back({"Where the paper errs", fmt::format("{}", fmt::join(reproduction.remarks, "\n\n")), {}, {}});
  const int same = reproduction.count(Verdict::reproduced), explained = reproduction.count(Verdict::explained), differ = reproduction.count(Verdict::differs);
  report.sections.push_back({"Sum", fmt::format("{} reproduced, {} explained, {} open.", same, explained, differ), {}, {}});
  return report;
}

std::string reproduction_summary(const std::vector<Reproduction>& reproductions) {
  Table works{{{"paper"}, {"numbers checked", Align::right}, {"reproduced", Align::right}, {"explained", Align::right}, {"open", Align::right}}, {}};
  Table open{{{"paper"}, {"where"}, {"open", Align::right}, {"reason"}}, {}};
  std::array<int, 4> sum{};
  for (const Reproduction& each : reproductions) {
    const int same = each.count(Verdict::reproduced), explained = each.count(Verdict::explained), differ = each.count(Verdict::differs);
    const std::array<int, 4> row{same + explained + differ, same, explained, differ};
    works.rows.push_back({each.title});
    for (std::size_t k = 0; k < row.size(); ++k) sum[k] += row[k], works.rows.back().push_back(fmt::format("{}", row[k]));
    for (const FindingGroup& group : each.groups) {
      std::map<std::string, int> reasons;
      for (const Finding& f : group.findings)
        if (f.verdict == Verdict::differs) ++reasons[f.reason];
      for (const auto& [reason, count] : reasons) open.rows.push_back({each.paper, group.heading.substr(0, group.heading.find(':')), fmt::format("{}", count), reason});
    }
  }
  if (reproductions.size() > 1) works.rows.push_back({"all", fmt::format("{}", sum[0]), fmt::format("{}", sum[1]), fmt::format("{}", sum[2]), fmt::format("{}", sum[3])});
  return to_text(works) + (open.rows.empty() ? "" : "\nOpen, and why:\n" + to_text(open));
}

}  // namespace carom::lab
