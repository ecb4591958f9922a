// carom doctor: what this program is made of, what it finds, and whether it computes what it should.

#include <fmt/format.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <cmath>

#include "builtin_scene.hpp"
#include "carom/core/table.hpp"
#include "carom/impact/law.hpp"
#include "carom/io/plot.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/simulate/simulate.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

// The built-in scene up to its first impact, against the independent prototype of tests/reference/data/planar.json (run A): the
// time of the blow [s] and the contact velocity after it [m/s].
double self_check_error() {
  Scene scene = io::read_scene_text(kBuiltinScene, "<built in>");
  scene.duration = 0.5;
  MemoryRecorder record;
  (void)simulate(scene, record);
  if (record.impacts.empty()) return 1;
  const ImpactRecord& first = record.impacts.front();
  const Eigen::Vector2d v(0.40364123955860753, 2.686711229564956);
  return std::max(std::abs(first.time - 0.4584189041017607), (first.outcome.v_post - v).cwiseAbs().maxCoeff());
}

int run_doctor() {
  constexpr double kAllowed = 1e-9;
  const double error = self_check_error();
  const std::string gnuplot = io::plot_program();
  Table table{{{"what"}, {"found"}}, {}};
  table.rows = {{"carom", CAROM_VERSION},
                {"compiler", fmt::format("g++ {}", __VERSION__)},
                {"build", fmt::format("{}: {}", CAROM_BUILD_TYPE, CAROM_FLAGS)},
                {"Eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
                {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
                {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
                {"yaml-cpp", CAROM_YAML_VERSION},
                {"CLI11", CAROM_CLI11_VERSION},
                {"gnuplot", gnuplot.empty() ? "missing: pictures cannot be drawn (Debian: gnuplot-nox)" : gnuplot},
                {"laws", std::to_string(all_laws().size())},
                {"self-check", fmt::format("{}: double pendulum's first impact, worst error {:.1e} of {:.0e} allowed", error <= kAllowed ? "passed" : "FAILED", error, kAllowed)}};
  print(to_text(table));
  return error <= kAllowed ? kAnswered : kNotToTolerance;
}

}  // namespace

void add_doctor(CLI::App& program, int& code) {
  CLI::App* command = program.add_subcommand("doctor", "Versions, flags, tools found, and a self-check");
  command->callback([&code] { code = run_doctor(); });
}

}  // namespace carom::app
