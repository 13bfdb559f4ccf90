#pragma once
// Integers and pointers: everything that fits a register.

#include <cstdint>

#include "d/lower/part.h"

namespace dt::d {
enum class Op : std::uint8_t;
}

namespace dt::d::lowering {

class Conditions;
class StringSubroutines;

class Integers : Part {
 public:
  Integers(Context& context, StringSubroutines& string_subroutines, Conditions& conditions)
      : Part(context), string_subroutines_(string_subroutines), conditions_(conditions) {}

  ValueId constant(const Expr* e);
  ValueId unary(const Expr* e);
  ValueId binary(const Expr* e);
  ValueId cast(const Expr* e);
  ValueId swap_bytes(ValueId value, std::uint32_t size);
  // What compound assignments give: `old` and the operand combined.
  ValueId combine(const Expr* e, ValueId old, ValueId operand);

 private:
  ValueId arithmetic(Op op, ValueId a, ValueId b, types::TypeId result);
  bool is_address(const Expr* e) const;
  ValueId pointer_offset(const Expr* e, ValueId a, ValueId b);
  ValueId comparison(const Expr* e);

  StringSubroutines& string_subroutines_;
  Conditions& conditions_;
};

}  // namespace dt::d::lowering
