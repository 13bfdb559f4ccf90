// See fake_ptrace.h.

#include "testing/kernel/fake_ptrace.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace dt::kernel {

void FakePtrace::fail(std::size_t nth, int code) {
  fail_at_ = nth;
  code_ = code;
}

Status FakePtrace::enter(pid_t pid, std::string call) {
  calls.push_back(std::move(call));
  if (calls.size() != fail_at_) return {};
  if (code_ == ESRCH) {
    constexpr int kKilled = 9;
    processes[pid].events = {{{Stop::Kind::kEnd, kKilled, 0, 0}, 0, nullptr}};
  }
  return support::system_error(calls.back(), code_);
}

Status FakePtrace::watch(pid_t pid, Watch watch) {
  return enter(pid, fmt::format("watch {} {}", pid, watch == Watch::kWay ? "way" : "death"));
}

Result<Ptrace::Stop> FakePtrace::wait(pid_t pid, bool has_lost_threads) {
  DT_TRY(enter(pid, fmt::format("wait {}{}", pid, has_lost_threads ? " looking" : "")));
  Process& process = processes[pid];
  DT_CHECK(!process.events.empty(), "a wait for process {} would never end", pid);
  const Event event = std::move(process.events.front());
  process.events.pop_front();
  if (event.before) event.before();
  if (event.at != 0) process.program_counter = event.at;
  if (event.stop.kind == Stop::Kind::kEnd) process.is_traced = false;
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
