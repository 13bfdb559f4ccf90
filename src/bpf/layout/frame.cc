// See frame.h.
//
// A frame is an element of an array, by CPU and nesting level. Its first word says whether it is in
// use. Taking a level is one atomic exchange of this word: a firing that interrupts another one on
// the same CPU finds it taken and goes to the next level. When no level is free, the firing is
// counted as a drop.

#include "bpf/layout/frame.h"

#include <linux/bpf.h>

namespace dt::bpf {

namespace {

Reg find_value(Emitter& e, MapKind map, Reg index, StackSlot key, Label none) {
  e.store(4, e.stack_address(key), 0, index);
  const Reg found = e.call(BPF_FUNC_map_lookup_elem, {e.map({map, 0}), e.stack_address(key)});
  e.jump_if_imm(Cond::kEq, found, 0, none);
  return found;
}

}  // namespace

void begin_section(Emitter& e, const Guard& guard) {
  if (guard.begin != 0) e.call_kernel_void(guard.begin, {});
}

void end_section(Emitter& e, const Guard& guard) {
  if (guard.end == 0) return;
  if (guard.irq_save == 0) {
    e.call_kernel_void(guard.end, {});
    return;
  }
  const StackSlot flags = e.stack(8);
  e.call_kernel_void(guard.irq_save, {e.stack_address(flags)});
  e.call_kernel_void(guard.end, {});
  e.call_kernel_void(guard.irq_restore, {e.stack_address(flags)});
}

void keep_stack_of_thread(Emitter& e, Reg context, Reg value, std::int32_t known) {
  const Label past = e.label();
  e.jump_if_imm(Cond::kEq, value, known, past);
  e.call(BPF_FUNC_tail_call, {context, value, value});
  e.bind(past);
}

void end_firing(Emitter& e, const Guard& guard) {
  end_section(e, guard);
  e.exit(0);
}

void take_frame(Emitter& e, Reg cpu, StackSlot key, Reg frame, Reg index, Label none) {
  const Label have = e.label();
  e.mov(index, cpu);
  e.alu_imm(Alu::kMul, index, kScratchLevels);
  for (std::uint32_t level = 0; level < kScratchLevels; ++level) {
    const Label taken = level + 1 < kScratchLevels ? e.label() : none;
    const Reg found = find_frame(e, index, key, none);
    const Reg busy = e.imm(1);
    e.atomic(Atomic::kXchg, 8, found, 0, busy);
    e.jump_if_imm(Cond::kNe, busy, 0, taken);
    e.mov(frame, found);
    e.jump(have);
    if (level + 1 == kScratchLevels) break;
    e.bind(taken);
    e.alu_imm(Alu::kAdd, index, 1);
  }
  e.bind(have);
}

Reg find_frame(Emitter& e, Reg index, StackSlot key, Label none) {
  return find_value(e, MapKind::kScratch, index, key, none);
}

Reg find_region(Emitter& e, Reg index, StackSlot key, Label none) {
  return find_value(e, MapKind::kRegion, index, key, none);
}

void start_region(Emitter& e, Reg region, std::uint32_t size, Reg zeros) {
  const Label is_clear = e.label(), is_bounded = e.label();
  const Reg used = e.held(), bytes = e.reg();
  e.load_to(used, 8, region, 0);
  e.jump_if_imm(Cond::kEq, used, 0, is_clear);
  e.jump_if_imm(Cond::kLe, used, static_cast<std::int32_t>(size), is_bounded);
  e.mov_imm(used, size);
  e.bind(is_bounded);
  e.mov(bytes, region);
  e.alu_imm(Alu::kAdd, bytes, kRegionHeader);
  e.call_void(BPF_FUNC_probe_read_kernel, {bytes, used, zeros});
  e.store_imm(8, region, 0, 0);
  e.bind(is_clear);
  // The address of a map's value becomes a number by way of memory.
  const Reg address = e.reg();
  e.mov(address, region);
  e.alu_imm(Alu::kAdd, address, kRegionHeader);
  e.store(8, region, 8, address);
}

void release_frame(Emitter& e, Reg frame) { e.store_imm(8, frame, 0, 0); }

}  // namespace dt::bpf
