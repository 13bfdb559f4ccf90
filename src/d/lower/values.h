#pragma once
// Expressions that fit a register, and those that are evaluated for what they do.

#include "d/lower/part.h"

namespace dt::d::lowering {

class Actions;
class Addresses;
class Aggregations;
class Assignments;
class Conditions;
class Integers;
class KernelStructures;
class Memory;
class Parameters;
class ScratchMemory;
class StringSubroutines;
class Variables;

class Values : Part {
 public:
  Values(Context& context, Parameters& parameters, Conditions& conditions, Integers& integers,
         Variables& variables, Memory& memory, ScratchMemory& scratch, KernelStructures& kernel,
         StringSubroutines& string_subroutines, Addresses& addresses, Assignments& assignments,
         Actions& actions, Aggregations& aggregations)
      : Part(context),
        parameters_(parameters),
        conditions_(conditions),
        integers_(integers),
        variables_(variables),
        memory_(memory),
        scratch_(scratch),
        kernel_(kernel),
        string_subroutines_(string_subroutines),
        addresses_(addresses),
        assignments_(assignments),
        actions_(actions),
        aggregations_(aggregations) {}

  // Appends to the current block; evaluating an expression can begin new blocks (?:, &&, a test
  // that may fault). The value is of the type of the expression, extended to 64 bits.
  //
  // What fits a register.
  ValueId value(const Expr* e);
  // Evaluates for what it does, not for what it gives.
  void effect(const Expr* e);

 private:
  ValueId unary(const Expr* e);
  ValueId identifier(const Expr* e);
  ValueId subroutine(const Expr* e);

  Parameters& parameters_;
  Conditions& conditions_;
  Integers& integers_;
  Variables& variables_;
  Memory& memory_;
  ScratchMemory& scratch_;
  KernelStructures& kernel_;
  StringSubroutines& string_subroutines_;
  Addresses& addresses_;
  Assignments& assignments_;
  Actions& actions_;
  Aggregations& aggregations_;
};

}  // namespace dt::d::lowering
