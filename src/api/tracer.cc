// dtrace::Tracer: the pipeline, stage after stage. compile() (compile.cc) is
// stages 1-7, Live (live.cc) the rest of the table in ARCHITECTURE.md.

#include "dtrace/tracer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "api/base_recording.h"
#include "api/options/option_table.h"
#include "api/output/convert.h"
#include "api/output/handler_output.h"
#include "api/output/pictures.h"
#include "api/output/samples.h"
#include "api/output/views.h"
#include "api/run/live.h"
#include "api/run/replay.h"
#include "api/tracer_state.h"
#include "ir/destructive.h"
#include "runtime/words.h"

namespace dtrace {

using dt::api::given;
using dt::api::Live;

namespace {

Error too_late() { return {"what is to be traced is compiled already", 0, "", "", ""}; }

}  // namespace

// Starts what add_command() names and grabs what add_process() names. Started
// programs stand still.
dt::Status Tracer::State::start_processes() {
  const dt::runtime::Environment environment(request.options.environment);
  // What a command prints is no JSON, and no part of a recording.
  const bool is_apart = request.options.record == "-" ||
                        (!request.options.oformat.empty() && place.fd == STDOUT_FILENO);
  const int output = is_apart ? STDERR_FILENO : STDOUT_FILENO;
  for (const std::string& command : request.commands) {
    DT_ASSIGN(dt::runtime::Process process,
              dt::runtime::Process::start(command, environment, output));
    processes.push_back(std::move(process));
    if (const std::string word = dt::runtime::word_for_shell(command); !word.empty()) {
      callbacks.say(
          fmt::format("the command has '{}' as a word of its own: no shell reads -c", word),
          "hint: a pipe, a redirection, a list, a variable or a pattern takes a shell: "
          "-c \"sh -c '...'\"\n");
    }
  }
  for (const std::int32_t pid : request.pids) {
    DT_ASSIGN(dt::runtime::Process process, dt::runtime::Process::grab(pid));
    processes.push_back(std::move(process));
  }
  return {};
}

// A process of ours that is to be looked at goes on until its libraries are there.
dt::Status Tracer::State::settle(std::int32_t pid) {
  for (dt::runtime::Process& process : processes) {
    if (process.pid() == pid) {
      dt::Status status =
          process.run_to_entry(compiled.options.evaltime == dt::runtime::Beginning::kMain);
      if (!status.ok() && !unsettled) {
        unsettled = dt::Error(status.error()).with(fmt::format("failed to grab process {}", pid));
      }
      return status;
    }
  }
  return {};
}

// $target must be known before the script is read, so the command is started
// first; it stands at its first instruction until the probes are live.
dt::Result<std::optional<std::int64_t>> Tracer::State::find_target() {
  DT_TRY(start_processes());
  for (const dt::runtime::Process& process : processes) {
    compiled.targets.push_back(process.pid());
  }
  compiled.settle = [this](std::int32_t pid) { return settle(pid); };
  return processes.empty() ? std::nullopt : std::optional<std::int64_t>(processes.front().pid());
}

// And the options as pragmas have changed them.
void Tracer::State::take_diagnostics() {
  options.state_->values = compiled.options;
  for (const dt::Diagnostic& diagnostic : compiled.diagnostics.all()) {
    diagnostics.push_back(given(diagnostic, compiled.sources));
  }
}

Status Tracer::State::begin_compiling() {
  if (!is_open()) {
    return too_late();
  }
  stage = Stage::kCompiled;
  return {};
}

Status Tracer::State::open_recording() {
  if (!request.programs.empty() || !request.commands.empty() || !request.pids.empty()) {
    return Error{"a recording takes no programs, commands or processes", 0, "", "", ""};
  }
  if (const std::string unused = dt::api::unused_on_replay(request.options); !unused.empty()) {
    return Error{"option '" + unused + "' concerns tracing, and not what is replayed", 0, "", "",
                 ""};
  }
  compiled.options = request.options;
  auto opened = dt::api::open_recording(recording_name, compiled);
  if (!opened.ok()) {
    return given(std::move(opened.error()));
  }
  recording = std::move(*opened);
  options.state_->values = compiled.options;
  if (!recording->program.head.language.empty()) {
    return given(dt::api::check_handler_output(compiled.options, callbacks));
  }
  return given(dt::api::plan_output(compiled));
}

Status Tracer::State::compile() {
  DT_TRY(begin_compiling());
  callbacks.begin("start");
  if (!recording_name.empty()) {
    return open_recording();
  }
  const auto target = find_target();
  if (!target.ok()) {
    return given(target.error());
  }
  request.wants_records = static_cast<bool>(callbacks.record);
  // After this the script is no longer needed but for its places.
  dt::Status status = dt::api::compile(request, callbacks, *target, compiled);
  take_diagnostics();
  // The name that was meant.
  if (status.ok() && !compiled.options.zone.empty()) {
    DT_TRY(options.set("zone", compiled.options.zone));
  }
  // Where the description may also mean other processes, or none (-Z), the script has
  // compiled without the command that it is about.
  if (unsettled && status.ok()) {
    return given(std::move(*unsettled));
  }
  return given(std::move(status));
}

// A language that has handlers at home keeps its variables there.
bool Tracer::State::has_handlers() const {
  return compiled.front_end != nullptr && compiled.front_end->session() != nullptr;
}

Status Tracer::State::check() const {
  if (recording != nullptr) {
    return {};
  }
  if (request.programs.empty()) {
    return Error{"no probes specified", 0, "", "", ""};
  }
  if (compiled.is_stopped) {
    return Error{"there is nothing to trace: -x stop was reached", 0, "", "", ""};
  }
  if (!compiled.options.machine.empty()) {
    return Error{"failed to set -x machine=reference: such code is only to look at; add -e", 0, "",
                 "", ""};
  }
  // Destructive actions are for those who ask for them.
  const std::optional<dt::Span> acts = dt::ir::find_destructive(compiled.program);
  if (acts && !compiled.options.destructive) {
    const dt::Diagnostic shown{"", *acts, "this action is destructive", {}, "allow it with -w", ""};
    return Error{"could not enable tracing: Destructive actions not allowed", 0, "", "",
                 dt::support::render(shown, compiled.sources)};
  }
  if (compiled.plan.programs.empty() && !compiled.options.zdefs && !has_handlers()) {
    return Error{"no probes matched", 0, "", "", ""};
  }
  return {};
}

// What the world refuses once the script is compiled.
Error Tracer::State::refused(dt::Error error) const {
  callbacks.stand_aside();
  if (error.code == EPERM || error.code == EACCES) {
    error.text =
        "failed to initialize dtrace: DTrace requires additional privileges: " + error.text;
  }
  Error out = given(std::move(error));
  if (live != nullptr && live->rejected()) {
    out.excerpt = dt::support::render(*live->rejected(), compiled.sources);
  }
  return out;
}

// Commands go on to where -x evaltime says that tracing begins. One that ends before has
// been traced to its end: nothing of it was wanted.
Status Tracer::State::place_commands() {
  using dt::runtime::Beginning;
  const Beginning beginning = compiled.options.evaltime;
  if (beginning == Beginning::kExec) {
    return {};
  }
  for (dt::runtime::Process& process : processes) {
    dt::Status status = process.run_to_entry(beginning == Beginning::kMain);
    if (!status.ok() && status.error().code != ESRCH) {
      return refused(std::move(status.error()));
    }
  }
  return {};
}

Status Tracer::State::enable() {
  if (stage >= Stage::kEnabled) {
    return {};
  }
  if (is_open()) {
    DT_TRY(compile());
  }
  DT_TRY(check());
  DT_TRY(place_commands());
  if (dt::api::is_binary(compiled.options) && place.fd >= 0 && ::isatty(place.fd) == 1) {
    return Error{"oformat=" + compiled.options.oformat + " is not for a terminal", 0, "-o FILE", "",
                 ""};
  }
  DT_TRY(read_base());
  struct stat output {};
  if (compiled.options.oformat == "ctf" &&
      (place.fd < 0 || ::fstat(place.fd, &output) != 0 || !S_ISDIR(output.st_mode))) {
    return Error{"oformat=ctf writes a directory", 0, "-o DIRECTORY", "", ""};
  }
  if (recording != nullptr) {
    live = std::make_unique<dt::api::Replay>(compiled, std::move(recording), request, callbacks,
                                             place);
  } else {
    live = std::make_unique<Live>(compiled, request, callbacks, processes, place);
  }
  for (auto& [fd, ready] : watched) {
    if (dt::Status status = live->watch(fd, std::move(ready)); !status.ok()) {
      return refused(std::move(status.error()));
    }
  }
  for (const Interrupt how : interrupts) {
    interrupt(how);
  }
  if (dt::Status status = live->enable(); !status.ok()) {
    return refused(std::move(status.error()));
  }
  stage = Stage::kEnabled;
  return {};
}

Status Tracer::State::go() {
  if (has_gone()) {
    return {};
  }
  DT_TRY(enable());
  if (dt::Status status = live->go(); !status.ok()) {
    return refused(std::move(status.error()));
  }
  stage = Stage::kGoing;
  return {};
}

void Tracer::State::interrupt(Interrupt how) {
  is_terminated = is_terminated || how == Interrupt::kTerminate;
  live->interrupt(how == Interrupt::kTerminate);
}

Tracer::State::State(std::unique_ptr<dt::kernel::Kernel> runs_on)
    : kernel(std::move(runs_on)), compiled(*kernel) {}
Tracer::State::~State() = default;

Tracer::~Tracer() = default;
Tracer::Tracer(Tracer&& other) noexcept = default;
Tracer& Tracer::operator=(Tracer&& other) noexcept = default;

Status Tracer::set_option(std::string_view name, std::string_view value) {
  if (!state_->is_open()) {
    return too_late();
  }
  Status status = state_->options.set(name, value);
  state_->request.options = state_->options.state_->values;
  return status;
}
Status Tracer::add(Program program) {
  if (!state_->is_open()) {
    return too_late();
  }
  const auto language = dt::api::find_language(state_->compiled.languages, program.language);
  if (!language.ok()) {
    return given(language.error());
  }
  state_->request.programs.push_back(std::move(program));
  return {};
}
Status Tracer::open(std::string recording) {
  if (!state_->is_open()) {
    return too_late();
  }
  state_->recording_name = std::move(recording);
  return {};
}
Status Tracer::add_argument(std::string text) {
  if (!state_->is_open()) {
    return too_late();
  }
  state_->request.arguments.push_back(std::move(text));
  return {};
}
Status Tracer::add_argument(std::string name, std::string text) {
  if (!state_->is_open()) {
    return too_late();
  }
  state_->request.named_arguments.insert_or_assign(std::move(name), std::move(text));
  return {};
}
Status Tracer::add_command(std::string command) {
  if (!state_->is_open()) {
    return too_late();
  }
  state_->request.commands.push_back(std::move(command));
  return {};
}
Status Tracer::add_process(std::int32_t pid) {
  if (!state_->is_open()) {
    return too_late();
  }
  state_->request.pids.push_back(pid);
  return {};
}
void Tracer::set_unbuffered() { state_->request.unbuffered = true; }

void Tracer::on_record(std::function<void(const Record&)> callback) {
  state_->callbacks.record = std::move(callback);
}
void Tracer::on_drop(std::function<void(const Drop&)> callback) {
  state_->callbacks.drop = std::move(callback);
}
void Tracer::on_fault(std::function<void(const Fault&)> callback) {
  state_->callbacks.fault = std::move(callback);
}
void Tracer::on_message(std::function<void(const Message&)> callback) {
  state_->callbacks.message = std::move(callback);
}
void Tracer::on_progress(std::function<void(const Progress&)> callback) {
  state_->callbacks.progress = std::move(callback);
}
void Tracer::on_dump(std::function<void(std::string_view)> callback) {
  state_->callbacks.dump = std::move(callback);
}
void Tracer::on_view_line(std::function<void(std::string_view)> callback) {
  state_->callbacks.views = std::move(callback);
}
void Tracer::on_metrics(std::function<void(std::string_view)> callback) {
  state_->callbacks.metrics = std::move(callback);
}

void Tracer::on_push(std::function<void(std::string_view)> callback) {
  state_->callbacks.push = std::move(callback);
}

void Tracer::write_to(int fd, std::string name, bool replaces) {
  state_->place = {fd, std::move(name), {}, replaces};
  if (state_->live != nullptr) {
    state_->live->write_to(state_->place);
  }
}
void Tracer::write_to(std::function<void(std::string_view)> write) {
  state_->place = {-1, {}, std::move(write)};
  if (state_->live != nullptr) {
    state_->live->write_to(state_->place);
  }
}
void Tracer::print(std::string_view text) {
  if (state_->live != nullptr) {
    state_->live->print(text);
  }
}

Status Tracer::compile() { return state_->compile(); }
std::vector<Program> Tracer::programs() const {
  std::vector<Program> programs = state_->request.programs;
  const std::vector<dt::front::Input>& inputs = state_->compiled.inputs;
  programs.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    programs[i].content = state_->compiled.sources.at(inputs[i].source).text();
    programs[i].is_preprocessed = true;
  }
  return programs;
}
const std::vector<Diagnostic>& Tracer::diagnostics() const { return state_->diagnostics; }
std::size_t Tracer::diagnostics_total() const { return state_->compiled.diagnostics.total(); }
bool Tracer::is_stopped() const { return state_->compiled.is_stopped; }
const Options& Tracer::options() const { return state_->options; }

std::vector<std::uint32_t> Tracer::matched() const {
  std::vector<std::uint32_t> counts = state_->compiled.plan.matched;
  counts.resize(state_->request.programs.size());
  return counts;
}

std::vector<std::optional<ProgramStability>> Tracer::stability() const {
  std::vector<std::optional<ProgramStability>> all(state_->request.programs.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    std::optional<dt::front::ClauseStability> least;
    for (const dt::front::ClauseStability& one : state_->compiled.stability) {
      if (one.source != i) {
        continue;
      }
      if (!least) {
        least = one;
      }
      least->probes = dt::probe::least(least->probes, one.probes);
      least->statements = dt::probe::least(least->statements, one.statements);
    }
    if (least) {
      all[i] = ProgramStability{given(least->probes), given(least->statements)};
    }
  }
  return all;
}

std::size_t Tracer::library_files() const {
  std::size_t count = 0;
  const dt::Sources& sources = state_->compiled.sources;
  for (std::uint32_t i = 0; i < sources.size(); ++i) count += sources.at(i).is_library ? 1 : 0;
  return count;
}

std::string Tracer::disassembly() const { return dt::api::objects_text(state_->compiled); }

Status Tracer::check() {
  if (state_->is_open()) {
    DT_TRY(compile());
  }
  return state_->check();
}
Status Tracer::enable() { return state_->enable(); }
Status Tracer::go() { return state_->go(); }

Result<bool> Tracer::poll(std::chrono::milliseconds most) {
  DT_TRY(state_->go());
  if (state_->stage == State::Stage::kStopped) {
    return false;
  }
  if (std::exchange(state_->is_polling, true)) {
    return Error{"poll() is at work: it cannot be called by what it has called", 0, "", "", ""};
  }
  const Live::Clock::time_point now = Live::Clock::now();
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(Live::Clock::time_point::max() - now);
  dt::Result<bool> result = state_->live->poll(now + std::min(most, left));
  state_->is_polling = false;
  if (!result.ok()) {
    return state_->refused(std::move(result.error()));
  }
  return *result;
}

Status Tracer::run() {
  const Result<bool> polled = poll(std::chrono::milliseconds::max());
  if (!state_->has_gone()) {
    return polled.error();
  }
  DT_TRY(stop());
  return polled.ok() ? Status() : Status(polled.error());
}

Status Tracer::hold(std::chrono::milliseconds most) {
  DT_TRY(state_->go());
  constexpr std::int64_t kMostMs = 1000;
  dt::Status status = state_->live->hold(
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(most.count(), 0, kMostMs)));
  return status.ok() ? Status() : Status(state_->refused(std::move(status.error())));
}

Status Tracer::stop() {
  if (state_->is_polling) {
    return Error{"poll() is at work: what it has called ends tracing by interrupt()", 0, "", "",
                 ""};
  }
  if (state_->stage == State::Stage::kGoing) {
    state_->stage = State::Stage::kStopped;  // poll() and stop() while it stops do nothing
    dt::Status status = state_->live->stop();
    state_->stopped = status.ok() ? Status() : Status(state_->refused(std::move(status.error())));
  }
  return state_->stopped;
}

int Tracer::exit_status() const {
  return state_->live != nullptr ? state_->live->exit_status() : 1;
}

std::vector<std::string> Tracer::aggregations() const {
  std::vector<std::string> names;
  if (state_->has_handlers()) return names;  // they are their handlers'
  for (const dt::record::AggLayout& layout : state_->compiled.plan.schema.aggregations) {
    names.push_back(layout.name);
  }
  return names;
}

Status Tracer::read(std::string_view aggregation, const std::function<void(const Row&)>& visit) {
  if (!state_->has_gone()) {
    return Error{"an aggregation can be read once tracing goes", 0, "", "", ""};
  }
  if (state_->has_handlers()) {
    return Error{"aggregations are of programs in D: handlers of other languages print text", 0, "",
                 "", ""};
  }
  const std::vector<std::string> names = aggregations();
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (names[i] == aggregation) {
      return given(state_->live->read(i, visit));
    }
  }
  return Error{"there is no aggregation @" + std::string(aggregation), 0, "", "", ""};
}

Result<Aggregation> Tracer::snapshot(std::string_view aggregation) {
  Aggregation out;
  DT_TRY(read(aggregation, [&out](const Row& row) { out.rows.push_back(row); }));
  for (const dt::record::AggLayout& layout : state_->compiled.plan.schema.aggregations) {
    if (layout.name == aggregation) {
      out.function = dt::record::agg_func_name(layout.func);
    }
  }
  out.name = aggregation;
  return out;
}

void Tracer::interrupt(Interrupt how) {
  if (state_->live == nullptr) {
    state_->interrupts.push_back(how);
  } else {
    state_->interrupt(how);
  }
}

bool Tracer::is_terminated() const { return state_->is_terminated; }

bool Tracer::is_interrupted() const {
  return state_->live != nullptr ? state_->live->is_interrupted() : !state_->interrupts.empty();
}

Status Tracer::run_command(const std::string& command) {
  if (state_->live == nullptr) {
    return given(dt::Error::of(fmt::format("cannot run '{}': tracing has not begun", command)));
  }
  dt::Status done = state_->live->run_command(command);
  return done.ok() ? Status() : given(std::move(done.error()));
}

Status Tracer::end_on_signals() {
  if (state_->signals) {
    return {};
  }
  dt::Result<dt::support::Signals> signals = dt::support::Signals::create();
  if (!signals.ok()) {
    return given(std::move(signals.error()));
  }
  state_->signals.emplace(std::move(*signals));
  State* const state = state_.get();
  return watch(state->signals->fd(), [state] {
    while (const int signal = state->signals->take()) {
      state->interrupt(signal == SIGINT ? Interrupt::kAsk : Interrupt::kTerminate);
    }
  });
}

Status Tracer::watch(int fd, std::function<void()> ready) {
  if (state_->live == nullptr) {
    state_->watched.emplace_back(fd, std::move(ready));
    return {};
  }
  return given(state_->live->watch(fd, std::move(ready)));
}

}  // namespace dtrace
