#pragma once
// Fusing: the one Function of a program from the clauses that it serves.
//
//       entry            built-ins that several clauses use; b0
//         |
//      guard 0 ----.     does clause 0 apply to this slot?
//         |        |
//      body 0 ...  |     every return of the clause, and every fault in it,
//         |        |     goes on at `next`
//      guard 1 <---'     = next of clause 0
//        ...
//       exit             the last block; returns
//
// A guard block's terminator is a kJump to the body when the clause applies to
// every slot. Otherwise it is a kBranch whose condition is kNone: the code
// generator (or the interpreter) supplies the test of the slot; `then` is the
// body and `otherwise` is `next`.
//
// A fault is an edge that is not drawn: from any instruction of a clause that
// may fault to the clause's `next`. No block parameter depends on it: `next`
// blocks have parameters only for clause-local variables that a clause which
// cannot fault has set.
//
// SSA holds over the whole function: a value is defined on every path,
// fault edges included, that leads to its use.

#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace dt::ir {

// A clause as one program runs it.
struct FuseClause {
  std::uint32_t clause = 0;  // index into Program::clauses
  bool always = false;       // applies to every slot: no guard is needed
};

struct ClauseRegion {
  std::uint32_t clause = 0;  // index into Program::clauses
  BlockId guard = kNone;
  BlockId first = kNone;   // the body's entry, dominated by the guard
  BlockId next = kNone;    // the next clause's guard, or the exit block
  bool may_fault = false;  // some instruction of it can fault
};

struct Fused {
  Function fn;
  std::vector<ClauseRegion> clauses;  // as given to fuse()
  std::vector<std::uint32_t>
      block_clause;  // by block: index into `clauses`; kNone for entry and exit
  // By variable: true for a clause-local variable that still lives in memory
  // (and starts as 0 or "" at each firing). All others are values, or unused.
  std::vector<bool> in_memory;
};

}  // namespace dt::ir
