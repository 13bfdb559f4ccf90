#pragma once
// The signals that end a run, as a descriptor among others.

#include <signal.h>

#include "support/fd.h"
#include "support/result.h"

namespace dt::support {

// SIGINT, SIGTERM and SIGHUP arrive at fd() instead of killing us, except
// those that our parent had us ignore (nohup, a background job). SIGPIPE is
// ignored, so that a closed pipe is an error of write(2), which is reported; and so is SIGXFSZ,
// the signal of a file that is larger than ulimit -f allows.
class Signals {
 public:
  static Result<Signals> create();
  Signals(Signals&&) = default;
  Signals& operator=(Signals&&) = delete;
  // Pending signals are discarded; the mask is as before.
  ~Signals();

  int fd() const { return fd_.get(); }
  // The next signal that arrived, 0 when there is none.
  int take();

 private:
  Signals() = default;
  Fd fd_;
  sigset_t before_ = {};
};

// Ignores these signals from here on: of a command that ends, another one would take the exit
// status.
void ignore_ends();

}  // namespace dt::support
