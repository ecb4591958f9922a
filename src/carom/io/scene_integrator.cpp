#include "carom/io/scene_integrator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/complementarity/registry.hpp"
#include "carom/io/fields.hpp"
#include "carom/io/scene_keys.hpp"

namespace carom::io {
namespace {

// A solver of the contact problem, or one of those that only steps have.
std::string solver_of(const Fields& fields) {
  std::vector<std::string_view> known{"augmented-lagrangian", "interior-point"};
  for (const SolverInfo& solver : solvers())
    if (solver.friction || solver.id == "lemke") known.push_back(solver.id);
  const std::string id = fields.word("solver");
  if (std::find(known.begin(), known.end(), id) == known.end()) throw InputError(fields.field("solver"), id, fmt::format("must be one of {}", fmt::join(known, ", ")));
  return id;
}

SteppingOptions read_stepping(const Fields& fields) {
  SteppingOptions options;
  options.scheme = scheme_named(fields.word("type"));
  options.step = fields.number("step");
  options.cone_edges = fields.integer("cone_edges");
  if (options.cone_edges == 1 || options.cone_edges == 2)
    throw InputError(fields.field("cone_edges"), fmt::format("{}", options.cone_edges), "must be 0 (the exact cone) or ≥ 3");
  options.theta = fields.number("theta");
  options.tolerance = fields.number("tolerance");
  options.stabilisation = fields.number("stabilisation");
  options.recovery_speed = fields.number("recovery_speed");
  options.solver = solver_of(fields);
  options.threads = fields.integer("threads");
  options.sleeping = fields.flag("sleeping");
  return options;
}

EventOptions read_event_options(const Fields& fields) {
  EventOptions options;
  options.relative = fields.number("relative");
  options.absolute = fields.number("absolute");
  options.max_step = fields.number("max_step");
  options.time_tolerance = fields.number("time_tolerance");
  options.gap_tolerance = fields.number("gap_tolerance");
  options.rest_speed = fields.number("rest_speed");
  options.slip_resolution = fields.number("slip_resolution");
  options.zeno_horizon = fields.number("zeno_horizon");
  options.zeno_bounces = fields.integer("zeno_bounces");
  options.zeno_spread = fields.number("zeno_spread");
  options.bridge = fields.number("bridge");
  options.max_impacts = fields.integer("max_impacts");
  options.max_events = fields.integer("max_events");
  return options;
}

}  // namespace

Integrator read_integrator(const Value& root) {
  Integrator integrator;
  const Value* map = root.find("integrator");
  if (!map) return integrator;
  const KeyTable &driven = scene_table("event-driven"), &steps = scene_table("time-stepping");
  Value kind;  // the type is judged first: the other keys depend on it
  kind.kind = Value::Kind::map;
  const Value* type = map->find("type");
  if (type) kind.items.push_back(*type);
  integrator.time_stepping = Fields(kind, "integrator", driven).word("type") != "event-driven";
  if (!type)
    for (const Value& item : map->items)
      if (!driven.find(item.key) && steps.find(item.key)) throw InputError("integrator." + item.key, describe(item), "belongs to time-stepping: type must be given, stewart-trinkle, anitescu-potra or moreau-jean");
  const Fields fields(*map, "integrator", integrator.time_stepping ? steps : driven);
  if (integrator.time_stepping)
    integrator.stepping = read_stepping(fields);
  else
    integrator.event = read_event_options(fields);
  return integrator;
}

}  // namespace carom::io
