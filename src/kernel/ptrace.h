#pragma once
// What ptrace(2) does to a program that we have started, on the way to its entry point. LinuxPtrace
// asks the kernel; FakePtrace (testing/kernel/fake_ptrace.h) plays a program in tests and can make
// any call fail.
//
// A tracee belongs to the thread that has forked it: every call must come from that thread.
// Every failing call returns an Error whose text names the call; its code is ESRCH when the process
// has been killed under our hands.

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "support/result.h"

namespace dt::kernel {

// In the child, before exec: the parent traces it. 0, or errno. Async-signal-safe.
int let_parent_trace_me();

class Ptrace {
 public:
  virtual ~Ptrace() = default;

  // What ends or stops with the tracee.
  enum class Watch : std::uint8_t {
    kDeath,  // the tracee is killed when we die
    kWay,    // that, and it stops when it executes another program or makes a process or a thread
  };
  virtual Status watch(pid_t pid, Watch watch) = 0;

  // Why a tracee has stopped, or how it has ended.
  struct Stop {
    enum class Kind : std::uint8_t {
      kEnd,         // `status` is that of wait(2)
      kSignal,      // it is about to get `signal`
      kBreakpoint,  // it has executed a breakpoint instruction: SIGTRAP from the kernel itself
      kStopped,     // it has got a signal that stops processes, and would be stopped now
      kExec,        // it has executed another program
      kChild,       // it has made a process, `child`, which is traced, too
      kThread,      // the same of a thread
    };
    Kind kind = Kind::kEnd;
    int status = 0;
    int signal = 0;
    pid_t child = 0;
    pid_t who = 0;  // the process or thread that has stopped or ended
  };
  // Waits for the next one of these processes and threads. Those that are gone without a word, as
  // the others do when a thread executes another program, have ended.
  virtual Result<Stop> wait(std::span<const pid_t> all) = 0;
  // Lets it run, and gives it a signal; 0 is none.
  virtual Status go_on(pid_t pid, int signal) = 0;
  // The same, untraced from then on.
  virtual Status detach(pid_t pid, int signal) = 0;
  // Sends a thread of the process a SIGSTOP, which it then shows as a stop.
  virtual Status stop(pid_t pid, pid_t thread) = 0;
  virtual void kill(pid_t pid) = 0;

  // The auxiliary vector, as the kernel has given it to the program.
  virtual Result<std::string> auxv(pid_t pid) = 0;
  // One byte of its memory. Writes go to a private copy of the page also where the program itself
  // may only read and execute it.
  virtual Result<std::uint8_t> read(pid_t pid, std::uint64_t address) = 0;
  virtual Status write(pid_t pid, std::uint64_t address, std::uint8_t byte) = 0;
  // The address of the next instruction.
  virtual Result<std::uint64_t> program_counter(pid_t pid) = 0;
  virtual Status set_program_counter(pid_t pid, std::uint64_t address) = 0;
};

std::unique_ptr<Ptrace> linux_ptrace();

}  // namespace dt::kernel
