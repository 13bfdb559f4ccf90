// A table of frames survives its way through bytes, and bytes that are none are refused.

#include "symbol/frames/table_bytes.h"

#include <gtest/gtest.h>

#include "symbol/frames/call_frames.h"

namespace dt::symbol {
namespace {

FrameTable table_of_own() {
  const auto elf = ElfFile::open("/proc/self/exe");
  EXPECT_TRUE(elf.ok());
  auto table = frame_table(*elf);
  EXPECT_TRUE(table.ok());
  return std::move(*table);
}

TEST(TableBytes, AreReadAsTheyWereWritten) {
  const FrameTable table = table_of_own();
  ASSERT_GT(table.rows.size(), 100u);
  const auto read = frames_of(table_bytes(table));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->rows, table.rows);
  EXPECT_EQ(read->rules, table.rules);
  const auto empty = frames_of(table_bytes({}));
  ASSERT_TRUE(empty.has_value());
  EXPECT_TRUE(empty->rows.empty());
}

TEST(TableBytes, ThatAreNotWholeOrNotTheirsAreRefused) {
  FrameTable table;
  table.rules.resize(2);
  table.rows = {{0x1000, 1}, {0x1004, 0}};
  const std::string whole = table_bytes(table);
  ASSERT_TRUE(frames_of(whole).has_value());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(frames_of(std::string_view(whole).substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(frames_of(whole + "x").has_value());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 0x40);
    EXPECT_FALSE(frames_of(other).has_value()) << at;
  }
  table.rows[0].rule = 2;  // there is none
  EXPECT_FALSE(frames_of(table_bytes(table)).has_value());
}

}  // namespace
}  // namespace dt::symbol
