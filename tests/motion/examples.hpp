#pragma once
// Scenes of examples/, read and run.

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "carom/io/scene_yaml.hpp"
#include "carom/simulate/simulate.hpp"

namespace carom::examples {

inline constexpr double kG = 9.81;
inline const std::filesystem::path kExamples = std::filesystem::path(CAROM_SOURCE_DIR) / "examples";

struct Ran {
  Scene scene;
  MemoryRecorder record;
  RunSummary summary;

  const ImpactRecord& impact(std::size_t i) const { return record.impacts.at(i); }
  const Sample& at(double time) const {  // the sample nearest to a time
    const Sample* best = &record.samples.front();
    for (const Sample& s : record.samples)
      if (std::abs(s.time - time) < std::abs(best->time - time)) best = &s;
    return *best;
  }
  // Speeds right before and right after an impact: samples stand on both sides of it.
  std::pair<Eigen::VectorXd, Eigen::VectorXd> around(const ImpactRecord& r) const {
    for (std::size_t i = 0; i + 1 < record.samples.size(); ++i)
      if (record.samples[i].time == r.time && record.samples[i + 1].time == r.time) return {record.samples[i].u, record.samples[i + 1].u};
    throw std::runtime_error("no samples at the impact");
  }
  const RunEvent& first(EventKind kind) const {
    for (const RunEvent& e : record.events)
      if (e.kind == kind) return e;
    throw std::runtime_error("no event of this kind");
  }
};

inline Ran run(Scene scene) {
  Ran out{std::move(scene), {}, {}};
  out.summary = simulate(out.scene, out.record);
  return out;
}
inline Scene read(const std::string& name) { return io::read_scene((kExamples / name).string()); }
inline Ran run(const std::string& name) { return run(read(name)); }

}  // namespace carom::examples
