#include "carom/geometry/quickhull.hpp"

#include <Eigen/Geometry>
#include <map>

namespace carom {
namespace {

using Eigen::Vector3d;

struct Facet : HullTriangle {
  Vector3d normal = Vector3d::Zero();
  double offset = 0;
  std::vector<int> outside{};  // points that see it, each kept by one facet only
  bool alive = true;
};

class Builder {
 public:
  Builder(std::span<const Vector3d> points, double slack) : points_(points), slack_(slack) {}

  bool build() {
    if (!start()) return false;
    for (std::size_t f = 0; f < facets_.size(); ++f)
      while (facets_[f].alive && !facets_[f].outside.empty())
        if (!add_point(static_cast<int>(f))) return false;
    return true;
  }

  std::vector<HullTriangle> triangles() const {
    std::vector<int> place(facets_.size(), -1);
    std::vector<HullTriangle> kept;
    for (std::size_t f = 0; f < facets_.size(); ++f)
      if (facets_[f].alive) {
        place[f] = static_cast<int>(kept.size());
        kept.push_back(facets_[f]);
      }
    for (HullTriangle& t : kept)
      for (int& g : t.neighbour) g = place[g];
    return kept;
  }

 private:
  double height(const Facet& f, int i) const { return f.normal.dot(points_[i]) - f.offset; }

  int add_facet(int a, int b, int c) {
    Facet f;
    f.corner = {a, b, c};
    f.normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]).normalized();
    f.offset = f.normal.dot(points_[a]);
    facets_.push_back(std::move(f));
    return static_cast<int>(facets_.size()) - 1;
  }

  // The point of greatest |measure|, if that exceeds the slack.
  template <class Measure>
  int farthest(Measure&& measure) const {
    int best = -1;
    double most = slack_;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i)
      if (measure(points_[i]) > most) {
        most = measure(points_[i]);
        best = i;
      }
    return best;
  }

  // A large tetrahedron.
  bool start() {
    const int a = farthest([&](const Vector3d& p) { return (p - points_[0]).norm(); });
    if (a < 0) return false;
    const int b = farthest([&](const Vector3d& p) { return (p - points_[a]).norm(); });
    const Vector3d along = (points_[b] - points_[a]).normalized();
    const int c = farthest([&](const Vector3d& p) { return (p - points_[a]).cross(along).norm(); });
    if (c < 0) return false;
    const Vector3d normal = (points_[b] - points_[a]).cross(points_[c] - points_[a]).normalized();
    const int d = farthest([&](const Vector3d& p) { return std::abs(normal.dot(p - points_[a])); });
    if (d < 0) return false;
    const bool below = normal.dot(points_[d] - points_[a]) < 0;
    const int q = below ? b : c, r = below ? c : b;  // a, q, r is counter-clockwise seen from d's far side
    add_facet(a, q, r);
    add_facet(a, r, d);
    add_facet(r, q, d);
    add_facet(q, a, d);
    facets_[0].neighbour = {3, 2, 1};
    facets_[1].neighbour = {0, 2, 3};
    facets_[2].neighbour = {0, 3, 1};
    facets_[3].neighbour = {0, 1, 2};
    std::vector<int> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    hand_out(all, 0);
    return height(facets_[0], d) < 0;
  }

  // Gives each point to the facet, from `first` on, that it stands highest over.
  void hand_out(const std::vector<int>& indices, std::size_t first) {
    for (const int i : indices) {
      double most = slack_;
      Facet* owner = nullptr;
      for (std::size_t f = first; f < facets_.size(); ++f)
        if (const double s = height(facets_[f], i); s > most) {
          most = s;
          owner = &facets_[f];
        }
      if (owner) owner->outside.push_back(i);
    }
  }

  // Takes the highest point over facet f into the hull: what it sees is replaced by the fan from it to the border.
  bool add_point(int f) {
    int apex = facets_[f].outside.front();
    for (const int i : facets_[f].outside)
      if (height(facets_[f], i) > height(facets_[f], apex)) apex = i;

    std::vector<int> seen = {f}, orphans;
    std::map<int, std::pair<int, std::pair<int, int>>> border;  // from → (to, (facet beyond, its side))
    facets_[f].alive = false;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const Facet& facet = facets_[seen[k]];
      for (int side = 0; side < 3; ++side) {
        const int g = facet.neighbour[side];
        if (!facets_[g].alive) continue;
        if (height(facets_[g], apex) > slack_) {
          facets_[g].alive = false;
          seen.push_back(g);
        }
      }
    }
    for (const int s : seen) {
      const Facet& facet = facets_[s];
      orphans.insert(orphans.end(), facet.outside.begin(), facet.outside.end());
      for (int side = 0; side < 3; ++side) {
        const int g = facet.neighbour[side];
        if (!facets_[g].alive) continue;
        const int from = facet.corner[side], to = facet.corner[(side + 1) % 3];
        int back = 0;
        while (back < 3 && facets_[g].corner[back] != to) ++back;
        if (!border.emplace(from, std::make_pair(to, std::make_pair(g, back))).second) return false;
      }
    }
    std::erase(orphans, apex);  // each round uses up one point, so that rounds end
    return add_fan(apex, border, orphans);
  }

  bool add_fan(int apex, const std::map<int, std::pair<int, std::pair<int, int>>>& border, const std::vector<int>& orphans) {
    if (border.size() < 3) return false;
    const std::size_t first = facets_.size();
    const int start = border.begin()->first;
    int from = start;
    do {
      const auto entry = border.find(from);
      if (entry == border.end() || facets_.size() - first >= border.size()) return false;
      const auto& [to, beyond] = entry->second;
      const int f = add_facet(from, to, apex);
      if (!facets_[f].normal.allFinite() || facets_[f].normal.squaredNorm() < 0.5) return false;
      facets_[f].neighbour[0] = beyond.first;
      facets_[beyond.first].neighbour[beyond.second] = f;
      from = to;
    } while (from != start);
    const int count = static_cast<int>(facets_.size() - first);
    if (count != static_cast<int>(border.size())) return false;
    for (int k = 0; k < count; ++k) {
      facets_[first + k].neighbour[1] = static_cast<int>(first) + (k + 1) % count;
      facets_[first + k].neighbour[2] = static_cast<int>(first) + (k + count - 1) % count;
    }
    hand_out(orphans, first);
    return true;
  }

  std::span<const Vector3d> points_;
  double slack_;
  std::vector<Facet> facets_;
};

}  // namespace

std::optional<std::vector<HullTriangle>> quickhull(std::span<const Vector3d> points, double slack) {
  Builder builder(points, slack);
  if (!builder.build()) return std::nullopt;
  return builder.triangles();
}

}  // namespace carom
