#include "kernel/zones.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dt::kernel
