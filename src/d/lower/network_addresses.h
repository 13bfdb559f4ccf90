#pragma once
// Network addresses as text: inet_ntoa() and similar subroutines.

#include <cstdint>

#include "d/lower/upper_part.h"
#include "ir/address_text.h"

namespace dt::d::lowering {

class ScratchMemory;

class NetworkAddresses : UpperPart {
 public:
  NetworkAddresses(const Core& core, ScratchMemory& scratch) : UpperPart(core), scratch_(scratch) {}

  ValueId text(const Expr* e);

 private:
  ValueId text_at(ValueId at, ir::AddressKind kind, Whose whose, std::uint32_t size);

  ScratchMemory& scratch_;
};

}  // namespace dt::d::lowering
