#include "carom/lab/impact_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "carom/lab/explain.hpp"

namespace carom::lab {
namespace {

// The history as points: total normal impulse, velocity of all contacts, normal work.
struct Track {
  std::vector<double> impulse, work;
  std::vector<Eigen::VectorXd> velocity;
};

constexpr int kSamples = 32;  // points along a straight stretch, for the parabola of work

double total_normal(const ImpactProblem& problem, const Eigen::VectorXd& p) {
  double sum = 0;
  for (int c = 0; c < problem.contacts(); ++c) sum += p(problem.normal(c));
  return sum;
}

// Normal work done between two impulses by the mean velocity.
double normal_work(const ImpactProblem& problem, const Eigen::VectorXd& p0, const Eigen::VectorXd& p1, const Eigen::VectorXd& v0, const Eigen::VectorXd& v1) {
  double work = 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const int n = problem.normal(c);
    work += 0.5 * (v0(n) + v1(n)) * (p1(n) - p0(n));
  }
  return work;
}

void append_segment(const ImpactProblem& problem, const ImpactSegment& segment, Track& track) {
  const bool curved = segment.v_path.cols() > 1 && segment.p_path.cols() == segment.v_path.cols();
  const Eigen::Index count = curved ? segment.v_path.cols() : kSamples + 1;
  const auto at = [&](const Eigen::MatrixXd& points, const Eigen::VectorXd& begin, const Eigen::VectorXd& end, Eigen::Index i) -> Eigen::VectorXd {
    if (curved) return points.col(i);
    return begin + static_cast<double>(i) / kSamples * (end - begin);
  };
  double work = segment.work_begin;
  const std::size_t first = track.work.size();
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd p = at(segment.p_path, segment.p_begin, segment.p_end, i), v = at(segment.v_path, segment.v_begin, segment.v_end, i);
    if (i > 0) work += normal_work(problem, at(segment.p_path, segment.p_begin, segment.p_end, i - 1), p, track.velocity.back(), v);
    track.impulse.push_back(total_normal(problem, p));
    track.velocity.push_back(v);
    track.work.push_back(work);
  }
  const double miss = segment.work_end - work;  // of the trapezoids along a curve; zero along a line
  for (Eigen::Index i = 0; i < count; ++i) track.work[first + static_cast<std::size_t>(i)] += miss * static_cast<double>(i) / static_cast<double>(count - 1);
}

Track track_of(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  Track track;
  for (const ImpactSegment& segment : outcome.segments) append_segment(problem, segment, track);
  if (outcome.segments.empty())  // a law without a path: a straight line
    for (const auto& [p, v, work] : {std::tuple(0.0, problem.v_pre, 0.0), std::tuple(total_normal(problem, outcome.p), outcome.v_post, outcome.energy.normal_work)}) {
      track.impulse.push_back(p);
      track.velocity.push_back(v);
      track.work.push_back(work);
    }
  return track;
}

std::vector<double> component(const Track& track, Eigen::Index row) {
  std::vector<double> out;
  for (const Eigen::VectorXd& v : track.velocity) out.push_back(v(row));
  return out;
}

std::vector<Curve> velocity_curves(const ImpactProblem& problem, const Track& track) {
  std::vector<Curve> curves;
  const int d = problem.dimension;
  for (int c = 0; c < problem.contacts(); ++c) {
    const std::string who = problem.contacts() > 1 ? fmt::format(" ({})", c) : "";
    const int n = problem.normal(c), shade = 2 * c;
    if (d == 2) {
      curves.push_back({"v_t" + who, track.impulse, component(track, n - 1), Stroke::line, shade});
    } else {
      curves.push_back({"v_{t1}" + who, track.impulse, component(track, n - 2), Stroke::line, shade});
      curves.push_back({"v_{t2}" + who, track.impulse, component(track, n - 1), Stroke::line, shade + 2});
      std::vector<double> slip;
      for (const Eigen::VectorXd& v : track.velocity) slip.push_back(v.segment(n - 2, 2).norm());
      curves.push_back({"|v_t|" + who, track.impulse, slip, Stroke::dashed, -1});
    }
    curves.push_back({"v_n" + who, track.impulse, component(track, n), Stroke::line, shade + 1});
  }
  return curves;
}

int tint(SlipState state) {
  switch (state) {
    case SlipState::slip: return 0;
    case SlipState::stick: return 1;
    case SlipState::reverse: return 2;
    case SlipState::jam: return 3;
    case SlipState::separated: break;
  }
  return 4;
}

std::vector<Band> slip_bands(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  std::vector<Band> bands;
  if (problem.contacts() != 1) return bands;
  for (const ImpactSegment& segment : outcome.segments) {
    const SlipState state = segment.state[0];
    const double from = total_normal(problem, segment.p_begin), to = total_normal(problem, segment.p_end);
    if (!bands.empty() && bands.back().label == name(state)) bands.back().to = to;
    else bands.push_back({from, to, std::string(name(state)), tint(state)});
  }
  return bands;
}

std::vector<Marker> event_markers(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  std::vector<Marker> markers;
  if (problem.contacts() != 1) return markers;
  for (const ImpactEvent& event : outcome.events) {
    if (event.kind == ImpactEventKind::separates) continue;
    std::string label(name(event.kind));
    std::replace(label.begin(), label.end(), '-', ' ');
    if (!markers.empty() && markers.back().at == event.impulse) markers.back().label = label;  // "slip reverses" says that it stopped
    else markers.push_back({event.impulse, label});
  }
  return markers;
}

std::string title(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  if (problem.contacts() > 1) return fmt::format("{}, {} restitution", outcome.law, outcome.restitution);
  return fmt::format("{}, {} restitution: e = {}, μ_s = {}, μ_d = {}", outcome.law, outcome.restitution, short_number(problem.e(0)), short_number(problem.mu_s(0)), short_number(problem.mu_d(0)));
}

double isocline_function(const ImpactProblem& problem, double phi) {
  const Eigen::Vector2d u(std::cos(phi), std::sin(phi)), across(-u.y(), u.x());
  return across.dot(Eigen::Vector2d(problem.G.block<2, 1>(0, 2)) - problem.mu_d(0) * (problem.G.topLeftCorner<2, 2>() * u));
}

}  // namespace

Figure impact_figure(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Track track = track_of(problem, outcome);
  const std::string x_label = problem.contacts() > 1 ? "total normal impulse Σp_n [N s]" : "normal impulse p_n [N s]";
  Panel above{x_label, "velocity [m/s]", velocity_curves(problem, track), event_markers(problem, outcome), {{0, ""}}, slip_bands(problem, outcome), {}, false};
  Panel below{x_label, "normal work [J]", {{"W_n", track.impulse, track.work, Stroke::line, 3}}, event_markers(problem, outcome), {{0, ""}}, slip_bands(problem, outcome), {}, false};
  for (Marker& marker : above.verticals) marker.label.clear();  // the curve of work leaves more room for words
  if (outcome.energy.compression_work < 0) below.horizontals.push_back({outcome.energy.compression_work, "compression work"});
  return {title(problem, outcome), {above, below}, 900, 720};
}

Figure velocity_plane_figure(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Track track = track_of(problem, outcome);
  Panel panel{"tangential velocity v_t [m/s]", "normal velocity v_n [m/s]", {{"path", component(track, 0), component(track, 1), Stroke::line, 0}}, {{0, "v_t = 0"}}, {{0, "v_n = 0"}}, {}, {}, true};
  Curve points{"events", {}, {}, Stroke::points, 1};
  const auto mark = [&](const Eigen::VectorXd& v, const char* letter) {
    points.xs.push_back(v(0)), points.ys.push_back(v(1));
    panel.notes.push_back({v(0), v(1), letter});
  };
  mark(problem.v_pre, "a");
  bool compressing = true;
  for (const ImpactEvent& event : outcome.events) {
    if (event.kind == ImpactEventKind::slip_stops) mark(event.velocity, compressing ? "b" : "d");
    if (event.kind == ImpactEventKind::compression_ends) mark(event.velocity, "c"), compressing = false;
    if (event.kind == ImpactEventKind::separates) mark(event.velocity, "e");
  }
  panel.curves.push_back(std::move(points));
  return {title(problem, outcome), {panel}, 800, 640};
}

std::vector<double> isoclines(const ImpactProblem& problem) {
  constexpr int kPieces = 720;  // h has at most 4 roots; a double root between two samples is no crossing and is left out
  const double turn = 2 * std::numbers::pi, scale = problem.G.cwiseAbs().maxCoeff();
  const auto h = [&](double phi) { return isocline_function(problem, phi); };
  std::vector<double> roots;
  bool flat = true;
  for (int i = 0; i < kPieces; ++i) {
    const double from = turn * (i - 0.5) / kPieces, to = turn * (i + 0.5) / kPieces, low = h(from), high = h(to);
    flat = flat && std::abs(low) <= 1e-13 * scale;
    if (low == 0 || low * high >= 0) {
      if (low == 0) roots.push_back(from);
      continue;
    }
    std::uintmax_t steps = 100;
    const auto [a, b] = boost::math::tools::toms748_solve(h, from, to, low, high, boost::math::tools::eps_tolerance<double>(52), steps);
    roots.push_back(0.5 * (a + b));
  }
  if (flat) return {};
  for (double& root : roots) root = root < 0 ? root + turn : root;
  std::sort(roots.begin(), roots.end());
  return roots;
}

Figure hodograph_figure(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Track track = track_of(problem, outcome);
  Panel panel{"tangential velocity v_{t1} [m/s]", "tangential velocity v_{t2} [m/s]", {}, {}, {}, {}, {}, true};
  double reach = 0;
  for (const Eigen::VectorXd& v : track.velocity) reach = std::max(reach, v.head(2).norm());
  bool first = true;
  for (const double phi : isoclines(problem)) {
    panel.curves.push_back({first ? "isoclines" : "", {0, reach * std::cos(phi)}, {0, reach * std::sin(phi)}, Stroke::dashed, -1});
    first = false;
  }
  panel.curves.push_back({"slip", component(track, 0), component(track, 1), Stroke::line, 0});
  panel.curves.push_back({"stick", {0}, {0}, Stroke::points, 6});
  panel.curves.push_back({"end", {outcome.v_post(0)}, {outcome.v_post(1)}, Stroke::points, 1});
  panel.notes.push_back({problem.v_pre(0), problem.v_pre(1), "start"});
  return {title(problem, outcome), {panel}, 800, 640};
}

}  // namespace carom::lab
