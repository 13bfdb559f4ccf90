// See entry_point.h.
//
// The dynamic linker maps the libraries, relocates them, calls what they have
// to be initialised, and jumps to the entry point, whose address the kernel tells
// it. A static program begins there.

#include "runtime/entry_point.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>

#include "symbol/process/process.h"

namespace dt::runtime {
namespace {

constexpr std::size_t kMaxAuxvBytes = 4096;
constexpr std::size_t kAddress = offsetof(user, u_debugreg[0]);
constexpr std::size_t kControl = offsetof(user, u_debugreg[7]);
constexpr unsigned long kExecuteFirst = 1;  // debug register 0, when it is executed
constexpr int kExecuted = SIGTRAP | (PTRACE_EVENT_EXEC << 8);

Status poke(pid_t pid, std::size_t where, unsigned long value) {
  if (::ptrace(PTRACE_POKEUSER, pid, where, value) == 0) {
    return {};
  }
  return support::system_error("a hardware breakpoint cannot be set", errno);
}

// False when there is no entry point to wait for: it is there already, or the
// program is of a kind that we do not know.
Result<bool> set_breakpoint(pid_t pid) {
  const auto entry =
      entry_of_auxv(symbol::read_file(fmt::format("/proc/{}/auxv", pid), kMaxAuxvBytes));
  user_regs_struct registers = {};
  if (!entry || ::ptrace(PTRACE_GETREGS, pid, nullptr, &registers) != 0 ||
      registers.rip == *entry) {
    return false;
  }
  DT_TRY(poke(pid, kAddress, *entry));
  DT_TRY(poke(pid, kControl, kExecuteFirst));
  return true;
}

}  // namespace

std::optional<std::uint64_t> entry_of_auxv(std::string_view auxv) {
  for (std::size_t at = 0; at + sizeof(Elf64_auxv_t) <= auxv.size(); at += sizeof(Elf64_auxv_t)) {
    Elf64_auxv_t entry;
    std::memcpy(&entry, auxv.data() + at, sizeof entry);
    if (entry.a_type == AT_ENTRY) {
      return entry.a_un.a_val;
    }
  }
  return std::nullopt;
}

Status run_to_entry_point(pid_t pid, std::optional<int>& ended) {
  if (::ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC) != 0) {
    return support::system_error(fmt::format("ptrace of process {}", pid), errno);
  }
  DT_ASSIGN(bool is_set, set_breakpoint(pid));
  int signal = 0;
  while (is_set) {
    if (::ptrace(PTRACE_CONT, pid, nullptr, signal) != 0) {
      return support::system_error(fmt::format("ptrace of process {}", pid), errno);
    }
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0) {
      if (errno != EINTR) {
        return support::system_error(fmt::format("wait for process {}", pid), errno);
      }
    }
    if (!WIFSTOPPED(status)) {
      ended = status;
      return {};
    }
    if ((status >> 8) == kExecuted) {  // what initialises a library executed another program
      DT_ASSIGN(is_set, set_breakpoint(pid));
      signal = 0;
    } else if (WSTOPSIG(status) == SIGTRAP) {
      break;
    } else {
      signal = WSTOPSIG(status);
    }
  }
  return is_set ? poke(pid, kControl, 0) : Status();
}

}  // namespace dt::runtime
