// Tables of user stacks, read as a probe reads them.

#include "runtime/unwind_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "testing/kernel/fake.h"

namespace dt::runtime {
namespace {

using Base = symbol::FrameRule::Base;
using Saved = symbol::FrameRule::Saved;

symbol::FrameRule stack_rule(std::int32_t offset) {
  symbol::FrameRule rule;
  rule.base = Base::kStackPointer;
  rule.offset = offset;
  return rule;
}

class UnwindTablesTest : public testing::Test {
 protected:
  UnwindTablesTest() {
    bpf::Memory memory;
    memory.machine.cpus = 1;
    memory.percpu_stride = 64;
    memory.uses_unwind = true;
    auto made = Maps::create(kernel_, memory, Sizes{});
    EXPECT_TRUE(made.ok()) << made.error().text;
    maps_ = std::make_unique<Maps>(std::move(*made));
    auto tables = UnwindTables::create(kernel_, *maps_);
    EXPECT_TRUE(tables.ok()) << tables.error().text;
    tables_ = std::make_unique<UnwindTables>(std::move(*tables));
  }

  std::uint32_t word(std::uint64_t place) {
    const std::uint8_t* const chunk =
        kernel_.memory(fmt::format("dt_uw_chunk{}", place / bpf::kUnwindChunkBytes));
    std::uint32_t value = 0;
    if (chunk == nullptr) {
      ADD_FAILURE() << place;
    } else {
      std::memcpy(&value, chunk + place % bpf::kUnwindChunkBytes, sizeof value);
    }
    return value;
  }
  // What a probe finds for `offset`.
  bpf::UnwindRule find(const bpf::UnwindFile& file, std::uint32_t offset) {
    const std::uint32_t block = (offset >> bpf::kUnwindBlockShift) - file.first_block;
    if (block >= file.blocks) return bpf::UnwindRule();
    const std::uint64_t entry = (std::uint64_t{file.first_index} + block) * 8;
    const std::uint32_t first = word(entry), count = word(entry + 4);
    if (count == 0) return bpf::UnwindRule();
    EXPECT_EQ(first >> 16, (first + count - 1) >> 16) << "in two chunks";
    const std::uint32_t place = offset & ((1 << bpf::kUnwindBlockShift) - 1);
    std::uint32_t row = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t next = word((std::uint64_t{first} + i) * 4);
      EXPECT_TRUE(i > 0 || next >> bpf::kUnwindRuleBits == 0);
      if (next >> bpf::kUnwindRuleBits <= place) row = next;
    }
    bpf::UnwindRule rule;
    const std::uint32_t number = row & ((1 << bpf::kUnwindRuleBits) - 1);
    std::memcpy(&rule, kernel_.memory("dt_uw_rules") + std::size_t{number} * sizeof rule,
                sizeof rule);
    return rule;
  }

  kernel::FakeKernel kernel_;
  std::unique_ptr<Maps> maps_;
  std::unique_ptr<UnwindTables> tables_;
};

// A table of rows at random distances, and what each of its offsets should give.
struct Random {
  symbol::FrameTable table;
  explicit Random(std::uint32_t seed, std::uint32_t begin, std::size_t count, std::uint32_t far) {
    std::mt19937 random(seed);
    table.rules.emplace_back();
    for (std::int32_t i = 1; i < 50; ++i) table.rules.push_back(stack_rule(i * 8));
    std::uint32_t at = begin, last = 0;
    for (std::size_t i = 0; i < count; ++i) {
      auto rule = static_cast<std::uint32_t>(random() % 50);
      if (i == 0 || rule == last) rule = last % 49 + 1;
      table.rows.push_back({at, rule});
      last = rule;
      at += 1 + static_cast<std::uint32_t>(random() % (random() % 20 == 0 ? far : 30));
    }
    if (last != 0) table.rows.push_back({at, 0});
  }
  bpf::UnwindRule rule_at(std::uint32_t offset) const {
    const auto after = std::upper_bound(
        table.rows.begin(), table.rows.end(), offset,
        [](std::uint32_t value, const symbol::FrameTable::Row& row) { return value < row.offset; });
    return after == table.rows.begin() ? bpf::UnwindRule()
                                       : unwind_rule(table.rules[std::prev(after)->rule]);
  }
};

TEST_F(UnwindTablesTest, GiveEveryPlaceItsRule) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const Random made(seed, seed * 5000, 3000, seed % 2 == 0 ? 20000 : 200);
    const auto file = tables_->add(made.table);
    ASSERT_TRUE(file.ok()) << file.error().text;
    const std::uint32_t end = made.table.rows.back().offset;
    for (const auto& row : made.table.rows) {
      for (const std::uint32_t offset : {row.offset - 1, row.offset, row.offset + 1}) {
        ASSERT_EQ(find(*file, offset), made.rule_at(offset)) << seed << " " << offset;
      }
    }
    for (std::uint32_t offset = 0; offset < end + 10000; offset += 37) {
      ASSERT_EQ(find(*file, offset), made.rule_at(offset)) << seed << " " << offset;
    }
  }
}

TEST_F(UnwindTablesTest, GoOnInTheNextChunk) {
  std::vector<std::pair<Random, bpf::UnwindFile>> all;
  while (tables_->bytes() < 4 * bpf::kUnwindChunkBytes) {
    Random made(static_cast<std::uint32_t>(all.size()) + 1, 4096, 20000, 300);
    const auto file = tables_->add(made.table);
    ASSERT_TRUE(file.ok()) << file.error().text;
    all.emplace_back(std::move(made), *file);
  }
  for (const auto& [made, file] : all) {
    for (std::uint32_t offset = 0; offset < made.table.rows.back().offset + 100; offset += 1009) {
      ASSERT_EQ(find(file, offset), made.rule_at(offset)) << offset;
    }
  }
}

TEST_F(UnwindTablesTest, TakeNoMoreThanTheirRoom) {
  const Random made(7, 0, 60000, 30);
  Result<bpf::UnwindFile> file = tables_->add(made.table);
  for (int i = 0; i < 1000 && file.ok(); ++i) file = tables_->add(made.table);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, ENOSPC);
  EXPECT_EQ(tables_->bytes(), std::uint64_t{bpf::kUnwindChunks} * bpf::kUnwindChunkBytes);
}

TEST_F(UnwindTablesTest, StartOverWithAllTheirRoom) {
  const Random made(7, 0, 60000, 30);
  Result<bpf::UnwindFile> file = tables_->add(made.table);
  const bpf::UnwindFileKey key = {.inode = 1};
  ASSERT_TRUE(tables_->set(key, *file).ok());
  while (file.ok()) file = tables_->add(made.table);
  ASSERT_TRUE(tables_->start_over().ok());
  EXPECT_EQ(kernel_.count(kernel::FakeKernel::Call::kGracePeriod), 1U);
  EXPECT_FALSE(tables_->knows(key));
  EXPECT_EQ(tables_->bytes(), 0U);
  EXPECT_EQ(kernel_.elements("dt_uw_tables"), 0U);
  file = tables_->add(made.table);
  ASSERT_TRUE(file.ok()) << file.error().text;
}

TEST_F(UnwindTablesTest, ForgetTheFirstOfTooManyFiles) {
  for (std::uint64_t i = 0; i < bpf::kUnwindFiles; ++i) {
    ASSERT_TRUE(tables_->set({.inode = i}, {.blocks = 1}).ok());
  }
  EXPECT_FALSE(tables_->knows({.inode = 0}));
  EXPECT_TRUE(tables_->knows({.inode = bpf::kUnwindFiles - 1}));
  EXPECT_LT(kernel_.elements("dt_uw_files"), bpf::kUnwindFiles);
}

TEST_F(UnwindTablesTest, SayWhatIsInAFile) {
  const bpf::UnwindFileKey key = {.inode = 12, .bytes = 34, .changed = 6, .device = 5};
  EXPECT_FALSE(tables_->knows(key));
  ASSERT_TRUE(tables_->set(key, {.is_awaited = 1}).ok());
  EXPECT_FALSE(tables_->knows(key));
  ASSERT_TRUE(tables_->set(key, {.first_index = 1, .first_block = 2, .blocks = 3}).ok());
  EXPECT_TRUE(tables_->knows(key));
  tables_->forget(key);
  EXPECT_FALSE(tables_->knows(key));
  EXPECT_EQ(tables_->cut(), 0U);
}

TEST(UnwindRule, HasRegistersWhereTheKernelPutsThem) {
  symbol::FrameRule rule;
  rule.base = Base::kRegister;
  rule.number = 10;  // r10
  EXPECT_EQ(unwind_rule(rule).base, bpf::UnwindBase::kRegister);
  EXPECT_EQ(unwind_rule(rule).number, 56);
  rule.number = 17;  // xmm0
  EXPECT_EQ(unwind_rule(rule).base, bpf::UnwindBase::kUnsupported);
  rule = {};
  rule.base = Base::kFramePointer;
  rule.offset = 16;
  rule.saved = Saved::kAtCfa;
  rule.frame_pointer = -16;
  const bpf::UnwindRule expected = {.base = bpf::UnwindBase::kFramePointer,
                                    .saved = bpf::UnwindSaved::kAtCfa,
                                    .frame_pointer = -16,
                                    .offset = 16};
  EXPECT_EQ(unwind_rule(rule), expected);
}

}  // namespace
}  // namespace dt::runtime
