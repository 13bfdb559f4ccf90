// Buffered writing with the first failure kept.

#include "consumer/output/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace dt::consumer {

FileOutput::FileOutput(int fd, std::string name)
    : given_(fd), fd_(fd), given_name_(name), name_(std::move(name)), buffer_(kBufferBytes) {}

FileOutput::FileOutput(std::function<void(std::string_view)> take)
    : given_(-1), fd_(-1), take_(std::move(take)), buffer_(kBufferBytes) {}

FileOutput::~FileOutput() { flush(); }

void FileOutput::write(std::string_view text) {
  if (text.size() > buffer_.size() - used_) {
    flush();
    if (text.size() >= buffer_.size()) {
      put(text);
      return;
    }
  }
  std::memcpy(buffer_.data() + used_, text.data(), text.size());
  used_ += text.size();
}

void FileOutput::flush() {
  put(std::string_view(buffer_.data(), used_));
  used_ = 0;
}

// A pipe's or terminal's mode is shared with all processes that have it open, so the
// mode is set on a descriptor of our own. Where there can be none (a socket),
// writing blocks.
void FileOutput::when_full(int wake_fd, GiveUp give_up) {
  struct stat status = {};
  if (::fstat(fd_, &status) != 0 || !(S_ISFIFO(status.st_mode) || ::isatty(fd_) == 1)) {
    return;
  }
  own_ = Fd(::open(fmt::format("/proc/self/fd/{}", fd_).c_str(),
                   O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (own_.valid()) {
    fd_ = own_.get();
  }
  wake_fd_ = wake_fd;
  give_up_ = std::move(give_up);
}

void FileOutput::redirect(Fd fd, std::string name) {
  flush();
  other_ = std::move(fd);
  if (other_.valid()) {
    fd_ = other_.get();
    name_ = std::move(name);
  } else {
    fd_ = own_.valid() ? own_.get() : given_;
    name_ = given_name_;
  }
}

Status FileOutput::truncate() {
  flush();
  struct stat status = {};
  if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) {
    return {};
  }
  if (::ftruncate(fd_, 0) != 0) {
    return support::system_error("failed to truncate " + name_, errno);
  }
  ::lseek(fd_, 0, SEEK_SET);
  return {};
}

bool FileOutput::is_at_start() {
  flush();
  struct stat status = {};
  return ::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0;
}

int FileOutput::descriptor() const {
  return other_.valid() ? other_.get() : given_ >= 0 ? given_ : STDOUT_FILENO;
}

bool FileOutput::is_terminal() const { return ::isatty(fd_) == 1; }

// False when the reader, who has taken nothing since `since`, is given up.
bool FileOutput::wait_for_room(std::chrono::steady_clock::time_point since) {
  constexpr int kAskAgainMs = 250;
  pollfd wait[] = {{fd_, POLLOUT, 0}, {wake_fd_, POLLIN, 0}};
  ::poll(wait, std::size(wait), give_up_ ? kAskAgainMs : -1);
  if (wait[0].revents != 0 || !give_up_) {
    return true;
  }
  const auto idle = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - since);
  return !give_up_(idle);
}

void FileOutput::put(std::string_view text) {
  if (fd_ < 0) {
    if (take_ && !text.empty()) {
      take_(text);
    }
    return;
  }
  auto since = std::chrono::steady_clock::now();
  while (!text.empty() && !error_) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      since = std::chrono::steady_clock::now();
      continue;
    }
    if (errno == EINTR) {
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for_room(since)) {
        error_ =
            Error::of_code("failed to write to " + name_ + ": its reader does not read", EINTR);
      }
      continue;
    }
    error_ = support::system_error("failed to write to " + name_, errno);
  }
}

}  // namespace dt::consumer
