#include "carom/lab/reproduce/rodriguez_figures.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <vector>

namespace carom::lab {
namespace {

constexpr int kPoints = 40;  // per straight segment: work is a parabola there

// One moment of an event.
struct Moment {
  double impulse, work;
  Eigen::VectorXd v;
};

std::vector<Moment> moments(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::string& event) {
  std::vector<Moment> out;
  double start = 0, work_start = 0;
  const auto total = [&](const Eigen::VectorXd& p) {
    double sum = 0;
    for (int c = 0; c < problem.contacts(); ++c) sum += p(problem.normal(c));
    return sum;
  };
  const auto rate = [&](const Eigen::VectorXd& v, const Eigen::VectorXd& dp) {
    double sum = 0;
    for (int c = 0; c < problem.contacts(); ++c) sum += v(problem.normal(c)) * dp(problem.normal(c));
    return sum;
  };
  for (const ImpactSegment& s : outcome.segments) {
    if (s.mode != event) continue;
    if (out.empty()) start = total(s.p_begin), work_start = s.work_begin;
    const bool curved = s.p_path.cols() > 0;
    const Eigen::Index count = curved ? s.p_path.cols() : kPoints + 1;
    double work = s.work_begin;
    Eigen::VectorXd p_last = s.p_begin, v_last = s.v_begin;
    for (Eigen::Index k = 0; k < count; ++k) {
      const double x = static_cast<double>(k) / kPoints;
      const Eigen::VectorXd p = curved ? Eigen::VectorXd(s.p_path.col(k)) : Eigen::VectorXd(s.p_begin + x * (s.p_end - s.p_begin));
      const Eigen::VectorXd v = curved ? Eigen::VectorXd(s.v_path.col(k)) : Eigen::VectorXd(s.v_begin + x * (s.v_end - s.v_begin));
      work += rate(0.5 * (v + v_last), p - p_last);  // exact where straight
      p_last = p, v_last = v;
      out.push_back({total(p) - start, work - work_start, v});
    }
  }
  return out;
}

// Contacts that take impulse in the event.
std::vector<int> takers(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::string& event) {
  std::vector<int> out;
  for (int c = 0; c < problem.contacts(); ++c) {
    double impulse = 0;
    for (const ImpactSegment& s : outcome.segments)
      if (s.mode == event) impulse += s.p_end(problem.normal(c)) - s.p_begin(problem.normal(c));
    if (impulse > 0) out.push_back(c);
  }
  return out;
}

Curve curve(const std::vector<Moment>& moments, std::string label, int colour, Stroke stroke, const auto& value) {
  Curve out;
  out.label = std::move(label), out.colour = colour, out.stroke = stroke;
  for (const Moment& m : moments) out.xs.push_back(m.impulse), out.ys.push_back(value(m));
  return out;
}

// (4.7): the part of ½ v·G⁺v that contains normal velocities, over the components that carry impulse.
double paper_work(const ImpactProblem& problem, const std::vector<int>& contacts, const Eigen::VectorXd& v) {
  std::vector<Eigen::Index> index;
  std::vector<double> tangential;
  for (const int c : contacts) {
    if (problem.mu_s(c) > 0) index.push_back(problem.normal(c) - 1), tangential.push_back(1);
    index.push_back(problem.normal(c)), tangential.push_back(0);
  }
  const Eigen::MatrixXd G = problem.G(index, index);
  const Eigen::MatrixXd K = G.completeOrthogonalDecomposition().pseudoInverse();
  const Eigen::VectorXd all = v(index), t = all.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(tangential.data(), static_cast<Eigen::Index>(tangential.size())));
  return 0.5 * all.dot(K * all) - 0.5 * t.dot(K * t);
}

Panel work_panel(const ImpactProblem& problem, const std::vector<Moment>& path, const std::vector<int>& contacts, bool by_paper) {
  Panel panel;
  panel.x_label = "total normal impulse of the event [N s]", panel.y_label = "normal work [J]";
  panel.curves.push_back(curve(path, "W_n = ∫ Σ v_n dp_n", 0, Stroke::line, [](const Moment& m) { return m.work; }));
  if (by_paper && !path.empty()) {
    const double origin = paper_work(problem, contacts, path.front().v);
    panel.curves.push_back(curve(path, "W_n by (4.7)", 1, Stroke::dashed, [&](const Moment& m) { return paper_work(problem, contacts, m.v) - origin; }));
  }
  return panel;
}

}  // namespace

Figure event_figure(const ImpactProblem& problem, const ImpactOutcome& outcome, const std::string& event, const std::string& title, bool by_paper) {
  const std::vector<Moment> path = moments(problem, outcome, event);
  const std::vector<int> contacts = takers(problem, outcome, event);
  Figure figure;
  figure.title = title;
  figure.panels.push_back(work_panel(problem, path, contacts, by_paper));
  Panel speeds, directions;
  speeds.x_label = directions.x_label = "total normal impulse of the event [N s]";
  speeds.y_label = "velocity [m/s]", directions.y_label = "slip direction [rad]";
  int colour = 0;
  for (const int c : contacts) {
    const int n = problem.normal(c);
    speeds.curves.push_back(curve(path, fmt::format("v_n, contact {}", c + 1), colour, Stroke::line, [&](const Moment& m) { return m.v(n); }));
    if (problem.dimension == 2) {
      speeds.curves.push_back(curve(path, fmt::format("v_t, contact {}", c + 1), colour, Stroke::dashed, [&](const Moment& m) { return m.v(n - 1); }));
    } else {
      speeds.curves.push_back(curve(path, fmt::format("slip, contact {}", c + 1), colour, Stroke::dashed, [&](const Moment& m) { return std::hypot(m.v(n - 2), m.v(n - 1)); }));
      directions.curves.push_back(curve(path, fmt::format("contact {}", c + 1), colour, Stroke::line, [&](const Moment& m) { return std::atan2(m.v(n - 1), m.v(n - 2)); }));
    }
    ++colour;
  }
  figure.panels.push_back(std::move(speeds));
  if (problem.dimension == 3) figure.panels.push_back(std::move(directions)), figure.height = 1000;
  return figure;
}

}  // namespace carom::lab
