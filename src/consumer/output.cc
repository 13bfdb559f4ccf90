// Buffered writing with the first failure kept.

#include "consumer/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace dt::consumer {

FileOutput::FileOutput(int fd, std::string name)
    : fd_(fd), name_(std::move(name)), buffer_(kBufferBytes) {}

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

void FileOutput::put(std::string_view text) {
  while (!text.empty() && !error_) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) {
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      // Someone made the pipe or terminal non-blocking; wait for room.
      pollfd wait{fd_, POLLOUT, 0};
      ::poll(&wait, 1, -1);
      continue;
    }
    error_ = support::system_error("failed to write to " + name_, errno);
  }
}

}  // namespace dt::consumer
