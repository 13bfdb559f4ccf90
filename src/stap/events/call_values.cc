// See call_values.h.
//
// The names are those of the headers of the C library; a set of flags is written in the order of
// its table, which is the order of their values. What has no name is added as a number.

#include "stap/events/call_values.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <span>

#include "stap/home/strings.h"

namespace dt::stap {
namespace {

struct Word {
  std::uint64_t value;
  std::string_view name;
};
#define W(name) \
  { static_cast<std::uint64_t>(name), #name }

constexpr Word kProtections[] = {W(PROT_READ), W(PROT_WRITE), W(PROT_EXEC), W(PROT_GROWSDOWN),
                                 W(PROT_GROWSUP)};
constexpr Word kMapKinds[] = {W(MAP_SHARED), W(MAP_PRIVATE), W(MAP_SHARED_VALIDATE)};
constexpr Word kMapFlags[] = {
    W(MAP_FIXED),    W(MAP_ANONYMOUS), W(MAP_32BIT),     W(MAP_NORESERVE),      W(MAP_POPULATE),
    W(MAP_NONBLOCK), W(MAP_GROWSDOWN), W(MAP_DENYWRITE), W(MAP_EXECUTABLE),     W(MAP_LOCKED),
    W(MAP_STACK),    W(MAP_HUGETLB),   W(MAP_SYNC),      W(MAP_FIXED_NOREPLACE)};
constexpr Word kAccess[] = {W(R_OK), W(W_OK), W(X_OK)};
constexpr Word kWhence[] = {W(SEEK_SET), W(SEEK_CUR), W(SEEK_END), W(SEEK_DATA), W(SEEK_HOLE)};
constexpr Word kFamilies[] = {W(AF_UNSPEC),  W(AF_UNIX),   W(AF_INET),  W(AF_INET6),
                              W(AF_NETLINK), W(AF_PACKET), W(AF_VSOCK), W(AF_ALG)};
constexpr Word kSocketKinds[] = {W(SOCK_STREAM), W(SOCK_DGRAM), W(SOCK_RAW), W(SOCK_RDM),
                                 W(SOCK_SEQPACKET)};
constexpr Word kSocketFlags[] = {W(SOCK_CLOEXEC), W(SOCK_NONBLOCK)};
constexpr Word kSignalHow[] = {W(SIG_BLOCK), W(SIG_UNBLOCK), W(SIG_SETMASK)};
constexpr Word kWaitOptions[] = {W(WNOHANG), W(WUNTRACED), W(WEXITED), W(WCONTINUED), W(WNOWAIT)};
constexpr Word kWaitWhich[] = {W(P_ALL), W(P_PID), W(P_PGID), W(P_PIDFD)};
constexpr Word kFcntl[] = {W(F_DUPFD),      W(F_GETFD),     W(F_SETFD),         W(F_GETFL),
                           W(F_SETFL),      W(F_GETLK),     W(F_SETLK),         W(F_SETLKW),
                           W(F_SETOWN),     W(F_GETOWN),    W(F_DUPFD_CLOEXEC), W(F_SETPIPE_SZ),
                           W(F_GETPIPE_SZ), W(F_ADD_SEALS), W(F_GET_SEALS)};
constexpr Word kDescriptorFlags[] = {W(O_NONBLOCK), W(O_DIRECT), W(O_CLOEXEC)};
constexpr Word kEventfd[] = {W(EFD_SEMAPHORE), W(EFD_CLOEXEC), W(EFD_NONBLOCK)};
constexpr Word kEpollFlags[] = {W(EPOLL_CLOEXEC)};
constexpr Word kEpollOps[] = {W(EPOLL_CTL_ADD), W(EPOLL_CTL_DEL), W(EPOLL_CTL_MOD)};
constexpr Word kClocks[] = {W(CLOCK_REALTIME),
                            W(CLOCK_MONOTONIC),
                            W(CLOCK_PROCESS_CPUTIME_ID),
                            W(CLOCK_THREAD_CPUTIME_ID),
                            W(CLOCK_MONOTONIC_RAW),
                            W(CLOCK_REALTIME_COARSE),
                            W(CLOCK_MONOTONIC_COARSE),
                            W(CLOCK_BOOTTIME),
                            W(CLOCK_REALTIME_ALARM),
                            W(CLOCK_BOOTTIME_ALARM),
                            W(CLOCK_TAI)};
constexpr Word kTimerFlags[] = {W(TIMER_ABSTIME)};
constexpr Word kTimerfd[] = {W(TFD_CLOEXEC), W(TFD_NONBLOCK)};
constexpr Word kMadvise[] = {
    W(MADV_NORMAL),   W(MADV_RANDOM),     W(MADV_SEQUENTIAL), W(MADV_WILLNEED), W(MADV_DONTNEED),
    W(MADV_FREE),     W(MADV_REMOVE),     W(MADV_DONTFORK),   W(MADV_DOFORK),   W(MADV_MERGEABLE),
    W(MADV_HUGEPAGE), W(MADV_NOHUGEPAGE), W(MADV_DONTDUMP),   W(MADV_DODUMP),   W(MADV_WIPEONFORK),
    W(MADV_COLD),     W(MADV_PAGEOUT)};
constexpr Word kMsync[] = {W(MS_ASYNC), W(MS_INVALIDATE), W(MS_SYNC)};
constexpr Word kMlockall[] = {W(MCL_CURRENT), W(MCL_FUTURE), W(MCL_ONFAULT)};
constexpr Word kFlockKinds[] = {W(LOCK_SH), W(LOCK_EX), W(LOCK_UN)};
constexpr Word kFlockFlags[] = {W(LOCK_NB)};
constexpr Word kUnlinkFlags[] = {W(AT_REMOVEDIR)};
constexpr Word kAtFlags[] = {W(AT_SYMLINK_NOFOLLOW), W(AT_SYMLINK_FOLLOW), W(AT_NO_AUTOMOUNT),
                             W(AT_EMPTY_PATH)};
constexpr Word kAccessFlags[] = {W(AT_SYMLINK_NOFOLLOW), W(AT_EACCESS), W(AT_EMPTY_PATH)};
constexpr Word kRandom[] = {W(GRND_NONBLOCK), W(GRND_RANDOM)};
constexpr Word kShutdown[] = {W(SHUT_RD), W(SHUT_WR), W(SHUT_RDWR)};
constexpr Word kUsage[] = {W(RUSAGE_SELF), W(RUSAGE_CHILDREN), W(RUSAGE_THREAD)};
constexpr Word kPriority[] = {W(PRIO_PROCESS), W(PRIO_PGRP), W(PRIO_USER)};
constexpr Word kItimer[] = {W(ITIMER_REAL), W(ITIMER_VIRTUAL), W(ITIMER_PROF)};
constexpr Word kInotify[] = {W(IN_NONBLOCK), W(IN_CLOEXEC)};
constexpr Word kMemfd[] = {W(MFD_CLOEXEC), W(MFD_ALLOW_SEALING), W(MFD_HUGETLB)};
constexpr Word kMremap[] = {W(MREMAP_MAYMOVE), W(MREMAP_FIXED)};
#undef W

struct Row {
  std::string_view call, argument;
  enum class How : std::uint8_t { kOne, kFlags, kSignal, kKindAndFlags } how;
  std::span<const Word> words;       // of kKindAndFlags the kinds
  std::span<const Word> flags = {};  // of kKindAndFlags
  std::string_view zero = "0";       // of kFlags, without any
};
constexpr Row::How kOne = Row::How::kOne, kFlags = Row::How::kFlags, kSignal = Row::How::kSignal,
                   kBoth = Row::How::kKindAndFlags;
constexpr Row kRows[] = {
    {"mmap", "prot", kFlags, kProtections, {}, "PROT_NONE"},
    {"mprotect", "prot", kFlags, kProtections, {}, "PROT_NONE"},
    {"pkey_mprotect", "prot", kFlags, kProtections, {}, "PROT_NONE"},
    {"mmap", "flags", kBoth, kMapKinds, kMapFlags},
    {"mremap", "flags", kFlags, kMremap},
    {"madvise", "behavior", kOne, kMadvise},
    {"msync", "flags", kFlags, kMsync},
    {"mlockall", "flags", kFlags, kMlockall},
    {"access", "mode", kFlags, kAccess, {}, "F_OK"},
    {"faccessat", "mode", kFlags, kAccess, {}, "F_OK"},
    {"faccessat2", "mode", kFlags, kAccess, {}, "F_OK"},
    {"faccessat2", "flags", kFlags, kAccessFlags},
    {"lseek", "whence", kOne, kWhence},
    {"socket", "family", kOne, kFamilies},
    {"socket", "type", kBoth, kSocketKinds, kSocketFlags},
    {"socketpair", "family", kOne, kFamilies},
    {"socketpair", "type", kBoth, kSocketKinds, kSocketFlags},
    {"accept4", "flags", kFlags, kSocketFlags},
    {"shutdown", "how", kOne, kShutdown},
    {"kill", "sig", kSignal, {}},
    {"tgkill", "sig", kSignal, {}},
    {"tkill", "sig", kSignal, {}},
    {"rt_sigaction", "sig", kSignal, {}},
    {"rt_sigprocmask", "how", kOne, kSignalHow},
    {"wait4", "options", kFlags, kWaitOptions},
    {"waitid", "options", kFlags, kWaitOptions},
    {"waitid", "which", kOne, kWaitWhich},
    {"fcntl", "cmd", kOne, kFcntl},
    {"flock", "cmd", kBoth, kFlockKinds, kFlockFlags},
    {"dup3", "flags", kFlags, kDescriptorFlags},
    {"pipe2", "flags", kFlags, kDescriptorFlags},
    {"eventfd2", "flags", kFlags, kEventfd},
    {"epoll_create1", "flags", kFlags, kEpollFlags},
    {"epoll_ctl", "op", kOne, kEpollOps},
    {"clock_gettime", "which_clock", kOne, kClocks},
    {"clock_getres", "which_clock", kOne, kClocks},
    {"clock_settime", "which_clock", kOne, kClocks},
    {"clock_nanosleep", "which_clock", kOne, kClocks},
    {"clock_nanosleep", "flags", kFlags, kTimerFlags},
    {"timerfd_create", "clockid", kOne, kClocks},
    {"timerfd_create", "flags", kFlags, kTimerfd},
    {"unlinkat", "flag", kFlags, kUnlinkFlags},
    {"newfstatat", "flag", kFlags, kAtFlags},
    {"linkat", "flags", kFlags, kAtFlags},
    {"getrandom", "flags", kFlags, kRandom},
    {"getrusage", "who", kOne, kUsage},
    {"getpriority", "which", kOne, kPriority},
    {"setpriority", "which", kOne, kPriority},
    {"setitimer", "which", kOne, kItimer},
    {"getitimer", "which", kOne, kItimer},
    {"inotify_init1", "flags", kFlags, kInotify},
    {"memfd_create", "flags", kFlags, kMemfd},
};

std::optional<std::string> one_of(std::span<const Word> words, std::uint64_t value) {
  for (const Word& word : words) {
    if (word.value == value) return std::string(word.name);
  }
  return std::nullopt;
}

std::string flags_of(std::span<const Word> words, std::uint64_t value, std::string_view zero) {
  if (value == 0) return std::string(zero);
  std::string out;
  for (const Word& word : words) {
    if (word.value == 0 || (value & word.value) != word.value) continue;
    out += fmt::format("{}{}", out.empty() ? "" : "|", word.name);
    value &= ~word.value;
  }
  if (value != 0) out += fmt::format("{}{:#x}", out.empty() ? "" : "|", value);
  return out;
}

// A number that is one of the kinds, in the low bits, and flags above it.
std::optional<std::string> both_of(const Row& row, std::uint64_t value) {
  std::uint64_t mask = 0;
  for (const Word& word : row.flags) mask |= word.value;
  const auto kind = one_of(row.words, value & ~mask & 0xf);
  if (!kind) return std::nullopt;
  const std::uint64_t rest = value & ~(value & ~mask & 0xf);
  return rest == 0 ? *kind : *kind + "|" + flags_of(row.flags, rest, "0");
}

}  // namespace

std::optional<std::string> named_value(std::string_view call, std::string_view argument,
                                       std::int64_t value) {
  for (const Row& row : kRows) {
    if (row.call != call || row.argument != argument) continue;
    const auto bits = static_cast<std::uint64_t>(value);
    switch (row.how) {
      case Row::How::kOne:
        return one_of(row.words, bits);
      case Row::How::kFlags:
        return flags_of(row.words, static_cast<std::uint32_t>(bits), row.zero);
      case Row::How::kSignal:
        return value > 0 && value < NSIG ? std::optional(name_of_signal(value)) : std::nullopt;
      case Row::How::kKindAndFlags:
        return both_of(row, static_cast<std::uint32_t>(bits));
    }
  }
  return std::nullopt;
}

}  // namespace dt::stap
