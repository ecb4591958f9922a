#pragma once
// What a paper says, what carom computes, and a verdict on every single number.

#include <string>
#include <string_view>
#include <vector>

#include "carom/core/figure.hpp"
#include "carom/core/report.hpp"

namespace carom::lab {

enum class Verdict {
  reproduced,  // the published number is a correct rounding of the computed one
  explained,   // its last digit is off by less than one, and the note says why
  differs,     // anything else: open, and the finding's reason says why it stays so
};
std::string_view name(Verdict verdict);

struct Finding {
  std::string item;
  std::string published;  // with the digits that were printed
  std::string computed;
  Verdict verdict;
  std::string note;      // evidence
  std::string reason{};  // of what differs: why it is left open
};

// A published decimal number, such as "-0.1034". It is reproduced when it lies within half a unit of its last digit of `computed`
// (ties to either side). `explanation` tells of a slip in the last printed digit: it counts only where the two are less than one
// unit of that digit apart, so that no note can excuse a wrong value.
Finding check_number(std::string item, std::string published, double computed, std::string explanation = "");

// A published word.
Finding check_word(std::string item, std::string published, std::string computed);

// A reference value known to full precision; reproduced when |computed − reference| ≤ tolerance · max(1, |reference|).
Finding check_reference(std::string item, double reference, double computed, double tolerance);

struct FindingGroup {
  std::string heading;  // "Table 1, p. 148: …"
  std::vector<Finding> findings;
};

struct NamedFigure {
  std::string name;  // for a file: "T1"
  Figure figure;
};

struct NamedTable {
  std::string heading;
  Table table;
};

struct Reproduction {
  std::string paper;  // "shen-townsend"
  std::string title;
  std::string preface;
  std::string published_heading = "published";
  std::vector<NamedTable> tables;  // measured beside the findings, without a published counterpart
  std::vector<FindingGroup> groups;
  std::vector<std::string> remarks;  // errors of the paper and how carom differs, a line each
  std::vector<NamedFigure> figures;

  int count(Verdict verdict) const;
};

Report to_report(const Reproduction& reproduction);

// All works in one table (paper, numbers checked, reproduced, explained, open) with their sum, and below it what is open: how many numbers
// where, and why.
std::string reproduction_summary(const std::vector<Reproduction>& reproductions);

}  // namespace carom::lab
