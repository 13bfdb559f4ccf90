#pragma once
// AddressTexts: the text of network addresses (ir/address_text.h).
//
// The text is written from the left into a buffer of zeros; how far it has come
// is kept in memory, of which the verifier knows nothing, and is held below
// kMostText before every use. What is written may be longer than what it is
// for; the next write, or the zeros at the end, cover the rest.

#include <cstdint>

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
  struct AddressText {
    Reg buffer;
    Place length;  // of the text so far
    Place run;     // of an IPv6 address: its zeros
  };
  void address_inet(const AddressText& text, Place from);
  void address_inet6(const AddressText& text, Place from);
  void address_groups(const AddressText& text, Place from);
  void address_group(const AddressText& text, Reg group);
  void address_colon(const AddressText& text);
  void address_grow(const AddressText& text, Reg by);
  Reg address_end(const AddressText& text);
  Reg table_entry(std::uint32_t table, Reg index, std::uint32_t size);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Storage& storage_;
  Values& values_;
  Bytes& bytes_;
};

}  // namespace dt::bpf
