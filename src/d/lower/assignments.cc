#include "d/lower/assignments.h"

#include <algorithm>

#include "d/lower/integers.h"
#include "d/lower/memory_stores.h"
#include "d/lower/objects.h"
#include "d/lower/string_values.h"
#include "d/lower/variables.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;

ValueId Assignments::assign(const Expr* e, bool wanted) {
  const Expr* target = e->args[0];
  const Expr* from = e->args[1];
  if (home_of(target, rules_) == Home::kMemory) {
    return memory_stores_.assign(e);
  }
  if (is_object(target->type, rules_)) {
    return objects_.assign_object(e);
  }
  if (whole_of(target, rules_) != target) {
    return objects_.assign_part(e);
  }
  const ir::Variable variable = program_.variables[target->index];
  std::vector<ValueId> keys = variables_.keys_of(target);
  if (e->op == Op::kNone) {
    if (variable.type.kind == ir::TypeKind::kString) {
      const ValueId text = string(from);
      b_->at(e->span);
      variables_.store(target->index, std::move(keys), text);
      // The value is what the variable now holds, cut to its capacity.
      return wanted ? string_values_.fit(text, variable.type.size) : text;
    }
    const ValueId v = variables_.kept(value(from), target->type);
    b_->at(e->span);
    variables_.store(target->index, std::move(keys), v);
    return v;
  }
  ValueId delta = value(from);
  b_->at(e->span);
  if (rules_.is_pointer(target->type)) {
    delta = scale(delta, rules_.size(rules_.pointee(target->type)));
  }
  if (!wanted && (e->op == Op::kAdd || e->op == Op::kSub) &&
      variables_.atomic(variable, target->type)) {
    if (e->op == Op::kSub) {
      delta = b_->unary(ir::Op::kNeg, delta, ir::Type::s64());
    }
    keys.push_back(delta);
    b_->atomic_add(target->index, std::move(keys));
    return delta;
  }
  const ValueId old = b_->load(target->index, variable.type, keys);
  const ValueId v = variables_.kept(integers_.combine(e, old, delta), target->type);
  variables_.store(target->index, std::move(keys), v);
  return v;
}

ValueId Assignments::increment(const Expr* e, bool wanted) {
  const Expr* target = e->args[0];
  if (home_of(target, rules_) == Home::kMemory) {
    return memory_stores_.increment(e);
  }
  if (whole_of(target, rules_) != target) {
    return objects_.increment_part(e);
  }
  const ir::Variable variable = program_.variables[target->index];
  std::vector<ValueId> keys = variables_.keys_of(target);
  b_->at(e->span);
  std::int64_t amount = 1;
  if (rules_.is_pointer(target->type)) {
    amount = std::max<std::int64_t>(1, rules_.size(rules_.pointee(target->type)));
  }
  const bool down = e->op == Op::kDec;
  if (!wanted && variables_.atomic(variable, target->type)) {
    const ValueId delta = b_->constant(down ? -amount : amount);
    keys.push_back(delta);
    b_->atomic_add(target->index, std::move(keys));
    return delta;
  }
  const ValueId old = b_->load(target->index, variable.type, keys);
  const ValueId sum = b_->binary(down ? ir::Op::kSub : ir::Op::kAdd, old, b_->constant(amount),
                                 ir::Type::integer(8, variable.type.is_signed));
  const ValueId v = variables_.kept(sum, target->type);
  variables_.store(target->index, std::move(keys), v);
  return e->kind == ExprKind::kPostfix ? old : v;
}

}  // namespace dt::d::lowering
