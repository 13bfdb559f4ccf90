// Integers and pointers: everything that fits a register.

#include "d/lower/lowerer.h"
#include "support/check.h"

namespace dt::d {

using ir::ValueId;

namespace {

bool fits(std::int64_t value, const ir::Type& type) {
  if (type.size == 8) {
    return true;
  }
  const std::int64_t span = std::int64_t{1} << (type.size * 8 - (type.is_signed ? 1 : 0));
  return value < span && value >= (type.is_signed ? -span : 0);
}

// Whether every value of `from` is one of `to`.
bool within(const ir::Type& from, const ir::Type& to) {
  if (to.size == 8) {
    return true;  // the same register, called by another name
  }
  if (from.is_signed == to.is_signed) {
    return from.size <= to.size;
  }
  return to.is_signed && from.size < to.size;
}

}  // namespace

ValueId Lowerer::convert(ValueId value, ir::Type type) {
  return within(b_->type_of(value), type) ? value : b_->extend(value, type);
}

ValueId Lowerer::convert_to(ValueId value, types::TypeId type) {
  if (rules_.at(type).is_bool) {
    value = b_->binary(ir::Op::kNe, value, b_->constant(0), ir::Type::s32());
  }
  return convert(value, rules_.ir_type(type));
}

ValueId Lowerer::operation(ir::Op op, ir::Type type, std::vector<ValueId> args) {
  ir::Inst inst;
  inst.op = op;
  inst.type = type;
  inst.args = std::move(args);
  return b_->add(std::move(inst));
}

ValueId Lowerer::constant(const Expr* e) {
  ir::Type type = rules_.ir_type(e->type);
  const auto number = static_cast<std::int64_t>(e->int_value);
  if (!fits(number, type)) {
    type = ir::Type::integer(8, type.is_signed);
  }
  return b_->constant(number, type);
}

ValueId Lowerer::value(const Expr* e) {
  b_->at(e->span);
  if (e->is_constant) {
    return constant(e);
  }
  if (is_translated(e)) {
    return translated_truth(e);
  }
  if (is_expanded(e)) {
    return value(unfold(e));
  }
  switch (e->kind) {
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
      return identifier(e);
    case ExprKind::kIndex:
      return e->symbol != Symbol::kUnresolved ? identifier(e) : load_lvalue(e);
    case ExprKind::kMember:
    case ExprKind::kScoped:
      return load_lvalue(e);
    case ExprKind::kUnary:
      return unary(e);
    case ExprKind::kPostfix:
      return increment(e, true);
    case ExprKind::kBinary:
      return binary(e);
    case ExprKind::kAssign:
      return assign(e, true);
    case ExprKind::kTernary:
      return ternary(e, Arms::kRegisters);
    case ExprKind::kComma:
      effect(e->args[0]);
      return value(e->args[1]);
    case ExprKind::kCall:
      return subroutine(e);
    case ExprKind::kCast:
      return cast(e);
    default:
      DT_UNREACHABLE("expression of kind {}", static_cast<int>(e->kind));
  }
}

ValueId Lowerer::identifier(const Expr* e) {
  switch (e->symbol) {
    case Symbol::kRegister:
      return register_element(e);
    case Symbol::kBuiltin: {
      if (e->kind == ExprKind::kIndex) {  // args[n]
        return convert(b_->builtin(ir::Builtin::kArg, static_cast<std::int64_t>(e->int_value)),
                       rules_.ir_type(e->type));
      }
      const BuiltinInfo& info = builtin_table()[e->index];
      return b_->builtin(info.builtin, info.number);
    }
    case Symbol::kParameter:
      return bound_.at(e->slot);
    default:
      return load_variable(e);
  }
}

ValueId Lowerer::truth(const Expr* e) {
  if (const auto found = find(e)) {
    return b_->binary(ir::Op::kLeS, b_->constant(0), found->position, ir::Type::s32());
  }
  if (!rules_.is_string(e->type)) {
    return rules_.kind(e->type) == types::Kind::kArray ? address(e) : value(e);
  }
  const ValueId text = string(e);
  const ValueId order = operation(ir::Op::kStrCmp, ir::Type::s32(), {text, string_constant("")});
  return b_->binary(ir::Op::kNe, order, b_->constant(0, ir::Type::s32()), ir::Type::s32());
}

ValueId Lowerer::unary(const Expr* e) {
  const Expr* operand = e->args[0];
  switch (e->op) {
    case Op::kInc:
    case Op::kDec:
      return increment(e, true);
    case Op::kDeref:
      return load_lvalue(e);
    case Op::kAddrOf:
      return address(operand);
    case Op::kNot: {
      const ValueId is_true = truth(operand);
      return b_->binary(ir::Op::kEq, is_true, b_->constant(0, ir::Type::s32()), ir::Type::s32());
    }
    case Op::kPlus:
      return value(operand);
    default: {
      const ValueId v = value(operand);
      b_->at(e->span);
      return b_->unary(e->op == Op::kNeg ? ir::Op::kNeg : ir::Op::kNot, v,
                       ir::Type::integer(8, rules_.is_signed(e->type)));
    }
  }
}

ValueId Lowerer::scale(ValueId v, std::uint64_t size) {
  if (size <= 1) {
    return v;
  }
  return b_->binary(ir::Op::kMul, v, b_->constant(static_cast<std::int64_t>(size)),
                    ir::Type::s64());
}

ValueId Lowerer::binary(const Expr* e) {
  switch (e->op) {
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      return comparison(e);
    case Op::kLogAnd:
    case Op::kLogOr:
    case Op::kLogXor:
      return logical(e);
    default:
      break;
  }
  const ValueId a = value(e->args[0]);
  const ValueId b = value(e->args[1]);
  b_->at(e->span);
  if (rules_.is_pointer(e->args[0]->type) || rules_.is_pointer(e->args[1]->type)) {
    return pointer_offset(e, a, b);
  }
  return arithmetic(e->op, a, b, e->type);
}

ValueId Lowerer::pointer_offset(const Expr* e, ValueId a, ValueId b) {
  const bool left = rules_.is_pointer(e->args[0]->type);
  const bool right = rules_.is_pointer(e->args[1]->type);
  const std::uint64_t size = rules_.size(rules_.pointee(e->args[left ? 0 : 1]->type));
  if (left && right) {
    const ValueId bytes = b_->binary(ir::Op::kSub, a, b, ir::Type::s64());
    if (size <= 1) {
      return bytes;
    }
    return b_->binary(ir::Op::kDivS, bytes, b_->constant(static_cast<std::int64_t>(size)),
                      ir::Type::s64());
  }
  if (left) {
    return b_->binary(e->op == Op::kAdd ? ir::Op::kAdd : ir::Op::kSub, a, scale(b, size),
                      ir::Type::u64());
  }
  return b_->binary(ir::Op::kAdd, scale(a, size), b, ir::Type::u64());
}

ValueId Lowerer::arithmetic(Op op, ValueId a, ValueId b, types::TypeId result) {
  const bool is_signed = rules_.is_signed(result);
  ir::Op to = ir::Op::kAdd;
  switch (op) {
    case Op::kAdd:
      to = ir::Op::kAdd;
      break;
    case Op::kSub:
      to = ir::Op::kSub;
      break;
    case Op::kMul:
      to = ir::Op::kMul;
      break;
    case Op::kDiv:
      to = is_signed ? ir::Op::kDivS : ir::Op::kDivU;
      break;
    case Op::kMod:
      to = is_signed ? ir::Op::kRemS : ir::Op::kRemU;
      break;
    case Op::kShl:
      to = ir::Op::kShl;
      break;
    case Op::kShr:
      to = is_signed ? ir::Op::kShrS : ir::Op::kShrU;
      break;
    case Op::kAnd:
      to = ir::Op::kAnd;
      break;
    case Op::kOr:
      to = ir::Op::kOr;
      break;
    case Op::kXor:
      to = ir::Op::kXor;
      break;
    default:
      DT_UNREACHABLE("operator {}", op_text(op));
  }
  return b_->binary(to, a, b, ir::Type::integer(8, is_signed));
}

ValueId Lowerer::comparison(const Expr* e) {
  const Expr* left = e->args[0];
  const Expr* right = e->args[1];
  const bool strings = rules_.is_string(left->type) || rules_.is_string(right->type) ||
                       (rules_.is_char_array(left->type) && rules_.is_char_array(right->type));
  if (e->op == Op::kEq || e->op == Op::kNe) {
    if (const auto result = null_test(e)) {
      return *result;
    }
  }
  ValueId a = 0;
  ValueId b = 0;
  bool is_signed = true;
  if (strings) {
    const ValueId x = string(left);
    const ValueId y = string(right);
    b_->at(e->span);
    a = operation(ir::Op::kStrCmp, ir::Type::s32(), {x, y});
    b = b_->constant(0, ir::Type::s32());
  } else {
    a = value(left);
    b = value(right);
    b_->at(e->span);
    is_signed = rules_.is_integer(left->type) && rules_.is_integer(right->type) &&
                rules_.is_signed(rules_.usual(left->type, right->type));
  }
  const ir::Op less = is_signed ? ir::Op::kLtS : ir::Op::kLtU;
  const ir::Op less_equal = is_signed ? ir::Op::kLeS : ir::Op::kLeU;
  switch (e->op) {
    case Op::kEq:
      return b_->binary(ir::Op::kEq, a, b, ir::Type::s32());
    case Op::kNe:
      return b_->binary(ir::Op::kNe, a, b, ir::Type::s32());
    case Op::kLt:
      return b_->binary(less, a, b, ir::Type::s32());
    case Op::kLe:
      return b_->binary(less_equal, a, b, ir::Type::s32());
    case Op::kGt:
      return b_->binary(less, b, a, ir::Type::s32());
    default:
      return b_->binary(less_equal, b, a, ir::Type::s32());
  }
}

ValueId Lowerer::logical(const Expr* e) {
  const auto bit = [this](const Expr* operand) {
    const ValueId is_true = truth(operand);
    return b_->binary(ir::Op::kNe, is_true, b_->constant(0, ir::Type::s32()), ir::Type::s32());
  };
  if (e->op == Op::kLogXor) {
    const ValueId a = bit(e->args[0]);
    const ValueId b = bit(e->args[1]);
    return b_->binary(ir::Op::kXor, a, b, ir::Type::s32());
  }
  const ir::BlockId yes = b_->block();
  const ir::BlockId no = b_->block();
  const ir::BlockId join = b_->block();
  const ValueId result = b_->param(join, ir::Type::s32());
  condition(e, yes, no);
  b_->enter(yes);
  b_->jump(join, {b_->constant(1, ir::Type::s32())});
  b_->enter(no);
  b_->jump(join, {b_->constant(0, ir::Type::s32())});
  b_->enter(join);
  return result;
}

ValueId Lowerer::ternary(const Expr* e, Arms arms) {
  const ir::BlockId blocks[] = {b_->block(), b_->block()};
  const ir::BlockId join = b_->block();
  condition(e->args[0], blocks[0], blocks[1]);
  const std::uint32_t size = arms == Arms::kStrings ? capacity(e) : 0;
  ValueId values[2] = {};
  ir::BlockId ends[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    b_->enter(blocks[i]);
    const Expr* arm = e->args[i + 1];
    if (arms == Arms::kStrings) {
      values[i] = fit(string(arm), size);
    } else if (arms == Arms::kBytes) {
      values[i] = bytes_of(arm);
    } else {
      values[i] = rules_.kind(arm->type) == types::Kind::kArray ? address(arm) : value(arm);
    }
    ends[i] = b_->current();
  }
  ir::Type type = b_->type_of(values[0]);
  if (arms == Arms::kRegisters && type != b_->type_of(values[1])) {
    type = ir::Type::integer(8, rules_.is_signed(e->type));
  }
  const ValueId result = b_->param(join, type);
  for (std::size_t i = 0; i < 2; ++i) {
    b_->enter(ends[i]);
    b_->jump(join, {values[i]});
  }
  b_->enter(join);
  return result;
}

ValueId Lowerer::cast(const Expr* e) {
  const Expr* operand = e->args[0];
  if (rules_.is_void(e->type)) {
    effect(operand);
    return b_->constant(0);
  }
  const ValueId v = value(operand);
  b_->at(e->span);
  return convert_to(v, e->type);
}

ValueId Lowerer::swap_bytes(ValueId v, std::uint32_t size) {
  ValueId result = ir::kNone;
  for (std::uint32_t i = 0; i < size; ++i) {
    ValueId byte = v;
    if (i > 0) {
      byte = b_->binary(ir::Op::kShrU, byte, b_->constant(8 * i), ir::Type::u64());
    }
    byte = b_->binary(ir::Op::kAnd, byte, b_->constant(0xff), ir::Type::u64());
    if (i + 1 < size) {
      byte = b_->binary(ir::Op::kShl, byte, b_->constant(8 * (size - 1 - i)), ir::Type::u64());
    }
    result = i == 0 ? byte : b_->binary(ir::Op::kOr, result, byte, ir::Type::u64());
  }
  return result;
}

ValueId Lowerer::subroutine(const Expr* e) {
  const Fn fn = static_cast<Fn>(e->index);
  switch (fn) {
    case Fn::kHtons:
    case Fn::kNtohs:
      return swap_bytes(value(e->args[0]), 2);
    case Fn::kHtonl:
    case Fn::kNtohl:
      return swap_bytes(value(e->args[0]), 4);
    case Fn::kHtonll:
    case Fn::kNtohll:
      return swap_bytes(value(e->args[0]), 8);
    case Fn::kSpeculation:
      program_.speculations = world_.speculations;
      return operation(ir::Op::kSpeculation, ir::Type::s32(), {});
    case Fn::kAlloca:
    case Fn::kBcopy:
    case Fn::kCopyin:
    case Fn::kCopyinto:
    case Fn::kCopyout:
    case Fn::kCopyoutstr:
    case Fn::kMemref:
      return scratch_subroutine(e);
    case Fn::kGetf:
    case Fn::kGetmajor:
    case Fn::kGetminor:
    case Fn::kMutexOwned:
    case Fn::kMutexOwner:
    case Fn::kMutexTypeAdaptive:
    case Fn::kMutexTypeSpin:
    case Fn::kPidVnr:
    case Fn::kProgenyof:
    case Fn::kRand:
    case Fn::kRwIswriter:
    case Fn::kRwReadHeld:
    case Fn::kRwWriteHeld:
    case Fn::kTaskPidVnr:
    case Fn::kTaskTgidVnr:
      return kernel_subroutine(e);
    default:
      return integer_subroutine(e);
  }
}

}  // namespace dt::d
