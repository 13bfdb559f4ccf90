#include "kernel/zones.h"

#include <gtest/gtest.h>

#include <fstream>

namespace dt::kernel {
namespace {

TEST(Zones, AZoneIsTheLastComponentOfAPath) {
  EXPECT_EQ(last_component("/machine.slice/web.scope"), "web.scope");
  EXPECT_EQ(last_component("/"), "");
}

TEST(Zones, TheRootOfANamespaceIsWhatOnlyThoseOutsideSee) {
  EXPECT_EQ(namespace_root("/machine/web", "/"), "/machine/web");
  EXPECT_EQ(namespace_root("/machine/web/init.scope", "/init.scope"), "/machine/web");
  EXPECT_EQ(namespace_root("/init.scope", "/init.scope"), "/");
  EXPECT_EQ(namespace_root("/", "/"), "/");
}

TEST(Zones, ACgroupOutsideOfTheNamespaceDoesNotTellItsRoot) {
  EXPECT_EQ(namespace_root("/machine/db", "/../db"), std::nullopt);
  EXPECT_EQ(namespace_root("/machine/web/a", "/b"), std::nullopt);
}

TEST(Zones, TheGlobalOneIsThere) {
  const auto names = zones();
  if (!names) GTEST_SKIP() << "this is a container";
  EXPECT_TRUE(names->contains("global"));
}

TEST(Zones, ANamespaceHasANameAsProcShowsIt) {
  EXPECT_EQ(space_name(4026532500U), "pid:[4026532500]");
  EXPECT_EQ(space_number("pid:[4026532500]"), 4026532500U);
  for (const char* other : {"pid:[0]", "pid:[4026531836]", "pid:[]", "pid:[1", "pid:[x]",
                            "pid:[4294967296]", "web", "pid:[-1]"}) {
    EXPECT_EQ(space_number(other), std::nullopt) << other;
  }
}

TEST(Zones, EachNumberOfAContainerHasAnOwner) {
  for (const auto& [number, owners] : container_owners()) {
    EXPECT_EQ(number.size(), 64U);
    EXPECT_FALSE(owners.empty()) << number;
  }
}

TEST(Zones, WithoutAHostNameAndNumbersNoZoneIsMeant) {
  EXPECT_EQ(zones_of("", {}), std::set<std::string>());
}

TEST(Zones, CgroupsAreComponentsOfThePathsOfProcesses) {
  std::ifstream file("/proc/self/cgroup");
  std::string own;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("0::", 0) == 0) own = last_component(line);
  }
  const std::set<std::string> names = cgroups();
  EXPECT_FALSE(names.contains(""));
  EXPECT_FALSE(names.contains(".."));
  EXPECT_TRUE(own.empty() || names.contains(own)) << own;
}

}  // namespace
}  // namespace dt::kernel
