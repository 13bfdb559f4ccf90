#pragma once
// Which block dominates which: every path from the entry to b leads through a.
// One pass suffices, because every jump goes forward.

#include <vector>

#include "ir/ir.h"

namespace dt::ir {

class Dominators {
 public:
  // All blocks are reached from the entry and every jump goes forward.
  explicit Dominators(const Function& fn);

  // kNone for the entry.
  BlockId parent(BlockId block) const { return parent_[block]; }
  bool dominates(BlockId a, BlockId b) const { return in_[a] <= in_[b] && out_[b] <= out_[a]; }

 private:
  std::vector<BlockId> parent_;
  std::vector<std::uint32_t> in_, out_;  // depth-first intervals in the tree
};

// Calls each(Target&) for the targets of a terminator.
template <typename End, typename Each>
void for_each_target(End& end, Each&& each) {
  if (end.kind == Terminator::Kind::kReturn) return;
  each(end.then);
  if (end.kind == Terminator::Kind::kBranch) each(end.otherwise);
}

}  // namespace dt::ir
