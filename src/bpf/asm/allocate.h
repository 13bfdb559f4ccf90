#pragma once
// Register allocation: virtual registers -> r0-r9, stack slots -> offsets.

#include <vector>

#include "bpf/asm/lir.h"
#include "support/result.h"

namespace dt::bpf {

// Replaces every virtual register; adds stack slots for what does not fit, and
// loads and stores around their uses.
void allocate_registers(LirCode& code);

// Rewrites registers to live in memory, or to be made again where they are
// constants or addresses. One Spiller serves all rounds of an allocation.
class Spiller {
 public:
  // Registers that came from spilling and can be no shorter.
  bool is_final(std::uint32_t reg) const { return reg < homes_.size() && homes_[reg].is_final; }
  void rewrite(LirCode& code, const std::vector<std::uint32_t>& spilled);

 private:
  struct Home {
    std::uint32_t slot = kNoId;
    bool is_remade = false;   // `value` makes it
    bool is_final = false;    // a part of one instruction's width
    bool is_segment = false;  // came from an earlier rewrite
    Lir value;
  };
  struct Cached {
    std::uint32_t reg = kNoId;
    std::uint32_t epoch = 0;
  };
  void find_homes(LirCode& code, const std::vector<std::uint32_t>& spilled);
  void rewrite_one(LirCode& code, Lir lir);
  bool rewrite_move(const Lir& lir);
  std::uint32_t read(LirCode& code, std::uint32_t reg);
  std::uint32_t fresh(LirCode& code, std::uint32_t from);
  Lir fetch(std::uint32_t reg, std::uint32_t to) const;

  std::vector<Home> homes_;       // by register
  std::vector<bool> is_spilled_;  // by register, in this round
  std::vector<Cached> cached_;    // by register
  std::uint32_t epoch_ = 0;
  std::vector<Lir> out_;
  Span span_;  // of the instruction being rewritten
};

// Inserts a kSlotUse behind the last use of every address of a slot, so that the
// slot outlives what is done through registers. An address stored to memory
// keeps its slot to the end of the function.
void mark_slot_uses(LirCode& code);

// Gives the stack slots of each function offsets from r10, overlapping those
// whose uses do not. Returns the bytes that the deepest chain of calls needs.
Result<std::uint32_t> allocate_stack(LirCode& code, std::uint32_t limit_bytes);

}  // namespace dt::bpf
