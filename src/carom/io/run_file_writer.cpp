#include <fmt/format.h>

#include <Eigen/Geometry>
#include <boost/version.hpp>
#include <chrono>
#include <limits>

#include "carom/core/error.hpp"
#include "carom/io/run_file.hpp"
#include "carom/io/run_layout.hpp"
#include "carom/io/run_tables.hpp"
#include "carom/io/sha256.hpp"

namespace carom::io {
namespace {

using Clock = std::chrono::steady_clock;

// So many numbers may wait in memory, whatever the clock says.
constexpr std::size_t kMostWaiting = 1 << 20;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A kill can cut a write in two where it passes from one page of memory to the next (4096 bytes), and half a header loses its
// dataset. So every piece of metadata is allocated by itself and starts at a multiple of 512: none that is smaller crosses a page.
constexpr hsize_t kPiece = 512;

Handle latest_format() {
  Handle plist(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(plist, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_alignment(plist, 1, kPiece);
  H5Pset_meta_block_size(plist, 0);
  return plist;
}

Handle made_file(const std::string& path) {
  const Quiet quiet;
  const Handle timeless(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(timeless, false);
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, timeless, latest_format()), H5Fclose);
  if (file < 0) throw InputError("file", path, "cannot be made: is the folder there, and may it be written?");
  return file;
}

// Part c of a vector that has `d` numbers per contact; NaN where a law leaves the vector empty.
Eigen::VectorXd part(const Eigen::VectorXd& all, int c, int d) {
  if (all.size() < (c + 1) * d) return Eigen::VectorXd::Constant(d, kNone);
  return all.segment(c * d, d);
}

Eigen::VectorXd sized(const Eigen::VectorXd& given, Eigen::Index size) {
  return given.size() == size ? given : Eigen::VectorXd(Eigen::VectorXd::Constant(size, kNone));
}

double entry(const Eigen::VectorXd& values, int c, double otherwise) { return c < values.size() ? values[c] : otherwise; }

std::vector<std::string> coordinate_names(const Model& model, bool speeds) {
  std::vector<std::string> names;
  for (int i = 0; i < model.bodies(); ++i) {
    const int n = speeds ? model.joint(i).nv : model.joint(i).nq;
    for (int k = 0; k < n; ++k) names.push_back(n == 1 ? model.joint_name(i) : fmt::format("{}[{}]", model.joint_name(i), k));
  }
  return names;
}

void write_names(hid_t file, const Scene& scene) {
  make_group(file, "/names");
  const Model& model = scene.model;
  std::vector<std::string> bodies, joints, colliders, limits;
  for (int i = 0; i < model.bodies(); ++i) bodies.push_back(model.body_name(i)), joints.push_back(model.joint_name(i));
  for (const Collider& collider : scene.colliders) colliders.push_back(collider.name);
  for (const JointLimit& limit : scene.limits) limits.push_back(limit.joint);
  write_words(file, "/names/bodies", bodies);
  write_words(file, "/names/joints", joints);
  write_words(file, "/names/colliders", colliders);
  write_words(file, "/names/limits", limits);
  write_words(file, "/names/coordinates", coordinate_names(model, false));
  write_words(file, "/names/speeds", coordinate_names(model, true));
}

void write_manifest(hid_t file, const Scene& scene, const RunOrigin& origin) {
  write_attribute(file, "format", std::string("carom-run"));
  write_attribute(file, "format_version", std::int64_t{1});
  write_attribute(file, "dimension", std::int64_t{scene.model.dimension()});
  make_group(file, "/manifest");
  const Handle group(H5Gopen2(file, "/manifest", H5P_DEFAULT), H5Gclose);
  std::vector<std::pair<std::string, Setting>> all = settings(scene);
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  all.insert(all.end(), {{"carom", origin.version},
                         {"compiler", origin.compiler},
                         {"build", origin.build},
                         {"flags", origin.flags},
                         {"Eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
                         {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
                         {"HDF5", fmt::format("{}.{}.{}", major, minor, release)},
                         {"scene.file", origin.scene_file},
                         {"scene.sha256", sha256(origin.scene_text)},
                         {"seed", static_cast<std::int64_t>(origin.seed)}});
  for (const auto& setting : all) std::visit([&](const auto& value) { write_attribute(group, setting.first, value); }, setting.second);
  write_words(file, "/manifest/scene", {origin.scene_text});
  write_words(file, "/manifest/notes", scene.notes);
}

}  // namespace

struct RunFileWriter::Impl {
  Impl(const std::string& p, const Scene& scene, const RunOrigin& origin)
      : path(p), interval(origin.flush_interval), dimension(scene.model.dimension()), nv(scene.model.nv()), file(made_file(p)) {
    write_manifest(file, scene, origin);
    write_names(file, scene);
    for (const char* group : {"/trajectory", "/events", "/impacts", "/impact_contacts", "/impact_events", "/impact_segments",
                              "/impact_segment_contacts", "/impact_paths"})
      make_group(file, group);
    tables = std::make_unique<RunTables>(file);
    pool = std::make_unique<TextPool>(*tables, "/text");
    const auto d = static_cast<hsize_t>(dimension);
    contacts = std::make_unique<ContactTable>(*tables, d);
    history = std::make_unique<HistoryTables>(*tables, *pool, d);
    impacts = std::make_unique<ImpactTable>(*tables, *pool, scene.model);
    events = std::make_unique<EventTable>(*tables, *pool);
    trajectory = std::make_unique<TrajectoryTable>(*tables, scene.model);
    if (H5Fstart_swmr_write(file) < 0) throw InputError("file", path, "cannot be written in HDF5's single-writer mode on this file system");
    flush();
  }

  void flush() {
    tables->write();
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    flushed = Clock::now();
  }
  void flush_when_due() {
    if (tables->waiting() > kMostWaiting || std::chrono::duration<double>(Clock::now() - flushed).count() >= interval) flush();
  }
  void close() {
    flush();
    trajectory.reset(), events.reset(), impacts.reset(), history.reset(), contacts.reset(), pool.reset(), tables.reset();
    file.reset();
  }

  void push_contacts(const ImpactRecord& r, std::int64_t index);
  void push_history(const ImpactOutcome& outcome, int n, std::int64_t index);

  std::string path;
  double interval;
  int dimension, nv;
  Handle file;
  std::unique_ptr<RunTables> tables;
  std::unique_ptr<TextPool> pool;
  std::unique_ptr<ContactTable> contacts;
  std::unique_ptr<HistoryTables> history;
  std::unique_ptr<ImpactTable> impacts;
  std::unique_ptr<EventTable> events;
  std::unique_ptr<TrajectoryTable> trajectory;
  Clock::time_point flushed;
};

RunFileWriter::RunFileWriter(const std::string& path, const Scene& scene, const RunOrigin& origin)
    : impl_(std::make_unique<Impl>(path, scene, origin)) {}

RunFileWriter::~RunFileWriter() {
  if (!impl_->file) return;
  try {
    if (impl_->tables) impl_->close();
  } catch (const std::exception&) {  // the disk is full: what was flushed stays
  }
}

void RunFileWriter::flush() { impl_->flush(); }

bool RunFileWriter::progress(double /*time*/) {
  impl_->flush_when_due();
  return true;
}

void RunFileWriter::sample(const Sample& s) {
  TrajectoryTable& t = *impl_->trajectory;
  t.time.push(s.time);
  t.q.push_all(s.q);
  t.u.push_all(s.u);
  for (const Placement& pose : s.poses) {
    const Eigen::Quaterniond turn(pose.rotation);
    t.poses.push_all(pose.translation);
    for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) t.poses.push(x);
  }
  t.kinetic.push(s.energy.kinetic);
  t.potential.push(s.energy.potential);
  t.forces.push(s.energy.forces);
  t.contacts.push(s.energy.contacts);
  t.impacts.push(s.energy.impacts);
  t.check.push(s.energy.check);
  impl_->flush_when_due();
}

void RunFileWriter::event(const RunEvent& e) {
  EventTable& t = *impl_->events;
  t.time.push(e.time);
  t.kind.push(static_cast<std::int64_t>(e.kind));
  t.a.push(e.contact.a);
  t.b.push(e.contact.b);
  t.feature.push(e.contact.feature);
  t.impact.push(e.impact);
  t.bounces.push(e.bounces);
  t.ratio.push(e.ratio);
  t.gap.push(e.gap);
  t.note.push(e.note);
  impl_->flush_when_due();
}

void RunFileWriter::Impl::push_contacts(const ImpactRecord& r, std::int64_t index) {
  const int d = dimension;
  for (int c = 0; c < r.problem.contacts(); ++c) {
    const ContactId id = static_cast<std::size_t>(c) < r.contacts.size() ? r.contacts[static_cast<std::size_t>(c)] : ContactId{-1, -1, 0};
    contacts->impact.push(index);
    contacts->a.push(id.a), contacts->b.push(id.b), contacts->feature.push(id.feature);
    const bool placed = r.problem.geometry && c < r.problem.geometry->points.cols();
    contacts->body_a.push(placed ? r.problem.geometry->bodies[static_cast<std::size_t>(c)][0] : -2);
    contacts->body_b.push(placed ? r.problem.geometry->bodies[static_cast<std::size_t>(c)][1] : -2);
    contacts->point.push_all(sized(placed ? Eigen::VectorXd(r.problem.geometry->points.col(c)) : Eigen::VectorXd(), d));
    contacts->normal.push_all(sized(placed ? Eigen::VectorXd(r.problem.geometry->normals.col(c)) : Eigen::VectorXd(), d));
    contacts->v_pre.push_all(part(r.problem.v_pre, c, d));
    contacts->v_post.push_all(part(r.outcome.v_post, c, d));
    contacts->impulse.push_all(part(r.outcome.p, c, d));
    for (const double x : {entry(r.problem.mu_s, c, 0), entry(r.problem.mu_d, c, 0), entry(r.problem.e, c, 0), entry(r.problem.stiffness, c, 1),
                           entry(r.problem.exponent, c, 1.5)})
      contacts->surface.push(x);
    const std::vector<ContactWork>& works = r.outcome.energy.contacts;
    const ContactWork work = static_cast<std::size_t>(c) < works.size() ? works[static_cast<std::size_t>(c)] : ContactWork{};
    for (const double x : {work.normal, work.friction, work.compression, work.restitution}) contacts->work.push(x);
  }
}

void RunFileWriter::Impl::push_history(const ImpactOutcome& outcome, int n, std::int64_t index) {
  const int d = dimension;
  HistoryTables& h = *history;
  for (const ImpactEvent& event : outcome.events) {
    h.event_impact.push(index);
    h.event_kind.push(static_cast<std::int64_t>(event.kind));
    h.event_contact.push(event.contact);
    h.event_impulse.push(event.impulse);
    h.event_work.push(event.normal_work);
    for (int c = 0; c < n; ++c) h.event_velocity.push_all(part(event.velocity, c, d));
  }
  for (const ImpactSegment& segment : outcome.segments) {
    const bool curved = segment.v_path.rows() == n * d && segment.p_path.rows() == n * d && segment.v_path.cols() == segment.p_path.cols();
    const Eigen::Index points = curved ? segment.v_path.cols() : 0;
    h.segment_impact.push(index);
    h.segment_phase.push(static_cast<std::int64_t>(segment.phase));
    h.segment_path.push(points);
    h.segment_work.push(segment.work_begin), h.segment_work.push(segment.work_end);
    h.segment_mode.push(segment.mode);
    for (int c = 0; c < n; ++c) {
      h.state.push(static_cast<std::size_t>(c) < segment.state.size() ? static_cast<std::int64_t>(segment.state[static_cast<std::size_t>(c)]) : 0);
      h.p_begin.push_all(part(segment.p_begin, c, d)), h.p_end.push_all(part(segment.p_end, c, d));
      h.v_begin.push_all(part(segment.v_begin, c, d)), h.v_end.push_all(part(segment.v_end, c, d));
    }
    for (Eigen::Index k = 0; k < points; ++k) h.path_v.push_all(segment.v_path.col(k)), h.path_p.push_all(segment.p_path.col(k));
  }
}

void RunFileWriter::impact(const ImpactRecord& r) {
  ImpactTable& t = *impl_->impacts;
  const ImpactOutcome& outcome = r.outcome;
  const int n = r.problem.contacts();
  const std::int64_t index = t.time.rows();
  impl_->push_contacts(r, index);
  impl_->push_history(outcome, n, index);
  t.time.push(r.time);
  t.kinetic.push(r.kinetic_before), t.kinetic.push(r.kinetic_after);
  const EnergyLedger& e = outcome.energy;
  for (const double x : {e.change, e.normal_work, e.friction_work, e.compression_work, e.restitution_work, e.kinetic, e.closure}) t.energy.push(x);
  for (const double x : {outcome.residuals.momentum, outcome.residuals.cone, outcome.residuals.penetration}) t.residuals.push(x);
  t.u_before.push_all(sized(r.problem.system ? r.problem.system->qdot_pre : Eigen::VectorXd(), impl_->nv));
  t.u_after.push_all(sized(outcome.qdot_post, impl_->nv));
  t.contacts.push(n);
  t.events.push(static_cast<std::int64_t>(outcome.events.size()));
  t.segments.push(static_cast<std::int64_t>(outcome.segments.size()));
  t.status.push(static_cast<std::int64_t>(outcome.status));
  t.without_collision.push(r.without_collision);
  t.law.push(outcome.law);
  t.restitution.push(outcome.restitution);
  t.warnings.push(fmt::format("{}", fmt::join(outcome.warnings, "\n")));
  t.delassus.push_all(r.problem.G.reshaped());
  impl_->flush_when_due();
}

void RunFileWriter::finish(const RunSummary& s) {
  impl_->close();
  const Handle file(H5Fopen(impl_->path.c_str(), H5F_ACC_RDWR, latest_format()), H5Fclose);
  make_group(file, "/summary");
  const Handle group(H5Gopen2(file, "/summary", H5P_DEFAULT), H5Gclose);
  write_attribute(group, "status", std::string(name(s.status)));
  write_attribute(group, "reason", s.reason);
  write_attribute(group, "end_time", s.end_time);
  write_attribute(group, "steps", std::int64_t{s.steps});
  write_attribute(group, "rejected", std::int64_t{s.rejected});
  const std::vector<double> counts(s.events_by_kind.begin(), s.events_by_kind.end());
  write_attribute(group, "events_by_kind", counts);
  write_attribute(group, "smooth_drift", s.smooth_drift);
  write_attribute(group, "impact_loss", s.impact_loss);
  write_attribute(group, "worst_gap", s.worst_gap);
  write_attribute(group, "worst_gain", s.worst_gain);
  write_attribute(group, "worst_certificate", s.worst_certificate);
  const EnergyState& e = s.energy;
  write_attribute(group, "energy", std::vector<double>{e.kinetic, e.potential, e.forces, e.contacts, e.impacts, e.check});
  write_words(file, "/summary/warnings", s.warnings);
}

}  // namespace carom::io
