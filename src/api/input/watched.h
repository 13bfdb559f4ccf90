#pragma once
// Descriptors whose owner is notified when they can be read: of signals, of a window's size.

#include <poll.h>

#include <functional>
#include <utility>
#include <vector>

namespace dt::api {

class Watched {
 public:
  void add(int fd, std::function<void()> ready) { all_.emplace_back(fd, std::move(ready)); }
  // Calls the functions of the descriptors that can be read now.
  void take() const {
    for (const auto& [fd, ready] : all_) {
      pollfd wait = {fd, POLLIN, 0};
      if (::poll(&wait, 1, 0) == 1) ready();
    }
  }
  // The first descriptor, which ends a wait for the reader of the output; -1: there is none.
  int wake_fd() const { return all_.empty() ? -1 : all_.front().first; }
  const std::vector<std::pair<int, std::function<void()>>>& all() const { return all_; }

 private:
  std::vector<std::pair<int, std::function<void()>>> all_;
};

}  // namespace dt::api
