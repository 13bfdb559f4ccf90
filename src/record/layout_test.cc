// Layouts: offsets, padding, names, and finding probes.

#include "record/layout.h"

#include <gtest/gtest.h>

#include "record/aggregation.h"
#include "record/field.h"
#include "record/schema.h"
#include "record/wire.h"

namespace dt::record {
namespace {

Field field(FieldKind kind, std::uint32_t size) { return Field{{kind, size, true}, 0}; }

TEST(Layout, AnEmptyRecordIsItsHeader) {
  Layout layout;
  place_fields(layout);
  EXPECT_EQ(layout.size_bytes, kHeaderBytes);
}

TEST(Layout, FieldsAreAlignedToTheirSizeAndTheRecordIsPaddedToEight) {
  Layout layout;
  layout.fields = {field(FieldKind::kInt, 1), field(FieldKind::kInt, 2), field(FieldKind::kInt, 4),
                   field(FieldKind::kInt, 8), field(FieldKind::kInt, 1)};
  place_fields(layout);
  const std::vector<std::uint32_t> want = {8, 10, 12, 16, 24};
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(layout.fields[i].offset, want[i]) << i;
  EXPECT_EQ(layout.size_bytes, 32U);
}

TEST(Layout, LargeFieldsStartAtAWord) {
  Layout layout;
  layout.fields = {field(FieldKind::kInt, 4), field(FieldKind::kString, 16),
                   field(FieldKind::kProbeFunc, 4), field(FieldKind::kUstack, 24)};
  place_fields(layout);
  EXPECT_EQ(layout.fields[1].offset, 16U);
  EXPECT_EQ(layout.fields[2].offset, 32U);
  EXPECT_EQ(layout.fields[3].offset, 40U);
  EXPECT_EQ(layout.size_bytes, 64U);
}

TEST(Layout, OddSizesAreAlignedToAPowerOfTwo) {
  EXPECT_EQ(alignment({FieldKind::kBytes, 3, false}), 2U);
  EXPECT_EQ(alignment({FieldKind::kString, 5, false}), 4U);
  EXPECT_EQ(alignment({FieldKind::kString, 100, false}), 8U);
  EXPECT_EQ(alignment({FieldKind::kBytes, 0, false}), 1U);
}

TEST(Layout, KeysStartAtZeroAndArePaddedToEight) {
  AggLayout agg;
  place_keys(agg);
  EXPECT_EQ(agg.key_bytes, 0U);
  agg.keys = {field(FieldKind::kInt, 4), field(FieldKind::kString, 16), field(FieldKind::kInt, 2)};
  place_keys(agg);
  EXPECT_EQ(agg.keys[0].offset, 0U);
  EXPECT_EQ(agg.keys[1].offset, 8U);
  EXPECT_EQ(agg.keys[2].offset, 24U);
  EXPECT_EQ(agg.key_bytes, 32U);
}

TEST(Layout, FaultsHaveTheClassicalTexts) {
  EXPECT_STREQ(fault_text(Fault::kBadAddress), "invalid address");
  EXPECT_STREQ(fault_text(Fault::kDivideByZero), "divide-by-zero");
  EXPECT_STREQ(fault_text(Fault::kBadStack), "bad stack");
  EXPECT_STREQ(fault_text(static_cast<Fault>(77)), "unknown fault");
}

TEST(Layout, ProbesAreFoundById) {
  Schema schema;
  schema.probes = {{ProbeId(2), "dtrace", "", "", "BEGIN"},
                   {ProbeId(9), "syscall", "vmlinux", "read", "entry"}};
  EXPECT_EQ(find_probe(schema, ProbeId(9))->function, "read");
  EXPECT_EQ(find_probe(schema, ProbeId(2))->name, "BEGIN");
  EXPECT_EQ(find_probe(schema, ProbeId(3)), nullptr);
  EXPECT_EQ(find_probe(schema, ProbeId(10)), nullptr);
  EXPECT_EQ(find_probe(Schema{}, ProbeId(1)), nullptr);
}

}  // namespace
}  // namespace dt::record
