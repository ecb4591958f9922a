#include "carom/impact/laws/rodriguez_collision.hpp"

#include <algorithm>
#include <utility>

#include "carom/impact/ledger.hpp"

namespace carom::laws::rodriguez {
namespace {

// Crossings of zero by the normal velocity of contacts that take impulse, in the order in which they come.
void record_crossings(Collision& at, const Rates& rates, const Eigen::VectorXd& from, double delta) {
  std::vector<std::pair<double, int>> crossings;
  for (std::size_t c = 0; c < at.work.size(); ++c) {
    const int n = at.system.normal(static_cast<int>(c));
    const double a = from(n), b = at.v(n);
    if (rates.dp(n) > 0 && ((a < 0 && b > 0) || (a > 0 && b < 0))) crossings.emplace_back(a / (a - b), static_cast<int>(c));
  }
  std::sort(crossings.begin(), crossings.end());
  for (const auto& [fraction, c] : crossings) {
    const int n = at.system.normal(c);
    const double work = at.normal_work + 0.5 * fraction * delta * (work_rate(at.system, rates, from) + work_rate(at.system, rates, from + fraction * (at.v - from)));
    at.history->events.push_back({from(n) < 0 ? ImpactEventKind::compression_ends : ImpactEventKind::compression_resumes, c,
                                  at.p(n) - (1 - fraction) * delta * rates.dp(n), from + fraction * (at.v - from), work});
  }
}

}  // namespace

double work_rate(const System& system, const Rates& rates, const Eigen::VectorXd& v) {
  double sum = 0;
  for (std::size_t c = 0; c < system.frame.size(); ++c) sum += rates.dp(system.normal(static_cast<int>(c))) * v(system.normal(static_cast<int>(c)));
  return sum;
}

std::vector<int> approaching(const Collision& collision, const std::vector<int>& members) {
  std::vector<int> out;
  for (const int c : members)
    if (collision.v(collision.system.normal(c)) < -collision.tolerance.approach) out.push_back(c);
  return out;
}

Members gather(const Collision& collision, const std::vector<int>& contacts) {
  Members members{contacts, Eigen::VectorXd::Ones(static_cast<Eigen::Index>(collision.work.size()))};
  if (collision.system.paper) return members;
  const double speed = collision.v.cwiseAbs().maxCoeff();
  members.approach.setZero();
  for (const int c : approaching(collision, contacts)) members.approach(c) = -collision.v(collision.system.normal(c)) / speed;
  return members;
}

std::vector<SlipState> slip_states(const Decision& decision, const std::vector<Hold>& first, int dimension) {
  std::vector<SlipState> states;
  for (std::size_t c = 0; c < decision.holds.size(); ++c) {
    const Hold& hold = decision.holds[c];
    const bool turned = dimension == 2 && first[c].direction.dot(hold.direction) < 0;
    states.push_back(hold.grip == Grip::off ? SlipState::separated : hold.grip == Grip::stick ? SlipState::stick : turned ? SlipState::reverse : SlipState::slip);
  }
  return states;
}

void Collision::note(const Decision& decision) {
  notes.undetermined |= decision.rates.undetermined;
  notes.over_determined |= decision.rates.miss > kRank && !decision.rates.dropped;
  notes.dropped |= decision.rates.dropped;
  notes.tension |= decision.rates.tension;
  notes.rule_given_up |= decision.rule_given_up;
}

void Collision::event(ImpactEventKind kind, int contact) {
  if (history) history->events.push_back({kind, contact, p(system.normal(contact)), v, normal_work});
}

void Collision::advance(const Decision& decision, const std::vector<Hold>& first, double delta, Phase phase, const std::string& mode) {
  const Rates& rates = decision.rates;
  const Eigen::VectorXd from = v, p_from = p;
  p += delta * rates.dp;
  v += delta * rates.dv;
  double done = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    const int c = static_cast<int>(k), n = system.normal(c), t = system.tangent(c), tangents = system.d() - 1;
    const ContactWork piece = straight_work(from(n), v(n), delta * rates.dp(n), 0.5 * delta * rates.dp.segment(t, tangents).dot(from.segment(t, tangents) + v.segment(t, tangents)));
    work[k].normal += piece.normal;
    work[k].friction += piece.friction;
    work[k].compression += piece.compression;
    work[k].restitution += piece.restitution;
    done += piece.normal;
  }
  if (history && delta > 0) {
    record_crossings(*this, rates, from, delta);
    ImpactSegment segment;
    segment.state = slip_states(decision, first, system.d());
    segment.phase = phase;
    segment.mode = mode;
    segment.p_begin = p_from, segment.p_end = p;
    segment.v_begin = from, segment.v_end = v;
    segment.work_begin = normal_work, segment.work_end = normal_work + done;
    history->segments.push_back(std::move(segment));
  }
  normal_work += done;
}

}  // namespace carom::laws::rodriguez
