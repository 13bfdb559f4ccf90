// The text of instructions and of a whole program.

#include <gtest/gtest.h>

#include "bpf/asm/encode.h"
#include "bpf/asm/insn.h"

namespace dt::bpf {
namespace {

bpf_insn insn(int code, unsigned dst, unsigned src, int off, int imm) {
  bpf_insn out{};
  out.code = static_cast<std::uint8_t>(code);
  out.dst_reg = dst & 0xf;
  out.src_reg = src & 0xf;
  out.off = static_cast<std::int16_t>(off);
  out.imm = imm;
  return out;
}

TEST(Disassemble, EveryKindOfInstructionReadsAsInTheVerifiersLog) {
  struct Case {
    bpf_insn insn;
    const char* text;
  };
  const Case cases[] = {
      {insn(0x79, 1, 6, 8, 0), "r1 = *(u64 *)(r6 +8)"},
      {insn(0x71, 1, 6, -8, 0), "r1 = *(u8 *)(r6 -8)"},
      {insn(0x81, 1, 6, 4, 0), "r1 = *(s32 *)(r6 +4)"},
      {insn(0x7b, 10, 1, -16, 0), "*(u64 *)(r10 -16) = r1"},
      {insn(0x62, 10, 0, -4, -1), "*(u32 *)(r10 -4) = -1"},
      {insn(0xdb, 0, 1, 0, BPF_ADD), "lock *(u64 *)(r0 +0) += r1"},
      {insn(0xc3, 2, 3, 4, BPF_OR), "lock *(u32 *)(r2 +4) |= r3"},
      {insn(0xdb, 0, 1, 0, BPF_ADD | BPF_FETCH), "r1 = atomic64_fetch_add((u64 *)(r0 +0), r1)"},
      {insn(0xdb, 6, 1, 8, BPF_XCHG), "r1 = atomic64_xchg((u64 *)(r6 +8), r1)"},
      {insn(0xc3, 6, 1, 8, BPF_CMPXCHG), "r0 = atomic_cmpxchg((u32 *)(r6 +8), r0, r1)"},
      {insn(0x0f, 1, 2, 0, 0), "r1 += r2"},
      {insn(0x07, 1, 0, 0, -8), "r1 += -8"},
      {insn(0xc7, 1, 0, 0, 3), "r1 s>>= 3"},
      {insn(0xbc, 1, 2, 0, 0), "w1 = w2"},
      {insn(0xb7, 0, 0, 0, 0), "r0 = 0"},
      {insn(0xbf, 1, 2, 8, 0), "r1 = (s8)r2"},
      {insn(0x87, 3, 0, 0, 0), "r3 = -r3"},
      {insn(0xdc, 3, 0, 0, 16), "r3 = be16 r3"},
      {insn(0x65, 1, 0, 3, 5), "if r1 s> 0x5 goto pc+3"},
      {insn(0x1d, 1, 2, -3, 0), "if r1 == r2 goto pc-3"},
      {insn(0x56, 1, 0, 1, -1), "if w1 != 0xffffffff goto pc+1"},
      {insn(0x45, 1, 0, 1, 4), "if r1 & 0x4 goto pc+1"},
      {insn(0x05, 0, 0, 7, 0), "goto pc+7"},
      {insn(0x06, 0, 0, 0, 70000), "gotol pc+70000"},
      {insn(0x85, 0, 0, 0, 5), "call bpf_ktime_get_ns#5"},
      {insn(0x85, 0, 0, 0, 211), "call bpf_cgrp_storage_delete#211"},
      {insn(0x85, 0, 0, 0, 9999), "call unknown#9999"},
      {insn(0x85, 0, 1, 0, 12), "call pc+12"},
      {insn(0x95, 0, 0, 0, 0), "exit"},
      {insn(0xff, 0, 0, 0, 0), "illegal 0xff"},
  };
  for (const Case& c : cases) EXPECT_EQ(disassemble(c.insn, nullptr), c.text);
}

TEST(Disassemble, AWideConstantTakesItsHighHalfFromTheNextInstruction) {
  const bpf_insn pair[] = {insn(0x18, 3, 0, 0, 0x55667788), insn(0, 0, 0, 0, 0x11223344)};
  EXPECT_EQ(disassemble(pair[0], &pair[1]), "r3 = 0x1122334455667788");
}

TEST(Disassemble, TheListingShowsSourceLinesAndMapNames) {
  Sources sources;
  sources.add(Source("x.d", "BEGIN\n{\n\t@a[pid] = count();\n}\n"));
  Emitter e;
  e.at({.source = 0, .begin = 9, .end = 16});
  const Reg at = e.map_value({MapKind::kPercpu, 0}, 24);
  e.store_imm(8, at, 0, 1);
  const Reg zero = e.stack_address(e.stack(8));
  e.store_imm(8, zero, 0, 0);
  e.call_void(1, {e.map({MapKind::kAgg, 3}), zero});
  e.exit(0);
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_TRUE(assembly.ok());
  assembly->object.program = "begin";
  EXPECT_EQ(disassemble(assembly->object, sources),
            "; program begin: 11 instructions, 32 bytes of stack\n"
            "; x.d:3: @a[pid] = count();\n"
            "    0: (18) r0 = map percpu value +24\n"
            "    2: (7a) *(u64 *)(r0 +0) = 1\n"
            "    3: (7a) *(u64 *)(r10 -8) = 0\n"
            "    4: (18) r1 = map agg3\n"
            "    6: (bf) r2 = r10\n"
            "    7: (07) r2 += -8\n"
            "    8: (85) call bpf_map_lookup_elem#1\n"
            "    9: (b7) r0 = 0\n"
            "   10: (95) exit\n");
}

}  // namespace
}  // namespace dt::bpf
