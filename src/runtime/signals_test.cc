// Signals as a descriptor.

#include "runtime/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/waiter.h"

namespace dt::runtime {
namespace {

TEST(Signals, ArriveAtTheDescriptorOnly) {
  Signals signals = Signals::create().value();
  EXPECT_EQ(signals.take(), 0);
  Waiter waiter = Waiter::create().value();
  int seen = 0;
  ASSERT_TRUE(waiter.watch(signals.fd(), [&] { seen = signals.take(); }).ok());
  EXPECT_FALSE(waiter.wait(0).value());
  ::raise(SIGINT);
  EXPECT_TRUE(waiter.wait(1000).value());
  EXPECT_EQ(seen, SIGINT);
  ::raise(SIGTERM);
  EXPECT_TRUE(waiter.wait(1000).value());
  EXPECT_EQ(seen, SIGTERM);
}

TEST(Signals, PutTheMaskBackAndLetPendingOnesGo) {
  sigset_t mask;
  {
    const Signals signals = Signals::create().value();
    ::sigprocmask(SIG_BLOCK, nullptr, &mask);
    EXPECT_EQ(sigismember(&mask, SIGHUP), 1);
    ::raise(SIGHUP);  // would end the test were it left pending
  }
  ::sigprocmask(SIG_BLOCK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGHUP), 0);
}

TEST(Signals, MakeAClosedPipeAnErrorOfTheWrite) {
  const Signals signals = Signals::create().value();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_EQ(::write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  ::close(ends[1]);
}

TEST(Signals, LeaveThoseAloneThatOurParentIgnores) {
  ::signal(SIGHUP, SIG_IGN);
  {
    Signals signals = Signals::create().value();
    ::raise(SIGHUP);
    EXPECT_EQ(signals.take(), 0);
  }
  ::signal(SIGHUP, SIG_DFL);
}

}  // namespace
}  // namespace dt::runtime
