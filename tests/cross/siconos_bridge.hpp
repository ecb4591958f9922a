#pragma once
// carom's problems handed to Debian's Siconos, by its own file reader, and its answers brought back in carom's order.

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "carom/complementarity/friction_contact.hpp"
#include "carom/complementarity/lcp.hpp"
#include "carom/io/siconos_dat.hpp"

namespace carom_test {

struct SiconosAnswer {
  Eigen::VectorXd x;  // r (carom's order) or z
  int info = 0;       // Siconos's return code: 0 claims success
  int iterations = 0;
  double seconds = 0;
};

class TemporaryFile {
 public:
  TemporaryFile() {
    char name[] = "/tmp/carom_siconos_XXXXXX.dat";
    const int fd = mkstemps(name, 4);
    if (fd >= 0) close(fd);
    path_ = name;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline double seconds_since(std::chrono::steady_clock::time_point t0) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

class SiconosFriction {
 public:
  explicit SiconosFriction(const carom::FrictionContact& p)
      : dimension_(p.dimension), problem_(nullptr, frictionContactProblem_free) {
    const TemporaryFile file;
    carom::write_siconos_dat(p, file.path());
    problem_.reset(frictionContact_new_from_filename(file.path().c_str()));
  }

  // `solver`: a constant of Friction_cst.h, with Siconos's own defaults except tolerance, iterations and, if ≥ 0, the local solver.
  // From `start` (carom's order), or from zero.
  SiconosAnswer solve(int solver, double tolerance, int max_iterations, int local_solver = -1, const Eigen::VectorXd& start = {}) const {
    const std::unique_ptr<SolverOptions, void (*)(SolverOptions*)> o(solver_options_create(solver), solver_options_delete);
    o->dparam[SICONOS_DPARAM_TOL] = tolerance;
    o->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
    if (local_solver >= 0) solver_options_update_internal(o.get(), 0, local_solver);
    const int n = problem_->numberOfContacts * dimension_;
    Eigen::VectorXd r = Eigen::VectorXd::Zero(n), u = Eigen::VectorXd::Zero(n);
    if (start.size() == n)
      for (int i = 0; i < n; ++i) r[i] = start[i % dimension_ == 0 ? i + dimension_ - 1 : i - 1];
    const auto t0 = std::chrono::steady_clock::now();
    const int info = dimension_ == 3 ? fc3d_driver(problem_.get(), r.data(), u.data(), o.get())
                                     : fc2d_driver(problem_.get(), r.data(), u.data(), o.get());
    SiconosAnswer a{Eigen::VectorXd(n), info, o->iparam[SICONOS_IPARAM_ITER_DONE], seconds_since(t0)};
    for (int i = 0; i < n; ++i) a.x[i % dimension_ == 0 ? i + dimension_ - 1 : i - 1] = r[i];
    return a;
  }

 private:
  int dimension_;
  std::unique_ptr<FrictionContactProblem, void (*)(FrictionContactProblem*)> problem_;
};

inline SiconosAnswer siconos_lemke(const carom::Lcp& lcp) {
  const TemporaryFile file;
  carom::write_siconos_dat(lcp, file.path());
  LinearComplementarityProblem* raw = newLCP();
  linearComplementarity_newFromFilename(raw, file.path().c_str());
  const std::unique_ptr<LinearComplementarityProblem, void (*)(LinearComplementarityProblem*)> p(raw, freeLinearComplementarityProblem);
  const std::unique_ptr<SolverOptions, void (*)(SolverOptions*)> o(solver_options_create(SICONOS_LCP_LEMKE), solver_options_delete);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(lcp.size()), w = z;
  const auto t0 = std::chrono::steady_clock::now();
  const int info = linearComplementarity_driver(p.get(), z.data(), w.data(), o.get());
  return {z, info, 0, seconds_since(t0)};
}

}  // namespace carom_test
