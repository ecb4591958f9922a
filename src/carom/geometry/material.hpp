#pragma once
// What surfaces are made of, and what two of them are together.

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

struct Material {
  std::string name;
  double mu_s = 0, mu_d = 0;  // static ≥ kinetic friction ≥ 0
  double e = 0;               // restitution in [0, 1]
  double stiffness = 1;       // relative contact stiffness > 0, for compliant-order laws
  double exponent = 1.5;      // force exponent ≥ 1: 1 linear, 1.5 Hertz
  double torsion = 0, rolling = 0;  // lengths [m]: spinning and rolling friction moments over the normal force; time-stepping only
  int cone_edges = 0;  // friction directions in polygonal cones, ≥ 3; 0: as many as the integrator has; time-stepping only
};

enum class Combination { minimum, maximum, average, geometric, product };
std::string_view name(Combination);

// How two materials make a pair when no pair is given by name. Stiffnesses act in series (harmonic mean), exponents average.
struct CombinationRule {
  Combination friction = Combination::geometric;
  Combination restitution = Combination::minimum;
};

// A pair of materials given outright.
struct MaterialPair {
  int a = 0, b = 0;  // indices of materials, in any order
  Material together{};
};

// The named pair if there is one, else the combination.
Material combine(const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs, const CombinationRule& rule,
                 int a, int b);

}  // namespace carom
