// Uses of inlines and translators: the arguments, once, then the body.

#include "d/lowerer.h"

namespace dt::d {

void Lowerer::bind(std::uint32_t slot, const Expr* argument) {
  const types::TypeId type = argument->type;
  bound_[slot] = rules_.is_string(type)      ? string(argument)
                 : rules_.is_aggregate(type) ? address(argument)
                                             : value(argument);
}

// What stands for `e`, with its parameters computed.
const Expr* Lowerer::unfold(const Expr* e) {
  if (e->symbol == Symbol::kTranslated) {
    bind(e->slot, e->object);
  } else if (e->kind == ExprKind::kIndex) {
    for (std::size_t i = 1; i < e->args.size(); ++i) {
      bind(e->slot + static_cast<std::uint32_t>(i - 1), e->args[i]);
    }
  }
  return e->inlined;
}

}  // namespace dt::d
