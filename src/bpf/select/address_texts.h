#pragma once
// AddressTexts: the text of network addresses (ir/address_text.h).

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class AddressTexts : SelectionPart {
 public:
  explicit AddressTexts(const Core& core) : SelectionPart(core) {}

  void address_text(const ir::Inst& inst);

 private:
  // Writes the text of six bytes, without a branch.
  void ether(Place words, Place buffer);
};

}  // namespace dt::bpf
