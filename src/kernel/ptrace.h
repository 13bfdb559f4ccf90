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
      kChild,       // it has made a process or a thread, `child`, which is traced, too
    };
    Kind kind = Kind::kEnd;
    int status = 0;
    int signal = 0;
    pid_t child = 0;
  };
  // Waits for the next one. `has_lost_threads`: some of its threads are not traced. If one of them
  // executes another program, the process is no longer traced, which is an error of code ECHILD.
  virtual Result<Stop> wait(pid_t pid, bool has_lost_threads) = 0;
  // Lets it run, and gives it a signal; 0 is none.
  virtual Status go_on(pid_t pid, int signal) = 0;
  // The same, untraced from then on.
  virtual Status detach(pid_t pid, int signal) = 0;

  // The auxiliary vector, as the kernel has given it to the program.
  virtual Result<std::string> auxv(pid_t pid) = 0;
  // One byte of its memory. Writes go to a private copy of the page also where the program itself
  // may only read and execute it.
  virtual Result<std::uint8_t> read(pid_t pid, std::uint64_t address) = 0;
  virtual Status write(pid_t pid, std::uint64_t address, std::uint8_t byte) = 0;
  // Of the instruction that is next.
  virtual Result<std::uint64_t> program_counter(pid_t pid) = 0;
  virtual Status set_program_counter(pid_t pid, std::uint64_t address) = 0;
};

std::unique_ptr<Ptrace> linux_ptrace();

}  // namespace dt::kernel
