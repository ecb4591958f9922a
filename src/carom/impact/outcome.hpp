#pragma once
// Contract one of carom, what comes out: velocities, impulses, the history inside the impact, and the energy ledger.

#include <Eigen/Core>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace carom {

using OptionValue = std::variant<double, bool, std::string>;
using LawOptions = std::map<std::string, OptionValue>;  // sorted by name: results list them in a fixed order

enum class ImpactStatus {
  resolved,       // the law's answer
  separating,     // nothing approaches: no impulse
  not_converged,  // an answer, but its residuals exceed the law's tolerance
  no_solution,    // the law has none for this problem; the warnings say why
};

enum class SlipState { slip, stick, reverse, jam, separated };

enum class ImpactEventKind {
  slip_stops,        // the tangential velocity reaches zero
  slip_reverses,     // … and slip goes on in the other direction (planar), or along the outgoing isocline (spatial)
  sticks,            // … and stays there
  stick_breaks,      // a sticking contact begins to slip
  compression_ends,  // the normal velocity passes zero upward
  compression_resumes,  // the normal velocity passes zero downward again
  separates,         // the contact's impact is over
};

enum class Phase { compression, restitution };

std::string_view name(ImpactStatus);
std::string_view name(SlipState);
std::string_view name(ImpactEventKind);  // as in the JSON answer: "slip-stops", …
std::string_view name(Phase);

// A moment inside the impact.
struct ImpactEvent {
  ImpactEventKind kind;
  int contact;               // which contact it happens at
  double impulse;            // normal impulse of that contact so far [N s]
  Eigen::VectorXd velocity;  // of all contacts [m/s]
  double normal_work;        // of all contacts so far [J]
};

// A stretch between two events, over which every contact keeps its slip state.
struct ImpactSegment {
  std::vector<SlipState> state;          // per contact
  Phase phase;
  std::string mode;                      // the law's own name for it ("CSlide"), or empty
  Eigen::VectorXd p_begin, p_end;        // impulse of all contacts [N s]
  Eigen::VectorXd v_begin, v_end;        // velocity of all contacts [m/s]
  double work_begin = 0, work_end = 0;   // normal work [J]
  // Points along the stretch where it is curved (each column one point; the ends included); empty: a straight line.
  Eigen::MatrixXd v_path, p_path;
};

// Work done by one contact's impulse, as the law accumulates it along its path; compression + restitution = normal.
struct ContactWork {
  double normal = 0;       // ∫ v_n dp_n [J]
  double friction = 0;     // ∫ v_t · dp_t [J]
  double compression = 0;  // the part of `normal` gathered while v_n < 0: ≤ 0
  double restitution = 0;  // the part gathered while v_n > 0: ≥ 0
};

struct EnergyLedger {
  double change = 0;            // ΔT = p·(v⁻ + v⁺)/2, from the end points alone [J]
  double normal_work = 0;       // sums over the contacts of what the law accumulated [J]
  double friction_work = 0;
  double compression_work = 0;
  double restitution_work = 0;
  double kinetic = 0;           // T_c = ½ v⁻ᵀ G⁺ v⁻: the energy that the contacts could take away [J]
  double closure = 0;           // |ΔT − W_n − W_t| / T_c
  std::vector<ContactWork> contacts;
};

// Relative residuals, all recomputed outside the law; 0 is perfect.
struct ImpactResiduals {
  double momentum = 0;     // |v⁺ − v⁻ − G p| over |v⁻| + |G||p|
  double cone = 0;         // worst (|p_t| − μ_s p_n)⁺ and (−p_n)⁺ over |p|
  double penetration = 0;  // worst (−v_n⁺)⁺ over |v⁻|
};

struct ImpactOutcome {
  ImpactStatus status = ImpactStatus::resolved;
  Eigen::VectorXd v_post;     // [m/s]
  Eigen::VectorXd p;          // [N s]
  Eigen::VectorXd qdot_post;  // generalised speeds, when the problem carries its system
  std::vector<ImpactEvent> events;
  std::vector<ImpactSegment> segments;
  EnergyLedger energy;
  ImpactResiduals residuals;
  std::vector<std::string> warnings;
  std::string law, restitution;  // what was used …
  LawOptions options;            // … with every tolerance
};

}  // namespace carom
