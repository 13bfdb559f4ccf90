// Stages 1-7 of the pipeline, each with its dump.

#include "api/run/compile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>

#include "api/input/inputs.h"
#include "api/input/world.h"
#include "api/options/machine_checks.h"
#include "api/output/export.h"
#include "api/output/handler_tables.h"
#include "api/output/pictures.h"
#include "api/output/samples.h"
#include "api/output/view_lines.h"
#include "bpf/layout/prologue.h"
#include "bpf/program/arguments.h"
#include "bpf/program/follow.h"
#include "bpf/program/generate.h"
#include "bpf/program/vtime_switch.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "kernel/kernel.h"
#include "probe/unmatched.h"
#include "runtime/machine.h"
#include "runtime/release.h"
#include "symbol/process/debuginfod.h"
#include "types/ctf_writer.h"
#include "types/user_types.h"
#include "view/plan.h"

namespace dt::api {
namespace {

// The stages that -xdump and -xstop know, in order.
constexpr std::string_view kStages[] = {"tokens", "ast",   "typed", "ir",  "ir-opt",
                                        "ecbs",   "views", "bpf",   "raw", "records"};

Status check_stage(const std::string& option, std::string_view name) {
  if (std::find(std::begin(kStages), std::end(kStages), name) != std::end(kStages)) {
    return {};
  }
  std::string all;
  for (const std::string_view stage : kStages) {
    all += all.empty() ? "" : " ";
    all += stage;
  }
  return Error::of(fmt::format("failed to set -x {}={}: there is no such stage; the stages are: {}",
                               option, name, all));
}

Status check_stages(const Options& options) {
  std::string_view rest = options.dump;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    DT_TRY(check_stage("dump", name));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  return options.stop.empty() ? Status() : check_stage("stop", options.stop);
}

// Gives a stage's text, which is made only when it is asked for, hence a function and not a text: a
// dump of a large program costs more than the stage itself. True when the run ends here.
template <typename MakeText>
bool stage_done(Compiled& out, const Callbacks& callbacks, std::string_view stage,
                const MakeText& text) {
  if (dumps(out.options, stage) && callbacks.dump) {
    callbacks.stand_aside();
    callbacks.dump(text());
  }
  out.is_stopped = out.options.stop == stage;
  return out.is_stopped;
}

// "failed to compile script x.d: ". Scripts that drive DTrace look for these words in the first
// line; the excerpt with the caret is behind it.
std::string compile_prefix(const Compiled& out, const dtrace::Program& program) {
  if (is_script(program)) {
    return fmt::format("failed to compile script {}: ", program.text);
  }
  const Result<const Language*> language = find_language(out.languages, program.language);
  return language.ok() && (*language)->blames ? (*language)->blames(program.text)
                                              : "failed to compile the program: ";
}

// The line for the first diagnostic.
Error refused(const Request& request, const Compiled& out) {
  const Diagnostic& first = out.diagnostics.all().front();
  const std::vector<dtrace::Program>& programs = request.programs;
  const std::uint32_t source = first.span.source;
  // Without a program, the libraries are what is compiled.
  const bool is_of_library = programs.empty() && source < out.sources.size();
  const std::string prefix =
      source < programs.size() ? compile_prefix(out, programs[source])
      : is_of_library ? fmt::format("failed to compile script {}: ", out.sources.at(source).name())
      : programs.empty() ? std::string()
                         : compile_prefix(out, programs.front());
  return Error::of(prefix + support::headline(first, out.sources, out.options.errtags));
}

// Stages 1-4.
std::optional<ir::Program> front_end(const Request& request, Compiled& out, front::Dump& dump) {
  front::World world = make_world(*out.types, *out.probes, request, out.options);
  world.kallsyms = out.kallsyms.get();
  dump.want_tokens = dumps(out.options, "tokens");
  dump.want_ast = dumps(out.options, "ast");
  dump.want_typed = dumps(out.options, "typed");
  dump.want_ir = dumps(out.options, "ir");
  dump.ends_with_ast = out.options.stop == "ast";
  return out.front_end->compile({out.sources, out.inputs, world, out.diagnostics}, dump);
}

// -x ctypes and dtypes: the types that this compilation has used (ctypes) or that the script
// declares (dtypes), as C declarations, or as CTF if the name of the file ends in .ctf. A CTF file
// of ctypes contains the types that the script declares, too: a type that refers to one of these
// could not be read without it.
Status write_types(const Compiled& out) {
  const std::pair<const std::string&, bool> files[] = {{out.options.ctypes, false},
                                                       {out.options.dtypes, true}};
  for (const auto& [path, of_script] : files) {
    if (path.empty()) {
      continue;
    }
    const std::string text =
        !path.ends_with(".ctf")
            ? out.types->c_text(of_script)
            : types::ctf_of(*out.types,
                            of_script ? types::CtfContent::kDeclared : types::CtfContent::kAll,
                            static_cast<std::uint32_t>(out.options.strsize));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "we"),
                                                               std::fclose);
    const bool ok = file != nullptr &&
                    std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                    std::fflush(file.get()) == 0;
    if (!ok) {
      return Error::of_code(
          fmt::format("failed to write types to {}: {}", path, std::strerror(errno)), errno);
    }
  }
  return {};
}

// What a stage refuses of the program as a whole, as an error of the run.
Error worded(const Compiled& out, const ir::Refusal& refusal) {
  front::FrontEnd::Words words = out.front_end->words(refusal);
  return Error::of(std::move(words.text), std::move(words.hint));
}

// Whether thread-local variables can be made wherever the programs run. A probe that fires under
// the lock of the run queue cannot allocate the first time that a thread is seen, in kernels whose
// allocator may take that lock again.
Status check_storage(const Compiled& out) {
  if (out.memory.tls_bytes == 0 || runtime::makes_storage_anywhere(out.kernel.release())) {
    return {};
  }
  for (const auto& program : out.plan.programs) {
    if (out.probes->of_program(program.program).runs_under_queue_lock(program.program)) {
      return worded(out, {.code = ir::Refusal::Code::kThreadVariablesUnsafe,
                          .detail = out.kernel.release(),
                          .probe = program.program});
    }
  }
  return {};
}

runtime::PrologueNeeds prologue_needs(const Compiled& out, const bpf::Machine& machine) {
  runtime::PrologueNeeds needs;
  for (const enabling::ProgramPlan& one : out.plan.programs) {
    const auto prologue = out.probes->of_program(one.program).prologue(one.program, machine);
    needs.may_wait |= prologue->may_wait();
    needs.reads_kernel |= prologue->reads_kernel();
  }
  return needs;
}

// BEGIN, END and ticks are run by this process.
bool fires_here(const enabling::ProgramPlan& program) {
  const probe::Description& first = program.probes.front().description;
  return first.provider == "dtrace" ||
         (first.provider == "profile" && first.name.starts_with("tick-"));
}

// Functions of the processes of -c and -p only.
bool fires_in_targets(const enabling::ProgramPlan& program,
                      const std::vector<std::int32_t>& targets) {
  const auto is_own = [&](const std::string& provider) {
    return std::any_of(targets.begin(), targets.end(), [&](std::int32_t target) {
      return provider == fmt::format("pid{}", target);
    });
  };
  return std::all_of(program.probes.begin(), program.probes.end(),
                     [&](const probe::Probe& one) { return is_own(one.description.provider); });
}

// Stage 7, one program after another.
Status generate(const Request& request, Compiled& out, const Callbacks& callbacks) {
  for (std::size_t i = 0; i < out.plan.programs.size(); ++i) {
    callbacks.step(i + 1, out.plan.programs.size());
    const std::string& key = out.plan.programs[i].program;
    const auto prologue = out.probes->of_program(key).prologue(key, out.memory.machine);
    std::optional<ir::Refusal> why;
    Result<bpf::GeneratedProgram> made =
        bpf::generate({out.program, out.plan, i, *prologue, out.memory}, &why);
    if (!made.ok() && why && why->place) {
      front::FrontEnd::Words words = out.front_end->words(*why);
      out.diagnostics.error(words.tag, *why->place, fmt::format("at {}: {}", key, words.text))
          .hint = std::move(words.hint);
      return refused(request, out);
    }
    if (!made.ok()) {
      return (why ? worded(out, *why) : std::move(made.error()))
          .with(fmt::format("failed to generate code for {}", key));
    }
    if (made->additions.uses_unwind) {
      const bool is_here = fires_here(out.plan.programs[i]);
      out.unwinds_itself |= is_here;
      out.unwinds_others |= !is_here && !fires_in_targets(out.plan.programs[i], out.targets);
    }
    out.objects.push_back(bpf::take(std::move(*made), i, out.plan.schema, out.memory));
  }
  if (out.memory.uses_vtimestamp) {
    Result<bpf::Object> clock = bpf::generate_vtime_switch(out.memory);
    if (!clock.ok()) {
      return std::move(clock.error()).with("failed to generate code for vtimestamp");
    }
    out.on_cpu_clock = std::move(*clock);
  }
  if (out.program.arguments != ir::kNone) {
    auto arguments = bpf::generate_arguments(out.memory, out.program);
    if (!arguments.ok()) {
      return std::move(arguments.error())
          .with("failed to generate code for arguments of processes");
    }
    out.arguments = std::move(*arguments);
  }
  if (out.memory.follows) {
    Result<bpf::Object> follow = bpf::generate_follow(out.memory, out.targets);
    if (!follow.ok()) {
      return std::move(follow.error()).with("failed to generate code for -x follow");
    }
    out.follow = std::move(*follow);
  }
  return {};
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

}  // namespace

std::string objects_text(const Compiled& out) {
  std::string text;
  for (const bpf::Object& object : out.objects) {
    text += bpf::disassemble(object, out.sources);
  }
  return text;
}

namespace {

// Whether the children of a process are followed.
bool follows(const Compiled& out, std::int32_t pid) {
  return out.traces && out.options.follow &&
         std::find(out.targets.begin(), out.targets.end(), pid) != out.targets.end();
}

}  // namespace

void make_catalogs(Compiled& out, const Callbacks& callbacks, std::optional<std::int64_t> target) {
  out.types = std::make_unique<types::Catalog>();
  types::add_kernel_types(*out.types);
  const std::shared_ptr<symbol::Debuginfod> servers = symbol::Debuginfod::configured(
      {[callbacks](std::string text) { callbacks.say(std::move(text)); }, [] { return 0; }});
  std::optional<std::int32_t> process;
  if (target) process = static_cast<std::int32_t>(*target);
  out.types->add_library(types::user_types(process, servers));
  out.kallsyms = std::make_shared<symbol::Kallsyms>();
  out.probes = std::make_unique<provider::ProviderCatalog>(provider::all_providers(
      out.kernel, *out.types,
      {out.settle, [&out] { return out.options.zdefs; },
       [&out] { return out.options.demangles_probes; }, [&out] { return out.traces; },
       [&out](std::int32_t pid) { return follows(out, pid); }, servers,
       [&out] { return out.options.compat == "solaris"; }}));
}

namespace {

// What comes before compiling: the options, the probes and types, the front-end, the texts.
Status begin(const Request& request, const Callbacks& callbacks, std::optional<std::int64_t> target,
             Compiled& out) {
  if (!request.options.range.empty()) {
    return Error::of("option 'range' is a part of a recording", "dtrace -r FILE -x range=10s..20s");
  }
  out.options = request.options;
  make_catalogs(out, callbacks, target);
  DT_ASSIGN(out.front_end,
            make_front_end(out.languages, {request, callbacks, target, out.options, *out.types,
                                           out.libraries_left_out, *out.probes}));
  DT_ASSIGN(out.inputs, load_inputs(request, out.sources));
  return {};
}

std::string views_text(const Compiled& out) {
  const record::Schema& schema = out.plan.schema;
  return view::print_views(out.views, schema, out.sources);
}

Status check_output(const Compiled& out) {
  DT_TRY(check_picture(out.options, out.plan.schema, out.views));
  DT_TRY(check_export(out.options, out.plan.schema, out.views));
  DT_TRY(check_views(out.options, out.views));
  return check_samples(out.options, out.plan.schema);
}

}  // namespace

// Plans the views of the program, and refuses an output format that can show none of them.
Status plan_output(Compiled& out) {
  DT_ASSIGN(out.views, view::plan_views(out.plan.schema, out.sources, out.options.views));
  Status checked = check_output(out);
  if (checked.ok() || out.views.empty()) return checked;
  support::Error error = checked.error();
  error.text += "\nthe views of this program, which oformat=html, svg and term show:";
  std::istringstream views(views_text(out));
  for (std::string view; std::getline(views, view);) error.text += "\n    " + view;
  return error;
}

// The maps of the run, and what the options ask of every program.
Status plan_memory(Compiled& out, const bpf::Machine& machine) {
  out.memory = bpf::plan_memory(out.program, out.plan, machine);
  out.memory.ends_when_full = out.options.bufpolicy == runtime::BufferPolicy::kFill;
  if (out.options.cpu) {
    out.memory.only_cpu = *out.options.cpu;
  }
  DT_TRY(find_places(out.options));
  if (!out.options.zone.empty()) {
    DT_ASSIGN(out.memory.only_zone, runtime::find_zone(*out.types, out.options.zone));
  }
  if (!out.options.cgroup.empty()) {
    DT_ASSIGN(out.memory.only_cgroup, runtime::find_cgroup(*out.types, out.options.cgroup));
  }
  out.memory.follows = out.options.follow && !out.targets.empty();
  return {};
}

namespace {

// Whether the pipeline ends after a stage: because that was asked for, or with the error.
using Ends = Result<bool>;

// Stages 1 to 4: the front-end, from the text to the IR.
Ends read_programs(const Request& request, const Callbacks& callbacks, Compiled& out) {
  callbacks.begin("front-end");
  front::Dump dump;
  std::optional<ir::Program> program = front_end(request, out, dump);
  if (stage_done(out, callbacks, "tokens", [&] { return dump.tokens; })) {
    return true;
  }
  const bool ends_with_ast = stage_done(out, callbacks, "ast", [&] { return dump.ast; });
  if (!program) {
    return refused(request, out);
  }
  if (ends_with_ast) {
    return true;
  }
  // Without a program the libraries are what is to be compiled.
  if (request.programs.empty() && out.libraries_left_out > 0) {
    return Error::of(fmt::format("{} of the D libraries cannot be used", out.libraries_left_out));
  }
  DT_TRY(write_types(out));
  out.program = std::move(*program);
  out.stability = std::move(dump.stability);
  out.remarks = std::move(dump.remarks);
  return stage_done(out, callbacks, "typed", [&] { return dump.typed; }) ||
         stage_done(out, callbacks, "ir", [&] { return dump.ir; });
}

// Every record asks to be read at once.
void make_urgent(ir::Program& program) {
  for (ir::EcbDesc& clause : program.clauses) {
    for (record::Layout& layout : clause.layouts) {
      layout.urgent = true;
    }
  }
}

// Stages 6 and 6a: which probes the program enables, and what of its output can be drawn.
Ends enable(const Request& request, const Callbacks& callbacks, Compiled& out) {
  callbacks.begin("enable");
  out.plan = enabling::enable(out.program, *out.probes, {out.options.zdefs});
  for (const enabling::UnmatchedPoint& at : out.plan.unmatched) {
    const probe::Point& point = out.program.clauses[at.clause].points[at.point];
    out.front_end->report(probe::explain_unmatched(*out.probes, point), out.diagnostics);
  }
  if (out.diagnostics.any()) {
    return refused(request, out);
  }
  // What handlers show is made of their variables: api/output/handler_tables.h.
  const front::Session* const session =
      out.front_end != nullptr ? out.front_end->session() : nullptr;
  DT_TRY(session != nullptr ? check_variables(out.options, *session) : plan_output(out));
  return stage_done(out, callbacks, "ecbs",
                    [&] { return enabling::print(out.plan, out.program); }) ||
         stage_done(out, callbacks, "views", [&] { return views_text(out); });
}

// The machine that code is generated for: this one, unless the options ask for the reference.
bpf::Machine target_machine(Compiled& out) {
  if (out.options.machine == "reference") return reference_machine();
  bpf::Machine machine = runtime::describe_machine(out.kernel, out.types.get());
  runtime::describe_needs(out.kernel, *out.types, out.program, prologue_needs(out, machine),
                          machine);
  return machine;
}

}  // namespace

Status compile(const Request& request, const Callbacks& callbacks,
               std::optional<std::int64_t> target, Compiled& out) {
  DT_TRY(check_stages(request.options));
  out.traces = true;
  DT_TRY(begin(request, callbacks, target, out));
  DT_ASSIGN(bool ends, read_programs(request, callbacks, out));
  if (ends) {
    return {};
  }
  if (request.unbuffered) {
    make_urgent(out.program);
  }
  callbacks.begin("optimise");
  ir::optimize(out.program);
  if (stage_done(out, callbacks, "ir-opt", [&] { return ir::print(out.program); })) {
    return {};
  }
  DT_ASSIGN(ends, enable(request, callbacks, out));
  if (ends) {
    return {};
  }
  callbacks.begin("generate");
  DT_TRY(plan_memory(out, target_machine(out)));
  DT_TRY(check_storage(out));
  DT_TRY(generate(request, out, callbacks));
  stage_done(out, callbacks, "bpf", [&] { return objects_text(out); });
  return {};
}

Result<std::vector<std::string>> read_descriptions(const Request& request,
                                                   const Callbacks& callbacks,
                                                   std::optional<std::int64_t> target,
                                                   Compiled& out) {
  DT_TRY(begin(request, callbacks, target, out));
  front::Dump dump;
  const std::optional<ir::Program> program = front_end(request, out, dump);
  if (!program) {
    return refused(request, out);
  }
  std::vector<std::string> descriptions;
  for (const ir::EcbDesc& clause : program->clauses) {
    for (const probe::Point& point : clause.points) {
      descriptions.push_back(to_string(point));
    }
  }
  return descriptions;
}

Result<std::vector<usdt::Provider>> read_providers(const Request& request,
                                                   const Callbacks& callbacks, Compiled& out) {
  DT_TRY(begin(request, callbacks, std::nullopt, out));
  const front::World world = make_world(*out.types, *out.probes, request, out.options);
  std::optional<std::vector<usdt::Provider>> providers =
      out.front_end->read_providers({out.sources, out.inputs, world, out.diagnostics});
  if (!providers) {
    return refused(request, out);
  }
  return std::move(*providers);
}

}  // namespace dt::api
