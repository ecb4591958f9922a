#include "carom/complementarity/lemke.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/math/counter_rng.hpp"
#include "carom/math/kept.hpp"
#include "carom/math/kept_lu.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using MatrixRef = Eigen::Ref<const MatrixXd>;
using VectorRef = Eigen::Ref<const VectorXd>;

// Rows and columns of the LCP scaled by powers of two: M' = R M C, q' = s R q, z = C z' / s.
struct Equilibrated {
  KeptMatrix M;
  KeptVector q;
  KeptVector row;     // R
  KeptVector column;  // C / s
};

double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

void equilibrate(const MatrixRef& M, const VectorRef& q, Equilibrated& e) {
  const Eigen::Index n = q.size();
  e.M.resize(n, n), e.q.resize(n), e.row.resize(n), e.column.resize(n);
  e.M = M;
  e.row.setOnes(), e.column.setOnes();
  for (int pass = 0; pass < 4; ++pass)
    for (Eigen::Index i = 0; i < n; ++i) {
      const double r = e.M.row(i).cwiseAbs().maxCoeff(), c = e.M.col(i).cwiseAbs().maxCoeff();
      const double fr = r > 0 ? power_of_two(1 / std::sqrt(r)) : 1, fc = c > 0 ? power_of_two(1 / std::sqrt(c)) : 1;
      e.M.row(i) *= fr;
      e.M.col(i) *= fc;
      e.row[i] *= fr;
      e.column[i] *= fc;
    }
  e.q = e.row.cwiseProduct(q);
  const double largest = e.q.cwiseAbs().maxCoeff();
  const double s = largest > 0 ? power_of_two(1 / largest) : 1;
  e.q *= s;
  e.column /= s;
}

// The dictionary x_B + T x_N = b. Variables: w_i is i, z_i is n + i, z₀ is 2n.
class Dictionary {
 public:
  Dictionary(const Equilibrated& problem, const KeptVector& cover) : p_(problem), d_(cover) {}

  // The problem's first dictionary, w basic.
  void start(const LemkeOptions& options) {
    o_ = options;
    n_ = static_cast<int>(p_.q.size());
    basic_.resize(n_);
    nonbasic_.resize(n_ + 1);
    place_.resize(2 * n_ + 1);
    for (int i = 0; i < n_; ++i) basic_[i] = i, nonbasic_[i] = n_ + i;
    nonbasic_[n_] = 2 * n_;
    index();
    T_.resize(n_, n_ + 1), b_.resize(n_), line_.resize(n_ + 1), column_.resize(n_);
    T_.leftCols(n_) = -p_.M;
    T_.col(n_) = -d_;
    b_ = p_.q;
  }

  struct Run {
    SolveStatus status;
    int pivots;
  };

  Run run() {
    const int limit = o_.max_pivots > 0 ? o_.max_pivots : 20 * n_ + 50;
    int leaving = exchange(first_row(), n_);
    for (int k = 1; k <= limit; ++k) {
      if (leaving == 2 * n_) return {SolveStatus::solved, k};
      if (k % o_.refactor == 0 && !rebuild()) return {SolveStatus::missed, k};
      const int entering = column_of(leaving < n_ ? leaving + n_ : leaving - n_);
      const int row = blocking_row(entering);
      if (row < 0) return {SolveStatus::ray, k};
      leaving = exchange(row, entering);
    }
    return {SolveStatus::iteration_limit, limit};
  }

  // z of the present basis, solved afresh from the data, not read off the updated tableau.
  void solution(KeptVector& z) {
    factor_kernel();
    const auto n = static_cast<Eigen::Index>(active_.size());
    x_.resize(n), rest_.resize(n);
    for (Eigen::Index a = 0; a < n; ++a) x_[a] = p_.q[rows_[a]];
    lu_.solve(x_);
    for (int round = 0; round < 2; ++round) {
      for (Eigen::Index a = 0; a < n; ++a) rest_[a] = p_.q[rows_[a]];
      rest_.noalias() -= kernel_ * x_;
      lu_.solve(rest_);
      x_ += rest_;
    }
    z.setZero();
    for (Eigen::Index a = 0; a < n; ++a)
      if (const int variable = basic_[active_[a]]; variable < 2 * n_) z[variable - n_] = std::max(0.0, x_[a]);
  }

 private:
  int column_of(int variable) const { return -1 - place_[variable]; }

  void index() {
    for (int i = 0; i < n_; ++i) place_[basic_[i]] = i;
    for (int j = 0; j <= n_; ++j) place_[nonbasic_[j]] = -1 - j;
  }

  // Row i of the column of a z or of z₀.
  double entry(int i, int variable) const { return variable == 2 * n_ ? -d_[i] : -p_.M(i, variable - n_); }

  // The basis without the columns of w, which are unit vectors, and without their rows: of the rows of the w that are not basic, the columns
  // of the z that are.
  void factor_kernel() {
    active_.clear(), rows_.clear(), idle_.clear();
    for (int i = 0; i < n_; ++i)
      if (basic_[i] >= n_) active_.push_back(i);
    for (int i = 0; i < n_; ++i) (place_[i] < 0 ? rows_ : idle_).push_back(i);
    const auto n = static_cast<Eigen::Index>(active_.size());
    kernel_.resize(n, n);
    for (Eigen::Index b = 0; b < n; ++b)
      for (Eigen::Index a = 0; a < n; ++a) kernel_(a, b) = entry(rows_[a], basic_[active_[b]]);
    lu_.factor(kernel_);
  }

  // The dictionary afresh from the data: the kernel gives the rows of z, those of w follow.
  bool rebuild() {
    factor_kernel();
    const auto n = static_cast<Eigen::Index>(active_.size()), m = static_cast<Eigen::Index>(idle_.size());
    beside_.resize(m, n), x_.resize(n), rest_.resize(m);
    for (Eigen::Index b = 0; b < n; ++b)
      for (Eigen::Index a = 0; a < m; ++a) beside_(a, b) = entry(idle_[a], basic_[active_[b]]);
    for (int j = 0; j <= n_; ++j) {
      const int variable = nonbasic_[j];
      const auto right = [&](int i) { return variable >= n_ ? entry(i, variable) : i == variable ? 1.0 : 0.0; };
      if (!rebuild(right, T_.col(j))) return false;
    }
    return rebuild([&](int i) { return p_.q[i]; }, b_);
  }

  template <class Right, class Column>
  bool rebuild(const Right& right, Column&& out) {
    for (Eigen::Index a = 0; a < x_.size(); ++a) x_[a] = right(rows_[a]);
    for (Eigen::Index a = 0; a < rest_.size(); ++a) rest_[a] = right(idle_[a]);
    lu_.solve(x_);
    rest_.noalias() -= beside_ * x_;
    for (Eigen::Index a = 0; a < x_.size(); ++a) out[active_[a]] = x_[a];
    for (Eigen::Index a = 0; a < rest_.size(); ++a) out[place_[idle_[a]]] = rest_[a];
    return x_.allFinite() && rest_.allFinite();
  }

  int exchange(int row, int col) {
    const double pivot = T_(row, col);
    line_ = T_.row(row).transpose() / pivot;
    line_[col] = 1 / pivot;
    const double level = b_[row] / pivot;
    column_ = T_.col(col);
    column_[row] = 0;
    T_.col(col).setZero();
    T_.noalias() -= column_ * line_.transpose();
    T_.row(row) = line_.transpose();
    b_ -= level * column_;
    b_[row] = level;
    std::swap(basic_[row], nonbasic_[col]);
    place_[basic_[row]] = row;
    place_[nonbasic_[col]] = -1 - col;
    return nonbasic_[col];
  }

  // z₀ enters: the row of the lexicographically smallest (q_i, e_i) / d_i; of equal ones the last.
  int first_row() const {
    int best = 0;
    for (int i = 1; i < n_; ++i)
      if (b_[i] / d_[i] <= b_[best] / d_[best] + o_.tie) best = i;
    return best;
  }

  // Entry of row i in the basis inverse's column k, which is the dictionary's column of w_k, a unit vector if w_k is basic.
  double inverse(int i, int k) const {
    return place_[k] >= 0 ? (place_[k] == i ? 1.0 : 0.0) : T_(i, -1 - place_[k]);
  }

  int blocking_row(int col) {
    const auto c = T_.col(col);
    const double floor = o_.pivot * std::max(1.0, c.cwiseAbs().maxCoeff());
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < n_; ++i)
      if (c[i] > floor) least = std::min(least, std::max(0.0, b_[i]) / c[i]);
    tied_.clear();
    for (int i = 0; i < n_; ++i)
      if (c[i] > floor && std::max(0.0, b_[i]) / c[i] <= least + o_.tie * (1 + least)) tied_.push_back(i);
    for (const int i : tied_)
      if (basic_[i] == 2 * n_) return i;
    for (int k = 0; k < n_ && tied_.size() > 1; ++k) {
      double smallest = std::numeric_limits<double>::infinity();
      for (const int i : tied_) smallest = std::min(smallest, inverse(i, k) / c[i]);
      std::erase_if(tied_, [&](int i) { return inverse(i, k) / c[i] > smallest + o_.tie * (1 + std::abs(smallest)); });
    }
    return tied_.empty() ? -1 : tied_.front();
  }

  const Equilibrated& p_;
  const KeptVector& d_;
  LemkeOptions o_;
  int n_ = 0;
  KeptMatrix T_;
  KeptVector b_;
  KeptVector line_, column_;  // of an exchange
  std::vector<int> basic_, nonbasic_;
  std::vector<int> place_;  // of each variable: row when basic, −1 − column when not
  std::vector<int> tied_;
  // By factor_kernel.
  std::vector<int> active_, rows_, idle_;  // rows of the dictionary with a z; w that are not basic; w that are
  KeptMatrix kernel_;
  KeptLu lu_;
  KeptMatrix beside_;      // columns of z in the basis, rows of the basic w
  KeptVector x_, rest_;
};

}  // namespace

void LemkeOptions::validate() const {
  const auto positive = [](const char* field, double value) {
    if (!(value > 0) || !std::isfinite(value)) throw InputError(field, fmt::format("{}", value), "must be positive");
  };
  positive("tolerance", tolerance), positive("pivot", pivot), positive("tie", tie), positive("refactor", refactor);
  if (max_pivots < 0) throw InputError("max_pivots", fmt::format("{}", max_pivots), "must be at least 0");
  if (restarts < 0) throw InputError("restarts", fmt::format("{}", restarts), "must be at least 0");
}

class Lemke::Memory {
 public:
  struct Answer {
    KeptVector z, w;
    Report report;
  };
  Answer answer[2];
  Answer* best = answer;       // of the problem so far
  Answer* found = answer + 1;  // what is tried
  Equilibrated scaled;
  KeptVector cover;
  Dictionary dictionary{scaled, cover};

  // z stands in `found`.
  void judge(const MatrixRef& M, const VectorRef& q, double tolerance, SolveStatus otherwise, int pivots) const {
    Report& report = found->report;
    report.certificate = certify_lcp(M, q, found->z, found->w);
    report.status = report.certificate.natural_map <= tolerance ? SolveStatus::solved : otherwise;
    report.pivots = pivots;
  }
};

Lemke::Lemke() : memory_(std::make_unique<Memory>()) {}
Lemke::~Lemke() = default;
Lemke::Lemke(Lemke&&) noexcept = default;
Lemke& Lemke::operator=(Lemke&&) noexcept = default;

Eigen::Map<const VectorXd> Lemke::z() const { return {memory_->best->z.data(), memory_->best->z.size()}; }
Eigen::Map<const VectorXd> Lemke::w() const { return {memory_->best->w.data(), memory_->best->w.size()}; }

Lemke::Report Lemke::solve(const MatrixRef& M, const VectorRef& q, const LemkeOptions& options) {
  options.validate();
  validate_lcp(M, q);
  const Eigen::Index n = q.size();
  Memory& m = *memory_;
  for (Memory::Answer& a : m.answer) a.z.resize(n), a.w.resize(n);
  m.found->z.setZero();
  m.judge(M, q, options.tolerance, SolveStatus::missed, 0);
  std::swap(m.found, m.best);
  if (n == 0 || q.minCoeff() >= 0) return m.best->report;
  equilibrate(M, q, m.scaled);
  m.cover.resize(n);
  int pivots = 0;
  for (int k = 0; k <= options.restarts; ++k) {
    m.cover.setOnes();
    CounterRng rng(options.seed, static_cast<std::uint64_t>(k));
    if (k > 0)
      for (double& d : m.cover) d = rng.log_uniform(0.5, 2);
    m.dictionary.start(options);
    const auto run = m.dictionary.run();
    pivots += run.pivots;
    m.dictionary.solution(m.found->z);
    m.found->z.array() *= m.scaled.column.array();
    m.judge(M, q, options.tolerance, run.status == SolveStatus::solved ? SolveStatus::missed : run.status, pivots);
    const bool solved = m.found->report.usable();
    if (solved || k == 0 || m.found->report.certificate.natural_map < m.best->report.certificate.natural_map) std::swap(m.found, m.best);
    if (solved) break;
  }
  m.best->report.pivots = pivots;
  return m.best->report;
}

LcpSolution solve_lemke(const Lcp& lcp, const LemkeOptions& options) {
  Lemke lemke;
  const Lemke::Report report = lemke.solve(lcp.M, lcp.q, options);
  return {lemke.z(), lemke.w(), report.status, report.pivots, report.certificate};
}

}  // namespace carom
