#pragma once
// The process of law `lzb` (equations in lzb.cpp): contacts load and unload in internal time, slip and stick, until none is left.

#include <string>
#include <vector>

#include "carom/impact/law.hpp"
#include "carom/impact/laws/dormand_prince.hpp"
#include "carom/impact/laws/lzb_friction.hpp"

namespace carom::laws {

inline constexpr double kHertz = 1.5;

class LzbProcess {
 public:
  explicit LzbProcess(const LawCall& call);
  ImpactOutcome run();

 private:
  enum class Load { open, compressing, expanding };

  struct Contact {
    Load load = Load::open;
    bool sticks = false;
    bool moving = true;   // has slipped for good since it last broke loose
    double k = 0;         // stiffness now, in internal units
    double cut = 0;       // indentation at which it separates
    Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // of slip at the start of the step, or with which it leaves a stick
    Eigen::Vector2d origin = Eigen::Vector2d::Zero();     // slip counts from here: what was left of it when it was caught
  };

  // A state (p, δ, normal work, friction work) with what follows from it.
  struct Moment {
    Eigen::VectorXd y, v, force;
    double excess = -1;  // of the held contacts, HeldFriction::solve
  };

  struct Crossing {
    int contact = -1;
    ImpactEventKind kind = ImpactEventKind::separates;
  };

  int delta(int c) const { return n_ * d_ + c; }
  int normal_work(int c) const { return n_ * d_ + n_ + c; }
  int friction_work(int c) const { return n_ * d_ + 2 * n_ + c; }
  bool active(int c) const { return contacts_[c].load != Load::open; }
  bool any_active() const;
  bool grips(int c) const { return problem_.mu_s(c) > 0; }
  double stiffness(int c) const { return unit_ * (problem_.stiffness.size() > 0 ? problem_.stiffness(c) : 1.0); }
  Eigen::Vector2d slip(const Eigen::VectorXd& v, int c) const;

  // lzb_process.cpp: rates and steps.
  void look(Moment& at, bool thorough = false);
  void forces(const Eigen::VectorXd& y, const Eigen::VectorXd& v, Eigen::VectorXd& force, double& excess, bool thorough);
  template <class Slope>
  void slope(const Moment& at, Slope&& dy) const;
  void grip();
  void restart();  // after a change of mode: who is held, who breaks loose, and the slope at the start
  void trial(double h, Moment& to);
  double error(double h, const Moment& to) const;
  void advance(double& h);

  // lzb_events.cpp: what happens on the way.
  double gauge(const Crossing& x, const Moment& at) const;
  bool passes(const Crossing& x, const Moment& to) const;
  void candidates();
  Crossing locate(double& h, Moment& to);
  void happen(const Crossing& x);
  void end_compression(int c);
  void close(int c);
  void catch_slip(int first);
  void release();
  void open_contacts();
  bool locked();

  void tell(ImpactEventKind kind, int c);
  void record(const Eigen::VectorXd& from, const Moment& to);
  void finish(const std::string& why);

  const LawCall& call_;
  const ImpactProblem& problem_;
  int d_, n_;
  std::vector<Contact> contacts_;
  Eigen::VectorXd eta_;
  bool bi_;
  double tolerance_, speed_ = 0, unit_ = 0, zero_slip_ = 0, rest_ = 0, impulse_ = 0;
  HeldFriction held_;
  std::vector<int> gripped_;        // held contacts, as gathered
  Eigen::VectorXd limits_;          // of the held contacts
  bool careful_ = false;            // near a limit that is shared: every solve is thorough until the next event
  double kinetic_ = 0;              // > 0: this fraction of μ_d limits the contacts in loose_
  std::vector<char> loose_;
  DormandPrince stepper_;
  Moment start_, to_, probe_, stage_;
  double taken_ = 0;                // length of the last trial step
  std::vector<Crossing> next_;
  Eigen::VectorXd compression_, restitution_, balance_;
  ImpactOutcome outcome_;
};

}  // namespace carom::laws
