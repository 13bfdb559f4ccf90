// See points.h.

#include "stap/meaning/points.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "support/nearest.h"

namespace dt::stap {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr Unit kUnits[] = {
    {"s", kNsPerSecond}, {"sec", kNsPerSecond}, {"ms", 1'000'000}, {"msec", 1'000'000},
    {"us", 1000},        {"usec", 1000},        {"ns", 1},         {"nsec", 1}};

// Families of SystemTap that are not here, with the reason.
struct RefusedFamily {
  std::string_view family, why;
};
constexpr RefusedFamily kRefusedFamilies[] = {
    {"process", "probes of programs are not built yet"},
    {"procfs", "files of procfs are not built yet"},
    {"netfilter", "probes of netfilter are not built yet"},
    {"perf", "counters of perf are not built yet"},
    {"java", "there are no probes of Java methods"},
    {"vfs", "the aliases of vfs.* are not built yet: use kernel.function(\"vfs_...\")"},
    {"tcp", "the aliases of tcp.* are not built yet: use dtrace(\"tcp:::...\")"},
    {"input", "keys of a terminal are not read yet"},
    {"oneshot", "oneshot is not built yet: use begin and exit()"},
};

constexpr std::string_view kFamilies[] = {
    "begin",      "end",        "error",  "never",  "timer",       "syscall", "nd_syscall",
    "tp_syscall", "dw_syscall", "kernel", "module", "syscall_any", "dtrace"};

class Resolver {
 public:
  Resolver(const ProbePoint& point, std::int64_t jiffy_ns, Messages& messages, Handler& out)
      : point_(point), jiffy_ns_(jiffy_ns), messages_(messages), out_(out) {}

  bool run() {
    out_.span = point_.span;
    out_.text = to_text(point_);
    const std::string& family = at(0).name;
    if (family == "begin" || family == "end" || family == "error") return session(family);
    if (family == "never") return only(1) && end_of(HandlerKind::kNever);
    if (family == "timer") return timer();
    if (family == "syscall" || family == "nd_syscall" || family == "tp_syscall" ||
        family == "dw_syscall") {
      return system_call();
    }
    if (family == "syscall_any") return any_system_call();
    if (family == "kernel") return kernel();
    if (family == "module") return module_function();
    if (family == "dtrace") return raw();
    return unknown(family);
  }

 private:
  const Component& at(std::size_t i) const { return point_.components[i]; }
  std::size_t count() const { return point_.components.size(); }

  bool error(std::string_view text, const Component& where, std::string_view hint = {}) {
    if (!point_.is_optional && !point_.is_sufficient) {
      messages_.semantic_error(fmt::format("while resolving probe point: {}", text), where.span,
                               hint);
    }
    return false;
  }

  bool unknown(const std::string& family) {
    for (const RefusedFamily& one : kRefusedFamilies) {
      if (one.family == family) return error(one.why, at(0));
    }
    const std::vector<std::string_view> known(std::begin(kFamilies), std::end(kFamilies));
    const std::string near = support::nearest(family, known);
    return error(fmt::format("probe point mismatch{}",
                             near.empty() ? "" : fmt::format(" (similar: {})", near)),
                 at(0));
  }

  bool only(std::size_t most) {
    return count() <= most || error("probe point mismatch: nothing may stand there", at(most));
  }

  bool end_of(HandlerKind kind) {
    out_.kind = kind;
    return true;
  }

  bool session(const std::string& family) {
    out_.order = at(0).number;
    return only(1) && end_of(family == "begin" ? HandlerKind::kBegin
                             : family == "end" ? HandlerKind::kEnd
                                               : HandlerKind::kError);
  }

  bool event(EventKind kind, std::string provider, std::string module, std::string function,
             std::string name) {
    Event made;
    made.kind = kind;
    made.pattern.provider = std::move(provider);
    made.pattern.module = std::move(module);
    made.pattern.function = std::move(function);
    made.pattern.name = std::move(name);
    made.pattern.text = made.text = to_text(point_);
    made.span = point_.span;
    made.is_optional = point_.is_optional;
    made.is_sufficient = point_.is_sufficient;
    out_.events.push_back(std::move(made));
    return end_of(HandlerKind::kEvent);
  }

  // ---- timer ----

  bool timer() {
    if (count() < 2) return error("probe point truncated", at(0));
    const Component& unit = at(1);
    if (unit.name == "profile") return profile();
    std::int64_t ns = 0;
    for (const Unit& one : kUnits) {
      if (one.name == unit.name) ns = one.ns;
    }
    if (unit.name == "jiffies") {
      ns = jiffy_ns_;
      if (ns == 0) {
        return error("how long a jiffy is says the configuration of the kernel, which is not known",
                     unit, "use timer.ms()");
      }
    }
    if (unit.name == "hz") return frequency(unit);
    if (ns == 0) return error("probe point mismatch: no such unit of time", unit);
    constexpr std::int64_t kMost = 1'000'000'000'000'000'000;
    if (!unit.has_argument || unit.is_string || unit.number <= 0 || unit.number > kMost / ns) {
      return error("invalid interval", unit);
    }
    out_.period_ns = unit.number * ns;
    if (count() > 2) {
      const Component& random = at(2);
      if (random.name != "randomize" || !random.has_argument || random.number <= 0 ||
          random.number > unit.number) {
        return error("invalid timer randomize value", random);
      }
      out_.random_ns = random.number * ns;
    }
    constexpr std::int64_t kShortest = 100'000;
    if (out_.period_ns < kShortest) {
      return error("a timer runs in a process here: at most every 100 us", unit);
    }
    return only(3) && end_of(HandlerKind::kTimer);
  }

  bool frequency(const Component& unit) {
    if (!unit.has_argument || unit.is_string || unit.number <= 0 || unit.number > 10000) {
      return error("invalid frequency", unit);
    }
    out_.period_ns = kNsPerSecond / unit.number;
    return only(2) && end_of(HandlerKind::kTimer);
  }

  // timer.profile, .profile.tick, .profile.freq.hz(N)
  bool profile() {
    std::int64_t hz = ::sysconf(_SC_CLK_TCK);
    const bool is_default = count() == 2 || (count() == 3 && at(2).name == "tick");
    if (!is_default) {
      if (count() != 4 || at(2).name != "freq" || at(3).name != "hz" || at(3).number <= 0) {
        return error("probe point mismatch", at(count() - 1));
      }
      hz = at(3).number;
    }
    return event(EventKind::kProfile, "profile", "", "", fmt::format("profile-{}hz", hz));
  }

  // ---- system calls ----

  bool return_suffix(std::size_t from, bool& is_return) {
    is_return = count() > from && at(from).name == "return";
    const std::size_t next = from + (is_return ? 1 : 0);
    if (is_return && count() > next && at(next).name == "maxactive") return only(next + 1);
    return only(next);
  }

  bool system_call() {
    if (count() < 2) return error("probe point truncated", at(0));
    bool is_return = false;
    if (!return_suffix(2, is_return)) return false;
    return event(is_return ? EventKind::kSyscallReturn : EventKind::kSyscallEntry, "syscall", "",
                 at(1).name, is_return ? "return" : "entry");
  }

  bool any_system_call() {
    bool is_return = false;
    if (!return_suffix(1, is_return)) return false;
    return event(is_return ? EventKind::kSyscallReturn : EventKind::kSyscallEntry, "syscall", "",
                 "", is_return ? "return" : "entry");
  }

  // ---- kernel ----

  bool kernel() {
    if (count() < 2) return error("probe point truncated", at(0));
    const Component& what = at(1);
    if (what.name == "trace") return trace(what);
    if (what.name == "function") return function("vmlinux", 1);
    return error(fmt::format("kernel.{} is not built yet", what.name), what);
  }

  // kernel.trace("name"), kernel.trace("system:name")
  bool trace(const Component& what) {
    if (!what.is_string) return error("expected a string", what);
    const std::size_t colon = what.argument.find(':');
    const std::string system = colon == std::string::npos ? "" : what.argument.substr(0, colon);
    const std::string name =
        colon == std::string::npos ? what.argument : what.argument.substr(colon + 1);
    return only(2) && event(EventKind::kTracepoint, "sdt", system, "", name);
  }

  bool module_function() {
    if (!at(0).is_string) return error("expected a string", at(0));
    if (count() < 2 || at(1).name != "function") {
      return error("only module(\"...\").function(\"...\") is built", at(count() - 1));
    }
    return function(at(0).argument, 1);
  }

  bool function(const std::string& module, std::size_t i) {
    const Component& what = at(i);
    if (!what.is_string) return error("expected a string", what);
    if (what.argument.find('@') != std::string::npos) {
      return error("functions are not selected by their source files yet", what);
    }
    bool is_return = false;
    if (count() > i + 1 && at(i + 1).name == "call") {
      if (!only(i + 2)) return false;
    } else if (!return_suffix(i + 1, is_return)) {
      return false;
    }
    return event(is_return ? EventKind::kFunctionReturn : EventKind::kFunctionEntry, "fbt", module,
                 what.argument, is_return ? "return" : "entry");
  }

  // dtrace("provider:module:function:name"): a probe of ours by its four fields.
  bool raw() {
    std::vector<std::string> fields = {""};
    for (const char c : at(0).argument) {
      if (c == ':') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    constexpr std::size_t kFields = 4;
    if (!at(0).is_string || fields.size() != kFields) {
      return error("expected \"provider:module:function:name\"", at(0));
    }
    return only(1) && event(EventKind::kRaw, fields[0], fields[1], fields[2], fields[3]);
  }

  const ProbePoint& point_;
  std::int64_t jiffy_ns_;
  Messages& messages_;
  Handler& out_;
};

}  // namespace

bool is_family(std::string_view name) {
  return std::find(std::begin(kFamilies), std::end(kFamilies), name) != std::end(kFamilies);
}

bool resolve_point(const ProbePoint& point, std::int64_t jiffy_ns, Messages& messages,
                   Handler& out) {
  return Resolver(point, jiffy_ns, messages, out).run();
}

}  // namespace dt::stap
