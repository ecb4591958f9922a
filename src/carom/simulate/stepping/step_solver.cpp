#include "carom/simulate/stepping/step_solver.hpp"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/registry.hpp"

namespace carom {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kAndersonWindow = 8;
constexpr int kPieces = 16;            // of the vectors of an island, for threads
constexpr double kTrial = 0.15;        // sweeps before their rate is judged, over the price of Newton's method: conjugate directions begin slowly
constexpr int kStalled = 60;           // sweeps before they can be found to get on no longer
constexpr int kFirstSweeps = 20;       // of islands with other laws, at the least, before Anderson's acceleration
constexpr double kResting = 3;         // times the tolerance: what the impulses of the last step miss by where bodies rest
constexpr double kNewtonBeyond = 0.03;  // of the tolerance, to which Newton's method goes on: an iteration or two more, and what rests then passes steps as it is
constexpr double kStarts[] = {0, 0.5, 0.9, 1.5, 0.1};  // parts of the impulses so far from which the last attempts start
constexpr double kLongSweeps = 30, kLongVisits = 1e7;  // of the very last ones: times the sweeps allowed, and blocks visited at most
constexpr double kNewtonShare = 12;     // what a solve by Newton's method may cost, over all sweeps allowed
constexpr double kMultiplierShare = 4;  // what the method of multipliers may cost, over the price of all sweeps allowed
// Costs in the unit of one block's visit by a sweep, about 30 ns: operations of a factorisation per unit, what an iteration costs per block
// besides, and iterations of an interior-point solve.
constexpr double kOperations = 120, kPerBlock = 60, kNewtonIterations = 12;

bool exact(const StepProblem& p, std::span<const int> blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](int i) { return p.block[i].parent < 0 && p.block[i].edges == 0 && p.block[i].floor == 0; });
}

bool polygonal(const StepProblem& p, std::span<const int> blocks) {
  return p.d() == 3 && std::all_of(blocks.begin(), blocks.end(), [&](int i) { return p.block[i].edges > 0; });
}

int unknowns(const StepProblem& p, std::span<const int> blocks) {
  int n = 0;
  for (const int i : blocks) n += 2 + p.block[i].edges;
  return n;
}

// The island in local form, velocities divided by the scale.
FrictionContact assembled(const StepProblem& p, std::span<const int> blocks, double scale, int nv) {
  FrictionContact out;
  const int d = p.d();
  out.dimension = d;
  const Index rows = static_cast<Index>(blocks.size()) * d;
  Eigen::MatrixXd W(rows, rows);
  KeptMatrix work;
  p.rows.dense(blocks, W, work, nv);
  out.W = BlockMatrix::from_dense(W / scale, d);
  out.q.resize(W.rows()), out.mu.resize(static_cast<Index>(blocks.size()));
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    out.mu[static_cast<Index>(k)] = p.block[blocks[k]].mu;
    for (int a = 0; a < d; ++a) out.q[static_cast<Index>(k) * d + a] = p.q[static_cast<std::size_t>(blocks[k]) * d + a] / scale;
  }
  return out;
}

void pack(std::span<const int> blocks, int d, const double* r, Eigen::Ref<VectorXd> x) {
  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (int a = 0; a < d; ++a) x[static_cast<Index>(k) * d + a] = r[static_cast<std::ptrdiff_t>(blocks[k]) * d + a];
}

void unpack(std::span<const int> blocks, int d, const Eigen::Ref<const VectorXd>& x, double* r) {
  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (int a = 0; a < d; ++a) r[static_cast<std::ptrdiff_t>(blocks[k]) * d + a] = x[static_cast<Index>(k) * d + a];
}

}  // namespace

StepSolver::StepSolver(const Model& model, const SteppingOptions& options, Workers& workers)
    : model_(model), options_(options), workers_(workers), finder_(model) {
  for (int w = 0; w < workers.count(); ++w) work_.push_back(std::make_unique<Workspace>());
}

// The first check after so many sweeps; there is one.
const StepSolver::Check& StepSolver::around(const std::vector<Check>& checks, int sweeps) {
  return *std::find_if(checks.begin(), checks.end(), [&](const Check& c) { return c.sweeps >= sweeps; });
}

double StepSolver::sweep(Island& island) {
  Workspace& work = island.work;
  const int from = island.range.first;
  work.visits += static_cast<double>(island.blocks.size());
  island.current = false;
  if (island.slabs == nullptr) return sweep_.sweep(from, island.range.last);
  const Slabs& slabs = *island.slabs;
  work.sums.resize(static_cast<std::size_t>(slabs.chunks()));
  for (int phase = 0; phase < 3; ++phase) {
    const int first = slabs.phase[phase];
    workers_.run(slabs.phase[phase + 1] - first, [&](int k, int) { work.sums[first + k] = sweep_.sweep(from + slabs.start[first + k], from + slabs.start[first + k + 1]); });
  }
  double sum = 0;
  for (const double part : work.sums) sum += part;
  return sum;
}

const Residual& StepSolver::residual(Island& island) {
  Workspace& work = island.work;
  const int from = island.range.first;
  island.current = true;
  if (island.slabs == nullptr) return island.certificate = sweep_.residual(from, island.range.last, island.scale);
  const Slabs& slabs = *island.slabs;
  work.residuals.resize(static_cast<std::size_t>(slabs.chunks()));
  workers_.run(slabs.chunks(), [&](int k, int) { work.residuals[k] = sweep_.residual(from + slabs.start[k], from + slabs.start[k + 1], island.scale); });
  island.certificate = {};
  for (const Residual& part : work.residuals) island.certificate.add(part);
  return island.certificate;
}

double StepSolver::certified(Island& island) {
  sweep_.gather(island.range);
  return residual(island).natural_map();
}

// Impulses found otherwise.
void StepSolver::take(Island& island, const double* r) {
  sweep_.take(r, island.range);
  island.error = residual(island).natural_map();
}

void StepSolver::go_on(Island& island, double beta) {
  if (island.slabs == nullptr) return sweep_.go_on(beta, island.range, 0, 1);
  workers_.run(kPieces, [&](int k, int) { sweep_.go_on(beta, island.range, k, kPieces); });
}

double StepSolver::ahead(Island& island) {
  double sum = 0;
  for (int k = 0; k < kPieces; ++k) sum += sweep_.ahead(island.range, k, kPieces);
  return sum;
}

// Between sweeps the impulses go on along conjugate directions, with the change of a sweep in the place of a gradient (Silcowitz-Hansen, Niebe &
// Erleben, The Visual Computer 26, 2010): a sweep that changes more than the one before forgets the direction. Or with Nesterov's momentum, which is
// forgotten when it points against what the sweep changes (O'Donoghue & Candès, Found. Comput. Math. 15, 2015): it is slower at first, but goes on
// where conjugate directions do not. Sweeps that no longer get on change to that rule for conjugate directions too, and back.
// The natural map costs as much as a sweep: it is predicted from the change of r and computed when the prediction reaches the tolerance,
// and now and then. With may_leave, stops when Newton's method promises to be cheaper than the sweeps still needed.
void StepSolver::sweep_plain(const StepProblem& problem, Island& island, int limit, Directions directions, bool may_leave) {
  const bool momentum = directions == Directions::momentum;
  double inertia = 1;     // Nesterov's sequence
  bool shrinking = true;  // conjugate directions are forgotten when the changes grow, else when they lead back
  double factor = 0, last_change = 0, goal = tolerance_;
  int next = 4;
  std::vector<Check>& checks = island.work.checks;
  checks.clear();
  go_on(island, 0);
  if (patience_ > 0) {
    island.error = residual(island).natural_map();
    if (island.error <= enough_ * tolerance_) return;
    if (island.error <= kResting * tolerance_) goal = kBeyond * tolerance_;
  }
  for (int k = 1; k <= limit; ++k) {
    const double change = std::sqrt(sweep(island));
    if (change == 0 || change * factor <= goal || k >= next || k == limit) {
      island.error = residual(island).natural_map();
      if (change == 0 || island.error <= (k >= patience_ ? tolerance_ : goal)) return;
      factor = island.error / change;
      next = k + std::max(4, k / 4);
      checks.push_back({k, island.error});
      if (k >= kStalled && around(checks, k / 2).error < 2 * island.error) shrinking = !shrinking;
      if (may_leave && k >= kTrial * kNewtonIterations * kPerBlock && plan_newton(problem, island) && sweeps_are_dearer(island)) return;
    }
    if (k == limit) return;
    double beta = 0;
    if (momentum) {
      const double next_inertia = 0.5 * (1 + std::sqrt(1 + 4 * inertia * inertia));
      const bool forward = ahead(island) >= 0;
      beta = forward ? (inertia - 1) / next_inertia : 0;
      inertia = forward ? next_inertia : 1;
    } else if (k > 1 && (shrinking ? change < last_change : ahead(island) >= 0)) {
      beta = std::min(1.0, change * change / (last_change * last_change));
    }
    go_on(island, beta);
    last_change = change;
  }
}

// Dearer than Newton's method, by the rate at which the error fell in the last half of the sweeps. At the latest they are left when they have cost
// as much as Newton's method would.
bool StepSolver::sweeps_are_dearer(const Island& island) const {
  const std::vector<Check>& checks = island.work.checks;
  const double price = newton_sweeps(island);
  const Check& now = checks.back();
  if (now.sweeps > price) return true;
  if (now.sweeps < kTrial * price) return false;
  const Check& then = around(checks, now.sweeps / 2);
  const double fell = std::log(then.error / now.error), wanted = std::log(now.error / tolerance_);
  return wanted * (now.sweeps - then.sweeps) > price * fell;
}

void StepSolver::sweep_accelerated(Island& island, int limit) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::span<double> impulses = sweep_.impulses(island.range);
  Eigen::Map<VectorXd> r(impulses.data(), static_cast<Index>(impulses.size()));
  auto& [x, image, fallback, best] = island.work.accelerated;
  for (KeptVector* v : {&x, &image, &fallback, &best}) v->resize(r.size());
  x = r, fallback = r, best = r;
  double least = island.error, fallback_change = infinity, factor = 0;
  Anderson& anderson = island.work.anderson;
  anderson.start(static_cast<int>(r.size()), kAndersonWindow);
  int next = 4;
  for (int k = 1; k <= limit; ++k) {
    r = x;
    sweep_.gather(island.range);
    const double change = std::sqrt(sweep(island));
    image = r;
    if (change == 0 || change * factor <= tolerance_ || k >= next) {
      const double error = certified(island);
      if (error < least) least = error, best = image;
      if (error <= tolerance_ || change == 0) break;
      factor = error / change;
      next = k + std::max(10, k / 8);
    }
    if (change > 2 * fallback_change) {  // a bad extrapolation
      x = fallback;
      fallback_change = infinity;
      anderson.forget();
      continue;
    }
    fallback = image, fallback_change = change;
    anderson.next(x, image, x);
  }
  r = best;
  island.error = certified(island);
}

bool StepSolver::try_lemke(const StepProblem& problem, Island& island, double* r) {
  Workspace& work = island.work;
  KeptVector& before = work.before;
  before.resize(static_cast<Index>(island.blocks.size()) * problem.d());
  pack(island.blocks, problem.d(), r, before);
  work.polygon_lcp.assemble(problem, island.blocks, model_.nv(), island.scale);
  (void)work.lemke.solve(work.polygon_lcp.M(), work.polygon_lcp.q(), {.tolerance = tolerance_});  // judged below, by the step's own measure
  const auto z = work.lemke.z();
  if (z.allFinite() && z.size() > 0) {
    work.polygon_lcp.read(island.blocks, z, r);
    take(island, r);
    if (island.error <= tolerance_) return true;
  }
  unpack(island.blocks, problem.d(), before, r);
  take(island, r);
  return false;
}

void StepSolver::try_assembled(const StepProblem& problem, Island& island, const std::string& solver, double* r) {
  const int d = problem.d();
  VectorXd before(static_cast<Index>(island.blocks.size()) * d);
  pack(island.blocks, d, r, before);
  const double error = island.error;
  ContactOptions o;
  o.tolerance = tolerance_;
  o.warm = before;
  if (solver == "newton") o.max_iterations = 30;
  const ContactSummary s = solve_contact(assembled(problem, island.blocks, island.scale, model_.nv()), solver, o);
  if (s.x.size() == before.size() && s.x.allFinite()) {
    unpack(island.blocks, d, s.x, r);
    take(island, r);
    if (island.error <= error) return;
  }
  unpack(island.blocks, d, before, r);
  take(island, r);
}

// Lays out the island for Newton's method, once; false: its factors are too large.
bool StepSolver::plan_newton(const StepProblem& problem, Island& island) {
  if (island.planned) return island.newton;
  island.planned = true;
  if (static_cast<int>(island.blocks.size()) > kNewtonBlocks) return false;
  island.work.system.plan(problem, island.blocks, finder_.tree_of_speed());
  return island.newton = island.work.system.memory() <= kNewtonMemory;
}

// The price of a solve by the interior-point method, in sweeps.
double StepSolver::newton_sweeps(const Island& island) const {
  return kNewtonIterations * (kPerBlock + island.work.system.work() / (kOperations * static_cast<double>(island.blocks.size())));
}

void StepSolver::newton(Island& island, double* r) {
  const bool interior_point = options_.solver != "augmented-lagrangian", multipliers = options_.solver != "interior-point";
  Workspace& work = island.work;
  sweep_.give(r, island.range);
  work.system.pack(r, work.impulses);
  const double goal = kNewtonBeyond * tolerance_;
  if (island.error <= tolerance_) return;
  double error = island.error;
  if (interior_point) {
    error = work.interior_point.solve(work.system, island.scale, goal, work.impulses);
    work.factorisations += work.interior_point.factorisations();
  }
  if (multipliers && error > tolerance_) {
    // As many factorisations as cost some times what all sweeps allowed would.
    const double iterations = options_.max_sweeps * kNewtonIterations / newton_sweeps(island);
    work.multipliers.solve(work.system, island.scale, goal, static_cast<int>(std::clamp(kMultiplierShare * iterations, 30.0, 200.0)), work.impulses);
    work.factorisations += work.multipliers.factorisations();
  }
  work.system.unpack(work.impulses, r);
  take(island, r);
}

void StepSolver::solve_island(const StepProblem& problem, Island& island, double* r) {
  const std::string& solver = options_.solver;
  const bool standard = solver == "default", exactly = exact(problem, island.blocks);
  const bool pivoting = polygonal(problem, island.blocks) && (solver == "lemke" || (standard && unknowns(problem, island.blocks) <= kLemkeUnknowns));
  if (pivoting && try_lemke(problem, island, r)) return;
  if (exactly && (solver == "augmented-lagrangian" || solver == "interior-point")) {
    island.error = residual(island).natural_map();
    island.work.system.plan(problem, island.blocks, finder_.tree_of_speed());
    return newton(island, r);
  }
  if (!standard && solver != "nsgs" && solver != "nsgs-anderson" && solver != "lemke" && exactly) {
    island.error = residual(island).natural_map();
    return try_assembled(problem, island, solver, r);
  }
  if (solver == "nsgs") return sweep_plain(problem, island, options_.max_sweeps, Directions::conjugate, false);
  const bool second_order = standard && exactly;
  sweep_plain(problem, island, second_order ? options_.max_sweeps : std::max(kFirstSweeps, options_.max_sweeps / 10), Directions::conjugate, second_order);
  if (island.error <= tolerance_) return;
  ++island.work.escalated;
  if (second_order) climb(problem, island, r);
  else sweep_accelerated(island, options_.max_sweeps);
}

// All that is left, until one suffices: Coulomb's law may have several answers, and which of them a method finds, or none, hangs on its start.
void StepSolver::climb(const StepProblem& problem, Island& island, double* r) {
  const bool newton_pays = plan_newton(problem, island) && newton_sweeps(island) <= kNewtonShare * options_.max_sweeps;
  const auto newtons = [&] {
    if (newton_pays) newton(island, r);
  };
  const auto momentum = [&] { sweep_plain(problem, island, 2 * options_.max_sweeps, Directions::momentum, false); };
  const std::span<double> impulses = sweep_.impulses(island.range);
  // True: it suffices. What is no better is taken back.
  const auto better = [&](double start, auto&& attempt) {
    const double before = island.error;
    island.work.kept.assign(impulses.begin(), impulses.end());
    if (start != 1) {
      for (double& p : impulses) p *= start;
      island.error = certified(island);
    }
    attempt();
    if (island.error < before || std::isnan(before)) return island.error <= tolerance_;
    std::copy(island.work.kept.begin(), island.work.kept.end(), impulses.begin());
    island.error = certified(island);
    return false;
  };
  const auto everything = [&] {
    newtons();
    if (island.error > tolerance_) momentum();
    if (island.error > tolerance_) newtons();
  };
  if (better(1, newtons) || (newton_pays && better(0, newtons)) || better(1, momentum) || better(1, newtons)) return;
  for (const double start : kStarts)
    if (better(start, everything)) return;
  const int sweeps = static_cast<int>(std::min(kLongSweeps * options_.max_sweeps, kLongVisits / static_cast<double>(island.blocks.size())));
  if (sweeps <= 2 * options_.max_sweeps) return;
  for (const double start : {0.0, 1.0})
    for (const Directions directions : {Directions::conjugate, Directions::momentum}) {
      const auto long_sweeps = [&] {
        sweep_plain(problem, island, sweeps, directions, false);
        if (island.error > tolerance_) newtons();
      };
      if (better(start, long_sweeps)) return;
    }
}

// The islands to solve.
void StepSolver::choose(const StepAsk& ask) {
  chosen_.clear();
  if (!ask.only.empty()) {
    chosen_.assign(ask.only.begin(), ask.only.end());
    certificate_.assign(static_cast<std::size_t>(islands_.count()), {});
    return;
  }
  certificate_.resize(static_cast<std::size_t>(islands_.count()));
  for (int k = 0; k < islands_.count(); ++k) {
    const bool same = islands_.order[islands_.start[k + 1] - 1] < ask.known;
    certificate_[k] = same ? left_[islands_.order[islands_.start[k]]] : Residual{};
    if (!same || certificate_[k].natural_map() > tolerance_) chosen_.push_back(k);
  }
}

// Their blocks into sweep_.
void StepSolver::lay_out(const StepProblem& problem, bool same_rows) {
  if (same_rows && std::all_of(chosen_.begin(), chosen_.end(), [&](int k) { return place_[k].first >= 0; })) return sweep_.renew();
  place_.assign(static_cast<std::size_t>(islands_.count()), {});
  order_.clear();
  int cut = 0;
  for (const int k : chosen_) {
    std::span<const int> blocks = islands_.of(k);
    place_[k].first = static_cast<int>(order_.size());
    if (static_cast<int>(blocks.size()) >= 2 * kChunk) {
      if (cut == static_cast<int>(slabs_.size())) slabs_.emplace_back();
      place_[k].slabs = cut++;
      Slabs& slabs = slabs_[place_[k].slabs];
      cutter_.cut(problem, blocks, finder_.tree_of_speed(), kChunk, slabs);
      blocks = slabs.order;
    }
    order_.insert(order_.end(), blocks.begin(), blocks.end());
  }
  sweep_.pack(problem, order_, model_.nv());
}

void StepSolver::solve_chosen(const StepProblem& problem, double scale, std::vector<double>& r, VectorXd& z) {
  const auto solve_one = [&](int k, Workspace& work) {
    const std::span<const int> blocks = islands_.of(k);
    const Place& place = place_[k];
    Island island{blocks, scale, sweep_.range(place.first, place.first + static_cast<int>(blocks.size())), work, place.slabs < 0 ? nullptr : &slabs_[place.slabs]};
    sweep_.take(r.data(), island.range);
    solve_island(problem, island, r.data());
    if (!island.current) (void)certified(island);
    certificate_[k] = left_[blocks.front()] = island.certificate;
    sweep_.give(r.data(), island.range);
    sweep_.give_speeds(z, island.range);
  };
  large_.clear(), small_.clear();
  for (const int k : chosen_) (place_[k].slabs >= 0 ? large_ : small_).push_back(k);
  for (const int k : large_) solve_one(k, *work_[0]);
  workers_.run(static_cast<int>(small_.size()), [&](int k, int worker) { solve_one(small_[k], *work_[worker]); });
}

StepReport StepSolver::solve(const StepProblem& problem, std::vector<double>& r, VectorXd& z, const StepAsk& ask) {
  StepReport report;
  if (!ask.same_rows) finder_.find(problem, islands_);
  if (ask.known == 0 && ask.only.empty()) z.setZero(model_.nv());
  if (problem.blocks() == 0) return report;
  report.islands = islands_.count();
  for (const auto& work : work_) work->visits = 0, work->factorisations = 0, work->escalated = 0;
  left_.resize(static_cast<std::size_t>(problem.blocks()));
  const double asked = ask.looseness * options_.tolerance, scale = velocity_scale(problem);
  tolerance_ = asked, patience_ = ask.patience, enough_ = ask.enough;
  choose(ask);
  lay_out(problem, ask.same_rows);
  // The greatest of ‖q‖, ‖r‖, ‖u‖ of all islands together may be less than the root of the sum of every island's own, by √3 at most. It seldom is.
  for (const bool again : {false, true}) {
    if (again) {
      tolerance_ = asked / std::sqrt(3.0);
      chosen_.clear();
      for (int k = 0; k < islands_.count(); ++k)
        if (certificate_[k].natural_map() > tolerance_) chosen_.push_back(k);
      lay_out(problem, true);
    }
    solve_chosen(problem, scale, r, z);
    Residual whole;
    for (const Residual& part : certificate_) whole.add(part);
    report.natural_map = whole.natural_map();
    const auto fails = [&](const Residual& part) { return part.natural_map() > 1.01 * tolerance_; };
    if (report.natural_map <= asked || std::any_of(certificate_.begin(), certificate_.end(), fails)) break;
  }
  double visits = 0;
  for (const auto& work : work_) visits += work->visits, report.factorisations += work->factorisations, report.escalated += work->escalated;
  report.sweeps = static_cast<long>(std::ceil(visits / problem.blocks()));
  return report;
}

}  // namespace carom
