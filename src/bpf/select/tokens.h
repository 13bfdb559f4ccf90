#pragma once
// Tokens: strtok(), whose state belongs to the firing, and memstr().

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Loads;

class Tokens : SelectionPart {
 public:
  Tokens(const Core& core, Loads& loads);

  void token(const ir::Inst& inst);
  void memory_string(const ir::Inst& inst);

 private:
  Reg byte_set(ir::ValueId delimiters);

  Loads& loads_;
};

}  // namespace dt::bpf
