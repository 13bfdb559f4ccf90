// See run.h.

#include "stap/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <utility>

#include "stap/home/processes.h"

namespace dt::stap {
namespace {

std::int64_t monotonic_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  constexpr std::int64_t kSecond = 1'000'000'000;
  return now.tv_sec * kSecond + now.tv_nsec;
}

}  // namespace

Run::Run(Program& program, const Capture& capture, const Sources& sources, std::int64_t target,
         std::vector<std::string> warnings)
    : program_(program),
      capture_(capture),
      sources_(sources),
      target_(target),
      warnings_(std::move(warnings)) {}

Run::~Run() = default;

void Run::run(Handler& handler, const Firing* firing) {
  if (machine_->run(handler, firing)) return;
  outlet_.warn("ERROR: " + machine_->error());
  if (++errors_ > program_.limits.max_errors) has_failed_ = true;
}

// In the order of their numbers, then of the script.
void Run::run_all(HandlerKind kind) {
  std::vector<Handler*> all;
  for (Handler& handler : program_.handlers) {
    if (handler.kind == kind) all.push_back(&handler);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Handler* a, const Handler* b) { return a->order < b->order; });
  for (Handler* const one : all) {
    if (kind == HandlerKind::kBegin && has_ended()) break;
    run(*one, nullptr);
  }
}

std::int64_t Run::period(const Handler& handler) {
  if (handler.random_ns == 0) return handler.period_ns;
  static thread_local std::mt19937_64 generator{std::random_device{}()};
  std::uniform_int_distribution<std::int64_t> spread(-handler.random_ns, handler.random_ns);
  return std::max<std::int64_t>(handler.period_ns + spread(generator), 1);
}

void Run::begin(Outlet outlet) {
  outlet_ = std::move(outlet);
  for (const std::string& warning : warnings_) outlet_.warn("WARNING: " + warning);
  machine_ = std::make_unique<Machine>(
      program_, Surroundings{outlet_.write, outlet_.warn,
                             [this](Span span) {
                               const support::Location at = sources_.locate(span);
                               return fmt::format("{}:{}:{}", at.file, at.line, at.column);
                             },
                             target_});
  run_all(HandlerKind::kBegin);
  for (Handler& handler : program_.handlers) {
    for (const Firing& one : living(handler)) {
      if (!has_ended()) run(handler, &one);
    }
  }
  const std::int64_t now = monotonic_ns();
  for (Handler& handler : program_.handlers) {
    if (handler.kind == HandlerKind::kTimer) timers_.push_back({&handler, now + period(handler)});
  }
}

void Run::record(const front::Recorded& recorded) {
  if (has_ended()) return;
  if (Handler* const handler = capture_.decode(recorded, firing_)) run(*handler, &firing_);
}

std::int64_t Run::next_expiry_ns() const {
  std::int64_t next = kNever;
  for (const Timer& timer : timers_) next = std::min(next, timer.due_ns);
  return has_ended() ? kNever : next;
}

// An expiry that comes late is not made up for: the next one is a period later.
void Run::expire(std::int64_t now_ns) {
  for (Timer& timer : timers_) {
    if (timer.due_ns > now_ns || has_ended()) continue;
    run(*timer.handler, nullptr);
    timer.due_ns += period(*timer.handler);
    if (timer.due_ns <= now_ns) timer.due_ns = now_ns + period(*timer.handler);
  }
}

bool Run::has_ended() const { return has_failed_ || (machine_ && machine_->has_exited()); }

// After an error, the handlers of `error` run instead of those of `end`.
void Run::end() {
  if (!machine_) return;
  run_all(has_failed_ ? HandlerKind::kError : HandlerKind::kEnd);
  if (const std::string text = machine_->unread_globals(); !text.empty()) outlet_.write(text);
  if (errors_ > 0) {
    outlet_.warn(fmt::format("WARNING: Number of errors: {}, skipped probes: 0", errors_));
  }
}

int Run::exit_status() const { return has_failed_ ? 1 : 0; }

}  // namespace dt::stap
