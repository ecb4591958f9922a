#include "carom/io/scene_keys.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "carom/geometry/material.hpp"
#include "carom/simulate/scene.hpp"

namespace carom::io {
namespace {

// Short forms in which the tables below are written.
Key number(std::string name, std::string unit, std::string fallback, Range range, std::string meaning) {
  return {std::move(name), KeyKind::number, {}, std::move(unit), std::move(fallback), range, {}, std::move(meaning)};
}
Key number(std::string name, std::string unit, double fallback, Range range, std::string meaning) {
  return number(std::move(name), std::move(unit), fmt::format("{}", fallback), range, std::move(meaning));
}
Key integer(std::string name, long fallback, Range range, std::string meaning) {
  return {std::move(name), KeyKind::integer, {}, {}, fmt::format("{}", fallback), range, {}, std::move(meaning)};
}
Key flag(std::string name, bool fallback, std::string meaning) {
  return {std::move(name), KeyKind::flag, {}, {}, fallback ? "true" : "false", {}, {}, std::move(meaning)};
}
Key word(std::string name, std::string_view fallback, std::string meaning, std::vector<std::string> choices = {}) {
  return {std::move(name), KeyKind::word, {}, {}, std::string(fallback), {}, std::move(choices), std::move(meaning)};
}
Key point(std::string name, std::string unit, std::string_view fallback, std::string meaning) {
  return {std::move(name), KeyKind::point, {}, std::move(unit), std::string(fallback), {}, {}, std::move(meaning)};
}
Key list(std::string name, std::string type, std::string_view fallback, std::string meaning) {
  return {std::move(name), KeyKind::list, std::move(type), {}, std::string(fallback), {}, {}, std::move(meaning)};
}
Key map(std::string name, std::string type, std::string meaning) {
  return {std::move(name), KeyKind::map, std::move(type), {}, {}, {}, {}, std::move(meaning)};
}
Key compound(std::string name, std::string type, std::string unit, std::string_view fallback, std::string meaning) {
  return {std::move(name), KeyKind::compound, std::move(type), std::move(unit), std::string(fallback), {}, {}, std::move(meaning)};
}

std::vector<Key> operator+(std::vector<Key> keys, const std::vector<Key>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

// How something is turned: one of these, or none.
std::vector<Key> rotation() {
  return {number("angle", "rad", "", kAny, "turned about z"),
          number("angle_deg", "°", "", kAny, "the same in degrees"),
          point("rpy", "rad", "", "spatial: turned about the fixed axes x, y, z in this order"),
          point("rpy_deg", "°", "", "the same in degrees"),
          list("quaternion", "[w, x, y, z]", "", "spatial: rotation as a quaternion; made unit"),
          map("turn", "map, see [turn](#turn)", "spatial: turned about an axis")};
}

std::vector<KeyTable> top_tables() {
  KeyTable scene{"scene", "scene", "The whole file. A scene has `bodies`, or a model from `urdf` or `mjcf`, or both.", {}};
  scene.keys = {
      word("name", "", "of the scene; default the file's name"),
      word("description", "", "free text"),
      word("world", "spatial", "planar: the x–y plane, all rotation about z. Required unless a urdf or mjcf model is given", {"planar", "spatial"}),
      point("gravity", "m/s²", "none", "acceleration; a model from mjcf brings its own"),
      map("bodies", "map from name to [body](#body)", "what moves"),
      list("joints", "list of [joints](#joint)", "", "one per body at most; a body without one is free"),
      list("constraints", "list of [constraints](#constraint)", "", "bilateral: loops and gears"),
      compound("urdf", "file or [model](#model)", "", "", "a URDF robot"),
      compound("mjcf", "file or [model](#model)", "", "", "a MuJoCo model"),
      list("ground", "list of [shapes](#shape)", "", "what stands in the world, at rest or driven"),
      map("materials", "map from name to [material](#material)", "of the surfaces. `default`, or the only one, is that of shapes that name none"),
      list("pairs", "list of [pairs](#pair)", "", "pairs of materials given outright"),
      map("combine", "[combine](#combine)", "what two materials are together"),
      list("ignore", "list of pairs [a, b]", "", "bodies or shapes, by name, that pass through each other; `ground` is all of the ground"),
      list("limits", "list of [limits](#limit)", "", "coordinates that end at a stop"),
      map("forces", "[forces](#forces)", "beside gravity"),
      map("state", "[state](#state)", "how joints start; bodies without a joint start as their entry says"),
      word("law", "", "impact law; default the documented one (`carom laws`)"),
      word("restitution_law", "", "hypothesis of restitution; default the law's first", {"newton", "poisson", "stronge"}),
      map("options", "map", "options of the law"),
      list("pair_laws", "list of [pair laws](#pair_law)", "", "another law for some pairs"),
      map("integrator", "[event-driven](#event-driven) or [time-stepping](#time-stepping)", "how time moves; event-driven unless said, such as `{type: moreau-jean, step: 0.001}`"),
      number("duration", "s", 1.0, kPositive, "how long"),
      map("output", "[output](#output)", "what is recorded")};
  KeyTable model{"model", "model", "A model from a file: `urdf: robot.urdf`, or a map. What the reader ignores is listed with the results.\n\n"
                 "URDF: links (inertial, collision with box, sphere, cylinder, capsule, mesh), joints (revolute, continuous, prismatic, fixed, floating,\n"
                 "planar), limits as stops (`restitution` of `<limit>` is carom's own), damping, mimic. What fixed joints hold is one body. Surfaces:\n"
                 "Bullet's `<contact>` (lateral_friction, restitution, rolling_friction, spinning_friction), `<contact_coefficients mu restitution>`,\n"
                 "Drake's `<drake:proximity_properties>` (mu_static, mu_dynamic), `<gazebo reference><mu1>`.\n\n"
                 "MJCF: the tree of bodies, hinge, slide, ball and free joints (range, ref, stiffness, springref, damping), geoms (plane, sphere, capsule,\n"
                 "cylinder, box, mesh), inertial or masses from geoms, default classes, compiler (angle, eulerseq, autolimits, meshdir, inertiafromgeom),\n"
                 "option (gravity, timestep), contype and conaffinity, contact/exclude, equality (connect, weld, joint). Restitution, which MJCF lacks:\n"
                 "`<custom><numeric name=\"restitution\" data=\"0.5\"/></custom>`.", {}};
  model.keys = std::vector<Key>{word("file", kRequired, "relative to the scene's folder"),
                                word("base", "fixed", "how the root link stands in the world (urdf)", {"fixed", "free"}),
                                point("at", "m", "[0, 0, 0]", "where the base stands or starts"),
                                flag("self_collision", true, "false: no two shapes of the model touch"),
                                word("material", "", "of shapes that bring none"),
                                map("materials", "map from link to material", "of single links")} +
               rotation();
  return {scene, model};
}

std::vector<KeyTable> body_tables() {
  KeyTable body{
      "body",
      "body",
      "Mass properties are given by `mass` with `inertia` (and `com`), or by `mass` with `rod`, `disc`, `sphere`, `box` or `cylinder` (inertia\n"
      "only: such an entry touches nothing), or follow from `shapes` and `mass` or `density`; shapes that overlap count twice.\n"
      "`position` to `angular_velocity` and `array` are for bodies without a joint: those move freely.",
      {}};
  body.keys =
      std::vector<Key>{number("mass", "kg", "", kPositive, "or `density`"),
                       number("density", "kg/m³; planar kg/m²", "", kPositive, "or `mass`"),
                       point("com", "m", "origin, or centroid of the shapes", "centre of mass in the body's frame; not when it follows from shapes"),
                       compound("inertia", "number (planar), 3 moments, 3 × 3 matrix", "kg m²", "", "about the centre of mass"),
                       map("rod", "{length}", "inertia of a rod along x with one end at the origin"),
                       map("disc", "{radius}", "inertia of a plate about z"),
                       map("sphere", "{radius}", "inertia of a ball"),
                       map("box", "{size}", "inertia of a box"),
                       map("cylinder", "{radius, length}", "inertia of a cylinder along z"),
                       list("shapes", "list of [shapes](#shape)", "", "what touches"),
                       compound("material", "name or [material](#material)", "", "", "of its shapes that name none"),
                       point("position", "m", "[0, 0, 0]", "of the body's origin at the start")} +
      rotation() +
      std::vector<Key>{point("velocity", "m/s", "[0, 0, 0]", "of the body's origin at the start, in world axes"),
                       compound("angular_velocity", "number (planar), [x, y, z]", "rad/s", "0", "at the start, in world axes"),
                       map("array", "[array](#array)", "many copies of the body")};
  KeyTable array{"array", "array", "Copies named `name_i` or `name_i_j_k`; the plain name stands for all of them in `ignore` and `pair_laws`.", {}};
  array.keys = {compound("count", "integer or list of 2 or 3", "", kRequired, "how many, along x, y, z; a single number: along `spacing`"),
                point("spacing", "m", kRequired, "from one to the next"),
                number("jitter", "m", 0.0, kNotNegative, "each coordinate is moved at random by up to this"),
                flag("random_rotation", false, "each copy is turned at random"), integer("seed", 0, kNotNegative, "of the random numbers")};
  KeyTable joint{
      "joint",
      "joint",
      "Coordinates: revolute an angle, prismatic a distance, planar x, y, angle, spherical a quaternion w, x, y, z, free x, y, z and a quaternion.",
      {}};
  joint.keys = std::vector<Key>{word("name", "the child's name", "of the joint"),
                                word("type", kRequired, "what moves", {"fixed", "revolute", "prismatic", "planar", "spherical", "free"}),
                                word("parent", "ground", "body that carries it"),
                                word("child", kRequired, "body that it carries"),
                                point("at", "m", "[0, 0, 0]", "in the parent's frame"),
                                point("child_at", "m", "[0, 0, 0]", "in the child's frame"),
                                point("axis", "", "z; prismatic x", "revolute, prismatic")} +
               rotation() +
               std::vector<Key>{list("limit", "[lower, upper]", "", "revolute [rad], prismatic [m]: stops, as unilateral constraints"),
                                list("limit_deg", "[lower, upper]", "", "revolute, in degrees"),
                                number("limit_restitution", "", 0.0, kUnitInterval, "at these stops")};
  KeyTable constraint{
      "constraint",
      "constraint",
      "`coincidence`: point a stays on point b; `hinge`: and the axes stay parallel; `slider`: point a stays on the line through point b along\n"
      "axis_b, and a stays turned in b as it is said here; `weld`: point a stays on point b, turned so; `distance`: a massless rod; `coupling`:\n"
      "Σ factor · speed = 0.",
      {}};
  constraint.keys = std::vector<Key>{
                     word("name", kRequired, "of the constraint"),
                     word("type", kRequired, "of the constraint", {"coincidence", "hinge", "slider", "weld", "distance", "coupling"}),
                     word("a", "ground", "body"),
                     word("b", "ground", "body"),
                     point("at_a", "m", "[0, 0, 0]", "point in the frame of a"),
                     point("at_b", "m", "[0, 0, 0]", "point in the frame of b"),
                     point("axis_a", "", "z", "hinge"),
                     point("axis_b", "", "z; slider x", "hinge, slider"),
                     number("length", "m", "", kPositive, "distance: of the rod"),
                     map("terms", "map from joint to factor", "coupling"),
                     number("offset", "rad or m", 0.0, kAny, "coupling: Σ factor · coordinate")} +
                    rotation();
  KeyTable limit{"limit", "limit", "A coordinate that may not leave [lower, upper].", {}};
  limit.keys = {word("joint", kRequired, "whose coordinate"),
                integer("freedom", 0, kNotNegative, "which of its speeds, from 0"),
                number("lower", "rad or m", "none", kAny, ""),
                number("upper", "rad or m", "none", kAny, ""),
                number("lower_deg", "°", "none", kAny, ""),
                number("upper_deg", "°", "none", kAny, ""),
                number("restitution", "", 0.0, kUnitInterval, "at the stops")};
  return {body, array, joint, constraint, limit};
}

std::vector<KeyTable> shape_tables() {
  const auto radius = [] { return number("radius", "m", std::string(kRequired), kPositive, ""); };
  const auto length = [](const char* meaning) { return number("length", "m", std::string(kRequired), kPositive, meaning); };
  KeyTable shape{"shape",
                 "shape",
                 "Exactly one of `sphere` to `half_space` says what it is. `drive` is for shapes of the `ground`.",
                 {}};
  shape.keys =
      std::vector<Key>{map("sphere", "[sphere](#sphere)", "a ball; planar: a disc"),
                       map("disc", "[sphere](#sphere)", "planar"),
                       map("box", "[box](#box)", "planar: a rectangle"),
                       map("capsule", "[capsule](#capsule)", "along z; planar along x"),
                       map("cylinder", "[cylinder](#cylinder)", "spatial, along z"),
                       map("hull", "[hull](#hull)", "convex hull of points"),
                       map("polygon", "[hull](#hull)", "planar: convex hull of points"),
                       map("mesh", "[mesh](#mesh)", "spatial: convex hull of a mesh"),
                       list("points", "list of points", "", "single points (“feet”); they touch solids, not points [m]"),
                       map("segment", "[segment](#segment)", "planar: a line from point to point"),
                       map("half_space", "[half_space](#half_space)", "everything below a plane"),
                       word("name", "the body's; with number if several", "for `ignore`, `pair_laws` and results"),
                       compound("material", "name or [material](#material)", "", "the body's, else the scene's default", "of the surface"),
                       point("at", "m", "[0, 0, 0]", "where its centre stands in the body")} +
      rotation() +
      std::vector<Key>{map("drive", "[drive](#drive)", "ground: prescribed motion"),
                       point("surface_velocity", "m/s", "[0, 0, 0]", "the surface runs in itself, in axes of the shape: conveyors; wheels that turn unseen")};
  KeyTable turn{"turn", "turn", "", {point("axis", "", kRequired, ""), number("angle", "rad", "", kAny, ""), number("angle_deg", "°", "", kAny, "")}};
  KeyTable sphere{"sphere", "sphere", "", {radius()}};
  KeyTable box{"box", "box", "", {point("size", "m", kRequired, "edge lengths > 0")}};
  KeyTable capsule{"capsule", "capsule", "", {radius(), length("between the centres of its caps")}};
  KeyTable cylinder{"cylinder", "cylinder", "", {radius(), length("of the axis")}};
  KeyTable hull{"hull", "hull", "", {list("points", "list of points", kRequired, "at least 4, planar 3, not all in a plane (a line) [m]")}};
  KeyTable mesh{"mesh",
                "mesh",
                "The mesh is taken as its convex hull.",
                {word("file", kRequired, "STL (text or binary) or OBJ, relative to the scene's folder"),
                 compound("scale", "number or [x, y, z]", "", "1", "> 0, applied to the coordinates")}};
  KeyTable segment{
      "segment",
      "segment",
      "",
      {point("from", "m", kRequired, ""), point("to", "m", kRequired, ""), number("radius", "m", 0.0, kNotNegative, "of the round around it")}};
  KeyTable half{"half_space",
                "half_space",
                "Placed by the shape's `at`, a point of the plane, or by `offset`.",
                {point("normal", "", "z; planar y", "out of the solid"), number("offset", "m", 0.0, kAny, "of the plane along the normal")}};
  const auto time = [](const char* name, const char* unit) { return compound(name, "number or [time function](#time)", unit, "0", ""); };
  KeyTable drive{"drive",
                 "drive",
                 "",
                 {time("x", "m"), time("y", "m"), time("z", "m"), time("turn", "rad"),
                  point("axis", "", "z", "of `turn`, through the world's origin before the shift")}};
  return {shape, turn, sphere, box, capsule, cylinder, hull, mesh, segment, half, drive};
}

std::vector<KeyTable> surface_tables() {
  const Material plain;
  const auto keys = [&](std::string_view friction) {
    return std::vector<Key>{compound("friction", "number or [friction](#friction)", "", friction, "coefficient, ≥ 0"),
                            number("restitution", "", plain.e, kUnitInterval, "coefficient e"),
                            number("stiffness", "", plain.stiffness, kPositive, "relative, for compliant-order laws"),
                            number("exponent", "", plain.exponent, {.low = 1}, "of the contact force: 1 linear, 1.5 Hertz"),
                            number("torsion", "m", plain.torsion, kNotNegative, "spinning friction moment over normal force; time-stepping only"),
                            number("rolling", "m", plain.rolling, kNotNegative, "rolling friction moment over normal force; time-stepping only"),
                            integer("cone_edges", plain.cone_edges, kNotNegative, "friction directions, ≥ 3, where the integrator has polygons; 0: as many as it has")};
  };
  const CombinationRule rule;
  const std::vector<std::string> rules{"minimum", "maximum", "average", "geometric", "product"};
  KeyTable material{"material", "material", "", keys("0")};
  KeyTable friction{"friction",
                    "friction",
                    "",
                    {number("static", "", std::string(kRequired), kNotNegative, "while sticking"),
                     number("kinetic", "", std::string(kRequired), kNotNegative, "while slipping, ≤ static")}};
  KeyTable pair{"pair", "pair", "", std::vector<Key>{list("materials", "[a, b]", kRequired, "names")} + keys("0")};
  KeyTable combine{
      "combine",
      "combine",
      "Stiffnesses act in series, exponents average.",
      {word("friction", name(rule.friction), "also torsion and rolling", rules), word("restitution", name(rule.restitution), "", rules)}};
  KeyTable law{"pair_law",
               "pair_law",
               "",
               {list("pair", "[a, b]", kRequired, "bodies or shapes, by name"), word("law", kRequired, "impact law"),
                word("restitution_law", "", "", {"newton", "poisson", "stronge"}), map("options", "map", "of the law")}};
  return {material, friction, pair, combine, law};
}

std::vector<KeyTable> force_tables() {
  const auto time = [](const char* name, const char* unit, const char* meaning) {
    return compound(name, "number or [time function](#time)", unit, "0", meaning);
  };
  KeyTable forces{"forces",
                  "forces",
                  "",
                  {list("motors", "list of [motors](#motor)", "", "on joints: torque, spring, damper"),
                   list("springs", "list of [springs](#spring)", "", "between points"), list("drags", "list of [drags](#drag)", "", "on bodies"),
                   list("pushes", "list of [pushes](#push)", "", "on bodies")}};
  KeyTable motor{"motor",
                 "motor",
                 "torque(t) − stiffness (q − rest) − damping q̇ on one speed of a joint.",
                 {word("joint", kRequired, ""), integer("freedom", 0, kNotNegative, "which of its speeds, from 0"), time("torque", "N m or N", ""),
                  number("stiffness", "N m/rad or N/m", 0.0, kNotNegative, ""), number("rest", "rad or m", 0.0, kAny, ""),
                  number("damping", "N m s or N s/m", 0.0, kNotNegative, "")}};
  KeyTable spring{
      "spring",
      "spring",
      "",
      {word("a", kRequired, "body or ground"), word("b", "ground", "body or ground"), point("at_a", "m", "[0, 0, 0]", "in the frame of a"),
       point("at_b", "m", "[0, 0, 0]", "in the frame of b"), number("stiffness", "N/m", 0.0, kNotNegative, ""),
       number("length", "m", "the distance at the start", kNotNegative, "without force"), number("damping", "N s/m", 0.0, kNotNegative, "")}};
  KeyTable drag{"drag",
                "drag",
                "−(linear + quadratic |v|) v on the centre of mass, and the moment −angular ω.",
                {word("body", kRequired, ""), number("linear", "N s/m", 0.0, kNotNegative, ""), number("quadratic", "N s²/m²", 0.0, kNotNegative, ""),
                 number("angular", "N m s", 0.0, kNotNegative, "")}};
  KeyTable push{"push",
                "push",
                "",
                {word("body", kRequired, ""), point("at", "m", "[0, 0, 0]", "point of the body"),
                 compound("force", "list of 2 or 3 numbers or [time functions](#time)", "N", "0", ""),
                 compound("moment", "the same; planar one, not a list", "N m", "0", ""),
                 word("axes", "world", "in which force and moment are given", {"world", "body"})}};
  KeyTable time_table{"time",
                      "time",
                      "A number that depends on time: offset + rate t + ½ acceleration t² + Σ sines + table.",
                      {number("offset", "", 0.0, kAny, ""), number("rate", "1/s", 0.0, kAny, ""), number("acceleration", "1/s²", 0.0, kAny, ""),
                       list("sines", "list of [sines](#sine)", "", ""),
                       list("table", "list of [t, value]", "", "linear between its points, constant outside; t increases")}};
  KeyTable sine{"sine",
                "sine",
                "amplitude · sin(2π frequency t + phase)",
                {number("amplitude", "", std::string(kRequired), kAny, ""), number("frequency", "Hz", std::string(kRequired), kNotNegative, ""),
                 number("phase", "rad", 0.0, kAny, "")}};
  return {forces, motor, spring, drag, push, time_table, sine};
}

std::vector<KeyTable> run_tables() {
  const EventOptions event;
  const SteppingOptions stepping;
  const std::vector<std::string> types{"event-driven", "stewart-trinkle", "anitescu-potra", "moreau-jean"};
  KeyTable state{"state",
                 "state",
                 "Values by joint: a number, or a list when the joint has several coordinates. A free body is a joint of its name; what stands "
                 "here\ntakes the place of what its entry says.",
                 {map("q", "map from joint to coordinates", "[rad], [m]"), map("q_deg", "the same", "angles in degrees"),
                  map("qdot", "map from joint to speeds", "[rad/s], [m/s]"), map("qdot_deg", "the same", "angles in degrees"),
                  flag("assemble", false, "close the constraints from where the coordinates stand")}};
  KeyTable driven{"event-driven",
                  "event-driven",
                  "Dormand–Prince 5(4) between events that are located, with every impact resolved by the law. All are written into the output.",
                  {}};
  driven.keys = {
      word("type", "event-driven", "of integrator", types),
      number("relative", "", event.relative, {.low = 0, .high = 1, .open_low = true, .open_high = true}, "local error of the steps, relative"),
      number("absolute", "SI", event.absolute, kPositive, "local error of the steps, absolute"),
      number("max_step", "s", event.max_step, kPositive, "longest step"),
      number("time_tolerance", "s", event.time_tolerance, kPositive, "events are located to this; nearer ones are one collision"),
      number("gap_tolerance", "m", event.gap_tolerance, kPositive, "nearer is touching"),
      number("rest_speed", "m/s", event.rest_speed, kPositive, "a touching contact that separates or slips slower rests or sticks (rounding)"),
      number("slip_resolution", "m/s", event.slip_resolution, kPositive, "in space, slip slower keeps its direction; at least `rest_speed`"),
      number("zeno_horizon", "s", event.zeno_horizon, kPositive, "bounces are summed up when what is left of their series is shorter"),
      integer("zeno_bounces", event.zeno_bounces, {.low = 3}, "that must have shown the series"),
      number("zeno_spread", "", event.zeno_spread, kPositive, "by which their ratios may differ"),
      number("bridge", "s", event.bridge, kPositive, "when 256 steps do not come 30 times as far, a time step of this length is taken instead"),
      integer("max_impacts", event.max_impacts, {.low = 1}, "impact events of one collision before it is finished plastically"),
      integer("max_events", event.max_events, {.low = 1}, "of the run")};
  KeyTable steps{"time-stepping",
                 "time-stepping",
                 "Steps of fixed length, one contact problem each. `stewart-trinkle` has no restitution, `anitescu-potra` Poisson's, `moreau-jean` Newton's.\n"
                 "How near they come to the event-driven motion: [convergence.md](convergence.md).",
                 {}};
  steps.keys = {word("type", kRequired, "of integrator", types),
                number("step", "s", stepping.step, kPositive, "h"),
                integer("cone_edges", stepping.cone_edges, kNotNegative, "friction directions per contact, ≥ 3; 0: the exact cone"),
                number("theta", "", stepping.theta, {.low = 0.5, .high = 1}, "moreau-jean only"),
                number("tolerance", "", stepping.tolerance, kPositive, "certificate asked of every step"),
                number("stabilisation", "", stepping.stabilisation, kUnitInterval, "part of a penetration taken away per step"),
                number("recovery_speed", "m/s", stepping.recovery_speed, kNotNegative, "but never faster"),
                word("solver", stepping.solver, "of the contact problem: one of `carom contact --help` for friction, lemke, augmented-lagrangian, interior-point"),
                integer("threads", stepping.threads, {.low = 1, .high = 1024}, "the result does not depend on them"),
                flag("sleeping", stepping.sleeping, "what has rested for 0.5 s is not moved until it is reached")};
  KeyTable output{"output", "output", "", {number("sampling", "s", 0.01, kPositive, "of the trajectory; every event is recorded besides")}};
  return {state, driven, steps, output};
}

}  // namespace

const std::vector<KeyTable>& scene_tables() {
  static const std::vector<KeyTable> tables = [] {
    std::vector<KeyTable> all;
    for (const auto part : {top_tables, body_tables, shape_tables, surface_tables, force_tables, run_tables})
      for (KeyTable& table : part()) all.push_back(std::move(table));
    return all;
  }();
  return tables;
}

const KeyTable& scene_table(std::string_view id) {
  for (const KeyTable& table : scene_tables())
    if (table.id == id) return table;
  throw std::logic_error(fmt::format("no table of keys is called {}", id));
}

std::string scene_reference() {
  return reference_page(
      "Scene files",
      "A scene is a YAML (or JSON) file that `carom run` simulates. SI units; angles in radians, except under keys that end in `_deg`.\n"
      "An unknown key is an error that suggests the nearest known one. This page is printed by `carom info --scene-reference`.",
      scene_tables());
}

}  // namespace carom::io
