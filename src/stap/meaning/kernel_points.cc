// See kernel_points.h.

#include "stap/meaning/kernel_points.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace dt::stap {
namespace {

class KernelPoint {
 public:
  explicit KernelPoint(PointReader& point) : point_(point) {}

  bool run() {
    const Component& family = point_.at(0);
    const Component& what = point_.at(1);
    if (family.name == "module") {
      return what.name == "function" ? function(family.argument, 1) : unknown(what);
    }
    if (family.name == "kprobe") return kprobe();
    if (what.name == "trace" || what.name == "tracepoint") return trace(what);
    return what.name == "function" ? function("vmlinux", 1) : unknown(what);
  }

 private:
  bool unknown(const Component& what) {
    struct Refused {
      std::string_view name, why;
    };
    constexpr Refused kRefused[] = {
        {"statement",
         "statements need the kernel's debugging information, which is not read: use "
         "dtrace(\"kinst::FUNCTION:OFFSET\")"},
        {"data", "breakpoints on memory of the kernel are not set"},
        {"mark", "the kernel has no marks since 2.6.32: use kernel.trace()"},
    };
    for (const Refused& one : kRefused) {
      if (one.name == what.name) return point_.error(one.why, what);
    }
    return point_.error("no match", what);
  }

  // kprobe.function("name"), kprobe.module("m").function("name")
  bool kprobe() {
    if (!point_.has(1, "module")) {
      return point_.has(1, "function") ? function("vmlinux", 1) : unknown(point_.at(1));
    }
    return function(point_.at(1).argument, 2);
  }

  // kernel.trace("name"), kernel.trace("system:name")
  bool trace(const Component& what) {
    const std::size_t colon = what.argument.find(':');
    const std::string system = colon == std::string::npos ? "" : what.argument.substr(0, colon);
    const std::string name =
        colon == std::string::npos ? what.argument : what.argument.substr(colon + 1);
    return point_.only(2) && point_.event(EventKind::kTracepoint, "sdt", system, "", name);
  }

  // What kernels had before they wrapped their system calls: sys_read is the call itself.
  static std::string call_of(const std::string& function) {
    for (const std::string_view prefix : {"sys_", "SyS_", "__x64_sys_", "__se_sys_"}) {
      if (function.starts_with(prefix)) return function.substr(prefix.size());
    }
    return {};
  }

  bool function(const std::string& module, std::size_t i) {
    const Component& what = point_.at(i);
    if (!what.is_string) {
      return point_.error("functions by their addresses are not known: name them", what);
    }
    std::string name = what.argument;
    if (const std::size_t at = name.find('@'); at != std::string::npos) {
      // The kernel's type information has no files. A whole name says enough, and a pattern does
      // not: "*" of a file would be all functions of the kernel.
      const std::string file = name.substr(at + 1);
      name = name.substr(0, at);
      if (file.find_first_not_of("*/") != std::string::npos &&
          name.find_first_of("*?[{") != std::string::npos) {
        return point_.error(
            "source files are in the kernel's debugging information, which is not read", what,
            "name the functions alone: kernel.function(\"sock_*\")");
      }
    }
    bool is_return = false;
    if (point_.has(i + 1, "call")) {
      if (!point_.only(i + 2)) return false;
    } else if (i + 1 < point_.count() && point_.at(i + 1).name != "return") {
      return variant(point_.at(i + 1));
    } else if (!point_.return_suffix(i + 1, is_return)) {
      return false;
    }
    if (const std::string call = call_of(name); module == "vmlinux" && !call.empty()) {
      return point_.event(is_return ? EventKind::kSyscallReturn : EventKind::kSyscallEntry,
                          "syscall", "", call, is_return ? "return" : "entry");
    }
    return point_.event(is_return ? EventKind::kFunctionReturn : EventKind::kFunctionEntry, "fbt",
                        module, name, is_return ? "return" : "entry");
  }

  bool variant(const Component& what) {
    struct Refused {
      std::string_view name, why;
    };
    constexpr Refused kRefused[] = {
        {"inline", "copies of inlined functions are not known without debugging information"},
        {"label", "labels are not known without debugging information"},
        {"callee", "a function is not probed by its caller: use .call and a condition"},
        {"callees", "a function is not probed by its caller: use .call and a condition"},
        {"exported", "whether a function is exported is not known: use .call"},
    };
    for (const Refused& one : kRefused) {
      if (one.name == what.name) return point_.error(one.why, what);
    }
    return point_.error("invalid suffix for probe", what);
  }

  PointReader& point_;
};

// The events of perf_event_open() by type and number, as our provider of counters calls them.
constexpr std::string_view kHardware[] = {"cpu_cycles",
                                          "instructions",
                                          "cache_references",
                                          "cache_misses",
                                          "branch_instructions",
                                          "branch_misses",
                                          "bus_cycles",
                                          "stalled_cycles_frontend",
                                          "stalled_cycles_backend",
                                          "ref_cycles"};
constexpr std::string_view kSoftware[] = {"cpu_clock",       "",
                                          "page_faults",     "context_switches",
                                          "cpu_migrations",  "minor_faults",
                                          "major_faults",    "alignment_faults",
                                          "emulation_faults"};

std::string_view counter_of(std::int64_t type, std::int64_t config) {
  const auto which = static_cast<std::size_t>(config);
  if (type == PERF_TYPE_HARDWARE && which < std::size(kHardware)) return kHardware[which];
  if (type == PERF_TYPE_SOFTWARE && which < std::size(kSoftware)) return kSoftware[which];
  return {};
}

// perf.sw.page_faults_min: the names of the library, beside those of the kernel.
std::string_view named_counter(std::string_view kind, std::string_view name) {
  if (kind == "hw") {
    if (name == "branch_insns") name = "branch_instructions";
    const auto found = std::find(std::begin(kHardware), std::end(kHardware), name);
    return found == std::end(kHardware) ? std::string_view() : *found;
  }
  if (name == "page_faults_min") name = "minor_faults";
  if (name == "page_faults_maj") name = "major_faults";
  const auto found = std::find(std::begin(kSoftware), std::end(kSoftware), name);
  return found == std::end(kSoftware) || name.empty() ? std::string_view() : *found;
}

}  // namespace

bool resolve_kernel_point(PointReader& point) { return KernelPoint(point).run(); }

// perf.type(N).config(N), perf.hw.NAME, perf.sw.NAME, .sample(N): every Nth event of that kind, on
// every CPU; .process("path"): in processes that run the program.
bool resolve_perf_point(PointReader& point) {
  std::string_view name;
  if (point.has(1, "hw") || point.has(1, "sw")) {
    name = point.count() > 2 ? named_counter(point.at(1).name, point.at(2).name) : "";
    if (name.empty()) return point.error("unknown perf event", point.last());
  } else {
    if (!point.has(1, "type") || !point.has(2, "config") || !point.at(1).has_argument ||
        !point.at(2).has_argument) {
      return point.error("expected perf.type(N).config(N), perf.hw.NAME or perf.sw.NAME",
                         point.last());
    }
    name = counter_of(point.at(1).number, point.at(2).number);
  }
  if (name.empty()) {
    return point.error("only the kernel's own and the common hardware events are counted",
                       point.at(2), "types 0 and 1");
  }
  std::int64_t sample = 1'000'000;
  std::size_t next = 3;
  if (point.has(next, "sample")) sample = point.at(next++).number;
  if (point.has(next, "hz")) {
    return point.error("a counter with a frequency is not built: use .sample(N)", point.at(next));
  }
  if (point.has(next, "counter")) {
    return point.error("counters are not read at other probes: use .sample(N)", point.at(next));
  }
  Event::Whose whose;
  if (point.has(next, "process")) {
    const Component& what = point.at(next++);
    if (what.is_string && point.around.programs.find_program) {
      whose.program = point.around.programs.find_program(what.argument);
    }
    if (whose.program.empty()) {
      return point.error(".process(\"PATH\"): there is no such program", what);
    }
  }
  if (sample <= 0) return point.error("invalid sample period", point.at(3));
  return point.only(next) && point.event(EventKind::kProfile, "cpc", "", "",
                                         fmt::format("{}-all-{}", name, sample), whose);
}

}  // namespace dt::stap
