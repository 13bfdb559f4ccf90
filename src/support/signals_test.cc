// Signals as a descriptor.

#include "support/signals.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace dt::support {
namespace {

bool is_readable(int fd) {
  pollfd wait = {fd, POLLIN, 0};
  return ::poll(&wait, 1, 0) == 1;
}

TEST(Signals, ArriveAtTheDescriptorOnly) {
  Signals signals = Signals::create().value();
  EXPECT_EQ(signals.take(), 0);
  EXPECT_FALSE(is_readable(signals.fd()));
  ::raise(SIGINT);
  EXPECT_TRUE(is_readable(signals.fd()));
  EXPECT_EQ(signals.take(), SIGINT);
  ::raise(SIGTERM);
  EXPECT_TRUE(is_readable(signals.fd()));
  EXPECT_EQ(signals.take(), SIGTERM);
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
}  // namespace dt::support
