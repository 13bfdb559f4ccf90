// dtrace's side. See push.h.

#include "page/push.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "exports/push_url.h"
#include "page/spawn.h"

namespace dt::page {

Result<std::unique_ptr<PushProcess>> PushProcess::start(const std::string& url,
                                                        const std::string& program) {
  DT_TRY(exports::parse_push_url(url));
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return refused("failed to make a pair of sockets");
  }
  std::unique_ptr<PushProcess> out(new PushProcess());
  out->pipe_ = Fd(pair[0]);
  out->url_ = url;
  const Fd other(pair[1]);
  out->pid_ = ::fork();
  if (out->pid_ < 0) return refused("failed to start the process that pushes");
  if (out->pid_ == 0) {
    const int descriptors[] = {other.get()};
    become("dtrace-push", descriptors, program.c_str());
  }
  ::fcntl(out->pipe_.get(), F_SETFL, O_NONBLOCK);
  out->waiting_ = url + "\n";
  out->flush();
  return out;
}

PushProcess::~PushProcess() {
  pipe_ = Fd();
  if (pid_ > 0) {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
}

void PushProcess::send(std::string_view message) {
  ++given_;
  const auto size = static_cast<std::uint32_t>(message.size());
  if (!pipe_.valid()) return;
  if (message.size() > kMostWaiting || waiting_.size() - sent_ + message.size() > kMostWaiting) {
    if (why_.empty()) why_ = "the collector does not keep up";
    return;
  }
  waiting_.append(reinterpret_cast<const char*>(&size), sizeof size);
  waiting_.append(message);
  flush();
}

// "12 The reason\n": how many were taken so far, and why one was lost, or nothing.
void PushProcess::take_report(std::string_view line) {
  const std::size_t blank = std::min(line.find(' '), line.size());
  std::from_chars(line.data(), line.data() + blank, taken_);
  if (why_.empty() && blank + 1 < line.size()) why_ = line.substr(blank + 1);
}

void PushProcess::hear() {
  std::array<char, 4096> bytes{};
  while (pipe_.valid()) {
    const ssize_t count = ::recv(pipe_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      pipe_ = Fd();
      if (why_.empty() && taken_ < given_) why_ = "the process that pushes has ended";
      return;
    }
    heard_.append(bytes.data(), static_cast<std::size_t>(count));
    for (std::size_t end = heard_.find('\n'); end != std::string::npos; end = heard_.find('\n')) {
      take_report(std::string_view(heard_).substr(0, end));
      heard_.erase(0, end + 1);
    }
  }
}

void PushProcess::flush() {
  while (pipe_.valid() && sent_ < waiting_.size()) {
    const ssize_t count = ::send(pipe_.get(), waiting_.data() + sent_, waiting_.size() - sent_,
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;  // its end is heard
    sent_ += static_cast<std::size_t>(count);
  }
  waiting_.erase(0, sent_);
  sent_ = 0;
  hear();
}

void PushProcess::finish(std::chrono::milliseconds most) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + most;
  bool is_said = false;
  while (pipe_.valid()) {
    flush();
    if (!has_waiting() && !is_said) {
      is_said = true;
      ::shutdown(pipe_.get(), SHUT_WR);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (!pipe_.valid() || left <= 0) break;
    pollfd one{pipe_.get(), static_cast<short>(POLLIN | (has_waiting() ? POLLOUT : 0)), 0};
    ::poll(&one, 1, static_cast<int>(left));
    hear();
  }
  if (taken_ < given_ && why_.empty()) why_ = "the collector does not answer";
}

}  // namespace dt::page
