#pragma once
// Tokens: strtok(), whose state belongs to the firing, and memstr().

#include "bpf/select/value.h"

namespace dt::bpf {

class Bytes;
class Emitter;
class Failures;
class Loads;
class Storage;
class Values;
struct FunctionContext;
struct Unit;

class Tokens {
 public:
  Tokens(FunctionContext& f, Failures& failures, Storage& storage, Values& values, Bytes& bytes,
         Loads& loads);

  void token(const ir::Inst& inst);
  void memory_string(const ir::Inst& inst);

 private:
  Reg byte_set(ir::ValueId delimiters);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Failures& failures_;
  Storage& storage_;
  Values& values_;
  Bytes& bytes_;
  Loads& loads_;
};

}  // namespace dt::bpf
