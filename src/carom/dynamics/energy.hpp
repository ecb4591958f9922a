#pragma once
// Kinetic energy T = ½ Σ (m v_c² + ω · I_c ω) and potential energy V = −Σ m g · x_c of the system.

#include "carom/dynamics/data.hpp"

namespace carom {

double kinetic_energy(const Model& model, const Data& data);  // [J]; needs velocities
double potential_energy(const Model& model,
                        const Data& data);  // [J]; zero with every centre of mass at the world's origin

}  // namespace carom
