// See firing_context.h.

#include "stap/home/firing_context.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "support/clock.h"

namespace dt::stap {
namespace {

constexpr std::int64_t kNsOfSecond = 1'000'000'000;

std::int64_t unit_of(Fn fn) {
  switch (fn) {
    case Fn::gettimeofday_us:
    case Fn::local_clock_us:
      return 1000;
    case Fn::gettimeofday_ms:
    case Fn::local_clock_ms:
      return 1'000'000;
    case Fn::gettimeofday_s:
    case Fn::local_clock_s:
      return kNsOfSecond;
    default:
      return 1;
  }
}

}  // namespace

// Of a handler that no event has called, such as one of begin: of this process, and of now.
Value FiringContext::at_home(Fn fn) const {
  Value out;
  switch (fn) {
    case Fn::pid:
    case Fn::tid:
      out.number = ::getpid();
      break;
    case Fn::ppid:
      out.number = ::getppid();
      break;
    case Fn::uid:
      out.number = ::getuid();
      break;
    case Fn::gid:
      out.number = ::getgid();
      break;
    case Fn::cpu:
      out.number = ::sched_getcpu();
      break;
    case Fn::execname:
    case Fn::cmdline_str:
      out.text = "stap";
      break;
    case Fn::pp:
    case Fn::pn:
      out.text = run_.handler->text;
      break;
    case Fn::probefunc:
    case Fn::ppfunc:
    case Fn::backtrace:
    case Fn::ubacktrace:
    case Fn::uaddr:
    case Fn::user_mode:
      break;
    case Fn::task_current:
      if (run_.surroundings.current_task) {
        out.number = static_cast<std::int64_t>(run_.surroundings.current_task());
      }
      break;
    case Fn::gettimeofday_ns:
    case Fn::gettimeofday_us:
    case Fn::gettimeofday_ms:
    case Fn::gettimeofday_s:
      out.number = support::now_ns(CLOCK_REALTIME) / unit_of(fn);
      break;
    default:
      out.number = support::now_ns(CLOCK_MONOTONIC) / unit_of(fn);
      break;
  }
  return out;
}

Value FiringContext::of(Fn fn) const {
  Value out;
  if (fn == Fn::task_current && run_.firing != nullptr && run_.firing->is_now) {
    const std::int64_t thread = run_.firing->contexts[static_cast<std::size_t>(Fn::tid)].number;
    if (run_.surroundings.task_of)
      out.number = static_cast<std::int64_t>(run_.surroundings.task_of(thread));
    return out;
  }
  if (fn == Fn::pn && !run_.handler->alias.empty()) {
    out.text = run_.handler->alias;
    return out;
  }
  // nd_syscall.read, as the script has it.
  constexpr std::size_t kVariant = 3;
  const bool is_variant = run_.handler->text.size() > kVariant &&
                          run_.handler->text[kVariant - 1] == '_' &&
                          run_.handler->text.compare(kVariant, 8, "syscall.") == 0;
  if (run_.firing != nullptr && (fn == Fn::pn || fn == Fn::pp) && is_variant) {
    out.text = run_.handler->text.substr(0, kVariant) + run_.firing->point;
    return out;
  }
  const bool is_function = fn == Fn::probefunc || fn == Fn::ppfunc;
  if (run_.firing != nullptr && run_.firing->kernel_place != 0 && is_function) {
    const auto found = named(run_.firing->kernel_place, false);
    if (found) out.text = found->function;
    return out;
  }
  if (run_.firing != nullptr) return run_.firing->contexts[static_cast<std::size_t>(fn)];
  constexpr Fn kOfCaller[] = {Fn::pid, Fn::tid,      Fn::ppid,       Fn::uid,
                              Fn::gid, Fn::execname, Fn::cmdline_str};
  const bool is_of_caller =
      run_.caller != nullptr &&
      std::find(std::begin(kOfCaller), std::end(kOfCaller), fn) != std::end(kOfCaller);
  if (is_of_caller) return run_.caller->contexts[static_cast<std::size_t>(fn)];
  return at_home(fn);
}

std::optional<front::Session::Named> FiringContext::named(std::uint64_t address,
                                                          bool is_user) const {
  const auto pid = static_cast<std::int32_t>(of(Fn::pid).number);
  if (is_user && run_.surroundings.user_name) return run_.surroundings.user_name(pid, address);
  if (!is_user && run_.surroundings.kernel_name) return run_.surroundings.kernel_name(address);
  return std::nullopt;
}

std::optional<front::Session::Line> FiringContext::line_of(std::uint64_t address,
                                                           bool is_return) const {
  const auto pid = static_cast<std::int32_t>(of(Fn::pid).number);
  return run_.surroundings.user_line ? run_.surroundings.user_line(pid, address, is_return)
                                     : std::nullopt;
}

}  // namespace dt::stap
