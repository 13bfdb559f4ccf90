#pragma once
// The speculations of a run of the interpreter, as bpf/select/effects.cc has them.

#include <cstdint>
#include <optional>

#include "ir/interpret_state.h"

namespace dt::ir {

class InterpretedSpeculations {
 public:
  // `count`: how many there can be at a time. The state must outlive this.
  InterpretedSpeculations(State& state, std::uint32_t count) : state_(state), count_(count) {}

  // The id of a new one; 0 where all are in use, which is counted.
  std::int32_t begin();
  // Whether the id is one that is in use; nullopt: it never was one.
  std::optional<bool> in_use(std::int64_t id) const;
  // It is in use no more.
  void end(std::int64_t id);

 private:
  State& state_;
  std::uint32_t count_;
};

}  // namespace dt::ir
