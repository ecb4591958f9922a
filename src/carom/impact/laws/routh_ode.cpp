// Laws `routh-ode` and `mirtich`: the exact impulse process by numerical integration (Dormand–Prince 5).
//
//   dv_t/dp = b − μ_d A û,   dv_n/dp = c − μ_d b·û,   dW/dp = v_n                                  [Keller 1986; Morgan 4.9; Park 7]
// `routh-ode` integrates in dτ = dp/|v_t| until v_n = 0, until the end of restitution (newton, poisson, stronge as in `routh`), or
// until slip has died to `slip_stop` of its initial speed; events are located inside the last step by repeating it shorter.
// `mirtich` integrates in v_n during compression and in W during restitution (Mirtich 1996, §3.4), so that both ends are known
// beforehand; since dW = 0 where v_n = 0, it goes on in v_n for the first hundredth of the restitution's work.
// After slip has stopped both continue in closed form (routh_spatial.hpp). G and v are scaled by c and |v⁻| first, so tolerances are
// relative.
//
// Deviations: Morgan integrates in p, where the direction of slip turns without bound near a stop; τ removes that. Two crossings
// of v_n = 0 inside one step are not seen: tolerances keep steps short, `routh` has no such gap.
// Validity: as `routh`. `mirtich` needs v_n to rise through compression (no jam) and to stay positive after it (no dual
// compression): else status no-solution, with the reason. Failure: `max_steps` spent: not-converged.
// Citation: keller1986, morgan2011, mirtich1996. Checked by: tests/reference/spatial_oracle_test.cpp, tests/properties/spatial_test.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/sliding_ode.hpp"
#include "carom/impact/laws/spatial_outcome.hpp"
#include "carom/impact/laws/spatial_recorder.hpp"

namespace carom::laws {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kRank = 1e-13;  // relative determinant of G that counts as zero once slip has stopped, as in `routh`
using Y = SlidingOde::State;

// One integration, in scaled variables.
class OdeImpact {
 public:
  OdeImpact(const LawCall& call, const SpatialContact<double>& contact, double zero_slip, SpatialRecorder& recorder)
      : c_(contact), recorder_(recorder), phases_(call.restitution, contact.e, contact.v_n),
        ode_(contact, call.number("absolute"), call.number("relative")), max_steps_(call.number("max_steps")), options_{zero_slip, kRank}, call_(call) {
    s0_ = ode_.speed();
    stop_ = std::max(call.number("slip_stop") * s0_, zero_slip);
    from_ = ode_.point();
  }

  SpatialResult<double> run(bool mirtich) {
    if (s0_ <= options_.zero_slip || c_.mu_d == 0)  // no slip, or no friction: straight lines
      return routh_spatial(c_, call_.restitution, options_, recorder_);
    if (mirtich) reparametrised();
    else while (!over_) advance();
    if (!stopped_) result_.end = ode_.point(), result_.friction_work = ode_.friction_work(), result_.compression_work = phases_.compression_work();
    return result_;
  }
  const std::string& trouble() const { return trouble_; }

 private:
  double excess(const Y& y) const { return phases_.excess(y[SlidingOde::kP], y[SlidingOde::kVn], y[SlidingOde::kW]); }

  void fail(std::string why) {
    trouble_ = std::move(why);
    over_ = true;
  }
  bool spent() {
    if (ode_.steps < max_steps_) return false;
    result_.converged = false;
    over_ = true;
    return true;
  }

  void close() {
    const SpatialPoint<double> at = ode_.point();
    if (at.p_n > from_.p_n) recorder_.segment(SlipState::slip, phases_.phase(), from_, at);
    from_ = at;
  }
  void compression_ends() {
    ode_.y[SlidingOde::kVn] = 0;
    close();
    phases_.compression_ends(ode_.y[SlidingOde::kP], ode_.y[SlidingOde::kW]);
    recorder_.event(ImpactEventKind::compression_ends, ode_.point());
    if (!phases_.elastic()) finish();
  }
  void finish() {
    close();
    recorder_.event(ImpactEventKind::separates, ode_.point());
    over_ = true;
  }

  // Slip has died: what is left of it stops along its present direction; then the closed form.
  bool stops() {
    const double s = ode_.speed(), g = ode_.g();
    if (!(s <= stop_ && g < 0)) return false;
    SpatialPoint<double> at = ode_.point();
    const double d = -s / g, k = ode_.k();
    at.p_n += d, at.p1 -= c_.mu_d * d * at.v1 / s, at.p2 -= c_.mu_d * d * at.v2 / s;
    at.work += d * (at.v_n + 0.5 * k * d), at.v_n += k * d;
    close();
    SpatialRouth<double, SpatialRecorder> rest(c_, call_.restitution, options_, recorder_);
    result_ = rest.run_from_stop(at, phases_, ode_.friction_work() - 0.5 * c_.mu_d * s * d);
    over_ = stopped_ = true;
    return true;
  }

  // routh-ode: one step in τ, and the event in it.
  void advance() {
    if (spent()) return;
    const SpatialPoint<double> before = ode_.point();
    if (!ode_.step(kUnlimited)) return;
    const auto v_n = [](const Y& y) { return y[SlidingOde::kVn]; };
    recorder_.path(ode_.point());
    if (phases_.phase() == Phase::compression) {
      if (ode_.y[SlidingOde::kVn] < 0) return void(stops());
      ode_.back_to(v_n);
      return compression_ends();
    }
    if (before.v_n > 0 && ode_.y[SlidingOde::kVn] < 0) {
      ode_.back_to(v_n);
      if (excess(ode_.y) < 0) {
        ode_.y[SlidingOde::kVn] = 0;
        close();
        phases_.compression_resumes(ode_.y[SlidingOde::kW]);
        recorder_.event(ImpactEventKind::compression_resumes, ode_.point());
        return;
      }
    }
    if (excess(ode_.y) < 0) return void(stops());
    ode_.back_to([this](const Y& y) { return excess(y); });
    finish();
  }

  // mirtich: compression in v_n, restitution in W.
  void reparametrised() {
    ode_.clock = Clock::normal_velocity;
    ode_.first_step(0.01 * std::abs(c_.v_n));
    if (!in_normal_velocity(0.0)) return;
    compression_ends();
    if (over_) return;
    const double gain = c_.e * c_.e * std::abs(ode_.y[SlidingOde::kW]), k = ode_.k();
    if (!(k > 0)) return fail("mirtich: normal velocity does not rise after compression (dual compression)");
    if (!in_normal_velocity(std::sqrt(2 * k * 0.01 * gain))) return;
    ode_.clock = Clock::work;
    ode_.first_step(0.01 * gain);
    const double target = (1 - c_.e * c_.e) * phases_.compression_work();
    while (!over_) {
      const double left = target - ode_.y[SlidingOde::kW];
      if (left <= 1e-14 * gain) return finish();
      if (spent()) return;
      const double v_n = ode_.y[SlidingOde::kVn];
      double limit = std::min(left, slip_limit());
      if (ode_.k() < 0) limit = std::min(limit, 0.25 * v_n * v_n / -ode_.k());
      if (ode_.step(limit)) recorder_.path(ode_.point());
      if (ode_.y[SlidingOde::kVn] <= 1e-6 * std::sqrt(gain)) return fail("mirtich: normal velocity returns to zero before the end (dual compression): work cannot be the clock; use routh");
      stops();
    }
  }

  // Longest step of the clock that keeps slip from being overshot.
  double slip_limit() const {
    const double fall = -ode_.g() * ode_.rate(ode_.y);
    return fall > 0 ? 0.5 * ode_.speed() / fall : kUnlimited;
  }

  bool in_normal_velocity(double target) {
    while (!over_) {
      const double left = target - ode_.y[SlidingOde::kVn];
      if (left <= 1e-15) return true;
      if (spent()) break;
      if (!(ode_.k() > 1e-9)) {
        fail("mirtich: normal velocity falls during compression (jam): it cannot be the clock; use routh");
        break;
      }
      if (ode_.step(std::min(left, slip_limit()))) recorder_.path(ode_.point());
      stops();
    }
    return false;
  }

  SpatialContact<double> c_;
  SpatialRecorder& recorder_;
  ImpactPhases<double> phases_;
  SlidingOde ode_;
  double max_steps_, s0_ = 0, stop_ = 0;
  SpatialOptions options_;
  const LawCall& call_;
  SpatialPoint<double> from_;
  SpatialResult<double> result_;
  std::string trouble_;
  bool over_ = false, stopped_ = false;
};

// Undoes the scaling of velocity by V and of impulse by P in everything recorded.
void unscale(ImpactOutcome& outcome, double V, double P) {
  outcome.v_post *= V, outcome.p *= P;
  for (ImpactEvent& event : outcome.events) event.velocity *= V, event.impulse *= P, event.normal_work *= V * P;
  for (ImpactSegment& s : outcome.segments) {
    s.p_begin *= P, s.p_end *= P, s.v_begin *= V, s.v_end *= V, s.work_begin *= V * P, s.work_end *= V * P;
    s.v_path *= V, s.p_path *= P;
  }
  for (ContactWork& w : outcome.energy.contacts) w.normal *= V * P, w.friction *= V * P, w.compression *= V * P, w.restitution *= V * P;
}

ImpactOutcome solve(const LawCall& call, bool mirtich) {
  SpatialContact<double> contact = spatial_contact(call.problem);
  const double V = call.problem.v_pre.norm(), c = contact.c;
  for (double* entry : {&contact.A11, &contact.A12, &contact.A22, &contact.b1, &contact.b2, &contact.c}) *entry /= c;
  for (double* entry : {&contact.v1, &contact.v2, &contact.v_n}) *entry /= V;
  ImpactOutcome outcome;
  SpatialRecorder recorder(outcome);
  OdeImpact impact(call, contact, call.number("zero_slip") / V, recorder);
  const SpatialResult<double> result = impact.run(mirtich);
  outcome.v_post = velocity(result.end), outcome.p = impulse(result.end);
  const double work = result.end.work;
  outcome.energy.contacts = {{work, result.friction_work, result.compression_work, work - result.compression_work}};
  unscale(outcome, V, V / c);
  if (!call.history) outcome.events.clear(), outcome.segments.clear();
  if (!impact.trouble().empty()) {
    outcome.status = ImpactStatus::no_solution;
    outcome.warnings.push_back(impact.trouble());
  } else if (!result.converged) {
    outcome.status = ImpactStatus::not_converged;
    outcome.warnings.push_back(fmt::format("the integration spent its {} steps", call.number("max_steps")));
  } else if (!result.solved) {
    outcome.status = ImpactStatus::no_solution;
    outcome.warnings.emplace_back("no impulse ends the approach: delassus is singular and velocity does not belong to it");
  }
  return outcome;
}

std::vector<OptionInfo> options() {
  return {{.name = "relative", .fallback = 1e-10, .low = 1e-14, .high = 1e-2, .choices = {}, .unit = "1", .meaning = "relative tolerance of a step"},
          {.name = "absolute", .fallback = 1e-12, .low = 1e-16, .high = 1e-2, .choices = {}, .unit = "1", .meaning = "absolute tolerance of a step, in units of |v⁻| and of |v⁻|/G_nn"},
          {.name = "slip_stop", .fallback = 1e-9, .low = 1e-15, .high = 1e-2, .choices = {}, .unit = "1", .meaning = "share of the initial slip speed at which slip counts as stopped"},
          {.name = "zero_slip", .fallback = 0.0, .low = 0, .high = 1e300, .choices = {}, .unit = "m/s", .meaning = "slip speed up to which the contact counts as not slipping"},
          {.name = "max_steps", .fallback = 100000.0, .low = 1, .high = 1e9, .choices = {}, .unit = "1", .meaning = "integration steps, refused ones included, before it gives up"}};
}

}  // namespace

LawInfo routh_ode() {
  return {
      .id = "routh-ode",
      .dimensions = {3},
      .many_contacts = false,
      .restitutions = {Restitution::stronge, Restitution::poisson, Restitution::newton},
      .options = options(),
      .summary = "The exact impulse process by numerical integration of the sliding differential equation.",
      .citation = "keller1986, morgan2011",
      .solve = [](const LawCall& call) { return solve(call, false); },
  };
}

LawInfo mirtich() {
  return {
      .id = "mirtich",
      .dimensions = {3},
      .many_contacts = false,
      .restitutions = {Restitution::stronge},
      .options = options(),
      .summary = "The sliding differential equation with normal velocity, then work, as its clock (Mirtich).",
      .citation = "mirtich1996",
      .solve = [](const LawCall& call) { return solve(call, true); },
  };
}

}  // namespace carom::laws
