#pragma once
// Nonsmooth Gauss–Seidel in root space: block after block is solved exactly with the others held, and z = Y r is kept up to date
// (root_rows.hpp).
//
// A sweep reads every number of the island once, and large islands do not fit the cache: what it needs lies in the order of the sweep, and
// the speeds are numbered in the order in which it meets them. A contact with an exact cone between free bodies is one record with the
// principal axes of its own block as tangents, and six numbers of Y per row and body; trees, joint limits, loops, polygons, floors, moments and planar contacts
// go by lists of entries. Nothing is allocated once the greatest island has been seen.

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "carom/complementarity/local_contact.hpp"
#include "carom/simulate/stepping/limit_surface.hpp"
#include "carom/simulate/stepping/step_problem.hpp"

namespace carom {

class BlockSweep {
 public:
  // Places of the order, and the speeds that its blocks were the first to reach. Blocks of different islands share no speeds: where an island stands
  // in one piece, it has a range of its own, and all that follows may be done for several ranges at the same time.
  struct Range {
    int first = 0, last = 0, first_speed = 0, last_speed = 0;
    int blocks() const { return last - first; }
  };

  // Some blocks of a problem, which must outlive the sweeps, in the order of the sweeps. Blocks of moments come after their contacts. `speeds`: of
  // the whole problem.
  void pack(const StepProblem& problem, std::span<const int> order, int speeds);
  // The same rows with other q, friction and floors.
  void renew();
  Range range(int first, int last) const { return {first, last, met_[first], met_[last]}; }
  Range all() const { return range(0, static_cast<int>(record_.size())); }

  // Impulses out of and into those of the whole problem; z = Y r anew, and the entries of z that the blocks reach.
  void take(const double* r, const Range& range);
  void give(double* r, const Range& range) const;
  void give_speeds(Eigen::VectorXd& z, const Range& range) const;
  // The impulses as sweeps hold them, 3 per block; after a change of them and to take out rounding, z = Y r anew.
  std::span<double> impulses(const Range& range);
  void gather(const Range& range);

  // Over the places first … last − 1 of the order; returns the sum of the squares of the changes of r. Blocks that share no speeds with others
  // may be swept at the same time.
  double sweep(int first, int last);
  // Between sweeps, part k of n: r and z go on along p ← β (p + what the last sweep changed). β = 0 forgets the direction.
  void go_on(double beta, const Range& range, int k, int n);
  // Part k of n of c · (p + c), c what the last sweep changed in r: negative where the direction leads back.
  double ahead(const Range& range, int k, int n) const;
  // The certificate of the blocks at r.
  Residual residual(int first, int last, double scale) const;

 private:
  struct Record {
    int block;
    int a, b;     // first speeds of two free bodies; b −1: one; a −1: an entry of general_
    int at;       // in Y_, counted in bodies, or in general_
    double q[3];  // in the principal axes
    PrincipalContact3 law;
  };
  struct General {
    int first, last;   // in entry_
    int parent;        // place of the contact of moments
    bool plain;        // exact contact without floor
    const double *Y, *W, *q;
    const StepBlock* block;
    const PolygonDirections* polygon;
    LocalContact3 spatial;
    LocalContact2 planar;
  };

  void number(int block);
  bool pack_exact(int block);
  void pack_general(int block);
  void set_law(General& g, int block) const;
  void set_law(Record& record, double cos, double sin) const;
  template <bool kPair>
  double visit(const Record& record, double* r, double& lambda);
  template <int D>
  double visit_general(const Record& record, int place);
  void solve_general(const General& g, const double* q, double* r, double& lambda) const;

  const StepProblem* p_ = nullptr;
  std::vector<int> local_, speeds_;  // per speed of the problem: place here; and back
  std::vector<int> met_;             // per place and one more: speeds that had been met before it
  std::vector<Record> record_;
  std::vector<General> general_;
  std::vector<int> entry_;                      // speeds of general blocks
  std::vector<double> Y_;                       // per body of a record: 3 rows of 6
  std::vector<double> r_, lambda_, z_;          // r_: 3 per block
  std::vector<double> r_from_, z_from_, r_way_, z_way_;  // before the last sweep; the direction p
  std::vector<std::array<double, 2>> turn_;     // cos and sin of the principal axes
};

}  // namespace carom
