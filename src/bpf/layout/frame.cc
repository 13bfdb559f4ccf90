// See frame.h.

#include "bpf/layout/frame.h"

#include <linux/bpf.h>

namespace dt::bpf {

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
  for (std::uint32_t level = 0; level < kScratchLevels; level++) {
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
  e.store(4, e.stack_address(key), 0, index);
  const Reg found =
      e.call(BPF_FUNC_map_lookup_elem, {e.map({MapKind::kScratch, 0}), e.stack_address(key)});
  e.jump_if_imm(Cond::kEq, found, 0, none);
  return found;
}

void start_region(Emitter& e, Reg frame, std::uint32_t at) {
  const Reg base = e.reg(), region = e.reg();
  e.mov(base, frame);
  e.alu_imm(Alu::kAdd, base, static_cast<std::int32_t>(at));
  e.store_imm(8, base, 0, 0);
  // The address of a map's value becomes a number by way of memory.
  e.mov(region, base);
  e.alu_imm(Alu::kAdd, region, kRegionHeader);
  e.store(8, base, 8, region);
}

void release_frame(Emitter& e, Reg frame) { e.store_imm(8, frame, 0, 0); }

}  // namespace dt::bpf
