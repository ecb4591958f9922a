#include "carom/simulate/contact_space.hpp"

#include "carom/dynamics/constraints.hpp"

namespace carom {
namespace {

constexpr double kRounding = 1e-13;  // of the greatest entry of G: a block below it joins nothing

}  // namespace

void contact_space(const Model& model, Data& data, const Eigen::MatrixXd& J, Eigen::MatrixXd& G, Eigen::MatrixXd& Y) {
  articulated_inertias(model, data);
  constraint_factorisation(model, data);
  Y = J.transpose();
  for (Eigen::Index k = 0; k < Y.cols(); ++k) apply_root(model, data, Y.col(k));
  if (data.rank > 0) {
    Y.applyOnTheLeft(data.C_root.householderQ().setLength(data.rank).adjoint());
    Y.topRows(data.rank).setZero();
    Y.applyOnTheLeft(data.C_root.householderQ().setLength(data.rank));
  }
  G.setZero(Y.cols(), Y.cols());
  G.selfadjointView<Eigen::Lower>().rankUpdate(Y.transpose());
  G.triangularView<Eigen::StrictlyUpper>() = G.transpose();
}

int contact_islands(const Eigen::MatrixXd& G, int d, std::vector<int>& island) {
  const auto n = static_cast<int>(G.rows()) / d;
  island.assign(static_cast<std::size_t>(n), -1);
  const double small = n > 0 ? kRounding * G.diagonal().maxCoeff() : 0;
  int count = 0;
  for (int seed = 0; seed < n; ++seed) {
    if (island[static_cast<std::size_t>(seed)] >= 0) continue;
    island[static_cast<std::size_t>(seed)] = count;
    // Contacts are few: whoever is new lets the others be looked at again.
    for (bool grown = true; grown;) {
      grown = false;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n && island[static_cast<std::size_t>(i)] == count; ++j)
          if (island[static_cast<std::size_t>(j)] < 0 && G.block(i * d, j * d, d, d).cwiseAbs().maxCoeff() > small)
            island[static_cast<std::size_t>(j)] = count, grown = true;
    }
    ++count;
  }
  return count;
}

std::vector<ContactIsland> contact_islands(const Eigen::MatrixXd& G, int d) {
  std::vector<int> island;
  std::vector<ContactIsland> out(static_cast<std::size_t>(contact_islands(G, d, island)));
  for (std::size_t i = 0; i < island.size(); ++i) {
    ContactIsland& own = out[static_cast<std::size_t>(island[i])];
    own.member.push_back(static_cast<Eigen::Index>(i));
    for (int k = 0; k < d; ++k) own.rows.push_back(static_cast<Eigen::Index>(i) * d + k);
  }
  return out;
}

}  // namespace carom
