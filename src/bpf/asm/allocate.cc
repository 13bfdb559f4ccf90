// The register allocator. In each round every virtual register, the most used
// per instruction of its life first, takes a machine register that is free over
// all of its live ranges; those that find none are spilled (allocate_spill.cc)
// and the next round starts afresh. The rounds end because a spilled register
// is replaced by shorter ones and the shortest go first and always fit. Only
// held ones (Emitter::held()) go before these; they are short, too.
//
// What is live across a call finds r0-r5 occupied there, so it lands in r6-r9.
// Moves to and from argument and result registers are hints.

#include "bpf/asm/allocate.h"

#include <algorithm>
#include <array>
#include <limits>

#include "bpf/asm/allocate_live.h"
#include "support/check.h"

namespace dt::bpf {
namespace {

constexpr std::uint32_t kMachineRegs = 10;
constexpr int kMaxRounds = 12;

// One bit per position: the machine register is taken there.
class Occupancy {
 public:
  explicit Occupancy(std::size_t positions) : words_(positions / 64 + 1, 0) {}

  bool overlaps(const std::vector<Range>& ranges) const {
    for (const Range& range : ranges) {
      bool hit = false;
      each_word(range, [&](std::size_t word, std::uint64_t mask) {
        hit = (words_[word] & mask) != 0;
        return !hit;
      });
      if (hit) return true;
    }
    return false;
  }
  void take(const Range& range) {
    each_word(range, [&](std::size_t word, std::uint64_t mask) {
      words_[word] |= mask;
      return true;
    });
  }

 private:
  // Calls each(word, mask) until it returns false.
  template <typename Each>
  static void each_word(const Range& range, Each each) {
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
    const std::size_t first = range.begin / 64, last = (range.end - 1) / 64;
    for (std::size_t word = first; word <= last; ++word) {
      std::uint64_t mask = kAll;
      if (word == first) mask &= kAll << (range.begin % 64);
      if (word == last) mask &= kAll >> (63 - (range.end - 1) % 64);
      if (!each(word, mask)) return;
    }
  }
  std::vector<std::uint64_t> words_;
};

std::uint32_t length(const std::vector<Range>& ranges) {
  std::uint32_t sum = 0;
  for (const Range& range : ranges) sum += range.end - range.begin;
  return sum;
}

using Occupancies = std::vector<Occupancy>;  // by machine register

// Where calls and their arguments and results take machine registers. Each instruction has two
// positions: 2 * i, where it reads, and 2 * i + 1, where it writes. So a register that is read for
// the last time by an instruction can be the one that this instruction writes. A call writes r0-r5:
// the kernel's calling convention lets the callee change all of them, and the verifier forgets
// r1-r5 after a call.
Occupancies fixed_uses(const std::vector<Lir>& code) {
  Occupancies taken(kMachineRegs, Occupancy(code.size() * 2 + 2));
  std::array<std::uint32_t, kMachineRegs> since;
  since.fill(kNoId);
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    const Lir& lir = code[i];
    const Operands ops = operands(lir);
    for (std::uint32_t r = 0; r < ops.read_count; ++r) {
      const std::uint32_t reg = ops.reads[r];
      if (reg >= kMachineRegs) continue;
      DT_CHECK(since[reg] != kNoId, "r{} is not set before {}", reg, print(lir));
      taken[reg].take({since[reg], i * 2 + 1});
    }
    const auto write = [&](std::uint32_t reg) {
      since[reg] = i * 2 + 1;
      taken[reg].take({i * 2 + 1, i * 2 + 2});
    };
    if (is_call(lir)) {
      for (std::uint32_t reg = 0; reg <= 5; ++reg) write(reg);
    }
    if (lir.op == LirOp::kFunction) {
      for (std::uint32_t reg = 1; reg <= lir.args; ++reg) write(reg);
    }
    if (ops.write < kMachineRegs) write(ops.write);
  }
  return taken;
}

// Joins the two sides of moves whose live ranges do not overlap, and removes
// the moves.
class Coalescer {
 public:
  explicit Coalescer(LirCode& code)
      : code_(code), blocks_(code.code), live_(code, blocks_), parent_(code.regs) {
    for (std::uint32_t reg = 0; reg < code.regs; ++reg) parent_[reg] = reg;
  }

  void run() {
    for (const Lir& lir : code_.code) {
      if (lir.op == LirOp::kMov && lir.size == 8 && is_virtual(lir.dst) && is_virtual(lir.src)) {
        join(root(lir.dst), root(lir.src));
      }
    }
    std::erase_if(code_.code, [this](Lir& lir) {
      if (is_virtual(lir.dst)) lir.dst = root(lir.dst);
      if (is_virtual(lir.src)) lir.src = root(lir.src);
      return lir.op == LirOp::kMov && lir.size == 8 && lir.dst == lir.src;
    });
  }

 private:
  // Joining costs the length of both; lives in very many pieces are left alone.
  static constexpr std::size_t kMaxPieces = 200;
  static constexpr std::uint32_t kMaxHeld = 128;  // positions

  std::uint32_t root(std::uint32_t reg) {
    while (parent_[reg] != reg) reg = parent_[reg] = parent_[parent_[reg]];
    return reg;
  }
  // A held register must be short, as it takes its machine register before all others. Two long
  // lives that became one held register could leave an instruction without a register for its
  // operands.
  void join(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    std::vector<Range>& x = live_.ranges(a);
    std::vector<Range>& y = live_.ranges(b);
    if (x.size() + y.size() > kMaxPieces || overlap(x, y)) return;
    const bool held = code_.is_held(a) || code_.is_held(b);
    if (held && length(x) + length(y) > kMaxHeld) return;
    if (held) code_.hold(a);
    std::vector<Range> both;
    both.reserve(x.size() + y.size());
    std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both),
               [](const Range& p, const Range& q) { return p.begin < q.begin; });
    x.clear();
    for (const Range& range : both) {
      if (!x.empty() && x.back().end == range.begin) {
        x.back().end = range.end;
      } else {
        x.push_back(range);
      }
    }
    y.clear();
    parent_[b] = a;
  }

  LirCode& code_;
  Blocks blocks_;
  Liveness live_;
  std::vector<std::uint32_t> parent_;
};

// One round: assigns what fits, reports what does not.
class Round {
 public:
  Round(const LirCode& code, const Spiller& spiller)
      : code_(code),
        spiller_(spiller),
        blocks_(code.code),
        live_(code, blocks_),
        taken_(fixed_uses(code.code)),
        assigned_(code.regs, kNoId) {}

  const std::vector<std::uint32_t>& assigned() const { return assigned_; }

  // Returns the registers to spill.
  std::vector<std::uint32_t> run() {
    find_hints();
    weigh();
    std::vector<std::uint32_t> spilled;
    for (const auto& [weight, reg] : order_) {
      const std::uint32_t machine = choose(reg);
      if (machine == kNoId) {
        spilled.push_back(reg);
        continue;
      }
      assigned_[reg] = machine;
      for (const Range& range : live_.ranges(reg)) taken_[machine].take(range);
    }
    return spilled;
  }

 private:
  struct Hints {
    std::array<std::uint8_t, kMachineRegs> to = {};  // moves to or from each
    std::uint32_t partner = kNoId;                   // a virtual register moved to or from
  };

  void find_hints() {
    hints_.resize(code_.regs);
    const auto hint = [this](std::uint32_t reg, std::uint32_t other) {
      if (!is_virtual(reg)) return;
      if (is_virtual(other)) {
        hints_[reg].partner = other;
      } else if (other < kMachineRegs && hints_[reg].to[other] < 255) {
        hints_[reg].to[other]++;
      }
    };
    for (const Lir& lir : code_.code) {
      if (lir.op != LirOp::kMov) continue;
      hint(lir.dst, lir.src);
      hint(lir.src, lir.dst);
    }
  }

  // Uses per instruction of life, loops counting tenfold. What can be made
  // again costs little to spill.
  void weigh() {
    for (std::uint32_t reg = kFirstVirtual; reg < code_.regs; ++reg) {
      const auto uses = live_.occurrences(reg);
      if (uses.empty()) continue;
      double weight = 0, writes = 0;
      for (const Occurrence& use : uses) {
        static constexpr double kLoop[] = {1, 10, 100, 1000};
        weight += kLoop[std::min(blocks_.all()[blocks_.of(use.insn())].depth, 3u)];
        writes += use.is_write();
      }
      // The constant keeps very short lives from outweighing everything: a life of one position
      // would otherwise count as much as five uses in one of five.
      weight /= length(live_.ranges(reg)) + 4;
      const auto is_def = [](const Occurrence& use) { return use.is_write(); };
      const auto def = std::find_if(uses.begin(), uses.end(), is_def);
      if (writes == 1 && is_remakeable(code_.code[def->insn()])) weight *= 0.3;
      if (spiller_.is_final(reg)) weight = std::numeric_limits<double>::max();
      if (code_.is_held(reg)) weight = std::numeric_limits<double>::infinity();
      order_.emplace_back(weight, reg);
    }
    std::sort(order_.begin(), order_.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
  }

  // A free machine register for `reg`, hinted ones first, kNoId when all are
  // taken. r1 and up are wanted for arguments, so they come late; a held one, which
  // chooses before others, leaves them the register of results.
  std::uint32_t choose(std::uint32_t reg) const {
    // r6-r9 survive calls; a register that does not live across one leaves them to those that do.
    static constexpr std::uint32_t kOrders[2][kMachineRegs] = {{0, 5, 4, 3, 2, 1, 6, 7, 8, 9},
                                                               {5, 4, 3, 2, 1, 0, 6, 7, 8, 9}};
    const Hints& hints = hints_[reg];
    const std::uint32_t partner = hints.partner == kNoId ? kNoId : assigned_[hints.partner];
    std::uint32_t best = kNoId;
    int best_score = -1;
    for (const std::uint32_t machine : kOrders[code_.is_held(reg) ? 1 : 0]) {
      const int score = hints.to[machine] * 2 + (machine == partner ? 1 : 0);
      if (score <= best_score || taken_[machine].overlaps(live_.ranges(reg))) continue;
      best = machine;
      best_score = score;
    }
    return best;
  }

  const LirCode& code_;
  const Spiller& spiller_;
  Blocks blocks_;
  Liveness live_;
  Occupancies taken_;
  std::vector<std::uint32_t> assigned_;
  std::vector<Hints> hints_;
  std::vector<std::pair<double, std::uint32_t>> order_;
};

}  // namespace

void allocate_registers(LirCode& code) {
  Coalescer(code).run();
  Spiller spiller;
  for (int number = 0;; ++number) {
    DT_CHECK(number < kMaxRounds, "allocation does not end");
    Round round(code, spiller);
    const std::vector<std::uint32_t> spilled = round.run();
    if (!spilled.empty()) {
      spiller.rewrite(code, spilled);
      continue;
    }
    std::erase_if(code.code, [&round](Lir& lir) {
      if (is_virtual(lir.dst)) lir.dst = round.assigned()[lir.dst];
      if (is_virtual(lir.src)) lir.src = round.assigned()[lir.src];
      return lir.op == LirOp::kMov && lir.size == 8 && lir.dst == lir.src;
    });
    return;
  }
}

}  // namespace dt::bpf
