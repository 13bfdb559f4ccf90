// Selector: control flow.

#include "bpf/select/selector.h"

#include <algorithm>

#include "bpf/asm/lir.h"
#include "bpf/layout/frame.h"
#include "bpf/select/firing.h"
#include "support/check.h"

namespace dt::bpf {

Selector::Selector(Unit& unit, FunctionSpec spec, const ir::Fused& fused)
    : unit_(unit), e_(unit.e), spec_(std::move(spec)), fused_(fused), fn_(fused.fn) {}

void Selector::refuse(const std::string& why) {
  if (!unit_.error.empty()) return;
  unit_.error = why;
  unit_.error_span = e_.span();
}

const enabling::ClauseBinding& Selector::binding() const {
  return (*spec_.bindings)[fused_.block_clause[block_]];
}

void Selector::run(Label leave) {
  prepare();
  prepare_scratch();
  prepare_tokens();
  stack_region_ = e_.stack(8);
  key_region_ = e_.stack(longest_stack_key());
  word_ = e_.stack(16);
  frame_ = e_.reg();
  if (spec_.firing != nullptr)
    enter_part(leave);
  else
    e_.mov_imm(frame_, 0);
  tls_ = e_.reg();
  e_.mov_imm(tls_, 0);
  time_ = e_.reg();
  e_.mov_imm(time_, 0);
  if (unit_.numbers_firings && spec_.firing == nullptr && !spec_.is_error) {
    number_ = e_.reg();
    e_.mov_imm(number_, 0);
  }
  prepare_locals();
  for (ir::BlockId b = 0; b < fn_.blocks.size(); b++) {
    if (b > 0 && fused_.block_clause[b] != fused_.block_clause[b - 1]) flush_cold();
    select_block(b);
  }
  flush_cold();
  e_.bind(exit_label_);
  leave_function(leave);
  e_.lir().slots[stack_region_.id] = stack_used_;
}

// Main has taken the frame.
void Selector::enter_part(Label leave) {
  if (unit_.waits) begin_section(e_, unit_.guard);
  e_.mov(frame_, find_frame(e_, spec_.frame_index, word_, leave));
  frame_points_.push_back(0);
  if (spec_.has_slot) {
    spec_.slot = e_.load(8, frame_, static_cast<std::int32_t>(spec_.firing->slot));
  }
}

// Releases what is held and returns.
void Selector::leave_function(Label leave) {
  if (!frame_points_.empty() && spec_.firing == nullptr) {
    e_.jump_if_imm(Cond::kEq, frame_, 0, leave);
    release_frame(e_, frame_);
  }
  e_.bind(leave);
  const bool is_part = spec_.firing != nullptr;
  if (is_part ? unit_.waits : !spec_.is_error)
    end_firing(e_, unit_.guard);
  else
    e_.exit(0);
}

// ---- Blocks -------------------------------------------------------------------

// What several clauses are sure to want is obtained once, before the first.
void Selector::hoist_shared() {
  std::vector<bool> wants(fused_.clauses.size(), false);
  for (ir::BlockId b = 0; b < fn_.blocks.size(); b++) {
    const std::uint32_t clause = fused_.block_clause[b];
    if (clause == ir::kNone) continue;
    for (const ir::Inst& inst : fn_.blocks[b].insts) {
      const bool keyless =
          inst.op == ir::Op::kAggregate && unit_.program.aggregations[inst.index].key_bytes == 0;
      if (keyless) wants[clause] = true;
    }
  }
  if (std::count(wants.begin(), wants.end(), true) >= 2) percpu_block();
}

void Selector::select_block(ir::BlockId block) {
  block_ = block;
  built_key_ = {};
  e_.bind(labels_[block]);
  for (const ir::Inst& inst : fn_.blocks[block].insts) {
    e_.at(inst.span);
    release_temporaries();
    select(inst);
    position_++;
  }
  if (block == 0) hoist_shared();
  release_temporaries();
  select_end(block);
  position_++;
}

void Selector::select(const ir::Inst& inst) {
  if (unit_.thread_at >= 0) refuse_at_other_thread(inst);
  switch (inst.op) {
#define DT_OP(id, name, operands, result, text, family, traits, weight) \
  case ir::Op::id:                                                      \
    return family(inst);
#include "ir/ops.def"
#undef DT_OP
  }
}

void Selector::constant(const ir::Inst& inst) {
  values_[inst.result] = {.kind = Value::Kind::kConst, .type = inst.type, .imm = inst.imm};
}

void Selector::fault(const ir::Inst& inst) {
  const Reg where = inst.args.empty() ? e_.imm(0) : reg(inst.args[0]);
  e_.jump(fault(inst, static_cast<record::Fault>(inst.imm), where));
}

void Selector::select_end(ir::BlockId block) {
  const ir::Terminator& end = fn_.blocks[block].end;
  // Behind the last block of a clause stands its cold code.
  const bool last = block + 1 == fn_.blocks.size() ||
                    fused_.block_clause[block] != fused_.block_clause[block + 1];
  const ir::BlockId next = last && !cold_.empty() ? ir::kNone : block + 1;
  switch (end.kind) {
    case ir::Terminator::Kind::kReturn:
      e_.jump(exit_label_);
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
        branch_on(end.condition, labels_[end.otherwise.block], false);
        return go(end.then, next);
      }
      const Label then = e_.label();
      branch_on(end.condition, then, true);
      go(end.otherwise, ir::kNone);
      e_.bind(then);
      return go(end.then, next);
    }
  }
}

// Jumps to the clause's `next` unless the clause applies to this slot. What is
// compared is made from the slot in a way that the verifier does not follow
// back: see outlives_comparison().
void Selector::guard(ir::BlockId block) {
  const Label skip = labels_[fn_.blocks[block].end.otherwise.block];
  const std::vector<std::uint32_t>& epids = binding().epids;
  const auto applies = [](std::uint32_t id) { return id != 0; };
  const auto first = std::find_if(epids.begin(), epids.end(), applies);
  if (first == epids.end()) return e_.jump(skip);
  if (!spec_.slot.valid()) return;
  const auto count = std::count_if(epids.begin(), epids.end(), applies);
  const auto from = static_cast<std::int32_t>(first - epids.begin());
  const auto many = static_cast<std::int32_t>(count);
  if (count == 1) return e_.jump_if_imm(Cond::kNe, complement(spec_.slot), ~from, skip);
  if (std::all_of(first, first + count, applies)) {
    // -1 - slot + from + count is what is left to the last slot.
    const Reg left = complement(spec_.slot);
    e_.alu_imm(Alu::kAdd, left, from + many);
    return e_.jump_if_imm(Cond::kGe, left, many, skip);
  }
  e_.jump_if_imm(Cond::kEq, epid(), 0, skip);
}

void Selector::go(const ir::Target& target, ir::BlockId next_in_line) {
  pass(target);
  if (target.block != next_in_line) e_.jump(labels_[target.block]);
}

// Gives the target's parameters their values. The parameters of a block are
// not defined yet where a jump to it stands, so no order among them matters.
void Selector::pass(const ir::Target& target) {
  const std::vector<ir::Param>& params = fn_.blocks[target.block].params;
  for (std::size_t i = 0; i < params.size(); i++) {
    Value& to = values_[params[i].id];
    to.type = params[i].type;
    // The first jump decides for all where the parameter is.
    if (to.kind == Value::Kind::kNone && to.type.kind == ir::TypeKind::kInt &&
        keep_in_frame(params[i].id)) {
      to.kind = Value::Kind::kStored;
      to.place = frame_word(last_use(params[i].id));
    }
    if (to.kind == Value::Kind::kStored) {
      need_frame();  // who jumped here first has taken it on a way of its own
      e_.store(8, to.place.base, to.place.offset, reg(target.args[i]));
      continue;
    }
    if (!to.reg.valid()) to.reg = e_.reg();
    if (to.type.kind == ir::TypeKind::kInt) {
      to.kind = Value::Kind::kReg;
      const auto known = constant(target.args[i]);
      if (known)
        e_.mov_imm(to.reg, *known);
      else
        e_.mov(to.reg, reg(target.args[i]));
      continue;
    }
    to.kind = Value::Kind::kMemory;
    to.avail = (to.type.size + 7) / 8 * 8;
    to.place = {to.reg, 0};
    const Place from = in_memory(value(target.args[i]), to.avail, last_use(params[i].id));
    e_.mov(to.reg, address(from));
  }
}

// What passing a string needs is obtained before the branch, for both ways.
void Selector::prepare_to_pass(const ir::Terminator& end) {
  if (unit_.budget.store_values && !(end.then.args.empty() && end.otherwise.args.empty())) {
    return need_frame();
  }
  for (const ir::Target* target : {&end.then, &end.otherwise}) {
    for (const ir::ValueId id : target->args) {
      const Value& v = value(id);
      const std::uint32_t room = (v.type.size + 7) / 8 * 8;
      const bool in_place = v.kind == Value::Kind::kConstString ||
                            (v.kind == Value::Kind::kMemory && v.avail >= room);
      if (v.type.kind != ir::TypeKind::kInt && !in_place) return need_frame();
    }
  }
}

void Selector::flush_cold() {
  for (std::size_t i = 0; i < cold_.size(); i++) {
    const Todo todo = std::move(cold_[i]);
    todo();
  }
  cold_.clear();
}

}  // namespace dt::bpf
