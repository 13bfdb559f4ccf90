#pragma once
// AddressTexts: the text of network addresses (ir/address_text.h).

#include "bpf/select/value.h"

namespace dt::bpf {

class Bytes;
class Emitter;
class Storage;
class Values;
struct FunctionContext;
struct Unit;

class AddressTexts {
 public:
  AddressTexts(FunctionContext& f, Storage& storage, Values& values, Bytes& bytes);

  void address_text(const ir::Inst& inst);

 private:
  // Of six bytes, without a branch.
  void ether(Place words, Place buffer);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Storage& storage_;
  Values& values_;
  Bytes& bytes_;
};

}  // namespace dt::bpf
