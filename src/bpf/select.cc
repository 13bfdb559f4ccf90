// Selector: what is known before code is written, and control flow.

#include "bpf/select.h"

#include <algorithm>

#include "bpf/lir.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::size_t kManyBranches = 8;

bool is_compare(ir::Op op) {
  switch (op) {
    case ir::Op::kEq:
    case ir::Op::kNe:
    case ir::Op::kLtS:
    case ir::Op::kLeS:
    case ir::Op::kLtU:
    case ir::Op::kLeU:
      return true;
    default:
      return false;
  }
}

}  // namespace

Selector::Selector(Unit& unit, FunctionSpec spec, const ir::Fused& fused)
    : unit_(unit), e_(unit.e), spec_(std::move(spec)), fused_(fused), fn_(fused.fn) {}

void Selector::refuse(const std::string& why) {
  if (unit_.error.empty()) unit_.error = why;
}

const enabling::ClauseBinding& Selector::binding() const {
  return (*spec_.bindings)[fused_.block_clause[block_]];
}

void Selector::run(Label leave) {
  prepare();
  stack_region_ = e_.stack(8);
  key_region_ = e_.stack(longest_stack_key());
  word_ = e_.stack(16);
  frame_ = e_.reg();
  e_.mov_imm(frame_, 0);
  tls_ = e_.reg();
  e_.mov_imm(tls_, 0);
  time_ = e_.reg();
  e_.mov_imm(time_, 0);
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

// Of the keys that are built on the stack.
std::uint32_t Selector::longest_stack_key() const {
  std::uint32_t longest = 8;
  for (const ir::Block& block : fn_.blocks) {
    for (const ir::Inst& inst : block.insts) {
      const bool is_variable = inst.op == ir::Op::kLoad || inst.op == ir::Op::kStore ||
                               inst.op == ir::Op::kAtomicAdd;
      std::uint32_t bytes = 0;
      if (inst.op == ir::Op::kAggregate) bytes = unit_.memory.aggs[inst.index].key_bytes;
      if (is_variable) bytes = unit_.memory.assocs[inst.index].key_bytes;
      if (bytes <= unit_.budget.key) longest = std::max(longest, bytes);
    }
  }
  return longest;
}

// Releases what is held and returns.
void Selector::leave_function(Label leave) {
  if (!frame_points_.empty()) {
    e_.jump_if_imm(Cond::kEq, frame_, 0, leave);
    e_.store_imm(8, frame_, 0, 0);
  }
  e_.bind(leave);
  e_.exit(0);
}

// ---- Before code is written --------------------------------------------------

void Selector::prepare() {
  values_.resize(fn_.value_count);
  types_.resize(fn_.value_count);
  uses_.assign(fn_.value_count, 0);
  def_.assign(fn_.value_count, nullptr);
  def_block_.assign(fn_.value_count, 0);
  fused_compare_.assign(fn_.value_count, false);
  equality_only_.assign(fn_.value_count, true);
  may_alias_.assign(fn_.value_count, false);
  for (std::size_t b = 0; b < fn_.blocks.size(); b++) labels_.push_back(e_.label());
  exit_label_ = e_.label();
  for (const ir::Block& block : fn_.blocks) {
    const auto index = static_cast<ir::BlockId>(&block - fn_.blocks.data());
    for (const ir::Param& param : block.params) {
      types_[param.id] = param.type;
      def_block_[param.id] = index;
    }
    for (const ir::Inst& inst : block.insts) {
      if (inst.result != ir::kNone) {
        types_[inst.result] = inst.type;
        def_[inst.result] = &inst;
        def_block_[inst.result] = index;
      }
      const bool against_zero = (inst.op == ir::Op::kEq || inst.op == ir::Op::kNe) &&
                                is_zero_constant(inst.args[1]);
      for (std::size_t i = 0; i < inst.args.size(); i++) {
        uses_[inst.args[i]]++;
        if (!against_zero || i != 0) equality_only_[inst.args[i]] = false;
      }
    }
    const auto use = [&](ir::ValueId id) {
      uses_[id]++;
      equality_only_[id] = false;
    };
    if (block.end.condition != ir::kNone) {
      uses_[block.end.condition]++;
      // A branch asks whether it is zero, which is equality.
    }
    for (const ir::ValueId id : block.end.then.args) use(id);
    for (const ir::ValueId id : block.end.otherwise.args) use(id);
  }
  std::size_t branches = 0;
  for (const ir::Block& block : fn_.blocks) {
    const ir::ValueId condition = block.end.condition;
    if (block.end.kind != ir::Terminator::Kind::kBranch || condition == ir::kNone) continue;
    branches++;
    for (const ir::Inst& inst : block.insts) {
      if (inst.result != condition) continue;
      fused_compare_[condition] = uses_[condition] == 1 && is_compare(inst.op);
    }
  }
  is_branchy_ = branches > kManyBranches;
  find_last_uses();
  find_dominators();
}

// Positions count instructions and terminators in order. A value that another
// may be an alias of is needed as long as that one.
void Selector::find_last_uses() {
  last_use_.assign(fn_.value_count, 0);
  std::uint32_t position = 0;
  for (const ir::Block& block : fn_.blocks) {
    position += static_cast<std::uint32_t>(block.insts.size()) + 1;
  }
  const auto use = [&](ir::ValueId id, std::uint32_t at) {
    last_use_[id] = std::max(last_use_[id], at);
  };
  // Per variable: has a store to it been met further down in this block?
  for (std::size_t b = fn_.blocks.size(); b-- > 0;) {
    const ir::Block& block = fn_.blocks[b];
    position--;
    const std::uint32_t end = position;
    if (block.end.condition != ir::kNone) use(block.end.condition, end);
    for (const ir::Target* target : {&block.end.then, &block.end.otherwise}) {
      for (std::size_t i = 0; i < target->args.size(); i++) {
        use(target->args[i], std::max(end, last_use_[fn_.blocks[target->block].params[i].id]));
      }
    }
    std::uint32_t store = end;  // the next store below, of any variable
    for (std::size_t i = block.insts.size(); i-- > 0;) {
      const ir::Inst& inst = block.insts[i];
      position--;
      if (inst.op == ir::Op::kLoad && inst.type.kind != ir::TypeKind::kInt) {
        may_alias_[inst.result] = last_use_[inst.result] <= store;
      }
      if (inst.op == ir::Op::kStore) store = position;
      for (const ir::ValueId id : inst.args) {
        use(id, position);
        if (inst.op == ir::Op::kToString) use(id, last_use_[inst.result]);
        // A comparison that is made by the branch reads its operands there.
        if (inst.result != ir::kNone && fused_compare_[inst.result]) use(id, end);
      }
    }
  }
}

// Every jump goes forward, so one pass in block order is enough.
void Selector::find_dominators() {
  idom_.assign(fn_.blocks.size(), ir::kNone);
  const auto meet = [&](ir::BlockId a, ir::BlockId b) {
    while (a != b) {
      if (a > b) a = idom_[a];
      else b = idom_[b];
    }
    return a;
  };
  const auto edge = [&](ir::BlockId from, ir::BlockId to) {
    idom_[to] = idom_[to] == ir::kNone ? from : meet(idom_[to], from);
  };
  idom_[0] = 0;
  for (ir::BlockId b = 0; b < fn_.blocks.size(); b++) {
    const ir::Terminator& end = fn_.blocks[b].end;
    if (end.kind == ir::Terminator::Kind::kReturn) continue;
    edge(b, end.then.block);
    if (end.kind == ir::Terminator::Kind::kBranch) edge(b, end.otherwise.block);
  }
}

bool Selector::dominates(ir::BlockId a, ir::BlockId b) const {
  while (b > a) b = idom_[b];
  return a == b;
}

// Whether what was obtained in `from` is there in the current block. A fault
// may leave a clause anywhere, so nothing is taken over from another clause
// but from the entry.
bool Selector::usable(ir::BlockId from) const {
  const std::uint32_t clause = fused_.block_clause[from];
  return (clause == ir::kNone || clause == fused_.block_clause[block_]) && dominates(from, block_);
}

// ---- Blocks -------------------------------------------------------------------

// What several clauses are sure to want is obtained once, before the first.
void Selector::hoist_shared() {
  std::vector<bool> wants(fused_.clauses.size(), false);
  for (ir::BlockId b = 0; b < fn_.blocks.size(); b++) {
    const std::uint32_t clause = fused_.block_clause[b];
    if (clause == ir::kNone) continue;
    for (const ir::Inst& inst : fn_.blocks[b].insts) {
      const bool keyless = inst.op == ir::Op::kAggregate &&
                           unit_.program.aggregations[inst.index].key_bytes == 0;
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
  using ir::Op;
  switch (inst.op) {
    case Op::kConst:
      values_[inst.result] = {.kind = Value::Kind::kConst, .type = inst.type, .imm = inst.imm};
      return;
    case Op::kAdd: case Op::kSub: case Op::kMul: case Op::kAnd: case Op::kOr: case Op::kXor:
    case Op::kShl: case Op::kShrS: case Op::kShrU: case Op::kNeg: case Op::kNot:
    case Op::kExtend:
      return integer(inst);
    case Op::kDivS: case Op::kDivU: case Op::kRemS: case Op::kRemU:
      return divide(inst);
    case Op::kEq: case Op::kNe: case Op::kLtS: case Op::kLeS: case Op::kLtU: case Op::kLeU:
      return compare(inst);
    case Op::kBuiltin: return builtin(inst);
    case Op::kString: return string_literal(inst);
    case Op::kStrCmp: return string_compare(inst);
    case Op::kLoadKernel: case Op::kLoadUser: return probe_integer(inst);
    case Op::kCopyinstr: case Op::kKernelString: return probe_string(inst);
    case Op::kCopyin: case Op::kKernelBytes: return probe_bytes(inst);
    case Op::kToString: return to_string(inst);
    case Op::kStack: case Op::kUstack: return stack(inst);
    case Op::kUserAddr: return user_address(inst);
    case Op::kLoad: case Op::kStore: case Op::kAtomicAdd: return variable(inst);
    case Op::kAggregate: return aggregate(inst);
    case Op::kEmit: return emit(inst);
    case Op::kExit: return exit(inst);
    case Op::kFault: {
      const Reg where = inst.args.empty() ? e_.imm(0) : reg(inst.args[0]);
      return e_.jump(fault(inst, static_cast<record::Fault>(inst.imm), where));
    }
  }
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
      to.place = frame_place(8, last_use(params[i].id));
    }
    if (to.kind == Value::Kind::kStored) {
      e_.store(8, to.place.base, to.place.offset, reg(target.args[i]));
      continue;
    }
    if (!to.reg.valid()) to.reg = e_.reg();
    if (to.type.kind == ir::TypeKind::kInt) {
      to.kind = Value::Kind::kReg;
      const auto known = constant(target.args[i]);
      if (known) e_.mov_imm(to.reg, *known);
      else e_.mov(to.reg, reg(target.args[i]));
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
