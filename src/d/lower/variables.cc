#include "d/lower/variables.h"

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;

std::vector<ValueId> Variables::keys_of(const Expr* e) {
  std::vector<ValueId> out;
  if (e->kind != ExprKind::kIndex) {
    return out;
  }
  const std::vector<ir::Type>& types = program_.variables[e->index].keys;
  for (std::size_t i = 1; i < e->args.size(); ++i) {
    const ir::Type& type = types[i - 1];
    out.push_back(type.kind == ir::TypeKind::kString  ? string(e->args[i])
                  : type.kind == ir::TypeKind::kBytes ? bytes_of(e->args[i])
                                                      : convert(value(e->args[i]), type));
  }
  return out;
}

ValueId Variables::load(const Expr* e) {
  std::vector<ValueId> keys = keys_of(e);
  b_->at(e->span);
  return b_->load(e->index, program_.variables[e->index].type, std::move(keys));
}

void Variables::store(std::uint32_t variable, std::vector<ValueId> keys, ValueId value) {
  keys.push_back(value);
  b_->store(variable, std::move(keys));
}

// Whether += on it must hold against other CPUs, and can: globals, and
// elements of arrays (where it also saves a look-up).
bool Variables::atomic(const ir::Variable& variable, types::TypeId type) const {
  const bool is_shared = variable.scope == ir::Scope::kGlobal || !variable.keys.empty();
  return is_shared && variable.type.kind == ir::TypeKind::kInt && !rules_.at(type).is_bool;
}

ValueId Variables::kept(ValueId value, types::TypeId type) {
  return rules_.at(type).is_bool ? convert_to(value, type) : value;
}

}  // namespace dt::d::lowering
