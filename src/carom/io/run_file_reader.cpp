#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/core/error.hpp"
#include "carom/io/hdf5_handle.hpp"
#include "carom/io/run_file.hpp"

namespace carom::io {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// One dataset of numbers, with its first dimension as rows.
template <class Number>
struct Column {
  std::vector<Number> values;
  std::size_t rows = 0, width = 1;

  Number operator[](std::size_t row) const { return values[row]; }
  VectorXd vector(std::size_t row) const { return Eigen::Map<const VectorXd>(values.data() + row * width, static_cast<Index>(width)); }
};

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::error_code failed;
    if (!std::filesystem::exists(path, failed)) throw InputError("file", path, "is not there");
    if (!std::filesystem::is_regular_file(path, failed)) throw InputError("file", path, "is not a file that could hold a run");
    file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    // A run that was killed, or that goes on, is marked as being written.
    // What its last write tore is tried a few times, in case the writer lives (HDF5 would try for hours).
    const Handle patience(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_metadata_read_attempts(patience, 20);
    if (file_ < 0) {
      file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, patience), H5Fclose);
      unfinished_ = true;
    }
    if (file_ < 0) throw InputError("file", path, "cannot be opened as HDF5: a run file is what `carom run -o` writes");
    if (!H5Aexists(file_, "format") || text_attribute(file_, "format") != "carom-run")
      throw InputError("file", path, "is HDF5, but not a run file of carom");
  }

  hid_t file() const { return file_; }
  [[noreturn]] void fail(const std::string& field, const std::string& value, const std::string& allowed) const {
    throw InputError(field, value, allowed, {.file = path_});
  }

  const std::vector<std::string>& damaged() const { return damaged_; }

  bool has(const std::string& name) const { return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0; }

  // Rows of `width` numbers; a table of width 0 has no dataset.
  Column<double> reals(const std::string& name, std::size_t width = 1) const { return column<double>(name, H5T_NATIVE_DOUBLE, width); }
  Column<std::int64_t> integers(const std::string& name) const { return column<std::int64_t>(name, H5T_NATIVE_INT64, 1); }
  std::string bytes(const std::string& name) const {
    const Column<unsigned char> found = column<unsigned char>(name, H5T_NATIVE_UCHAR, 1);
    return {found.values.begin(), found.values.end()};
  }

  std::vector<std::string> words(const std::string& name) const {
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (set < 0) fail(name, "missing", "must be a dataset");
    const Handle space(H5Dget_space(set), H5Sclose), type(H5Dget_type(set), H5Tclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t length = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || count < 0) fail(name, "", "must hold words of a fixed length");
    std::string block(length * static_cast<std::size_t>(count), '\0');
    if (count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data()) < 0) fail(name, "unreadable", "must hold words");
    std::vector<std::string> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) all.push_back(trimmed(block.substr(i * length, length)));
    return all;
  }

  std::string text_attribute(hid_t object, const char* name) const {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    if (attribute < 0) fail(name, "missing", "must be an attribute");
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) fail(name, "", "must be a word");
    std::string text(H5Tget_size(type), '\0');
    if (H5Aread(attribute, type, text.data()) < 0) fail(name, "unreadable", "must be a word");
    return trimmed(text);
  }
  std::vector<double> numbers_attribute(hid_t object, const char* name) const {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    if (attribute < 0) fail(name, "missing", "must be an attribute");
    const Handle space(H5Aget_space(attribute), H5Sclose), type(H5Aget_type(attribute), H5Tclose);
    std::vector<double> values(static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0)));
    if (H5Tget_class(type) == H5T_STRING || (!values.empty() && H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()) < 0))
      fail(name, "", "must be numbers");
    return values;
  }
  double number_attribute(hid_t object, const char* name) const {
    const std::vector<double> values = numbers_attribute(object, name);
    if (values.size() != 1) fail(name, "", "must be one number");
    return values[0];
  }

 private:
  static std::string trimmed(std::string text) {
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
  }

  template <class Number>
  Column<Number> column(const std::string& name, hid_t type, std::size_t width) const {
    Column<Number> column;
    column.width = width;
    if (width == 0) {
      column.rows = std::numeric_limits<std::size_t>::max();
      return column;
    }
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (set < 0 && unfinished_) {
      damaged_.push_back(name);
      return column;
    }
    if (set < 0) fail(name, "missing", "must be a dataset");
    const Handle space(H5Dget_space(set), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 0 || static_cast<std::size_t>(count) % width != 0)
      fail(name, fmt::format("{} numbers", count), fmt::format("must be rows of {}", width));
    column.values.resize(static_cast<std::size_t>(count));
    if (count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()) < 0) fail(name, "unreadable", "must hold numbers");
    column.rows = column.values.size() / width;
    return column;
  }

  std::string path_;
  Handle file_;
  bool unfinished_ = false;                   // marked as being written
  mutable std::vector<std::string> damaged_;  // datasets that the kill of such a run has torn
};

// The rows that all columns of a table have: a run that was killed may have flushed some of them only.
template <class... Columns>
std::size_t common_rows(const Columns&... columns) {
  return std::min({columns.rows...});
}

template <class Enum>
Enum as_enum(const Reader& in, std::int64_t value, Enum last, const std::string& field) {
  if (value < 0 || value > static_cast<std::int64_t>(last))
    in.fail(field, fmt::format("{}", value), fmt::format("must be in [0, {}]", static_cast<int>(last)));
  return static_cast<Enum>(value);
}

// Words that stand in the pool of bytes.
struct TextColumn {
  TextColumn(const Reader& in, const std::string& name)
      : at(in.integers(name + "_at")), length(in.integers(name + "_length")), rows(std::min(at.rows, length.rows)) {}
  std::string text(const std::string& pool, std::size_t row) const {
    if (at[row] < 0 || length[row] < 0 || static_cast<std::size_t>(at[row]) > pool.size()) return "";
    return pool.substr(static_cast<std::size_t>(at[row]), static_cast<std::size_t>(length[row]));
  }
  Column<std::int64_t> at, length;
  std::size_t rows;
};

void read_manifest(const Reader& in, RunFile& run) {
  run.dimension = static_cast<int>(in.number_attribute(in.file(), "dimension"));
  if (run.dimension != 2 && run.dimension != 3) in.fail("dimension", fmt::format("{}", run.dimension), "must be 2 or 3");
  const Handle group(H5Gopen2(in.file(), "/manifest", H5P_DEFAULT), H5Gclose);
  if (group < 0) in.fail("/manifest", "missing", "must be a group");
  std::vector<std::string> names;
  const auto gather = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, gather, &names);
  for (const std::string& name : names) {
    const Handle attribute(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose), type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_class(type) == H5T_STRING)
      run.manifest.emplace_back(name, in.text_attribute(group, name.c_str()));
    else if (H5Tget_class(type) == H5T_INTEGER)
      run.manifest.emplace_back(name, static_cast<std::int64_t>(in.number_attribute(group, name.c_str())));
    else
      run.manifest.emplace_back(name, in.number_attribute(group, name.c_str()));
  }
  const std::vector<std::string> scene = in.words("/manifest/scene");
  run.scene_text = scene.empty() ? "" : scene[0];
  run.bodies = in.words("/names/bodies");
  run.joints = in.words("/names/joints");
  run.colliders = in.words("/names/colliders");
  run.limits = in.words("/names/limits");
  run.coordinates = in.words("/names/coordinates");
  run.speeds = in.words("/names/speeds");
}

void read_trajectory(const Reader& in, RunFile& run) {
  const std::string at = "/trajectory/";
  const Column<double> time = in.reals(at + "time"), q = in.reals(at + "q", run.coordinates.size()), u = in.reals(at + "u", run.speeds.size()),
                       poses = in.reals(at + "poses", 7 * run.bodies.size()), kinetic = in.reals(at + "kinetic"),
                       potential = in.reals(at + "potential"), forces = in.reals(at + "forces"), contacts = in.reals(at + "contacts"),
                       impacts = in.reals(at + "impacts"), check = in.reals(at + "check");
  const std::size_t rows = common_rows(time, q, u, poses, kinetic, potential, forces, contacts, impacts, check);
  for (std::size_t i = 0; i < rows; ++i) {
    Sample sample{time[i], q.vector(i), u.vector(i), {kinetic[i], potential[i], forces[i], contacts[i], impacts[i], check[i]}, {}};
    const VectorXd all = poses.vector(i);
    for (Index b = 0; b < static_cast<Index>(run.bodies.size()); ++b) {
      const Eigen::Quaterniond turn(all[7 * b + 3], all[7 * b + 4], all[7 * b + 5], all[7 * b + 6]);
      sample.poses.push_back({turn.toRotationMatrix(), all.segment<3>(7 * b)});
    }
    run.samples.push_back(std::move(sample));
  }
}

void read_events(const Reader& in, const std::string& pool, RunFile& run) {
  const std::string at = "/events/";
  const Column<double> time = in.reals(at + "time"), ratio = in.reals(at + "ratio"), gap = in.reals(at + "gap");
  const Column<std::int64_t> kind = in.integers(at + "kind"), a = in.integers(at + "a"), b = in.integers(at + "b"),
                             feature = in.integers(at + "feature"), impact = in.integers(at + "impact"), bounces = in.integers(at + "bounces");
  const TextColumn note(in, at + "note");
  const std::size_t rows = common_rows(time, ratio, gap, kind, a, b, feature, impact, bounces, note);
  for (std::size_t i = 0; i < rows; ++i)
    run.events.push_back({time[i],
                          as_enum(in, kind[i], EventKind::feature_change, at + "kind"),
                          {static_cast<int>(a[i]), static_cast<int>(b[i]), static_cast<int>(feature[i])},
                          static_cast<int>(impact[i]),
                          static_cast<int>(bounces[i]),
                          ratio[i],
                          gap[i],
                          note.text(pool, i)});
}

// The details of impacts, read from front to back: each impact takes its rows.
class ImpactDetails {
 public:
  ImpactDetails(const Reader& in, const std::string& pool, std::size_t d) : in_(in), pool_(pool), d_(d) {}

  // False when the rows of this impact are not all there.
  bool take(std::size_t contacts, std::size_t events, std::size_t segments, ImpactRecord& record) {
    return take_contacts(contacts, record) && take_events(contacts, events, record.outcome) && take_segments(contacts, segments, record.outcome);
  }

 private:
  VectorXd stacked(const Column<double>& column, std::size_t first, std::size_t count) const {
    return Eigen::Map<const VectorXd>(column.values.data() + first * d_, static_cast<Index>(count * d_));
  }

  bool take_contacts(std::size_t n, ImpactRecord& record) {
    const std::size_t first = contact_, size = n * d_;
    if (first + n > common_rows(a_, b_, feature_, body_a_, body_b_, v_pre_, v_post_, impulse_, point_, normal_, surface_, work_) ||
        delassus_at_ + size * size > delassus_.rows)
      return false;
    ImpactProblem& p = record.problem;
    p.dimension = static_cast<int>(d_);
    p.v_pre = stacked(v_pre_, first, n);
    record.outcome.v_post = stacked(v_post_, first, n);
    record.outcome.p = stacked(impulse_, first, n);
    p.G = Eigen::Map<const Eigen::MatrixXd>(delassus_.values.data() + delassus_at_, static_cast<Index>(size), static_cast<Index>(size));
    for (VectorXd* each : {&p.mu_s, &p.mu_d, &p.e, &p.stiffness, &p.exponent}) each->resize(static_cast<Index>(n));
    ContactGeometry geometry{
        Eigen::MatrixXd(static_cast<Index>(d_), static_cast<Index>(n)), Eigen::MatrixXd(static_cast<Index>(d_), static_cast<Index>(n)), {}};
    for (std::size_t c = 0; c < n; ++c) {
      const std::size_t row = first + c;
      const auto i = static_cast<Index>(c);
      const VectorXd surface = surface_.vector(row), work = work_.vector(row);
      record.contacts.push_back({static_cast<int>(a_[row]), static_cast<int>(b_[row]), static_cast<int>(feature_[row])});
      p.mu_s[i] = surface[0], p.mu_d[i] = surface[1], p.e[i] = surface[2], p.stiffness[i] = surface[3], p.exponent[i] = surface[4];
      record.outcome.energy.contacts.push_back({work[0], work[1], work[2], work[3]});
      geometry.points.col(i) = point_.vector(row);
      geometry.normals.col(i) = normal_.vector(row);
      geometry.bodies.push_back({static_cast<int>(body_a_[row]), static_cast<int>(body_b_[row])});
    }
    if (geometry.points.allFinite()) p.geometry = std::move(geometry);
    contact_ += n;
    delassus_at_ += size * size;
    return true;
  }

  bool take_events(std::size_t n, std::size_t count, ImpactOutcome& outcome) {
    if (event_ + count > common_rows(event_kind_, event_contact_, event_impulse_, event_work_) ||
        event_velocity_at_ + count * n > event_velocity_.rows)
      return false;
    for (std::size_t i = 0; i < count; ++i, ++event_, event_velocity_at_ += n)
      outcome.events.push_back({as_enum(in_, event_kind_[event_], ImpactEventKind::separates, "/impact_events/kind"),
                                static_cast<int>(event_contact_[event_]), event_impulse_[event_], stacked(event_velocity_, event_velocity_at_, n),
                                event_work_[event_]});
    return true;
  }

  bool take_segments(std::size_t n, std::size_t count, ImpactOutcome& outcome) {
    if (segment_ + count > common_rows(segment_phase_, segment_path_, segment_work_, segment_mode_) ||
        segment_row_ + count * n > common_rows(state_, p_begin_, p_end_, v_begin_, v_end_))
      return false;
    for (std::size_t i = 0; i < count; ++i, ++segment_, segment_row_ += n) {
      ImpactSegment segment;
      segment.phase = as_enum(in_, segment_phase_[segment_], Phase::restitution, "/impact_segments/phase");
      segment.mode = segment_mode_.text(pool_, segment_);
      segment.work_begin = segment_work_.vector(segment_)[0];
      segment.work_end = segment_work_.vector(segment_)[1];
      for (std::size_t c = 0; c < n; ++c)
        segment.state.push_back(as_enum(in_, state_[segment_row_ + c], SlipState::separated, "/impact_segment_contacts/state"));
      segment.p_begin = stacked(p_begin_, segment_row_, n), segment.p_end = stacked(p_end_, segment_row_, n);
      segment.v_begin = stacked(v_begin_, segment_row_, n), segment.v_end = stacked(v_end_, segment_row_, n);
      const std::int64_t points = segment_path_[segment_];
      if (points < 0 || path_at_ + static_cast<std::size_t>(points) * n > common_rows(path_v_, path_p_)) return false;
      if (points > 0) {
        const auto rows = static_cast<Index>(n * d_);
        segment.v_path = Eigen::Map<const Eigen::MatrixXd>(path_v_.values.data() + path_at_ * d_, rows, points);
        segment.p_path = Eigen::Map<const Eigen::MatrixXd>(path_p_.values.data() + path_at_ * d_, rows, points);
        path_at_ += static_cast<std::size_t>(points) * n;
      }
      outcome.segments.push_back(std::move(segment));
    }
    return true;
  }

  const Reader& in_;
  const std::string& pool_;
  std::size_t d_;
  std::size_t contact_ = 0, delassus_at_ = 0, event_ = 0, event_velocity_at_ = 0, segment_ = 0, segment_row_ = 0, path_at_ = 0;

  const Column<double> v_pre_ = in_.reals("/impact_contacts/v_pre", d_), v_post_ = in_.reals("/impact_contacts/v_post", d_),
                       impulse_ = in_.reals("/impact_contacts/impulse", d_), point_ = in_.reals("/impact_contacts/point", d_),
                       normal_ = in_.reals("/impact_contacts/normal", d_), surface_ = in_.reals("/impact_contacts/surface", 5),
                       work_ = in_.reals("/impact_contacts/work", 4), delassus_ = in_.reals("/delassus"),
                       event_impulse_ = in_.reals("/impact_events/impulse"), event_work_ = in_.reals("/impact_events/normal_work"),
                       event_velocity_ = in_.reals("/impact_events/velocities", d_), segment_work_ = in_.reals("/impact_segments/work", 2),
                       p_begin_ = in_.reals("/impact_segment_contacts/p_begin", d_), p_end_ = in_.reals("/impact_segment_contacts/p_end", d_),
                       v_begin_ = in_.reals("/impact_segment_contacts/v_begin", d_), v_end_ = in_.reals("/impact_segment_contacts/v_end", d_),
                       path_v_ = in_.reals("/impact_paths/v", d_), path_p_ = in_.reals("/impact_paths/p", d_);
  const Column<std::int64_t> a_ = in_.integers("/impact_contacts/a"), b_ = in_.integers("/impact_contacts/b"),
                             feature_ = in_.integers("/impact_contacts/feature"), body_a_ = in_.integers("/impact_contacts/body_a"),
                             body_b_ = in_.integers("/impact_contacts/body_b"), event_kind_ = in_.integers("/impact_events/kind"),
                             event_contact_ = in_.integers("/impact_events/contact"), segment_phase_ = in_.integers("/impact_segments/phase"),
                             segment_path_ = in_.integers("/impact_segments/path_points"), state_ = in_.integers("/impact_segment_contacts/state");
  const TextColumn segment_mode_{in_, "/impact_segments/mode"};
};

void read_impacts(const Reader& in, const std::string& pool, RunFile& run) {
  const std::string at = "/impacts/";
  const std::size_t nv = run.speeds.size();
  const Column<double> time = in.reals(at + "time"), kinetic = in.reals(at + "kinetic", 2), energy = in.reals(at + "energy", 7),
                       residuals = in.reals(at + "residuals", 3), u_after = in.reals(at + "u_after", nv);
  const Column<std::int64_t> contacts = in.integers(at + "contacts"), events = in.integers(at + "events"), segments = in.integers(at + "segments"),
                             status = in.integers(at + "status"), without = in.integers(at + "without_collision");
  const TextColumn law(in, at + "law"), restitution(in, at + "restitution"), warnings(in, at + "warnings");
  ImpactDetails details(in, pool, static_cast<std::size_t>(run.dimension));
  const std::size_t rows =
      common_rows(time, kinetic, energy, residuals, u_after, contacts, events, segments, status, without, law, restitution, warnings);
  for (std::size_t i = 0; i < rows; ++i) {
    ImpactRecord record;
    if (contacts[i] < 0 || events[i] < 0 || segments[i] < 0) in.fail("/impacts/contacts", fmt::format("{}", contacts[i]), "must be ≥ 0");
    if (!details.take(static_cast<std::size_t>(contacts[i]), static_cast<std::size_t>(events[i]), static_cast<std::size_t>(segments[i]), record))
      return;
    record.time = time[i];
    record.kinetic_before = kinetic.vector(i)[0];
    record.kinetic_after = kinetic.vector(i)[1];
    record.without_collision = without[i] != 0;
    ImpactOutcome& outcome = record.outcome;
    outcome.status = as_enum(in, status[i], ImpactStatus::no_solution, at + "status");
    const VectorXd e = energy.vector(i), r = residuals.vector(i);
    std::vector<ContactWork> works = std::move(outcome.energy.contacts);
    outcome.energy = {e[0], e[1], e[2], e[3], e[4], e[5], e[6], std::move(works)};
    outcome.residuals = {r[0], r[1], r[2]};
    if (const VectorXd u = u_after.vector(i); u.allFinite()) outcome.qdot_post = u;
    outcome.law = law.text(pool, i);
    outcome.restitution = restitution.text(pool, i);
    if (const std::string text = warnings.text(pool, i); !text.empty()) outcome.warnings.push_back(text);
    run.impacts.push_back(std::move(record));
  }
}

void read_summary(const Reader& in, RunFile& run) {
  if (!in.has("/summary")) return;
  const Handle group(H5Gopen2(in.file(), "/summary", H5P_DEFAULT), H5Gclose);
  RunSummary s;
  const std::string status = in.text_attribute(group, "status");
  s.status = status == "finished" ? RunStatus::finished : status == "stopped" ? RunStatus::stopped : RunStatus::failed;
  s.reason = in.text_attribute(group, "reason");
  const auto number = [&](const char* name) { return in.number_attribute(group, name); };
  s.end_time = number("end_time");
  s.steps = static_cast<long>(number("steps"));
  s.rejected = static_cast<long>(number("rejected"));
  for (const double count : in.numbers_attribute(group, "events_by_kind")) s.events_by_kind.push_back(static_cast<long>(count));
  s.smooth_drift = number("smooth_drift");
  s.impact_loss = number("impact_loss");
  s.worst_gap = number("worst_gap");
  s.worst_gain = number("worst_gain");
  s.worst_certificate = number("worst_certificate");
  const std::vector<double> e = in.numbers_attribute(group, "energy");
  if (e.size() != 6) in.fail("/summary@energy", fmt::format("{} numbers", e.size()), "must be 6");
  s.energy = {e[0], e[1], e[2], e[3], e[4], e[5]};
  s.warnings = in.words("/summary/warnings");
  run.summary = std::move(s);
}

}  // namespace

RunFile read_run(const std::string& path) {
  const Quiet quiet;
  const Reader in(path);
  RunFile run;
  read_manifest(in, run);
  const std::string pool = in.bytes("/text");
  read_trajectory(in, run);
  read_events(in, pool, run);
  read_impacts(in, pool, run);
  read_summary(in, run);
  run.damaged = in.damaged();
  return run;
}

std::string name(const RunFile& run, const ContactId& contact) {
  const auto of = [](const std::vector<std::string>& names, int i) {
    return i >= 0 && i < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(i)] : fmt::format("?{}", i);
  };
  if (contact.a == ContactId::kLimit) return fmt::format("{} {} limit", of(run.limits, contact.b), contact.feature == 0 ? "lower" : "upper");
  return fmt::format("{}/{}#{}", of(run.colliders, contact.a), of(run.colliders, contact.b), contact.feature);
}

}  // namespace carom::io
