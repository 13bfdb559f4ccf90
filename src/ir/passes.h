#pragma once
// Passes over a function. Each keeps it well-formed, keeps what it does, and is
// linear (or n log n) in its size. A pass rewrites uses as it goes: blocks are
// in an order in which every definition comes before its uses.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/ir.h"

namespace dt::ir {

// Constants and algebraic identities; with the strings of the program, comparisons of constant
// strings too. Leaves dead instructions behind.
void fold(Function& fn, std::span<const std::string> strings = {});

// The same operation on the same operands, where the first dominates, is
// computed once. A read of kernel or user memory is repeated only after an
// instruction that writes memory, and a read of a variable only after a store to it.
void cse(Function& fn);

// The same, knowing of stores that stand in none of the instructions: at the
// start of these blocks, to these variables.
struct HiddenStores {
  std::vector<BlockId> blocks;  // ascending
  std::vector<std::uint32_t> variables;
};
void cse_with(Function& fn, const HiddenStores& hidden);

// Removes what nothing uses: instructions without effect that cannot fault,
// and block parameters.
void dce(Function& fn);

// Constant branches, jumps through empty blocks, and blocks with one way in.
void simplify_cfg(Function& fn);

// All of these over every clause of a program, to the point where little more
// would come of it. The text of -xdump=ir-opt is the program after this.
void optimize(Function& fn, std::span<const std::string> strings = {});
void optimize(Program& program);

// The constants of a function, by value.
std::vector<std::optional<std::int64_t>> constants(const Function& fn);
// Whether an instruction can fault, given the constants: a division by one
// that is not zero cannot.
bool may_fault(const Inst& inst, const std::vector<std::optional<std::int64_t>>& constants);

}  // namespace dt::ir
