#include "carom/io/problem_json.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

namespace carom::io {
namespace {

const std::vector<std::string_view> kKeys{"name",     "dimension", "delassus",    "velocity", "restitution", "friction",    "law",      "restitution_law", "options",
                                          "stiffness", "exponent", "points", "normals", "tangents", "bodies", "mass_matrix", "jacobian", "qdot", "measured"};
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// A scalar applies to all contacts, a list gives one value each.
Eigen::VectorXd per_contact(const Value& value, std::string_view field, int contacts) {
  if (value.kind == Value::Kind::list) return as_vector(value, field);
  return Eigen::VectorXd::Constant(contacts, as_number(value, field));
}

ContactGeometry read_geometry(const Value& root) {
  ContactGeometry geometry;
  const char* together = "points, normals and bodies belong together";
  geometry.points = as_matrix(required(root, "points", "", together), "points").transpose();
  geometry.normals = as_matrix(required(root, "normals", "", together), "normals").transpose();
  const auto& pairs = as_list(required(root, "bodies", "", together), "bodies");
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    const std::string field = fmt::format("bodies[{}]", c);
    const auto& pair = as_list(pairs[c], field);
    if (pair.size() != 2) throw InputError(field, describe(pairs[c]), "must be a pair [A, B] of body indices, -1 the ground");
    geometry.bodies.push_back({as_integer(pair[0], field + "[0]"), as_integer(pair[1], field + "[1]")});
  }
  if (const Value* tangents = root.find("tangents")) geometry.tangents = as_matrix(*tangents, "tangents").transpose();
  return geometry;
}

// M, J and q̇ give G = J M⁻¹ Jᵀ and v⁻ = J q̇ where the user leaves them out.
void read_system(const Value& root, ImpactProblem& problem) {
  const char* together = "mass_matrix, jacobian and qdot belong together";
  GeneralisedSystem system;
  system.M = as_matrix(required(root, "mass_matrix", "", together), "mass_matrix");
  system.J = as_matrix(required(root, "jacobian", "", together), "jacobian");
  system.qdot_pre = as_vector(required(root, "qdot", "", together), "qdot");
  const Eigen::Index dof = system.qdot_pre.size();
  if (system.M.rows() != dof || system.M.cols() != dof)
    throw InputError("mass_matrix", fmt::format("{} x {} matrix", system.M.rows(), system.M.cols()), fmt::format("must be {0} x {0}: qdot has {0} values", dof));
  if (system.J.cols() != dof)
    throw InputError("jacobian", fmt::format("{} columns", system.J.cols()), fmt::format("must have {} columns, as many as qdot has values", dof));
  const Eigen::LLT<Eigen::MatrixXd> mass(system.M);
  if (mass.info() != Eigen::Success || !system.M.isApprox(system.M.transpose(), 1e-9))
    throw InputError("mass_matrix", fmt::format("{0} x {0} matrix", dof), "must be symmetric and positive definite");
  const Eigen::MatrixXd G = system.J * mass.solve(system.J.transpose());
  const Eigen::VectorXd v = system.J * system.qdot_pre;
  const auto agree = [](const char* field, const auto& given, const auto& computed) {
    if (given.rows() == computed.rows() && given.cols() == computed.cols() && (given - computed).norm() <= 1e-9 * computed.norm()) return;
    throw InputError(field, "", "must agree with mass_matrix, jacobian and qdot, or be left out");
  };
  if (problem.G.size() > 0) agree("delassus", problem.G, G);
  if (problem.v_pre.size() > 0) agree("velocity", problem.v_pre, v);
  if (problem.G.size() == 0) problem.G = 0.5 * (G + G.transpose());
  if (problem.v_pre.size() == 0) problem.v_pre = v;
  problem.system = std::move(system);
}

void read_motion(const Value& root, ImpactProblem& problem) {
  if (const Value* value = root.find("delassus")) problem.G = as_matrix(*value, "delassus");
  if (const Value* value = root.find("velocity")) problem.v_pre = as_vector(*value, "velocity");
  for (const char* key : {"mass_matrix", "jacobian", "qdot"})
    if (root.find(key)) return read_system(root, problem);
  required(root, "delassus", "", "the matrix G = J M⁻¹ Jᵀ, a list of rows");
  required(root, "velocity", "", "the contact velocity before the impact, tangential first, normal last");
}

double measured_number(const Value& value, const std::string& field) { return value.kind == Value::Kind::null ? kNotMeasured : as_number(value, field); }

Eigen::VectorXd measured_list(const Value& value, const std::string& field) {
  const auto& list = as_list(value, field);
  Eigen::VectorXd values(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) values(static_cast<Eigen::Index>(i)) = measured_number(list[i], fmt::format("{}[{}]", field, i));
  return values;
}

Eigen::VectorXd measured_by_name(const Value& value, const std::string& field, const std::vector<std::string>& names) {
  if (names.empty()) throw InputError(field, describe(value), "must be a list: only the speeds of a mechanism have names");
  Eigen::VectorXd values = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(names.size()), kNotMeasured);
  check_keys(value, field, {names.begin(), names.end()});
  for (const Value& entry : value.items)
    values(std::find(names.begin(), names.end(), entry.key) - names.begin()) = measured_number(entry, path(field, entry.key));
  return values;
}

}  // namespace

void read_measured(const Value& value, ProblemItem& item) {
  check_keys(value, "measured", {"velocity", "normal_velocity", "qdot", "source"});
  Measurement measured;
  const Value* given = nullptr;
  for (const MeasuredQuantity quantity : {MeasuredQuantity::velocity, MeasuredQuantity::normal_velocity, MeasuredQuantity::qdot}) {
    const Value* candidate = value.find(name(quantity));
    if (candidate && given) throw InputError(path("measured", name(quantity)), describe(*candidate), fmt::format("must not stand beside {}: one quantity is compared", name(measured.quantity)));
    if (candidate) given = candidate, measured.quantity = quantity;
  }
  if (!given) throw InputError("measured", describe(value), "must give velocity, normal_velocity or qdot after the impact");
  const std::string field = path("measured", name(measured.quantity));
  const bool by_name = measured.quantity == MeasuredQuantity::qdot && given->kind == Value::Kind::map;
  measured.values = by_name ? measured_by_name(*given, field, item.speed_names) : measured_list(*given, field);
  if (const Value* source = value.find("source")) measured.source = as_word(*source, "measured.source");
  validate(measured, item.problem);
  item.measured = std::move(measured);
}

void read_friction(const Value& value, int contacts, ImpactProblem& problem) {
  if (value.kind != Value::Kind::map) {
    problem.mu_s = problem.mu_d = per_contact(value, "friction", contacts);
    return;
  }
  check_keys(value, "friction", {"static", "kinetic"});
  problem.mu_s = per_contact(required(value, "static", "friction", "the coefficient while sticking"), "friction.static", contacts);
  problem.mu_d = per_contact(required(value, "kinetic", "friction", "the coefficient while slipping"), "friction.kinetic", contacts);
}

LawOptions read_options(const Value& value) {
  LawOptions options;
  for (const Value& option : as_map(value, "options")) {
    const std::string field = path("options", option.key);
    if (option.kind == Value::Kind::flag) options[option.key] = option.flag;
    else if (option.kind == Value::Kind::word) options[option.key] = option.word;
    else options[option.key] = as_number(option, field);
  }
  return options;
}

ProblemItem read_problem(const Value& root) {
  check_keys(root, "", kKeys);
  ProblemItem item;
  ImpactProblem& problem = item.problem;
  if (const Value* value = root.find("name")) item.name = as_word(*value, "name");
  const Value& dimension = required(root, "dimension", "", "2 (planar) or 3 (spatial)");
  problem.dimension = as_integer(dimension, "dimension");
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InputError("dimension", describe(dimension), "must be 2 (planar) or 3 (spatial)");
  read_motion(root, problem);
  const int n = problem.contacts();
  problem.e = per_contact(required(root, "restitution", "", "the coefficient e in [0, 1]"), "restitution", n);
  read_friction(required(root, "friction", "", "a number, or {static, kinetic}"), n, problem);
  if (const Value* value = root.find("stiffness")) problem.stiffness = per_contact(*value, "stiffness", n);
  if (const Value* value = root.find("exponent")) problem.exponent = per_contact(*value, "exponent", n);
  if (root.find("points") || root.find("normals") || root.find("bodies") || root.find("tangents")) problem.geometry = read_geometry(root);
  if (const Value* value = root.find("law")) item.law.process = as_word(*value, "law");
  if (const Value* value = root.find("restitution_law")) item.law.restitution = as_word(*value, "restitution_law");
  if (const Value* value = root.find("options")) item.law.options = read_options(*value);
  if (const Value* value = root.find("measured")) read_measured(*value, item);
  return item;
}

}  // namespace carom::io
