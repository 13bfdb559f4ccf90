#pragma once
// Failures: faults, which leave the clause, and drops. Their code is cold: it stands at the end of
// the clause.

#include "bpf/select/value.h"
#include "record/drop.h"
#include "record/wire.h"

namespace dt::bpf {

class Emitter;
class Facts;
class FiringTag;
struct FunctionContext;
struct Unit;

class Failures {
 public:
  Failures(FunctionContext& f, Facts& facts, FiringTag& tag);

  // A label to jump to when `inst` faults, which leaves the clause. Call it just
  // before the code that may jump there.
  Label fault(const ir::Inst& inst, record::Fault code, Reg where);
  void drop(record::Drop what);
  // Counts an element that was added to a map; count_added().
  void added(std::uint32_t counter);
  // A label: count the drop and go on at `then`.
  Label drop_and_go(record::Drop what, Label then);

 private:
  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Facts& facts_;
  FiringTag& tag_;
};

}  // namespace dt::bpf
