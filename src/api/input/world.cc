// The front-end's window on this run.

#include "api/input/world.h"

#include <unistd.h>

#include "kernel/zones.h"

namespace dt::api {

namespace {

// Names that other systems give to the kernel itself are ours for vmlinux.
bool has_module(std::string_view name) {
  for (const std::string_view kernel : {"vmlinux", "kernel", "genunix", "unix"}) {
    if (name == kernel) {
      return true;
    }
  }
  return name.find('/') == std::string_view::npos &&
         ::access(fmt::format("/sys/module/{}", name).c_str(), F_OK) == 0;
}

}  // namespace

void follow_options(front::World& world, const Options& options) {
  world.string_size = static_cast<std::uint32_t>(options.strsize);
  world.scratch_size = static_cast<std::uint32_t>(options.scratchsize);
  world.packet_size = static_cast<std::uint32_t>(options.pcapsize);
  world.stack_frames = options.stackframes;
  world.user_stack_frames = options.ustackframes;
  world.record_time = world.record_time || !options.oformat.empty() || !options.record.empty() ||
                      options.temporal || !options.push.empty();
  world.record_thread = !options.oformat.empty() || !options.record.empty() || options.listen;
  world.record_time = world.record_time || world.record_thread;
  world.allow_destructive = options.destructive;
  world.allow_unmatched = options.zdefs;
}

front::World make_world(types::Catalog& types, const probe::Catalog& probes, const Request& request,
                        const Options& options) {
  front::World world{types, probes};
  std::string script = "dtrace";
  for (const dtrace::Program& program : request.programs) {
    if (is_script(program)) {
      script = program.text;
    }
  }
  world.macro_args.push_back(script);
  world.macro_args.insert(world.macro_args.end(), request.arguments.begin(),
                          request.arguments.end());
  world.named_args = request.named_arguments;
  follow_options(world, options);
  world.has_module = has_module;
  world.in_first_processes = kernel::own_process_space() == 0;
  world.record_time = world.record_time || request.wants_records;
  return world;
}

}  // namespace dt::api
