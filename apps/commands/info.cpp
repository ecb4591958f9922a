// carom info: what a run file holds, and the reference of scene files.

#include "carom/core/error.hpp"
#include "carom/io/scene_keys.hpp"
#include "command.hpp"

namespace carom::app {
namespace {

struct InfoArguments {
  bool scene_reference = false;
};

int run_info(const InfoArguments& arguments) {
  if (!arguments.scene_reference) throw InputError("--scene-reference", "", "is what there is to tell");
  print(io::scene_reference());
  return kAnswered;
}

}  // namespace

void add_info(CLI::App& program, int& code) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = program.add_subcommand("info", "The reference of scene files");
  command->add_flag("--scene-reference", arguments->scene_reference, "print every key of a scene file as a page of Markdown (docs/scene.md)");
  command->callback([arguments, &code] { code = run_info(*arguments); });
}

}  // namespace carom::app
