#include "carom/geometry/material.hpp"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

double combined(Combination rule, double a, double b) {
  switch (rule) {
    case Combination::minimum: return std::min(a, b);
    case Combination::maximum: return std::max(a, b);
    case Combination::average: return (a + b) / 2;
    case Combination::geometric: return std::sqrt(a * b);
    case Combination::product: return a * b;
  }
  return 0;
}

}  // namespace

std::string_view name(Combination rule) {
  switch (rule) {
    case Combination::minimum: return "minimum";
    case Combination::maximum: return "maximum";
    case Combination::average: return "average";
    case Combination::geometric: return "geometric";
    case Combination::product: return "product";
  }
  return "";
}

Material combine(const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs, const CombinationRule& rule, int a, int b) {
  for (const MaterialPair& pair : pairs)
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return pair.together;
  const Material& A = materials[static_cast<std::size_t>(a)];
  const Material& B = materials[static_cast<std::size_t>(b)];
  if (a == b) return A;
  Material together;
  together.name = A.name + "+" + B.name;
  together.mu_s = combined(rule.friction, A.mu_s, B.mu_s);
  together.mu_d = std::min(together.mu_s, combined(rule.friction, A.mu_d, B.mu_d));
  together.e = combined(rule.restitution, A.e, B.e);
  together.stiffness = 2 * A.stiffness * B.stiffness / (A.stiffness + B.stiffness);
  together.exponent = (A.exponent + B.exponent) / 2;
  together.torsion = combined(rule.friction, A.torsion, B.torsion);
  together.rolling = combined(rule.friction, A.rolling, B.rolling);
  together.cone_edges = std::max(A.cone_edges, B.cone_edges);
  return together;
}

}  // namespace carom
