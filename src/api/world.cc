// The front-end's window on this run.

#include "api/world.h"

#include <unistd.h>

#include "api/library.h"
#include "kernel/zones.h"

namespace dt::api {

std::optional<std::int64_t> macro_value(std::string_view name, std::optional<std::int64_t> target) {
  if (name == "target") return target;
  if (name == "pid") return ::getpid();
  if (name == "ppid") return ::getppid();
  if (name == "uid") return ::getuid();
  if (name == "euid") return ::geteuid();
  if (name == "gid") return ::getgid();
  if (name == "egid") return ::getegid();
  if (name == "pgid") return ::getpgid(0);
  if (name == "sid") return ::getsid(0);
  // Projects and tasks are Solaris's; there is one of each here.
  if (name == "projid" || name == "taskid") return 0;
  return std::nullopt;
}

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
  world.speculations = options.nspec;
  world.stack_frames = options.stackframes;
  world.user_stack_frames = options.ustackframes;
  world.java_stack_frames = options.jstackframes;
  world.record_time = world.record_time || !options.oformat.empty();
  world.default_args = options.defaultargs || options.argref;
  world.allow_empty = options.empty;
  world.allow_destructive = options.destructive;
  world.allow_unmatched = options.zdefs;
  world.version = options.version;
  world.minimum = options.amin;
  world.want_stability = options.verbose;
}

front::World make_world(types::Catalog& types, const probe::Catalog& probes, const Request& request,
                        const Told& told, Options& options, std::optional<std::int64_t> target) {
  front::World world{types, probes, {}, {}, {}};
  std::string script = "dtrace";
  for (const dtrace::Program& program : request.programs) {
    if (is_script(program)) {
      script = program.text;
    }
  }
  world.macro_args.push_back(script);
  world.macro_args.insert(world.macro_args.end(), request.arguments.begin(),
                          request.arguments.end());
  world.macro = [target](std::string_view name) { return macro_value(name, target); };
  follow_options(world, options);
  world.has_module = has_module;
  world.in_first_processes = kernel::own_process_space() == 0;
  world.record_time = world.record_time || request.wants_records;
  offer_libraries(world, options, told);
  return world;
}

}  // namespace dt::api
