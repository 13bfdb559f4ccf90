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

namespace {

// Whether it is s[n] of a string in a variable.
bool is_character(const Expr* e, const TypeRules& rules) {
  if (e->kind != ExprKind::kIndex || e->symbol != Symbol::kUnresolved ||
      !rules.is_string(e->args[0]->type)) {
    return false;
  }
  const Symbol symbol = e->args[0]->symbol;
  return symbol == Symbol::kGlobal || symbol == Symbol::kThread || symbol == Symbol::kClause;
}

}  // namespace

// s[n] = value, s[n]++: in a copy, which then is the string. So it ends at its first NUL, and
// the bytes behind that are lost.
ValueId Assignments::change_character(const Expr* e) {
  const Expr* target = e->args[0];
  const Expr* text = target->args[0];
  const ir::Type type = program_.variables[text->index].type;
  const std::vector<ValueId> keys = variables_.keys_of(text);
  b_->at(e->span);
  const ValueId before = b_->load(text->index, type, keys);
  ir::Inst allocate;
  allocate.op = ir::Op::kAlloca;
  allocate.type = ir::Type::u64();
  allocate.args = {b_->constant(type.size)};
  allocate.imm = 1;
  const ValueId copy = b_->add(std::move(allocate));
  memory_stores_.store_bytes(copy, type.size, before);
  const ValueId index = value(target->args[1]);
  objects_.check_index(target->args[1], index, type.size - 1);
  const ValueId place = b_->binary(ir::Op::kAdd, copy, index, ir::Type::u64());
  const ValueId v = e->kind == ExprKind::kAssign ? memory_stores_.assign_at(e, place)
                                                 : memory_stores_.increment_at(e, place);
  variables_.store(text->index, keys, b_->unary(ir::Op::kKernelString, copy, type));
  return v;
}

ValueId Assignments::assign(const Expr* e, bool wanted) {
  const Expr* target = e->args[0];
  const Expr* from = e->args[1];
  if (is_character(target, rules_)) {
    return change_character(e);
  }
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
  if (is_character(target, rules_)) {
    return change_character(e);
  }
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
