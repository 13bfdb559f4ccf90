#include "runtime/retained.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "record/wire.h"

namespace dt::runtime {
namespace {

// A record of 16 bytes that says who it is.
std::vector<std::uint8_t> record(std::uint16_t cpu, std::uint8_t name) {
  std::vector<std::uint8_t> bytes(16, name);
  const record::Header header{1, cpu, record::tag_of(record::Kind::kClause)};
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::string names(Retained& retained) {
  std::string out;
  retained.hand_over([&](std::span<const std::uint8_t> bytes) {
    out += static_cast<char>(bytes[sizeof(record::Header)]);
  });
  return out;
}

TEST(Retained, KeepsTheLastRecordsOfEachCpuInTheOrderInWhichTheyCame) {
  Retained retained(32, 2);
  retained.add(record(1, 'x'));
  for (const char name : {'a', 'b', 'c', 'd'})
    retained.add(record(0, static_cast<unsigned char>(name)));
  retained.add(record(1, 'y'));
  retained.add(record(0, 'e'));
  EXPECT_EQ(names(retained), "xdye");
  EXPECT_EQ(names(retained), "");
}

TEST(Retained, KeepsTheLastRecordEvenIfItIsLargerThanTheBuffer) {
  Retained retained(8, 1);
  retained.add(record(0, 'a'));
  retained.add(record(0, 'b'));
  EXPECT_EQ(names(retained), "b");
}

TEST(Retained, TakesARecordOfACpuThatCannotBe) {
  Retained retained(64, 1);
  retained.add(record(900, 'a'));
  EXPECT_EQ(names(retained), "a");
}

}  // namespace
}  // namespace dt::runtime
