#pragma once
// The process that a run is about: started by us (-c) or there already (-p).

#include <sys/types.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/ptrace.h"
#include "runtime/environment.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::runtime {

class Process {
 public:
  // Starts `command` (words.h) with PATH look-up, both in `environment`. On return the program has
  // been executed and stands at its first instruction until resume(). It is
  // killed when we die, whatever we die of, and when this object is destroyed. Its standard
  // output is the descriptor `output`.
  static Result<Process> start(std::string_view command,
                               const Environment& environment = Environment(),
                               int output = STDOUT_FILENO,
                               std::unique_ptr<kernel::Ptrace> ptrace = kernel::linux_ptrace());
  // Watches a process that is there already; it goes on running.
  static Result<Process> grab(pid_t pid);

  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  // Becomes readable when the process ends.
  int fd() const { return pidfd_.get(); }

  // Lets a started program run until its libraries are mapped and initialised, and the next
  // instruction is the first of its own; with `to_main`, until main(), if that can be found. Does
  // nothing if the program is there already, or was grabbed. It is an error, for this call and all
  // later ones, if the program ends before or cannot be followed to there; then it is killed, so
  // that it never runs untraced.
  Status run_to_entry(bool to_main = false);
  // Lets a started program run; does nothing for a grabbed one.
  Status resume();

  // How it ended; nullopt while it lives.
  struct End {
    std::optional<int> status;  // of exit(2); only known for a started program
    int signal = 0;             // that ended it, 0 if none or unknown
    bool operator==(const End&) const = default;
  };
  const std::optional<End>& poll_end();
  // "pid 12 exited with status 3", "pid 12 terminated by SIGKILL",
  // "pid 12 has exited".
  std::string describe_end() const;

 private:
  Process() = default;
  void note_end(int status);  // of wait(2)
  void kill();
  void detach_threads();
  Error refuse_entry(Error why);
  Status wait_for_exec(const std::string& name, const Fd& failure);

  pid_t pid_ = -1;
  Fd pidfd_;
  bool is_ours_ = false;
  bool is_stopped_ = false;
  bool is_at_entry_ = false;
  std::vector<pid_t> threads_;              // of a stopped one, which are traced and stopped, too
  int held_signal_ = 0;                     // that resume() gives it
  std::optional<Error> refusal_;            // of run_to_entry()
  std::unique_ptr<kernel::Ptrace> ptrace_;  // of a started one
  std::optional<End> end_;
};

// The file that `name` denotes by PATH (or itself, when it has a slash); an
// error as execvp(3) would give.
Result<std::string> find_executable(const std::string& name, std::string_view path);

}  // namespace dt::runtime
