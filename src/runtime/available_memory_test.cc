#include "runtime/available_memory.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace dt::runtime {
namespace {

constexpr const char* kBoth =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
constexpr const char* kUnified = "30 23 0:27 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n";

using Directories = std::vector<std::string>;

TEST(MemoryGroups, AreThoseOfTheVersionThatHasTheMemory) {
  const MemoryGroups both = memory_groups("5:devices:/\n4:memory,hugetlb:/a/b\n0::/c\n", kBoth);
  EXPECT_FALSE(both.is_unified);
  EXPECT_EQ(both.directories, (Directories{"/sys/fs/cgroup/memory/a/b", "/sys/fs/cgroup/memory/a",
                                           "/sys/fs/cgroup/memory"}));
  const MemoryGroups unified = memory_groups("0::/c/d.service\n", kUnified);
  EXPECT_TRUE(unified.is_unified);
  EXPECT_EQ(unified.directories,
            (Directories{"/sys/fs/cgroup/c/d.service", "/sys/fs/cgroup/c", "/sys/fs/cgroup"}));
}

TEST(MemoryGroups, OfAContainerBeginWhereItsHierarchyIsMounted) {
  constexpr const char* kWithin = "30 23 0:27 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n";
  EXPECT_EQ(memory_groups("0::/docker/1f/e\n", kWithin).directories,
            (Directories{"/sys/fs/cgroup/e", "/sys/fs/cgroup"}));
  EXPECT_EQ(memory_groups("0::/\n", kWithin).directories, Directories{"/sys/fs/cgroup"});
}

TEST(MemoryGroups, AreNoneWhereNothingIsMounted) {
  EXPECT_TRUE(memory_groups("0::/c\n", "").directories.empty());
  EXPECT_TRUE(memory_groups("", kUnified).directories.empty());
  EXPECT_EQ(available_in({}), std::numeric_limits<std::uint64_t>::max());
}

class MemoryGroupFiles : public ::testing::Test {
 protected:
  MemoryGroupFiles() {
    char name[] = "/tmp/dt_memory_XXXXXX";
    directory_ = ::mkdtemp(name);
  }
  ~MemoryGroupFiles() override { std::filesystem::remove_all(directory_); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(
        std::filesystem::path(directory_ + "/" + name).parent_path());
    std::ofstream(directory_ + "/" + name) << text;
  }
  std::string directory_;
};

TEST_F(MemoryGroupFiles, GiveWhatTheTightestOfThemHasLeftBesideCaches) {
  write("memory.max", "max\n");
  write("memory.current", "900000\n");
  write("a/memory.max", "1000000\n");
  write("a/memory.current", "600000\n");
  write("a/memory.stat", "anon 300000\nfile 300000\ninactive_file 200000\nactive_file 100000\n");
  write("a/b/memory.max", "5000000\n");
  write("a/b/memory.current", "1\n");
  const Directories all = {directory_ + "/a/b", directory_ + "/a", directory_};
  EXPECT_EQ(available_in({all, true}), 700000U);
  EXPECT_EQ(available_in({{directory_}, true}), std::numeric_limits<std::uint64_t>::max());
}

TEST_F(MemoryGroupFiles, OfVersion1HaveOtherNames) {
  write("memory.limit_in_bytes", "1000000\n");
  write("memory.usage_in_bytes", "1200000\n");
  write("memory.stat", "inactive_file 1\ntotal_inactive_file 400000\ntotal_active_file 100000\n");
  EXPECT_EQ(available_in({{directory_}, false}), 300000U);
  write("memory.stat", "");
  EXPECT_EQ(available_in({{directory_}, false}), 0U);
}

}  // namespace
}  // namespace dt::runtime
