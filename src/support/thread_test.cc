#include "support/thread.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <string>

namespace dt::support {
namespace {

TEST(Thread, IsJoinedWhereItEnds) {
  std::atomic<int> done = 0;
  {
    auto thread = Thread::start([&] { ++done; });
    ASSERT_TRUE(thread.ok()) << thread.error().text;
    EXPECT_TRUE(thread->is_running());
    Thread moved = std::move(*thread);
    EXPECT_TRUE(moved.is_running());
  }
  EXPECT_EQ(done, 1);
  Thread never;
  EXPECT_FALSE(never.is_running());
  never.join();
}

TEST(Thread, TakesNoSignals) {
  sigset_t mask, own_before, own;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &own_before);
  auto thread = Thread::start([&] { ::pthread_sigmask(SIG_SETMASK, nullptr, &mask); });
  ASSERT_TRUE(thread.ok());
  thread->join();
  EXPECT_FALSE(thread->is_running());
  EXPECT_TRUE(::sigismember(&mask, SIGINT));
  ::pthread_sigmask(SIG_SETMASK, nullptr, &own);
  EXPECT_EQ(::sigismember(&own, SIGINT), ::sigismember(&own_before, SIGINT));
}

TEST(Beside, GivesWhatWasFound) {
  auto later = beside([text = std::string("found")] { return text + " it"; });
  ASSERT_TRUE(later.has_value());
  EXPECT_EQ(later->take(), "found it");
}

}  // namespace
}  // namespace dt::support
