// See waiter.h.

#include "runtime/waiter.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace dt::runtime {

Result<Waiter> Waiter::create() {
  Waiter waiter;
  waiter.epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
  if (!waiter.epoll_.valid()) {
    return support::system_error("epoll_create1", errno);
  }
  return waiter;
}

Status Waiter::watch(int fd, std::function<void()> ready) {
  epoll_event event = {};
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = ready_.size();
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return support::system_error("epoll_ctl", errno);
  }
  ready_.push_back(std::move(ready));
  return {};
}

Result<bool> Waiter::wait(std::uint32_t timeout_ms) {
  constexpr std::uint32_t kLongestMs = 60'000;
  std::array<epoll_event, 16> events = {};
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                 static_cast<int>(std::min(timeout_ms, kLongestMs)));
  if (count < 0) {
    if (errno == EINTR) {
      return false;
    }
    return support::system_error("epoll_wait", errno);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    ready_[events.at(i).data.u64]();
  }
  return count > 0;
}

}  // namespace dt::runtime
