// See typed_input.h. Others have the same input, as the shell that has started us: its descriptor
// is not made non-blocking, which they would see, but asked before each read whether there is
// something.

#include "api/input/typed_input.h"

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "support/fd.h"

namespace dt::api {

namespace {

// Files and /dev/null have no moment at which they become readable: epoll refuses them.
bool epoll_takes(int descriptor) {
  const Fd tries(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event wanted = {};
  wanted.events = EPOLLIN;
  return ::epoll_ctl(tries.get(), EPOLL_CTL_ADD, descriptor, &wanted) == 0;
}

}  // namespace

// A program in the background that changes its terminal is stopped: it reads lines instead.
TypedInput::TypedInput() : can_be_watched_(epoll_takes(STDIN_FILENO)) {
  termios now = {};
  const bool is_ours = ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
  if (!is_ours || ::tcgetattr(STDIN_FILENO, &now) != 0) return;
  before_ = now;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON);
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  // Without a guardian, only kill -9 leaves the terminal as it is now.
  Result<kernel::Guardian> guardian = kernel::Guardian::start(STDIN_FILENO, *before_, now);
  if (guardian.ok()) guardian_.emplace(std::move(*guardian));
  ::tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

TypedInput::~TypedInput() {
  if (before_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
}

int TypedInput::descriptor() const { return STDIN_FILENO; }

std::string TypedInput::read() {
  pollfd wait = {STDIN_FILENO, POLLIN, 0};
  if (is_at_end_ || ::poll(&wait, 1, 0) != 1) return {};
  std::array<char, 4096> bytes = {};
  const ssize_t size = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  is_at_end_ = size <= 0;
  return std::string(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
}

}  // namespace dt::api
