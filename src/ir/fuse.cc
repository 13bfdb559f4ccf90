// Fusing: bodies joined by guards, built-ins hoisted, then the passes that see
// more in the whole than in its parts. Control flow stays as it is put here,
// so that regions keep their blocks.

#include "ir/fuse.h"

#include <algorithm>
#include <array>

#include "ir/dominance.h"
#include "ir/passes.h"
#include "ir/promote.h"

namespace dt::ir {

namespace {

constexpr std::size_t kMaxNumbers = kRegisters;
constexpr std::size_t kBuiltinKeys = (static_cast<std::size_t>(Builtin::kRegs) + 1) * kMaxNumbers;

// The number of an argument or a register is part of what is read.
std::size_t builtin_key(const Inst& inst) {
  const std::size_t number =
      has_number(inst.builtin) ? static_cast<std::size_t>(inst.imm) % kMaxNumbers : 0;
  return static_cast<std::size_t>(inst.builtin) * kMaxNumbers + number;
}

bool is_clock(Builtin builtin) {
  return builtin == Builtin::kTimestamp || builtin == Builtin::kVtimestamp ||
         builtin == Builtin::kWalltimestamp;
}

// How the clauses use one built-in.
struct Use {
  Inst inst;  // the first one
  std::uint32_t last_clause = kNone;
  std::uint32_t clauses = 0;       // that use it
  std::uint32_t first_blocks = 0;  // clauses that use it before they branch
  bool is_certain = false;         // some clause uses it on every firing
  ValueId hoisted = kNone;
};

class Fuser {
 public:
  Fuser(const Program& program, std::span<const FuseClause> clauses,
        std::span<const std::uint32_t> on_fault, std::span<const std::uint32_t> shared)
      : program_(program), clauses_(clauses), on_fault_(on_fault), shared_(shared) {}

  Fused run() {
    count_builtins();
    start_entry();
    for (const FuseClause& clause : clauses_) add_clause(clause);
    new_block(kNone);  // exit
    // In this order: promotion turns memory into values, folding and common subexpressions see
    // through values only, and what becomes dead is known at the end.
    promote(program_, fused_, shared_);
    fold(fused_.fn, program_.strings);
    cse_with(fused_.fn, stores_on_fault());
    dce(fused_.fn);
    find_faults();
    remove_guards();
    return std::move(fused_);
  }

 private:
  Block& new_block(std::uint32_t clause) {
    fused_.block_clause.push_back(clause);
    return fused_.fn.blocks.emplace_back();
  }
  BlockId next_block() const { return static_cast<BlockId>(fused_.fn.blocks.size()); }

  void count_builtins() {
    for (std::uint32_t i = 0; i < clauses_.size(); ++i) {
      const Function& body = program_.clauses[clauses_[i].clause].body;
      for (std::size_t b = 0; b < body.blocks.size(); ++b) {
        for (const Inst& inst : body.blocks[b].insts) {
          if (inst.op == Op::kBuiltin) count(inst, i, b == 0);
          restarts_clock_ |= inst.op == Op::kChill;
        }
      }
    }
  }

  void count(const Inst& inst, std::uint32_t clause, bool is_first_block) {
    Use& use = uses_[builtin_key(inst)];
    if (use.clauses == 0) use.inst = inst;
    if (use.last_clause == clause) return;
    use.last_clause = clause;
    ++use.clauses;
    if (!is_first_block) return;
    ++use.first_blocks;
    use.is_certain |= clauses_[clause].always;
  }

  // A built-in is read at the top when several clauses use it and it would be
  // read anyway; the clocks always, since one firing has one time. The EPID
  // differs between clauses.
  bool is_worth_hoisting(const Use& use) const {
    if (use.clauses < 2 || use.inst.builtin == Builtin::kEpid) return false;
    if (is_clock(use.inst.builtin)) return !restarts_clock_;
    return use.is_certain || use.first_blocks == clauses_.size();
  }

  void start_entry() {
    Block& entry = new_block(kNone);
    for (Use& use : uses_) {
      if (!is_worth_hoisting(use)) continue;
      use.hoisted = fused_.fn.value_count++;
      use.inst.result = use.hoisted;
      entry.insts.push_back(use.inst);
    }
    jump(entry, next_block());
  }

  static void jump(Block& block, BlockId to) {
    block.end.kind = Terminator::Kind::kJump;
    block.end.then = {to, {}};
  }

  void add_clause(const FuseClause& clause) {
    const Function& body = program_.clauses[clause.clause].body;
    const auto index = static_cast<std::uint32_t>(fused_.clauses.size());
    ClauseRegion region;
    region.clause = clause.clause;
    region.guard = next_block();
    region.first = region.guard + 1;
    region.next = region.first + static_cast<BlockId>(body.blocks.size());

    // Until remove_guards(), the guard of an unconditional clause is a branch without a condition,
    // too. The passes in between treat both of its ways as possible, which is exactly what a fault
    // makes of it: nothing of the clause need have happened behind it.
    Block& guard = new_block(index);
    guard.end.kind = Terminator::Kind::kBranch;
    guard.end.then = {region.first, {}};
    guard.end.otherwise = {region.next, {}};

    ids_.assign(body.value_count, kNone);
    const auto known = constants(body);
    for (const Block& block : body.blocks) {
      Block& copy = new_block(index);
      for (const Param& param : block.params) copy.params.push_back({define(param.id), param.type});
      copy.insts.reserve(block.insts.size());
      for (const Inst& inst : block.insts) {
        region.may_fault |= may_fault(inst, known);
        copy_inst(inst, copy);
      }
      copy.end = block.end;
      if (copy.end.kind == Terminator::Kind::kReturn)
        jump(copy, region.next);
      else
        relocate(copy.end, region.first);
    }
    if (clause.always && !region.may_fault) jump(fused_.fn.blocks[region.guard], region.first);
    fused_.clauses.push_back(region);
  }

  ValueId define(ValueId old) { return ids_[old] = fused_.fn.value_count++; }

  void copy_inst(const Inst& inst, Block& to) {
    if (inst.op == Op::kBuiltin) {
      const Use& use = uses_[builtin_key(inst)];
      if (use.hoisted != kNone && use.inst.type == inst.type) {
        ids_[inst.result] = use.hoisted;
        return;
      }
    }
    Inst copy = inst;
    for (ValueId& arg : copy.args) arg = ids_[arg];
    if (is_local_addition(inst)) {
      add_to_local(copy, to);
      return;
    }
    if (inst.result != kNone) copy.result = define(inst.result);
    to.insts.push_back(std::move(copy));
  }

  bool is_local_addition(const Inst& inst) const {
    return inst.op == Op::kAtomicAdd && program_.variables[inst.index].scope == Scope::kClause;
  }

  // Adds to a clause-local variable, which no other thread sees: by load, add and store. Promotion
  // can turn these three instructions into one addition of values; an atomic addition would keep
  // the variable in memory.
  void add_to_local(const Inst& addition, Block& to) {
    Inst load = addition;
    load.op = Op::kLoad;
    load.type = program_.variables[addition.index].type;
    load.result = fused_.fn.value_count++;
    const ValueId delta = load.args.back();
    load.args.pop_back();
    Inst add = addition;
    add.op = Op::kAdd;
    add.index = 0;
    add.type = Type::s64();
    add.result = fused_.fn.value_count++;
    add.args = {load.result, delta};
    Inst store = addition;
    store.op = Op::kStore;
    store.args.back() = add.result;
    to.insts.push_back(std::move(load));
    to.insts.push_back(std::move(add));
    to.insts.push_back(std::move(store));
  }

  void relocate(Terminator& end, BlockId first) {
    if (end.condition != kNone) end.condition = ids_[end.condition];
    for_each_target(end, [&](Target& target) {
      target.block += first;
      for (ValueId& arg : target.args) arg = ids_[arg];
    });
  }

  // What may still fault after the passes.
  void find_faults() {
    const auto known = constants(fused_.fn);
    for (ClauseRegion& region : fused_.clauses) region.may_fault = false;
    for (BlockId b = 0; b < fused_.fn.blocks.size(); ++b) {
      const std::uint32_t clause = fused_.block_clause[b];
      if (clause == kNone) continue;
      for (const Inst& inst : fused_.fn.blocks[b].insts) {
        fused_.clauses[clause].may_fault |= may_fault(inst, known);
      }
    }
  }

  // ERROR's clauses run between a clause that faults and the next one. What they store may not be
  // taken as unchanged behind the end of such a clause.
  HiddenStores stores_on_fault() const {
    HiddenStores hidden;
    for (const std::uint32_t clause : on_fault_) {
      for (const Block& block : program_.clauses[clause].body.blocks) {
        for (const Inst& inst : block.insts) {
          if (writes_variable(inst.op) && program_.variables[inst.index].scope != Scope::kClause) {
            hidden.variables.push_back(inst.index);
          }
        }
      }
    }
    if (hidden.variables.empty()) return hidden;
    std::sort(hidden.variables.begin(), hidden.variables.end());
    hidden.variables.erase(std::unique(hidden.variables.begin(), hidden.variables.end()),
                           hidden.variables.end());
    for (const ClauseRegion& region : fused_.clauses) {
      if (region.may_fault) hidden.blocks.push_back(region.next);
    }
    return hidden;
  }

  void remove_guards() {
    for (std::size_t i = 0; i < clauses_.size(); ++i) {
      Block& guard = fused_.fn.blocks[fused_.clauses[i].guard];
      if (!clauses_[i].always || guard.end.kind == Terminator::Kind::kJump) continue;
      guard.end.kind = Terminator::Kind::kJump;
      guard.end.otherwise = {};
    }
  }

  const Program& program_;
  const std::span<const FuseClause> clauses_;
  const std::span<const std::uint32_t> on_fault_, shared_;
  Fused fused_;
  std::array<Use, kBuiltinKeys> uses_;
  bool restarts_clock_ = false;
  std::vector<ValueId> ids_;  // of the clause at work: its values in the fused function
};

}  // namespace

Fused fuse(const Program& program, std::span<const FuseClause> clauses,
           std::span<const std::uint32_t> on_fault, std::span<const std::uint32_t> shared) {
  return Fuser(program, clauses, on_fault, shared).run();
}

}  // namespace dt::ir
