#pragma once
// What the selector computes of a function before it writes code: where each value is defined and
// last used, which instructions use it and how, and which blocks dominate which.

#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace dt::bpf {

struct Unit;

class Analysis {
 public:
  Analysis(const Unit& unit, const ir::Function& fn);

  // By value.
  std::vector<ir::Type> types;
  std::vector<const ir::Inst*> def;
  std::vector<ir::BlockId> def_block;
  std::vector<std::uint32_t> last_use;  // position: instructions and terminators, counted
  std::vector<bool> fused_compare;      // emitted with the branch that uses it
  std::vector<bool> equality_only;      // a kStrCmp of which only == 0 is asked
  std::vector<bool> text_only;          // bytes of which only a longer string is made
  std::vector<std::uint32_t> padding;   // bytes of a string that are looked at behind its NUL, too
  std::vector<bool> may_alias;          // a kLoad of a string that needs no copy

  bool is_branchy = false;  // has more branches than a verifier takes lightly

  bool dominates(ir::BlockId a, ir::BlockId b) const;
  bool is_zero_constant(ir::ValueId id) const;

 private:
  void find_definitions();
  void find_uses();
  std::uint32_t padding_of(const ir::Inst& inst, std::size_t operand) const;
  void fuse_comparisons();
  void find_last_uses();
  void find_dominators();

  const Unit& unit_;
  const ir::Function& fn_;
  std::vector<std::uint32_t> uses_;  // by value: how many
  std::vector<ir::BlockId> idom_;    // by block
};

}  // namespace dt::bpf
