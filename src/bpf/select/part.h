#pragma once
// SelectionPart: what every class reaches that writes the code of one family of operations.
//
// The classes that select instructions for a function stand on two floors. Those of the lower floor
// (Core) know where values are, and how bytes are moved and compared; each part above writes the
// code of the operations of one subject. A part knows the core, and those parts that its
// constructor is given: they stand before it in select_function.cc.

namespace dt::bpf {

class Bytes;
class Emitter;
class Facts;
class Failures;
class KeyBuffer;
class Storage;
class Values;
struct FunctionContext;
struct Unit;

// The lower floor, and the function whose code is written. All outlive the parts.
struct Core {
  FunctionContext& f;
  Facts& facts;
  Failures& failures;
  Storage& storage;
  Values& values;
  Bytes& bytes;
  KeyBuffer& keys;
};

class SelectionPart {
 protected:
  explicit SelectionPart(const Core& core);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Facts& facts_;
  Failures& failures_;
  Storage& storage_;
  Values& values_;
  Bytes& bytes_;
  KeyBuffer& keys_;
};

}  // namespace dt::bpf
