#pragma once
// Witness: whether descriptors of this process are open in other processes, too. A process that is
// forked has copies of all descriptors until it executes a program or ends. While it has one, what
// the kernel keeps for an open file (a perf event) stays when we close ours.
//
// A witness is a pipe that is made with the descriptors: each process that has them has the writing
// end, too, so the reading end comes to its end of file when no process has them.

#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

// Made before the descriptors, which must all be closed on exec.
class Witness {
 public:
  static Result<Witness> create();
  // Called when the descriptors have been made; `last` is the highest of them. The writing end gets
  // a higher number: a process that ends closes its descriptors in their order, and so the witness
  // after them.
  Status outlast(const Fd& last);
  // Gives up our writing end, while the descriptors are still open. True when no other process has
  // them, after a moment for those between fork and exec: then what they keep ends when we close
  // them.
  bool are_ours_alone();
  // At its end of file when no process has any of the descriptors, this one included.
  const Fd& end() const { return read_; }

 private:
  Fd read_, write_;
};

}  // namespace dt::kernel
