#pragma once
// The two phases of an impact and the three ways to end it, for the spatial processes.
//   newton:  v_n = −e v_n⁻      poisson:  p = (1 + e) p_c      stronge:  W = (1 − e²) W_min
// p_c: normal impulse at the latest end of compression; W_min: least normal work so far (so a dual compression is counted whole).

#include "carom/impact/law.hpp"
#include "carom/math/dual.hpp"

namespace carom::laws {

template <class T>
class ImpactPhases {
 public:
  ImpactPhases(Restitution hypothesis, const T& e, const T& v_n_pre) : hypothesis_(hypothesis), e_(e), v_n_pre_(v_n_pre) {}

  Phase phase() const { return phase_; }
  bool elastic() const { return value_of(e_) > 0; }
  const T& compression_work() const { return compression_work_; }
  const T& p_c() const { return p_c_; }

  // How far a state of the restitution phase is past the end; the impact ends at 0.
  T excess(const T& p, const T& v_n, const T& work) const {
    switch (hypothesis_) {
      case Restitution::newton: return v_n + e_ * v_n_pre_;
      case Restitution::poisson: return (p - p_c_) - e_ * p_c_;
      case Restitution::stronge: break;
    }
    return (work - least_work_) + e_ * e_ * least_work_;
  }
  // d excess/dp.
  T excess_slope(const T& v_n, const T& k) const {
    if (hypothesis_ == Restitution::newton) return k;
    return hypothesis_ == Restitution::poisson ? T(1) : v_n;
  }

  // Normal impulse from a state of the restitution phase to the end while v_n changes at the constant rate k; negative: never.
  T straight_to_end(const T& p, const T& v_n, const T& work, const T& k) const {
    using std::sqrt;
    const T missing = -excess(p, v_n, work);
    if (value_of(missing) <= 0) return T(0);
    if (hypothesis_ == Restitution::poisson) return missing;
    if (hypothesis_ == Restitution::newton) return value_of(k) > 0 ? missing / k : T(-1);
    const T square = v_n * v_n + T(2) * k * missing;
    const T bottom = v_n + sqrt(value_of(square) > 0 ? square : T(0));
    return value_of(square) < 0 || value_of(bottom) <= 0 ? T(-1) : T(2) * missing / bottom;
  }

  void compression_ends(const T& p, const T& work) {
    phase_ = Phase::restitution;
    p_c_ = p;
    compression_work_ += work - work_at_change_;
    if (value_of(work) < value_of(least_work_)) least_work_ = work;
    work_at_change_ = work;
  }
  void compression_resumes(const T& work) {
    phase_ = Phase::compression;
    work_at_change_ = work;
  }

 private:
  Restitution hypothesis_;
  T e_, v_n_pre_;
  Phase phase_ = Phase::compression;
  T p_c_{0}, least_work_{0}, compression_work_{0}, work_at_change_{0};
};

}  // namespace carom::laws
