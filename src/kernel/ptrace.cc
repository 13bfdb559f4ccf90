// See ptrace.h.
//
// The program has asked to be traced itself (PTRACE_TRACEME) and is not seized, because seizing
// needs rights over it that a dtrace with file capabilities has not (ptrace(2), "access mode
// checking"). So it stops in the older ways: a child that is traced automatically begins with
// SIGSTOP, and a process that a signal has stopped shows that once more, as a stop without siginfo.

#include "kernel/ptrace.h"

#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
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

bool is_traced_by_us(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  constexpr std::string_view kTracer = "TracerPid:";
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(kTracer)) return std::atoi(line.c_str() + kTracer.size()) != 0;
  }
  return true;  // it has ended, which wait(2) says
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

  Result<Stop> wait(pid_t pid, bool has_lost_threads) override {
    while (true) {
      int status = 0;
      const pid_t got = ::waitpid(pid, &status, __WALL | (has_lost_threads ? WNOHANG : 0));
      if (got == pid) return stop_of(pid, status);
      if (got < 0 && errno != EINTR) {
        const int code = errno;
        return support::system_error(fmt::format("wait for process {}", pid), code);
      }
      if (got == 0) {
        // Nothing wakes the tracer when the tracee's leader gives way to a thread.
        if (!is_traced_by_us(pid)) {
          return Error{"a thread that is not traced has executed another program", ECHILD, "", ""};
        }
        std::this_thread::sleep_for(kLookAgain);
      }
    }
  }

  Status go_on(pid_t pid, int signal) override {
    if (::ptrace(PTRACE_CONT, pid, nullptr, signal) == 0) return {};
    return refused("PTRACE_CONT", pid);
  }

  Status detach(pid_t pid, int signal) override {
    if (::ptrace(PTRACE_DETACH, pid, nullptr, signal) == 0) return {};
    return refused("PTRACE_DETACH", pid);
  }

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
  // An aligned word is never on two pages.
  static std::uint64_t word_of(std::uint64_t address) { return address & ~(kWordBytes - 1); }
  static unsigned shift_of(std::uint64_t address) {
    return static_cast<unsigned>(address % kWordBytes) * 8;
  }
  static Result<unsigned long> peek(pid_t pid, std::uint64_t address) {
    errno = 0;
    const long word = ::ptrace(PTRACE_PEEKTEXT, pid, word_of(address), nullptr);
    if (errno == 0) return static_cast<unsigned long>(word);
    return refused("PTRACE_PEEKTEXT", pid);
  }

  static Result<Stop> stop_of(pid_t pid, int status) {
    if (!WIFSTOPPED(status)) return Stop{Stop::Kind::kEnd, status, 0, 0};
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
        return Stop{Stop::Kind::kChild, status, 0, static_cast<pid_t>(child)};
      }
      case PTRACE_EVENT_EXEC:
        return Stop{Stop::Kind::kExec, status, 0, 0};
      default:  // none that watch() asks for
        return Stop{Stop::Kind::kSignal, status, 0, 0};
    }
  }

  static Result<Stop> signal_of(pid_t pid, int signal) {
    siginfo_t info = {};
    if (::ptrace(PTRACE_GETSIGINFO, pid, nullptr, &info) != 0) {
      if (errno != EINVAL) return refused("PTRACE_GETSIGINFO", pid);
      return Stop{Stop::Kind::kStopped, 0, signal, 0};
    }
    const bool is_breakpoint = signal == SIGTRAP && info.si_code == SI_KERNEL;
    return Stop{is_breakpoint ? Stop::Kind::kBreakpoint : Stop::Kind::kSignal, 0, signal, 0};
  }
};

}  // namespace

int let_parent_trace_me() { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : errno; }

std::unique_ptr<Ptrace> linux_ptrace() { return std::make_unique<LinuxPtrace>(); }

}  // namespace dt::kernel
