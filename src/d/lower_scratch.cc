// Scratch memory: alloca(), copyin() and the like, and stores by pointer.

#include <algorithm>

#include "d/lowerer.h"

namespace dt::d {

using ir::ValueId;

ValueId Lowerer::allocate(ValueId size, bool cleared) {
  ir::Inst inst;
  inst.op = ir::Op::kAlloca;
  inst.type = ir::Type::u64();
  inst.args = {size};
  inst.imm = cleared ? 0 : 1;
  return b_->add(std::move(inst));
}

// Copies `size` bytes from what the expression `from`, lowered to `source`, points to.
void Lowerer::copy(const Expr* from, ValueId source, ValueId place, ValueId size) {
  operation(points_to_user(from) ? ir::Op::kCopyUser : ir::Op::kCopyKernel, ir::Type::none(),
            {place, source, size});
}

ValueId Lowerer::scratch_subroutine(const Expr* e) {
  if (static_cast<Fn>(e->index) == Fn::kCopyoutstr) {
    const ValueId text = string(e->args[0]);
    const ValueId to = value(e->args[1]);
    const ValueId max = value(e->args[2]);
    b_->at(e->span);
    operation(ir::Op::kCopyoutString, ir::Type::none(), {text, to, max});
    return ir::kNone;
  }
  std::vector<ValueId> args;
  for (const Expr* argument : e->args) {
    args.push_back(value(argument));
  }
  b_->at(e->span);
  switch (static_cast<Fn>(e->index)) {
    case Fn::kAlloca:
      return allocate(args[0], true);
    case Fn::kBcopy:
      copy(e->args[0], args[0], args[1], args[2]);
      return ir::kNone;
    case Fn::kCopyin: {
      const ValueId place = allocate(args[1], false);
      operation(ir::Op::kCopyUser, ir::Type::none(), {place, args[0], args[1]});
      return place;
    }
    case Fn::kCopyinto:
      operation(ir::Op::kCopyUser, ir::Type::none(), {args[2], args[0], args[1]});
      return ir::kNone;
    case Fn::kCopyout:
      operation(ir::Op::kCopyout, ir::Type::none(), {args[0], args[1], args[2]});
      return ir::kNone;
    case Fn::kMemref: {  // an address and a size, side by side
      const ValueId place = allocate(b_->constant(16), false);
      const types::TypeId word = world_.types.integer(8, false);
      store_memory(place, word, args[0]);
      const ValueId second = b_->binary(ir::Op::kAdd, place, b_->constant(8), ir::Type::u64());
      store_memory(second, word, args[1]);
      return place;
    }
    default:
      DT_UNREACHABLE("subroutine {}", e->text);
  }
}

// ---- Stores by pointer ----------------------------------------------------------

void Lowerer::store_memory(ValueId place, types::TypeId type, ValueId value) {
  ir::Inst inst;
  inst.op = ir::Op::kStoreScratch;
  inst.args = {place, value};
  inst.imm = rules_.ir_type(type).size;
  b_->add(std::move(inst));
}

ValueId Lowerer::assign_memory(const Expr* e) {
  const Expr* target = e->args[0];
  const Expr* from = e->args[1];
  const ValueId place = address(target);
  if (e->op == Op::kNone) {
    const ValueId v = convert_to(value(from), target->type);
    b_->at(e->span);
    store_memory(place, target->type, v);
    return v;
  }
  ValueId operand = value(from);
  b_->at(e->span);
  types::TypeId type = target->type;
  if (rules_.is_pointer(target->type)) {
    operand = scale(operand, rules_.size(rules_.pointee(target->type)));
  } else {
    type = e->op == Op::kShl || e->op == Op::kShr ? rules_.promote(target->type)
                                                  : rules_.usual(target->type, from->type);
  }
  const ValueId old = load_memory(place, rules_.ir_type(target->type), false);
  const ValueId v = convert_to(arithmetic(e->op, old, operand, type), target->type);
  store_memory(place, target->type, v);
  return v;
}

ValueId Lowerer::increment_memory(const Expr* e) {
  const Expr* target = e->args[0];
  const ValueId place = address(target);
  b_->at(e->span);
  std::int64_t amount = 1;
  if (rules_.is_pointer(target->type)) {
    amount = std::max<std::int64_t>(1, rules_.size(rules_.pointee(target->type)));
  }
  const ir::Type type = rules_.ir_type(target->type);
  const ValueId old = load_memory(place, type, false);
  const ValueId sum = b_->binary(e->op == Op::kDec ? ir::Op::kSub : ir::Op::kAdd, old,
                                 b_->constant(amount), ir::Type::integer(8, type.is_signed));
  const ValueId v = convert_to(sum, target->type);
  store_memory(place, target->type, v);
  return e->kind == ExprKind::kPostfix ? old : v;
}

}  // namespace dt::d
