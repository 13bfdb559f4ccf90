#pragma once
// Network addresses as text: inet_ntoa() and similar subroutines.

#include <cstdint>

#include "d/lower/part.h"
#include "ir/address_text.h"

namespace dt::d::lowering {

class Capacities;
class ScratchMemory;
class StringValues;

class NetworkAddresses : Part {
 public:
  NetworkAddresses(Context& context, StringValues& string_values, ScratchMemory& scratch,
                   Capacities& capacities)
      : Part(context), string_values_(string_values), scratch_(scratch), capacities_(capacities) {}

  ValueId text(const Expr* e);

 private:
  ValueId text_at(ValueId at, ir::AddressKind kind, bool user, std::uint32_t size);

  StringValues& string_values_;
  ScratchMemory& scratch_;
  Capacities& capacities_;
};

}  // namespace dt::d::lowering
