// See control_flow.h.
//
// Blocks are written in the order of the IR, in which every jump goes forward. A block's parameters
// are registers which its predecessors write before they jump; because no jump goes back, no
// parameter can be overwritten while its old value is still needed, so the moves may have any
// order.
//
// Code for faults and other rare cases is collected apart (cold) and written behind the function,
// so that the usual way falls through.

#include "bpf/select/control_flow.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "bpf/layout/control.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/integers.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"

namespace dt::bpf {

ControlFlow::ControlFlow(const Core& core, Integers& integers,
                         std::function<void(const ir::Inst&)> select)
    : SelectionPart(core), integers_(integers), select_(std::move(select)) {}

void ControlFlow::write_blocks() {
  for (ir::BlockId b = 0; b < f_.fn.blocks.size(); ++b) {
    if (b > 0 && f_.fused.block_clause[b] != f_.fused.block_clause[b - 1]) flush_cold();
    select_block(b);
  }
  flush_cold();
}

// What several clauses are sure to want is obtained once, before the first.
void ControlFlow::hoist_shared() {
  std::vector<bool> wants(f_.fused.clauses.size(), false);
  for (ir::BlockId b = 0; b < f_.fn.blocks.size(); ++b) {
    const std::uint32_t clause = f_.fused.block_clause[b];
    if (clause == ir::kNone) continue;
    for (const ir::Inst& inst : f_.fn.blocks[b].insts) {
      const bool keyless =
          inst.op == ir::Op::kAggregate && f_.unit.program.aggregations[inst.index].key_bytes == 0;
      if (keyless) wants[clause] = true;
    }
  }
  if (std::count(wants.begin(), wants.end(), true) >= 2) facts_.percpu_block();
}

void ControlFlow::select_block(ir::BlockId block) {
  f_.block = block;
  keys_.forget();
  e_.bind(f_.labels[block]);
  end_on_exit(block);
  for (const ir::Inst& inst : f_.fn.blocks[block].insts) {
    e_.at(inst.span);
    storage_.release_temporaries();
    select_(inst);
    ++f_.position;
  }
  if (block == 0) hoist_shared();
  storage_.release_temporaries();
  select_end(block);
  ++f_.position;
}

// A clause of this firing, or ERROR within it, may have called exit().
void ControlFlow::end_on_exit(ir::BlockId block) {
  const std::uint32_t clause = f_.fused.block_clause[block];
  if (clause >= f_.spec.ends_on_exit.size() || !f_.spec.ends_on_exit[clause] ||
      block != f_.fused.clauses[clause].guard) {
    return;
  }
  const Reg state = e_.load(4, e_.map_value({MapKind::kGlobals, 0}, offsetof(Control, state)), 0);
  e_.jump_if_imm(Cond::kEq, state, static_cast<std::int32_t>(State::kDraining), f_.exit);
}

void ControlFlow::select_end(ir::BlockId block) {
  const ir::Terminator& end = f_.fn.blocks[block].end;
  // Behind the last block of a clause stands its cold code.
  const bool last = block + 1 == f_.fn.blocks.size() ||
                    f_.fused.block_clause[block] != f_.fused.block_clause[block + 1];
  const ir::BlockId next = last && !f_.cold.empty() ? ir::kNone : block + 1;
  switch (end.kind) {
    case ir::Terminator::Kind::kReturn:
      e_.jump(f_.exit);
      return;
    case ir::Terminator::Kind::kJump:
      return go(end.then, next);
    case ir::Terminator::Kind::kBranch: {
      if (end.condition == ir::kNone) {
        // What a clause that is passed over leaves as it was: said before the
        // test; a clause that runs says it anew.
        if (!end.otherwise.args.empty()) {
          prepare_to_pass(end);
          pass(end.otherwise);
        }
        guard(block);
        return go(end.then, next);
      }
      prepare_to_pass(end);
      if (end.otherwise.args.empty()) {
        integers_.branch_on(end.condition, f_.labels[end.otherwise.block], false);
        return go(end.then, next);
      }
      const Label then = e_.label();
      integers_.branch_on(end.condition, then, true);
      go(end.otherwise, ir::kNone);
      e_.bind(then);
      return go(end.then, next);
    }
  }
}

// Jumps to the clause's `next` unless the clause applies to this slot. What is
// compared is made from the slot in a way that the verifier does not follow
// back: see outlives_comparison().
void ControlFlow::guard(ir::BlockId block) {
  const Label skip = f_.labels[f_.fn.blocks[block].end.otherwise.block];
  const std::vector<std::uint32_t>& epids = f_.binding().epids;
  const auto applies = [](std::uint32_t id) { return id != 0; };
  const auto first = std::find_if(epids.begin(), epids.end(), applies);
  if (first == epids.end()) return e_.jump(skip);
  if (!f_.spec.slot.valid()) return;
  const auto count = std::count_if(epids.begin(), epids.end(), applies);
  const auto from = static_cast<std::int32_t>(first - epids.begin());
  const auto many = static_cast<std::int32_t>(count);
  if (count == 1) return e_.jump_if_imm(Cond::kNe, values_.complement(f_.spec.slot), ~from, skip);
  if (std::all_of(first, first + count, applies)) {
    // -1 - slot + from + count is what is left to the last slot.
    const Reg left = values_.complement(f_.spec.slot);
    e_.alu_imm(Alu::kAdd, left, from + many);
    return e_.jump_if_imm(Cond::kGe, left, many, skip);
  }
  e_.jump_if_imm(Cond::kEq, facts_.epid(), 0, skip);
}

void ControlFlow::go(const ir::Target& target, ir::BlockId next_in_line) {
  pass(target);
  if (target.block != next_in_line) e_.jump(f_.labels[target.block]);
}

// Gives the target's parameters their values. The parameters of a block are
// not defined yet where a jump to it stands, so no order among them matters.
void ControlFlow::pass(const ir::Target& target) {
  const std::vector<ir::Param>& params = f_.fn.blocks[target.block].params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    Value& to = values_[params[i].id];
    to.type = params[i].type;
    // The first jump decides for all where the parameter is.
    if (to.kind == Value::Kind::kNone && to.type.kind == ir::TypeKind::kInt &&
        values_.keep_in_frame(params[i].id)) {
      to.kind = Value::Kind::kStored;
      to.place = storage_.frame_word(f_.last_use(params[i].id));
    }
    if (to.kind == Value::Kind::kStored) {
      storage_.need_frame();  // who jumped here first has taken it on a way of its own
      e_.store(8, to.place.base, to.place.offset, values_.reg(target.args[i]));
      continue;
    }
    if (!to.reg.valid()) to.reg = e_.reg();
    if (to.type.kind == ir::TypeKind::kInt) {
      to.kind = Value::Kind::kReg;
      const auto known = values_.constant(target.args[i]);
      if (known)
        e_.mov_imm(to.reg, *known);
      else
        e_.mov(to.reg, values_.reg(target.args[i]));
      continue;
    }
    to.kind = Value::Kind::kMemory;
    to.avail = (to.type.size + 7) / 8 * 8;
    to.place = {to.reg, 0};
    const Place from =
        bytes_.in_memory(values_.value(target.args[i]), to.avail, f_.last_use(params[i].id));
    e_.mov(to.reg, f_.address(from));
  }
}

// What passing a string needs is obtained before the branch, for both ways.
void ControlFlow::prepare_to_pass(const ir::Terminator& end) {
  if (f_.unit.budget.store_values && !(end.then.args.empty() && end.otherwise.args.empty())) {
    return storage_.need_frame();
  }
  for (const ir::Target* target : {&end.then, &end.otherwise}) {
    for (const ir::ValueId id : target->args) {
      const Value& v = values_.value(id);
      const std::uint32_t room = (v.type.size + 7) / 8 * 8;
      const bool in_place = v.kind == Value::Kind::kConstString ||
                            (v.kind == Value::Kind::kMemory && v.avail >= room);
      if (v.type.kind != ir::TypeKind::kInt && !in_place) return storage_.need_frame();
    }
  }
}

void ControlFlow::flush_cold() {
  for (std::size_t i = 0; i < f_.cold.size(); ++i) {
    const std::function<void()> todo = std::move(f_.cold[i]);
    todo();
  }
  f_.cold.clear();
}

}  // namespace dt::bpf
