#pragma once
// Breakpoints in user code are set and removed apart from this process, so that they are
// removed completely when this process is killed.
//
// The kernel removes the breakpoints of a uprobe.multi link in the task that closes the link's
// last descriptor. If SIGKILL is pending for that task, the removal fails on the way
// (uprobe_unregister() gives up, as pages of other processes cannot be brought in), and the
// breakpoints stay for as long as the machine runs: each maps and executes slowly, in every
// process that maps the file. The same holds for a link that is being made when the signal
// comes. So neither may be done by a task that can be killed with us:
//
//     dtrace ---- descriptor table, shared ---- keeper      sleeps until dtrace has ended
//       \  \                |
//        \  \---- call() ---+-------------- a child for one call: makes a link
//         \---- a copy of the table -------- a child that ends, which closes a link
//
// The others are processes of a session of their own. When dtrace is killed, the keeper has
// the descriptors still, and closes them by its own, orderly end.
//
// If all of them are killed at once (the end of a container), a link that is there is closed
// all the same: a task that is ending takes no signal, and a link is closed by the end of a task.
// What remains is a link that is being made at that moment, and one that we close ourselves because
// the child was killed before.

#include <sys/types.h>

#include <memory>
#include <utility>

#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

class Keeper {
 public:
  static Result<std::unique_ptr<Keeper>> start();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  // Ends it. Its descriptors are those of this process, and remain open.
  ~Keeper();

 private:
  Keeper() = default;

  struct Memory;  // the stack that it runs on
  std::unique_ptr<Memory> memory_;
  Fd parent_;  // this process
  pid_t maker_ = 0, pid_ = -1;
};

// A system call with these arguments, made by a child that shares memory and descriptors with
// this process, which waits for it: its result, or a negative errno.
Result<long> call_apart(long number, long a, long b = 0, long c = 0);

// A link of uprobes, which the end of such a child closes.
class UprobeLink {
 public:
  UprobeLink() = default;
  explicit UprobeLink(Fd link) : link_(std::move(link)) {}
  UprobeLink(UprobeLink&& other) noexcept = default;
  UprobeLink& operator=(UprobeLink&& other) noexcept {
    std::swap(link_, other.link_);
    return *this;
  }
  ~UprobeLink();

 private:
  Fd link_;
};

}  // namespace dt::kernel
