#pragma once
// Calls: the subroutines of kCall.

#include <cstdint>

#include "bpf/routine/routine.h"
#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Tokens;

class Calls : SelectionPart {
 public:
  Calls(const Core& core, Tokens& tokens);

  // Defines inst.result. Long work is done by routines (bpf/routine/), which are functions that the
  // program shares among all calls; short work is done in place.
  void call(const ir::Inst& inst);

 private:
  void call_integer(const ir::Inst& inst, Reg result);
  void string_index(const ir::Inst& inst);
  // True if it was done: the text that is looked for is a constant of at most eight bytes, which is
  // one comparison for each place.
  bool index_of_constant(const ir::Inst& inst);
  void string_join(const ir::Inst& inst);
  void string_tail(const ir::Inst& inst);
  void string_part(const ir::Inst& inst);
  void change_case(const ir::Inst& inst);
  void clean_path(const ir::Inst& inst);
  void number_to_text(const ir::Inst& inst);
  void json(const ir::Inst& inst);
  void span_part(const ir::Inst& inst);

  Tokens& tokens_;
};

}  // namespace dt::bpf
