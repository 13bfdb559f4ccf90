#pragma once
// Strings as values: literals, copies of memory.

#include <cstdint>
#include <string>
#include <unordered_map>

#include "d/lower/part.h"

namespace dt::d::lowering {

class Capacities;

class StringValues : Part {
 public:
  StringValues(Context& context, Capacities& capacities) : Part(context), capacities_(capacities) {}

  // A constant, cut to strsize.
  ValueId literal(const std::string& text);
  // The string in memory that `pointer` leads to; `size`: its capacity.
  ValueId at(const Expr* pointer, std::uint32_t size);
  // The string with the capacity `size`.
  ValueId fit(ValueId string, std::uint32_t size);

 private:
  Capacities& capacities_;
  std::unordered_map<std::string, std::uint32_t> strings_;  // indexes of literals in the program
};

}  // namespace dt::d::lowering
