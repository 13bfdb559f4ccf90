#pragma once
// Values: where each value of the function is kept.

#include <cstdint>
#include <optional>
#include <vector>

#include "bpf/select/value.h"

namespace dt::bpf {

class Emitter;
class Storage;
struct FunctionContext;
struct Unit;

class Values {
 public:
  Values(FunctionContext& f, Storage& storage);

  Reg reg(ir::ValueId id);
  Reg copy_of(ir::ValueId id);
  void constant(const ir::Inst& inst);
  std::optional<std::int64_t> constant(ir::ValueId id) const;
  void define(const ir::Inst& inst, Reg reg);
  // Where the registers and the stack do not hold all values, those that are
  // needed for long move out.
  bool keep_in_frame(ir::ValueId id) const;
  void define_memory(const ir::Inst& inst, Place place, std::uint32_t avail);
  void extend(Reg reg, const ir::Type& type);
  void alu_value(Alu op, Reg dst, ir::ValueId id);
  bool outlives_comparison(ir::ValueId id) const;
  // -1 - value: the order of two values is the reverse of that of their complements.
  Reg complement(Reg value);
  // A copy of which a verifier does not know that it is one.
  Reg unrelated_copy(ir::ValueId id);
  const Value& value(ir::ValueId id) const { return values_[id]; }
  Value& operator[](ir::ValueId id) { return values_[id]; }

 private:
  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Storage& storage_;
  std::vector<Value> values_;
};

}  // namespace dt::bpf
