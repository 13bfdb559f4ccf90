// See drop.h.

#include "bpf/layout/drop.h"

#include <linux/bpf.h>

#include <cstddef>

namespace dt::bpf {

Reg cpu_block(Emitter& e, const Memory& memory, Label out) {
  const Reg cpu = e.call(BPF_FUNC_get_smp_processor_id, {});
  e.jump_if_imm(Cond::kGe, cpu, static_cast<std::int32_t>(memory.machine.cpus), out);
  const Reg block = e.reg();
  e.mov(block, cpu);
  e.alu_imm(Alu::kMul, block, static_cast<std::int32_t>(memory.percpu_stride));
  e.alu(Alu::kAdd, block, e.map_value({MapKind::kPercpu, 0}, 0));
  return block;
}

void count_drop(Emitter& e, Label drop_function, record::Drop what) {
  e.call_subprogram(drop_function, {e.imm(static_cast<std::int64_t>(what) * 8)});
}

void count_added(Emitter& e, Label drop_function, const Memory& memory, std::uint32_t counter) {
  const std::int64_t at = std::int64_t{memory.added_offset} + std::int64_t{counter} * 8;
  e.call_subprogram(drop_function, {e.imm(at - memory.drops_offset)});
}

namespace {

// A record that finds no room ends tracing when the buffer is to be filled once,
// which is no drop (but for END, behind which nothing ends), or when the consumer has not been seen
// for too long.
void end_when_full(Emitter& e, const Memory& memory, Reg counter, Label out) {
  const Label other = e.label();
  e.jump_if_imm(Cond::kNe, counter, static_cast<std::int32_t>(record::Drop::kPrincipal) * 8, other);
  const Reg control = e.map_value({MapKind::kGlobals, 0}, 0);
  const auto end = [&] {
    e.store_imm(4, control, offsetof(Control, state), static_cast<std::int32_t>(State::kDraining));
  };
  if (memory.ends_when_full) {
    e.jump_if_imm(Cond::kNe, e.load(4, control, offsetof(Control, is_ending)), 0, other);
    end();
    e.jump(out);
  } else {
    const Reg now = e.call(BPF_FUNC_ktime_get_ns, {});
    const Reg latest = e.load(8, control, offsetof(Control, deadline_ns));
    e.alu_imm(Alu::kAdd, latest, -1);  // 0 becomes never
    e.jump_if(Cond::kLe, now, latest, other);
    end();
    e.store_imm(4, control, offsetof(Control, aborted), 1);
  }
  e.bind(other);
}

}  // namespace

void emit_drop_function(Emitter& e, Label name, const Memory& memory) {
  const Reg counter = e.begin_function(name, 1)[0];
  const Label out = e.label();
  if (memory.uses_ring) end_when_full(e, memory, counter, out);
  const std::uint32_t end =
      memory.added_counters() == 0
          ? record::kDropCounters * 8
          : memory.added_offset + memory.added_counters() * 8 - memory.drops_offset;
  e.jump_if_imm(Cond::kGe, counter, static_cast<std::int32_t>(end), out);
  const Reg block = cpu_block(e, memory, out);
  e.alu(Alu::kAdd, block, counter);
  e.atomic(Atomic::kAdd, 8, block, static_cast<std::int32_t>(memory.drops_offset), e.imm(1));
  e.bind(out);
  e.exit(0);
}

}  // namespace dt::bpf
