// Files that mean nothing: hundreds of them, made from good ones by changes that must be noticed. Each gives an InputError with
// its place; none crashes, hangs or throws anything else.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "carom/core/error.hpp"
#include "carom/io/model_source.hpp"
#include "carom/io/scene_keys.hpp"
#include "carom/io/scene_yaml.hpp"
#include "carom/io/text_file.hpp"
#include "carom/math/counter_rng.hpp"

namespace carom {
namespace {

std::string scenes(const std::string& name) { return std::string(CAROM_SOURCE_DIR) + "/tests/support/scenes/" + name; }

enum class Verdict { refused, accepted };

// Reads a text as the kind of file that `name` ends in. What is refused must be refused with a place in that file (or in another
// one that it names).
Verdict read(const std::string& text, const std::string& name) {
  try {
    if (name.ends_with(".yaml")) {
      io::read_scene_text(text, scenes(name));
    } else {
      io::SceneDraft draft(World::spatial, scenes(""));
      const io::ModelSource source{.file = scenes(name), .free_base = true};
      name.ends_with(".urdf") ? io::read_urdf(text, source, draft) : io::read_mjcf(text, source, draft);
      (void)draft.builder.build();
    }
    return Verdict::accepted;
  } catch (const InputError& error) {
    EXPECT_TRUE(error.place().file.starts_with(scenes(""))) << error.what();
    EXPECT_GT(error.place().line, 0) << error.what();
    EXPECT_FALSE(error.allowed().empty()) << error.what();
    return Verdict::refused;
  }
}

// A good file without its comments, and the texts that changes make of it.
class Corpus {
 public:
  explicit Corpus(std::string name) : name_(std::move(name)) {
    good_ = std::regex_replace(io::read_text_file(scenes(name_)), std::regex("(^|\n)#[^\n]*"), "$1");
    EXPECT_EQ(read(good_, name_), Verdict::accepted) << name_;
  }
  const std::string& good() const { return good_; }

  // Every match of `pattern` in turn, its group 1 replaced by `by(match)`; an empty answer leaves it out. All must be refused.
  template <class By>
  void replace_each(const std::string& pattern, By by) {
    const std::regex regex(pattern);
    for (std::sregex_iterator it(good_.begin(), good_.end(), regex), end; it != end; ++it) {
      const std::string changed = by(*it);
      if (changed.empty()) continue;
      std::string text = good_;
      text.replace(static_cast<std::size_t>(it->position(1)), static_cast<std::size_t>(it->length(1)), changed);
      refuse(text, it->str() + " → " + changed);
    }
  }
  void refuse(const std::string& text, const std::string& what) {
    EXPECT_EQ(read(text, name_), Verdict::refused) << name_ << ": " << what.substr(0, 200);
    ++count_;
  }
  // May be refused or not; must not crash.
  void survive(const std::string& text) {
    if (read(text, name_) == Verdict::refused) ++count_;
  }
  int count() const { return count_; }

 private:
  std::string name_, good_;
  int count_ = 0;
};

const char* const kNumber = R"((-?\b\d+(?:\.\d+)?(?:e-?\d+)?\b)(?![\w/]))";

TEST(Malformed, NumbersOfScenesThatAreNone) {
  int count = 0;
  for (const char* name : {"full_planar.yaml", "full_spatial.yaml"}) {
    Corpus corpus(name);
    int turn = 0;
    for (const char* junk : {"abc", ".nan", "-.inf", "[[]]", "{zz: 1}", "true"})
      corpus.replace_each(kNumber, [&](const std::smatch&) { return ++turn % 2 ? junk : ""; });
    count += corpus.count();
  }
  EXPECT_GT(count, 500);
}

TEST(Malformed, KeysThatNobodyKnows) {
  std::set<std::string> known;
  for (const io::KeyTable& table : io::scene_tables())
    for (const io::Key& key : table.keys) known.insert(key.name);
  for (const char* name : {"full_planar.yaml", "full_spatial.yaml", "models.yaml"}) {
    Corpus corpus(name);
    const std::set<std::string> names{"e", "tile"};  // of bodies that nothing else mentions
    corpus.replace_each(R"(\b([a-z_]+): )",
                        [&](const std::smatch& match) { return known.contains(match[1]) && !names.contains(match[1]) ? match[1].str() + "zz" : ""; });
    EXPECT_GT(corpus.count(), name == std::string("models.yaml") ? 10 : 50) << name;
  }
}

TEST(Malformed, NumbersOutOfRange) {
  std::map<std::string, double> least;  // by key: what every table that has it forbids
  for (const io::KeyTable& table : io::scene_tables())
    for (const io::Key& key : table.keys) {
      const double low = key.kind == io::KeyKind::number || key.kind == io::KeyKind::integer ? key.range.low : -HUGE_VAL;
      const auto [entry, fresh] = least.emplace(key.name, low);
      if (!fresh) entry->second = std::min(entry->second, low);
    }
  for (const char* name : {"full_planar.yaml", "full_spatial.yaml"}) {
    Corpus corpus(name);
    corpus.replace_each(R"(\b[a-z_]+: (-?\d+(?:\.\d+)?(?:e-?\d+)?)\b)", [&](const std::smatch& match) {
      const std::string all = match.str(), key = all.substr(0, all.find(':'));
      return least.contains(key) && std::isfinite(least[key]) ? std::to_string(least[key] - 1) : "";
    });
    EXPECT_GT(corpus.count(), 10) << name;
  }
}

TEST(Malformed, NamesThatNothingHas) {
  Corpus planar("full_planar.yaml"), spatial("full_spatial.yaml"), models("models.yaml");
  for (Corpus* corpus : {&planar, &spatial, &models}) {
    corpus->replace_each(R"(\b(?:child|parent|joint|body|a|b|material|law|restitution_law|type|world|file|axes|urdf|mjcf): ([a-z][\w.-]*))",
                         [](const std::smatch&) { return "nobody"; });
    corpus->replace_each(R"((?:ignore|pair|materials): \[+(\w+))", [](const std::smatch&) { return "nobody"; });
    corpus->replace_each(R"((?:q|qdot|q_deg|qdot_deg|terms): \{(\w+))", [](const std::smatch&) { return "nobody"; });
  }
  EXPECT_GT(planar.count() + spatial.count() + models.count(), 45);
}

TEST(Malformed, LinesTwiceOrCutOff) {
  for (const char* name : {"full_planar.yaml", "full_spatial.yaml", "models.yaml"}) {
    Corpus corpus(name);
    corpus.replace_each(R"((?:^|\n)([a-z_]+: [^\n]*\n))", [](const std::smatch& match) { return match[1].str() + match[1].str(); });
    const std::size_t n = corpus.good().size();
    for (std::size_t cut = 0; cut < n; cut += n / 97) corpus.survive(corpus.good().substr(0, cut));
    for (std::size_t cut = 0; cut + n / 50 < n; cut += n / 97) corpus.survive(corpus.good().substr(0, cut) + corpus.good().substr(cut + n / 50));
    EXPECT_GT(corpus.count(), 60) << name;
  }
}

TEST(Malformed, ScenesThatAreNoScenes) {
  Corpus corpus("full_planar.yaml");
  const auto repeated = [](const std::string& piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
  };
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i)
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeated("*a" + std::to_string(i - 1) + ", ", 10) + "1]\n";
  const std::string two_bodies = "world: planar\nbodies: {p: {mass: 1, inertia: 1}, q: {mass: 1, inertia: 1}}\n";
  const std::pair<const char*, std::string> texts[] = {
      {"nothing", ""},
      {"a comment", "# nothing\n"},
      {"a word", "scene"},
      {"a list", "[1, 2]"},
      {"two documents", "world: planar\n---\nworld: planar\n"},
      {"aliases of aliases", bomb},
      {"an anchor in itself", "world: &a [*a]\n"},
      {"deep lists", "world: " + repeated("[", 200) + repeated("]", 200)},
      {"deeper lists", "world: " + repeated("[", 100'000)},
      {"deep maps", "world: " + repeated("{a: ", 5'000)},
      {"tabs", "world: planar\nbodies:\n\tball: {mass: 1}\n"},
      {"no UTF-8", "world: planar\nbodies: {\xff\xfe: {mass: 1}}\n"},
      {"a binary file", std::string("\x89HDF\r\n\x1a\n\0\0\0\0", 12)},
      {"JSON that does not close", "{\"world\": \"planar\", \"bodies\": {"},
      {"no bodies", "world: planar\n"},
      {"bodies as a list", "world: planar\nbodies: [{mass: 1}]\n"},
      {"a body that is a number", "world: planar\nbodies: {ball: 3}\n"},
      {"a body called ground", "world: planar\nbodies: {ground: {mass: 1, inertia: 1}}\n"},
      {"shapes as a map", "world: planar\nbodies: {ball: {mass: 1, shapes: {disc: {radius: 1}}}}\n"},
      {"an empty shape", "world: planar\nbodies: {ball: {mass: 1, shapes: [{}]}}\n"},
      {"mass and density", "world: planar\nbodies: {ball: {mass: 1, density: 1, shapes: [{disc: {radius: 1}}]}}\n"},
      {"feet alone have no inertia", "world: planar\nbodies: {ball: {mass: 1, shapes: [{points: [[0, 0]]}]}}\n"},
      {"a flat hull", "world: spatial\nbodies: {b: {mass: 1, shapes: [{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}]}}\n"},
      {"a flat polygon", "world: planar\nbodies: {b: {mass: 1, shapes: [{polygon: {points: [[0, 0], [1, 0], [2, 0]]}}]}}\n"},
      {"no points", "world: planar\nbodies: {b: {mass: 1, inertia: 1, shapes: [{points: []}]}}\n"},
      {"a half-space that moves", "world: planar\nbodies: {b: {mass: 1, inertia: 1, shapes: [{half_space: {}}]}}\n"},
      {"no rotation", "world: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1], quaternion: [0, 0, 0, 0]}}\n"},
      {"no inertia of that kind", "world: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 5]}}\n"},
      {"a number for an inertia in space", "world: spatial\nbodies: {b: {mass: 1, inertia: 1}}\n"},
      {"a mesh that is none", "world: spatial\nbodies: {b: {mass: 1, shapes: [{mesh: {file: biped.urdf}}]}}\n"},
      {"a mesh that is not there", "world: spatial\nbodies: {b: {mass: 1, shapes: [{mesh: {file: none.stl}}]}}\n"},
      {"a mesh that is a folder", "world: spatial\nbodies: {b: {mass: 1, shapes: [{mesh: {file: .}}]}}\n"},
      {"a start inside the floor", "world: planar\nground: [{half_space: {}}]\nbodies: {b: {mass: 1, shapes: [{disc: {radius: 1}}]}}\n"},
      {"joints in a cycle", two_bodies + "joints: [{type: revolute, parent: p, child: q}, {type: revolute, parent: q, child: p}]\n"},
      {"two joints for a body", two_bodies + "joints: [{type: revolute, child: q}, {name: r, type: revolute, child: q}]\n"},
      {"two joints of a name", two_bodies + "joints: [{name: r, type: revolute, child: p}, {name: r, type: revolute, child: q}]\n"},
      {"the ground as a child", two_bodies + "joints: [{type: revolute, parent: p, child: ground}]\n"},
      {"a joint of space in the plane", two_bodies + "joints: [{type: spherical, child: q}]\n"},
      {"a limit without a stop", two_bodies + "limits: [{joint: p}]\n"},
      {"a limit of a quaternion", "world: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nlimits: [{joint: b, freedom: 4, lower: 0}]\n"},
      {"too many copies",
       "world: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1], array: {count: [100000, 100000, 100000], spacing: [1, 1, 1]}}}\n"},
      {"copies that meet another body's name",
       "world: planar\nbodies: {b_1: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, array: {count: 2, spacing: [1, 0]}}}\n"},
      {"an open constraint", two_bodies + "constraints: [{name: c, type: coincidence, a: p, b: q, at_a: [1, 0]}]\n"},
      {"a coupling of nothing", two_bodies + "constraints: [{name: c, type: coupling, terms: {}}]\n"},
      {"state of a quaternion 0", "world: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nstate: {q: {b: [0, 0, 0, 0, 0, 0, 0]}}\n"},
      {"too few coordinates", "world: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nstate: {q: {b: [0, 0, 0]}}\n"},
      {"a model in the plane", "world: planar\nurdf: biped.urdf\n"},
      {"a urdf that is a yaml", "urdf: models.yaml\n"},
      {"a urdf that is an mjcf", "urdf: pendulum_cart.xml\n"},
      {"an mjcf that is a urdf", "mjcf: biped.urdf\n"},
      {"a model as a list", "urdf: [biped.urdf]\n"},
      {"a material for no link", "urdf: {file: biped.urdf, materials: {nobody: m}}\nmaterials: {m: {}}\n"},
      {"numbers beyond all numbers", "world: planar\nbodies: {b: {mass: 1e999, inertia: 1}}\n"},
      {"mass that vanishes", "world: planar\nbodies: {b: {density: 1e-300, shapes: [{disc: {radius: 1e-100}}]}}\n"},
  };
  for (const auto& [what, text] : texts) corpus.refuse(text, what);
}

// In a model every number that is read, and every name.
TEST(Malformed, Models) {
  int count = 0;
  for (const char* name : {"biped.urdf", "pendulum_cart.xml"}) {
    Corpus corpus(name);
    // Numbers of what is read; ignored parts (light, site, texture, effort …) may hold anything.
    for (const char* junk : {"abc", "nan", "1e999", "1,2"})
      corpus.replace_each(
          R"re((?:value|ixx|izz|radius|length|xyz|lower|upper|multiplier|damping|mass|diaginertia|friction|range|gravity|timestep|axis|anchor|polycoef|density|fromto)="([^"]*)")re",
          [&](const std::smatch& match) { return match.str() == "friction=\"0.1\"" || match.str() == "value=\"0\"" ? "" : junk; });
    corpus.replace_each(R"re((?:parent link|child link|type|joint|mesh|body1|joint1|joint2)="([^"]*)")re",
                        [](const std::smatch& match) { return match[1] == "skybox" || match[1] == "rail" ? "" : "nobody"; });
    corpus.replace_each(R"re((<(?:mass|inertia|parent|child|geometry)\b))re", [](const std::smatch&) { return "<zz"; });
    const std::size_t n = corpus.good().size();
    for (std::size_t cut = 0; cut < corpus.good().rfind('<'); cut += n / 61) corpus.refuse(corpus.good().substr(0, cut), "cut off");
    for (std::size_t cut = 0; cut + n / 40 < n; cut += n / 97) corpus.survive(corpus.good().substr(0, cut) + corpus.good().substr(cut + n / 40));
    count += corpus.count();
  }
  EXPECT_GT(count, 300);
}

TEST(Malformed, ModelsThatAreNoModels) {
  std::string deep;
  for (int i = 0; i < 50'000; ++i) deep += "<body>";
  const std::pair<const char*, std::string> texts[] = {
      {"nothing", ""},
      {"text", "hello"},
      {"a comment", "<!-- -->"},
      {"another root", "<sdf/>"},
      {"two roots", "<robot/><robot/>"},
      {"no links", "<robot name=\"r\"/>"},
      {"deep nesting", "<mujoco><worldbody>" + deep},
      {"an entity bomb", "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><robot>&b;"},
      {"zero bytes", std::string("<robot>\0</robot>", 16)},
      {"no UTF-8", "<robot name=\"\xff\xfe\"><link/></robot>"},
      {"a link without a name", "<robot><link/></robot>"},
      {"a massless robot", "<robot><link name=\"a\"/></robot>"},
      {"two trees", "<robot><link name=\"a\"/><link name=\"b\"/></robot>"},
      {"a link that carries itself",
       "<robot><link name=\"a\"/><joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"a\"/></joint></robot>"},
      {"a link called ground", "<robot><link name=\"ground\"/></robot>"},
  };
  Corpus urdf("biped.urdf");
  for (const auto& [what, text] : texts) urdf.refuse(text, what);
  Corpus mjcf("pendulum_cart.xml");
  const auto body = [](const std::string& inside) { return "<mujoco><worldbody><body name=\"b\">" + inside + "</body></worldbody></mujoco>"; };
  const std::pair<const char*, std::string> models[] = {
      {"nothing", ""},
      {"another root", "<robot/>"},
      {"deep nesting", "<mujoco><worldbody>" + deep},
      {"a joint without a mass", body("<joint/>")},
      {"two free joints", body("<freejoint/><freejoint/><geom size=\"1\"/>")},
      {"no axis", body("<joint axis=\"0 0 0\"/><geom size=\"1\"/>")},
      {"no size", body("<joint/><geom/>")},
      {"negative size", body("<joint/><geom size=\"-1\"/>")},
      {"an ellipsoid", body("<joint/><geom type=\"ellipsoid\" size=\"1 1 1\"/>")},
      {"a plane that moves", body("<joint/><geom type=\"plane\" size=\"1 1 1\"/>")},
      {"two rotations", body("<joint/><geom size=\"1\" quat=\"1 0 0 0\" euler=\"0 0 0\"/>")},
      {"parallel axes", body("<joint/><geom size=\"1\" xyaxes=\"1 0 0 1 0 0\"/>")},
      {"a point from to", body("<joint/><geom type=\"capsule\" size=\"1\" fromto=\"1 1 1 1 1 1\"/>")},
      {"negative mass", body("<joint/><geom size=\"1\" mass=\"-1\"/>")},
      {"negative friction", body("<joint/><geom size=\"1\" friction=\"-1\"/>")},
      {"global coordinates", "<mujoco><compiler coordinate=\"global\"/></mujoco>"},
      {"no euler sequence", "<mujoco><compiler eulerseq=\"abc\"/></mujoco>"},
      {"no time step", "<mujoco><option timestep=\"0\"/></mujoco>"},
      {"a class twice", "<mujoco><default><default class=\"a\"/><default class=\"a\"/></default></mujoco>"},
      {"a class without a name", "<mujoco><default><default/></default></mujoco>"},
      {"limited without a range", body("<joint limited=\"true\"/><geom size=\"1\"/>")},
      {"restitution above 1", "<mujoco><custom><numeric name=\"restitution\" data=\"2\"/></custom></mujoco>"},
      {"a mesh without a file", "<mujoco><asset><mesh name=\"m\"/></asset></mujoco>"},
      {"a mesh that is not there",
       "<mujoco><asset><mesh name=\"m\" file=\"no.stl\"/></asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>"},
      {"a weld with nobody", "<mujoco><equality><weld body1=\"x\"/></equality></mujoco>"},
  };
  for (const auto& [what, text] : models) mjcf.refuse(text, what);
}

// Bytes changed at random: whatever comes out, it is an answer or an InputError.
TEST(Malformed, RandomBytes) {
  for (const char* name : {"full_planar.yaml", "full_spatial.yaml", "biped.urdf", "pendulum_cart.xml"}) {
    Corpus corpus(name);
    for (std::uint64_t run = 0; run < 300; ++run) {
      CounterRng random(6, run);
      std::string text = corpus.good();
      for (int change = random.below(5); change >= 0; --change) {
        const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
        if (random.below(3) == 0)
          text.erase(at, static_cast<std::size_t>(random.below(20)));
        else
          text[at] = static_cast<char>(random.below(256));
      }
      corpus.survive(text);
    }
  }
}

}  // namespace
}  // namespace carom
