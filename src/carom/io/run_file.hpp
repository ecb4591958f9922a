#pragma once
// A simulation in an HDF5 file.
//
//   /manifest            attributes: versions, flags, hash of the scene, laws, every tolerance, seed;   /manifest/scene: its text
//   /names               bodies, joints, colliders, limits, coordinates, speeds
//   /trajectory          time, q, u, poses (per body: x y z, quaternion w x y z), kinetic, potential, forces, contacts, impacts, check
//   /events              time, kind, a, b, feature, impact, bounces, ratio, gap, note
//   /impacts             one row per impact: time, contacts (and which rows of /impact_contacts), energies, residuals, law, status
//   /impact_contacts     one row per contact of an impact: ids, velocities, impulse, friction, restitution, works, geometry
//   /impact_events, /impact_segments, /impact_segment_contacts, /impact_paths      the history inside the impacts
//   /delassus, /text     pools that rows of other tables point into
//   /summary             attributes; there only when the run came to its end
//
// The file is written in HDF5's single-writer mode: a reader may follow it, and a run that is killed leaves a file that is
// whole up to the last flush (h5py: File(path, swmr=True); the command-line tools of HDF5: h5clear -s first).
// Not kept: M and J of an impact's system; G, the contact velocities and the geometry are.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "carom/simulate/record.hpp"

namespace carom::io {

using Setting = std::variant<double, std::int64_t, std::string>;

// What only the program knows about a run.
struct RunOrigin {
  std::string version{}, compiler{}, build{}, flags{};
  std::string scene_file{}, scene_text{};
  std::uint64_t seed = 0;
  double flush_interval = 0.5;  // a kill loses at most so much [s of the clock]
};

// Every choice and tolerance of a scene, by name.
std::vector<std::pair<std::string, Setting>> settings(const Scene& scene);

class RunFileWriter : public Recorder {
 public:
  // Makes the file, in place of one that is there. An InputError says why it cannot.
  RunFileWriter(const std::string& path, const Scene& scene, const RunOrigin& origin);
  ~RunFileWriter() override;
  RunFileWriter(const RunFileWriter&) = delete;
  RunFileWriter& operator=(const RunFileWriter&) = delete;

  void sample(const Sample&) override;
  void event(const RunEvent&) override;
  void impact(const ImpactRecord&) override;
  void finish(const RunSummary&) override;  // and closes the file
  bool progress(double time) override;

  void flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A run file in memory.
struct RunFile {
  std::vector<std::pair<std::string, Setting>> manifest;  // sorted by name
  std::string scene_text;
  int dimension = 3;
  std::vector<std::string> bodies, joints, colliders, limits, coordinates, speeds;
  std::vector<Sample> samples;
  std::vector<RunEvent> events;
  std::vector<ImpactRecord> impacts;
  std::optional<RunSummary> summary;  // none: the run was killed, or goes on
  std::vector<std::string> damaged;   // datasets that a kill tore while they were written; their tables are empty
};

RunFile read_run(const std::string& path);

// As carom::name(scene, contact).
std::string name(const RunFile& run, const ContactId& contact);

// Writes trajectory.csv, events.csv, impacts.csv, impact_contacts.csv and impact_segments.csv into `folder`, which is made.
std::vector<std::string> write_csv(const RunFile& run, const std::string& folder);

// What `carom info --json` prints.
std::string run_json(const RunFile& run);

}  // namespace carom::io
