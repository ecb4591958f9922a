#include <fmt/format.h>
#include <fmt/os.h>

#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "carom/core/error.hpp"
#include "carom/io/run_file.hpp"

namespace carom::io {
namespace {

// One file of comma-separated values (RFC 4180); numbers are the shortest that read back to the same bits.
class CsvFile {
 public:
  explicit CsvFile(const std::string& path) : out_(open(path)) {}

  CsvFile& cell(const std::string& text) {
    separate();
    if (text.find_first_of(",\"\n") == std::string::npos) {
      out_.print("{}", text);
      return *this;
    }
    std::string quoted;
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    out_.print("\"{}\"", quoted);
    return *this;
  }
  CsvFile& cell(std::string_view text) { return cell(std::string(text)); }
  CsvFile& cell(const char* text) { return cell(std::string(text)); }
  CsvFile& cell(double number) {
    separate();
    out_.print("{}", number);
    return *this;
  }
  CsvFile& cell(int number) {
    separate();
    out_.print("{}", number);
    return *this;
  }
  template <class Numbers>
  CsvFile& cells(const Numbers& numbers) {
    for (const double number : numbers) cell(number);
    return *this;
  }
  void end_row() {
    out_.print("\n");
    fresh_ = true;
  }

 private:
  static fmt::ostream open(const std::string& path) {
    try {
      return fmt::output_file(path);
    } catch (const std::system_error& error) {
      throw InputError("--csv", path, fmt::format("cannot be written: {}", error.what()));
    }
  }
  void separate() {
    if (!fresh_) out_.print(",");
    fresh_ = false;
  }

  fmt::ostream out_;
  bool fresh_ = true;
};

constexpr std::array<std::string_view, 2> kPlanarAxes{"t", "n"};
constexpr std::array<std::string_view, 3> kSpatialAxes{"t1", "t2", "n"};

// "v_pre_t1", …: the components of a contact's vector.
void component_names(CsvFile& csv, const std::string& what, int d) {
  const std::span<const std::string_view> axes = d == 2 ? std::span<const std::string_view>(kPlanarAxes) : kSpatialAxes;
  for (const std::string_view axis : axes) csv.cell(fmt::format("{}_{}", what, axis));
}

void write_trajectory(const RunFile& run, const std::string& path) {
  CsvFile csv(path);
  csv.cell("time");
  for (const std::string& q : run.coordinates) csv.cell("q " + q);
  for (const std::string& u : run.speeds) csv.cell("u " + u);
  for (const std::string& body : run.bodies)
    for (const char* part : {"x", "y", "z", "qw", "qx", "qy", "qz"}) csv.cell(body + " " + part);
  for (const char* energy : {"kinetic", "potential", "forces", "contacts", "impacts", "check"}) csv.cell(energy);
  csv.end_row();
  for (const Sample& s : run.samples) {
    csv.cell(s.time).cells(s.q).cells(s.u);
    for (const Placement& pose : s.poses) {
      const Eigen::Quaterniond turn(pose.rotation);
      csv.cells(pose.translation).cell(turn.w()).cell(turn.x()).cell(turn.y()).cell(turn.z());
    }
    csv.cell(s.energy.kinetic)
        .cell(s.energy.potential)
        .cell(s.energy.forces)
        .cell(s.energy.contacts)
        .cell(s.energy.impacts)
        .cell(s.energy.check)
        .end_row();
  }
}

void write_events(const RunFile& run, const std::string& path) {
  CsvFile csv(path);
  for (const char* column : {"time", "kind", "contact", "impact", "bounces", "ratio", "gap", "note"}) csv.cell(column);
  csv.end_row();
  for (const RunEvent& e : run.events)
    csv.cell(e.time).cell(name(e.kind)).cell(name(run, e.contact)).cell(e.impact).cell(e.bounces).cell(e.ratio).cell(e.gap).cell(e.note).end_row();
}

void write_impacts(const RunFile& run, const std::string& path) {
  CsvFile csv(path);
  for (const char* column : {"impact", "time", "contacts", "law", "restitution", "status", "kinetic_before", "kinetic_after", "change", "normal_work",
                             "friction_work", "closure", "without_collision"})
    csv.cell(column);
  csv.end_row();
  for (std::size_t i = 0; i < run.impacts.size(); ++i) {
    const ImpactRecord& r = run.impacts[i];
    const EnergyLedger& e = r.outcome.energy;
    csv.cell(static_cast<int>(i))
        .cell(r.time)
        .cell(static_cast<int>(r.contacts.size()))
        .cell(r.outcome.law)
        .cell(r.outcome.restitution)
        .cell(name(r.outcome.status));
    csv.cell(r.kinetic_before)
        .cell(r.kinetic_after)
        .cell(e.change)
        .cell(e.normal_work)
        .cell(e.friction_work)
        .cell(e.closure)
        .cell(r.without_collision ? 1 : 0)
        .end_row();
  }
}

void write_contacts(const RunFile& run, const std::string& path) {
  CsvFile csv(path);
  const int d = run.dimension;
  csv.cell("impact").cell("contact");
  for (const char* what : {"v_pre", "v_post", "impulse"}) component_names(csv, what, d);
  for (const char* column : {"mu_s", "mu_d", "e", "normal_work", "friction_work", "compression_work", "restitution_work"}) csv.cell(column);
  csv.end_row();
  for (std::size_t i = 0; i < run.impacts.size(); ++i) {
    const ImpactRecord& r = run.impacts[i];
    for (std::size_t c = 0; c < r.contacts.size(); ++c) {
      const auto k = static_cast<Eigen::Index>(c);
      const ContactWork& w = r.outcome.energy.contacts[c];
      csv.cell(static_cast<int>(i))
          .cell(name(run, r.contacts[c]))
          .cells(r.problem.v_pre.segment(k * d, d))
          .cells(r.outcome.v_post.segment(k * d, d))
          .cells(r.outcome.p.segment(k * d, d));
      csv.cell(r.problem.mu_s[k])
          .cell(r.problem.mu_d[k])
          .cell(r.problem.e[k])
          .cell(w.normal)
          .cell(w.friction)
          .cell(w.compression)
          .cell(w.restitution)
          .end_row();
    }
  }
}

void write_segments(const RunFile& run, const std::string& path) {
  CsvFile csv(path);
  const int d = run.dimension;
  for (const char* column : {"impact", "segment", "contact", "phase", "state", "mode"}) csv.cell(column);
  for (const char* what : {"p_begin", "p_end", "v_begin", "v_end"}) component_names(csv, what, d);
  csv.end_row();
  for (std::size_t i = 0; i < run.impacts.size(); ++i) {
    const ImpactRecord& r = run.impacts[i];
    for (std::size_t s = 0; s < r.outcome.segments.size(); ++s) {
      const ImpactSegment& segment = r.outcome.segments[s];
      for (std::size_t c = 0; c < r.contacts.size(); ++c) {
        const Eigen::Index at = static_cast<Eigen::Index>(c) * d;
        csv.cell(static_cast<int>(i))
            .cell(static_cast<int>(s))
            .cell(name(run, r.contacts[c]))
            .cell(name(segment.phase))
            .cell(name(segment.state[c]))
            .cell(segment.mode);
        csv.cells(segment.p_begin.segment(at, d))
            .cells(segment.p_end.segment(at, d))
            .cells(segment.v_begin.segment(at, d))
            .cells(segment.v_end.segment(at, d))
            .end_row();
      }
    }
  }
}

}  // namespace

std::vector<std::string> write_csv(const RunFile& run, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw InputError("--csv", folder, "cannot be made: " + failed.message());
  std::vector<std::string> written;
  const std::pair<const char*, void (*)(const RunFile&, const std::string&)> files[] = {{"trajectory.csv", write_trajectory},
                                                                                        {"events.csv", write_events},
                                                                                        {"impacts.csv", write_impacts},
                                                                                        {"impact_contacts.csv", write_contacts},
                                                                                        {"impact_segments.csv", write_segments}};
  for (const auto& [file, write] : files) {
    written.push_back((std::filesystem::path(folder) / file).string());
    write(run, written.back());
  }
  return written;
}

}  // namespace carom::io
