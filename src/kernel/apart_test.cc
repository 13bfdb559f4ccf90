// Calls and closes with the help of a child.

#include "kernel/apart.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <utility>
#include <vector>

namespace dt::kernel {
namespace {

// Each close is by the end of a child that has a copy of all descriptors, those of other closes
// too.
TEST(UprobeLink, ManyAreClosedAtATime) {
  constexpr unsigned kLongSeconds = 120;
  ::alarm(kLongSeconds);  // where two wait for each other, nothing else ends the test
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int turn = 0; turn < 100; ++turn) {
        UprobeLink link(Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ::alarm(0);
}

}  // namespace
}  // namespace dt::kernel
