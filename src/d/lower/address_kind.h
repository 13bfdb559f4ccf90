#pragma once
// What inet_ntoa() and similar subroutines make text of.

#include <optional>

#include "ir/address_text.h"

namespace dt::d {
struct Expr;
}

namespace dt::d::lowering {

bool is_address_subroutine(const Expr* e);
// What a call is about whatever its arguments; nothing for inet_ntop(), whose
// first argument says it.
std::optional<ir::AddressKind> address_kind(const Expr* e);

}  // namespace dt::d::lowering
