#pragma once
// The variables of a program while it is interpreted, and the memory of those whose address was
// taken.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ir/interpret_state.h"
#include "ir/ir.h"
#include "ir/value.h"

namespace dt::ir {

class InterpretedVariables {
 public:
  // A variable by its index and the bytes of its keys; a thread-local one has the thread first, and
  // one of a clause has none.
  using Key = std::pair<std::uint32_t, Bytes>;

  InterpretedVariables(const Program& program, State& state);

  // 0, "" or zeros where there is no such element.
  Value load(const Key& key) const;
  // Storing 0 or "" frees an element; a structure keeps its zeros.
  void store(const Key& key, const Value& value);
  void clear(const Key& key);

  // 0 when there is no such element of an array.
  std::uint64_t address_of(const Key& key);
  // Fills `out` from an address that leads into a variable, with zeros behind its end; false when
  // the address does not.
  bool read(std::uint64_t address, std::span<std::uint8_t> out) const;
  // Where `size` bytes at the address may be written; nullptr where a byte of them may not.
  std::uint8_t* writable(std::uint64_t address, std::uint64_t size);

 private:
  const Key* at(std::uint64_t address) const;
  const Variable& variable(const Key& key) const { return program_.variables[key.first]; }

  const Program& program_;
  State& state_;
  std::vector<Value> locals_;  // clause-local variables
};

}  // namespace dt::ir
