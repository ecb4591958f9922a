#pragma once
// Which datasets a run file has, and what their rows mean; run_file.hpp tells what stands in which group.

#include <map>
#include <string>

#include "carom/io/run_tables.hpp"
#include "carom/model/model.hpp"

namespace carom::io {

// Words of any length, as pieces of a pool of bytes; what repeats is kept once.
class TextPool {
 public:
  TextPool(RunTables& tables, const std::string& path) : bytes_(tables.bytes(path)) {}
  std::int64_t place(const std::string& text) {
    const auto [known, fresh] = places_.emplace(text, bytes_.rows());
    if (fresh) bytes_.push_all(text);
    return known->second;
  }

 private:
  Bytes& bytes_;
  std::map<std::string, std::int64_t> places_;
};

struct TextColumn {
  TextColumn(RunTables& tables, TextPool& p, const std::string& path)
      : pool(p), at(tables.integers(path + "_at")), length(tables.integers(path + "_length")) {}
  void push(const std::string& text) {
    at.push(pool.place(text));
    length.push(static_cast<std::int64_t>(text.size()));
  }
  TextPool& pool;
  Integers &at, &length;
};

struct TrajectoryTable {
  TrajectoryTable(RunTables& t, const Model& m)
      : time(t.reals("/trajectory/time")),
        q(t.reals("/trajectory/q", {static_cast<hsize_t>(m.nq())})),
        u(t.reals("/trajectory/u", {static_cast<hsize_t>(m.nv())})),
        poses(t.reals("/trajectory/poses", {static_cast<hsize_t>(m.bodies()), 7})),
        kinetic(t.reals("/trajectory/kinetic")),
        potential(t.reals("/trajectory/potential")),
        forces(t.reals("/trajectory/forces")),
        contacts(t.reals("/trajectory/contacts")),
        impacts(t.reals("/trajectory/impacts")),
        check(t.reals("/trajectory/check")) {}
  Reals &time, &q, &u, &poses, &kinetic, &potential, &forces, &contacts, &impacts, &check;
};

struct EventTable {
  EventTable(RunTables& t, TextPool& pool)
      : time(t.reals("/events/time")),
        ratio(t.reals("/events/ratio")),
        gap(t.reals("/events/gap")),
        kind(t.integers("/events/kind")),
        a(t.integers("/events/a")),
        b(t.integers("/events/b")),
        feature(t.integers("/events/feature")),
        impact(t.integers("/events/impact")),
        bounces(t.integers("/events/bounces")),
        note(t, pool, "/events/note") {}
  Reals &time, &ratio, &gap;
  Integers &kind, &a, &b, &feature, &impact, &bounces;
  TextColumn note;
};

struct ContactTable {
  ContactTable(RunTables& t, hsize_t d)
      : impact(t.integers("/impact_contacts/impact")),
        a(t.integers("/impact_contacts/a")),
        b(t.integers("/impact_contacts/b")),
        feature(t.integers("/impact_contacts/feature")),
        body_a(t.integers("/impact_contacts/body_a")),
        body_b(t.integers("/impact_contacts/body_b")),
        v_pre(t.reals("/impact_contacts/v_pre", {d})),
        v_post(t.reals("/impact_contacts/v_post", {d})),
        impulse(t.reals("/impact_contacts/impulse", {d})),
        point(t.reals("/impact_contacts/point", {d})),
        normal(t.reals("/impact_contacts/normal", {d})),
        surface(t.reals("/impact_contacts/surface", {5})),
        work(t.reals("/impact_contacts/work", {4})) {}
  Integers &impact, &a, &b, &feature, &body_a, &body_b;
  Reals &v_pre, &v_post, &impulse, &point, &normal;
  Reals& surface;  // μ_s, μ_d, e, stiffness, exponent
  Reals& work;     // normal, friction, compression, restitution
};

struct HistoryTables {
  HistoryTables(RunTables& t, TextPool& pool, hsize_t d)
      : event_impact(t.integers("/impact_events/impact")),
        event_kind(t.integers("/impact_events/kind")),
        event_contact(t.integers("/impact_events/contact")),
        event_impulse(t.reals("/impact_events/impulse")),
        event_work(t.reals("/impact_events/normal_work")),
        event_velocity(t.reals("/impact_events/velocities", {d})),
        segment_impact(t.integers("/impact_segments/impact")),
        segment_phase(t.integers("/impact_segments/phase")),
        segment_path(t.integers("/impact_segments/path_points")),
        segment_work(t.reals("/impact_segments/work", {2})),
        segment_mode(t, pool, "/impact_segments/mode"),
        state(t.integers("/impact_segment_contacts/state")),
        p_begin(t.reals("/impact_segment_contacts/p_begin", {d})),
        p_end(t.reals("/impact_segment_contacts/p_end", {d})),
        v_begin(t.reals("/impact_segment_contacts/v_begin", {d})),
        v_end(t.reals("/impact_segment_contacts/v_end", {d})),
        path_v(t.reals("/impact_paths/v", {d})),
        path_p(t.reals("/impact_paths/p", {d})) {}
  Integers &event_impact, &event_kind, &event_contact;
  Reals &event_impulse, &event_work;
  Reals& event_velocity;  // of every contact of the impact, event after event
  Integers &segment_impact, &segment_phase, &segment_path;
  Reals& segment_work;  // at its begin and end
  TextColumn segment_mode;
  Integers& state;  // of every contact, segment after segment
  Reals &p_begin, &p_end, &v_begin, &v_end;
  Reals &path_v, &path_p;  // of every contact, point after point
};

struct ImpactTable {
  ImpactTable(RunTables& t, TextPool& pool, const Model& m)
      : time(t.reals("/impacts/time")),
        kinetic(t.reals("/impacts/kinetic", {2})),
        energy(t.reals("/impacts/energy", {7})),
        residuals(t.reals("/impacts/residuals", {3})),
        u_before(t.reals("/impacts/u_before", {static_cast<hsize_t>(m.nv())})),
        u_after(t.reals("/impacts/u_after", {static_cast<hsize_t>(m.nv())})),
        contacts(t.integers("/impacts/contacts")),
        events(t.integers("/impacts/events")),
        segments(t.integers("/impacts/segments")),
        status(t.integers("/impacts/status")),
        without_collision(t.integers("/impacts/without_collision")),
        law(t, pool, "/impacts/law"),
        restitution(t, pool, "/impacts/restitution"),
        warnings(t, pool, "/impacts/warnings"),
        delassus(t.reals("/delassus")) {}
  Reals& time;
  Reals& kinetic;    // of the whole system before and after
  Reals& energy;     // ledger: change, normal, friction, compression, restitution, kinetic, closure
  Reals& residuals;  // momentum, cone, penetration
  Reals &u_before, &u_after;
  Integers &contacts, &events, &segments;  // how many rows of the tables of details are this impact's
  Integers &status, &without_collision;
  TextColumn law, restitution, warnings;
  Reals& delassus;  // (contacts · dimension)² numbers, impact after impact
};

}  // namespace carom::io
