#pragma once
// How many files this process may have open. Maps, programs, links, objects of processes and
// children each take a descriptor: many more than the usual soft limit of 1,024 allows.

#include <sys/resource.h>

namespace dt::support {

// Raises the soft limit to the hard one, and, where that is low and the kernel lets us, the hard
// one too. If the kernel refuses, the limit stays, and the call that needs one more file reports
// the error. A process calls this once, before it starts others.
void raise_open_files();

// Gives the limit that raise_open_files() found to the caller, which is a child before exec();
// nothing when it was not raised. Async-signal-safe.
void restore_open_files();

// A child that is started meanwhile has the limit that raise_open_files() found.
class OpenFilesOfChild {
 public:
  OpenFilesOfChild();
  ~OpenFilesOfChild();
  OpenFilesOfChild(const OpenFilesOfChild&) = delete;
  OpenFilesOfChild& operator=(const OpenFilesOfChild&) = delete;

 private:
  rlimit ours_ = {};
  bool is_changed_ = false;
};

}  // namespace dt::support
