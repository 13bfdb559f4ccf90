// See context_values.h.

#include "stap/events/context_values.h"

namespace dt::stap {

std::optional<ir::Builtin> builtin_of(Fn fn) {
  switch (fn) {
    case Fn::pid:
      return ir::Builtin::kPid;
    case Fn::tid:
      return ir::Builtin::kTid;
    case Fn::ppid:
      return ir::Builtin::kPpid;
    case Fn::uid:
      return ir::Builtin::kUid;
    case Fn::gid:
      return ir::Builtin::kGid;
    case Fn::cpu:
      return ir::Builtin::kCpu;
    case Fn::execname:
      return ir::Builtin::kExecname;
    case Fn::cmdline_str:
      return ir::Builtin::kExecargs;
    case Fn::task_current:
      return ir::Builtin::kCurthread;
    case Fn::gettimeofday_ns:
    case Fn::gettimeofday_us:
    case Fn::gettimeofday_ms:
    case Fn::gettimeofday_s:
      return ir::Builtin::kWalltimestamp;
    case Fn::ktime_get_ns:
    case Fn::local_clock_ns:
    case Fn::local_clock_us:
    case Fn::local_clock_ms:
    case Fn::local_clock_s:
      return ir::Builtin::kTimestamp;
    default:
      return std::nullopt;  // the probe itself says it
  }
}

std::int64_t ns_of(Fn fn) {
  switch (fn) {
    case Fn::gettimeofday_us:
    case Fn::local_clock_us:
      return 1'000;
    case Fn::gettimeofday_ms:
    case Fn::local_clock_ms:
      return 1'000'000;
    case Fn::gettimeofday_s:
    case Fn::local_clock_s:
      return 1'000'000'000;
    default:
      return 1;
  }
}

}  // namespace dt::stap
