// The laws for many contacts on frictionless ball chains, against tests/reference/data/multi2d.json (independent prototypes).

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/impact/law.hpp"
#include "support/ball_chain.hpp"

namespace {

using namespace carom;
using nlohmann::json;

const json& laws_oracle() {
  static const json data = json::parse(std::ifstream(CAROM_SOURCE_DIR "/tests/reference/data/multi2d.json"));
  return data.at("laws");
}

struct Chain {
  const char* key;
  int balls;
  double e;
};
constexpr Chain kChains[] = {{"3ball_e1", 3, 1}, {"3ball_e0.85", 3, 0.85}, {"5ball_e1", 5, 1}, {"5ball_e0.8", 5, 0.8}};

void expect_speeds(const Chain& chain, const char* row, const ImpactLaw& law, double exponent) {
  const ImpactOutcome out = resolve(carom::testing::ball_chain(chain.balls, chain.e, exponent), law);
  const std::vector<double> expected = laws_oracle().at(chain.key).at(row);
  for (int i = 0; i < chain.balls; ++i)  // the file prints eight digits
    EXPECT_NEAR(out.qdot_post(i), expected[static_cast<std::size_t>(i)], 2e-8) << chain.key << " " << row << " ball " << i;
}

TEST(MultiOracle, SequentialChains) {
  for (const Chain& chain : kChains) expect_speeds(chain, "sequential", {"sequential", "newton", {}}, 1.5);
}

TEST(MultiOracle, MoreauIsTheNewtonLcpWithoutFriction) {
  for (const Chain& chain : kChains) expect_speeds(chain, "Newton_LCP", {"moreau", "newton", {}}, 1.5);
}

TEST(MultiOracle, AnitescuPotraIsThePoissonLcpWithoutFriction) {
  for (const Chain& chain : kChains) expect_speeds(chain, "Poisson_LCP", {"anitescu-potra", "poisson", {}}, 1.5);
}

// Bi-stiffness at every e; mono-stiffness only at e = 1, where both are the same law: for e < 1 the prototype's mono rows lie 1e-5
// to 6e-5 away from a cut-off at exactly e² of the stored energy (lzb_test.cpp checks that work ratio to 1e-9).
TEST(MultiOracle, LzbChains) {
  for (const Chain& chain : kChains) {
    expect_speeds(chain, "LZB_bi_eta1.0", {"lzb", "stronge", {{"unloading", std::string("bi")}}}, 1.0);
    expect_speeds(chain, "LZB_bi_eta1.5", {"lzb", "stronge", {{"unloading", std::string("bi")}}}, 1.5);
    if (chain.e < 1) continue;
    expect_speeds(chain, "LZB_mono_eta1.0", {"lzb", "stronge", {}}, 1.0);
    expect_speeds(chain, "LZB_mono_eta1.5", {"lzb", "stronge", {}}, 1.5);
  }
}

}  // namespace
