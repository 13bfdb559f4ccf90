#include "d/lower/values.h"

#include "d/lower/actions.h"
#include "d/lower/addresses.h"
#include "d/lower/aggregations.h"
#include "d/lower/assignments.h"
#include "d/lower/conditions.h"
#include "d/lower/integers.h"
#include "d/lower/kernel_structures.h"
#include "d/lower/memory.h"
#include "d/lower/parameters.h"
#include "d/lower/scratch_memory.h"
#include "d/lower/string_subroutines.h"
#include "d/lower/variables.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

using ir::ValueId;

ValueId Values::value(const Expr* e) {
  b_->at(e->span);
  if (e->is_constant) {
    return integers_.constant(e);
  }
  if (is_translated(e)) {
    return parameters_.translated_truth(e);
  }
  if (rules_.is_string(e->type)) {
    return addresses_.of_text(e);
  }
  if (is_array_value(e)) {
    return addresses_.of(e);
  }
  if (is_expanded(e)) {
    return value(parameters_.unfold(e));
  }
  switch (e->kind) {
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
      return identifier(e);
    case ExprKind::kIndex:
      return e->symbol != Symbol::kUnresolved ? identifier(e) : memory_.load(e);
    case ExprKind::kMember:
    case ExprKind::kScoped:
      return memory_.load(e);
    case ExprKind::kUnary:
      return unary(e);
    case ExprKind::kPostfix:
      return assignments_.increment(e, true);
    case ExprKind::kBinary:
      return integers_.binary(e);
    case ExprKind::kAssign:
      return assignments_.assign(e, true);
    case ExprKind::kTernary:
      return conditions_.ternary(e, Conditions::Arms::kRegisters);
    case ExprKind::kComma:
      effect(e->args[0]);
      return value(e->args[1]);
    case ExprKind::kCall:
      return subroutine(e);
    case ExprKind::kCast:
      return integers_.cast(e);
    default:
      DT_UNREACHABLE("expression of kind {}", static_cast<int>(e->kind));
  }
}

ValueId Values::identifier(const Expr* e) {
  switch (e->symbol) {
    case Symbol::kRegister:
      return kernel_.register_element(e);
    case Symbol::kBuiltin: {
      if (e->kind == ExprKind::kIndex) {  // args[n]
        return convert(b_->builtin(ir::Builtin::kArg, static_cast<std::int64_t>(e->int_value)),
                       rules_.ir_type(e->type));
      }
      const BuiltinInfo& info = builtin_table()[e->index];
      return b_->builtin(info.builtin, info.number);
    }
    case Symbol::kParameter:
      return parameters_.at(e->slot);
    default:
      return variables_.load(e);
  }
}

ValueId Values::subroutine(const Expr* e) {
  if (e->symbol == Symbol::kAction) {  // sym(), errname(): a number that is shown as a name
    return value(e->args[0]);
  }
  const Fn fn = static_cast<Fn>(e->index);
  switch (fn) {
    case Fn::kHtons:
    case Fn::kNtohs:
      return integers_.swap_bytes(value(e->args[0]), 2);
    case Fn::kHtonl:
    case Fn::kNtohl:
      return integers_.swap_bytes(value(e->args[0]), 4);
    case Fn::kHtonll:
    case Fn::kNtohll:
      return integers_.swap_bytes(value(e->args[0]), 8);
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
      return scratch_.subroutine(e);
    case Fn::kGetf:
    case Fn::kGetmajor:
    case Fn::kGetminor:
    case Fn::kMachineNumber:
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
      return kernel_.subroutine(e);
    default:
      return string_subroutines_.integer(e);
  }
}

// Evaluates for what it does, not for what it gives.
void Values::effect(const Expr* e) {
  switch (e->kind) {
    case ExprKind::kAssign:
      if (e->args[0]->kind == ExprKind::kAggregation) {
        aggregations_.lower(e);
      } else {
        assignments_.assign(e, false);
      }
      return;
    case ExprKind::kPostfix:
      assignments_.increment(e, false);
      return;
    case ExprKind::kUnary:
      if (e->op == Op::kInc || e->op == Op::kDec) {
        assignments_.increment(e, false);
        return;
      }
      break;
    case ExprKind::kComma:
      effect(e->args[0]);
      effect(e->args[1]);
      return;
    case ExprKind::kCall:
      if (e->symbol == Symbol::kAction) {
        actions_.lower(e);
        return;
      }
      break;
    default:
      break;
  }
  if (rules_.is_string(e->type)) {
    string(e);
  } else if (rules_.is_scalar(e->type) || rules_.is_void(e->type)) {
    value(e);
  }
}

ValueId Values::unary(const Expr* e) {
  switch (e->op) {
    case Op::kInc:
    case Op::kDec:
      return assignments_.increment(e, true);
    case Op::kDeref:
      return memory_.load(e);
    case Op::kAddrOf:
      return address(e->args[0]);
    default:
      return integers_.unary(e);
  }
}

}  // namespace dt::d::lowering
