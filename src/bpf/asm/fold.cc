// Folding over virtual registers.
//
// Most registers are assigned once; such a register that holds a constant or an
// address means the same wherever it is used, so its definition is folded into
// its users and dies when none is left. A register that is a copy, or another
// one plus a constant, is replaced by the other where that one is assigned once
// too and no loop could assign it anew in between.

#include "bpf/asm/fold.h"

#include <limits>
#include <optional>

#include "bpf/asm/allocate_live.h"
#include "bpf/asm/condition.h"
#include "bpf/asm/peephole.h"

namespace dt::bpf {
namespace {

bool fits_s16(std::int64_t value) {
  return value >= std::numeric_limits<std::int16_t>::min() &&
         value <= std::numeric_limits<std::int16_t>::max();
}

std::int64_t low32(std::uint64_t value) { return static_cast<std::int64_t>(value & 0xffffffff); }

// a op b as the machine computes it; nothing for what is not worth knowing. As BPF defines it, not
// C: a division by 0 gives 0, a remainder of a division by 0 the dividend, and a shift uses only
// the low bits of its count. A 32-bit operation clears the upper half of its result.
std::optional<std::int64_t> compute(Alu op, std::uint32_t size, std::int64_t a, std::int64_t b) {
  const std::uint64_t x = size == 4 ? static_cast<std::uint32_t>(a) : static_cast<std::uint64_t>(a);
  const std::uint64_t y = size == 4 ? static_cast<std::uint32_t>(b) : static_cast<std::uint64_t>(b);
  const std::uint64_t count = y & (size * 8 - 1);
  std::uint64_t out = 0;
  switch (op) {
    case Alu::kAdd:
      out = x + y;
      break;
    case Alu::kSub:
      out = x - y;
      break;
    case Alu::kMul:
      out = x * y;
      break;
    case Alu::kDiv:
      out = y == 0 ? 0 : x / y;
      break;
    case Alu::kMod:
      out = y == 0 ? x : x % y;
      break;
    case Alu::kOr:
      out = x | y;
      break;
    case Alu::kAnd:
      out = x & y;
      break;
    case Alu::kXor:
      out = x ^ y;
      break;
    case Alu::kLsh:
      out = x << count;
      break;
    case Alu::kRsh:
      out = x >> count;
      break;
    case Alu::kArsh:
      if (size == 4) return std::nullopt;
      out = static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> count);
      break;
  }
  return size == 4 ? low32(out) : static_cast<std::int64_t>(out);
}

bool holds(Cond cond, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (cond) {
    case Cond::kEq:
      return a == b;
    case Cond::kNe:
      return a != b;
    case Cond::kGt:
      return x > y;
    case Cond::kGe:
      return x >= y;
    case Cond::kLt:
      return x < y;
    case Cond::kLe:
      return x <= y;
    case Cond::kSgt:
      return a > b;
    case Cond::kSge:
      return a >= b;
    case Cond::kSlt:
      return a < b;
    case Cond::kSle:
      return a <= b;
    case Cond::kSet:
      return (x & y) != 0;
  }
  return false;
}

bool is_shift(Alu op) { return op == Alu::kLsh || op == Alu::kRsh || op == Alu::kArsh; }

class Folder {
 public:
  explicit Folder(LirCode& code) : code_(code) {}

  void run() {
    // Twice: an address folded into a copy is a constant to the second round.
    for (int round = 0; round < 2; ++round) {
      merge_neighbours();
      survey();
      for (Lir& lir : code_.code) fold_one(lir);
      drop_removed();
      remove_dead();
    }
  }

 private:
  struct Facts {
    std::uint32_t writes = 0;
    std::uint32_t def = kNoId;    // the only write, or the first of two
    std::uint32_t alias = kNoId;  // the same value
    std::uint32_t base = kNoId;   // the same value less `plus`
    std::int32_t plus = 0;
  };

  // d = CONSTANT OR ADDRESS; d op= imm   ->   one instruction.
  void merge_neighbours() {
    std::vector<Lir>& code = code_.code;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
      add_negative(code[i]);
      if (kept > 0 && merge(code[kept - 1], code[i])) continue;
      code[kept++] = code[i];
    }
    code.resize(kept);
  }
  // Subtractions of constants become additions. The verifier tracks `pointer + constant` as an
  // offset, and refuses to subtract from a pointer to the stack.
  static void add_negative(Lir& lir) {
    if (lir.op != LirOp::kAluImm || lir.alu != Alu::kSub || lir.size != 8) return;
    if (!fits_s32(-lir.imm)) return;
    lir.alu = Alu::kAdd;
    lir.imm = -lir.imm;
  }
  static bool merge(Lir& first, const Lir& next) {
    if (next.op != LirOp::kAluImm || next.dst != first.dst) return false;
    const bool both_add = first.op == LirOp::kAluImm && first.alu == Alu::kAdd &&
                          next.alu == Alu::kAdd && first.size == 8 && next.size == 8;
    if (both_add && fits_s32(first.imm + next.imm)) {
      first.imm += next.imm;
      return true;
    }
    if (first.op == LirOp::kMovImm) {
      const auto value = compute(next.alu, next.size, first.imm, next.imm);
      if (value) first.imm = *value;
      return value.has_value();
    }
    if (next.size != 8 || next.alu != Alu::kAdd) return false;
    if (first.op == LirOp::kStackAddress && fits_s16(first.offset + next.imm)) {
      first.offset += static_cast<std::int32_t>(next.imm);
      return true;
    }
    if (first.op == LirOp::kMapValue && next.imm >= 0 && fits_s32(first.imm + next.imm)) {
      first.imm += next.imm;
      return true;
    }
    return false;
  }

  void survey() {
    facts_.assign(code_.regs, {});
    const std::vector<Lir>& code = code_.code;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      const std::uint32_t write = operands(code[i]).write;
      if (!is_virtual(write)) continue;
      if (facts_[write].writes++ == 0) facts_[write].def = i;
    }
    const std::vector<Range> loops = loop_regions(code);
    std::size_t loop = 0;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      while (loop < loops.size() && loops[loop].end <= i) ++loop;
      const bool in_loop = loop < loops.size() && loops[loop].begin <= i;
      const Lir& lir = code[i];
      // Not within a loop: there a later iteration may assign the source anew while the copy still
      // has the old value.
      const bool copies = lir.op == LirOp::kMov && lir.size == 8 && is_virtual(lir.dst) &&
                          is_virtual(lir.src) && lir.dst != lir.src && !in_loop &&
                          facts_[lir.src].writes == 1 && !code_.is_held(lir.dst) &&
                          !code_.is_held(lir.src);
      if (!copies || facts_[lir.dst].def != i) continue;
      if (facts_[lir.dst].writes == 1) facts_[lir.dst].alias = lir.src;
      if (facts_[lir.dst].writes != 2 || i + 1 >= code.size()) continue;
      const Lir& next = code[i + 1];
      const bool adds = next.op == LirOp::kAluImm && next.dst == lir.dst && next.size == 8 &&
                        next.alu == Alu::kAdd && fits_s16(next.imm);
      if (!adds) continue;
      facts_[lir.dst].base = lir.src;
      facts_[lir.dst].plus = static_cast<std::int32_t>(next.imm);
    }
  }

  std::uint32_t original(std::uint32_t reg) const {
    while (is_virtual(reg) && facts_[reg].alias != kNoId) reg = facts_[reg].alias;
    return reg;
  }

  // The constant or address that `reg` always is.
  const Lir* made_by(std::uint32_t reg) const {
    if (!is_virtual(reg) || facts_[reg].writes != 1) return nullptr;
    const Lir& def = code_.code[facts_[reg].def];
    return is_remakeable(def) && def.dst == reg ? &def : nullptr;
  }
  std::optional<std::int64_t> constant(std::uint32_t reg) const {
    const Lir* def = made_by(reg);
    if (def == nullptr || def->op != LirOp::kMovImm) return std::nullopt;
    return def->imm;
  }

  void fold_one(Lir& lir) {
    use_originals(lir);
    switch (lir.op) {
      case LirOp::kMov:
        return fold_move(lir);
      case LirOp::kAlu:
        return fold_alu(lir);
      case LirOp::kAluImm:
        return simplify(lir);
      case LirOp::kBranch:
        return fold_branch(lir);
      case LirOp::kBranchImm:
        return decide_branch(lir);
      case LirOp::kStore: {
        fold_address(lir);
        const auto value = constant(lir.src);
        if (!value || (lir.size == 8 && !fits_s32(*value))) return;
        lir.op = LirOp::kStoreImm;
        lir.src = kNoId;
        lir.imm = static_cast<std::int32_t>(static_cast<std::uint64_t>(*value));
        return;
      }
      case LirOp::kLoad:
      case LirOp::kStoreImm:
      case LirOp::kAtomic:
        return fold_address(lir);
      default:
        return;
    }
  }

  // Only registers that the instruction reads and does not write.
  void use_originals(Lir& lir) const {
    const Operands ops = operands(lir);
    for (std::uint32_t r = 0; r < ops.read_count; ++r) {
      const std::uint32_t reg = ops.reads[r];
      const std::uint32_t other = original(reg);
      if (other == reg || reg == ops.write) continue;
      const bool dst_is_read = lir.op != LirOp::kMov && lir.op != LirOp::kLoad;
      if (lir.src == reg) lir.src = other;
      if (lir.dst == reg && dst_is_read) lir.dst = other;
    }
  }

  void fold_move(Lir& lir) const {
    const Lir* def = made_by(lir.src);
    if (def == nullptr || (lir.size == 4 && def->op != LirOp::kMovImm)) return;
    Lir made = *def;
    made.dst = lir.dst;
    made.span = lir.span;
    if (lir.size == 4) made.imm = low32(static_cast<std::uint64_t>(made.imm));
    lir = made;
  }

  void fold_alu(Lir& lir) const {
    const auto value = constant(lir.src);
    if (!value) return;
    const std::int64_t imm =
        lir.size == 4 ? static_cast<std::int32_t>(static_cast<std::uint64_t>(*value)) : *value;
    const bool divides = lir.alu == Alu::kDiv || lir.alu == Alu::kMod;
    // As an immediate, the verifier refuses a division by 0 and a shift by the size or more. In a
    // register both are defined.
    if (!fits_s32(imm) || (divides && imm == 0)) return;
    if (is_shift(lir.alu) && (imm < 0 || imm >= lir.size * 8)) return;
    lir.op = LirOp::kAluImm;
    lir.src = kNoId;
    lir.imm = imm;
    simplify(lir);
  }

  // Cheaper forms of 64-bit arithmetic with a constant. Division and remainder are unsigned here,
  // so a power of two is a shift or a mask for every value.
  static void simplify(Lir& lir) {
    if (lir.size != 8) return;
    const std::int64_t imm = lir.imm;
    const bool zero_is_nothing = lir.alu == Alu::kAdd || lir.alu == Alu::kSub ||
                                 lir.alu == Alu::kOr || lir.alu == Alu::kXor || is_shift(lir.alu);
    const bool one_is_nothing = lir.alu == Alu::kMul || lir.alu == Alu::kDiv;
    if ((imm == 0 && zero_is_nothing) || (imm == 1 && one_is_nothing)) {
      lir.op = LirOp::kLabel;
      lir.label = kNoId;
      return;
    }
    if (imm <= 0 || (imm & (imm - 1)) != 0) return;
    const int log = __builtin_ctzll(static_cast<std::uint64_t>(imm));
    if (lir.alu == Alu::kMul) {
      lir.alu = Alu::kLsh;
      lir.imm = log;
    } else if (lir.alu == Alu::kDiv) {
      lir.alu = Alu::kRsh;
      lir.imm = log;
    } else if (lir.alu == Alu::kMod) {
      lir.alu = Alu::kAnd;
      lir.imm = imm - 1;
    }
  }

  void fold_branch(Lir& lir) const {
    if (constant(lir.dst) && !constant(lir.src)) {
      std::swap(lir.dst, lir.src);
      lir.cond = mirrored(lir.cond);
    }
    const auto value = constant(lir.src);
    if (!value) return;
    if (!fits_s32(*value)) {
      const auto other = constant(lir.dst);
      if (other) decide(lir, holds(lir.cond, *other, *value));
      return;
    }
    lir.op = LirOp::kBranchImm;
    lir.src = kNoId;
    lir.imm = *value;
    decide_branch(lir);
  }
  void decide_branch(Lir& lir) const {
    const auto value = constant(lir.dst);
    if (value) decide(lir, holds(lir.cond, *value, lir.imm));
  }
  static void decide(Lir& lir, bool taken) {
    const Span span = lir.span;
    const std::uint32_t label = taken ? lir.label : kNoId;
    lir = {.op = taken ? LirOp::kJump : LirOp::kLabel, .label = label, .span = span};
  }

  void fold_address(Lir& lir) const {
    std::uint32_t& base = base_of(lir);
    if (!is_virtual(base)) return;
    // A fetching operation may have its address in the register it writes.
    if (lir.op == LirOp::kAtomic && base == lir.src) return;
    const Facts& facts = facts_[base];
    if (facts.base != kNoId && fits_s16(lir.offset + facts.plus)) {
      lir.offset += facts.plus;
      base = original(facts.base);
    }
    const Lir* def = made_by(base);
    if (def == nullptr || def->op != LirOp::kStackAddress) return;
    if (!fits_s16(lir.offset + def->offset)) return;
    lir.offset += def->offset;
    lir.label = def->label;
    base = kFrame;
  }

  void drop_removed() {
    std::erase_if(code_.code,
                  [](const Lir& lir) { return lir.op == LirOp::kLabel && lir.label == kNoId; });
    remove_unreachable(code_);
  }

  // Removes the writes of registers that nothing but their own updates reads. A pure instruction
  // that reads what it writes (`r += 1`) does not count as a use of it, so a counter that is never
  // read dies with its updates.
  void remove_dead() {
    const std::vector<Lir>& code = code_.code;
    std::vector<std::uint32_t> uses(code_.regs, 0), first(code_.regs + 1, 0);
    const auto each_use = [](const Lir& lir, const Operands& ops, auto&& each) {
      for (std::uint32_t r = 0; r < ops.read_count; ++r) {
        const std::uint32_t reg = ops.reads[r];
        if (is_virtual(reg) && !(reg == ops.write && is_pure(lir))) each(reg);
      }
    };
    for (const Lir& lir : code) {
      const Operands ops = operands(lir);
      each_use(lir, ops, [&uses](std::uint32_t reg) { ++uses[reg]; });
      if (is_virtual(ops.write)) first[ops.write + 1]++;
    }
    for (std::uint32_t reg = 0; reg < code_.regs; ++reg) first[reg + 1] += first[reg];
    std::vector<std::uint32_t> writers(first.back()), next(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      const std::uint32_t write = operands(code[i]).write;
      if (is_virtual(write)) writers[next[write]++] = i;
    }
    std::vector<std::uint32_t> work;
    for (std::uint32_t reg = kFirstVirtual; reg < code_.regs; ++reg) {
      if (uses[reg] == 0) work.push_back(reg);
    }
    std::vector<bool> dead(code.size(), false);
    while (!work.empty()) {
      const std::uint32_t reg = work.back();
      work.pop_back();
      for (std::uint32_t w = first[reg]; w < first[reg + 1]; ++w) {
        const Lir& lir = code[writers[w]];
        if (!is_pure(lir) || dead[writers[w]]) continue;
        dead[writers[w]] = true;
        each_use(lir, operands(lir), [&](std::uint32_t source) {
          if (--uses[source] == 0) work.push_back(source);
        });
      }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (!dead[i]) code_.code[kept++] = code_.code[i];
    }
    code_.code.resize(kept);
  }

  LirCode& code_;
  std::vector<Facts> facts_;  // by register
};

}  // namespace

void fold(LirCode& code) { Folder(code).run(); }

}  // namespace dt::bpf
