// && and || are control flow: the right operand is evaluated only if the left one does not decide,
// so it may contain what would fault otherwise (`p != NULL && p->x`).

#include "d/lower/conditions.h"

#include "d/lower/capacities.h"
#include "d/lower/string_values.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;

namespace {

// Whether it has no effect and cannot fault.
bool is_idle(const Expr* e, const TypeRules& rules) {
  switch (e->kind) {
    case ExprKind::kInt:
    case ExprKind::kString:
      return true;
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
      return e->is_constant || e->symbol == Symbol::kGlobal || e->symbol == Symbol::kThread ||
             e->symbol == Symbol::kClause;
    case ExprKind::kUnary:
      return e->op != Op::kDeref && e->op != Op::kAddrOf && e->op != Op::kInc &&
             e->op != Op::kDec && is_idle(e->args[0], rules);
    case ExprKind::kBinary:
      // A string is compared with what a pointer leads to, which may not be readable.
      return (e->is_constant || (e->op != Op::kDiv && e->op != Op::kMod)) &&
             rules.is_string(e->args[0]->type) == rules.is_string(e->args[1]->type) &&
             is_idle(e->args[0], rules) && is_idle(e->args[1], rules);
    default:
      return e->is_constant;
  }
}

}  // namespace

std::optional<bool> Conditions::known(const Expr* e) const {
  if (e->is_constant) {
    return e->int_value != 0;
  }
  if (e->kind == ExprKind::kUnary && e->op == Op::kNot) {
    const std::optional<bool> operand = known(e->args[0]);
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  if (e->kind == ExprKind::kTernary) {
    const std::optional<bool> condition = known(e->args[0]);
    return condition ? known(e->args[*condition ? 1 : 2]) : std::nullopt;
  }
  if (e->kind != ExprKind::kBinary) {
    return std::nullopt;
  }
  const Expr* const left = e->args[0];
  const Expr* const right = e->args[1];
  if (left->kind == ExprKind::kString && right->kind == ExprKind::kString &&
      (e->op == Op::kEq || e->op == Op::kNe)) {
    const std::size_t most = program_.string_size - 1;
    const bool is_same = left->text.substr(0, most) == right->text.substr(0, most);
    return is_same == (e->op == Op::kEq);
  }
  if (e->op != Op::kLogAnd && e->op != Op::kLogOr) {
    return std::nullopt;
  }
  const bool decides = e->op == Op::kLogOr;  // the value of an operand that is that of the whole
  const std::optional<bool> first = known(left), second = known(right);
  if (first == decides) {
    return decides;
  }
  if (first) {
    return second;
  }
  return second == decides && is_idle(left, rules_) ? std::optional(decides) : std::nullopt;
}

void Conditions::condition(const Expr* e, ir::BlockId then, ir::BlockId otherwise) {
  if (!e->is_constant && e->kind == ExprKind::kBinary && e->op == Op::kLogAnd) {
    const ir::BlockId middle = b_->block();
    condition(e->args[0], middle, otherwise);
    b_->enter(middle);
    condition(e->args[1], then, otherwise);
  } else if (!e->is_constant && e->kind == ExprKind::kBinary && e->op == Op::kLogOr) {
    const ir::BlockId middle = b_->block();
    condition(e->args[0], then, middle);
    b_->enter(middle);
    condition(e->args[1], then, otherwise);
  } else if (!e->is_constant && e->kind == ExprKind::kUnary && e->op == Op::kNot) {
    condition(e->args[0], otherwise, then);
  } else {
    b_->branch(truth(e), then, otherwise);
  }
}

ValueId Conditions::truth(const Expr* e) {
  return rules_.kind(e->type) == types::Kind::kArray ? address(e) : value(e);
}

ValueId Conditions::logical(const Expr* e) {
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

ValueId Conditions::ternary(const Expr* e, Arms arms) {
  const ir::BlockId blocks[] = {b_->block(), b_->block()};
  const ir::BlockId join = b_->block();
  condition(e->args[0], blocks[0], blocks[1]);
  const std::uint32_t size = arms == Arms::kStrings ? capacities_.of(e) : 0;
  ValueId values[2] = {};
  ir::BlockId ends[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    b_->enter(blocks[i]);
    const Expr* arm = e->args[i + 1];
    if (arms == Arms::kStrings) {
      values[i] = string_values_.fit(string(arm), size);
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

}  // namespace dt::d::lowering
