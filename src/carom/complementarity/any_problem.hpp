#pragma once
// Any problem of this layer, for readers and for the program.

#include <string_view>
#include <variant>

#include "carom/complementarity/friction_contact.hpp"
#include "carom/complementarity/global_friction_contact.hpp"
#include "carom/complementarity/lcp.hpp"
#include "carom/complementarity/mlcp.hpp"

namespace carom {

using AnyProblem = std::variant<Lcp, Mlcp, FrictionContact, GlobalFrictionContact>;

}  // namespace carom
