// Jumps that are too far for 16 bits.
//
// A jump has 16 bits for its distance, counted in instructions from the one behind it. Version 4 of
// the instruction set has one unconditional jump with 32 bits. Without it there are islands: places
// every so often in the code, jumped around in the normal flow, where a jump that leads farther
// comes down and takes off again.
//
//   if c goto A          if c goto I1
//   ...                  ...
//                        goto over
//                    I1: goto A         (or to the next island)
//                  over:
//   ...                  ...
//   A:                   A:
//
// What is inserted moves everything behind it, so distances are measured anew in each pass, until
// none is too far.

#include <algorithm>
#include <limits>
#include <map>

#include "bpf/asm/allocate_live.h"
#include "bpf/asm/encode.h"
#include "bpf/asm/peephole.h"
#include "support/check.h"

namespace dt::bpf {
namespace {

// Less than 32,767, so that what one pass inserts leaves most jumps in reach.
constexpr std::int64_t kReach = 30000;
constexpr std::uint32_t kIslandEvery = 12000;
constexpr int kMaxPasses = 20;

struct Placement {
  std::vector<std::uint32_t> at;        // by instruction: its index in the program
  std::vector<std::uint32_t> label_at;  // by label
};

Placement place(const LirCode& code, const Target& target) {
  Placement out;
  out.at.reserve(code.code.size());
  out.label_at.assign(code.labels, kNoId);
  std::uint32_t next = 0;
  for (const Lir& lir : code.code) {
    out.at.push_back(next);
    if (lir.op == LirOp::kLabel || lir.op == LirOp::kFunction) out.label_at[lir.label] = next;
    next += insn_count(lir, target);
  }
  return out;
}

std::int64_t jump_distance(const Placement& where, const Lir& lir, std::size_t i) {
  return std::int64_t{where.label_at[lir.label]} - where.at[i];
}

Lir jump_to(std::uint32_t label, Span span, bool is_long) {
  return {.op = LirOp::kJump,
          .size = static_cast<std::uint8_t>(is_long ? 4 : 8),
          .label = label,
          .span = span};
}

// if c goto FAR   ->   if c goto near; ...; near: gotol FAR
// `near` follows the branch and is jumped around.
bool use_long_jumps(LirCode& code, const Placement& where) {
  bool changed = false;
  std::vector<Lir> out;
  out.reserve(code.code.size());
  for (std::size_t i = 0; i < code.code.size(); ++i) {
    Lir lir = code.code[i];
    const bool far = jumps(lir) && std::abs(jump_distance(where, lir, i)) > kReach &&
                     !(lir.op == LirOp::kJump && lir.size == 4);
    changed |= far;
    if (far && lir.op == LirOp::kJump) {
      lir.size = 4;
      out.push_back(lir);
    } else if (far) {
      const std::uint32_t target = lir.label, near = code.labels++, after = code.labels++;
      lir.label = near;
      out.push_back(lir);
      out.push_back(jump_to(after, lir.span, false));
      out.push_back({.op = LirOp::kLabel, .label = near});
      out.push_back(jump_to(target, lir.span, true));
      out.push_back({.op = LirOp::kLabel, .label = after});
    } else {
      out.push_back(lir);
    }
  }
  code.code.swap(out);
  return changed;
}

// Places where an island may stand, about every kIslandEvery instructions.
class Islands {
 public:
  Islands(const LirCode& code, const Placement& where) {
    std::uint32_t next = kIslandEvery;
    for (std::size_t i = 0; i + 1 < code.code.size(); ++i) {
      if (where.at[i] < next || code.code[i].op == LirOp::kFunction) continue;
      next = where.at[i] + kIslandEvery;
      sites_.push_back({i, where.at[i], {}});
    }
  }

  // The label to jump to at `from` in order to get to `target`; kNoId when no
  // island is on the way.
  std::uint32_t stop(LirCode& code, std::int64_t from, std::int64_t to, std::uint32_t target) {
    Site* best = nullptr;
    for (Site& site : sites_) {
      const std::int64_t done = site.at - from, left = to - site.at;
      const bool on_the_way = (done > 0) == (left > 0) && done != 0 && left != 0;
      if (!on_the_way || std::abs(done) > kReach) continue;
      if (best == nullptr || std::abs(left) < std::abs(to - best->at)) best = &site;
    }
    if (best == nullptr) return kNoId;
    const auto [entry, is_new] = best->jumps.try_emplace(target, code.labels);
    if (is_new) ++code.labels;
    return entry->second;
  }

  void insert(LirCode& code) {
    std::vector<Lir> out;
    out.reserve(code.code.size() + sites_.size() * 8);
    auto site = sites_.begin();
    for (std::size_t i = 0; i < code.code.size(); ++i) {
      if (site != sites_.end() && site->before == i) {
        if (!site->jumps.empty()) put(code, *site, out);
        ++site;
      }
      out.push_back(code.code[i]);
    }
    code.code.swap(out);
  }

 private:
  struct Site {
    std::size_t before;  // instruction
    std::int64_t at;
    std::map<std::uint32_t, std::uint32_t> jumps;  // target -> label of the jump to it
  };
  static void put(LirCode& code, const Site& site, std::vector<Lir>& out) {
    const Span span = code.code[site.before].span;
    const std::uint32_t after = code.labels++;
    if (!ends_flow(out.back())) out.push_back(jump_to(after, span, false));
    for (const auto& [target, label] : site.jumps) {
      out.push_back({.op = LirOp::kLabel, .label = label});
      out.push_back(jump_to(target, span, false));
    }
    out.push_back({.op = LirOp::kLabel, .label = after});
  }
  std::vector<Site> sites_;
};

// A far jump goes to the farthest island in reach, which jumps on.
Result<bool> use_islands(LirCode& code, const Placement& where) {
  Islands islands(code, where);
  bool changed = false;
  for (std::size_t i = 0; i < code.code.size(); ++i) {
    Lir& lir = code.code[i];
    if (!jumps(lir) || std::abs(jump_distance(where, lir, i)) <= kReach) continue;
    const std::uint32_t label =
        islands.stop(code, where.at[i], where.label_at[lir.label], lir.label);
    if (label == kNoId) return Error::of("a jump in the program is too far");
    lir.label = label;
    changed = true;
  }
  if (changed) islands.insert(code);
  return changed;
}

}  // namespace

Status shorten_jumps(LirCode& code, const Target& target) {
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const Placement where = place(code, target);
    if (where.at.empty() || where.at.back() < kReach) return {};
    bool changed = false;
    if (target.has_cpu_v4) {
      changed = use_long_jumps(code, where);
    } else {
      DT_ASSIGN(changed, use_islands(code, where));
    }
    if (!changed) return {};
  }
  return Error::of("the jumps of the program are too far");
}

}  // namespace dt::bpf
