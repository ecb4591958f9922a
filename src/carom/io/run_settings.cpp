#include <fmt/format.h>

#include "carom/io/run_file.hpp"

namespace carom::io {
namespace {

using Settings = std::vector<std::pair<std::string, Setting>>;

void add_law(const std::string& prefix, const ImpactLaw& law, Settings& all) {
  all.emplace_back(prefix, law.process.empty() ? std::string("default") : law.process);
  all.emplace_back(prefix + ".restitution", law.restitution.empty() ? std::string("default") : law.restitution);
  for (const auto& [name, value] : law.options)
    all.emplace_back(fmt::format("{}.{}", prefix, name), std::visit([](const auto& v) { return fmt::format("{}", v); }, value));
}

}  // namespace

Settings settings(const Scene& scene) {
  Settings all{{"scene.name", scene.name}, {"duration", scene.duration}, {"sampling", scene.sampling}};
  all.emplace_back("combine.friction", std::string(name(scene.combination.friction)));
  all.emplace_back("combine.restitution", std::string(name(scene.combination.restitution)));
  add_law("law", scene.law, all);
  for (const PairLaw& pair : scene.pair_laws)
    add_law(fmt::format("pair_law {}/{}", scene.colliders[static_cast<std::size_t>(pair.collider_a)].name,
                        scene.colliders[static_cast<std::size_t>(pair.collider_b)].name),
            pair.law, all);
  if (scene.integrator.time_stepping) {
    const SteppingOptions& o = scene.integrator.stepping;
    all.insert(all.end(), {{"integrator.type", std::string(name(o.scheme))},
                           {"integrator.step", o.step},
                           {"integrator.cone_edges", std::int64_t{o.cone_edges}},
                           {"integrator.theta", o.theta},
                           {"integrator.tolerance", o.tolerance},
                           {"integrator.stabilisation", o.stabilisation},
                           {"integrator.recovery_speed", o.recovery_speed},
                           {"integrator.solver", o.solver},
                           {"integrator.threads", std::int64_t{o.threads}},
                           {"integrator.sleeping", std::int64_t{o.sleeping}}});
  } else {
    const EventOptions& o = scene.integrator.event;
    all.insert(all.end(), {{"integrator.type", std::string("event-driven")},
                           {"integrator.relative", o.relative},
                           {"integrator.absolute", o.absolute},
                           {"integrator.max_step", o.max_step},
                           {"integrator.time_tolerance", o.time_tolerance},
                           {"integrator.gap_tolerance", o.gap_tolerance},
                           {"integrator.rest_speed", o.rest_speed},
                           {"integrator.slip_resolution", o.slip_resolution},
                           {"integrator.zeno_horizon", o.zeno_horizon},
                           {"integrator.zeno_bounces", std::int64_t{o.zeno_bounces}},
                           {"integrator.zeno_spread", o.zeno_spread},
                           {"integrator.bridge", o.bridge},
                           {"integrator.max_impacts", std::int64_t{o.max_impacts}},
                           {"integrator.max_events", std::int64_t{o.max_events}}});
  }
  return all;
}

}  // namespace carom::io
