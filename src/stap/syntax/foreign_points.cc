// See foreign_points.h.

#include "stap/syntax/foreign_points.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "support/whole_number.h"

namespace dt::stap {
namespace {

using ForeignFields = std::vector<std::string_view>;

constexpr std::int64_t kForeignSecondNs = 1'000'000'000;

ForeignFields fields_of(std::string_view text) {
  ForeignFields out;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(':', begin);
    out.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return out;
    begin = end + 1;
  }
}

// "1s": 1 and "s".
std::optional<std::pair<std::int64_t, std::string_view>> rate_of(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = support::whole_number<std::int64_t>(text.substr(0, end));
  if (!number || *number <= 0) return std::nullopt;
  return std::pair(*number, text.substr(end));
}

struct ForeignUnit {
  std::string_view name, own;
  std::int64_t times;  // of the own unit
};
constexpr ForeignUnit kTimeUnits[] = {
    {"ns", "ns", 1},   {"nsec", "ns", 1},   {"us", "us", 1},   {"usec", "us", 1},  {"ms", "ms", 1},
    {"msec", "ms", 1}, {"s", "s", 1},       {"sec", "s", 1},   {"m", "s", 60},     {"min", "s", 60},
    {"h", "s", 3600},  {"hour", "s", 3600}, {"d", "s", 86400}, {"day", "s", 86400}};

// A number without a unit is one of D: so many times a second.
std::string timer_of(std::int64_t number, std::string_view unit) {
  if (unit.empty() || unit == "hz") return fmt::format("timer.hz({})", number);
  for (const ForeignUnit& one : kTimeUnits) {
    std::int64_t own = 0;
    if (one.name == unit && !__builtin_mul_overflow(number, one.times, &own)) {
      return fmt::format("timer.{}({})", one.own, own);
    }
  }
  return {};
}

// On all CPUs.
std::string profile_of(std::int64_t number, std::string_view unit) {
  if (unit.empty() || unit == "hz") return fmt::format("timer.profile.freq.hz({})", number);
  constexpr std::pair<std::string_view, std::int64_t> kNs[] = {{"ns", 1},
                                                               {"nsec", 1},
                                                               {"us", 1000},
                                                               {"usec", 1000},
                                                               {"ms", 1'000'000},
                                                               {"msec", 1'000'000},
                                                               {"s", kForeignSecondNs},
                                                               {"sec", kForeignSecondNs}};
  for (const auto& [name, ns] : kNs) {
    std::int64_t period = 0;
    const bool fits = name == unit && !__builtin_mul_overflow(number, ns, &period);
    if (fits && kForeignSecondNs % period == 0) {
      return fmt::format("timer.profile.freq.hz({})", kForeignSecondNs / period);
    }
  }
  return {};
}

// "tick-1s", "profile-97"
std::string timer_of_d(std::string_view name) {
  constexpr std::string_view kTick = "tick-", kProfile = "profile-";
  const bool is_tick = name.starts_with(kTick);
  if (!is_tick && !name.starts_with(kProfile)) return {};
  const auto rate = rate_of(name.substr(is_tick ? kTick.size() : kProfile.size()));
  if (!rate) return {};
  return is_tick ? timer_of(rate->first, rate->second) : profile_of(rate->first, rate->second);
}

std::string session_point(std::string_view name) {
  if (name == "BEGIN") return "begin";
  if (name == "END") return "end";
  if (name == "ERROR") return "error";
  return {};
}

std::string syscall_point(std::string_view name, bool is_return) {
  return fmt::format("syscall.{}{}", name.empty() ? "*" : name, is_return ? ".return" : "");
}

std::string function_point(std::string_view module, std::string_view name, bool is_return) {
  const std::string suffix = is_return ? ".return" : "";
  if (module.empty() || module == "vmlinux" || module == "kernel") {
    return fmt::format("kernel.function(\"{}\"){}", name, suffix);
  }
  return fmt::format("module(\"{}\").function(\"{}\"){}", module, name, suffix);
}

std::string own_mark(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '-' ? "__" : std::string(1, c);
  return out;
}

// provider:module:function:name
std::string point_of_d(std::string_view text, const ForeignFields& fields) {
  const std::string_view provider = fields[0], module = fields[1];
  const std::string_view function = fields[2], name = fields[3];
  const bool is_return = name == "return";
  const bool is_call = is_return || name == "entry";
  constexpr std::string_view kTarget = "$target";
  if (provider == "dtrace") return session_point(name);
  if (provider == "profile") return timer_of_d(name);
  if (provider == "syscall" && is_call) return syscall_point(function, is_return);
  if (provider == "fbt" && is_call && !function.empty()) {
    return function_point(module, function, is_return);
  }
  if (provider == "sdt" && !name.empty()) return fmt::format("kernel.trace(\"{}\")", name);
  const bool is_target = provider.ends_with(kTarget);
  const std::string_view of =
      is_target ? provider.substr(0, provider.size() - kTarget.size()) : provider;
  const bool is_pid = of.starts_with("pid") && (is_target || rate_of(of.substr(3)));
  if (is_pid && is_call && !function.empty()) {
    const std::string process = is_target ? "process" : fmt::format("process({})", of.substr(3));
    const bool has_library = !module.empty() && module != "a.out";
    return fmt::format("{}{}.function(\"{}\"){}", process,
                       has_library ? fmt::format(".library(\"{}\")", module) : "", function,
                       is_return ? ".return" : "");
  }
  if (is_target && !of.empty() && !name.empty()) {
    return fmt::format("process.provider(\"{}\").mark(\"{}\")", of, own_mark(name));
  }
  return fmt::format("dtrace(\"{}\")", text);
}

// What perf_event_open() calls PERF_TYPE_SOFTWARE and PERF_TYPE_HARDWARE.
std::string perf_point(const ForeignFields& fields) {
  constexpr std::pair<std::string_view, int> kSoftwareEvents[] = {
      {"cpu-clock", 0},    {"cpu", 0},
      {"task-clock", 1},   {"page-faults", 2},
      {"faults", 2},       {"context-switches", 3},
      {"cs", 3},           {"cpu-migrations", 4},
      {"minor-faults", 5}, {"major-faults", 6}};
  constexpr std::pair<std::string_view, int> kHardwareEvents[] = {
      {"cpu-cycles", 0},          {"cycles", 0},       {"instructions", 1},
      {"cache-references", 2},    {"cache-misses", 3}, {"branch-misses", 5},
      {"branch-instructions", 4}, {"branches", 4}};
  const bool is_software = fields[0] == "software" || fields[0] == "s";
  const auto find = [&](const auto& events) -> std::string {
    for (const auto& [name, config] : events) {
      if (name != fields[1]) continue;
      std::string out = fmt::format("perf.type({}).config({})", is_software ? 1 : 0, config);
      const bool has_count = fields.size() > 2 && rate_of(fields[2]).has_value();
      return has_count ? out + fmt::format(".sample({})", fields[2]) : out;
    }
    return {};
  };
  return is_software ? find(kSoftwareEvents) : find(kHardwareEvents);
}

// bpftrace's: the kind first, and as many fields as it takes.
std::string point_of_bpftrace(const ForeignFields& fields) {
  const std::string_view kind = fields[0], last = fields.back();
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), kind) != names.end();
  };
  if (fields.size() < 2 || last.empty()) return {};
  const bool is_return = is({"kretprobe", "kr", "kretfunc", "fexit", "uretprobe", "ur"});
  if (fields.size() == 3 && is({"interval", "i", "profile", "p"})) {
    const auto number = support::whole_number<std::int64_t>(last);
    if (!number || *number <= 0) return {};
    return is({"interval", "i"}) ? timer_of(*number, fields[1]) : profile_of(*number, fields[1]);
  }
  if (is({"kprobe", "k", "kretprobe", "kr", "kfunc", "kretfunc", "fentry", "fexit"}) &&
      fields.size() <= 3) {
    return function_point(fields.size() == 3 ? fields[1] : "", last, is_return);
  }
  if (is({"uprobe", "u", "uretprobe", "ur"}) && fields.size() == 3) {
    return fmt::format("process(\"{}\").function(\"{}\"){}", fields[1], last,
                       is_return ? ".return" : "");
  }
  if (is({"usdt", "U"}) && (fields.size() == 3 || fields.size() == 4)) {
    const std::string provider =
        fields.size() == 4 ? fmt::format(".provider(\"{}\")", fields[2]) : "";
    return fmt::format("process(\"{}\"){}.mark(\"{}\")", fields[1], provider, own_mark(last));
  }
  if (is({"tracepoint", "t"}) && fields.size() == 3) {
    constexpr std::string_view kEnter = "sys_enter", kExit = "sys_exit";
    const bool is_call = fields[1] == "syscalls" || fields[1] == "raw_syscalls";
    for (const std::string_view prefix : {kEnter, kExit}) {
      if (!is_call || !last.starts_with(prefix)) continue;
      const std::string_view rest = last.substr(prefix.size());
      return syscall_point(rest.starts_with('_') ? rest.substr(1) : rest, prefix == kExit);
    }
    return fmt::format("kernel.trace(\"{}:{}\")", fields[1], last);
  }
  if (is({"rawtracepoint", "rt"}) && fields.size() == 2) {
    return fmt::format("kernel.trace(\"{}\")", last);
  }
  if (is({"software", "s", "hardware", "h"})) return perf_point(fields);
  return {};
}

}  // namespace

std::string own_point(std::string_view foreign) {
  if (const std::string point = session_point(foreign); !point.empty()) return point;
  if (const std::string point = timer_of_d(foreign); !point.empty()) return point;
  constexpr std::string_view kTimer = "timer.";  // timer.1s
  if (foreign.starts_with(kTimer)) {
    const auto rate = rate_of(foreign.substr(kTimer.size()));
    return rate ? timer_of(rate->first, rate->second) : "";
  }
  const ForeignFields fields = fields_of(foreign);
  constexpr std::size_t kOfD = 4;
  if (const std::string point = point_of_bpftrace(fields); !point.empty()) return point;
  return fields.size() == kOfD ? point_of_d(foreign, fields) : "";
}

std::string_view point_around(std::string_view text, std::size_t place) {
  const auto is_end = [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',' || c == '{';
  };
  std::size_t begin = std::min(place, text.size()), end = begin;
  while (begin > 0 && !is_end(text[begin - 1])) --begin;
  while (end < text.size() && !is_end(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::string hint_of_foreign(std::string_view point) {
  constexpr std::size_t kMost = 200;  // longer ones are not expected
  const std::string own = point.size() > kMost ? "" : own_point(point);
  return own.empty() ? "" : "here it is " + own;
}

}  // namespace dt::stap
