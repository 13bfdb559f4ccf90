// See apart.h.
//
// What runs apart makes its system calls itself: functions of the C library may have a
// breakpoint at that moment, and would fire in a process that no probe knows as dtrace.

#include "kernel/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <mutex>

namespace dt::kernel {
namespace {

constexpr std::size_t kStackBytes = 16384;

struct alignas(64) Stack {
  std::array<std::byte, kStackBytes> bytes;
  void* top() { return bytes.data() + bytes.size(); }
};

#ifdef __x86_64__
// The fourth argument is in r10, not in rcx as in a call of C: the instruction `syscall` keeps its
// return address in rcx, and the flags in r11, so both are lost.
long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
  long result = 0;
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = e;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
               : "rcx", "r11", "memory");
  return result;
}
#else
long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
  const long result = ::syscall(number, a, b, c, d, e);
  return result < 0 ? -errno : result;
}
#endif

struct Call {
  long number, a, b, c;
  long result = -EINTR;
};

// In a session of its own, so that a Ctrl-C of the terminal, which goes to all processes of the
// foreground group, cannot end it in the middle of the call.
int make_call(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  raw(SYS_setsid);
  call.result = raw(call.number, call.a, call.b, call.c);
  raw(SYS_exit_group, 0);
  return 0;
}

struct Holder {
  int until, other;  // the ends of a pipe; the one that is read is at its end when it may end
};

// Has a copy of the descriptors, so that what its maker closes meanwhile is closed by its end.
int hold(void* argument) {
  const Holder& holder = *static_cast<Holder*>(argument);
  char byte = 0;
  raw(SYS_setsid);
  raw(SYS_close, holder.other);
  while (raw(SYS_read, holder.until, reinterpret_cast<long>(&byte), 1) == -EINTR) {
  }
  raw(SYS_exit_group, 0);
  return 0;
}

struct Watch {
  pollfd parent;
};

// Polls the pidfd of its parent, which becomes readable when the parent has ended.
int keep(void* argument) {
  raw(SYS_setsid);
  raw(SYS_prctl, PR_SET_NAME, reinterpret_cast<long>("dtrace-keeper"));
  while (raw(SYS_ppoll, reinterpret_cast<long>(&static_cast<Watch*>(argument)->parent), 1, 0, 0,
             0) != 1) {
  }
  raw(SYS_exit_group, 0);
  return 0;
}

// Signals that come meanwhile wait: they are for this process, not for what is apart.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, &before_);
  }
  ~WithoutSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_ = {};
};

void reap(pid_t pid) {
  // __WALL: its end sends no signal, so that no other wait() of this process sees it.
  while (::waitpid(pid, nullptr, __WALL) < 0 && errno == EINTR) {
  }
}

}  // namespace

struct Keeper::Memory {
  Stack stack;
  Watch watch = {};
};

Result<std::unique_ptr<Keeper>> Keeper::start() {
  std::unique_ptr<Keeper> keeper(new Keeper());
  keeper->parent_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!keeper->parent_.valid()) return support::system_error("pidfd_open", errno);
  keeper->memory_ = std::make_unique<Memory>();
  keeper->memory_->watch.parent = {keeper->parent_.get(), POLLIN, 0};
  keeper->maker_ = ::getpid();
  const WithoutSignals blocked;
  keeper->pid_ =
      ::clone(keep, keeper->memory_->stack.top(), CLONE_VM | CLONE_FILES, &keeper->memory_->watch);
  if (keeper->pid_ < 0) return support::system_error("clone of the keeper of probes", errno);
  return keeper;
}

Keeper::~Keeper() {
  if (pid_ <= 0 || ::getpid() != maker_) return;
  ::kill(pid_, SIGKILL);
  reap(pid_);
}

// CLONE_VM: the call reads its arguments and writes its result in our memory. CLONE_FILES: a
// descriptor that it makes or closes is one of ours. CLONE_VFORK: we go on only when it has exited,
// so its stack can be released then. The exit signal is 0, hence __WALL in reap().
Result<long> call_apart(long number, long a, long b, long c) {
  const auto stack = std::make_unique<Stack>();
  Call call = {number, a, b, c};
  const WithoutSignals blocked;
  const pid_t pid = ::clone(make_call, stack->top(), CLONE_VM | CLONE_FILES | CLONE_VFORK, &call);
  if (pid < 0) return support::system_error("clone of the process that sets probes", errno);
  reap(pid);
  return call.result;
}

UprobeLink::~UprobeLink() {
  if (!link_.valid()) return;
  // One at a time: a child that another thread makes meanwhile would have a copy of our end of the
  // pipe, and our child of its end, so that each would wait for the end of the other.
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> alone(one_at_a_time);
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;  // closed here
  const Fd until(ends[0]);
  Fd other(ends[1]);
  const auto stack = std::make_unique<Stack>();
  Holder holder = {until.get(), other.get()};
  const WithoutSignals blocked;
  const pid_t pid = ::clone(hold, stack->top(), CLONE_VM, &holder);
  link_ = Fd();
  other = Fd();
  if (pid > 0) reap(pid);
}

}  // namespace dt::kernel
