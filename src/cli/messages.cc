// Messages that do not block.

#include "cli/messages.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "cli/colour.h"
#include "support/shown.h"

namespace dt::cli {

Messages::Messages(int fd) { reopen(fd); }

void Messages::reopen(int fd) {
  flush();
  fd_ = fd;
  is_terminal_ = ::isatty(fd) == 1;
  broken_ = false;
  struct stat status = {};
  if (is_terminal_ || (::fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode))) {
    own_ = Fd(::open(fmt::format("/proc/self/fd/{}", fd).c_str(),
                     O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (own_.valid()) {
      fd_ = own_.get();
    }
  }
}

Messages::~Messages() { flush(); }

void Messages::say(std::string_view text) { put(fmt::format("dtrace: {}\n", text)); }

void Messages::put(std::string_view text) {
  if (text.empty()) {
    return;
  }
  add(is_terminal_ ? for_terminal(text) : support::shown_text(text));
  flush();
}

void Messages::add(std::string_view text) {
  if (waiting_.size() + text.size() > kMaxWaitingBytes) {
    ++lost_;
    any_lost_ = true;
    return;
  }
  report_lost();
  waiting_ += text;
}

void Messages::report_lost() {
  if (lost_ > 0) {
    waiting_ += fmt::format("dtrace: {} message{} lost: standard error was not read\n", lost_,
                            lost_ == 1 ? " was" : "s were");
    lost_ = 0;
  }
}

void Messages::flush() {
  std::size_t done = 0;
  while (done < waiting_.size() && !broken_) {
    const ssize_t written = ::write(fd_, waiting_.data() + done, waiting_.size() - done);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      broken_ = errno != EAGAIN && errno != EWOULDBLOCK;
      break;
    }
  }
  waiting_.erase(0, done);
}

bool Messages::finish(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  auto until = Clock::now() + patience;
  report_lost();
  while (!waiting_.empty() && !broken_ && Clock::now() < until) {
    constexpr int kLookAgainMs = 50;
    pollfd wait = {fd_, POLLOUT, 0};
    ::poll(&wait, 1, kLookAgainMs);
    const std::size_t before = waiting_.size();
    flush();
    if (waiting_.size() < before) {
      until = Clock::now() + patience;
    }
  }
  return !any_lost_ && (waiting_.empty() || broken_);
}

}  // namespace dt::cli
