// Promotion of clause-local integers.
//
// A variable is worked on from the guard of the first clause that touches it to
// the last block that does.
// Blocks are in order, so one pass from the end finds where its value is still
// wanted, and one pass from the start carries the value along, making a
// parameter where paths with different values meet and the value is wanted.
//
// A fault leaves a clause from its middle, where no parameter can be passed. So
// a variable stays in memory when a clause that may fault stores to it and its
// value is wanted after that clause.

#include "ir/promote.h"

#include <algorithm>

#include "ir/dominance.h"
#include "ir/ir.h"
#include "ir/passes.h"
#include "support/check.h"

namespace dt::ir {

namespace {

// A bound on the work when many variables each span many clauses; those that
// are over it stay in memory.
constexpr std::size_t kWorkPerInst = 64;
constexpr std::size_t kFreeWork = 1 << 16;

struct Range {
  BlockId first = kNone;
  BlockId last = 0;
  bool is_candidate = false;
};

class Promoter {
 public:
  Promoter(const Program& program, Fused& fused, std::span<const std::uint32_t> shared)
      : program_(program),
        fused_(fused),
        fn_(fused.fn),
        ranges_(program.variables.size()),
        shared_(shared) {}

  void run() {
    for (std::size_t v = 0; v < ranges_.size(); ++v) {
      const Variable& variable = program_.variables[v];
      ranges_[v].is_candidate = variable.scope == Scope::kClause && variable.keys.empty() &&
                                variable.type.kind == TypeKind::kInt;
    }
    for (const std::uint32_t v : shared_) ranges_[v].is_candidate = false;
    fused_.in_memory.assign(ranges_.size(), false);
    find_ranges();
    same_as_.resize(fn_.value_count);
    for (ValueId id = 0; id < fn_.value_count; ++id) same_as_[id] = id;
    std::size_t work = kFreeWork + kWorkPerInst * inst_count_;
    for (std::uint32_t v = 0; v < ranges_.size(); ++v) {
      if (ranges_[v].first == kNone) continue;
      const std::size_t cost = cost_before_[ranges_[v].last + 1] - cost_before_[ranges_[v].first];
      if (!ranges_[v].is_candidate || cost > work || !find_wanted(v)) {
        fused_.in_memory[v] = true;
        continue;
      }
      work -= cost;
      rewrite(v);
    }
    rename();
  }

 private:
  static bool touches(const Inst& inst) { return inst.op == Op::kLoad || inst.op == Op::kStore; }
  bool is_clause_local(const Inst& inst) const {
    return (reads_variable(inst.op) || writes_variable(inst.op)) &&
           program_.variables[inst.index].scope == Scope::kClause;
  }

  void find_ranges() {
    cost_before_.assign(fn_.blocks.size() + 1, 0);
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      const std::size_t size = fn_.blocks[b].insts.size();
      inst_count_ += size;
      cost_before_[b + 1] = cost_before_[b] + size + 4;
      for (const Inst& inst : fn_.blocks[b].insts) {
        if (!is_clause_local(inst)) continue;
        Range& range = ranges_[inst.index];
        if (range.first == kNone) range.first = fused_.clauses[fused_.block_clause[b]].guard;
        range.last = b;
        // fuse() has split atomic additions to integers.
        if (!touches(inst)) range.is_candidate = false;
      }
    }
  }

  bool is_wanted(const Range& range, BlockId block) const {
    return block >= range.first && block <= range.last && wanted_[block - range.first];
  }

  // Sets wanted_: the blocks at whose start the variable's value matters. False when the variable
  // must stay in memory. This is the liveness of one variable, backwards: a load wants the value, a
  // store ends that, and at the end of a block the value is wanted where a successor wants it.
  // Every jump goes forward, so one pass is enough.
  bool find_wanted(std::uint32_t v) {
    const Range& range = ranges_[v];
    wanted_.assign(range.last - range.first + 1, false);
    std::vector<std::uint32_t> storing;  // clauses that store to it
    for (BlockId b = range.last + 1; b-- > range.first;) {
      bool wanted = false;
      for_each_target(fn_.blocks[b].end,
                      [&](const Target& target) { wanted |= is_wanted(range, target.block); });
      const std::vector<Inst>& insts = fn_.blocks[b].insts;
      for (std::size_t i = insts.size(); i-- > 0;) {
        if (!touches(insts[i]) || insts[i].index != v) continue;
        wanted = insts[i].op == Op::kLoad;
        if (!wanted) storing.push_back(fused_.block_clause[b]);
      }
      // What a fault in this block goes on to may want the value.
      const std::uint32_t clause = fused_.block_clause[b];
      if (clause != kNone && fused_.clauses[clause].may_fault) {
        wanted |= is_wanted(range, fused_.clauses[clause].next);
      }
      wanted_[b - range.first] = wanted;
    }
    return std::none_of(storing.begin(), storing.end(), [&](std::uint32_t clause) {
      const ClauseRegion& region = fused_.clauses[clause];
      return region.may_fault && is_wanted(range, region.next);
    });
  }

  // The value that every firing starts with.
  ValueId zero() {
    if (zero_ != kNone) return zero_;
    Inst inst;
    inst.type = Type::s64();
    inst.result = zero_ = new_value();
    std::vector<Inst>& entry = fn_.blocks[0].insts;
    entry.insert(entry.begin(), std::move(inst));
    return zero_;
  }

  ValueId new_value() {
    same_as_.push_back(fn_.value_count);
    return fn_.value_count++;
  }

  // An edge into a block: from where, by which target, with which value.
  struct Edge {
    BlockId from = kNone;
    bool is_then = true;
    ValueId value = kNone;
  };

  // Carries the value along, block by block. Every edge into a block of the
  // range but its first comes from within the range: the range begins with a
  // guard, which nothing before it jumps past.
  void rewrite(std::uint32_t v) {
    const Range& range = ranges_[v];
    const Type type = program_.variables[v].type;
    std::vector<std::vector<Edge>> edges(range.last - range.first + 1);
    for (BlockId b = range.first; b <= range.last; ++b) {
      ValueId value = kNone;
      if (is_wanted(range, b)) {
        // A clause-local variable is zero when the firing begins; what an earlier firing has left
        // is never seen.
        value = b == range.first ? zero() : meet(b, type, edges[b - range.first]);
      }
      for (Inst& inst : fn_.blocks[b].insts) {
        if (!touches(inst) || inst.index != v) continue;
        inst.index = 0;
        if (inst.op == Op::kLoad) {
          same_as_[inst.result] = value;
          // Not erased: positions of instructions stay, and dce() removes unused values.
          inst.op = Op::kConst;  // dead from now on
        } else {
          // A store to memory narrows the value to the variable's size; a value in a register must
          // be narrowed, too.
          inst.op = Op::kExtend;
          inst.type = type;
          inst.result = value = new_value();
        }
      }
      const Terminator& end = fn_.blocks[b].end;
      const auto leave = [&](BlockId to, bool is_then) {
        if (is_wanted(range, to)) edges[to - range.first].push_back({b, is_then, value});
      };
      if (end.kind != Terminator::Kind::kReturn) leave(end.then.block, true);
      if (end.kind == Terminator::Kind::kBranch) leave(end.otherwise.block, false);
    }
  }

  // The value at the start of a block: that of all edges, or a new parameter. This is the
  // construction of SSA form, in one pass: because a block comes after all blocks that lead to it,
  // its edges and their values are complete here. In a language with loops, parameters would have
  // to be made before their values are known.
  ValueId meet(BlockId b, const Type& type, const std::vector<Edge>& edges) {
    DT_CHECK(!edges.empty(), "block {}", b);
    const ValueId first = edges.front().value;
    if (std::all_of(edges.begin(), edges.end(), [&](const Edge& e) { return e.value == first; })) {
      return first;
    }
    const ValueId id = new_value();
    fn_.blocks[b].params.push_back({id, type});
    for (const Edge& edge : edges) {
      Terminator& end = fn_.blocks[edge.from].end;
      (edge.is_then ? end.then : end.otherwise).args.push_back(edge.value);
    }
    return id;
  }

  void rename() {
    const auto apply = [&](ValueId& id) {
      while (same_as_[id] != id) {
        same_as_[id] = same_as_[same_as_[id]];
        id = same_as_[id];
      }
    };
    for (Block& block : fn_.blocks) {
      for (Inst& inst : block.insts) std::for_each(inst.args.begin(), inst.args.end(), apply);
      if (block.end.kind == Terminator::Kind::kBranch && block.end.condition != kNone) {
        apply(block.end.condition);
      }
      for_each_target(block.end, [&](Target& target) {
        std::for_each(target.args.begin(), target.args.end(), apply);
      });
    }
  }

  const Program& program_;
  Fused& fused_;
  Function& fn_;
  std::vector<Range> ranges_;  // by variable
  const std::span<const std::uint32_t> shared_;
  std::vector<std::size_t> cost_before_;  // by block
  std::size_t inst_count_ = 0;
  std::vector<bool> wanted_;  // by block of the range at work
  std::vector<ValueId> same_as_;
  ValueId zero_ = kNone;
};

}  // namespace

void promote(const Program& program, Fused& fused, std::span<const std::uint32_t> shared) {
  Promoter(program, fused, shared).run();
}

}  // namespace dt::ir
