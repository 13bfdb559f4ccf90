// See ptrace.h.
//
// The program has asked to be traced itself (PTRACE_TRACEME) and is not seized, because seizing
// needs rights over it that a dtrace with file capabilities has not (ptrace(2), "access mode
// checking"). So it stops in the older ways: a child that is traced automatically begins with
// SIGSTOP, and a process that a signal has stopped shows that once more, as a stop without siginfo.

#include "kernel/ptrace.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <thread>

namespace dt::kernel {
namespace {

constexpr std::uint64_t kWordBytes = sizeof(long);
constexpr std::size_t kProgramCounter = offsetof(user, regs.rip);
constexpr std::chrono::milliseconds kLookAgain{1};
constexpr int kEventShift = 16;

Error refused(const char* call, pid_t pid) {
  const int code = errno;
  return support::system_error(fmt::format("ptrace({}) of process {}", call, pid), code);
}

// Of threads and processes that clone(2) and similar calls have made.
bool is_thread(pid_t pid, pid_t child) {
  return ::access(fmt::format("/proc/{}/task/{}", pid, child).c_str(), F_OK) == 0;
}

class LinuxPtrace : public Ptrace {
 public:
  Status watch(pid_t pid, Watch watch) override {
    const unsigned options = watch == Watch::kDeath
                                 ? PTRACE_O_EXITKILL
                                 : PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
                                       PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    if (::ptrace(PTRACE_SETOPTIONS, pid, nullptr, options) == 0) return {};
    return refused("PTRACE_SETOPTIONS", pid);
  }

  // wait(2) waits for one or for all that there are, of which others may be no business of ours. So
  // where there are several they are asked in turn.
  Result<Stop> wait(std::span<const pid_t> all) override {
    while (true) {
      for (const pid_t pid : all) {
        int status = 0;
        const pid_t got = ::waitpid(pid, &status, __WALL | (all.size() > 1 ? WNOHANG : 0));
        if (got == pid) return stop_of(pid, status);
        if (got < 0 && errno == ECHILD && all.size() > 1)
          return Stop{Stop::Kind::kEnd, 0, 0, 0, pid};
        if (got < 0 && errno != EINTR) {
          const int code = errno;
          return support::system_error(fmt::format("wait for process {}", pid), code);
        }
      }
      if (all.size() > 1) std::this_thread::sleep_for(kLookAgain);
    }
  }

  // The signal with which it stopped reaches the program only if it is given back here; 0 withholds
  // it.
  Status go_on(pid_t pid, int signal) override {
    if (::ptrace(PTRACE_CONT, pid, nullptr, signal) == 0) return {};
    return refused("PTRACE_CONT", pid);
  }

  Status detach(pid_t pid, int signal) override {
    if (::ptrace(PTRACE_DETACH, pid, nullptr, signal) == 0) return {};
    return refused("PTRACE_DETACH", pid);
  }

  Status stop(pid_t pid, pid_t thread) override {
    if (::syscall(SYS_tgkill, pid, thread, SIGSTOP) == 0) return {};
    const int code = errno;
    return support::system_error(fmt::format("stop thread {} of process {}", thread, pid), code);
  }

  void kill(pid_t pid) override { ::kill(pid, SIGKILL); }

  Result<std::string> auxv(pid_t pid) override {
    const std::string path = fmt::format("/proc/{}/auxv", pid);
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty()) {
      const int code = ::access(path.c_str(), R_OK) == 0 ? EPERM : errno;
      return support::system_error(path, code);
    }
    return bytes;
  }

  Result<std::uint8_t> read(pid_t pid, std::uint64_t address) override {
    DT_ASSIGN(const unsigned long word, peek(pid, address));
    return static_cast<std::uint8_t>(word >> shift_of(address));
  }

  Status write(pid_t pid, std::uint64_t address, std::uint8_t byte) override {
    DT_ASSIGN(unsigned long word, peek(pid, address));
    word &= ~(0xffUL << shift_of(address));
    word |= static_cast<unsigned long>(byte) << shift_of(address);
    if (::ptrace(PTRACE_POKETEXT, pid, word_of(address), word) == 0) return {};
    return refused("PTRACE_POKETEXT", pid);
  }

  Result<std::uint64_t> program_counter(pid_t pid) override {
    errno = 0;
    const long value = ::ptrace(PTRACE_PEEKUSER, pid, kProgramCounter, nullptr);
    if (errno == 0) return static_cast<std::uint64_t>(value);
    return refused("PTRACE_PEEKUSER", pid);
  }

  Status set_program_counter(pid_t pid, std::uint64_t address) override {
    if (::ptrace(PTRACE_POKEUSER, pid, kProgramCounter, address) == 0) return {};
    return refused("PTRACE_POKEUSER", pid);
  }

 private:
  // Words are read and written at aligned addresses: an aligned word is never on two pages.
  static std::uint64_t word_of(std::uint64_t address) { return address & ~(kWordBytes - 1); }
  static unsigned shift_of(std::uint64_t address) {
    return static_cast<unsigned>(address % kWordBytes) * 8;
  }
  // PTRACE_PEEKTEXT returns the word itself, and -1 is a possible word: only errno tells an error.
  static Result<unsigned long> peek(pid_t pid, std::uint64_t address) {
    errno = 0;
    const long word = ::ptrace(PTRACE_PEEKTEXT, pid, word_of(address), nullptr);
    if (errno == 0) return static_cast<unsigned long>(word);
    return refused("PTRACE_PEEKTEXT", pid);
  }

  static Result<Stop> stop_of(pid_t pid, int status) {
    if (!WIFSTOPPED(status)) return Stop{Stop::Kind::kEnd, status, 0, 0, pid};
    // ptrace(2): a stop of PTRACE_O_TRACE... shows `SIGTRAP | event << 8` as its signal.
    switch (status >> kEventShift) {
      case 0:
        return signal_of(pid, WSTOPSIG(status));
      case PTRACE_EVENT_FORK:
      case PTRACE_EVENT_VFORK:
      case PTRACE_EVENT_CLONE: {
        unsigned long child = 0;
        if (::ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &child) != 0) {
          return refused("PTRACE_GETEVENTMSG", pid);
        }
        const pid_t made = static_cast<pid_t>(child);
        const auto kind = is_thread(pid, made) ? Stop::Kind::kThread : Stop::Kind::kChild;
        return Stop{kind, 0, 0, made, pid};
      }
      case PTRACE_EVENT_EXEC:
        return Stop{Stop::Kind::kExec, 0, 0, 0, pid};
      default:  // none that watch() asks for
        return Stop{Stop::Kind::kSignal, 0, 0, 0, pid};
    }
  }

  static Result<Stop> signal_of(pid_t pid, int signal) {
    siginfo_t info = {};
    if (::ptrace(PTRACE_GETSIGINFO, pid, nullptr, &info) != 0) {
      if (errno != EINVAL) return refused("PTRACE_GETSIGINFO", pid);
      return Stop{Stop::Kind::kStopped, 0, signal, 0, pid};
    }
    // The kernel sends the signal of int3 itself (SI_KERNEL). A SIGTRAP of kill(2) or of a single
    // step has another code.
    const bool is_breakpoint = signal == SIGTRAP && info.si_code == SI_KERNEL;
    return Stop{is_breakpoint ? Stop::Kind::kBreakpoint : Stop::Kind::kSignal, 0, signal, 0, pid};
  }
};

}  // namespace

int let_parent_trace_me() { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : errno; }

std::unique_ptr<Ptrace> linux_ptrace() { return std::make_unique<LinuxPtrace>(); }

}  // namespace dt::kernel
