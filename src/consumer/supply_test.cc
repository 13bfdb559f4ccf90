// Numbers of the machine in records.

#include "consumer/supply.h"

#include <gtest/gtest.h>

#include <cstring>

#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

std::int64_t number_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
  std::int64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

TEST(Supply, NumbersAreWrittenWhereTheirConversionsStand) {
  record::Layout layout;
  for (const std::uint32_t size : {4U, 8U, 4U, 8U}) {
    layout.fields.push_back({{record::FieldKind::kInt, size, true}, 0, {}});
  }
  layout.size_bytes = record::place(layout.fields, 16);
  record::Action action;
  action.field_count = 4;
  std::vector<SuppliedField> fields;
  add_supplied(fields, layout, action, parse_format("%d %{load1}.2f%% %{uptime,s}*d"));
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].which, record::Supply::kLoad1);
  EXPECT_EQ(fields[1].which, record::Supply::kUptime);

  const std::vector<std::uint8_t> bytes(layout.size_bytes, 7);
  const auto out = with_supplied(bytes, fields, [](record::Supply which) {
    return std::int64_t{which == record::Supply::kLoad1 ? 150 : -1};
  });
  EXPECT_EQ(number_at(out, layout.fields[1].offset), 150);
  EXPECT_EQ(number_at(out, layout.fields[3].offset), -1);
  EXPECT_EQ(out[layout.fields[0].offset], 7);
  EXPECT_EQ(out[layout.fields[2].offset], 7);
}

TEST(Supply, AFormatOfMoreConversionsThanFieldsIsNoHarm) {
  record::Layout layout;
  record::Action action;
  std::vector<SuppliedField> fields;
  add_supplied(fields, layout, action, parse_format("%{load1}.2f"));
  EXPECT_TRUE(fields.empty());
  EXPECT_EQ(with_supplied(std::vector<std::uint8_t>(4),
                          std::vector<SuppliedField>{{0, record::Supply::kCpus}},
                          [](record::Supply) { return std::int64_t{1}; }),
            std::vector<std::uint8_t>(4));
}

}  // namespace
}  // namespace dt::consumer::testing
