#include "support/whole_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace dt::support {
namespace {

TEST(WholeNumber, IsTheWholeText) {
  EXPECT_EQ(whole_number<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(whole_number<std::int64_t>("-7"), -7);
  EXPECT_EQ(whole_number<std::uint32_t>("1f", 16), 31U);
  for (const char* text : {"", " 1", "1 ", "+1", "0x1", "1.0", "one"}) {
    EXPECT_FALSE(whole_number<std::int64_t>(text)) << text;
  }
}

TEST(WholeNumber, FitsItsType) {
  EXPECT_FALSE(whole_number<std::uint32_t>("4294967296"));
  EXPECT_FALSE(whole_number<std::uint32_t>("-1"));
}

}  // namespace
}  // namespace dt::support
