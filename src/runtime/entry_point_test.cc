// The way of a program to its own first instruction.

#include "runtime/entry_point.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "runtime/process.h"
#include "symbol/process/process.h"

namespace dt::runtime {
namespace {

std::string maps(const Process& process) {
  return symbol::read_file(fmt::format("/proc/{}/maps", process.pid()), 1 << 20);
}

std::optional<Process::End> end_of(Process& process) {
  pollfd state = {process.fd(), POLLIN, 0};
  ::poll(&state, 1, 10'000);
  return process.poll_end();
}

TEST(EntryPoint, LibrariesAreThereAndNothingOfTheProgramHasRun) {
  auto process = Process::start("sh -c 'exit 5'");
  ASSERT_TRUE(process.ok()) << process.error().text;
  EXPECT_EQ(maps(*process).find("libc.so.6"), std::string::npos);
  for (int i = 0; i < 2; ++i) {
    const Status status = process->run_to_entry();
    ASSERT_TRUE(status.ok()) << status.error().text;
    EXPECT_NE(maps(*process).find("libc.so.6"), std::string::npos);
    const auto entry =
        entry_of_auxv(symbol::read_file(fmt::format("/proc/{}/auxv", process->pid()), 4096));
    user_regs_struct registers = {};
    ASSERT_EQ(::ptrace(PTRACE_GETREGS, process->pid(), nullptr, &registers), 0);
    EXPECT_EQ(registers.rip, entry);
  }
  ASSERT_TRUE(process->resume().ok());
  EXPECT_EQ(end_of(*process), (Process::End{5, 0}));
}

TEST(EntryPoint, AProgramThatEndsBeforeItIsAnError) {
  ::setenv("LD_DEBUG", "help", 1);  // the dynamic linker prints, and ends the program
  ::setenv("LD_DEBUG_OUTPUT", "/dev/null", 1);
  auto process = Process::start("true");
  ::unsetenv("LD_DEBUG");
  ::unsetenv("LD_DEBUG_OUTPUT");
  ASSERT_TRUE(process.ok());
  const Status status = process->run_to_entry();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text,
            fmt::format("pid {} has exited before its program began", process->pid()));
}

TEST(EntryPoint, AnyBytesAreReadWithBounds) {
  EXPECT_EQ(entry_of_auxv(""), std::nullopt);
  std::string auxv(40, '\0');
  auxv[16] = 9;  // AT_ENTRY, in the second pair
  auxv[24] = 0x55;
  EXPECT_EQ(entry_of_auxv(auxv), 0x55U);
  EXPECT_EQ(entry_of_auxv(auxv.substr(0, 31)), std::nullopt);
}

}  // namespace
}  // namespace dt::runtime
