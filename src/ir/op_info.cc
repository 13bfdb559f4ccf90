// The table of operations.

#include "ir/op_info.h"

namespace dt::ir {

namespace {

using enum OpInfo::Trait;
using enum OpInfo::Weight;

constexpr OpInfo kOps[] = {
#define DT_OP(id, name, operands, result, text, family, traits, weight) \
  {name, operands, result, text, traits, weight},
#include "ir/ops.def"
#undef DT_OP
};

const SubroutineInfo& called(const Inst& inst) {
  return subroutine_info(static_cast<Subroutine>(inst.index));
}

}  // namespace

const OpInfo& op_info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

const char* op_name(Op op) { return op_info(op).name; }

bool may_fault(const Inst& inst) {
  if (has_trait(inst.op, kBySubroutine)) return called(inst).may_fault;
  return has_trait(inst.op, kFaults);
}

bool has_effect(const Inst& inst) {
  if (has_trait(inst.op, kBySubroutine)) return called(inst).has_effect;
  return has_trait(inst.op, kEffect);
}

bool may_read_user(const Inst& inst) {
  if (inst.op == Op::kBuiltin) return inst.builtin == Builtin::kExecargs;
  if (inst.op != Op::kCall) return has_trait(inst.op, kMayReadUser);
  const auto which = static_cast<Subroutine>(inst.index);
  return which == Subroutine::kMemstr || which == Subroutine::kMemstrUser;
}

bool reads_memory(Op op) { return has_trait(op, kReadsMemory); }
bool writes_memory(Op op) { return has_trait(op, kWritesMemory); }
bool uses_scratch(Op op) { return has_trait(op, kUsesScratch) || writes_memory(op); }
bool reads_variable(Op op) { return has_trait(op, kReadsVariable); }
bool writes_variable(Op op) { return has_trait(op, kWritesVariable); }

}  // namespace dt::ir
