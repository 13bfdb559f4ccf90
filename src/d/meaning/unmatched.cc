// See unmatched.h.

#include "d/meaning/unmatched.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "d/meaning/foreign_points.h"
#include "support/check.h"
#include "support/nearest.h"

namespace dt::d {
namespace {

// A description of another tracer, such as `tracepoint:sched:sched_switch`, by its fields.
using ForeignFields = std::vector<std::string_view>;

ForeignFields fields_of(std::string_view text) {
  ForeignFields fields;
  for (;;) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    fields.push_back(text.substr(0, colon));
    if (colon == text.size()) return fields;
    text.remove_prefix(colon + 1);
  }
}

std::string in_d(std::string_view probe) { return fmt::format("in D, this is {}", probe); }

// `kprobe:vfs_read`, `fentry:vmlinux:vfs_read`; an offset in the function is not part of its name.
std::string kernel_function(const ForeignFields& fields, std::string_view name) {
  if (fields.size() < 2) return "functions of the kernel are fbt::NAME:entry and fbt::NAME:return";
  const std::string_view function = fields.back().substr(0, fields.back().find('+'));
  return in_d(fmt::format("fbt::{}:{}", function, name));
}

// `uprobe:libc:malloc`.
std::string user_function(const ForeignFields& fields, std::string_view name) {
  return fields.size() < 3
             ? "functions of a program are pid$target:OBJECT:NAME:entry and :return, under -p or -c"
             : in_d(fmt::format("{}:{}, under -p or -c",
                                function_in_d("pid$target", fields[1], fields[2]), name));
}

// bcc's `p:c:malloc`, and `p::vfs_read` for the kernel. bpftrace calls samples p, too: `p:hz:99`.
std::string function_of_bcc(const ForeignFields& fields, std::string_view name) {
  if (fields.size() != 3 || fields[2].empty() || fields[2].find_first_of("0123456789") == 0) {
    return {};
  }
  return fields[1].empty() ? kernel_function(fields, name) : user_function(fields, name);
}

// `tracepoint:sched:sched_switch`.
std::string tracepoint(const ForeignFields& fields) {
  return fields.size() < 3
             ? "tracepoints are sdt:::NAME, and system calls syscall::NAME:entry and :return"
             : in_d(tracepoint_in_d(fields[1], fields[2]));
}

std::string raw_tracepoint(const ForeignFields& fields) {
  return fields.size() < 2 ? "tracepoints with their raw arguments are rawtp:::NAME"
                           : in_d(fmt::format("rawtp:::{}", fields.back()));
}

// `interval:s:1`, and `interval:1s`.
std::string interval(const ForeignFields& fields) {
  if (fields.size() < 2 || fields.size() > 3) {
    return "a probe that fires every second is tick-1s, and one every 10 ms tick-10ms";
  }
  return in_d(fmt::format("tick-{}{}", fields.back(), fields.size() == 3 ? fields[1] : ""));
}

// `software:page-faults:1`; what the kernel calls page_faults has short names in other tracers.
std::string counter(const ForeignFields& fields, std::string_view period) {
  if (fields.size() < 2) return "events that the kernel or the processor counts are cpc:::";
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"faults", "page_faults"}, {"cs", "context_switches"}, {"cpu", "cpu_clock"}};
  if (fields[1].find_first_of("0123456789") == 0) return {};
  std::string event(fields[1]);
  for (const auto& [word, name] : kShort) {
    if (event == word) event = name;
  }
  std::replace(event.begin(), event.end(), '-', '_');
  const bool has_period = fields.size() > 2 && !fields[2].empty();
  return in_d(fmt::format("cpc:::{}-all-{}", event, has_period ? fields[2] : period));
}

// What other tracers call kinds of probes, and what is meant by them here.
std::string foreign_kind(std::string_view description) {
  const ForeignFields fields = fields_of(description);
  const auto is = [&fields](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), fields[0]) != words.end() &&
           (fields[0].size() > 2 || fields.size() > 1);
  };
  if (is({"kprobe", "kfunc", "fentry", "k", "f"})) return kernel_function(fields, "entry");
  if (is({"kretprobe", "kretfunc", "fexit", "kr", "fr"})) return kernel_function(fields, "return");
  if (is({"uprobe", "u"})) return user_function(fields, "entry");
  if (is({"uretprobe", "ur"})) return user_function(fields, "return");
  if (is({"p"})) return function_of_bcc(fields, "entry");
  if (is({"r"})) return function_of_bcc(fields, "return");
  if (is({"tracepoint", "t"})) return tracepoint(fields);
  if (is({"rawtracepoint", "rt"})) return raw_tracepoint(fields);
  if (is({"interval", "i"})) return interval(fields);
  if (is({"software", "s"})) return counter(fields, "1");
  if (is({"hardware", "h"})) return counter(fields, "1000000");
  if (is({"usdt"})) return "static probes of a program are PROVIDER$target:::NAME, under -p or -c";
  const bool is_call =
      fields.back().starts_with("sys_enter") || fields.back().starts_with("sys_exit");
  const bool is_group = fields[0] == "syscalls" || fields[0] == "raw_syscalls";
  if (is_call && (fields.size() == 1 || (fields.size() == 2 && is_group))) {
    return in_d(tracepoint_in_d(fields[0], fields.back()));
  }
  // SystemTap's.
  constexpr std::string_view kCall = "syscall.", kReturn = ".return";
  if (fields.size() == 1 && description.starts_with(kCall)) {
    std::string_view call = description.substr(kCall.size());
    const bool returns = call.ends_with(kReturn);
    call.remove_suffix(returns ? kReturn.size() : 0);
    return in_d(fmt::format("syscall::{}:{}", call, returns ? "return" : "entry"));
  }
  return {};
}

// Probes of other systems that this kernel has no place for, and what fires nearest to them.
std::string_view foreign_probe(const probe::Pattern& pattern) {
  struct Probe {
    std::string_view provider, name, hint;
  };
  constexpr std::string_view kInterrupts =
      "handlers of interrupts are sdt:irq::irq_handler_entry and irq_handler_exit";
  constexpr std::string_view kTimers =
      "timers of the kernel are sdt:timer::timer_expire_entry and timer_expire_exit";
  constexpr std::string_view kFaults =
      "faults are vminfo:::as_fault, and those that wait for a disk vminfo:::maj_fault";
  constexpr std::string_view kReadersAndWriters = "waits for such locks are lockstat:::rw-block";
  constexpr std::string_view kFileSystems = "operations of file systems are fsinfo:::";
  constexpr std::string_view kDroppedPackets = "packets that are dropped are sdt:skb::kfree_skb";
  constexpr std::string_view kReclaim = "the kernel frees memory at sdt:vmscan:::";
  constexpr Probe kProbes[] = {
      {"sdt", "interrupt-start", kInterrupts},
      {"sdt", "interrupt-complete", kInterrupts},
      {"sdt", "callout-start", kTimers},
      {"sdt", "callout-end", kTimers},
      {"sysinfo", "trap", kFaults},
      {"sysinfo", "cpumigrate",
       "a thread that goes to another CPU is sdt:sched::sched_migrate_task"},
      {"sysinfo", "mutex_adenters", "waits for locks are lockstat:::adaptive-block"},
      {"sysinfo", "rw_rdfails", kReadersAndWriters},
      {"sysinfo", "rw_wrfails", kReadersAndWriters},
      {"sysinfo", "intrblk", kInterrupts},
      {"sysinfo", "namei", "paths are arguments of system calls, as of syscall::openat:entry"},
      {"sysinfo", "ufsdirblk", kFileSystems},
      {"sysinfo", "ufsiget", kFileSystems},
      {"sysinfo", "ufsinopage", kFileSystems},
      {"sysinfo", "ufsipage", kFileSystems},
      {"sysinfo", "wait_ticks_io", "waits for a disk are io:::wait-start and wait-done"},
      {"sched", "surrender", "a thread gives its CPU away at syscall::sched_yield:entry"},
      {"sched", "lend-pri", "priorities are lent at sdt:sched::sched_pi_setprio"},
      {"ip", "drop-in", kDroppedPackets},
      {"ip", "drop-out", kDroppedPackets},
      {"vminfo", "anonpgin", kFaults},
      {"vminfo", "execpgin", kFaults},
      {"vminfo", "fspgin", kFaults},
      {"vminfo", "scan", kReclaim},
      {"vminfo", "pgrrun", kReclaim},
      {"vminfo", "dfree", kReclaim},
      {"vminfo", "pgfrec", kReclaim},
  };
  for (const Probe& probe : kProbes) {
    if (probe.provider == pattern.provider && probe.name == pattern.name) return probe.hint;
  }
  return {};
}

// System calls of other systems, without calls that are only spelled differently here.
std::string_view foreign_call(const probe::Pattern& pattern) {
  struct Call {
    std::string_view name, hint;
  };
  constexpr std::string_view kWaits =
      "threads of Linux wait for locks in syscall::futex, or see plockstat$target:::";
  constexpr std::string_view kThreads = "threads begin with proc:::lwp-create";
  constexpr std::string_view kEvents = "programs of Linux wait for events in syscall::*poll*";
  constexpr std::string_view kStats =
      "attributes of files are syscall::newfstatat and syscall::statx, or syscall::*stat*";
  constexpr std::string_view kSettings = "settings of the kernel are files of /proc/sys";
  constexpr Call kCalls[] = {
      {"lwp_park", kWaits},
      {"lwp_unpark", kWaits},
      {"_umtx_op", kWaits},
      {"psynch_mutexwait", kWaits},
      {"psynch_cvwait", kWaits},
      {"thr_new", kThreads},
      {"lwp_create", kThreads},
      {"bsdthread_create", kThreads},
      {"kevent", kEvents},
      {"kevent64", kEvents},
      {"kevent_qos", kEvents},
      {"kqueue", kEvents},
      {"workq_kernreturn", kEvents},
      {"port_getn", kEvents},
      {"stat64", kStats},
      {"lstat64", kStats},
      {"fstat64", kStats},
      {"access_extended", "it is syscall::access or syscall::faccessat*"},
      {"open_extended", "it is syscall::open or syscall::openat*"},
      {"posix_spawn", "programs are started by proc:::create and proc:::exec-success"},
      {"__sysctl", kSettings},
      {"sysctl", kSettings},
  };
  for (const Call& call : kCalls) {
    if (pattern.provider == "syscall" && call.name == pattern.function) return call.hint;
  }
  return {};
}

// Names that programs have, though functions of the kernel are called nearly so (kmalloc).
bool is_of_programs(std::string_view function) {
  constexpr std::string_view kKnown[] = {"main",   "malloc", "calloc", "realloc",
                                         "free",   "printf", "fopen",  "pthread_mutex_lock",
                                         "system", "exit",   "strlen", "memcpy"};
  return std::find(std::begin(kKnown), std::end(kKnown), function) != std::end(kKnown);
}

// The quotes are for the shell, in which $target would be a variable.
std::string in_target(std::string_view module, std::string_view function, std::string_view name) {
  return fmt::format("a function of a program is 'pid$target:{}:{}:{}', under -p or -c", module,
                     function, name);
}

// `malloc:entry` or `malloc`: who names a function that nothing is like may mean one of a program.
// `a.out:main` has an object and a function.
std::string function_of_program(const probe::Unmatched& unmatched) {
  const probe::Pattern& pattern = unmatched.point.pattern;
  if (pattern.provider.empty() && pattern.module.empty() && pattern.function == "a.out" &&
      !pattern.name.empty()) {
    return in_target(pattern.function, pattern.name, "entry");
  }
  const bool is_word = pattern.provider.empty() && pattern.module.empty() &&
                       pattern.function.empty() && !pattern.name.empty() &&
                       pattern.name.find_first_of("*?[-") == std::string::npos;
  if (is_word && (unmatched.near.empty() || is_of_programs(pattern.name)) &&
      unmatched.why.empty() && !unmatched.point.id) {
    return in_target("", pattern.name, "entry");
  }
  // Modules of the kernel, such as libata, may be named as libraries are.
  const bool is_library =
      pattern.module.starts_with("lib") &&
      std::none_of(unmatched.near.begin(), unmatched.near.end(),
                   [&](const probe::Description& one) { return one.module == pattern.module; });
  const bool is_function = pattern.provider.empty() && (pattern.module.empty() || is_library) &&
                           !pattern.function.empty() &&
                           (pattern.name == "entry" || pattern.name == "return");
  if (!is_function || !unmatched.why.empty()) return {};
  for (const probe::Description& one : unmatched.near) {
    if (is_library) break;
    if (one.function == pattern.function ||
        !support::nearest(pattern.function, {one.function}).empty()) {
      return {};
    }
  }
  return in_target(pattern.module, pattern.function, pattern.name);
}

// `pid1234:libc:malloc`: fields are left out on the left, and a provider is the first of four.
std::string shifted_provider(const probe::Pattern& pattern) {
  if (!pattern.provider.empty()) return {};
  const std::string& first = pattern.module.empty() ? pattern.function : pattern.module;
  for (const std::string_view family : {"pid", "plockstat", "pthread"}) {
    if (!first.starts_with(family) || first.size() == family.size() ||
        first.find_first_not_of("0123456789*", family.size()) != std::string::npos) {
      continue;
    }
    return pattern.module.empty()
               ? fmt::format("{} is a provider: {}:{}::", first, first, pattern.name)
               : fmt::format("{} is a provider: {}:{}:{}:", first, first, pattern.function,
                             pattern.name);
  }
  return {};
}

// A shortened description is shown with all its fields, as DTrace does.
std::string shown_point(const probe::Point& point) {
  const probe::Pattern& pattern = point.pattern;
  return point.id || !probe::parse_pattern(pattern.text)
             ? pattern.text
             : fmt::format("{}:{}:{}:{}", pattern.provider, pattern.module, pattern.function,
                           pattern.name);
}

const char* tag_of(probe::Refusal::Code code) {
  using Code = probe::Refusal::Code;
  switch (code) {
    case Code::kNoMatch:
      return "D_PDESC_ZERO";
    case Code::kNotAProcess:
      return "D_PROC_BADPID";
    case Code::kCannotGrab:
      return "D_PROC_GRAB";
    case Code::kNoObject:
      return "D_PROC_LIB";
    case Code::kNoFunction:
    case Code::kNeedsFunction:
      return "D_PROC_FUNC";
    case Code::kNoName:
      return "D_PROC_NAME";
    case Code::kOutside:
      return "D_PROC_OFF";
    case Code::kInsideInstruction:
      return "D_PROC_ALIGN";
    case Code::kNotBuiltIn:
      return "D_PROC_USDT";
    case Code::kCannotProbe:
      return "D_PROC_CREATEFAIL";
  }
  DT_UNREACHABLE();
}

// To DTrace, only a provider whose name ends with a digit is one of a process: pid12x is a name
// like any other, which matches nothing.
bool means_process(const probe::Unmatched& unmatched) {
  const std::string& provider = unmatched.point.pattern.provider;
  return unmatched.refusal->code != probe::Refusal::Code::kNotAProcess ||
         (!provider.empty() && provider.back() >= '0' && provider.back() <= '9');
}

// How to write it in D, where that is the answer.
std::string hint_for(const probe::Refusal& refusal) {
  using Code = probe::Refusal::Code;
  if (refusal.code == Code::kNotAProcess) {
    return fmt::format("write {}1234, or {}$target with -p or -c", refusal.subject,
                       refusal.subject);
  }
  if (refusal.code == Code::kNeedsFunction) {
    return fmt::format(
        "{}::vfs_read: is every instruction of vfs_read, and fbt has the functions themselves",
        refusal.subject);
  }
  return refusal.hint;
}

}  // namespace

Diagnostic& report_unmatched(const probe::Unmatched& unmatched, Diagnostics& diagnostics) {
  const Span span = unmatched.point.span;
  const std::string no_match =
      fmt::format("probe description {} does not match any probes", shown_point(unmatched.point));
  if (unmatched.refusal) {
    const probe::Refusal& refusal = *unmatched.refusal;
    const bool is_meant = means_process(unmatched);
    Diagnostic& error = diagnostics.error(is_meant ? tag_of(refusal.code) : "D_PDESC_ZERO", span,
                                          is_meant ? refusal.text : no_match);
    if (!is_meant) error.notes.push_back({span, refusal.text});
    error.hint = hint_for(refusal);
    return error;
  }
  // What keeps all functions from being traced is reported once.
  const bool is_new =
      std::none_of(diagnostics.all().begin(), diagnostics.all().end(), [&](const Diagnostic& one) {
        return std::any_of(one.notes.begin(), one.notes.end(),
                           [&](const auto& note) { return note.text == unmatched.why; });
      });
  Diagnostic& error = diagnostics.error("D_PDESC_ZERO", span, no_match);
  if (!unmatched.why.empty() && is_new) {
    error.notes.push_back({span, unmatched.why});
  }
  if (std::string hint = foreign_kind(unmatched.point.pattern.text); !hint.empty()) {
    error.hint = std::move(hint);
    return error;
  }
  for (const std::string_view hint :
       {foreign_probe(unmatched.point.pattern), foreign_call(unmatched.point.pattern)}) {
    if (!hint.empty()) {
      error.hint = hint;
      return error;
    }
  }
  for (const std::string& hint :
       {function_of_program(unmatched), shifted_provider(unmatched.point.pattern)}) {
    if (!hint.empty()) {
      error.hint = hint;
      return error;
    }
  }
  const std::string& name = unmatched.point.pattern.name;
  const bool is_rate = name.starts_with("tick-") || name.starts_with("profile-");
  // The reason names what to use instead; rates near a wrong one are not what was meant.
  if (!unmatched.why.empty() && (unmatched.point.pattern.provider == "mib" || is_rate)) {
    return error;
  }
  std::string near;
  for (const probe::Description& one : unmatched.near) {
    near += fmt::format("{}'{}'", near.empty() ? "" : " or ", probe::to_string(one));
  }
  if (!near.empty()) {
    error.hint = fmt::format("did you mean {}?", near);
  }
  return error;
}

}  // namespace dt::d
