// See guardian.h. It is forked from a process that may have threads, so it calls nothing but the
// kernel.

#include "kernel/guardian.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "support/check.h"
#include "support/clock.h"

namespace dt::kernel {

constexpr std::size_t kNameBytes = 64;  // what the kernel allows, with the zero
constexpr std::size_t kMaxDigits = 10;

// What it guards. `clean` runs when the process that has started the guardian has ended.
struct Guardian::Ward {
  void (*clean)(const Ward& ward) = nullptr;
  int parent = -1;
  // Of events:
  int events = -1, users = -1;
  std::array<char, kNameBytes> name = {};
  std::size_t name_bytes = 0;
  const std::uint32_t* count = nullptr;
  // Of a mount:
  const char* mounted = nullptr;
  const char* outer = nullptr;
  // Of a terminal:
  int terminal = -1;
  termios before = {}, ours = {};
};

namespace {

using support::sleep_ms;
using Ward = Guardian::Ward;

// Closes what it has inherited. These descriptors include links and events of probes: while the
// guardian held them, the kernel would not detach the probes when we end.
void close_all_but(std::array<int, 4> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned first = 0;
  for (const int one : kept) {
    if (one < 0) continue;
    const auto next = static_cast<unsigned>(one);
    if (next > first) ::syscall(SYS_close_range, first, next - 1, 0U);
    first = next + 1;
  }
  ::syscall(SYS_close_range, first, ~0U, 0U);
}

void wait_for(int fd, short events) {
  pollfd one = {fd, events, 0};
  while (::poll(&one, 1, -1) != 1) sleep_ms(100);
}

// Removes an event: "-:NAME12\n". EBUSY: a perf event is still open on it, or is being closed at
// this moment.
void remove_event(const Ward& ward, std::uint32_t number) {
  constexpr int kTries = 500;
  std::array<char, 2 + kNameBytes + kMaxDigits + 1> line = {'-', ':'};
  char* end = std::copy_n(ward.name.data(), ward.name_bytes, line.data() + 2);
  std::array<char, kMaxDigits> digits = {};
  std::size_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) *end++ = digits[--count];
  *end++ = '\n';
  const auto bytes = static_cast<std::size_t>(end - line.data());
  for (int i = 0; i < kTries; ++i) {
    if (::write(ward.events, line.data(), bytes) >= 0 || errno != EBUSY) return;
    sleep_ms(20);
  }
}

// Waits until all that share the events have ended. A process that was forked has our events until
// it execs or ends. When it does, the kernel needs a moment to remove the breakpoints; an event
// must not be removed before.
void wait_for_users(const Ward& ward) {
  constexpr long kMoment = 5000;
  pollfd users = {ward.users, 0, 0};
  if (::poll(&users, 1, 0) == 1) return;
  wait_for(ward.users, 0);
  sleep_ms(kMoment);
}

void remove_events(const Ward& ward) {
  wait_for_users(ward);
  // The memory is shared with the process that has ended: the count is that of its last attach.
  const std::uint32_t count = __atomic_load_n(ward.count, __ATOMIC_ACQUIRE);
  for (std::uint32_t i = 0; i < count; ++i) remove_event(ward, i);
}

void unmount(const Ward& ward) {
  ::umount2(ward.mounted, MNT_DETACH);
  ::rmdir(ward.mounted);
  ::rmdir(ward.outer);
}

// In a session that is not the terminal's, no SIGTTOU stops who changes it.
void restore_terminal(const Ward& ward) {
  termios now = {};
  if (::tcgetattr(ward.terminal, &now) != 0) return;
  const bool is_ours = now.c_lflag == ward.ours.c_lflag && now.c_iflag == ward.ours.c_iflag;
  if (is_ours) ::tcsetattr(ward.terminal, TCSANOW, &ward.before);
}

// In a session of its own and without signals: what ends the tracer, a Ctrl-C or a shell that
// closes, must not end the guardian, too. "/" so that it keeps no file system busy.
[[noreturn]] void run(const Ward& ward) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  ::setsid();
  ::prctl(PR_SET_NAME, "dtrace-guardian", 0, 0, 0);
  static_cast<void>(!::chdir("/"));
  close_all_but({ward.events, ward.users, ward.parent, ward.terminal});
  wait_for(ward.parent, POLLIN);
  ward.clean(ward);
  ::_exit(0);
}

}  // namespace

Result<Guardian> Guardian::start(const Fd& events, const std::string& name, const Witness& users) {
  Ward ward;
  ward.clean = remove_events;
  ward.events = events.get();
  ward.users = users.end().get();
  DT_CHECK(name.size() + kMaxDigits < kNameBytes, "{}", name);
  ward.name_bytes = name.copy(ward.name.data(), name.size());
  return start(ward);
}

Result<Guardian> Guardian::start(const std::string& mounted) {
  const std::string outer = mounted.substr(0, mounted.rfind('/'));
  Ward ward;
  ward.clean = unmount;
  ward.mounted = mounted.c_str();
  ward.outer = outer.c_str();
  return start(ward);
}

Result<Guardian> Guardian::start(int terminal, const termios& before, const termios& ours) {
  Ward ward;
  ward.clean = restore_terminal;
  ward.terminal = terminal;
  ward.before = before;
  ward.ours = ours;
  return start(ward);
}

Result<Guardian> Guardian::start(Ward& ward) {
  const Fd parent(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!parent.valid()) return support::system_error("pidfd_open", errno);
  ward.parent = parent.get();
  void* const shared = ::mmap(nullptr, sizeof(std::uint32_t), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return support::system_error("mmap", errno);
  Guardian guardian;
  guardian.maker_ = ::getpid();
  guardian.count_ = static_cast<std::uint32_t*>(shared);
  ward.count = guardian.count_;
  // With the C library's fork(), its end would send SIGCHLD to us.
  guardian.pid_ = static_cast<pid_t>(::syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, nullptr));
  if (guardian.pid_ < 0) return support::system_error("clone of the guardian", errno);
  if (guardian.pid_ == 0) run(ward);
  return guardian;
}

Guardian::Guardian(Guardian&& other) noexcept
    : maker_(other.maker_),
      pid_(std::exchange(other.pid_, -1)),
      count_(std::exchange(other.count_, nullptr)),
      stays_(other.stays_) {}

Guardian::~Guardian() {
  if (pid_ > 0 && !stays_ && ::getpid() == maker_) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, __WALL) < 0 && errno == EINTR) {
    }
  }
  if (count_ != nullptr) ::munmap(count_, sizeof *count_);
}

// Before the events are made: if we are killed between the two, the guardian tries to remove an
// event that does not exist, which does no harm. In the other order an event would stay.
void Guardian::guard(std::uint32_t count) { __atomic_store_n(count_, count, __ATOMIC_RELEASE); }

}  // namespace dt::kernel
