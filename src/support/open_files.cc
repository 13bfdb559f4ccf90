// See open_files.h.

#include "support/open_files.h"

#include <algorithm>

namespace dt::support {
namespace {

// Enough for some ten thousand probes with a link each; a soft limit without a bound would make
// programs slow that look at each possible descriptor.
constexpr rlim_t kEnoughFiles = 65'536;

// A limit belongs to the process, and so does what it was before.
rlimit before;
bool is_raised = false;

}  // namespace

void raise_open_files() {
  rlimit found = {};
  if (is_raised || ::getrlimit(RLIMIT_NOFILE, &found) != 0 || found.rlim_cur >= kEnoughFiles) {
    return;
  }
  // Raising the hard limit needs CAP_SYS_RESOURCE.
  const rlimit wanted = {kEnoughFiles, std::max(found.rlim_max, kEnoughFiles)};
  const rlimit allowed = {std::min(found.rlim_max, kEnoughFiles), found.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &wanted) == 0 ||
      (allowed.rlim_cur > found.rlim_cur && ::setrlimit(RLIMIT_NOFILE, &allowed) == 0)) {
    before = found;
    is_raised = true;
  }
}

void restore_open_files() {
  if (is_raised) {
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &before));
  }
}

// The hard limit can only be raised again by who has raised it, so it is lowered only for them.
OpenFilesOfChild::OpenFilesOfChild() {
  if (is_raised && ::getrlimit(RLIMIT_NOFILE, &ours_) == 0) {
    is_changed_ = ::setrlimit(RLIMIT_NOFILE, &before) == 0;
  }
}

OpenFilesOfChild::~OpenFilesOfChild() {
  if (is_changed_) {
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &ours_));
  }
}

}  // namespace dt::support
