#pragma once
// Whether what we have open is ours alone. A process that is forked has all of it too, until it
// execs or ends; what the kernel keeps for an open file then outlives our closing it.

#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

// For descriptors that are made after it, all of them to be closed on exec.
class Witness {
 public:
  static Result<Witness> create();
  // When they have been made, the highest being `last`: who closes them one after another
  // closes the witness last.
  Status outlast(const Fd& last);
  // Gives the witness up, while they are open still: whether no other process has any of them, or
  // has none soon. Then they end when they are closed.
  bool are_ours_alone();
  // End of file when no process has any of them, us included.
  const Fd& end() const { return read_; }

 private:
  Fd read_, write_;
};

}  // namespace dt::kernel
