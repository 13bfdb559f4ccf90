// The interpreter: its maps and helpers, and what it refuses.

#include "testing/bpf/interp.h"

#include <gtest/gtest.h>
#include <linux/bpf.h>

#include <cerrno>

#include "bpf/asm/encode.h"

namespace dt::bpf {
namespace {

constexpr MapRef kHash{MapKind::kAssoc, 0}, kRing{MapKind::kRing, 0};
constexpr MapRef kTls{MapKind::kTls, 0}, kGlobals{MapKind::kGlobals, 0};

RunResult run_emitted(Emitter& e, World& world) {
  Result<Assembly> assembly = assemble(e, {});
  EXPECT_TRUE(assembly.ok());
  std::uint8_t context[16] = {};
  return run(assembly->object, world, context);
}

// Instructions as they are, for what no Emitter would write.
RunResult run_raw(std::vector<bpf_insn> insns) {
  Object object;
  object.insns = std::move(insns);
  World world;
  std::uint8_t context[16] = {};
  return run(object, world, context, 1000);
}

bpf_insn insn(int code, unsigned dst, unsigned src, int off, int imm) {
  bpf_insn out{};
  out.code = static_cast<std::uint8_t>(code);
  out.dst_reg = dst & 0xf;
  out.src_reg = src & 0xf;
  out.off = static_cast<std::int16_t>(off);
  out.imm = imm;
  return out;
}

std::string key_of(std::uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

Reg stored(Emitter& e, std::int64_t value) {
  const Reg at = e.stack_address(e.stack(8));
  e.store(8, at, 0, e.imm(value));
  return at;
}

TEST(Interpreter, AHashIsUpdatedLookedUpAndDeleted) {
  World world;
  world.add_map(kHash, ModelType::kHash, 8, 8, 2);
  Emitter e;
  const Reg map = e.map(kHash);
  e.call_void(BPF_FUNC_map_update_elem, {map, stored(e, 5), stored(e, 50), e.imm(BPF_ANY)});
  const Reg value = e.call(BPF_FUNC_map_lookup_elem, {map, stored(e, 5)});
  const Label missing = e.label();
  e.jump_if_imm(Cond::kEq, value, 0, missing);
  e.atomic(Atomic::kAdd, 8, value, 0, e.imm(7));
  e.bind(missing);
  e.call_void(BPF_FUNC_map_update_elem, {map, stored(e, 6), stored(e, 60), e.imm(BPF_NOEXIST)});
  e.ret(e.call(BPF_FUNC_map_update_elem, {map, stored(e, 7), stored(e, 70), e.imm(BPF_ANY)}));
  const RunResult result = run_emitted(e, world);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(static_cast<std::int64_t>(result.value), -E2BIG) << "the table is full";
  ASSERT_NE(world.value(kHash, key_of(5)), nullptr);
  EXPECT_EQ(world.value(kHash, key_of(5))->at(0), 57);
  EXPECT_EQ(world.value(kHash, key_of(6))->at(0), 60);
  EXPECT_EQ(world.value(kHash, key_of(7)), nullptr);

  Emitter second;
  second.ret(second.call(BPF_FUNC_map_delete_elem, {second.map(kHash), stored(second, 5)}));
  EXPECT_EQ(run_emitted(second, world).value, 0u);
  EXPECT_EQ(world.value(kHash, key_of(5)), nullptr);
}

TEST(Interpreter, RecordsReachTheRingInOrderAndAFullRingRefuses) {
  World world;
  world.add_map(kRing, ModelType::kRing, 0, 0, 0).ring_bytes = 40;
  Emitter e;
  const Label full = e.label();
  for (int i = 1; i <= 3; ++i) {
    const Reg record = e.call(BPF_FUNC_ringbuf_reserve, {e.map(kRing), e.imm(8), e.imm(0)});
    e.jump_if_imm(Cond::kEq, record, 0, full);
    e.store_imm(8, record, 0, i);
    e.call_void(BPF_FUNC_ringbuf_submit, {record, e.imm(BPF_RB_NO_WAKEUP)});
  }
  e.exit(0);
  e.bind(full);
  e.exit(1);
  const RunResult result = run_emitted(e, world);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.value, 1u);
  ASSERT_EQ(world.map(kRing)->records.size(), 2u);
  EXPECT_EQ(world.map(kRing)->records[0].bytes[0], 1);
  EXPECT_EQ(world.map(kRing)->records[1].bytes[0], 2);
  EXPECT_EQ(world.map(kRing)->records[0].flags, std::uint64_t{BPF_RB_NO_WAKEUP});
}

TEST(Interpreter, ForeignMemoryIsReadByTheProbeHelpersOnly) {
  World world;
  world.user_memory[0x5000] = {'a', 'b', 0, 'c'};
  world.kernel_memory[0xffff800000000000] = {1, 2, 3, 4, 5, 6, 7, 8};
  Emitter e;
  const StackSlot slot = e.stack(8);
  const Reg to = e.stack_address(slot);
  const Reg length = e.call(BPF_FUNC_probe_read_user_str, {to, e.imm(8), e.imm(0x5000)});
  const Reg kernel = e.imm(static_cast<std::int64_t>(0xffff800000000000));
  const Reg good = e.call(BPF_FUNC_probe_read_kernel, {to, e.imm(8), kernel});
  const Reg bad = e.call(BPF_FUNC_probe_read_user, {to, e.imm(8), e.imm(0x9000)});
  const Reg zeroed = e.load(8, to, 0);
  e.alu_imm(Alu::kMul, length, 1000);
  e.alu(Alu::kAdd, length, good);
  e.alu(Alu::kSub, length, bad);
  e.alu(Alu::kAdd, length, zeroed);
  e.ret(length);
  const RunResult result = run_emitted(e, world);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.value, 3000u + EFAULT);
}

TEST(Interpreter, TaskStorageIsMadeOnceForATask) {
  World world;
  world.add_map(kTls, ModelType::kTaskStorage, 4, 8, 10);
  for (int round = 1; round <= 2; ++round) {
    Emitter e;
    const Reg task = e.call(BPF_FUNC_get_current_task_btf, {});
    const Reg value = e.call(BPF_FUNC_task_storage_get,
                             {e.map(kTls), task, e.imm(0), e.imm(BPF_LOCAL_STORAGE_GET_F_CREATE)});
    e.atomic(Atomic::kAdd, 8, value, 0, e.imm(5));
    e.ret(e.load(8, value, 0));
    EXPECT_EQ(run_emitted(e, world).value, 5u * static_cast<std::uint64_t>(round));
  }
}

TEST(Interpreter, AWorldHasTheMapsOfItsMemory) {
  Memory memory;
  memory.globals_bytes = 64;
  memory.rodata = {1, 2, 3};
  memory.percpu_stride = 128;
  memory.machine.cpus = 2;
  memory.scratch_bytes = 256;
  memory.aggs = {{16, 8}, {}};
  memory.uses_ring = true;
  World world(memory);
  EXPECT_EQ(world.value(kGlobals)->size(), 64u);
  EXPECT_EQ(*world.value({MapKind::kRodata, 0}), memory.rodata);
  EXPECT_EQ(world.value({MapKind::kPercpu, 0})->size(), 256u);
  EXPECT_EQ(world.map({MapKind::kScratch, 0})->values.size(), 2u * kScratchLevels);
  EXPECT_NE(world.map({MapKind::kAgg, 0}), nullptr);
  EXPECT_EQ(world.map({MapKind::kAgg, 1}), nullptr);
  EXPECT_EQ(world.map(kTls), nullptr);
  EXPECT_NE(world.map(kRing), nullptr);
}

TEST(Interpreter, WhatAVerifierWouldRefuseIsAnError) {
  const bpf_insn leave = insn(0x95, 0, 0, 0, 0), zero = insn(0xb7, 0, 0, 0, 0);
  struct Case {
    std::vector<bpf_insn> insns;
    const char* error;
  };
  const Case cases[] = {
      {{leave}, "insn 0: exit: r0 was never written"},
      {{insn(0xbf, 0, 7, 0, 0), leave}, "insn 0: r0 = r7: r7 was never written"},
      {{insn(0x79, 0, 10, -8, 0), leave},
       "insn 0: r0 = *(u64 *)(r10 -8): read of [504, 512), where 504 was never written"},
      {{insn(0x7a, 10, 0, 0, 0), zero, leave},
       "insn 0: *(u64 *)(r10 +0) = 0: access to [512, 520) of 512 bytes"},
      {{insn(0x7a, 10, 0, -12, 0), zero, leave},
       "insn 0: *(u64 *)(r10 -12) = 0: misaligned access to the stack"},
      {{insn(0x79, 0, 1, 16, 0), leave},
       "insn 0: r0 = *(u64 *)(r1 +16): access to [16, 24) of 16 bytes"},
      {{zero, insn(0x79, 0, 0, 0, 0), leave},
       "insn 1: r0 = *(u64 *)(r0 +0): access to 0x0, which is no memory"},
      {{zero}, "insn 1: the program runs off its end"},
      {{insn(0x05, 0, 0, -1, 0)}, "insn 0: goto pc-1: the program does not end"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(run_raw(c.insns).error, c.error);
  }
}

TEST(Interpreter, AHelperItDoesNotHaveIsNamed) {
  const RunResult result = run_raw({insn(0x85, 0, 0, 0, BPF_FUNC_sys_bpf), insn(0x95, 0, 0, 0, 0)});
  EXPECT_EQ(result.error,
            "insn 0: call bpf_sys_bpf#166: the interpreter has no helper 166 (sys_bpf)");
}

TEST(Interpreter, ACallDestroysTheArgumentRegisters) {
  const RunResult result = run_raw({insn(0xb7, 3, 0, 0, 1), insn(0x85, 0, 0, 0, 5),
                                    insn(0xbf, 0, 3, 0, 0), insn(0x95, 0, 0, 0, 0)});
  EXPECT_EQ(result.error, "insn 2: r0 = r3: r3 was never written");
}

TEST(Interpreter, ARecordThatIsKeptIsAnError) {
  World world;
  world.add_map(kRing, ModelType::kRing, 0, 0, 0);
  Emitter e;
  e.call_void(BPF_FUNC_ringbuf_reserve, {e.map(kRing), e.imm(8), e.imm(0)});
  e.exit(0);
  EXPECT_EQ(run_emitted(e, world).error, "a ring record is neither submitted nor discarded");
}

TEST(Interpreter, ARecordWithBytesThatWereNeverWrittenIsNotSubmitted) {
  World world;
  world.add_map(kRing, ModelType::kRing, 0, 0, 0);
  Emitter e;
  const Reg record = e.call(BPF_FUNC_ringbuf_reserve, {e.map(kRing), e.imm(16), e.imm(0)});
  e.store_imm(8, record, 0, 1);
  e.call_void(BPF_FUNC_ringbuf_submit, {record, e.imm(0)});
  e.exit(0);
  EXPECT_EQ(run_emitted(e, world).error,
            "insn 8: call bpf_ringbuf_submit#132: submitted record: read of [0, 16), where 8 was "
            "never written");
}

}  // namespace
}  // namespace dt::bpf
