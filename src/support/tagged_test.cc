#include "support/tagged.h"

#include <gtest/gtest.h>

namespace dt::support {
namespace {

TEST(Tagged, numbers_and_texts_come_back) {
  std::string bytes;
  TaggedWriter writer(bytes);
  writer.number(1, 0);
  writer.number(16, UINT64_MAX);
  writer.text(2, std::string("a\0b", 3));
  writer.number_unless_0(3, 0);
  writer.text_unless_empty(3, "");
  // As the specification of protocol buffers has them.
  EXPECT_EQ(bytes, std::string("\x08\x00\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x12\x03"
                               "a\0b",
                               19));
  TaggedReader reader(bytes);
  Tagged field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.tag, 1U);
  EXPECT_FALSE(field.is_text);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.tag, 16U);
  EXPECT_EQ(field.number, UINT64_MAX);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.text, std::string_view("a\0b", 3));
  EXPECT_FALSE(reader.next(field));
  EXPECT_FALSE(reader.is_damaged());
}

TEST(Tagged, every_proper_prefix_of_a_field_is_damage) {
  std::string bytes;
  TaggedWriter(bytes).text(300, "text");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    TaggedReader reader(std::string_view(bytes).substr(0, size));
    Tagged field;
    EXPECT_FALSE(reader.next(field)) << size;
    EXPECT_TRUE(reader.is_damaged()) << size;
  }
}

TEST(Tagged, fields_of_fixed_width_are_passed_over) {
  TaggedReader reader(
      std::string_view("\x09"
                       "12345678"
                       "\x0d"
                       "1234"
                       "\x08\x05",
                       16));
  Tagged field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 5U);
  EXPECT_FALSE(reader.next(field));
  EXPECT_FALSE(reader.is_damaged());
}

TEST(Tagged, signs_are_folded) {
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(unfolded_sign(folded_sign(number)), number);
  }
  EXPECT_EQ(folded_sign(-2), 3U);
}

}  // namespace
}  // namespace dt::support
