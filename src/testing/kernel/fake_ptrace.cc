// See fake_ptrace.h.

#include "testing/kernel/fake_ptrace.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include "support/check.h"

namespace dt::kernel {

namespace {

FakePtrace::Event killed() {
  constexpr int kStatus = 9;  // SIGKILL
  return {{Ptrace::Stop::Kind::kEnd, kStatus, 0, 0, 0}, 0, nullptr};
}

}  // namespace

void FakePtrace::fail(std::size_t nth, int code) {
  fail_at_ = nth;
  code_ = code;
}

Status FakePtrace::enter(pid_t pid, std::string call) {
  calls.push_back(std::move(call));
  if (calls.size() != fail_at_) return {};
  if (code_ == ESRCH) {
    processes[pid].events = after_failure.empty() ? std::deque<Event>{killed()} : after_failure;
  }
  return support::system_error(calls.back(), code_);
}

Status FakePtrace::watch(pid_t pid, Watch watch) {
  return enter(pid, fmt::format("watch {} {}", pid, watch == Watch::kWay ? "way" : "death"));
}

Result<Ptrace::Stop> FakePtrace::wait(std::span<const pid_t> all) {
  const auto acts = std::find_if(all.begin(), all.end(),
                                 [this](pid_t pid) { return !processes[pid].events.empty(); });
  DT_TRY(
      enter(acts == all.end() ? all.back() : *acts, fmt::format("wait {}", fmt::join(all, ","))));
  DT_CHECK(acts != all.end(), "a wait for {} would never end", fmt::join(all, ","));
  Process& process = processes[*acts];
  Event event = std::move(process.events.front());
  process.events.pop_front();
  if (event.before) event.before();
  if (event.at != 0) process.program_counter = event.at;
  if (event.stop.kind == Stop::Kind::kEnd) process.is_traced = false;
  event.stop.who = *acts;
  return event.stop;
}

Status FakePtrace::go_on(pid_t pid, int signal) {
  return enter(pid, fmt::format("go_on {} with {}", pid, signal));
}

Status FakePtrace::detach(pid_t pid, int signal) {
  DT_TRY(enter(pid, fmt::format("detach {} with {}", pid, signal)));
  processes[pid].is_traced = false;
  return {};
}

Status FakePtrace::stop(pid_t pid, pid_t thread) {
  DT_TRY(enter(thread, fmt::format("stop {} of {}", thread, pid)));
  processes[thread].events.push_back({{Stop::Kind::kSignal, 0, SIGSTOP, 0, 0}, 0, nullptr});
  return {};
}

void FakePtrace::kill(pid_t pid) {
  calls.push_back(fmt::format("kill {}", pid));
  for (auto& [other, process] : processes) process.events = {killed()};
}

Result<std::string> FakePtrace::auxv(pid_t pid) {
  DT_TRY(enter(pid, fmt::format("auxv {}", pid)));
  return processes[pid].auxv;
}

Result<std::uint8_t> FakePtrace::read(pid_t pid, std::uint64_t address) {
  DT_TRY(enter(pid, fmt::format("read {} 0x{:x}", pid, address)));
  return (*processes[pid].memory)[address];
}

Status FakePtrace::write(pid_t pid, std::uint64_t address, std::uint8_t byte) {
  DT_TRY(enter(pid, fmt::format("write {} 0x{:x}={:x}", pid, address, byte)));
  if (std::find(fixed.begin(), fixed.end(), address) != fixed.end()) {
    return support::system_error(calls.back(), EIO);
  }
  (*processes[pid].memory)[address] = byte;
  return {};
}

Result<std::uint64_t> FakePtrace::program_counter(pid_t pid) {
  DT_TRY(enter(pid, fmt::format("program_counter {}", pid)));
  return processes[pid].program_counter;
}

Status FakePtrace::set_program_counter(pid_t pid, std::uint64_t address) {
  DT_TRY(enter(pid, fmt::format("set_program_counter {} 0x{:x}", pid, address)));
  processes[pid].program_counter = address;
  return {};
}

}  // namespace dt::kernel
