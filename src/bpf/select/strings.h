#pragma once
// Strings: constants, comparisons, conversions.

#include <cstdint>

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Strings : SelectionPart {
 public:
  explicit Strings(const Core& core) : SelectionPart(core) {}

  void string_literal(const ir::Inst& inst);
  void string_compare(const ir::Inst& inst);
  void to_string(const ir::Inst& inst);

 private:
  struct Comparison {
    std::uint32_t words = 0;
    bool ordered = false;       // less or greater matters, too
    bool complemented = false;  // see outlives_comparison()
  };
  void compare_words(const Value& a, const Value& b, Comparison how, Reg result);
  void compare_long(const Value& a, const Value& b, Comparison how, Reg result);
  void compare_wide(const ir::Inst& inst, Comparison how, Reg result);
  void order(Reg a, Reg b, Reg result);
};

}  // namespace dt::bpf
