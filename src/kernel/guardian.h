#pragma once
// A process that removes what the kernel would keep when we end, kill -9 included: the events of
// tracefs's uprobe_events, which belong to no process, a file system that is mounted, and the mode
// of a terminal.

#include <sys/types.h>
#include <termios.h>

#include <cstdint>
#include <string>

#include "kernel/witness.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

// It has nothing of ours open but what it needs, is in a session of its own, and takes no signal
// but SIGKILL. wait() does not see it without __WALL.
class Guardian {
 public:
  struct Ward;  // what it guards

  // It removes the events `name`0, `name`1, ..., by writing to `events`, when this process has
  // ended and `users` is at its end.
  static Result<Guardian> start(const Fd& events, const std::string& name, const Witness& users);
  // It unmounts what is mounted at that directory, and removes the directory and the one that it is
  // in, when this process has ended.
  static Result<Guardian> start(const std::string& mounted);
  // It gives the terminal the mode `before` again, when this process has ended and has left it in
  // the mode `ours`. A shell that has noticed the end first has a mode of its own by then.
  static Result<Guardian> start(int terminal, const termios& before, const termios& ours);
  Guardian(Guardian&& other) noexcept;
  Guardian& operator=(Guardian&&) = delete;
  // Ends it.
  ~Guardian();

  // How many there are to remove; said before they are made.
  void guard(std::uint32_t count);
  // It stays until this process ends: something cannot be removed yet.
  void stay() { stays_ = true; }
  pid_t pid() const { return pid_; }

 private:
  Guardian() = default;
  static Result<Guardian> start(Ward& ward);

  pid_t maker_ = 0;  // a process that was forked has a copy of this, which does nothing
  pid_t pid_ = -1;
  std::uint32_t* count_ = nullptr;  // shared with it
  bool stays_ = false;
};

}  // namespace dt::kernel
