#pragma once
// Waiter: sleeps until one of several descriptors becomes readable.

#include <cstdint>
#include <functional>
#include <vector>

#include "support/fd.h"
#include "support/result.h"

namespace dt::runtime {

class Waiter {
 public:
  static Result<Waiter> create();

  // `ready` is called once each time that `fd` *becomes* readable (the edge):
  // a ring buffer counts as readable as long as it holds anything, also what
  // was written without a wake-up, and would keep us from sleeping. Closing
  // the descriptor ends the watch.
  Status watch(int fd, std::function<void()> ready);

  // Sleeps at most `timeout_ms`; true when something was ready.
  Result<bool> wait(std::uint32_t timeout_ms);

 private:
  Fd epoll_;
  std::vector<std::function<void()>> ready_;
};

}  // namespace dt::runtime
