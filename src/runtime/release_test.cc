#include "runtime/release.h"

#include <gtest/gtest.h>

namespace dt::runtime {
namespace {

TEST(Release, IsComparedByItsNumbers) {
  EXPECT_TRUE(is_before("5.15.0-91-generic", 6, 1));
  EXPECT_TRUE(is_before("6.0.12", 6, 1));
  EXPECT_FALSE(is_before("6.1.0-13-amd64", 6, 1));
  EXPECT_FALSE(is_before("6.10", 6, 4));
  EXPECT_FALSE(is_before("10.0", 6, 4));
  EXPECT_FALSE(is_before("", 6, 1));
  EXPECT_FALSE(is_before("mainline", 6, 1));
}

TEST(Release, TellsWhereThreadLocalStorageCanBeMade) {
  EXPECT_FALSE(makes_storage_anywhere("6.1.0-13-amd64"));
  EXPECT_FALSE(makes_storage_anywhere("6.3.9"));
  EXPECT_TRUE(makes_storage_anywhere("6.4.0"));
  EXPECT_TRUE(makes_storage_anywhere("6.18.44"));
}

TEST(Release, TellsWhereProgramsArePreempted) {
  EXPECT_FALSE(has_private_stacks("6.12.117+deb13-amd64"));
  EXPECT_TRUE(has_private_stacks("6.13.0"));
  EXPECT_FALSE(preempts_programs("6.18.44"));
  EXPECT_TRUE(preempts_programs("7.0.1-amd64"));
}

}  // namespace
}  // namespace dt::runtime
