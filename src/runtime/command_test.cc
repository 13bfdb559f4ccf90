// Commands of system(): where their output goes, and how their wait ends.

#include "runtime/command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "support/fd.h"

namespace dt::runtime {
namespace {

TEST(RunCommand, WritesToTheGivenDescriptorAndIsWaitedFor) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Fd reader(ends[0]);
  Fd writer(ends[1]);
  ASSERT_TRUE(run_command("echo one; echo two", writer.get(), -1, {}).ok());
  writer.reset();
  std::string text(64, '\0');
  text.resize(static_cast<std::size_t>(::read(reader.get(), text.data(), text.size())));
  EXPECT_EQ(text, "one\ntwo\n");
}

TEST(RunCommand, IsNotTroubledByACommandThatFails) {
  EXPECT_TRUE(run_command("exit 3", STDERR_FILENO, -1, {}).ok());
  EXPECT_TRUE(run_command("kill -9 $$", STDERR_FILENO, -1, {}).ok());
}

TEST(RunCommand, KillsTheCommandWhenItIsGivenUp) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(run_command("exec sleep 1000", STDERR_FILENO, -1, [] { return true; }).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(500));
}

}  // namespace
}  // namespace dt::runtime
