#pragma once
// Scenes with many bodies for tests and benchmarks of time-stepping: piles, walls, arches. Deterministic; the ground's colliders
// come last.

#include "carom/simulate/scene.hpp"

namespace carom::lab {

// side³ balls of 5 cm radius and 0.5 kg fall a little and settle in a box that is just wide enough; μ = 0.3.
Scene settling_balls(int side, double h);
// `count` boxes with 10 cm edges dumped into a bin of 1 m × 1 m: e, μ; Moreau–Jean.
Scene box_bin(int count, double e, double mu, double h);
// `height` boxes of 20 cm on each other, at rest; μ = 0.5.
Scene box_stack(int height, double h);
// Bricks in running bond, `courses` high, hit by a ball of 5 kg at 8 m/s.
Scene brick_wall(int courses, int length, double h);
// A semicircular arch of `stones` voussoirs between radii 0.8 and 1 m on two springers that are part of the ground; μ = 0.7.
Scene arch(int stones, double h);
// Balls that flow down an inclined plane between two walls; μ = 0.3.
Scene chute(int rows, double h);
// A square pyramid of balls with `layers` layers, each ball in the hollow of four, the lowest layer held by walls; μ = 0.5. It has
// about 1.3 layers³ contacts: 43 layers make 1e5.
Scene ball_pyramid(int layers, double h);

}  // namespace carom::lab
