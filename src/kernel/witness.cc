// See witness.h: a pipe; the process that has the descriptors holds the end for writing.

#include "kernel/witness.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace dt::kernel {
namespace {

constexpr int kSoonMs = 200;  // a process between fork and exec

}  // namespace

Result<Witness> Witness::create() {
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return support::system_error("pipe2", errno);
  }
  Witness witness;
  witness.read_ = Fd(ends[0]);
  witness.write_ = Fd(ends[1]);
  return witness;
}

// When a process ends, the kernel closes its descriptors in the order of their numbers. With a
// higher number than `last`, the end of the pipe is closed after it, so the other end sees the
// hang-up only when `last` is closed everywhere.
Status Witness::outlast(const Fd& last) {
  Fd higher(::fcntl(write_.get(), F_DUPFD_CLOEXEC, last.get() + 1));
  if (!higher.valid()) {
    return support::system_error("fcntl(F_DUPFD_CLOEXEC)", errno);
  }
  write_ = std::move(higher);
  return {};
}

// A pipe reports a hang-up when no process has an end to write any more.
bool Witness::are_ours_alone() {
  write_.reset();
  pollfd end = {read_.get(), 0, 0};
  return ::poll(&end, 1, kSoonMs) == 1 && (end.revents & POLLHUP) != 0;
}

}  // namespace dt::kernel
