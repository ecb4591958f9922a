#pragma once
// Friction limit surfaces in the tangent plane, and one contact's problem on them.

#include <Eigen/Core>

namespace carom {

// The vertex directions of the regular polygon, shared by all contacts with that number of edges.
class PolygonDirections {
 public:
  explicit PolygonDirections(int edges);
  int edges() const { return static_cast<int>(d_.cols()); }
  Eigen::Vector2d operator[](int k) const { return d_.col(k); }
  // The place of x between two neighbouring directions: x = a d_k + b d_{k+1}, a, b ≥ 0.
  struct Wedge {
    int k;
    double a, b;
  };
  Wedge wedge(const Eigen::Vector2d& x) const;
  // The nearest point to x of radius · polygon.
  Eigen::Vector2d project(const Eigen::Vector2d& x, double radius) const;

 private:
  Eigen::Matrix2Xd d_;
};
const PolygonDirections& polygon(int edges);  // edges ≥ 3; made once, kept

// u = W r + c with r in radius · disc, u = −λ r, λ ≥ 0, λ = 0 inside. W symmetric positive semidefinite.
Eigen::Vector2d solve_disc(const Eigen::Matrix2d& W, const Eigen::Vector2d& c, double radius);
// The same on radius · polygon: r is where u · r is least.
Eigen::Vector2d solve_polygon(const Eigen::Matrix2d& W, const Eigen::Vector2d& c, double radius, const PolygonDirections& directions);

// One contact with the polygonal cone: u = W r + q, 0 ≤ u_n ⊥ r_n ≥ 0, r_t in μ r_n · polygon where u_t · r_t is least.
Eigen::Vector3d solve_polygonal_contact(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu, const PolygonDirections& directions);

}  // namespace carom
