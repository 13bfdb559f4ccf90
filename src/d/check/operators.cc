// C's rules (C11 6.3.1.8 and 6.5): operands narrower than int become int; of two types the larger
// one counts, and of two of one size the unsigned one. D adds strings, which are compared as
// values, and the operator ^^. Comparisons and logical operators have the type int.

#include "d/check/operators.h"

#include <fmt/core.h>

#include <limits>

#include "d/check/assignments.h"
#include "d/check/context.h"
#include "d/check/fold.h"
#include "d/check/pointers.h"
#include "d/check/translators.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

void Operators::comma(Expr* e) {
  for (Expr* operand : e->args) {
    expr(operand);
    if (!bad(operand) &&
        (rules_.is_dynamic(operand->type) || operand->kind == ExprKind::kAggregation)) {
      error("D_OP_DYN", operand->span,
            fmt::format("operator , cannot be applied to a value of dynamic type \"{}\"",
                        type_name(operand)));
      return;
    }
    if (!bad(operand) && operand->symbol == Symbol::kAction && rules_.is_void(operand->type)) {
      error("D_OP_ACT", operand->span,
            fmt::format("action {}( ) may be used as a statement only: operator , cannot take it",
                        operand->text));
      return;
    }
  }
  e->type = bad(e->args[0]) ? TypeId{} : e->args[1]->type;
}

// The first type of C's list that holds the value: unsuffixed decimals stay
// signed as long as they can, octals and hexadecimals may become unsigned.
// Characters are signed.
void Operators::int_literal(Expr* e) {
  const std::uint64_t value = e->int_value;
  if (e->is_char) {
    const auto code = static_cast<std::int64_t>(value);
    e->type = world_.types.integer(code == static_cast<std::int32_t>(code) ? 4 : 8, true);
    e->is_constant = true;
    return;
  }
  const bool decimal = e->text.empty() || e->text[0] != '0';
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

bool Operators::scalar_operand(const Expr* e, const Expr* operand) {
  if (rules_.is_condition(operand->type)) {
    return true;
  }
  error("D_OP_SCALAR", operand->span,
        fmt::format("operator {} requires operands of scalar type, not \"{}\"", op_text(e->op),
                    type_name(operand)))
      .hint = rules_.is_string(operand->type) ? comparison_hint(operand) : float_hint(operand);
  return false;
}

void Operators::unary(Expr* e) {
  if (e->op == Op::kInc || e->op == Op::kDec) {
    assignments_.increment(e, e->args[0]);
    return;
  }
  Expr* operand = e->args[0];
  if (e->op == Op::kAddrOf) {
    pointers_.address_of(e);
    return;
  }
  expr(operand, {.translation = e->op == Op::kDeref || e->op == Op::kNot});
  if (bad(operand)) {
    return;
  }
  switch (e->op) {
    case Op::kDeref:
      pointers_.dereference(e);
      return;
    case Op::kNot:
      if (scalar_operand(e, operand)) {
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

// Operands first, from the leaves upwards: when this operator is checked, both have types, or an
// error has been reported for them and no second error is added.
void Operators::binary(Expr* e) {
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

void Operators::arithmetic(Expr* e) {
  if (pointers_.arithmetic(e)) {
    return;
  }
  const bool integral = e->op == Op::kMod || e->op == Op::kShl || e->op == Op::kShr ||
                        e->op == Op::kAnd || e->op == Op::kOr || e->op == Op::kXor;
  for (const Expr* operand : e->args) {
    if (!rules_.is_integer(operand->type)) {
      if (e->op == Op::kAdd || e->op == Op::kSub) {
        incompatible(e).hint =
            joins_strings(e) ? "strjoin(a, b) joins two strings" : float_hint(operand);
        return;
      }
      error(integral ? "D_OP_INT" : "D_OP_ARITH", operand->span,
            fmt::format("operator {} requires operands of {} type, not \"{}\"", op_text(e->op),
                        integral ? "integral" : "arithmetic", type_name(operand)))
          .hint = float_hint(operand);
      return;
    }
  }
  const Expr* right = e->args[1];
  if ((e->op == Op::kDiv || e->op == Op::kMod) && right->is_constant && right->int_value == 0) {
    error("D_DIV_ZERO", right->span, "expression contains division by zero");
    return;
  }
  // A shift has the type of its left operand; the count does not take part in the conversions (C11
  // 6.5.7).
  e->type = e->op == Op::kShl || e->op == Op::kShr
                ? rules_.promote(e->args[0]->type)
                : rules_.usual(e->args[0]->type, e->args[1]->type);
}

Diagnostic& Operators::incompatible(const Expr* e) {
  return error("D_OP_INCOMPAT", e->span,
               fmt::format("operands have incompatible types: \"{}\" {} \"{}\"",
                           type_name(e->args[0]), op_text(e->op), type_name(e->args[1])));
}

bool Operators::mixes_number(const Expr* a, const Expr* b) const {
  return !is_null(a) && !is_null(b) && needs_cast(a->type, b);
}

void Operators::comparison(Expr* e) {
  const Expr* left = e->args[0];
  const Expr* right = e->args[1];
  for (const Expr* operand : e->args) {
    if (operand->translation != 0 && !is_null(operand == left ? right : left)) {
      translators_.refuse_whole(e->args[operand == left ? 0 : 1]);
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
    ok = rules_.pointers_compatible(left->type, right->type) && !mixes_number(left, right);
  }
  if (!ok) {
    incompatible(e).hint = rules_.is_float(left->type) ? float_hint(left)
                           : mixes_number(left, right)
                               ? cast_hint(rules_.int_type())
                               : quotes_hint(is_string_operand(left) ? right : left);
    return;
  }
  e->type = rules_.int_type();
}

void Operators::logical(Expr* e) {
  for (const Expr* operand : e->args) {
    if (!scalar_operand(e, operand)) {
      return;
    }
  }
  e->type = rules_.int_type();
}

// A constant condition takes one branch. The other one may be wrong: it may be for another system.
// When it is, e becomes the branch that is taken.
bool Operators::excludes(Expr* e) {
  const Expr* const condition = e->args[0];
  Expr* const taken = e->args[condition->int_value != 0 ? 1 : 2];
  Expr* const other = e->args[condition->int_value != 0 ? 2 : 1];
  expr(taken);
  const Expr* const misplaced = scope_.misplaced;
  const std::size_t errors = diagnostics_.total();
  expr(other);
  if (!bad(other)) {
    return false;
  }
  scope_.misplaced = misplaced;
  for (Diagnostic& one : diagnostics_.take_since(errors)) {
    said_.taken_back.push_back(std::move(one));
  }
  *e = Expr(*taken);
  return true;
}

// Two arms of different structure types cannot be reconciled; of two pointers, one may be NULL, and
// the other one gives the type.
void Operators::ternary(Expr* e) {
  expr(e->args[0], {.translation = true});
  if (!bad(e->args[0]) && e->args[0]->is_constant && rules_.is_scalar(e->args[0]->type)) {
    if (excludes(e)) {
      return;
    }
  } else {
    expr(e->args[1]);
    expr(e->args[2]);
  }
  Expr* then = e->args[1];
  Expr* otherwise = e->args[2];
  if (bad(e->args[0]) || bad(then) || bad(otherwise)) {
    return;
  }
  if (!rules_.is_condition(e->args[0]->type)) {
    error("D_OP_SCALAR", e->args[0]->span, "operator ?: expression must be of scalar type").hint =
        comparison_hint(e->args[0]);
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
             rules_.pointers_compatible(then->type, otherwise->type) &&
             !mixes_number(then, otherwise)) {
    const Expr* pointer = rules_.is_pointer(then->type) && !is_null(then) ? then
                          : rules_.is_pointer(otherwise->type)            ? otherwise
                                                                          : then;
    e->type = rules_.decay(pointer->type);
  } else if (same_object(then->type, otherwise->type, rules_)) {
    e->type = then->type;
  } else {
    error("D_OP_INCOMPAT", e->span,
          fmt::format("operator ?: operands have incompatible types: \"{}\" : \"{}\"",
                      type_name(then), type_name(otherwise)))
        .hint = mixes_number(then, otherwise) ? cast_hint(rules_.int_type())
                : rules_.is_dynamic(then->type) && rules_.is_dynamic(otherwise->type)
                    ? "both must be stacks of one kind and length, or symbols of one kind"
                    : "";
    return;
  }
  if (e->args[0]->is_constant && then->is_constant && otherwise->is_constant) {
    set_constant(e, e->args[0]->int_value != 0 ? then->int_value : otherwise->int_value, e->type,
                 rules_);
  }
}

bool Operators::joins_strings(const Expr* e) const {
  return e->op == Op::kAdd && rules_.is_string(e->args[0]->type) &&
         rules_.is_string(e->args[1]->type);
}

}  // namespace dt::d
