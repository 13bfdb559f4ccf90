#include "support/fd.h"

#include <unistd.h>

namespace dt::support {

void Fd::reset() {
  if (fd_ >= 0) {
    ::close(fd_);
    fd_ = -1;
  }
}

}  // namespace dt::support
