// Contact solvers.
//   local_solve            one exact one-contact solve, spatial and planar, cold and warm
//   nsgs_sweep             one NSGS sweep of a problem whose W is larger than the caches, and reading W's blocks once from
//                          memory, the floor for a sweep: aim over_stream ≤ 2
//   nsgs_against_siconos   time of Siconos's NSGS over carom's at equal residual, per problem, and the geometric mean: aim ≥ 3
//   table                  every problem of data/siconos_problems × every solver: time, natural map, iterations
#include <benchmark/benchmark.h>
#include <time.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "carom/complementarity/nsgs.hpp"
#include "carom/complementarity/registry.hpp"
#include "carom/core/error.hpp"
#include "carom/math/counter_rng.hpp"
#include "cross/siconos_bridge.hpp"
#include "cross/siconos_problems.hpp"

using namespace carom;

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

// Unit spheres on a cubic lattice with n³ nodes, each touching its neighbours and the lowest layer the floor; gravity and
// random velocities. Every contact shares a sphere with about ten others.
FrictionContact lattice(int n) {
  struct Contact {
    int a, b, axis;  // spheres (−1: floor), normal along the axis
  };
  std::vector<Contact> contacts;
  const auto node = [n](int x, int y, int z) { return (z * n + y) * n + x; };
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        contacts.push_back({node(x, y, z), z > 0 ? node(x, y, z - 1) : -1, 2});
        if (x > 0) contacts.push_back({node(x, y, z), node(x - 1, y, z), 0});
        if (y > 0) contacts.push_back({node(x, y, z), node(x, y - 1, z), 1});
      }
  std::vector<std::vector<int>> touching(static_cast<std::size_t>(n) * n * n);
  const int nc = static_cast<int>(contacts.size());
  for (int c = 0; c < nc; ++c)
    for (const int s : {contacts[c].a, contacts[c].b})
      if (s >= 0) touching[s].push_back(c);
  // Velocity at contact c of its sphere `first` (or second): rows (t1, t2, n) times (v, ω), unit radius.
  const auto jacobian = [&](int c, bool first) {
    Eigen::Matrix<double, 3, 6> J;
    const int k = contacts[c].axis;
    const Eigen::Vector3d normal = Eigen::Vector3d::Unit(k), arm = (first ? -1.0 : 1.0) * normal;
    const Eigen::Vector3d rows[3] = {Eigen::Vector3d::Unit((k + 1) % 3), Eigen::Vector3d::Unit((k + 2) % 3), normal};
    for (int i = 0; i < 3; ++i) J.row(i) << rows[i].transpose(), arm.cross(rows[i]).transpose();
    return Eigen::Matrix<double, 3, 6>(first ? J : Eigen::Matrix<double, 3, 6>(-J));
  };
  const Eigen::Matrix<double, 6, 1> inverse_mass = (Eigen::Matrix<double, 6, 1>() << 1, 1, 1, 2.5, 2.5, 2.5).finished();
  FrictionContact p;
  CounterRng rng(61, 0);
  p.q.resize(3 * nc);
  p.mu = Eigen::VectorXd::Constant(nc, 0.5);
  for (int c = 0; c < nc; ++c) {
    std::map<int, Eigen::Matrix3d> row;
    for (const bool mine : {true, false}) {
      const int s = mine ? contacts[c].a : contacts[c].b;
      if (s < 0) continue;
      for (const int other : touching[s])
        row.try_emplace(other, Eigen::Matrix3d::Zero()).first->second +=
            jacobian(c, mine) * inverse_mass.asDiagonal() * jacobian(other, contacts[other].a == s).transpose();
    }
    for (const auto& [j, block] : row) {
      p.W.column.push_back(j);
      p.W.value.insert(p.W.value.end(), block.data(), block.data() + 9);
    }
    p.W.start.push_back(p.W.blocks());
    for (int i = 0; i < 3; ++i) p.q[3 * c + i] = 0.1 * rng.normal();
    if (contacts[c].axis == 2 && contacts[c].b < 0) p.q[3 * c + 2] -= 1;
  }
  return p;
}

const FrictionContact& large_problem() {
  static const FrictionContact p = lattice(32);
  return p;
}

void local_solve(benchmark::State& state) {
  const bool warm = state.range(0) != 0;
  constexpr int kCount = 1024;
  std::vector<LocalContact3> contacts;
  std::vector<Eigen::Vector3d> q;
  std::vector<double> root(kCount, 0.0);
  CounterRng rng(62, 0);
  for (int i = 0; i < kCount; ++i) {
    const Eigen::Matrix3d A = Eigen::Matrix3d::NullaryExpr([&] { return rng.normal(); });
    const Eigen::Matrix3d W = A * A.transpose() + 0.1 * Eigen::Matrix3d::Identity();
    contacts.emplace_back(W.data(), 0.5);
    q.emplace_back(rng.normal(), rng.normal(), -std::abs(rng.normal()));
    double r[3];
    if (warm) contacts[i].solve(q[i].data(), r, root[i]);
  }
  for (auto _ : state)
    for (int i = 0; i < kCount; ++i) {
      double r[3], guess = root[i] * 1.001;
      contacts[i].solve(q[i].data(), r, guess);
      benchmark::DoNotOptimize(r);
    }
  state.SetItemsProcessed(state.iterations() * kCount);
}
BENCHMARK(local_solve)->ArgName("warm")->Arg(0)->Arg(1);

double stream(const FrictionContact& p) {
  const double* v = p.W.value.data();
  double sum[8] = {};
  const std::size_t n = p.W.value.size() / 8 * 8;
  for (std::size_t i = 0; i < n; i += 8)
    for (int k = 0; k < 8; ++k) sum[k] += v[i + k];
  return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}

// Processor time of this thread: the comparison of sweep and stream shall not depend on who else uses the machine.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Sweeps and streaming passes alternate, so that both see the same machine; `over_stream` compares their fastest passes.
void nsgs_sweep(benchmark::State& state) {
  const FrictionContact& p = large_problem();
  NsgsSweeper sweeper(p);
  Eigen::VectorXd r = Eigen::VectorXd::Zero(p.size());
  for (int k = 0; k < 5; ++k) sweeper.sweep(r);
  double least_sweep = 1e300, least_stream = 1e300;
  for (auto _ : state) {
    double from = processor_seconds();
    benchmark::DoNotOptimize(stream(p));
    least_stream = std::min(least_stream, processor_seconds() - from);
    from = processor_seconds();
    benchmark::DoNotOptimize(sweeper.sweep(r));
    const double t = processor_seconds() - from;
    least_sweep = std::min(least_sweep, t);
    state.SetIterationTime(t);
  }
  state.counters["contacts"] = p.contacts();
  state.counters["MB"] = static_cast<double>(p.W.value.size()) * 8e-6;
  state.counters["sweep_ns_per_contact"] = least_sweep * 1e9 / p.contacts();
  state.counters["stream_ns_per_contact"] = least_stream * 1e9 / p.contacts();
  state.counters["over_stream"] = least_sweep / least_stream;
}
BENCHMARK(nsgs_sweep)->Unit(benchmark::kMillisecond)->UseManualTime()->MinTime(2.0);

template <class Solve>
double best_time(Solve solve) {
  double best = 1e300, total = 0;
  for (int k = 0; k < 20 && (k == 0 || total < 0.2); ++k) {
    const auto from = Clock::now();
    solve();
    const double t = seconds(from);
    best = std::min(best, t), total += t;
  }
  return best;
}

// Logarithms of Siconos's time over carom's, per problem.
std::vector<double>& speedups() {
  static std::vector<double> logs;
  return logs;
}

void against_siconos(benchmark::State& state, const std::string& file) {
  const auto p = std::get<FrictionContact>(load_contact_problem(carom_test::siconos_folder() + file));
  const carom_test::SiconosFriction theirs(p);
  const int solver = p.dimension == 3 ? int{SICONOS_FRICTION_3D_NSGS} : int{SICONOS_FRICTION_2D_NSGS};
  for (auto _ : state) {
    const auto answer = theirs.solve(solver, 1e-8, 10000);
    const double residual = certify(p, answer.x).natural_map;
    if (!(residual <= 1e-8)) {
      state.SkipWithError("Siconos's NSGS does not reach 1e-8");
      return;
    }
    // Never looser than theirs; an exact answer of theirs is met to rounding.
    const NsgsOptions options{.tolerance = std::max(residual, 1e-15), .max_sweeps = 40000};
    const auto ours = solve_nsgs(p, options);
    if (!ours.usable()) {
      state.SkipWithError("carom's NSGS does not reach the residual of Siconos's");
      return;
    }
    double best = answer.seconds;
    (void)best_time([&] { best = std::min(best, theirs.solve(solver, 1e-8, 10000).seconds); });
    const double mine = best_time([&] { benchmark::DoNotOptimize(solve_nsgs(p, options)); });
    speedups().push_back(std::log(best / mine));
    state.SetIterationTime(mine);
    state.counters["siconos_seconds"] = best;
    state.counters["speedup"] = best / mine;
    state.counters["siconos_residual"] = residual;
    state.counters["carom_residual"] = ours.certificate.natural_map;
    state.counters["siconos_sweeps"] = answer.iterations;
    state.counters["carom_sweeps"] = ours.iterations;
  }
}

void geometric_mean(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(1e-9);
  double sum = 0;
  for (const double s : speedups()) sum += s;
  state.counters["problems"] = static_cast<double>(speedups().size());
  state.counters["speedup"] = speedups().empty() ? 0 : std::exp(sum / static_cast<double>(speedups().size()));
}

void table(benchmark::State& state, const std::string& file, const std::string& solver) {
  const AnyProblem problem = load_contact_problem(carom_test::siconos_folder() + file);
  for (auto _ : state) {
    const auto from = Clock::now();
    const auto s = solve_contact(problem, solver);
    state.SetIterationTime(seconds(from));
    state.counters["solved"] = s.usable() ? 1 : 0;
    state.counters["natural_map"] = s.certificate.natural_map;
    state.counters["solver_iterations"] = s.iterations;
  }
}

bool register_problems() {
  for (const auto& item : carom_test::siconos_problems()) {
    const bool friction = item.kind.find("FC") != std::string::npos, mixed = item.kind == "MLCP";
    if (item.file == "mlcp/Rectangular_mlcp.dat") continue;
    for (const SolverInfo& s : solvers())
      if (friction ? s.friction : mixed ? s.mlcp : s.lcp)
        benchmark::RegisterBenchmark(("table/" + item.file + "/" + std::string(s.id)).c_str(), table, item.file, std::string(s.id))
            ->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
    if (item.kind == "FC2D" || item.kind == "FC3D")
      benchmark::RegisterBenchmark(("nsgs_against_siconos/" + item.file).c_str(), against_siconos, item.file)
          ->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("nsgs_against_siconos/geometric_mean", geometric_mean)->UseManualTime()->Iterations(1);
  return true;
}

[[maybe_unused]] const bool registered = register_problems();

}  // namespace
