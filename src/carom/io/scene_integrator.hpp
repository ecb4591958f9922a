#pragma once
// The integrator of a scene file.

#include "carom/io/value.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::io {

Integrator read_integrator(const Value& root);

}  // namespace carom::io
