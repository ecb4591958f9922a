#pragma once
// One step of Dormand & Prince's fifth-order Runge–Kutta method with its embedded error and fourth-order interpolant (Hairer, Nørsett &
// Wanner, Solving ODEs I, II.4–II.6). Works on one matrix of slopes: no allocation after the first step.

#include <Eigen/Core>

namespace carom::laws {

class DormandPrince {
 public:
  explicit DormandPrince(Eigen::Index size) : K(size, 7), stage_(size) {}

  Eigen::MatrixXd K;  // slopes; column 0 is the slope at the start and must be set, column 6 becomes the slope at the end

  // y1 = y0 + h Σ b_i k_i; rates(y, dy) writes into dy.
  template <class Rates>
  void step(Rates&& rates, const Eigen::VectorXd& y0, double h, Eigen::VectorXd& y1) {
    for (int i = 1; i < 7; ++i) {
      stage_ = y0;
      for (int j = 0; j < i; ++j)
        if (kA[i][j] != 0) stage_ += (h * kA[i][j]) * K.col(j);
      if (i == 6) y1 = stage_;
      rates(stage_, K.col(i));
    }
  }

  // Component i of the embedded error of the last step.
  double error(double h, Eigen::Index i) const {
    double sum = 0;
    for (int j = 0; j < 7; ++j) sum += kError[j] * K(i, j);
    return h * sum;
  }

  // The state between the ends of the last step, theta in [0, 1].
  void between(const Eigen::VectorXd& y0, const Eigen::VectorXd& y1, double h, double theta, Eigen::VectorXd& y) const {
    const double rest = 1 - theta;
    for (Eigen::Index i = 0; i < y0.size(); ++i) {
      const double rise = y1(i) - y0(i), bend = h * K(i, 0) - rise, twist = rise - h * K(i, 6) - bend;
      double last = 0;
      for (int j = 0; j < 7; ++j) last += kDense[j] * K(i, j);
      y(i) = y0(i) + theta * (rise + rest * (bend + theta * (twist + rest * h * last)));
    }
  }

 private:
  static constexpr double kA[7][6] = {{},
                                      {1.0 / 5},
                                      {3.0 / 40, 9.0 / 40},
                                      {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static constexpr double kError[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  static constexpr double kDense[7] = {-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
                                       701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423};
  Eigen::VectorXd stage_;
};

}  // namespace carom::laws
