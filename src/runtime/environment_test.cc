#include "runtime/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace dt::runtime {
namespace {

TEST(Environment, IsOursWithItsChanges) {
  ::setenv("DT_TEST_KEPT", "k", 1);
  ::setenv("DT_TEST_GONE", "g", 1);
  const std::vector<std::string> changes = {"DT_TEST_GONE", "DT_TEST_NEW=a=b", "DT_TEST_NEW=c=d",
                                            "DT_TEST_EMPTY="};
  const Environment environment(changes);
  EXPECT_EQ(environment.value("DT_TEST_KEPT"), "k");
  EXPECT_EQ(environment.value("DT_TEST_GONE"), std::nullopt);
  EXPECT_EQ(environment.value("DT_TEST_NEW"), "c=d");
  EXPECT_EQ(environment.value("DT_TEST_EMPTY"), "");
  EXPECT_EQ(environment.value("DT_TEST"), std::nullopt);
  // Ours has not changed.
  EXPECT_STREQ(::getenv("DT_TEST_GONE"), "g");
  EXPECT_EQ(::getenv("DT_TEST_NEW"), nullptr);
  ::unsetenv("DT_TEST_KEPT");
  ::unsetenv("DT_TEST_GONE");
}

}  // namespace
}  // namespace dt::runtime
