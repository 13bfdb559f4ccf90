#include "support/whole_number.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/file.h"
#include "support/integer_text.h"

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

TEST(WholeNumber, HexadecimalDigitsMayHaveAPrefix) {
  for (const char* text : {"1f", "0x1f", "0X1F", "001f"}) EXPECT_EQ(hexadecimal(text), 31U) << text;
  for (const char* text : {"", "0x", "0x0x1", "-1", "1g", " 1", "10000000000000000"}) {
    EXPECT_FALSE(hexadecimal(text)) << text;
  }
}

TEST(WholeNumber, NamesOfADirectoryThatAreNumbersAscend) {
  const std::string root = ::testing::TempDir() + "numbers_in." + std::to_string(::getpid());
  for (const char* name : {"", "/10", "/9", "/self", "/7x", "/-1"}) {
    ASSERT_TRUE(std::filesystem::create_directory(root + name));
  }
  EXPECT_EQ(numbers_in(root), (std::vector<std::int32_t>{9, 10}));
  std::filesystem::remove_all(root);
  EXPECT_TRUE(numbers_in(root).empty());
}

TEST(WholeNumber, FitsItsType) {
  EXPECT_FALSE(whole_number<std::uint32_t>("4294967296"));
  EXPECT_FALSE(whole_number<std::uint32_t>("-1"));
}

}  // namespace
}  // namespace dt::support
