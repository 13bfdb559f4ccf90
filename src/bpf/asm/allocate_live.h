#pragma once
// Where every virtual register is live, as ranges over the linear code.
//
// Instruction i reads at position 2i and writes at 2i+1, so a register whose
// last use is in i and one that i defines may share a machine register. Ranges
// are half-open and may have holes. The control-flow graph gives them: a range
// that reaches a backward jump covers the loop.

#include <cstdint>
#include <span>
#include <vector>

#include "bpf/asm/lir.h"

namespace dt::bpf {

struct Block {
  std::uint32_t begin = 0, end = 0;  // instructions
  std::uint32_t depth = 0;           // loops around it
  bool falls_in = false;             // its only way in is from the block before
};

// Basic blocks of all functions in the code.
class Blocks {
 public:
  explicit Blocks(const std::vector<Lir>& code);

  const std::vector<Block>& all() const { return blocks_; }
  std::uint32_t of(std::uint32_t insn) const { return block_of_[insn]; }
  std::span<const std::uint32_t> predecessors(std::uint32_t block) const {
    return {predecessors_.data() + first_[block], first_[block + 1] - first_[block]};
  }

 private:
  void find_loops(const std::vector<Lir>& code, const std::vector<std::uint32_t>& label_at);

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> first_;  // by block, into predecessors_
  std::vector<std::uint32_t> predecessors_;
};

// The instruction of each label, kNoId where it is not bound.
std::vector<std::uint32_t> label_positions(const std::vector<Lir>& code);

struct Range {
  std::uint32_t begin = 0, end = 0;
};

// The loops of the code as disjoint ascending ranges of instructions: each from
// the target of a backward jump to behind the jump, overlapping ones joined.
std::vector<Range> loop_regions(const std::vector<Lir>& code);

struct Occurrence {
  std::uint32_t position = 0;
  std::uint32_t insn() const { return position / 2; }
  bool is_write() const { return position % 2 != 0; }
};

class Liveness {
 public:
  Liveness(const LirCode& code, const Blocks& blocks);

  const std::vector<Range>& ranges(std::uint32_t reg) const { return ranges_[reg]; }
  std::vector<Range>& ranges(std::uint32_t reg) { return ranges_[reg]; }
  // In the order of the code; in one instruction reads come before the write.
  std::span<const Occurrence> occurrences(std::uint32_t reg) const {
    return {occurrences_.data() + first_[reg], first_[reg + 1] - first_[reg]};
  }

 private:
  void list_occurrences(const LirCode& code);
  void trace(std::uint32_t reg, const Blocks& blocks);

  std::vector<std::uint32_t> first_;
  std::vector<Occurrence> occurrences_;
  std::vector<std::vector<Range>> ranges_;
  // By block, valid where the stamp is the register being traced.
  std::vector<std::uint32_t> in_stamp_, out_stamp_, def_stamp_;
  std::vector<std::uint32_t> touched_, work_;
};

bool overlap(const std::vector<Range>& a, const std::vector<Range>& b);

}  // namespace dt::bpf
