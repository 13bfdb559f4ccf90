#include "d/lower/scratch_pointers.h"

#include <algorithm>

#include "d/check/checked.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/syntax/ast.h"

namespace dt::d::lowering {

// Variables only become such ones, so this ends.
ScratchPointers::ScratchPointers(const Checked& checked, const TypeRules& rules)
    : rules_(rules), variables_(checked.variables.size()) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const AddressFlow& flow : checked.address_flows) {
      if (!variables_[flow.variable] && may_be(flow.from)) {
        variables_[flow.variable] = true;
        changed = true;
        known_.clear();
      }
    }
  }
}

bool ScratchPointers::from_call(const Expr* e) const {
  if (e->symbol != Symbol::kSubroutine) {
    return false;
  }
  const auto fn = static_cast<Fn>(e->index);
  return fn == Fn::kCopyin || fn == Fn::kAlloca || fn == Fn::kMemref;
}

bool ScratchPointers::may_be(const Expr* e) const {
  const bool is_parameter = e->symbol == Symbol::kParameter;
  if (is_parameter || is_expanded(e)) {
    if (e->inlined == nullptr) {
      return false;  // in a body as it is written
    }
    const auto known = known_.find(e->inlined);
    return known != known_.end() ? known->second
                                 : known_.emplace(e->inlined, may_be(e->inlined)).first->second;
  }
  const auto any = [this, e] {
    return std::any_of(e->args.begin(), e->args.end(), [this](const Expr* x) { return may_be(x); });
  };
  switch (e->kind) {
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
    case ExprKind::kIndex:
      if (e->symbol == Symbol::kGlobal || e->symbol == Symbol::kThread ||
          e->symbol == Symbol::kClause) {
        return variables_[e->index];
      }
      break;
    case ExprKind::kCall:
      return from_call(e);
    case ExprKind::kCast:
    case ExprKind::kPostfix:
    case ExprKind::kBinary:
      return any();
    case ExprKind::kAssign:
      return e->op == Op::kNone ? may_be(e->args[1]) : any();
    case ExprKind::kTernary:
      return may_be(e->args[1]) || may_be(e->args[2]);
    case ExprKind::kComma:
      return may_be(e->args.back());
    case ExprKind::kUnary:
      if (e->op == Op::kAddrOf) {
        return may_hold(e->args[0]);
      }
      if (e->op != Op::kDeref) {
        return any();
      }
      break;
    default:
      break;
  }
  // An array decays to its address. A pointer that was read from memory leads
  // where its type says.
  return rules_.kind(e->type) == types::Kind::kArray && e->is_lvalue && may_hold(e);
}

bool ScratchPointers::may_hold(const Expr* object) const {
  const bool is_dereferenced = object->kind == ExprKind::kUnary && object->op == Op::kDeref;
  if (is_expanded(object) || object->symbol == Symbol::kParameter) {
    return object->inlined != nullptr && may_hold(object->inlined);
  }
  if (object->kind == ExprKind::kMember) {
    return object->arrow ? may_be(object->args[0]) : may_hold(object->args[0]);
  }
  const bool is_element = object->kind == ExprKind::kIndex && object->symbol == Symbol::kUnresolved;
  return (is_dereferenced || is_element) && may_be(object->args[0]);
}

}  // namespace dt::d::lowering
