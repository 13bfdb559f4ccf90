// Linking, and the way back from the verifier's log to the script.

#include "runtime/link.h"

#include <gtest/gtest.h>

#include "kernel/insn.h"

namespace dt::runtime {
namespace {

namespace insn = kernel::insn;

bpf::Object object() {
  bpf::Object object;
  object.program = "syscall:entry";
  const auto [a, b] = insn::map_fd(1, 0);
  const auto [c, d] = insn::map_value(2, 0, 0);
  object.insns = {a, b, c, d, insn::mov_imm(0, 0), insn::exit()};
  object.relocations = {{0, {bpf::MapKind::kAgg, 3}, false, 0},
                        {2, {bpf::MapKind::kGlobals, 0}, true, 48}};
  object.lines = {{0, {0, 10, 20}}, {2, {0, 30, 35}}, {4, {0, 40, 41}}};
  return object;
}

TEST(Link, PutsDescriptorsAndOffsetsIntoTheInstructions) {
  const auto insns = link(object(), [](const bpf::MapRef& ref) {
    return ref.kind == bpf::MapKind::kAgg && ref.index == 3 ? 7 : 9;
  });
  ASSERT_TRUE(insns.ok());
  EXPECT_EQ((*insns)[0].src_reg, BPF_PSEUDO_MAP_FD);
  EXPECT_EQ((*insns)[0].imm, 7);
  EXPECT_EQ((*insns)[1].imm, 0);
  EXPECT_EQ((*insns)[2].src_reg, BPF_PSEUDO_MAP_VALUE);
  EXPECT_EQ((*insns)[2].imm, 9);
  EXPECT_EQ((*insns)[3].imm, 48);
}

TEST(Link, NamesAMapThatIsNotThere) {
  const auto insns = link(object(), [](const bpf::MapRef&) { return -1; });
  ASSERT_FALSE(insns.ok());
  EXPECT_EQ(insns.error().text,
            "link syscall:entry: the program uses map agg 3, which this run does not have");
}

TEST(RejectedAt, FindsTheSpanOfTheInstruction) {
  const bpf::Object it = object();
  EXPECT_EQ(rejected_at(it, "0: (18) r1 = 0x0\nR1 bad\n"), (Span{0, 10, 20}));
  EXPECT_EQ(rejected_at(it, "3: (07) r2 += 1\nR2 bad\n"), (Span{0, 30, 35}));
  EXPECT_EQ(rejected_at(it, "5: (95) exit\nR0 !read_ok\n"), (Span{0, 40, 41}));
}

TEST(RejectedAt, KnowsNothingWithoutALogOrLines) {
  bpf::Object it = object();
  EXPECT_EQ(rejected_at(it, ""), std::nullopt);
  it.lines = {{4, {0, 40, 41}}};
  EXPECT_EQ(rejected_at(it, "3: (07) r2 += 1\nR2 bad\n"), std::nullopt);
}

}  // namespace
}  // namespace dt::runtime
