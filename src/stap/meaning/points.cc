// See points.h.

#include "stap/meaning/points.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "probe/pattern.h"
#include "stap/meaning/call_points.h"
#include "stap/meaning/kernel_points.h"
#include "stap/meaning/process_points.h"
#include "stap/syntax/foreign_points.h"
#include "stap/syntax/similar.h"
#include "support/nearest.h"

namespace dt::stap {
namespace {

constexpr std::int64_t kMostOfFile = 16 << 20;
constexpr std::int64_t kTimerSecondNs = 1'000'000'000;
constexpr std::int64_t kShortestTimerNs = 100'000, kLongestTimerNs = 86'400 * kTimerSecondNs;

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr Unit kUnits[] = {
    {"s", kTimerSecondNs}, {"sec", kTimerSecondNs}, {"ms", 1'000'000}, {"msec", 1'000'000},
    {"us", 1000},          {"usec", 1000},          {"ns", 1},         {"nsec", 1}};

// Families of SystemTap that are not here, with the reason.
struct RefusedFamily {
  std::string_view family, why;
};
constexpr RefusedFamily kRefusedFamilies[] = {
    {"netfilter",
     "the kernel attaches BPF programs to hooks of IPv4 and IPv6 alone: use netfilter.ip.*, or "
     "netdev.*"},
    {"java",
     "there are no probes of single methods of Java: use hotspot.method_entry, with `class` and "
     "`method`"},
    {"python2", "Python 2 is not traced: use python.function.entry of Python 3"},
    {"python3",
     "the module HelperSDT is not used: use python.function.entry and other points of python"},
    {"nfs", "functions of nfs differ with each kernel: use module(\"nfs\").function(\"...\")"},
    {"nfsd", "functions of nfsd differ with each kernel: use module(\"nfsd\").function(\"...\")"},
    {"sunrpc",
     "functions of sunrpc differ with each kernel: use "
     "module(\"sunrpc\").function(\"...\")"},
    {"stap", "what stap does in its passes has no probes"},
    {"tty", "functions of terminals differ with each kernel: use kernel.function(\"tty_*\")"},
    {"scsi",
     "functions of SCSI differ with each kernel: use "
     "kernel.trace(\"scsi:scsi_dispatch_cmd_start\") "
     "and kernel.trace(\"scsi:scsi_dispatch_cmd_done\")"},
    {"ipmib",
     "the kernel has no tracepoint just where it counts that: dtrace(\"mib:::*\") has the counters "
     "of which there is one, such as ipInCksumErrs"},
    {"linuxmib",
     "the kernel has no tracepoint just where it counts that: dtrace(\"mib:::*\") has the counters "
     "of which there is one, such as tcpRetransSegs"},
};

// Points of families that are here.
struct RefusedPoint {
  std::string_view point, why;
};
constexpr const char* kDropsHaveReasons =
    "the kernel has no tracepoint just where it counts that: use kernel.trace(\"skb:kfree_skb\"), "
    "whose $reason says why a packet is dropped";
constexpr const char* kListenFull =
    "the kernel has no tracepoint just where it counts that: use "
    "kernel.function(\"tcp_conn_request\") and kernel.function(\"tcp_v4_syn_recv_sock\")";
constexpr RefusedPoint kRefusedPoints[] = {
    {"netdev.open", "the kernel has no tracepoint of it: use kernel.function(\"__dev_open\")"},
    {"netdev.close", "the kernel has no tracepoint of it: use kernel.function(\"__dev_close*\")"},
    {"netdev.ioctl", "the kernel has no tracepoint of it: use syscall.ioctl"},
    {"netdev.register",
     "the kernel has no tracepoint of it: use kernel.function(\"register_netdevice\")"},
    {"netdev.unregister",
     "the kernel has no tracepoint of it: use kernel.function(\"unregister_netdevice_*\")"},
    {"netdev.change_mtu",
     "the kernel has no tracepoint of it: use kernel.function(\"dev_set_mtu*\")"},
    {"netdev.change_mac",
     "the kernel has no tracepoint of it: use kernel.function(\"dev_set_mac_address\")"},
    {"netdev.change_rx_flag",
     "the kernel has no tracepoint of it: use kernel.function(\"dev_change_rx_flags\")"},
    {"netdev.set_promiscuity",
     "the kernel has no tracepoint of it: use kernel.function(\"*dev_set_promiscuity\")"},
    {"netdev.get_stats",
     "the kernel has no tracepoint of it: use kernel.function(\"dev_get_stats\")"},
    {"vm.write_shared", "the kernel has no tracepoint of it: use vm.pagefault with write_access"},
    {"vm.write_shared_copy",
     "the kernel has no tracepoint of it: use vm.pagefault with write_access"},
    {"signal.check_ignored",
     "the kernel has no tracepoint of it: use kernel.function(\"sig_ignored\")"},
    {"signal.checkperm",
     "the kernel has no tracepoint of it: use kernel.function(\"check_kill_permission\")"},
    {"signal.flush", "the kernel has no tracepoint of it: use kernel.function(\"flush_signals\")"},
    {"signal.force_segv",
     "the kernel has no tracepoint of it: use kernel.function(\"force_sigsegv\"), or signal.send"},
    {"signal.send_sig_queue",
     "the kernel has no tracepoint of it: use kernel.function(\"send_sigqueue\")"},
    {"signal.wakeup",
     "the kernel has no tracepoint of it: use kernel.function(\"signal_wake_up_state\")"},
    {"signal.sys_tgkill", "it has another name: use signal.systgkill"},
    {"signal.sys_tkill", "it has another name: use signal.systkill"},
    {"workqueue.create", "kernels since 2.6.36 have no threads of single queues: use workqueue.*"},
    {"workqueue.destroy", "kernels since 2.6.36 have no threads of single queues: use workqueue.*"},
    {"scheduler.balance", "the kernel has no tracepoint of it: use scheduler.migrate"},
    {"ioblock_trace.bounce",
     "it is no point of the library: use ioblock.request, or "
     "kernel.trace(\"block:block_bio_bounce\") where the kernel has it"},
    {"ioscheduler_trace.elv_abort_request",
     "kernels abort no requests any more: use ioscheduler_trace.elv_requeue_request"},
    {"ioscheduler_trace.unplug_timer",
     "queues have no timer any more: use ioscheduler_trace.unplug_io"},
    {"tcpmib.InSegs", "the kernel has no tracepoint of it: use tcp.receive"},
    {"tcpmib.OutSegs",
     "the kernel has no tracepoint of it: use dtrace(\"tcp:::send\") or netdev.transmit"},
    {"ipmib.InReceives",
     "the kernel has no tracepoint just where it counts that: use dtrace(\"ip:::receive\"), which "
     "fires at network interfaces"},
    {"ipmib.OutRequests",
     "the kernel has no tracepoint just where it counts that: use dtrace(\"ip:::send\"), which "
     "fires at network interfaces"},
    {"ipmib.ForwDatagrams",
     "the kernel has no tracepoint of it: use kernel.function(\"ip_forward_finish\")"},
    {"ipmib.FragOKs",
     "the kernel has no tracepoint of it: use kernel.function(\"ip_do_fragment\")"},
    {"ipmib.FragFails",
     "the kernel has no tracepoint of it: use kernel.function(\"ip_do_fragment\").return"},
    {"ipmib.ReasmTimeout",
     "the kernel has no tracepoint of it: use kernel.function(\"ip_expire\")"},
    {"ipmib.InDiscards", kDropsHaveReasons},
    {"linuxmib.DelayedACKs",
     "the kernel has no tracepoint of it: use kernel.function(\"tcp_delack_timer_handler\")"},
    {"linuxmib.ListenDrops", kListenFull},
    {"linuxmib.ListenOverflows", kListenFull},
    {"linuxmib.TCPMemoryPressures",
     "the kernel has no tracepoint of it: use kernel.function(\"tcp_enter_memory_pressure\")"},
    {"vfs.readv", "the function is another one in each kernel: use syscall.readv and preadv"},
    {"vfs.writev", "the function is another one in each kernel: use syscall.writev and pwritev"},
};

constexpr std::string_view kPointFamilies[] = {
    "begin",       "end",        "error",      "never",  "timer",  "syscall",
    "nd_syscall",  "tp_syscall", "dw_syscall", "kernel", "module", "kprobe",
    "syscall_any", "dtrace",     "process",    "perf",   "procfs", "input"};

class Resolver {
 public:
  Resolver(PointReader& point, const std::optional<PointTree::Misfit>& misfit)
      : point_(point), out_(point.out), misfit_(misfit) {}

  bool run() {
    const std::string& family = at(0).name;
    if (misfit_) return unknown(family);
    if (family == "begin" || family == "end" || family == "error") return session(family);
    if (family == "never") return point_.end_of(HandlerKind::kNever);
    if (family == "timer") return timer();
    if (family == "syscall" || family == "nd_syscall" || family == "tp_syscall" ||
        family == "dw_syscall") {
      return system_call();
    }
    if (family == "syscall_any") return any_system_call();
    if (family == "kernel" || family == "module" || family == "kprobe") {
      return resolve_kernel_point(point_);
    }
    if (family == "perf") return resolve_perf_point(point_);
    if (family == "process") return resolve_process_point(point_);
    if (family == "dtrace") return raw();
    if (family == "procfs") return file();
    if (family == "input") return input();
    return unknown(family);
  }

 private:
  const Component& at(std::size_t i) const { return point_.at(i); }
  std::size_t count() const { return point_.count(); }
  bool error(std::string_view text, const Component& where, std::string_view hint = {}) {
    return point_.error(text, where, hint);
  }
  bool event(EventKind kind, std::string provider, std::string module, std::string function,
             std::string name) {
    return point_.event(kind, std::move(provider), std::move(module), std::move(function),
                        std::move(name));
  }
  bool return_suffix(std::size_t from, bool& is_return) {
    return point_.return_suffix(from, is_return);
  }

  bool unknown(const std::string& family) {
    for (const RefusedPoint& one : kRefusedPoints) {
      if (one.point == out_.text) return error(one.why, at(0));
    }
    for (const RefusedFamily& one : kRefusedFamilies) {
      if (one.family != family) continue;
      std::vector<std::string_view> aliases(point_.around.aliases.begin(),
                                            point_.around.aliases.end());
      const std::string near = support::nearest(out_.text, aliases);
      return error(near.starts_with(family + ".") ? fmt::format("{} (similar: {})", one.why, near)
                                                  : std::string(one.why),
                   at(0));
    }
    if (!misfit_) return error("no match", at(0));
    return point_.placed_error(misfit_->text, at(misfit_->component), hint_of(family));
  }

  std::string hint_of(const std::string& family) const {
    if (std::string hint = hint_of_foreign(out_.text); !hint.empty()) return hint;
    if (family == "timer" && misfit_->component == 1) {
      return "units are s (sec), ms (msec), us (usec), ns (nsec), jiffies and hz: timer.s(60)";
    }
    if (misfit_->component == 0) return {};
    std::size_t number = 0;
    for (const std::string& one : point_.around.aliases) {
      number += one.starts_with(family + ".") ? 1 : 0;
    }
    return number > kMostSimilar ? fmt::format("stap -l '{}.**' lists those that there are", family)
                                 : std::string();
  }

  bool session(const std::string& family) {
    out_.order = at(0).number;
    return point_.end_of(family == "begin" ? HandlerKind::kBegin
                         : family == "end" ? HandlerKind::kEnd
                                           : HandlerKind::kError);
  }

  // ---- timer ----

  bool timer() {
    const Component& unit = at(1);
    if (unit.name == "profile") return profile();
    std::int64_t ns = 0;
    for (const Unit& one : kUnits) {
      if (one.name == unit.name) ns = one.ns;
    }
    if (unit.name == "jiffies") {
      ns = point_.around.jiffy_ns;
      if (ns == 0) {
        return error(
            "the length of a jiffy is in the configuration of the kernel, which is not available",
            unit, "use timer.ms()");
      }
    }
    if (unit.name == "hz") return frequency(unit);
    const std::int64_t least = std::max<std::int64_t>(kShortestTimerNs / ns, 1);
    const std::int64_t most = kLongestTimerNs / ns;
    if (unit.name == "jiffies" && unit.number < 1) {
      return error("invalid interval for jiffies timer", at(0));
    }
    if (unit.number < least || unit.number > most) {
      return error(fmt::format("interval value out of range ({}, {})", least, most), at(0));
    }
    out_.period_ns = unit.number * ns;
    if (count() > 2) {
      const Component& random = at(2);
      if (random.number < 0 || random.number > unit.number) {
        return error("randomization value out of range", at(0));
      }
      out_.random_ns = random.number * ns;
    }
    return point_.end_of(HandlerKind::kTimer);
  }

  bool frequency(const Component& unit) {
    if (unit.number < 1) return error("frequency must be greater than 0", at(0));
    out_.period_ns = kTimerSecondNs / unit.number;
    if (out_.period_ns < kShortestTimerNs) {
      return error(
          fmt::format("interval value out of range ({}, {})", kShortestTimerNs, kLongestTimerNs),
          at(0));
    }
    return point_.end_of(HandlerKind::kTimer);
  }

  // timer.profile, .profile.tick, .profile.freq.hz(N)
  bool profile() {
    std::int64_t hz = ::sysconf(_SC_CLK_TCK);
    const bool is_default = count() == 2 || (count() == 3 && at(2).name == "tick");
    if (!is_default) {
      hz = at(3).number;
      if (hz < 1) return error("frequency must be greater than 0", at(0));
    }
    return event(EventKind::kProfile, "profile", "", "", fmt::format("profile-{}hz", hz));
  }

  // ---- files and the standard input ----

  // procfs("path").umask(N).read.maxsize(N), in any order behind the path.
  bool file() {
    const Component& name = at(0);
    out_.file.path = name.has_argument ? name.argument : "command";
    if (const std::string wrong = wrong_path(out_.file.path); !wrong.empty()) {
      return point_.placed_error(wrong, name);
    }
    for (std::size_t i = 1; i < count(); ++i) {
      const Component& one = at(i);
      if (one.name == "umask") {
        constexpr std::int64_t kMostMask = 0777;
        if (one.number < 0 || one.number > kMostMask) {
          return error("umask out of range (0, 0777)", one);
        }
        out_.file.umask = static_cast<std::uint32_t>(one.number);
      } else if (one.name == "maxsize") {
        if (one.number < 1) return error("maxsize must be greater than 0", at(0));
        out_.file.most = std::min<std::int64_t>(one.number, kMostOfFile);
      } else {
        out_.file.is_write = one.name == "write";
      }
    }
    return point_.end_of(HandlerKind::kFile);
  }

  // What is wrong with the path of a file; or "".
  static std::string wrong_path(std::string_view path) {
    constexpr std::size_t kMost = 255;
    if (path.starts_with('/')) return "procfs path cannot start with a '/'";
    if (path.empty() || path.ends_with('/')) return "procfs path cannot end with a '/'";
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      const std::string_view name = path.substr(at, end - at);
      if (name.empty()) return "procfs path cannot contain an empty component";
      if (name == "." || name == "..") {
        return "procfs path cannot be relative (and contain '.' or '..')";
      }
      if (name.size() > kMost) return "a component of the procfs path is too long";
      at = end + 1;
    }
    return path.find('\0') == std::string_view::npos ? "" : "procfs path with a byte 0";
  }

  bool input() {
    out_.is_line = at(1).name == "line";
    return point_.end_of(HandlerKind::kInput);
  }

  // ---- system calls ----

  bool system_call() {
    if (at(1).name.find("**") != std::string::npos) {
      return error("'**' means several components, and a system call is a single one", at(1),
                   "syscall.*, syscall.*.return");
    }
    bool is_return = false;
    if (!return_suffix(2, is_return)) return false;
    const EventKind kind = is_return ? EventKind::kSyscallReturn : EventKind::kSyscallEntry;
    const std::string side = is_return ? "return" : "entry";
    if (!event(kind, "syscall", "", at(1).name, side)) return false;
    const std::vector<CallPoint> others =
        calls_beside(at(0).name, at(1).name, is_return, point_.around.named_calls);
    point_.out.events.back().is_alternative = !others.empty();
    point_.out.events.back().call = at(1).span;
    for (const CallPoint& one : others) {
      event(kind, "syscall", "", std::string(one.call), side);
      point_.out.events.back().is_alternative = true;
      point_.out.events.back().function = one.point;
    }
    return true;
  }

  bool any_system_call() {
    bool is_return = false;
    if (!return_suffix(1, is_return)) return false;
    return event(is_return ? EventKind::kSyscallReturn : EventKind::kSyscallEntry, "syscall", "",
                 "", is_return ? "return" : "entry");
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
    if (fields.size() != kFields) {
      return error("expected \"provider:module:function:name\"", at(0));
    }
    return event(EventKind::kRaw, fields[0], fields[1], fields[2], fields[3]);
  }

  PointReader& point_;
  Handler& out_;
  const std::optional<PointTree::Misfit>& misfit_;
};

}  // namespace

std::vector<std::string> families_of(std::string_view pattern) {
  std::vector<std::string> out;
  if (probe::is_literal(pattern)) return out;
  for (const std::string_view one : kPointFamilies) {
    if (probe::glob_match(pattern, one)) out.emplace_back(one);
  }
  return out;
}

bool is_family(std::string_view name) {
  return std::find(std::begin(kPointFamilies), std::end(kPointFamilies), name) !=
         std::end(kPointFamilies);
}

bool resolve_point(const ProbePoint& point, const PointWorld& around,
                   const std::optional<PointTree::Misfit>& misfit, Messages& messages,
                   Handler& out) {
  out.span = point.span;
  out.text = to_text(point);
  PointReader reader(point, around, messages, out);
  return Resolver(reader, misfit).run();
}

}  // namespace dt::stap
