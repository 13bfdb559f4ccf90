// See processes.h.

#include "stap/home/processes.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "support/clock.h"
#include "support/file.h"

namespace dt::stap {
namespace {

// The lines of a /proc/.../status ("Name", "Uid", ...), each value up to its first tabulator.
std::map<std::string, std::string> status_of(const std::string& directory) {
  std::map<std::string, std::string> out;
  std::ifstream file(directory + "/status");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(":\t");
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon);
    const std::string value = line.substr(colon + 2);
    out[name] = name == "Name" ? value : value.substr(0, value.find('\t'));
  }
  return out;
}

std::int64_t status_number(const std::map<std::string, std::string>& status, const char* name) {
  const auto found = status.find(name);
  if (found == status.end()) return 0;
  std::int64_t value = 0;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool descends(std::int64_t pid, std::int64_t from) {
  constexpr int kMostParents = 256;
  for (int i = 0; i < kMostParents && pid > 0; ++i) {
    if (pid == from) return true;
    pid = status_number(status_of(fmt::format("/proc/{}", pid)), "PPid");
  }
  return false;
}

bool is_meant(const Event::Whose& whose, std::int64_t pid) {
  const bool is_process = whose.process == 0 || whose.process == pid ||
                          (whose.has_children && descends(pid, whose.process));
  return is_process &&
         (whose.program.empty() || is_same_file(fmt::format("/proc/{}/exe", pid), whose.program));
}

// The arguments of the process, separated by blanks.
std::string command_line_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", pid));
  std::string out(std::istreambuf_iterator<char>(file), {});
  while (!out.empty() && out.back() == '\0') out.pop_back();
  std::replace(out.begin(), out.end(), '\0', ' ');
  return out;
}

Firing firing_of(const Handler& handler, std::int64_t pid, std::int64_t tid) {
  const auto status = status_of(fmt::format("/proc/{}/task/{}", pid, tid));
  const std::int64_t wall = support::now_ns(CLOCK_REALTIME),
                     monotonic = support::now_ns(CLOCK_MONOTONIC);
  constexpr std::int64_t kUs = 1000, kMs = 1'000'000, kSecondNs = 1'000'000'000;
  const std::pair<Fn, std::int64_t> numbers[] = {
      {Fn::pid, pid},
      {Fn::tid, tid},
      {Fn::ppid, status_number(status, "PPid")},
      {Fn::uid, status_number(status, "Uid")},
      {Fn::gid, status_number(status, "Gid")},
      {Fn::gettimeofday_ns, wall},
      {Fn::gettimeofday_us, wall / kUs},
      {Fn::gettimeofday_ms, wall / kMs},
      {Fn::gettimeofday_s, wall / kSecondNs},
      {Fn::ktime_get_ns, monotonic},
      {Fn::local_clock_ns, monotonic},
      {Fn::local_clock_us, monotonic / kUs},
      {Fn::local_clock_ms, monotonic / kMs},
      {Fn::local_clock_s, monotonic / kSecondNs},
  };
  Firing out;
  out.is_now = true;
  out.point = handler.events.empty() ? handler.text : handler.events.front().text;
  out.contexts.resize(function_count());
  for (const auto& [fn, value] : numbers) {
    out.contexts[static_cast<std::size_t>(fn)].number = value;
  }
  const auto name = status.find("Name");
  if (name != status.end()) {
    out.contexts[static_cast<std::size_t>(Fn::execname)].text = name->second;
  }
  out.contexts[static_cast<std::size_t>(Fn::cmdline_str)].text = command_line_of(pid);
  for (const Fn fn : {Fn::pp, Fn::pn}) {
    out.contexts[static_cast<std::size_t>(fn)].text = out.point;
  }
  out.leaves.resize(handler.leaves.size());
  out.unreadable.assign(handler.leaves.size(), true);
  out.provided.resize(handler.provided.size());
  return out;
}

}  // namespace

std::vector<Firing> living(const Handler& handler) {
  std::vector<Firing> out;
  if (handler.begins == Handler::Begins::kNothing) return out;
  for (const std::int64_t pid : support::numbers_in("/proc")) {
    if (pid == ::getpid() || !is_meant(handler.events.front().whose, pid)) continue;
    if (handler.begins == Handler::Begins::kProcess) {
      out.push_back(firing_of(handler, pid, pid));
      continue;
    }
    for (const std::int64_t tid : support::numbers_in(fmt::format("/proc/{}/task", pid))) {
      if (tid != pid) out.push_back(firing_of(handler, pid, tid));
    }
  }
  return out;
}

Firing caller_of(const Handler& handler, std::int64_t tid, std::int64_t uid, std::int64_t gid) {
  const std::int64_t pid = status_number(status_of(fmt::format("/proc/{}", tid)), "Tgid");
  Firing out = firing_of(handler, pid != 0 ? pid : tid, tid);
  out.contexts[static_cast<std::size_t>(Fn::uid)].number = uid;
  out.contexts[static_cast<std::size_t>(Fn::gid)].number = gid;
  return out;
}

bool read_process(std::int64_t pid, std::uint64_t address, std::span<std::uint8_t> into) {
  const iovec to{into.data(), into.size()};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the other process
  const iovec from{reinterpret_cast<void*>(address), into.size()};
  const ssize_t count = ::process_vm_readv(static_cast<pid_t>(pid), &to, 1, &from, 1, 0);
  return count >= 0 && static_cast<std::size_t>(count) == into.size();
}

}  // namespace dt::stap
