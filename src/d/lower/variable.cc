// Variables: loads, assignments, ++ and --.

#include "d/lower/lowerer.h"

namespace dt::d {

using ir::ValueId;

std::vector<ValueId> Lowerer::variable_keys(const Expr* e) {
  std::vector<ValueId> out;
  if (e->kind != ExprKind::kIndex) {
    return out;
  }
  const std::vector<ir::Type>& types = program_.variables[e->index].keys;
  for (std::size_t i = 1; i < e->args.size(); ++i) {
    out.push_back(types[i - 1].kind == ir::TypeKind::kString
                      ? string(e->args[i])
                      : convert(value(e->args[i]), types[i - 1]));
  }
  return out;
}

ValueId Lowerer::load_variable(const Expr* e) {
  std::vector<ValueId> keys = variable_keys(e);
  b_->at(e->span);
  return b_->load(e->index, program_.variables[e->index].type, std::move(keys));
}

void Lowerer::store(std::uint32_t variable, std::vector<ValueId> keys, ValueId value) {
  keys.push_back(value);
  b_->store(variable, std::move(keys));
}

// Whether += on it must hold against other CPUs, and can: globals, and
// elements of arrays (where it also saves a look-up).
bool Lowerer::atomic(const ir::Variable& variable) const {
  const bool is_shared = variable.scope == ir::Scope::kGlobal || !variable.keys.empty();
  return is_shared && variable.type.kind == ir::TypeKind::kInt && variable.type.size >= 4;
}

ValueId Lowerer::assign(const Expr* e, bool wanted) {
  const Expr* target = e->args[0];
  const Expr* from = e->args[1];
  if (home_of(target, rules_) == Home::kMemory) {
    return assign_memory(e);
  }
  if (is_object(target->type, rules_)) {
    return assign_object(e);
  }
  if (whole_of(target, rules_) != target) {
    return assign_part(e);
  }
  const ir::Variable variable = program_.variables[target->index];
  std::vector<ValueId> keys = variable_keys(target);
  if (e->op == Op::kNone) {
    if (variable.type.kind == ir::TypeKind::kString) {
      const ValueId text = string(from);
      b_->at(e->span);
      store(target->index, std::move(keys), text);
      // The value is what the variable now holds, cut to its capacity.
      return wanted ? fit(text, variable.type.size) : text;
    }
    const ValueId v = convert_to(value(from), target->type);
    b_->at(e->span);
    store(target->index, std::move(keys), v);
    return v;
  }
  ValueId delta = value(from);
  b_->at(e->span);
  if (rules_.is_pointer(target->type)) {
    delta = scale(delta, rules_.size(rules_.pointee(target->type)));
  }
  if (!wanted && (e->op == Op::kAdd || e->op == Op::kSub) && atomic(variable)) {
    if (e->op == Op::kSub) {
      delta = b_->unary(ir::Op::kNeg, delta, ir::Type::s64());
    }
    keys.push_back(delta);
    b_->atomic_add(target->index, std::move(keys));
    return delta;
  }
  const ValueId old = b_->load(target->index, variable.type, keys);
  const ValueId v = convert_to(combine(e, old, delta), target->type);
  store(target->index, std::move(keys), v);
  return v;
}

ValueId Lowerer::increment(const Expr* e, bool wanted) {
  const Expr* target = e->args[0];
  if (home_of(target, rules_) == Home::kMemory) {
    return increment_memory(e);
  }
  if (whole_of(target, rules_) != target) {
    return increment_part(e);
  }
  const ir::Variable variable = program_.variables[target->index];
  std::vector<ValueId> keys = variable_keys(target);
  b_->at(e->span);
  std::int64_t amount = 1;
  if (rules_.is_pointer(target->type)) {
    amount = std::max<std::int64_t>(1, rules_.size(rules_.pointee(target->type)));
  }
  const bool down = e->op == Op::kDec;
  if (!wanted && atomic(variable)) {
    const ValueId delta = b_->constant(down ? -amount : amount);
    keys.push_back(delta);
    b_->atomic_add(target->index, std::move(keys));
    return delta;
  }
  const ValueId old = b_->load(target->index, variable.type, keys);
  const ValueId sum = b_->binary(down ? ir::Op::kSub : ir::Op::kAdd, old, b_->constant(amount),
                                 ir::Type::integer(8, variable.type.is_signed));
  const ValueId v = convert_to(sum, target->type);
  store(target->index, std::move(keys), v);
  return e->kind == ExprKind::kPostfix ? old : v;
}

}  // namespace dt::d
