// Control flow: branches on constants, jumps through empty blocks (the joins
// that && and || leave), and merging of blocks with one way in.

#include <algorithm>

#include "ir/builder.h"
#include "ir/dominance.h"
#include "ir/passes.h"

namespace dt::ir {

namespace {

using Kind = Terminator::Kind;

bool same(const Target& a, const Target& b) { return a.block == b.block && a.args == b.args; }

class Simplifier {
 public:
  explicit Simplifier(Function& fn) : fn_(fn), constants_(constants(fn)) {}

  void run() {
    find_transparent();
    // From the last block up, so that what a block jumps to is done already.
    for (std::size_t b = fn_.blocks.size(); b-- > 0;) {
      Terminator& end = fn_.blocks[b].end;
      if (end.kind == Kind::kBranch && end.condition != kNone && constants_[end.condition]) {
        take(end, *constants_[end.condition] != 0);
      }
      for_each_target(end, [&](Target& target) { thread(target); });
      if (end.kind == Kind::kJump) absorb(end);
      if (end.kind == Kind::kBranch && same(end.then, end.otherwise)) take(end, true);
    }
    order_blocks(fn_);
    merge();
  }

 private:
  static void take(Terminator& end, bool then) {
    if (!then) end.then = std::move(end.otherwise);
    end.kind = Kind::kJump;
    end.condition = kNone;
    end.otherwise = {};
  }

  // `a && b` becomes such blocks: the join of its two ways has one parameter (0 or 1), and a branch
  // on it. On the way on which the parameter is the constant 0, the branch is decided, and the join
  // can be skipped:
  //
  //       a? ----> [join(0)] --.                a? -----------> else
  //        |                    v     becomes    |
  //       b? ----> [join(b)] -> if p?           b? --> then, else
  //
  // A block is transparent when it does nothing but end, and its parameters
  // are used nowhere else: then an edge into it may go on to where it leads.
  void find_transparent() {
    std::vector<BlockId> param_of(fn_.value_count, kNone);
    transparent_.assign(fn_.blocks.size(), false);
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      transparent_[b] = fn_.blocks[b].insts.empty();
      for (const Param& param : fn_.blocks[b].params) param_of[param.id] = b;
    }
    const auto use = [&](ValueId id, BlockId in) {
      const BlockId owner = param_of[id];
      if (owner != kNone && owner != in) transparent_[owner] = false;
    };
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      const Block& block = fn_.blocks[b];
      for (const Inst& inst : block.insts) {
        for (const ValueId arg : inst.args) use(arg, b);
      }
      if (block.end.kind == Kind::kBranch && block.end.condition != kNone) {
        use(block.end.condition, b);
      }
      for_each_target(block.end, [&](const Target& target) {
        for (const ValueId arg : target.args) use(arg, b);
      });
    }
  }

  // `id` as it is called behind an edge that enters `block` with `args`. A parameter stands for the
  // argument of the edge; every other value is the same before the block and in it.
  static ValueId seen_from(const Block& block, const std::vector<ValueId>& args, ValueId id) {
    for (std::size_t i = 0; i < block.params.size(); ++i) {
      if (block.params[i].id == id) return args[i];
    }
    return id;
  }
  static Target through(const Block& block, const std::vector<ValueId>& args, const Target& to) {
    Target out = to;
    for (ValueId& arg : out.args) arg = seen_from(block, args, arg);
    return out;
  }

  // Lets an edge skip a transparent block where it is known how that goes on.
  // That block's own edges have been threaded before, so once is enough but
  // where the block's branch became decided only on this edge.
  void thread(Target& target) {
    for (int i = 0; i < 4 && transparent_[target.block]; ++i) {
      const Block& block = fn_.blocks[target.block];
      if (block.end.kind == Kind::kReturn) return;
      if (block.end.kind == Kind::kJump) {
        target = through(block, target.args, block.end.then);
        continue;
      }
      if (block.end.condition == kNone) return;
      const ValueId condition = seen_from(block, target.args, block.end.condition);
      if (!constants_[condition]) return;
      const bool then = *constants_[condition] != 0;
      target = through(block, target.args, then ? block.end.then : block.end.otherwise);
    }
  }

  // A jump to a transparent block ends as that block ends.
  void absorb(Terminator& end) {
    const Block& block = fn_.blocks[end.then.block];
    if (!transparent_[end.then.block]) return;
    const std::vector<ValueId> args = std::move(end.then.args);
    Terminator copy = block.end;
    for_each_target(copy, [&](Target& target) { target = through(block, args, target); });
    if (copy.condition != kNone) copy.condition = seen_from(block, args, copy.condition);
    end = std::move(copy);
  }

  void merge() {
    std::vector<std::uint32_t> ways_in(fn_.blocks.size(), 0);
    ways_in[0] = 2;  // the entry is entered from outside
    for (const Block& block : fn_.blocks) {
      for_each_target(block.end, [&](const Target& target) { ++ways_in[target.block]; });
    }
    std::vector<ValueId> same_as(fn_.value_count);
    for (ValueId id = 0; id < fn_.value_count; ++id) same_as[id] = id;
    std::vector<bool> gone(fn_.blocks.size(), false);
    for (std::size_t b = 0; b < fn_.blocks.size(); ++b) {
      if (gone[b]) continue;
      Block& block = fn_.blocks[b];
      while (block.end.kind == Kind::kJump && ways_in[block.end.then.block] == 1) {
        const Target target = std::move(block.end.then);
        Block& next = fn_.blocks[target.block];
        for (std::size_t i = 0; i < next.params.size(); ++i) {
          same_as[next.params[i].id] = target.args[i];
        }
        block.insts.insert(block.insts.end(), std::make_move_iterator(next.insts.begin()),
                           std::make_move_iterator(next.insts.end()));
        block.end = std::move(next.end);
        next.insts.clear();
        next.end = {};
        gone[target.block] = true;
      }
    }
    rename(same_as);
    order_blocks(fn_);
  }

  void rename(std::vector<ValueId>& same_as) {
    const auto apply = [&](ValueId& id) {
      while (same_as[id] != id) {
        same_as[id] = same_as[same_as[id]];
        id = same_as[id];
      }
    };
    for (Block& block : fn_.blocks) {
      for (Inst& inst : block.insts) std::for_each(inst.args.begin(), inst.args.end(), apply);
      if (block.end.kind == Kind::kBranch && block.end.condition != kNone) {
        apply(block.end.condition);
      }
      for_each_target(block.end, [&](Target& target) {
        std::for_each(target.args.begin(), target.args.end(), apply);
      });
    }
  }

  Function& fn_;
  const std::vector<std::optional<std::int64_t>> constants_;
  std::vector<bool> transparent_;
};

}  // namespace

void simplify_cfg(Function& fn) { Simplifier(fn).run(); }

void optimize(Function& fn, std::span<const std::string> strings) {
  // The order matters: folded constants decide branches, decided branches make blocks with one way
  // in, merged blocks bring equal expressions together, and those leave dead ones behind. The first
  // round finds nearly all; the second, what simpler control flow lets the first passes see.
  for (int round = 0; round < 2; ++round) {
    fold(fn, strings);
    simplify_cfg(fn);
    cse(fn);
    dce(fn);
  }
  simplify_cfg(fn);
}

namespace {

// What no clause reads any more need not be kept.
void drop_unread_arguments(Program& program) {
  const std::uint32_t variable = program.arguments;
  if (variable == kNone) return;
  for (const EcbDesc& clause : program.clauses) {
    for (const Block& block : clause.body.blocks) {
      for (const Inst& inst : block.insts) {
        if (reads_variable(inst.op) && inst.index == variable) return;
      }
    }
  }
  program.arguments = kNone;
  if (variable + 1 == program.variables.size()) program.variables.pop_back();
}

}  // namespace

void optimize(Program& program) {
  for (EcbDesc& clause : program.clauses) optimize(clause.body, program.strings);
  drop_unread_arguments(program);
}

}  // namespace dt::ir
