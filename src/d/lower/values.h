#pragma once
// Expressions that fit a register, and those that are evaluated for what they do.

#include "d/lower/upper_part.h"

namespace dt::d::lowering {

class Actions;
class Addresses;
class Aggregations;
class Assignments;
class KernelStructures;
class Memory;
class ScratchMemory;

class Values : UpperPart {
 public:
  Values(const Core& core, Memory& memory, ScratchMemory& scratch, KernelStructures& kernel,
         Addresses& addresses, Assignments& assignments, Actions& actions,
         Aggregations& aggregations)
      : UpperPart(core),
        memory_(memory),
        scratch_(scratch),
        kernel_(kernel),
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

  Memory& memory_;
  ScratchMemory& scratch_;
  KernelStructures& kernel_;
  Addresses& addresses_;
  Assignments& assignments_;
  Actions& actions_;
  Aggregations& aggregations_;
};

}  // namespace dt::d::lowering
