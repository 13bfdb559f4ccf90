// Common subexpressions: a walk over the dominator tree with a table of what
// has been computed on the way down.
//
// A load of a variable is repeated when nothing in between stores to it, and a
// read of memory when nothing in between writes to scratch memory, or to what is
// both: variables that have an address. Every
// jump goes forward, so every instruction on a path between two others also
// stands between them in the order of blocks; there we look for stores.

#include <algorithm>
#include <unordered_map>

#include "ir/dominance.h"
#include "ir/evaluate.h"
#include "ir/passes.h"

namespace dt::ir {

namespace {

// Computes the same each time within one firing. The EPID does not: in a fused
// function it is another one in each clause.
bool is_repeatable(const Inst& inst) {
  if (inst.op == Op::kBuiltin && inst.builtin == Builtin::kEpid) return false;
  return inst.result != kNone && !has_effect(inst);
}

struct Hash {
  std::size_t operator()(const Inst* inst) const {
    std::uint64_t hash = 0;
    const auto mix = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 29;
    };
    mix(static_cast<std::uint64_t>(inst->op));
    mix(static_cast<std::uint64_t>(inst->builtin));
    mix(inst->type.size);
    mix(static_cast<std::uint64_t>(inst->imm));
    mix(inst->index);
    for (const ValueId arg : inst->args) mix(arg);
    return hash;
  }
};

// Two instructions are the same when operation, type and all operands are: their spans may differ,
// so a fault in a shared value is reported where the first one stands.
struct Same {
  bool operator()(const Inst* a, const Inst* b) const {
    return a->op == b->op && a->builtin == b->builtin && a->type == b->type && a->imm == b->imm &&
           a->index == b->index && a->args == b->args;
  }
};

class Cse {
 public:
  Cse(Function& fn, const HiddenStores& hidden)
      : fn_(fn), hidden_(hidden), same_as_(fn.value_count) {
    for (ValueId id = 0; id < fn.value_count; ++id) same_as_[id] = id;
  }

  // The walk is a loop with a stack of its own and not a recursion: the depth of a dominator tree
  // grows with the length of a script.
  void run() {
    find_stores();
    const Dominators dominators(fn_);
    const std::size_t count = fn_.blocks.size();
    std::vector<std::vector<BlockId>> children(count);
    for (BlockId b = 1; b < count; ++b) children[dominators.parent(b)].push_back(b);

    struct Frame {
      BlockId block;
      std::size_t next_child;
      std::size_t entered;  // size of the trail before this block
    };
    std::vector<Frame> stack = {{0, 0, 0}};
    visit(0);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next_child < children[top.block].size()) {
        const BlockId child = children[top.block][top.next_child++];
        stack.push_back({child, 0, trail_.size()});
        visit(child);
        continue;
      }
      undo(top.entered);
      stack.pop_back();
    }
    for (Block& block : fn_.blocks) {
      std::erase_if(block.insts, [&](const Inst& inst) {
        return inst.result != kNone && same_as_[inst.result] != inst.result;
      });
    }
  }

 private:
  // Where something was computed: the value, and its place among all instructions.
  struct Computed {
    ValueId value = kNone;
    std::uint32_t position = 0;
  };
  // What to do to the table when a subtree is left: forget the key, or restore it. A value is
  // available in the blocks that its own block dominates, and nowhere else. The trail has these
  // steps, and they are taken in reverse order.
  struct Undo {
    const Inst* key = nullptr;
    Computed before;  // kNone: there was nothing
  };

  // A variable that is more than a register may be read by its address, too.
  bool changes_bytes(const Inst& inst) const {
    if (inst.op == Op::kStorePart || inst.op == Op::kClear) return true;
    return inst.op == Op::kStore && !is_register_[inst.args.back()];
  }

  void find_stores() {
    is_register_.assign(fn_.value_count, false);
    for (const Block& block : fn_.blocks) {
      for (const Param& param : block.params) {
        is_register_[param.id] = param.type.kind == TypeKind::kInt;
      }
      for (const Inst& inst : block.insts) {
        if (inst.result != kNone) is_register_[inst.result] = inst.type.kind == TypeKind::kInt;
      }
    }
    std::uint32_t position = 0;
    const auto note = [&](std::uint32_t variable) {
      if (stores_.size() <= variable) stores_.resize(variable + 1);
      stores_[variable].push_back(position);
    };
    auto hidden = hidden_.blocks.begin();
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      if (hidden != hidden_.blocks.end() && *hidden == b) {
        ++position;
        for (const std::uint32_t variable : hidden_.variables) note(variable);
        memory_writes_.push_back(position);  // what is read by the addresses of these variables
        ++hidden;
      }
      first_position_.push_back(position);
      for (const Inst& inst : fn_.blocks[b].insts) {
        ++position;
        if (writes_variable(inst.op)) note(inst.index);
        if (inst.op == Op::kChill) clock_restarts_.push_back(position);
        if (writes_memory(inst.op) || changes_bytes(inst)) memory_writes_.push_back(position);
      }
    }
  }

  // Whether what `inst` reads may have changed since it was computed at `from`. Conservative: a
  // store on any path counts, also where the path is not between the two. Positions are ascending,
  // so one binary search answers.
  bool is_stored_between(const Inst& inst, std::uint32_t from, std::uint32_t to) const {
    const auto is_between = [&](const std::vector<std::uint32_t>& writes) {
      const auto it = std::upper_bound(writes.begin(), writes.end(), from);
      return it != writes.end() && *it < to;
    };
    if (inst.op == Op::kBuiltin) return is_between(clock_restarts_);
    if (reads_memory(inst.op)) return is_between(memory_writes_);
    const bool has_address = inst.op == Op::kLoadPart || inst.type.kind == TypeKind::kBytes;
    if (reads_variable(inst.op) && has_address && is_between(memory_writes_)) return true;
    return reads_variable(inst.op) && inst.index < stores_.size() &&
           is_between(stores_[inst.index]);
  }

  void undo(std::size_t size) {
    for (; trail_.size() > size; trail_.pop_back()) {
      const Undo& last = trail_.back();
      if (last.before.value == kNone) {
        table_.erase(last.key);
      } else {
        table_.find(last.key)->second = last.before;
      }
    }
  }

  void visit(BlockId id) {
    Block& block = fn_.blocks[id];
    std::uint32_t position = first_position_[id];
    for (Inst& inst : block.insts) {
      ++position;
      for (ValueId& arg : inst.args) arg = same_as_[arg];
      if (!is_repeatable(inst)) continue;
      // One order for both `a + b` and `b + a`.
      if (is_commutative(inst.op) && inst.args[0] > inst.args[1] && !is_constant(inst.args[1])) {
        std::swap(inst.args[0], inst.args[1]);
      }
      const Computed now = {inst.result, position};
      const auto [it, is_new] = table_.try_emplace(&inst, now);
      Computed& known = it->second;
      if (is_new) {
        trail_.push_back({&inst, {}});
        if (inst.op == Op::kConst) mark_constant(inst.result);
      } else if (is_stored_between(inst, known.position, position)) {
        trail_.push_back({it->first, known});
        known = now;
      } else {
        same_as_[inst.result] = known.value;
      }
    }
    for_each_target(block.end, [&](Target& target) {
      for (ValueId& arg : target.args) arg = same_as_[arg];
    });
    if (block.end.kind == Terminator::Kind::kBranch && block.end.condition != kNone) {
      block.end.condition = same_as_[block.end.condition];
    }
  }

  // Constants stay on the right, where instructions take immediates.
  bool is_constant(ValueId id) const { return id < constants_.size() && constants_[id]; }
  void mark_constant(ValueId id) {
    if (constants_.size() < fn_.value_count) constants_.resize(fn_.value_count);
    constants_[id] = true;
  }

  Function& fn_;
  const HiddenStores& hidden_;
  std::vector<ValueId> same_as_;
  std::vector<bool> constants_;
  std::vector<std::uint32_t> first_position_;  // by block; its instructions count from the next
  std::vector<std::vector<std::uint32_t>> stores_;  // by variable: positions, ascending
  std::vector<std::uint32_t> memory_writes_;        // positions, ascending
  std::vector<std::uint32_t> clock_restarts_;       // likewise
  std::vector<bool> is_register_;                   // by value: an integer
  std::unordered_map<const Inst*, Computed, Hash, Same> table_;
  std::vector<Undo> trail_;
};

}  // namespace

void cse(Function& fn) { cse_with(fn, {}); }
void cse_with(Function& fn, const HiddenStores& hidden) { Cse(fn, hidden).run(); }

}  // namespace dt::ir
