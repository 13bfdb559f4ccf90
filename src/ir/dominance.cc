// Dominators of a forward graph.

#include "ir/dominance.h"

namespace dt::ir {

Dominators::Dominators(const Function& fn) {
  const std::size_t count = fn.blocks.size();
  parent_.assign(count, kNone);
  std::vector<bool> seen(count, false);
  seen[0] = true;
  // The nearest common ancestor; a block's parent has a smaller index.
  const auto common = [&](BlockId a, BlockId b) {
    while (a != b) {
      if (a > b) {
        a = parent_[a];
      } else {
        b = parent_[b];
      }
    }
    return a;
  };
  for (BlockId block = 0; block < count; ++block) {
    for_each_target(fn.blocks[block].end, [&](const Target& target) {
      const BlockId to = target.block;
      parent_[to] = seen[to] ? common(parent_[to], block) : block;
      seen[to] = true;
    });
  }

  // Subtree sizes from the leaves up, then intervals from the root down.
  std::vector<std::uint32_t> size(count, 1);
  for (std::size_t i = count; i-- > 1;) size[parent_[i]] += size[i];
  in_.assign(count, 0);
  out_.assign(count, 0);
  std::vector<std::uint32_t> next(count, 1);  // where a block's next child goes
  out_[0] = size[0];
  for (std::size_t i = 1; i < count; ++i) {
    const BlockId parent = parent_[i];
    in_[i] = in_[parent] + next[parent];
    next[parent] += size[i];
    out_[i] = in_[i] + size[i];
  }
}

}  // namespace dt::ir
