// math is header-only; this file gives its library a translation unit that compiles every header once.
#include "carom/math/counter_rng.hpp"
#include "carom/math/dual.hpp"
