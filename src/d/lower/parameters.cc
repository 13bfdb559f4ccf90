#include "d/lower/parameters.h"

#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"

namespace dt::d::lowering {

using ir::ValueId;

// What a translated thing is made of; what is in the way is computed. It may be
// a parameter, to which that is bound.
const Expr* Parameters::origin(const Expr* e) {
  while (is_translated(e) && e->symbol != Symbol::kParameter) {
    e = is_expanded(e) ? unfold(e) : e->args[0];
  }
  return e;
}

void Parameters::bind(std::uint32_t slot, const Expr* argument) {
  const Expr* from = origin(argument);
  if (is_translated(from)) {
    bound_[slot] = bound_.at(from->slot);
    return;
  }
  if (rules_.is_aggregate(from->type)) {
    const bool has_address = home_of(from, rules_) == Home::kMemory;
    bound_[slot] = has_address ? address(from) : bytes_of(from);
    return;
  }
  bound_[slot] = rules_.is_string(from->type) ? string(from) : value(from);
}

// Where only a pointer or a number can be NULL.
ValueId Parameters::translated_truth(const Expr* e) {
  const Expr* from = origin(e);
  const Expr* made_of = origin_of(from);
  const bool is_number = rules_.is_scalar(made_of->type);
  if (is_translated(from)) {
    return is_number ? bound_.at(from->slot) : b_->constant(1);
  }
  if (is_number) {
    return value(from);
  }
  if (rules_.is_string(from->type)) {
    string(from);
  } else if (home_of(from, rules_) == Home::kMemory) {
    address(from);
  } else {
    bytes_of(from);
  }
  return b_->constant(1);
}

// What stands for `e`, with its parameters computed.
const Expr* Parameters::unfold(const Expr* e) {
  if (e->symbol == Symbol::kTranslated) {
    bind(e->slot, e->object);
  } else if (e->kind == ExprKind::kIndex) {
    for (std::size_t i = 1; i < e->args.size(); ++i) {
      bind(e->slot + static_cast<std::uint32_t>(i - 1), e->args[i]);
    }
  }
  return e->inlined;
}

}  // namespace dt::d::lowering
