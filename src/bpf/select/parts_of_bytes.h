#pragma once
// PartsOfBytes: parts of values of bytes, which is how members of structures and
// elements of arrays are read and written where they are, without moving the
// whole.
//
// A part may have any alignment: all memory here but the stack (maps' values,
// the scratch frame) may be accessed so on every machine that we generate for.

#include <optional>

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::ir {
struct Variable;
}

namespace dt::bpf {

class Arrays;
class Maps;
class ThreadStorage;
class Variables;

class PartsOfBytes : SelectionPart {
 public:
  PartsOfBytes(const Core& core, ThreadStorage& tls, Maps& maps, Arrays& arrays,
               Variables& variables);

  void part(const ir::Inst& inst);
  void part_of_variable(const ir::Inst& inst);

 private:
  void load_part(const ir::Inst& inst, const ir::Variable& variable);
  void store_part(const ir::Inst& inst, const ir::Variable& variable);
  void clear(const ir::Inst& inst, const ir::Variable& variable);
  void address_of(const ir::Inst& inst, const ir::Variable& variable);
  Place part_place(const ir::Inst& inst, Place whole, const ir::Type& part, const ir::Type& of,
                   std::optional<ir::ValueId> offset);
  void load_exactly(const ir::Inst& inst, Place place);
  void put_part(Place place, const ir::Type& type, ir::ValueId value);

  ThreadStorage& tls_;
  Maps& maps_;
  Arrays& arrays_;
  Variables& variables_;
};

}  // namespace dt::bpf
