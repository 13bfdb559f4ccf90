// find_bytes() finds what std::string_view finds.

#include "support/find_bytes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace dt::support {
namespace {

TEST(FindBytes, FindsTheFirstPlaceWhereverItIs) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 80, 'a'), wanted(random() % 6, 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    for (char& c : wanted) c = static_cast<char>('a' + random() % 3);
    EXPECT_EQ(find_bytes(text, wanted), text.find(wanted)) << text << " " << wanted;
  }
}

TEST(FindBytes, FindsNamesBetweenZeros) {
  const std::string text("\0sock\0task_struct\0task\0inet_sock\0", 34);
  const auto at = [&](std::string name) {
    name.insert(name.begin(), '\0');
    name += '\0';
    return find_bytes(text, name);
  };
  EXPECT_EQ(at("sock"), 0u);
  EXPECT_EQ(at("task"), 17u);
  EXPECT_EQ(at("inet_sock"), 22u);
  EXPECT_EQ(at("inet"), std::string::npos);
}

}  // namespace
}  // namespace dt::support
