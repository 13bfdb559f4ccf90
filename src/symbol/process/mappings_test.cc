// What the kernel gives one by one is what the text of /proc/PID/maps says.

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/fd.h"
#include "symbol/process/process.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kBytes = 8192;

// Executable memory, of a file of this name or of none.
void map_code(const std::string& path, bool is_removed) {
  const Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0700));
  ASSERT_TRUE(fd.valid()) << path;
  ASSERT_EQ(::ftruncate(fd.get(), kBytes), 0);
  ASSERT_NE(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd.get(), 4096), MAP_FAILED);
  if (is_removed) ::unlink(path.c_str());
}

TEST(Mappings, AreThoseOfTheText) {
  char directory[] = "/tmp/dt-mappings-XXXXXX";
  ASSERT_NE(::mkdtemp(directory), nullptr);
  const std::string base = directory;
  map_code(base + "/plain", false);
  map_code(base + "/with\na newline and \\012", false);
  map_code(base + "/removed", true);
  ASSERT_NE(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            MAP_FAILED);
  ASSERT_NE(::mmap(nullptr, 4096, PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0), MAP_FAILED);
  // Of another process, which does nothing meanwhile.
  int pipes[2];
  ASSERT_EQ(::pipe(pipes), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipes[1]);
    char byte;
    (void)!::read(pipes[0], &byte, 1);
    ::_exit(0);
  }
  const std::string path = fmt::format("/proc/{}/maps", child);
  const std::vector<Mapping> asked = read_mappings(path);
  const std::vector<Mapping> text = parse_maps(read_file(path, kMaxMapsBytes));
  ASSERT_EQ(asked.size(), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_EQ(asked[i].path, text[i].path);
    EXPECT_EQ(asked[i], text[i]) << text[i].path;
  }
  const auto has = [&](const std::string& name) {
    return std::any_of(asked.begin(), asked.end(),
                       [&](const Mapping& one) { return one.path == name; });
  };
  EXPECT_TRUE(has(base + "/plain"));
  EXPECT_TRUE(has(base + "/with\\012a newline and \\012"));
  EXPECT_TRUE(has(base + "/removed (deleted)"));
  EXPECT_TRUE(has("[vdso]"));
  ::close(pipes[1]);
  ::waitpid(child, nullptr, 0);
  std::filesystem::remove_all(base);
  EXPECT_TRUE(read_mappings(path).empty()) << "it has ended";
}

TEST(Mappings, AreNoneWhereThereIsNoProcess) {
  EXPECT_TRUE(read_mappings("/proc/0/maps").empty());
  EXPECT_TRUE(read_mappings("/dev/null").empty());
}

}  // namespace
}  // namespace dt::symbol
