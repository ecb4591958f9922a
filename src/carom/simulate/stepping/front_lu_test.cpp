#include "carom/simulate/stepping/front_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>

#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

// Random graphs of groups of unequal sizes, unsymmetric blocks: the answer is that of a dense factorisation.
TEST(FrontLu, SolvesWhatADenseFactorisationSolves) {
  FrontLu lu;  // one object for all: its memory is reused
  for (int run = 0; run < 60; ++run) {
    CounterRng rng(31, static_cast<std::uint64_t>(run));
    const int groups = 2 + run % 30, blocks = 3 * groups;
    std::vector<int> size, first;
    int n = 0;
    lu.clear();
    for (int g = 0; g < groups; ++g) {
      size.push_back(1 + static_cast<int>(rng.uniform(0, 7))), first.push_back(n);
      n += size.back();
      lu.add_group(size.back());
    }
    std::vector<std::array<int, 2>> joined;
    for (int b = 0; b < blocks; ++b) {
      const int a = static_cast<int>(rng.uniform(0, groups)), c = static_cast<int>(rng.uniform(0, groups));
      joined.push_back({a, c});
      lu.add_block(a == c ? std::span<const int>(joined.back()).first(1) : std::span<const int>(joined.back()));
    }
    lu.plan();
    lu.allocate();
    lu.set_identity();
    Eigen::MatrixXd dense = Eigen::MatrixXd::Identity(n, n);
    for (int b = 0; b < blocks; ++b) {
      std::vector<int> groups_of{joined[b][0]};
      if (joined[b][1] != joined[b][0]) groups_of.push_back(joined[b][1]);
      std::vector<int> rows, places;
      for (const int g : groups_of)
        for (int k = 0; k < size[g]; ++k) rows.push_back(first[g] + k), places.push_back(lu.place(b, g) + k);
      const auto m = static_cast<Eigen::Index>(rows.size());
      Eigen::MatrixXd A(m, 3);
      for (Eigen::Index k = 0; k < A.size(); ++k) A.data()[k] = rng.normal();
      Eigen::Matrix3d D = Eigen::Matrix3d::Identity();
      D(0, 1) = rng.uniform(-1, 1), D(0, 2) = rng.uniform(-1, 1);
      const Eigen::MatrixXd block = A * D * A.transpose();
      for (Eigen::Index i = 0; i < m; ++i)
        for (Eigen::Index j = 0; j < m; ++j) {
          dense(rows[i], rows[j]) += block(i, j);
          lu.front(b)[places[i] + static_cast<std::ptrdiff_t>(places[j]) * lu.stride(b)] += block(i, j);
        }
    }
    Eigen::VectorXd x(n);
    for (int k = 0; k < n; ++k) x[k] = rng.normal();
    const Eigen::VectorXd expected = dense.partialPivLu().solve(x);
    ASSERT_TRUE(lu.factorise());
    lu.solve(x.data());
    EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm()) << run;
  }
}

}  // namespace
}  // namespace carom
