// Blocks and live ranges. Liveness is found register by register, backwards
// from each use that no definition of the same block precedes; the cost is the
// number of blocks in which registers are live, which is near-linear because
// most registers never leave their block.

#include "bpf/asm/allocate_live.h"

#include <algorithm>

#include "support/check.h"

namespace dt::bpf {

std::vector<std::uint32_t> label_positions(const std::vector<Lir>& code) {
  std::uint32_t labels = 0;
  for (const Lir& lir : code) {
    if (lir.label != kNoId) labels = std::max(labels, lir.label + 1);
  }
  std::vector<std::uint32_t> at(labels, kNoId);
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].op == LirOp::kLabel || code[i].op == LirOp::kFunction) at[code[i].label] = i;
  }
  return at;
}

std::vector<Range> loop_regions(const std::vector<Lir>& code) {
  const std::vector<std::uint32_t> label_at = label_positions(code);
  std::vector<Range> spans;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (!jumps(code[i])) continue;
    const std::uint32_t target = label_at[code[i].label];
    DT_CHECK(target != kNoId, "L{} is not bound", code[i].label);
    if (target <= i) spans.push_back({target, i + 1});
  }
  std::sort(spans.begin(), spans.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> joined;
  for (const Range& span : spans) {
    if (!joined.empty() && span.begin < joined.back().end) {
      joined.back().end = std::max(joined.back().end, span.end);
    } else {
      joined.push_back(span);
    }
  }
  return joined;
}

// A block begins at a function, at the target of a jump and behind a jump; nothing else enters it
// and nothing leaves it but at its end.
Blocks::Blocks(const std::vector<Lir>& code) {
  const std::vector<std::uint32_t> label_at = label_positions(code);
  std::vector<bool> starts(code.size() + 1, false);
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].op == LirOp::kFunction) starts[i] = true;
    if (jumps(code[i])) {
      DT_CHECK(label_at[code[i].label] != kNoId, "L{} is not bound", code[i].label);
      starts[label_at[code[i].label]] = true;
    }
    if (jumps(code[i]) || ends_flow(code[i])) starts[i + 1] = true;
  }
  block_of_.resize(code.size());
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (i == 0 || starts[i]) blocks_.push_back({.begin = i, .end = i});
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
    blocks_.back().end = i + 1;
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // to, from
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    const Lir& last = code[blocks_[b].end - 1];
    if (jumps(last)) edges.emplace_back(block_of_[label_at[last.label]], b);
    const bool runs_on = !ends_flow(last) && b + 1 < blocks_.size() &&
                         code[blocks_[b + 1].begin].op != LirOp::kFunction;
    if (runs_on) edges.emplace_back(b + 1, b);
  }
  first_.assign(blocks_.size() + 1, 0);
  for (const auto& [to, from] : edges) first_[to + 1]++;
  for (std::size_t b = 0; b < blocks_.size(); ++b) first_[b + 1] += first_[b];
  predecessors_.resize(edges.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const auto& [to, from] : edges) predecessors_[next[to]++] = from;
  for (std::uint32_t b = 1; b < blocks_.size(); ++b) {
    const auto from = predecessors(b);
    blocks_[b].falls_in = from.size() == 1 && from[0] == b - 1;
  }
  find_loops(code, label_at);
}

// A jump backwards is the end of a loop that begins at its target. How many of these ranges a block
// is in is its depth: +1 where one begins, -1 behind its end, and a running sum.
void Blocks::find_loops(const std::vector<Lir>& code, const std::vector<std::uint32_t>& label_at) {
  std::vector<std::int32_t> change(blocks_.size() + 1, 0);
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    const Lir& last = code[blocks_[b].end - 1];
    if (!jumps(last)) continue;
    const std::uint32_t target = block_of_[label_at[last.label]];
    if (target > b) continue;
    ++change[target];
    change[b + 1]--;
  }
  std::int32_t depth = 0;
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    depth += change[b];
    blocks_[b].depth = static_cast<std::uint32_t>(depth);
  }
}

// The stamps say for which register a mark on a block was made, so that marks need not be cleared
// between registers.
Liveness::Liveness(const LirCode& code, const Blocks& blocks) {
  list_occurrences(code);
  ranges_.resize(code.regs);
  in_stamp_.assign(blocks.all().size(), 0);
  out_stamp_.assign(blocks.all().size(), 0);
  def_stamp_.assign(blocks.all().size(), 0);
  for (std::uint32_t reg = kFirstVirtual; reg < code.regs; ++reg) {
    if (!occurrences(reg).empty()) trace(reg, blocks);
  }
}

// By counting: first how many occurrences each register has, then where its own begin in the one
// list, then the list is filled. There is one allocation for all registers.
void Liveness::list_occurrences(const LirCode& code) {
  first_.assign(code.regs + 1, 0);
  const auto visit = [&code](auto&& each) {
    for (std::uint32_t i = 0; i < code.code.size(); ++i) {
      const Operands ops = operands(code.code[i]);
      for (std::uint32_t r = 0; r < ops.read_count; ++r) {
        if (!is_virtual(ops.reads[r])) continue;
        if (r > 0 && ops.reads[r] == ops.reads[0]) continue;
        each(ops.reads[r], Occurrence{i * 2});
      }
      if (is_virtual(ops.write)) each(ops.write, Occurrence{i * 2 + 1});
    }
  };
  visit([this](std::uint32_t reg, Occurrence) { first_[reg + 1]++; });
  for (std::uint32_t reg = 0; reg < code.regs; ++reg) first_[reg + 1] += first_[reg];
  occurrences_.resize(first_[code.regs]);
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  visit([&](std::uint32_t reg, Occurrence o) { occurrences_[next[reg]++] = o; });
}

void Liveness::trace(std::uint32_t reg, const Blocks& blocks) {
  touched_.clear();
  work_.clear();
  const auto live_in = [&](std::uint32_t block) {
    if (in_stamp_[block] == reg) return;
    in_stamp_[block] = reg;
    for (const std::uint32_t from : blocks.predecessors(block)) {
      if (out_stamp_[from] == reg) continue;
      out_stamp_[from] = reg;
      touched_.push_back(from);
      work_.push_back(from);
    }
  };

  // Definitions first: they stop the search, whatever the order of discovery.
  const std::span<const Occurrence> all = occurrences(reg);
  for (const Occurrence& o : all) {
    const std::uint32_t block = blocks.of(o.insn());
    if (o.is_write()) def_stamp_[block] = reg;
    if (touched_.empty() || touched_.back() != block) touched_.push_back(block);
  }
  std::uint32_t previous = kNoId;
  for (const Occurrence& o : all) {
    const std::uint32_t block = blocks.of(o.insn());
    if (block != previous && !o.is_write()) live_in(block);
    previous = block;
  }
  while (!work_.empty()) {
    const std::uint32_t block = work_.back();
    work_.pop_back();
    if (def_stamp_[block] != reg) live_in(block);
  }

  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  std::vector<Range>& ranges = ranges_[reg];
  const auto push = [&ranges](std::uint32_t begin, std::uint32_t end) {
    if (!ranges.empty() && ranges.back().end >= begin) {
      ranges.back().end = std::max(ranges.back().end, end);
    } else {
      ranges.push_back({begin, end});
    }
  };
  std::size_t next = 0;
  for (const std::uint32_t b : touched_) {
    const Block& block = blocks.all()[b];
    std::uint32_t begin = block.begin * 2, end = begin;
    for (; next < all.size() && all[next].insn() < block.end; ++next) {
      const std::uint32_t at = all[next].position;
      if (all[next].is_write() && end < at) {
        if (end > begin) push(begin, end);
        begin = at;
      }
      end = at + 1;
    }
    if (out_stamp_[b] == reg) end = block.end * 2;
    if (end > begin) push(begin, end);
  }
}

bool overlap(const std::vector<Range>& a, const std::vector<Range>& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].end <= b[j].begin) {
      ++i;
    } else if (b[j].end <= a[i].begin) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace dt::bpf
