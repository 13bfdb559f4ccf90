// How long a stack slot is used through registers that hold its address.
//
// Registers that are computed from an address by moves and arithmetic belong to
// the slot; a register that may belong to several joins them into one group,
// which ends together. Flow-insensitive, so it errs towards longer lives.

#include <algorithm>

#include "bpf/asm/allocate.h"

namespace dt::bpf {
namespace {

class SlotUses {
 public:
  explicit SlotUses(LirCode& code)
      : code_(code),
        group_(code.slots.size()),
        slot_of_(code.regs, kNoId),
        last_(code.slots.size(), kNoId) {
    for (std::uint32_t slot = 0; slot < group_.size(); ++slot) group_[slot] = slot;
  }

  void run() {
    while (derive()) {
    }
    find_last_uses();
    insert();
  }

 private:
  std::uint32_t root(std::uint32_t slot) {
    while (group_[slot] != slot) slot = group_[slot] = group_[group_[slot]];
    return slot;
  }
  std::uint32_t slot_of(std::uint32_t reg) {
    return is_virtual(reg) && slot_of_[reg] != kNoId ? root(slot_of_[reg]) : kNoId;
  }
  // True when something was learned.
  bool belongs(std::uint32_t reg, std::uint32_t slot) {
    if (!is_virtual(reg) || slot == kNoId) return false;
    if (slot_of_[reg] == kNoId) {
      slot_of_[reg] = slot;
      return true;
    }
    const std::uint32_t a = root(slot_of_[reg]), b = root(slot);
    group_[b] = a;
    return a != b;
  }

  bool derive() {
    bool changed = false;
    for (const Lir& lir : code_.code) {
      if (lir.op == LirOp::kStackAddress) changed |= belongs(lir.dst, lir.label);
      if (lir.op == LirOp::kMov) changed |= belongs(lir.dst, slot_of(lir.src));
      const bool sum = lir.op == LirOp::kAlu && (lir.alu == Alu::kAdd || lir.alu == Alu::kSub);
      if (sum) changed |= belongs(lir.dst, slot_of(lir.src));
    }
    return changed;
  }

  // By group: the instruction after which the use mark goes.
  void find_last_uses() {
    std::uint32_t call = kNoId, end = kNoId;
    for (std::uint32_t i = static_cast<std::uint32_t>(code_.code.size()); i-- > 0;) {
      const Lir& lir = code_.code[i];
      if (end == kNoId) end = i;
      if (is_call(lir)) call = i;
      const auto use = [this](std::uint32_t slot, std::uint32_t at) {
        if (slot != kNoId && (last_[slot] == kNoId || last_[slot] < at)) last_[slot] = at;
      };
      const Operands ops = operands(lir);
      for (std::uint32_t r = 0; r < ops.read_count; ++r) use(slot_of(ops.reads[r]), i);
      // An argument is used by the call that it is for.
      const bool argument = lir.op == LirOp::kMov && lir.dst >= 1 && lir.dst <= 5;
      if (argument) use(slot_of(lir.src), call);
      if (argument || lir.dst == kR0) continue;
      if (lir.op == LirOp::kStackAddress) use(root(lir.label), is_virtual(lir.dst) ? i : call);
      if (lir.op == LirOp::kStore || lir.op == LirOp::kAtomic) use(slot_of(lir.src), end);
      if (lir.op == LirOp::kFunction) end = kNoId;
    }
  }

  void insert() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> marks;  // after instruction, slot
    for (std::uint32_t slot = 0; slot < last_.size(); ++slot) {
      const std::uint32_t at = last_[root(slot)];
      if (at != kNoId) marks.emplace_back(at, slot);
    }
    if (marks.empty()) return;
    std::sort(marks.begin(), marks.end());
    std::vector<Lir> out;
    out.reserve(code_.code.size() + marks.size());
    auto mark = marks.begin();
    for (std::uint32_t i = 0; i < code_.code.size(); ++i) {
      const Lir& lir = code_.code[i];
      // Behind what leaves the block nothing is reached: the mark goes before it.
      const bool leaves = jumps(lir) || ends_flow(lir);
      if (!leaves) out.push_back(lir);
      for (; mark != marks.end() && mark->first == i; ++mark) {
        out.push_back({.op = LirOp::kSlotUse, .label = mark->second, .span = lir.span});
      }
      if (leaves) out.push_back(lir);
    }
    code_.code.swap(out);
  }

  LirCode& code_;
  std::vector<std::uint32_t> group_;    // union-find over slots
  std::vector<std::uint32_t> slot_of_;  // by register
  std::vector<std::uint32_t> last_;     // by slot
};

}  // namespace

void mark_slot_uses(LirCode& code) { SlotUses(code).run(); }

}  // namespace dt::bpf
