// Lives of processes that are not there: what events say of them.

#include "symbol/process/processes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace dt::symbol {
namespace {

using kernel::ProcessEvent;
using Kind = ProcessEvent::Kind;

constexpr std::int32_t kShell = 1'999'999'001;  // no process has such a number
constexpr std::int32_t kChild = 1'999'999'002;

class Lives : public testing::Test {
 protected:
  Lives() { processes.follow(); }

  void tell(Kind kind, std::int32_t pid, std::int32_t parent = 0) {
    ProcessEvent event;
    event.kind = kind;
    event.pid = pid;
    event.parent = parent;
    processes.learn(event);
  }
  void map(std::int32_t pid, std::uint64_t begin, std::uint64_t end, const std::string& path,
           std::uint64_t file_offset = 0) {
    ProcessEvent event;
    event.kind = Kind::kMap;
    event.pid = pid;
    event.begin = begin;
    event.end = end;
    event.file_offset = file_offset;
    event.inode = 1;
    event.path = path;
    processes.learn(event);
  }
  std::string at(std::int32_t pid, std::uint64_t address) {
    const Processes::Place place = processes.find(pid, address);
    return place.mapping == nullptr ? "-" : place.mapping->path;
  }

  Processes processes;
};

TEST_F(Lives, AnEndedProcessKeepsItsMappings) {
  tell(Kind::kExec, kShell);
  map(kShell, 0x1000, 0x2000, "/bin/sh");
  map(kShell, 0x8000, 0x9000, "/lib/libc.so");
  tell(Kind::kExit, kShell);
  EXPECT_EQ(at(kShell, 0x1000), "/bin/sh");
  EXPECT_EQ(at(kShell, 0x8fff), "/lib/libc.so");
  EXPECT_EQ(at(kShell, 0x9000), "-");
  EXPECT_EQ(at(kShell, 0xfff), "-");
  EXPECT_EQ(at(kChild, 0x1000), "-");
}

TEST_F(Lives, AChildHasTheMappingsOfItsParentUntilItExecutes) {
  tell(Kind::kExec, kShell);
  map(kShell, 0x1000, 0x2000, "/bin/sh");
  tell(Kind::kFork, kChild, kShell);
  map(kShell, 0x3000, 0x4000, "/lib/later.so");
  EXPECT_EQ(at(kChild, 0x1000), "/bin/sh");
  EXPECT_EQ(at(kChild, 0x3000), "-") << "mapped by the parent alone";
  tell(Kind::kExec, kChild);
  map(kChild, 0x1800, 0x2800, "/bin/ls");
  EXPECT_EQ(at(kChild, 0x1900), "/bin/ls") << "the latest program that has the address";
  EXPECT_EQ(at(kChild, 0x1000), "/bin/sh") << "a stack of before the exec";
  EXPECT_EQ(at(kShell, 0x1900), "/bin/sh");
}

TEST_F(Lives, WhatIsMappedOverSomethingReplacesIt) {
  tell(Kind::kExec, kShell);
  map(kShell, 0x1000, 0x9000, "/lib/old.so", 0x100);
  map(kShell, 0x3000, 0x5000, "/lib/new.so");
  EXPECT_EQ(at(kShell, 0x2fff), "/lib/old.so");
  EXPECT_EQ(at(kShell, 0x3000), "/lib/new.so");
  EXPECT_EQ(at(kShell, 0x5000), "/lib/old.so");
  EXPECT_EQ(processes.find(kShell, 0x5000).mapping->file_offset, 0x4100U);
  EXPECT_EQ(processes.find(kShell, 0x1000).mapping->file_offset, 0x100U);
}

TEST_F(Lives, AnonymousMemoryHasNoPath) {
  tell(Kind::kExec, kShell);
  map(kShell, 0x1000, 0x2000, "//anon");
  map(kShell, 0x3000, 0x4000, "[vdso]");
  map(kShell, 0x5000, 0x6000, "anon_inode:x");
  EXPECT_EQ(at(kShell, 0x1000), "");
  EXPECT_EQ(at(kShell, 0x3000), "[vdso]");
  EXPECT_EQ(at(kShell, 0x5000), "");
}

TEST_F(Lives, MemoryIsBounded) {
  for (std::int32_t i = 0; i < 100'000; ++i) {
    tell(Kind::kExec, kShell + i);
    map(kShell + i, 0x1000, 0x2000, "/bin/sh");
    tell(Kind::kExit, kShell + i);
    if (i < 10) {
      EXPECT_EQ(at(kShell + i, 0x1000), "/bin/sh");
    }
  }
  EXPECT_EQ(at(kShell + 99'999, 0x1000), "/bin/sh");
  EXPECT_EQ(at(kShell + 50'000, 0x1000), "-") << "forgotten";
  for (std::uint64_t i = 1; i < 20'000; ++i) {
    map(kChild + 200'000, i * 0x2000, i * 0x2000 + 0x1000, "/lib/one.so");
  }
  EXPECT_EQ(at(kChild + 200'000, 0x2000), "/lib/one.so");
  EXPECT_EQ(at(kChild + 200'000, 19'000 * 0x2000), "-");
}

// In kB, of this process.
std::uint64_t resident_kb() {
  const std::string status = read_file("/proc/self/status", 1 << 16);
  const std::size_t line = status.find("VmRSS:");
  return line == status.npos ? 0 : std::strtoull(status.c_str() + line + 6, nullptr, 10);
}

TEST_F(Lives, MemoryOfManyMappingsIsBounded) {
#ifdef DT_SANITIZED
  GTEST_SKIP() << "memory has another size under AddressSanitizer";
#endif
  const std::uint64_t before = resident_kb();
  std::uint64_t most = 0;
  const std::string path = "/usr/lib/" + std::string(200, 'x');
  for (std::int32_t i = 0; i < 8'000; ++i) {
    tell(Kind::kExec, kShell + i);
    for (std::uint64_t at = 1; at <= 120; ++at) {
      map(kShell + i, at << 16, (at << 16) + 0x1000, path);
    }
    // Every third of them is asked for; these are the last that are dropped.
    if (i % 3 == 0) {
      EXPECT_EQ(at(kShell + i, 0x10000), path);
    }
    tell(Kind::kExit, kShell + i);
    if (i % 500 == 0) most = std::max(most, resident_kb());
  }
  EXPECT_EQ(at(kShell + 7'999, 0x10000), path);
  EXPECT_EQ(at(kShell + 1, 0x10000), "-");
  // 64 MB of mappings, as they are counted, of the 270 MB that were reported.
  EXPECT_LT(most - before, 160U << 10);
}

TEST_F(Lives, AProcessThatIsThereIsReadFromProcAndForkedFrom) {
  const auto here = reinterpret_cast<std::uintptr_t>(&::getpid);
  const std::string path = at(::getpid(), here);
  EXPECT_NE(path.find("libc"), std::string::npos) << path;
  tell(Kind::kFork, kChild, ::getpid());
  tell(Kind::kExit, kChild);
  EXPECT_EQ(at(kChild, here), path);
  processes.doubt();
  EXPECT_EQ(at(::getpid(), here), path);
  EXPECT_EQ(at(kChild, here), path);
}

TEST_F(Lives, ASurveyKnowsWhoeverIsThere) {
  while (!processes.survey(std::chrono::milliseconds(5))) {
  }
  EXPECT_TRUE(processes.survey(std::chrono::nanoseconds(0)));
}

}  // namespace
}  // namespace dt::symbol
