// Whether what is open is ours alone.

#include "kernel/witness.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dt::kernel {
namespace {

// A process that has all that we have open, until it is ended.
pid_t fork_one() {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::pause();
  ::_exit(0);
}

void end(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

bool is_at_end(const Witness& witness) {
  pollfd end = {witness.end().get(), 0, 0};
  return ::poll(&end, 1, 0) == 1;
}

TEST(Witness, KnowsAProcessThatHasBeenForked) {
  auto witness = Witness::create();
  ASSERT_TRUE(witness.ok());
  const pid_t pid = fork_one();
  EXPECT_FALSE(witness->are_ours_alone());
  EXPECT_FALSE(is_at_end(*witness));
  end(pid);
  EXPECT_TRUE(is_at_end(*witness));
}

TEST(Witness, WhoHasEndedOrExecutedHasNothing) {
  auto witness = Witness::create();
  ASSERT_TRUE(witness.ok());
  end(fork_one());
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::execl("/bin/sleep", "sleep", "60", nullptr);
    ::_exit(1);
  }
  EXPECT_TRUE(witness->are_ours_alone());
  end(pid);
}

TEST(Witness, IsTheLastOfTheDescriptors) {
  auto witness = Witness::create();
  ASSERT_TRUE(witness.ok());
  const Fd other(::dup(0));
  ASSERT_TRUE(witness->outlast(other).ok());
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (int fd = 0; fd <= other.get(); ++fd) ::close(fd);
    ::pause();
    ::_exit(0);
  }
  EXPECT_FALSE(witness->are_ours_alone());
  end(pid);
}

}  // namespace
}  // namespace dt::kernel
