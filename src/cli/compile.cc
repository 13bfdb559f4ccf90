// Stages 1-7 of the pipeline, each with its dump.

#include "cli/compile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/inputs.h"
#include "cli/library.h"
#include "cli/report.h"
#include "cli/world.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "kernel/kernel.h"
#include "runtime/machine.h"
#include "runtime/release.h"
#include "types/user_types.h"

namespace dt::cli {
namespace {

// The stages that -xdump and -xstop know, in order.
constexpr std::string_view kStages[] = {"tokens", "ast", "typed", "ir",     "ir-opt",
                                        "ecbs",   "bpf", "raw",   "records"};

bool known_stage(std::string_view name) {
  for (const std::string_view stage : kStages) {
    if (stage == name) {
      return true;
    }
  }
  return false;
}

bool check_stage(const std::string& option, const std::string& name) {
  if (name.empty() || known_stage(name)) {
    return true;
  }
  std::string all;
  for (const std::string_view stage : kStages) {
    all += all.empty() ? "" : " ";
    all += stage;
  }
  say(fmt::format("failed to set -x {}={}: there is no such stage; the stages are: {}", option,
                  name, all));
  return false;
}

// Prints a stage's text when it is asked for; true when the run ends here.
bool stage_done(const Options& options, std::string_view stage, const std::string& text) {
  if (options.dump == stage) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return options.stop == stage;
}

// Stages 1-4.
std::optional<ir::Program> front_end(const CommandLine& line, std::optional<std::int64_t> target,
                                     std::span<const d::Input> inputs, Compiled& out, d::Dump& dump,
                                     Diagnostics& diagnostics) {
  d::World world = make_world(*out.types, *out.probes, line, out.options, target);
  world.kallsyms = out.kallsyms.get();
  world.set_option = [&](std::string_view name, std::string_view value) -> Status {
    DT_TRY(set_option(out.options, name, value));
    world.string_size = static_cast<std::uint32_t>(out.options.strsize);
    world.scratch_size = static_cast<std::uint32_t>(out.options.scratchsize);
    world.speculations = out.options.nspec;
    world.stack_frames = out.options.stackframes;
    world.user_stack_frames = out.options.ustackframes;
    world.java_stack_frames = out.options.jstackframes;
    world.record_time = !out.options.oformat.empty();
    world.default_args = out.options.defaultargs;
    world.allow_empty = out.options.empty;
    world.allow_destructive = out.options.destructive;
    world.version = out.options.version;
    world.minimum = out.options.amin;
    world.want_stability = out.options.verbose;
    if (name == "nolibs" || name == "libdir" || name == "syslibdir") {
      world.libraries = nullptr;
      offer_libraries(world, out.options);
    }
    return {};
  };
  world.default_args = out.options.defaultargs || out.options.argref;
  const std::string& wanted = out.options.dump;
  dump.want_tokens = wanted == "tokens";
  dump.want_ast = wanted == "ast";
  dump.want_typed = wanted == "typed";
  dump.want_ir = wanted == "ir";
  return d::compile(out.sources, inputs, world, diagnostics, &dump);
}

// -x ctypes and dtypes: what compiling has learned of types, as C.
bool write_types(const Compiled& out) {
  const std::pair<const std::string&, bool> files[] = {{out.options.ctypes, false},
                                                       {out.options.dtypes, true}};
  for (const auto& [path, of_script] : files) {
    if (path.empty()) {
      continue;
    }
    const std::string text = out.types->c_text(of_script);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "we"),
                                                               std::fclose);
    const bool ok = file != nullptr &&
                    std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                    std::fflush(file.get()) == 0;
    if (!ok) {
      say(fmt::format("failed to write types to {}: {}", path, std::strerror(errno)));
      return false;
    }
  }
  return true;
}

// Whether thread-local variables can be made wherever the programs run.
bool check_storage(const Compiled& out, kernel::Kernel& kernel) {
  if (out.memory.tls_bytes == 0 || runtime::makes_storage_anywhere(kernel.release())) {
    return true;
  }
  for (const auto& program : out.plan.programs) {
    if (out.probes->of_program(program.program).runs_under_locks(program.program)) {
      report(Error{fmt::format("{}: self-> variables and vtimestamp cannot be used beside this "
                               "probe before Linux 6.4 (this is {}): making one under the "
                               "kernel's locks can hang the machine",
                               program.program, kernel.release()),
                   0, "use a global array with tid as its key", ""},
             out.options.verbose);
      return false;
    }
  }
  return true;
}

// Stage 7, one program after another.
bool generate(Compiled& out) {
  for (std::size_t i = 0; i < out.plan.programs.size(); ++i) {
    const std::string& key = out.plan.programs[i].program;
    const auto prologue = out.probes->of_program(key).prologue(key, out.memory.machine);
    Result<bpf::Object> object = bpf::generate(out.program, out.plan, i, *prologue, out.memory);
    if (!object.ok()) {
      report(std::move(object.error()).with(fmt::format("failed to generate code for {}", key)),
             out.options.verbose);
      return false;
    }
    out.objects.push_back(std::move(*object));
  }
  if (out.memory.uses_vtimestamp) {
    Result<bpf::Object> clock = bpf::generate_vtime_switch(out.memory);
    if (!clock.ok()) {
      report(std::move(clock.error()).with("failed to generate code for vtimestamp"),
             out.options.verbose);
      return false;
    }
    out.on_cpu_clock = std::move(*clock);
  }
  return true;
}

// A machine that never was: the same code everywhere, so that goldens can show
// when it grows. It is not loaded.
bpf::Machine reference_machine() {
  bpf::Machine machine;
  machine.cpus = 4;
  machine.task_comm = 3000;
  machine.task_tgid = 2404;
  machine.task_pid = 2400;
  machine.task_real_parent = 2416;
  machine.task_start_time = 2600;
  machine.task_status = 16;
  return machine;
}

std::string objects_text(const Compiled& out) {
  std::string text;
  for (const bpf::Object& object : out.objects) {
    text += bpf::disassemble(object, out.sources);
  }
  return text;
}

}  // namespace

Stages::Stages() { begin("start"); }

void Stages::begin(std::string name) { entries_.push_back(Entry{std::move(name), Clock::now()}); }

std::string Stages::report() const {
  std::string text;
  const auto ms = [](Clock::duration d) {
    return std::chrono::duration<double, std::milli>(d).count();
  };
  for (std::size_t i = 0; i + 1 < entries_.size(); ++i) {
    text += fmt::format("{:<12}{:>10.3f} ms{:>12.3f} ms\n", entries_[i].name,
                        ms(entries_[i + 1].from - entries_[i].from),
                        ms(entries_[i + 1].from - entries_[0].from));
  }
  return text;
}

void make_catalogs(Compiled& out) {
  out.types = std::make_unique<types::Catalog>();
  types::add_kernel_types(*out.types);
  out.kallsyms = std::make_shared<symbol::Kallsyms>();
  out.probes = std::make_unique<provider::ProviderCatalog>(provider::all_providers(*out.types));
}

Compilation compile(const CommandLine& line, std::optional<std::int64_t> target, Compiled& out,
                    Stages& stages) {
  out.options = line.options;
  if (!check_stage("dump", out.options.dump) || !check_stage("stop", out.options.stop)) {
    return Compilation::kFailed;
  }
  if (!out.options.machine.empty() && line.mode != Mode::kCompileOnly &&
      (out.options.stop.empty() || out.options.stop == "raw" || out.options.stop == "records")) {
    say("failed to set -x machine=reference: such code is only to look at; add -e");
    return Compilation::kFailed;
  }
  make_catalogs(out);
  if (target) {
    out.types->add_library(types::user_types(static_cast<std::int32_t>(*target)));
  }
  Result<std::vector<d::Input>> inputs = load_inputs(line, out.sources);
  if (!inputs.ok()) {
    report(inputs.error(), out.options.verbose);
    return Compilation::kFailed;
  }

  stages.begin("front-end");
  Diagnostics diagnostics;
  d::Dump dump;
  std::optional<ir::Program> program = front_end(line, target, *inputs, out, dump, diagnostics);
  if (stage_done(out.options, "tokens", dump.tokens) || stage_done(out.options, "ast", dump.ast)) {
    return Compilation::kStopped;
  }
  if (!program) {
    report(diagnostics, out.sources, line);
    return Compilation::kFailed;
  }
  if (!write_types(out)) {
    return Compilation::kFailed;
  }
  out.program = std::move(*program);
  out.stability = std::move(dump.stability);
  if (stage_done(out.options, "typed", dump.typed) || stage_done(out.options, "ir", dump.ir)) {
    return Compilation::kStopped;
  }

  stages.begin("optimise");
  ir::optimize(out.program);
  if (stage_done(out.options, "ir-opt",
                 out.options.dump == "ir-opt" ? ir::print(out.program) : std::string())) {
    return Compilation::kStopped;
  }

  stages.begin("enable");
  out.plan = enabling::enable(out.program, *out.probes, enabling::EnableOptions{out.options.zdefs},
                              diagnostics);
  if (diagnostics.any()) {
    report(diagnostics, out.sources, line);
    return Compilation::kFailed;
  }
  if (stage_done(
          out.options, "ecbs",
          out.options.dump == "ecbs" ? enabling::print(out.plan, out.program) : std::string())) {
    return Compilation::kStopped;
  }

  stages.begin("generate");
  const std::unique_ptr<kernel::Kernel> kernel = kernel::linux_kernel();
  bpf::Machine machine = reference_machine();
  if (out.options.machine != "reference") {
    machine = runtime::describe_machine(*kernel, out.types.get());
    runtime::describe_needs(*kernel, *out.types, out.program, machine);
  }
  out.memory = bpf::plan_memory(out.program, out.plan, machine);
  if (!check_storage(out, *kernel) || !generate(out)) {
    return Compilation::kFailed;
  }
  if (line.disassemble) {
    std::fputs(objects_text(out).c_str(), stderr);
  }
  if (stage_done(out.options, "bpf",
                 out.options.dump == "bpf" ? objects_text(out) : std::string())) {
    return Compilation::kStopped;
  }
  return Compilation::kDone;
}

}  // namespace dt::cli
