// Park, Chung & Youm, section 4: one H, v_z = 15 m/s, slip of 10 m/s in 32 directions, μ ∈ {0.01, 0.1, 0.5, 1}, ε ∈ {0.1, 0.5, 0.9};
// Routh's, Anitescu & Potra's and Park's method with Poisson's hypothesis, and the exact process with Stronge's beside them.
// Their v_z > 0 approaches: H = S H_paper S and v = S v_paper with S = diag(1, 1, −1).
// The paper prints pictures and claims, no numbers: each claim gets a verdict from a criterion that is stated with it.

#include <fmt/format.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/impact/law.hpp"
#include "carom/lab/reproduce/papers.hpp"

namespace carom::lab {
namespace {

constexpr int kDirections = 32;
constexpr double kSlip = 10, kApproach = 15;
constexpr std::array<double, 4> kFriction{0.01, 0.1, 0.5, 1.0};
constexpr std::array<double, 3> kRestitution{0.1, 0.5, 0.9};
constexpr double kSticks = 1e-9;    // final slip speed that counts as sticking [m/s]
constexpr double kSame = 0.2;       // mean slip difference that counts as the same: 2 % of the initial 10 m/s

enum Method { kRouth, kPark, kPrinted, kCorrected, kStronge, kMethods };
constexpr std::array<const char*, kMethods> kNames{"Routh", "Park", "Anitescu-Potra as printed", "Anitescu-Potra corrected", "exact with Stronge"};

ImpactLaw law_of(Method method) {
  const double edges = kDirections;
  switch (method) {
    case kPark: return {"park", "poisson", {}};
    case kPrinted: return {"anitescu-potra", "poisson", {{"edges", edges}, {"cone", std::string("printed")}}};
    case kCorrected: return {"anitescu-potra", "poisson", {{"edges", edges}, {"cone", std::string("corrected")}}};
    case kStronge: return {"routh", "stronge", {}};
    default: return {"routh", "poisson", {}};
  }
}

ImpactProblem problem_of(double mu, double e, int direction) {
  ImpactProblem problem;
  problem.dimension = 3;
  problem.G = (Eigen::Matrix3d() << 8, -2, -1, -2, 3, 1, -1, 1, 5).finished();
  const double angle = 2 * std::numbers::pi * direction / kDirections;
  problem.v_pre = Eigen::Vector3d(kSlip * std::cos(angle), kSlip * std::sin(angle), -kApproach);
  problem.mu_s = problem.mu_d = Eigen::VectorXd::Constant(1, mu);
  problem.e = Eigen::VectorXd::Constant(1, e);
  return problem;
}

// All directions of one (μ, ε) under one method.
struct Run {
  std::vector<ImpactOutcome> outcomes;
  Eigen::Vector2d slip(int i) const { return outcomes[static_cast<std::size_t>(i)].v_post.head<2>(); }
  double loss(int i) const { return -outcomes[static_cast<std::size_t>(i)].energy.change; }
  int sticking() const {
    int count = 0;
    for (int i = 0; i < kDirections; ++i) count += slip(i).norm() <= kSticks;
    return count;
  }
};

struct Cell {
  double mu, e;
  std::array<Run, kMethods> runs;
};

Cell run_cell(double mu, double e) {
  Cell cell{mu, e, {}};
  for (int method = 0; method < kMethods; ++method)
    for (int i = 0; i < kDirections; ++i)
      cell.runs[static_cast<std::size_t>(method)].outcomes.push_back(resolve(problem_of(mu, e, i), law_of(static_cast<Method>(method))));
  return cell;
}

double mean_difference(const Run& a, const Run& b) {
  double sum = 0;
  for (int i = 0; i < kDirections; ++i) sum += (a.slip(i) - b.slip(i)).norm() / kDirections;
  return sum;
}
double worst_difference(const Run& a, const Run& b) {
  double worst = 0;
  for (int i = 0; i < kDirections; ++i) worst = std::max(worst, (a.slip(i) - b.slip(i)).norm());
  return worst;
}
double mean_loss(const Run& run) {
  double sum = 0;
  for (int i = 0; i < kDirections; ++i) sum += run.loss(i) / kDirections;
  return sum;
}
// Mean distance of the final slips from their mean.
double spread(const Run& run) {
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (int i = 0; i < kDirections; ++i) mean += run.slip(i) / kDirections;
  double sum = 0;
  for (int i = 0; i < kDirections; ++i) sum += (run.slip(i) - mean).norm() / kDirections;
  return sum;
}

// The measured table: no published numbers, so no verdict; shown as text beside the claims.
Table measured(const std::vector<Cell>& cells) {
  Table table{{{"μ", Align::right}, {"ε", Align::right}, {"sticking of 32: Routh", Align::right}, {"Park", Align::right}, {"A-P printed", Align::right}, {"A-P corrected", Align::right},
               {"mean slip difference to Routh [m/s]: Park", Align::right}, {"A-P printed", Align::right}, {"A-P corrected", Align::right},
               {"mean energy loss [J]: Routh", Align::right}, {"Park", Align::right}, {"A-P printed", Align::right}, {"A-P corrected", Align::right}, {"Stronge", Align::right}}, {}};
  for (const Cell& cell : cells) {
    const auto& r = cell.runs;
    const auto number = [](double x) { return fmt::format("{:.4g}", x); };
    table.rows.push_back({number(cell.mu), number(cell.e), std::to_string(r[kRouth].sticking()), std::to_string(r[kPark].sticking()), std::to_string(r[kPrinted].sticking()), std::to_string(r[kCorrected].sticking()),
                          number(mean_difference(r[kPark], r[kRouth])), number(mean_difference(r[kPrinted], r[kRouth])), number(mean_difference(r[kCorrected], r[kRouth])),
                          number(mean_loss(r[kRouth])), number(mean_loss(r[kPark])), number(mean_loss(r[kPrinted])), number(mean_loss(r[kCorrected])), number(mean_loss(r[kStronge]))});
  }
  return table;
}

// `doubt` tells why the claim may fail.
Finding claim(std::string item, bool holds, std::string evidence, std::string doubt = "") {
  return {std::move(item), "claimed", holds ? "true" : "false", holds ? Verdict::reproduced : Verdict::differs, std::move(evidence), holds ? "" : std::move(doubt)};
}

std::string per_restitution(const std::vector<Cell>& cells, double mu, const auto& value) {
  std::string text;
  for (const Cell& cell : cells)
    if (cell.mu == mu) text += fmt::format("{}ε = {}: {}", text.empty() ? "" : ", ", cell.e, value(cell));
  return text;
}

FindingGroup claims(const std::vector<Cell>& cells) {
  FindingGroup group{"Claims of section 4", {}};
  double frictionless = 0, worst = 0;
  bool drifts = true, similar = true, spreads = true;
  for (const Cell& cell : cells) {
    const auto& r = cell.runs;
    if (cell.mu == kFriction[0])
      for (const Method method : {kPark, kPrinted}) {
        frictionless = std::max(frictionless, mean_difference(r[method], r[kRouth]));
        worst = std::max(worst, worst_difference(r[method], r[kRouth]));
      }
    if (cell.mu == 1.0) similar = similar && mean_difference(r[kPark], r[kRouth]) <= kSame;
    if (cell.mu == 0.5) spreads = spreads && spread(r[kPark]) > spread(r[kRouth]);
  }
  group.findings.push_back(claim("frictionless (μ = 0.01): all methods virtually the same", frictionless <= kSame, fmt::format("mean slip difference up to {:.3g} m/s of {} m/s (single direction: {:.3g}); criterion {} m/s", frictionless, kSlip, worst, kSame)));

  for (const double e : kRestitution)
    for (const Cell& cell : cells)
      if (cell.mu == 1.0 && cell.e == e) {
        const int routh = cell.runs[kRouth].sticking(), park = cell.runs[kPark].sticking();
        group.findings.push_back(claim(fmt::format("μ = 1, ε = {}: Routh and Park stick persistently for all directions", e), routh == kDirections && park == kDirections, fmt::format("{} and {} of {} directions", routh, park, kDirections), "false for the printed H: with little restitution impacts end before slip has stopped, by the exact process and by Park's own method alike"));
        const int printed = cell.runs[kPrinted].sticking(), corrected = cell.runs[kCorrected].sticking();
        group.findings.push_back(claim(fmt::format("μ = 1, ε = {}: Anitescu-Potra slides for every direction", e), printed == 0, fmt::format("as printed {} of {} stick; with friction bounded by the whole expansion impulse {}", printed, kDirections, corrected)));
      }
  for (const double mu : {0.1, 0.5, 1.0}) {
    double last = 0;
    for (const Cell& cell : cells)
      if (cell.mu == mu) {
        const double now = mean_difference(cell.runs[kPrinted], cell.runs[kRouth]);
        drifts = drifts && now > last;
        last = now;
      }
  }
  group.findings.push_back(claim("Anitescu-Potra deviates more as restitution grows", drifts, "mean slip difference to Routh as printed, μ = 0.5: " + per_restitution(cells, 0.5, [](const Cell& c) { return fmt::format("{:.3g} m/s", mean_difference(c.runs[kPrinted], c.runs[kRouth])); })));
  group.findings.push_back(claim("μ = 1: Park and Routh are quite similar", similar, per_restitution(cells, 1.0, [](const Cell& c) { return fmt::format("{:.3g} m/s", mean_difference(c.runs[kPark], c.runs[kRouth])); }) + fmt::format("; criterion {} m/s", kSame)));
  group.findings.push_back(claim("μ = 0.5: Park's final slips are a little more spread than Routh's", spreads, "spread Park / Routh: " + per_restitution(cells, 0.5, [](const Cell& c) { return fmt::format("{:.3g} / {:.3g} m/s", spread(c.runs[kPark]), spread(c.runs[kRouth])); }), "only pictures are printed, and no measure of spread; by the mean distance from the mean it holds at ε = 0.1 alone"));
  for (const double mu : {0.1, 0.5, 1.0}) {
    int less = 0, more = 0;
    for (const Cell& cell : cells)
      if (cell.mu == mu)
        for (int i = 0; i < kDirections; ++i) {
          const double gap = cell.runs[kRouth].loss(i) - cell.runs[kPark].loss(i);
          less += gap > 1e-9, more += gap < -1e-9;
        }
    group.findings.push_back(claim(fmt::format("μ = {}: Park generally dissipates less than Routh", mu), less > more, fmt::format("less in {}, more in {} of {} impacts", less, more, 3 * kDirections), "no energies are printed, nor what \"generally\" counts; counted impact by impact, Park dissipates more in most that differ"));
  }
  return group;
}

Curve locus(const Run& run, std::string label, Stroke stroke, int colour) {
  Curve curve{std::move(label), {}, {}, stroke, colour};
  for (int i = 0; i <= kDirections; ++i) curve.xs.push_back(run.slip(i % kDirections)(0)), curve.ys.push_back(run.slip(i % kDirections)(1));
  return curve;
}

// The flow of slip during Routh's process.
Curve flow(const ImpactOutcome& outcome) {
  Curve curve{"", {}, {}, Stroke::line, -1};
  for (const ImpactSegment& segment : outcome.segments) {
    if (segment.v_path.size() == 0) {
      for (const Eigen::VectorXd* v : {&segment.v_begin, &segment.v_end}) curve.xs.push_back((*v)(0)), curve.ys.push_back((*v)(1));
      continue;
    }
    for (Eigen::Index k = 0; k < segment.v_path.cols(); ++k) curve.xs.push_back(segment.v_path(0, k)), curve.ys.push_back(segment.v_path(1, k));
  }
  return curve;
}

Panel picture(const Cell& cell) {
  Panel panel;
  panel.x_label = fmt::format("slip v_x [m/s], ε = {}", cell.e);
  panel.y_label = "slip v_y [m/s]";
  panel.equal_aspect = true;
  Curve start{"initial slip", {}, {}, Stroke::points, -1};
  for (int i = 0; i < kDirections; ++i) {
    const Eigen::VectorXd v = problem_of(cell.mu, cell.e, i).v_pre;
    start.xs.push_back(v(0)), start.ys.push_back(v(1));
    panel.curves.push_back(flow(cell.runs[kRouth].outcomes[static_cast<std::size_t>(i)]));
  }
  panel.curves.push_back(std::move(start));
  panel.curves.push_back(locus(cell.runs[kRouth], "Routh", Stroke::line, 0));
  panel.curves.push_back(locus(cell.runs[kPark], "Park", Stroke::line, 1));
  panel.curves.push_back(locus(cell.runs[kPrinted], "Anitescu-Potra as printed", Stroke::dashed, 2));
  panel.curves.push_back(locus(cell.runs[kCorrected], "Anitescu-Potra corrected", Stroke::dashed, 3));
  return panel;
}

}  // namespace

Reproduction reproduce_park() {
  std::vector<Cell> cells;
  for (const double mu : kFriction)
    for (const double e : kRestitution) cells.push_back(run_cell(mu, e));
  Reproduction out;
  out.paper = "park";
  out.title = "Park, Chung & Youm: spatial impact by mode evolution";
  out.preface = fmt::format("H and 32 directions of section 4; Poisson's hypothesis; polygonal cone with {} edges. The paper prints pictures and claims, no numbers: each claim is judged by the criterion beside it.", kDirections);
  out.tables.push_back({"Measured", measured(cells)});
  out.groups.push_back(claims(cells));
  int number = 2;
  for (const double mu : {0.1, 0.5, 1.0}) {
    Figure figure{fmt::format("Fig. {}: final slip for μ = {} (grey: flow of slip in Routh's process)", number, mu), {}, 900, 2300};
    for (const Cell& cell : cells)
      if (cell.mu == mu) figure.panels.push_back(picture(cell));
    out.figures.push_back({fmt::format("fig{}", number++), std::move(figure)});
  }
  out.remarks = {"Anitescu & Potra's expansion, as printed in (13b) with (15), bounds friction by the additional impulse alone; it then never sticks. Bounded by the whole expansion impulse it behaves like Park's method.",
                 "The captions of Figs 2-4 name three friction coefficients, the text four; μ = 0.01 is in the table above.",
                 "\"All directions stick\" at μ = 1 holds for ε = 0.9 only; with less restitution many impacts end before slip has stopped."};
  return out;
}

}  // namespace carom::lab
