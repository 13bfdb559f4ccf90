#pragma once
// What the interpreter keeps from one firing to the next.

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/value.h"

namespace dt::ir {

// A key is the bytes of the key operands one after another, each
// in its type's size; a thread-local variable has the 8 bytes of tid before.
struct State {
  std::map<std::pair<std::uint32_t, Bytes>, Value> variables;  // absent = 0 or ""
  // Keys as AggLayout::keys lays them out, values as its value words.
  std::map<std::pair<std::uint32_t, Bytes>, std::vector<std::uint64_t>> aggregations;
  std::optional<std::int64_t> exit_status;  // of the first exit()
  std::uint64_t speculations_begun = 0;
  std::uint64_t speculations_refused = 0;              // all were in use
  std::map<std::uint32_t, std::int32_t> speculations;  // by slot: the id in use, or -(the last one)
  std::vector<std::pair<std::uint32_t, Bytes>> addressed;  // variables whose address was taken
};

}  // namespace dt::ir
