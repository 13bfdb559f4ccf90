#pragma once
// Arrays: associative arrays. Each is a hash map; the key is built in the key
// buffer, and an element that is stored 0 or "" is deleted.

#include <cstddef>

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::ir {
struct Variable;
}

namespace dt::bpf {

class Maps;

class Arrays : SelectionPart {
 public:
  Arrays(const Core& core, Maps& maps);

  // The map in which the array of the instruction is.
  MapRef map_of(const ir::Inst& inst) const;
  // Builds the key of the first `key_count` operands; returns where.
  Place array_key_of(const ir::Inst& inst, std::size_t key_count);
  void load_element(const ir::Inst& inst, const ir::Variable& variable);
  void store_element(const ir::Inst& inst, const ir::Variable& variable);
  void add_element(const ir::Inst& inst, const ir::Variable& variable);

 private:
  Place value_buffer(const ir::Type& type, ir::ValueId value);

  Maps& maps_;
};

}  // namespace dt::bpf
