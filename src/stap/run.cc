// See run.h.

#include "stap/run.h"

#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <utility>

#include "stap/home/processes.h"
#include "stap/home/unread.h"
#include "stap/syntax/messages.h"
#include "support/clock.h"
#include "support/shown.h"

namespace dt::stap {

Run::Run(Program& program, const Capture& capture, const Sources& sources, std::int64_t target,
         std::vector<std::string> warnings, std::optional<TaskLayout> tasks)
    : program_(program),
      capture_(capture),
      sources_(sources),
      target_(target),
      warnings_(std::move(warnings)),
      tasks_(tasks),
      watched_(find_watched(program)),
      files_(find_files()) {}

Run::~Run() = default;

bool Run::run(Handler& handler, const Firing* firing, Machine::Given* given) {
  const std::int64_t began = program_.is_timed ? support::now_ns(CLOCK_MONOTONIC) : 0;
  outcomes_.enter(handler, firing, given != nullptr ? given->caller : nullptr);
  const bool is_good = machine_->run(handler, firing, given);
  outcomes_.flush();
  if (program_.is_timed) times_.add(handler, support::now_ns(CLOCK_MONOTONIC) - began);
  const std::string error = machine_->error();
  for (const std::string& command : machine_->take_commands()) {
    if (outcomes_.tells()) outcomes_.tell_command(command);
    const std::string wrong = outlet_.run ? outlet_.run(command) : "no command is run here";
    if (!wrong.empty()) outcomes_.say(fmt::format("WARNING: system(): {}", wrong));
  }
  if (!is_good) fail(error);
  outcomes_.leave();
  // If the handler has ended the run, what fires from now on does not count.
  if (has_ended() && accumulates() && !is_taken_ && !is_at_home_) take();
  return is_good;
}

void Run::fail(const std::string& error) {
  outcomes_.say("ERROR: " + error);
  if (++errors_ > program_.limits.max_errors) has_failed_ = true;
}

// Variables are brought up to date as for the handler of a timer.
void Run::look(const std::function<void()>& reads) {
  if (!machine_) return;
  const bool takes = accumulates() && !is_over_ && !has_ended();
  if (takes) take();
  reads();
  if (takes && !has_ended()) additions_->tell();
}

void Run::read(std::uint32_t variable, const VisitVariable& visit) {
  variables_->read(variable, visit);
}

// Moves what handlers have added in the kernel into the variables.
void Run::take() {
  is_taken_ = true;
  const std::string wrong = additions_->take();
  if (!wrong.empty()) outcomes_.say("WARNING: " + wrong);
}

// Runs a handler of the session (a timer, a file, the input) while events fire.
bool Run::run_session(Handler& handler, Machine::Given* given) {
  is_taken_ = false;
  if (accumulates() && handler.takes) take();
  if (has_failed_) return false;
  const bool is_good = run_watched(handler, given);
  if (accumulates() && is_taken_ && !has_ended()) additions_->tell();
  return is_good;
}

// If pictures show variables that the handler prints or empties, they are read before and after it.
bool Run::run_watched(Handler& handler, Machine::Given* given) {
  const auto found = std::ranges::find(watched_.handlers, &handler);
  if (!outlet_.around || found == watched_.handlers.end()) return run(handler, nullptr, given);
  bool is_good = false;
  outlet_.around(static_cast<std::uint32_t>(found - watched_.handlers.begin()),
                 [&] { is_good = run(handler, nullptr, given); });
  return is_good;
}

// ---- Files and the standard input ----

std::vector<Run::FileHandlers> Run::find_files() const {
  std::vector<FileHandlers> out;
  for (Handler& handler : program_.handlers) {
    if (handler.kind != HandlerKind::kFile) continue;
    auto found = std::find_if(out.begin(), out.end(), [&](const FileHandlers& one) {
      return one.path == handler.file.path;
    });
    if (found == out.end()) found = out.insert(out.end(), {handler.file.path});
    (handler.file.is_write ? found->write : found->read) = &handler;
  }
  return out;
}

std::vector<front::Session::File> Run::files() const {
  std::vector<File> out;
  for (const FileHandlers& one : files_) {
    File made;
    made.path = one.path;
    made.is_read = one.read != nullptr;
    made.is_written = one.write != nullptr;
    constexpr std::uint32_t kReaders = 0444, kWriters = 0222;
    if (one.read != nullptr) made.mode |= kReaders & ~one.read->file.umask;
    if (one.write != nullptr) made.mode |= kWriters & ~one.write->file.umask;
    made.most_bytes = static_cast<std::size_t>(program_.limits.max_string_length - 1);
    out.push_back(std::move(made));
  }
  return out;
}

// SystemTap's runtime for BPF has its files there, too, so users may know the place.
std::string Run::directory() const {
  std::array<char, 4096> room = {};
  passwd entry = {};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, room.data(), room.size(), &found);
  const std::string user = found != nullptr ? found->pw_name : std::to_string(::geteuid());
  return fmt::format("/var/tmp/systemtap-{}/{}", user, program_.module);
}

std::optional<std::string> Run::read_file(std::size_t file, const Asker& asker) {
  if (has_failed_) return std::nullopt;
  Handler& handler = *files_[file].read;
  const Firing caller = caller_of(handler, asker.tid, asker.uid, asker.gid);
  Machine::Given given = {{}, &caller};
  if (!run_session(handler, &given)) return std::nullopt;
  return for_output(given.value);
}

// A text ends at its first NUL.
bool Run::write_file(std::size_t file, std::string_view text, const Asker& asker) {
  if (has_failed_) return false;
  Handler& handler = *files_[file].write;
  const Firing caller = caller_of(handler, asker.tid, asker.uid, asker.gid);
  Machine::Given given = {{}, &caller};
  given.value.text = text.substr(0, text.find('\0'));
  return run_session(handler, &given);
}

bool Run::wants_input() const {
  return std::any_of(program_.handlers.begin(), program_.handlers.end(),
                     [](const Handler& one) { return one.kind == HandlerKind::kInput; });
}

// A line is cut to the length of a string.
void Run::input(std::string_view text) {
  const auto most = static_cast<std::size_t>(program_.limits.max_string_length - 1);
  for (const char c : text) {
    const bool is_end = c == '\n';
    if (line_.size() < most) line_ += c;
    for (Handler& handler : program_.handlers) {
      if (handler.kind != HandlerKind::kInput || has_ended()) continue;
      if (handler.is_line && !is_end) continue;
      Machine::Given given;
      given.value.text = handler.is_line ? line_ : std::string(1, c);
      run_session(handler, &given);
    }
    if (is_end) line_.clear();
  }
}

// By ascending order numbers; handlers of one number in the order of the script.
void Run::run_all(HandlerKind kind) {
  std::vector<Handler*> all;
  for (Handler& handler : program_.handlers) {
    if (handler.kind == kind) all.push_back(&handler);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Handler* a, const Handler* b) { return a->order < b->order; });
  for (Handler* const one : all) {
    if (kind == HandlerKind::kBegin && has_ended()) break;
    run_watched(*one);
  }
}

std::int64_t Run::period(const Handler& handler) {
  if (handler.random_ns == 0) return handler.period_ns;
  static thread_local std::mt19937_64 generator{std::random_device{}()};
  std::uniform_int_distribution<std::int64_t> spread(-handler.random_ns, handler.random_ns);
  return std::max<std::int64_t>(handler.period_ns + spread(generator), 1);
}

bool Run::names_code() const {
  return std::any_of(program_.handlers.begin(), program_.handlers.end(),
                     [](const Handler& one) { return one.names_code; });
}

bool Run::names_lines() const {
  return std::any_of(program_.handlers.begin(), program_.handlers.end(),
                     [](const Handler& one) { return one.names_lines; });
}

std::vector<front::Session::Shown> Run::shown() const {
  std::vector<Shown> out;
  for (const auto& symbol : program_.script.globals) {
    const auto watched = std::ranges::find(watched_.symbols, symbol.get());
    const bool is_asked =
        watched != watched_.symbols.end() &&
        watched_.is_asked[static_cast<std::size_t>(watched - watched_.symbols.begin())];
    if (!is_asked && (!program_.prints_unread || !is_unread(*symbol))) continue;
    const bool has_text = std::ranges::find(symbol->keys, Type::kString) != symbol->keys.end();
    out.push_back({symbol->type == Type::kString, has_text && program_.asks_stacks});
  }
  return out;
}

void Run::begin(Outlet outlet) {
  outlet_ = std::move(outlet);
  for (const std::string& warning : warnings_) outcomes_.say("WARNING: " + warning);
  std::function<void(front::OutcomeHistogram)> note_histogram;
  if (outcomes_.tells()) {
    note_histogram = [this](front::OutcomeHistogram one) {
      outcomes_.add_histogram(std::move(one));
    };
  }
  machine_ = std::make_unique<Machine>(
      program_,
      Surroundings{[this](std::string_view text) { outcomes_.print(text); },
                   [this](std::string_view text) { outcomes_.say(std::string(text)); },
                   [this](Span span) {
                     const support::Location at = sources_.locate(span);
                     return fmt::format("{} at {}:{}:{}", describe_text(sources_.text(span)),
                                        at.file, at.line, at.column);
                   },
                   target_, outlet_.kernel_name, outlet_.user_name, outlet_.user_line,
                   outlet_.read_kernel,
                   [this](std::int64_t pid) {
                     if (!tasks_ || !outlet_.current_task) return std::uint64_t{0};
                     return find_task(*tasks_, outlet_.current_task(), pid, outlet_.read_kernel);
                   },
                   outlet_.current_task, note_histogram});
  if (outcomes_.tells() || outlet_.around) machine_->stacks().begin();
  variables_.emplace(program_, watched_, *machine_, outcomes_, outlet_);
  const Accumulations& accumulations = program_.accumulations;
  is_taken_ = true;  // no event has fired yet, so there is nothing to take
  run_all(HandlerKind::kBegin);
  for (Handler& handler : program_.handlers) {
    for (const Firing& one : living(handler)) {
      if (!has_ended()) run(handler, &one);
    }
  }
  if (!accumulations.all.empty() && outlet_.accumulator.take) {
    additions_ = std::make_unique<Additions>(
        program_, outlet_.accumulator,
        [this](const Symbol& symbol) -> Global& { return machine_->global(symbol); },
        [this](const Symbol& array, Span place) { fail(machine_->overflow(array, place)); });
    additions_->tell();
  }
  const std::int64_t now = support::now_ns(CLOCK_MONOTONIC);
  for (Handler& handler : program_.handlers) {
    if (handler.kind == HandlerKind::kTimer) timers_.push_back({&handler, now + period(handler)});
  }
}

void Run::record(const front::Recorded& recorded) {
  if (has_ended()) return;
  Handler* const handler = capture_.decode(recorded, firing_);
  if (handler == nullptr) return;
  if (handler->entry >= 0 && !entry_values_.restore(*handler, entry_of(*handler), firing_)) return;
  is_taken_ = false;
  if (accumulates()) {
    const bool is_first = firing_.goes_home || (handler->may_end && !handler->accumulates);
    if (is_first) take();
    is_at_home_ = is_at_home_ || is_first || handler->accumulates;
    if (has_ended()) return;
  }
  if (handler->awaits_exec) has_run_exec(*handler);
  run(*handler, &firing_);
  if (handler->is_entry) entry_values_.keep(*handler, firing_, *machine_);
}

// A program calls execve() or execveat(), so the other points of the same probe need not run,
// either.
void Run::has_run_exec(const Handler& which) {
  const Span span = which.body->span;
  for (Handler& other : program_.handlers) {
    const bool is_of_probe = other.body != nullptr && other.body->span.source == span.source &&
                             other.body->span.begin == span.begin;
    if (is_of_probe) other.awaits_exec = false;
  }
}

void Run::caught_up() {
  if (!is_at_home_ || has_ended()) return;
  is_at_home_ = false;
  additions_->release();
}

const Handler& Run::entry_of(const Handler& handler) const {
  return program_.handlers[static_cast<std::size_t>(handler.entry)];
}

std::int64_t Run::next_expiry_ns() const {
  std::int64_t next = kNever;
  for (const Timer& timer : timers_) next = std::min(next, timer.due_ns);
  return has_ended() ? kNever : next;
}

// If an expiry is late by more than a period, the missed ones are left out.
void Run::expire(std::int64_t now_ns) {
  for (Timer& timer : timers_) {
    if (timer.due_ns > now_ns || has_ended()) continue;
    run_session(*timer.handler);
    timer.due_ns += period(*timer.handler);
    if (timer.due_ns <= now_ns) timer.due_ns = now_ns + period(*timer.handler);
  }
}

void Run::command_ended(int status, int signal) {
  has_command_ended_ = true;
  if (signal != 0) {
    outcomes_.say(fmt::format("WARNING: Child process exited with signal {} ({})", signal,
                              ::strsignal(signal)));
  } else if (status != 0) {
    outcomes_.say(fmt::format("WARNING: Child process exited with status {}", status));
  }
}

bool Run::has_ended() const { return has_failed_ || (machine_ && machine_->has_exited()); }

// After an error, the handlers of `error` run instead of those of `end`.
void Run::end() {
  if (!machine_) return;
  if (accumulates() && !has_ended()) {
    take();  // of both epochs
    take();
  }
  is_taken_ = is_over_ = true;
  run_all(has_failed_ ? HandlerKind::kError : HandlerKind::kEnd);
  variables_->tell_all();
  if (program_.is_timed) {
    outcomes_.print(times_.report(program_, sources_));
    outcomes_.flush();
  }
  if (has_command_ended_) warn_of_exec();
  const std::int64_t skipped = entry_values_.skipped();
  if (errors_ > 0 || skipped > 0) {
    outcomes_.say(
        fmt::format("WARNING: Number of errors: {}, skipped probes: {}", errors_, skipped));
  }
}

// The command of -c is stopped behind its exec(), so that all probes are there at its first
// instruction.
void Run::warn_of_exec() {
  for (const Handler& handler : program_.handlers) {
    if (!handler.awaits_exec) continue;
    outcomes_.say(
        fmt::format("WARNING: '{}' has not run: probes fire from the first instruction of the "
                    "command of -c on, "
                    "behind its execve()",
                    handler.text));
  }
}

int Run::exit_status() const { return has_failed_ ? 1 : 0; }

}  // namespace dt::stap
