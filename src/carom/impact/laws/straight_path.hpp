#pragma once
// The history of laws whose impulse grows along straight lines: each stretch adds an impulse, and velocity follows by momentum.

#include <string>
#include <utility>
#include <vector>

#include "carom/impact/law.hpp"
#include "carom/impact/ledger.hpp"

namespace carom::laws {

class StraightPath {
 public:
  explicit StraightPath(const LawCall& call) : problem_(call.problem), history_(call.history) {
    outcome_.v_post = problem_.v_pre;
    outcome_.p = Eigen::VectorXd::Zero(problem_.v_pre.size());
    outcome_.energy.contacts.resize(static_cast<std::size_t>(problem_.contacts()));
  }

  const Eigen::VectorXd& velocity() const { return outcome_.v_post; }
  const Eigen::VectorXd& impulse() const { return outcome_.p; }

  // Adds the impulse of one stretch, by which velocity becomes `v_end` (= v + G impulse, but for what the law knows to be zero).
  void move(const Eigen::VectorXd& impulse, const Eigen::VectorXd& v_end, Phase phase, std::vector<SlipState> state, std::string mode) {
    const double work_begin = work_;
    const int d = problem_.dimension;
    for (int c = 0; c < problem_.contacts(); ++c) {
      const int n = problem_.normal(c), t = n - (d - 1);
      const double friction = 0.5 * impulse.segment(t, d - 1).dot(outcome_.v_post.segment(t, d - 1) + v_end.segment(t, d - 1));
      const ContactWork work = straight_work(outcome_.v_post(n), v_end(n), impulse(n), friction);
      ContactWork& sum = outcome_.energy.contacts[static_cast<std::size_t>(c)];
      sum.normal += work.normal, sum.friction += work.friction;
      sum.compression += work.compression, sum.restitution += work.restitution;
      work_ += work.normal;
    }
    if (history_) {
      ImpactSegment segment;
      segment.state = std::move(state), segment.phase = phase, segment.mode = std::move(mode);
      segment.p_begin = outcome_.p, segment.p_end = outcome_.p + impulse;
      segment.v_begin = outcome_.v_post, segment.v_end = v_end;
      segment.work_begin = work_begin, segment.work_end = work_;
      outcome_.segments.push_back(std::move(segment));
    }
    outcome_.p += impulse;
    outcome_.v_post = v_end;
  }

  void event(ImpactEventKind kind, int contact = 0) {
    if (history_) outcome_.events.push_back({kind, contact, outcome_.p(problem_.normal(contact)), outcome_.v_post, work_});
  }
  void warn(std::string text) { outcome_.warnings.push_back(std::move(text)); }
  void status(ImpactStatus status) { outcome_.status = status; }
  ImpactOutcome take() { return std::move(outcome_); }

 private:
  const ImpactProblem& problem_;
  bool history_;
  double work_ = 0;
  ImpactOutcome outcome_;
};

}  // namespace carom::laws
