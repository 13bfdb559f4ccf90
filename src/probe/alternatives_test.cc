#include "probe/alternatives.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dt::probe {
namespace {

std::vector<std::string> texts(std::string_view description) {
  std::vector<std::string> out;
  for (const Pattern& one : alternatives(*parse_pattern(description))) {
    out.push_back(to_string(one));
  }
  return out;
}

TEST(Alternatives, PutTheWordsIntoOtherFields) {
  const std::pair<const char*, const char*> cases[] = {
      {"tcp::receive", "tcp:::receive"},
      {"syscall:read", "syscall::read:entry"},
      {"syscall::read_nocancel:entry", "syscall::read:entry"},
      {"sched:sched_switch", "sdt:sched::sched_switch"},
      {"syscall::open:enter", "syscall::open:entry"},
      {"syscall:open:exit", "syscall::open:return"},
      {"profile:hz:99", "profile:::profile-99"},
      {"begin", "BEGIN"},
      {"syscall", "syscall:::"},
      {"open", "syscall::open:entry"},
  };
  for (const auto& [written, meant] : cases) {
    const std::vector<std::string> all = texts(written);
    EXPECT_NE(std::find(all.begin(), all.end(), meant), all.end()) << written;
  }
}

TEST(Alternatives, KeepTheFunctionThatIsNamed) {
  EXPECT_EQ(texts("syscall::opennat:entry"), std::vector<std::string>{});
  EXPECT_EQ(texts("io:foo::start").front(), "io:::start");
}

TEST(Alternatives, NeverAskForAProcess) {
  for (const char* written : {"foo12::start", "pid1:libc:malloc", "foo12", "a*::b", "foo3:::b"}) {
    for (const std::string& one : texts(written)) {
      EXPECT_TRUE(one.starts_with("sdt:") || one.starts_with(":")) << written << ": " << one;
    }
  }
}

TEST(Alternatives, KnowProvidersOfOtherSystems) {
  for (const char* name : {"nfsv3", "nfsv4*", "nfs*", "zfs", "zf*", "fc", "iscsi", "srp"}) {
    EXPECT_NE(absent_provider(name), "") << name;
  }
  for (const char* name : {"hotspot", "hotspot123", "hotspot*", "hotspot_jni1", "hot*", "python*",
                           "python77", "ruby*", "php*", "postgresql*"}) {
    EXPECT_NE(provider_of_programs(name), "") << name;
  }
  for (const char* name : {"", "*", "n*", "f*", "proc", "fcgi", "nfs9", "12"}) {
    EXPECT_EQ(absent_provider(name), "") << name;
    EXPECT_EQ(provider_of_programs(name), "") << name;
  }
}

}  // namespace
}  // namespace dt::probe
