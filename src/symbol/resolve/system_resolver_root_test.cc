// The live kernel's symbols, which only root may see.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>

#include "symbol/process/process.h"
#include "symbol/resolve/resolver.h"

namespace dt::symbol {
namespace {

std::uint64_t kallsyms_address(const std::string& name) {
  const std::string text = read_file("/proc/kallsyms", 256U << 20);
  const std::size_t at = text.find(" T " + name + "\n");
  std::uint64_t address = 0;
  if (at != std::string::npos && at >= 16) {
    std::from_chars(text.data() + at - 16, text.data() + at, address, 16);
  }
  return address;
}

TEST(SystemResolverRoot, NamesAKernelFunction) {
  const std::uint64_t address = kallsyms_address("vfs_read");
  if (::geteuid() != 0 || address == 0) {
    GTEST_SKIP() << "needs root and kernel symbols with addresses";
  }
  const auto resolver = system_resolver();
  EXPECT_EQ(kernel_text(*resolver, KernelAddr(address), true), "vmlinux`vfs_read");
  EXPECT_EQ(kernel_text(*resolver, KernelAddr(address + 4), true), "vmlinux`vfs_read+0x4");
  EXPECT_EQ(kernel_text(*resolver, KernelAddr(0xffff888000000000), true), "0xffff888000000000");
  EXPECT_EQ(resolver->take_notice(), "");
}

TEST(SystemResolverRoot, SaysOnceThatKernelSymbolsAreHidden) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root, to give it up in a child";
  }
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setresuid(65534, 65534, 65534) != 0) {
      ::_exit(3);
    }
    const std::string text = read_file("/proc/kallsyms", 1024);
    if (!text.starts_with("0000000000000000")) {
      ::_exit(4);
    }
    const auto resolver = system_resolver();
    const std::string name = kernel_text(*resolver, KernelAddr(0xffffffff81000000), true);
    const bool said = resolver->take_notice().find("hidden") != std::string::npos;
    ::_exit(said && name == "0xffffffff81000000" && resolver->take_notice().empty() ? 0 : 5);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 4) {
    GTEST_SKIP() << "this system shows kernel addresses to everyone";
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace dt::symbol
