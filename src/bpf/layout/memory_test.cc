// The plan of memory: places do not overlap, are aligned, and are where the
// contract says.

#include "bpf/layout/memory.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "bpf/program/generate_test.h"
#include "record/drop.h"

namespace dt::bpf {
namespace {

Memory plan(const std::string& text) {
  Result<ir::Program> program = ir::parse(text);
  EXPECT_TRUE(program.ok()) << program.error().text;
  Machine machine;
  machine.cpus = 2;
  return plan_memory(*program, test_plan(*program, {0}), machine);
}

TEST(Memory, GlobalsFollowTheControlBlockAligned) {
  const Memory m = plan(R"(program
var @0 global "a" : s8
var @1 global "b" : s32
var @2 global "s" : str5
var @3 global "c" : s64
var @4 clause "l" : s64
)");
  EXPECT_EQ(m.global_offset, (std::vector<std::uint32_t>{48, 52, 56, 64, ir::kNone}));
  EXPECT_EQ(m.globals_bytes, 72u);
  EXPECT_EQ(m.tls_bytes, 0u);
}

TEST(Memory, ThreadLocalVariablesAreOneStruct) {
  const Memory m = plan(R"(program
var @0 thread "a" : s16
var @1 thread "s" : str256
var @2 global "g" : s64
var @3 thread "m" [s32] : s64
clause "a" {
  b0:
    %0 : u64 = builtin vtimestamp
    store @2, %0
    return
}
)");
  EXPECT_EQ(m.tls_offset, (std::vector<std::uint32_t>{0, 8, ir::kNone, ir::kNone}));
  EXPECT_TRUE(m.uses_vtimestamp);
  EXPECT_EQ(m.tls_vtime_offset, 264u);
  EXPECT_EQ(m.tls_bytes, 272u);
  EXPECT_EQ(m.assocs[3].key_bytes, 16u);  // thread identity, then the key
  EXPECT_EQ(m.assocs[3].value_bytes, 8u);
  EXPECT_EQ(m.assocs[0].key_bytes, 0u);
}

TEST(Memory, KeysOfArraysAreAlignedToTheirSize) {
  const Result<ir::Program> program =
      ir::parse("program\nvar @0 global \"m\" [s8, s32, str5, s16] : str20\n");
  ASSERT_TRUE(program.ok());
  const ArrayKey key = array_key(program->variables[0]);
  EXPECT_EQ(key.offsets, (std::vector<std::uint32_t>{0, 4, 8, 16}));
  EXPECT_EQ(key.bytes, 24u);
}

TEST(Memory, ManyArraysOfOneShapeShareAMap) {
  std::string text = "program\n";
  const auto add = [&](int i, const char* keys) {
    text += fmt::format("var @{} global \"a{}\" [{}] : s64\n", i, i, keys);
  };
  for (int i = 0; i < 32; ++i) add(i, i % 2 == 0 ? "s64" : "s64, s32");
  const Memory few = plan(text);
  EXPECT_FALSE(few.is_numbered(2));
  EXPECT_EQ(few.assoc_map(2), 2u);
  EXPECT_EQ(few.assocs[2].key_bytes, 8u);

  add(32, "s32");
  text += "var @33 global \"n\" : s64\n";
  const Memory many = plan(text);
  EXPECT_TRUE(many.is_numbered(2));
  EXPECT_EQ(many.assoc_map(32), 0u);  // a key of 4 bytes takes as much as one of 8
  EXPECT_EQ(many.assoc_map(31), 1u);
  EXPECT_FALSE(many.is_numbered(33));
  EXPECT_EQ(many.assocs[0].key_bytes, 16u);  // with the array's number
  EXPECT_EQ(many.assocs[1].key_bytes, 24u);
  EXPECT_EQ(many.assocs[2].key_bytes, 0u);
}

TEST(Memory, AggregationsWithoutKeysLieInTheCpusBlock) {
  const Memory m = plan(R"(program
agg @0 "a" count
agg @1 "b" quantize
agg @2 "c" sum [str16, int4s]
)");
  EXPECT_EQ(m.drops_offset, 0u);
  EXPECT_EQ(m.misc_offset, record::kDropCounters * 8);
  EXPECT_EQ(m.agg_offset[0], m.misc_offset + 32);
  EXPECT_EQ(m.agg_offset[1], m.agg_offset[0] + 16);  // a word and the presence word
  EXPECT_EQ(m.agg_offset[2], ir::kNone);
  EXPECT_EQ(m.aggs[2].key_bytes, 8u + 24u);  // the generation before the key
  EXPECT_EQ(m.aggs[2].value_bytes, 8u);
  EXPECT_EQ(m.percpu_stride % 64, 0u);
  EXPECT_EQ(m.added_offset, m.agg_offset[1] + 128 * 8);
  EXPECT_EQ(m.added_counters(), 3u);
  EXPECT_GE(m.percpu_stride, m.added_offset + 3 * 8);
}

TEST(Memory, StringsAreTerminatedAndPadded) {
  const Memory m = plan("program\nstring $0 \"\"\nstring $1 \"seven..\"\nstring $2 \"eight...\"\n");
  EXPECT_EQ(m.string_offset, (std::vector<std::uint32_t>{0, 8, 16}));
  EXPECT_EQ(m.rodata.size(), 32u);
  EXPECT_EQ(m.rodata[15], 0);
  EXPECT_EQ(m.rodata[24], 0);
}

TEST(Memory, OnlyProgramsThatRecordOrFaultNeedTheRing) {
  EXPECT_FALSE(plan("program\nclause \"a\" {\n  b0:\n    return\n}\n").uses_ring);
  EXPECT_TRUE(plan("program\nclause \"a\" {\n  b0:\n    fault 3\n    return\n}\n").uses_ring);
  EXPECT_TRUE(
      plan("program\nclause \"a\" {\n  record { default }\n  b0:\n    emit\n    return\n}\n")
          .uses_ring);
}

}  // namespace
}  // namespace dt::bpf
