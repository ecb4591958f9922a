// Law `lzb` (Liu, Zhao & Brogliato 2008): impacts at many points at once, resolved by the energy stored at each contact.
//
// Inside the impact every contact i carries a force λ_i = k_i δ_i^η over an infinitesimal indentation δ_i with stored energy
// E_i = k_i δ_i^(η+1)/(η+1), so that impulses grow in the ratio (their distribution law)
//   dp_i / dp_j = λ_i / λ_j = (k_i E_i^η / (k_j E_j^η))^(1/(η+1))   for equal η,          dE_i = −v_n,i dp_i.
// Only stiffness ratios matter: the scale of time, and with it of k, drops out. The law is integrated in that internal time,
//   dp_n = λ dt,  dδ = −v_n dt,  v = v⁻ + G p,
// with Coulomb friction at every contact: slipping dp_t = −μ_d û λ dt, sticking keeps v_t = 0 while |dp_t| ≤ μ_s dp_n.
// Restitution is energetic per contact: of the energy E_i stored when its compression ends, only e_i² E_i comes back,
//   mono: unloads on the same curve and is cut off once e² E is released, at δ = (1 − e²)^(1/(η+1)) δ_max;
//   bi:   unloads on a steeper curve through the same force that ends at zero force, δ ← e² δ, k ← k e^(−2η).
// A contact is over when its energy is spent; pressed again by its neighbours it starts anew, so waves in chains come out.
//
// Deviations: integrated in internal time instead of the primary contact's impulse (the same curve, without the singular start);
// the indentation, not E, is the state. Validity: any G, any number of contacts. Sums of Stronge's hypothesis: never gains energy.
// The order of contacts does not matter.
// It always ends. Bodies wedged between contacts may ring for ever (mono: a contact pressed again before it is cut off loses nothing):
// after `max_steps` steps what still approaches is stopped by the plastic cone problem, and the answer says so. About 1 in 30 of the
// random systems of tests/properties/many_contacts_test.cpp do.
// Accuracy: |v⁺| to about 1e-8 at the default tolerance (a slip that is over counts as over at 100 times the tolerance); median 1e-10.
// Files: lzb_process.cpp integrates, lzb_events.cpp has the events, lzb_friction.cpp the contacts that do not slip.
// Finding: for e < 1 the mono rows of tests/reference/data/multi2d.json (three balls 0.030684, 0.109616, 0.859699; here 0.030694, 0.109661,
// 0.859645) overshoot the cut-off: in the smooth corner, where the answer is −e v, that prototype gives 3.1679284 for 3.16745.
// Springs integrated in time by other code (lzb_springs_test.cpp) agree with this law to 1e-8, mono and bi, with friction too.
// Citation: liu2008. Checked by: lzb_test.cpp (closed forms, single contact = routh + stronge), tests/reference/lzb_springs_test.cpp,
// multi_oracle_test.cpp, corner_test.cpp, tests/properties/many_contacts_test.cpp.

#include "carom/impact/laws/laws.hpp"
#include "carom/impact/laws/lzb_process.hpp"

namespace carom::laws {

LawInfo lzb() {
  return {
      .id = "lzb",
      .aliases = {"liu-zhao-brogliato"},
      .dimensions = {2, 3},
      .many_contacts = true,
      .restitutions = {Restitution::stronge},
      .never_gains = {Restitution::stronge},
      .order_free = true,
      .options = {{.name = "unloading", .fallback = std::string("mono"), .choices = {"mono", "bi"}, .unit = "", .meaning = "unloading curve: mono-stiffness (energy lost at greatest compression) or bi-stiffness (steeper curve)"},
                  {.name = "tolerance", .fallback = 1e-11, .low = 1e-14, .high = 1e-3, .choices = {}, .unit = "1", .meaning = "relative tolerance of the integration"},
                  {.name = "rest_speed", .fallback = 1e-8, .low = 0, .high = 1e-3, .choices = {}, .unit = "1", .meaning = "approach speed, relative to |v⁻|, that no longer starts a compression and is stopped without restitution in the end"},
                  {.name = "zero_slip", .fallback = 0.0, .low = 0, .high = 1e300, .choices = {}, .unit = "m/s", .meaning = "slip speed up to which a contact counts as not slipping (at least tolerance · |v⁻|)"},
                  {.name = "max_steps", .fallback = 10000.0, .low = 100, .high = 1e9, .choices = {}, .unit = "1", .meaning = "steps after which what still approaches is stopped without restitution"}},
      .summary = "Liu–Zhao–Brogliato: all contacts at once, impulses shared by stored energy and stiffness, energetic restitution per contact; waves in chains.",
      .citation = "liu2008",
      .solve = [](const LawCall& call) { return LzbProcess(call).run(); },
  };
}

}  // namespace carom::laws
