// Operators, literals and members.

#include <limits>

#include "d/check/array_place.h"
#include "d/check/checker.h"
#include "d/check/fold.h"
#include "d/meaning/object.h"

namespace dt::d {

using types::TypeId;

void Checker::expr(Expr* e, Wanted wanted) {
  if (diagnostics_.full()) {
    return;
  }
  switch (e->kind) {
    case ExprKind::kAssign:
      if (e->args[0]->kind == ExprKind::kAggregation) {
        if (!wanted.statement) {
          error("D_AGG_NULL", e->span,
                "an aggregation may be assigned in a statement of its own only");
          return;
        }
        aggregate(e);
        return;
      }
      assign(e);
      return;
    case ExprKind::kCall:
      call(e, wanted.statement);
      return;
    default:
      dispatch(e);
  }
  if (e->translation != 0 && !wanted.translation) {
    refuse_whole(e);
  }
}

void Checker::dispatch(Expr* e) {
  switch (e->kind) {
    case ExprKind::kInt:
      int_literal(e);
      return;
    case ExprKind::kFloat:
      error("D_SYNTAX", e->span, "floating-point constants are not permitted in D programs");
      return;
    case ExprKind::kString:
      e->type = world_.types.string_type();
      return;
    case ExprKind::kIdent:
      identifier(e);
      return;
    case ExprKind::kScoped:
      kernel_symbols_.resolve(e, false);
      return;
    case ExprKind::kThreadVar:
      variable(e, ir::Scope::kThread);
      return;
    case ExprKind::kClauseVar:
      variable(e, ir::Scope::kClause);
      return;
    case ExprKind::kAggregation:
      aggregation_use(e);
      return;
    case ExprKind::kUnary:
      unary(e);
      return;
    case ExprKind::kPostfix:
      increment(e, e->args[0]);
      return;
    case ExprKind::kBinary:
      binary(e);
      return;
    case ExprKind::kTernary:
      ternary(e);
      return;
    case ExprKind::kComma:
      comma(e);
      return;
    case ExprKind::kIndex:
      index(e);
      return;
    case ExprKind::kMember:
      member(e);
      return;
    case ExprKind::kCast:
      cast(e);
      return;
    case ExprKind::kSizeofType:
    case ExprKind::kSizeofExpr:
      size_of(e);
      return;
    case ExprKind::kOffsetof:
      offset_of(e);
      return;
    case ExprKind::kStringof:
      stringof(e);
      return;
    case ExprKind::kXlate:
      xlate(e);
      return;
    case ExprKind::kAssign:
    case ExprKind::kCall:
      expr(e);
      return;
  }
}

void Checker::comma(Expr* e) {
  for (Expr* operand : e->args) {
    expr(operand);
    if (!bad(operand) && rules_.is_dynamic(operand->type)) {
      error("D_OP_DYN", operand->span,
            fmt::format("operator , cannot be applied to a value of dynamic type \"{}\"",
                        type_name(operand)));
      return;
    }
  }
  e->type = bad(e->args[0]) ? TypeId{} : e->args[1]->type;
}

// The first type of C's list that holds the value: unsuffixed decimals stay
// signed as long as they can, octals and hexadecimals may become unsigned.
// Characters are signed.
void Checker::int_literal(Expr* e) {
  const std::uint64_t value = e->int_value;
  if (e->is_char) {
    const auto code = static_cast<std::int64_t>(value);
    e->type = world_.types.integer(code == static_cast<std::int32_t>(code) ? 4 : 8, true);
    e->is_constant = true;
    return;
  }
  const std::string_view text = sources_.text(e->span);
  const bool decimal = text.empty() || text[0] != '0';
  const bool is_long = e->int_longs > 0;
  bool is_unsigned = e->int_unsigned;
  std::uint32_t size = 4;
  if (is_long || value > std::numeric_limits<std::uint32_t>::max()) {
    size = 8;
  } else if (value > std::numeric_limits<std::int32_t>::max() && !is_unsigned) {
    size = decimal ? 8 : 4;
    is_unsigned = !decimal;
  }
  if (size == 8 && value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    is_unsigned = true;
  }
  e->type = world_.types.integer(size, !is_unsigned);
  e->is_constant = true;
}

bool Checker::is_null(const Expr* e) const {
  return e->is_constant && e->int_value == 0 && rules_.is_scalar(e->type);
}

bool Checker::scalar_operand(const Expr* e, const Expr* operand) {
  if (rules_.is_scalar(operand->type)) {
    return true;
  }
  error("D_OP_SCALAR", operand->span,
        fmt::format("operator {} requires operands of scalar type, not \"{}\"", op_text(e->op),
                    type_name(operand)))
      .hint = float_hint(operand);
  return false;
}

void Checker::unary(Expr* e) {
  if (e->op == Op::kInc || e->op == Op::kDec) {
    increment(e, e->args[0]);
    return;
  }
  Expr* operand = e->args[0];
  if (e->op == Op::kAddrOf) {
    address_of(e);
    return;
  }
  expr(operand, {.translation = e->op == Op::kDeref || e->op == Op::kNot});
  if (bad(operand)) {
    return;
  }
  switch (e->op) {
    case Op::kDeref:
      dereference(e);
      return;
    case Op::kNot:
      if (rules_.is_string(operand->type) || scalar_operand(e, operand)) {
        e->type = rules_.int_type();
      }
      break;
    case Op::kBitNot:
      if (!rules_.is_integer(operand->type)) {
        error("D_OP_INT", operand->span,
              fmt::format("operator ~ requires an operand of integral type, not \"{}\"",
                          type_name(operand)));
        return;
      }
      e->type = rules_.promote(operand->type);
      break;
    default:
      if (!rules_.is_integer(operand->type)) {
        error("D_OP_ARITH", operand->span,
              fmt::format("operator {} requires an operand of arithmetic type, not \"{}\"",
                          op_text(e->op), type_name(operand)))
            .hint = float_hint(operand);
        return;
      }
      e->type = rules_.promote(operand->type);
      break;
  }
  fold_unary(e, rules_);
}

void Checker::memory_lvalue(Expr* e, TypeId type, bool user) {
  e->type = user ? rules_.to_userland(type) : type;
  e->is_lvalue = true;
  e->in_user = user;
}

// *a and *(a + n) of an array in a variable, which has no address: a[0], a[n].
bool Checker::dereferences_element(Expr* e) {
  const auto is_value = [this](const Expr* array) {
    return rules_.kind(array->type) == types::Kind::kArray &&
           home_of(array, rules_) != Home::kMemory;
  };
  Expr* operand = e->args[0];
  Expr* array = operand;
  Expr* at = nullptr;
  if (operand->kind == ExprKind::kBinary && operand->op == Op::kAdd) {
    const std::size_t side = is_value(operand->args[0]) ? 0 : 1;
    array = operand->args[side];
    at = operand->args[1 - side];
  }
  if (!is_value(array)) {
    return false;
  }
  if (at == nullptr) {
    at = arena_.expr();
    at->span = operand->span;
    set_constant(at, 0, rules_.int_type(), rules_);
  }
  e->kind = ExprKind::kIndex;
  e->args = {array, at};
  if (within_bounds(array, at)) {
    memory_lvalue(e, rules_.pointee(array->type), false);
  }
  return true;
}

void Checker::dereference(Expr* e) {
  if (dereferences_element(e)) {
    return;
  }
  const Expr* operand = e->args[0];
  if (!rules_.is_pointer(operand->type)) {
    error("D_DEREF_NONPTR", operand->span,
          fmt::format("cannot dereference non-pointer type \"{}\"", type_name(operand)));
    return;
  }
  if (rules_.kind(operand->type) == types::Kind::kFunction) {
    error("D_DEREF_FUNC", operand->span, "cannot dereference pointer to function");
    return;
  }
  const TypeId target = rules_.pointee(operand->type);
  if (operand->translation != 0) {
    e->type = target;
    e->translation = operand->translation;
    e->in_user = operand->in_user;
    return;
  }
  if (rules_.is_void(target)) {
    error("D_DEREF_VOID", operand->span, "cannot dereference pointer to void");
    return;
  }
  if (rules_.kind(target) == types::Kind::kFunction) {
    error("D_DEREF_FUNC", operand->span, "cannot dereference pointer to function");
    return;
  }
  memory_lvalue(e, target, rules_.is_userland_pointer(operand->type));
}

void Checker::address_of(Expr* e) {
  Expr* operand = e->args[0];
  if (operand->kind == ExprKind::kScoped) {
    kernel_symbols_.resolve(operand, true);
  } else {
    expr(operand);
  }
  if (bad(operand)) {
    return;
  }
  if (operand->symbol == Symbol::kKernelSymbol && operand->is_constant) {
    set_constant(e, operand->int_value, operand->type, rules_);  // & of a function is the function
    return;
  }
  if (operand->symbol == Symbol::kGlobal || operand->symbol == Symbol::kThread ||
      operand->symbol == Symbol::kClause || operand->symbol == Symbol::kBuiltin) {
    error("D_ADDROF_VAR", operand->span, "cannot take address of a variable");
    return;
  }
  if (variable_of(operand, rules_) != nullptr) {
    ArrayPlaces(sources_, world_.types, diagnostics_).refuse_address(operand);
    return;
  }
  if (!operand->is_lvalue) {
    error("D_ADDROF_LVAL", operand->span, "unacceptable operand for unary & operator");
    return;
  }
  if (operand->kind == ExprKind::kMember) {
    const Expr* object = operand->args[0];
    const TypeId outer = operand->arrow ? rules_.pointee(object->type) : object->type;
    const auto found = world_.types.member(outer, operand->text);
    if (found && found->bit_size != 0) {
      error("D_ADDROF_BITFIELD", operand->span,
            fmt::format("cannot take address of bit-field \"{}\"", operand->text));
      return;
    }
  }
  const bool user = operand->in_user;
  e->type = world_.types.pointer_to(user ? world_.types.userland(operand->type) : operand->type);
}

void Checker::binary(Expr* e) {
  // A translated pointer can be NULL.
  const bool tests = e->op == Op::kEq || e->op == Op::kNe || e->op == Op::kLogAnd ||
                     e->op == Op::kLogOr || e->op == Op::kLogXor;
  for (Expr* operand : e->args) {
    expr(operand, {.translation = tests});
  }
  if (bad(e->args[0]) || bad(e->args[1])) {
    return;
  }
  switch (e->op) {
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      comparison(e);
      break;
    case Op::kLogAnd:
    case Op::kLogOr:
    case Op::kLogXor:
      logical(e);
      break;
    default:
      arithmetic(e);
      break;
  }
  if (!bad(e)) {
    fold_binary(e, rules_);
  }
}

bool Checker::pointer_arithmetic(Expr* e) {
  Expr* left = e->args[0];
  Expr* right = e->args[1];
  if (e->op != Op::kAdd && e->op != Op::kSub) {
    return false;
  }
  const bool left_pointer = rules_.is_pointer(left->type);
  const bool right_pointer = rules_.is_pointer(right->type);
  if (!left_pointer && !right_pointer) {
    return false;
  }
  if (left_pointer && right_pointer) {
    if (e->op != Op::kSub || !rules_.pointers_compatible(left->type, right->type)) {
      error("D_OP_INCOMPAT", e->span,
            fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", type_name(left),
                        op_text(e->op), type_name(right)));
      return true;
    }
    e->type = rules_.int64_type();
    return true;
  }
  const Expr* pointer = left_pointer ? left : right;
  const Expr* offset = left_pointer ? right : left;
  if (!rules_.is_integer(offset->type) || (e->op == Op::kSub && right_pointer)) {
    error("D_OP_INCOMPAT", e->span,
          fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", type_name(left),
                      op_text(e->op), type_name(right)));
    return true;
  }
  const TypeId target = rules_.pointee(pointer->type);
  if (!known_step(e, pointer)) {
    return true;
  }
  if (rules_.size(target) == 0) {
    error("D_OP_INCOMPLETE", pointer->span,
          fmt::format("operator {} cannot be applied to a pointer to incomplete type \"{}\"",
                      op_text(e->op), rules_.name(target)));
    return true;
  }
  e->type = rules_.decay(pointer->type);
  return true;
}

void Checker::arithmetic(Expr* e) {
  if (pointer_arithmetic(e)) {
    return;
  }
  const bool integral = e->op == Op::kMod || e->op == Op::kShl || e->op == Op::kShr ||
                        e->op == Op::kAnd || e->op == Op::kOr || e->op == Op::kXor;
  for (const Expr* operand : e->args) {
    if (!rules_.is_integer(operand->type)) {
      error(integral ? "D_OP_INT" : "D_OP_ARITH", operand->span,
            fmt::format("operator {} requires operands of {} type, not \"{}\"", op_text(e->op),
                        integral ? "integral" : "arithmetic", type_name(operand)))
          .hint = joins_strings(e) ? "strjoin(a, b) joins two strings" : float_hint(operand);
      return;
    }
  }
  const Expr* right = e->args[1];
  if ((e->op == Op::kDiv || e->op == Op::kMod) && right->is_constant && right->int_value == 0) {
    error("D_DIV_ZERO", right->span, "expression contains division by zero");
    return;
  }
  e->type = e->op == Op::kShl || e->op == Op::kShr
                ? rules_.promote(e->args[0]->type)
                : rules_.usual(e->args[0]->type, e->args[1]->type);
}

void Checker::comparison(Expr* e) {
  const Expr* left = e->args[0];
  const Expr* right = e->args[1];
  for (const Expr* operand : e->args) {
    if (operand->translation != 0 && !is_null(operand == left ? right : left)) {
      refuse_whole(e->args[operand == left ? 0 : 1]);
      return;
    }
  }
  const bool strings = rules_.is_string(left->type) || rules_.is_string(right->type);
  bool ok = false;
  if (strings) {
    ok = (is_string_operand(left) || is_null(left)) && (is_string_operand(right) || is_null(right));
  } else if (rules_.is_integer(left->type) && rules_.is_integer(right->type)) {
    ok = true;
  } else if (rules_.is_char_array(left->type) && rules_.is_char_array(right->type)) {
    ok = true;
  } else if (rules_.is_scalar(left->type) && rules_.is_scalar(right->type)) {
    ok = rules_.pointers_compatible(left->type, right->type);
  }
  if (!ok) {
    error("D_OP_INCOMPAT", e->span,
          fmt::format("operands have incompatible types: \"{}\" {} \"{}\"", type_name(left),
                      op_text(e->op), type_name(right)))
        .hint = rules_.is_float(left->type) ? float_hint(left)
                                            : quotes_hint(is_string_operand(left) ? right : left);
    return;
  }
  e->type = rules_.int_type();
}

void Checker::logical(Expr* e) {
  for (const Expr* operand : e->args) {
    if (!rules_.is_string(operand->type) && !scalar_operand(e, operand)) {
      return;
    }
  }
  e->type = rules_.int_type();
}

void Checker::ternary(Expr* e) {
  for (Expr* arg : e->args) {
    expr(arg, {.translation = arg == e->args[0]});
  }
  Expr* then = e->args[1];
  Expr* otherwise = e->args[2];
  if (bad(e->args[0]) || bad(then) || bad(otherwise)) {
    return;
  }
  if (!rules_.is_scalar(e->args[0]->type) && !rules_.is_string(e->args[0]->type)) {
    error("D_OP_SCALAR", e->args[0]->span, "operator ?: expression must be of scalar type");
    return;
  }
  const bool strings = rules_.is_string(then->type) || rules_.is_string(otherwise->type);
  if (strings && (is_string_operand(then) || is_null(then)) &&
      (is_string_operand(otherwise) || is_null(otherwise))) {
    e->type = world_.types.string_type();
  } else if (!strings && rules_.is_char_array(then->type) &&
             rules_.is_char_array(otherwise->type)) {
    e->type = world_.types.string_type();
  } else if (rules_.is_integer(then->type) && rules_.is_integer(otherwise->type)) {
    e->type = rules_.usual(then->type, otherwise->type);
  } else if (rules_.is_scalar(then->type) && rules_.is_scalar(otherwise->type) &&
             rules_.pointers_compatible(then->type, otherwise->type)) {
    const Expr* pointer = rules_.is_pointer(then->type) && !is_null(then) ? then
                          : rules_.is_pointer(otherwise->type)            ? otherwise
                                                                          : then;
    e->type = rules_.decay(pointer->type);
  } else if (same_object(then->type, otherwise->type, rules_)) {
    e->type = then->type;
  } else {
    error("D_OP_INCOMPAT", e->span,
          fmt::format("operator ?: operands have incompatible types: \"{}\" : \"{}\"",
                      type_name(then), type_name(otherwise)));
    return;
  }
  if (e->args[0]->is_constant && then->is_constant && otherwise->is_constant) {
    set_constant(e, e->args[0]->int_value != 0 ? then->int_value : otherwise->int_value, e->type,
                 rules_);
  }
}

}  // namespace dt::d
