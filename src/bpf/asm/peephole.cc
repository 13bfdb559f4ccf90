// Control flow clean-ups and dead code over real registers. Values that are in
// a register already are the subject of peephole_value.cc.

#include "bpf/asm/peephole.h"

#include <optional>

#include "bpf/asm/allocate_live.h"
#include "bpf/asm/condition.h"
#include "bpf/asm/peephole_value.h"

namespace dt::bpf {
namespace {

// The first instruction at or behind `i` that is not a label.
std::size_t real(const std::vector<Lir>& code, std::size_t i) {
  while (i < code.size() && code[i].op == LirOp::kLabel) ++i;
  return i;
}

// Jumps to a jump go where that one goes.
void thread_jumps(std::vector<Lir>& code) {
  // Jumps can lead to each other in a circle.
  constexpr int kMaxHops = 16;
  const std::vector<std::uint32_t> label_at = label_positions(code);
  for (Lir& lir : code) {
    if (!jumps(lir)) continue;
    for (int hop = 0; hop < kMaxHops; ++hop) {
      const std::size_t target = real(code, label_at[lir.label]);
      if (target >= code.size() || code[target].op != LirOp::kJump) break;
      lir.label = code[target].label;
    }
  }
}

bool lands_at(const std::vector<std::uint32_t>& label_at, const std::vector<Lir>& code,
              std::uint32_t label, std::size_t i) {
  return real(code, label_at[label]) == real(code, i);
}

// Jumps to what follows anyway, and branches around a jump.
bool straighten(std::vector<Lir>& code) {
  const std::vector<std::uint32_t> label_at = label_positions(code);
  std::vector<bool> removed(code.size(), false);
  bool changed = false;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (!jumps(code[i]) || removed[i]) continue;
    if (lands_at(label_at, code, code[i].label, i + 1)) {
      removed[i] = changed = true;
      continue;
    }
    // `if c goto A; goto B; A:` becomes `if !c goto B; A:`.
    const bool around = is_branch(code[i]) && code[i + 1].op == LirOp::kJump &&
                        lands_at(label_at, code, code[i].label, i + 2);
    const std::optional<Cond> other = inverse(code[i].cond);
    if (!around || !other) continue;
    code[i].cond = *other;
    code[i].label = code[i + 1].label;
    removed[i + 1] = changed = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!removed[i]) code[kept++] = code[i];
  }
  code.resize(kept);
  return changed;
}

using RegSet = std::uint32_t;  // bit n: r(n)
constexpr RegSet kClobbered = 0x3f;

// The registers that are live before `lir` when `live` are live after it. What the instruction
// writes is dead before it, unless it reads the same register, too.
RegSet live_before(const Lir& lir, RegSet live) {
  const Operands ops = operands(lir);
  if (is_call(lir)) live &= ~kClobbered;
  if (ops.write != kNoId) live &= ~(1u << ops.write);
  for (std::uint32_t r = 0; r < ops.read_count; ++r) live |= 1u << ops.reads[r];
  return live;
}

// Removes what writes a register that is not read before it is written again. With a work list
// instead of passes over all blocks: a block is looked at again only when more became live at its
// end. Sets of ten registers grow at most ten times, so it ends soon even with loops.
void remove_dead(std::vector<Lir>& code) {
  const Blocks blocks(code);
  std::vector<RegSet> out(blocks.all().size(), 0);
  std::vector<std::uint32_t> work;
  for (std::uint32_t b = 0; b < blocks.all().size(); ++b) work.push_back(b);
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    RegSet live = out[b];
    for (std::uint32_t i = blocks.all()[b].end; i-- > blocks.all()[b].begin;) {
      live = live_before(code[i], live);
    }
    for (const std::uint32_t from : blocks.predecessors(b)) {
      if ((out[from] | live) == out[from]) continue;
      out[from] |= live;
      work.push_back(from);
    }
  }
  std::vector<bool> dead(code.size(), false);
  for (std::uint32_t b = 0; b < blocks.all().size(); ++b) {
    RegSet live = out[b];
    for (std::uint32_t i = blocks.all()[b].end; i-- > blocks.all()[b].begin;) {
      const std::uint32_t write = operands(code[i]).write;
      dead[i] = is_pure(code[i]) && (live & (1u << write)) == 0;
      if (!dead[i]) live = live_before(code[i], live);
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!dead[i]) code[kept++] = code[i];
  }
  code.resize(kept);
}

}  // namespace

// The verifier refuses a program with instructions that cannot be reached.
void remove_unreachable(LirCode& code) {
  const std::vector<std::uint32_t> label_at = label_positions(code.code);
  std::vector<bool> reached(code.code.size(), false);
  std::vector<std::uint32_t> work = {0};
  while (!work.empty()) {
    std::uint32_t i = work.back();
    work.pop_back();
    for (; i < code.code.size() && !reached[i]; ++i) {
      const Lir& lir = code.code[i];
      reached[i] = true;
      if (jumps(lir) || lir.op == LirOp::kCallFunction) work.push_back(label_at.at(lir.label));
      if (ends_flow(lir)) break;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < code.code.size(); ++i) {
    if (reached[i]) code.code[kept++] = code.code[i];
  }
  code.code.resize(kept);
}

void peephole(LirCode& code) {
  // Each step makes work for the others: a jump that was threaded leaves a block unreachable, and
  // without this block a jump leads to the next instruction.
  constexpr int kMostRounds = 8;
  for (int round = 0; round < kMostRounds; ++round) {
    thread_jumps(code.code);
    remove_unreachable(code);
    if (!straighten(code.code)) break;
  }
  reuse_values(code.code);
  remove_dead(code.code);
}

}  // namespace dt::bpf
