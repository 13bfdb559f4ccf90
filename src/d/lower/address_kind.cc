#include "d/lower/address_kind.h"

#include "d/meaning/function_table.h"
#include "d/syntax/ast.h"

namespace dt::d::lowering {

using ir::AddressKind;

bool is_address_subroutine(const Expr* e) {
  return e->symbol == Symbol::kSubroutine && makes_address_text(static_cast<Fn>(e->index));
}

std::optional<AddressKind> address_kind(const Expr* e) {
  switch (static_cast<Fn>(e->index)) {
    case Fn::kInetNtoa:
      return AddressKind::kInet;
    case Fn::kInetNtoa6:
      return AddressKind::kInet6;
    default:
      break;
  }
  if (e->args[0]->is_constant) {
    return static_cast<AddressKind>(e->args[0]->int_value);
  }
  return static_cast<Fn>(e->index) == Fn::kLinkNtop ? std::optional(AddressKind::kEther)
                                                    : std::nullopt;
}

}  // namespace dt::d::lowering
