// Stack layout. A slot is in use from its first mention to its last in the
// linear order (kSlotUse marks the end where addresses are passed around),
// widened to whole loops; slots that are not in use together share memory.

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "bpf/asm/allocate.h"
#include "bpf/asm/allocate_live.h"
#include "support/check.h"

namespace dt::bpf {
namespace {

// Verifiers count a frame in steps of 32 bytes.
constexpr std::uint32_t kFrameStep = 32;

bool mentions_slot(const Lir& lir) {
  if (lir.label == kNoId) return false;
  return lir.op == LirOp::kStackAddress || lir.op == LirOp::kSlotUse ||
         (is_memory(lir) && base_of(lir) == kFrame);
}

struct Placed {
  std::uint32_t offset = 0, bytes = 0, end = 0;  // offset: of its low end below r10
};

// Where each slot is mentioned, loops included.
std::vector<Range> lifetimes(const LirCode& code) {
  std::vector<Range> lives(code.slots.size(), Range{kNoId, 0});
  for (std::uint32_t i = 0; i < code.code.size(); ++i) {
    if (!mentions_slot(code.code[i])) continue;
    Range& life = lives[code.code[i].label];
    life.begin = std::min(life.begin, i);
    life.end = i + 1;
  }
  const std::vector<Range> loops = loop_regions(code.code);
  for (Range& life : lives) {
    if (life.begin >= life.end) continue;
    // Loops are disjoint and ascending: at most the first and last are cut.
    auto loop = std::upper_bound(loops.begin(), loops.end(), life.begin,
                                 [](std::uint32_t at, const Range& l) { return at < l.end; });
    for (; loop != loops.end() && loop->begin < life.end; ++loop) {
      life.begin = std::min(life.begin, loop->begin);
      life.end = std::max(life.end, loop->end);
    }
  }
  return lives;
}

// Offsets for the slots of one function; returns its depth in bytes.
std::uint32_t place_slots(const LirCode& code, const std::vector<Range>& lives,
                          std::vector<std::uint32_t>& slots, std::vector<std::uint32_t>& offsets) {
  std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) {
    return lives[a].begin != lives[b].begin ? lives[a].begin < lives[b].begin : a < b;
  });
  std::vector<Placed> active;  // ascending by offset
  std::uint32_t depth = 0;
  for (const std::uint32_t slot : slots) {
    const std::uint32_t bytes = code.slots[slot];
    std::erase_if(active, [&](const Placed& p) { return p.end <= lives[slot].begin; });
    std::uint32_t top = 0;  // bytes below r10 that are taken so far
    auto at = active.begin();
    for (; at != active.end(); ++at) {
      if (at->offset - at->bytes >= top + bytes) break;
      top = std::max(top, at->offset);
    }
    offsets[slot] = top + bytes;
    active.insert(at, {.offset = top + bytes, .bytes = bytes, .end = lives[slot].end});
    depth = std::max(depth, top + bytes);
  }
  return depth;
}

Error stack_error(const char* who, std::uint32_t bytes, std::uint32_t limit_bytes) {
  return Error::of(
      fmt::format("{} {} bytes of stack; the kernel gives {}", who, bytes, limit_bytes));
}

struct Function {
  std::uint32_t label = 0;
  std::uint32_t begin = 0, end = 0;  // instructions
  std::uint32_t depth = 0;
};

std::vector<Function> functions_of(const std::vector<Lir>& code) {
  std::vector<Function> functions;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].op == LirOp::kFunction) functions.push_back({code[i].label, i, i, 0});
    functions.back().end = i + 1;
  }
  return functions;
}

// The deepest chain of frames from function `index` on; `level` bounds a chain
// that recurs, which the kernel would refuse.
Result<std::uint32_t> chain(const std::vector<Lir>& code, const std::vector<Function>& functions,
                            const std::map<std::uint32_t, std::size_t>& by_label,
                            std::vector<std::uint32_t>& known, std::size_t index, int level) {
  constexpr int kMaxFrames = 8;
  if (level > kMaxFrames) return Error::of("subprogram calls are nested too deeply");
  if (known[index] != kNoId) return known[index];
  std::uint32_t below = 0;
  for (std::uint32_t i = functions[index].begin; i < functions[index].end; ++i) {
    if (code[i].op != LirOp::kCallFunction) continue;
    const auto callee = by_label.find(code[i].label);
    DT_CHECK(callee != by_label.end(), "L{} is not a function", code[i].label);
    DT_ASSIGN(const std::uint32_t deep,
              chain(code, functions, by_label, known, callee->second, level + 1));
    below = std::max(below, deep);
  }
  const std::uint32_t own = std::max(functions[index].depth, 1u);
  known[index] = below + (own + kFrameStep - 1) / kFrameStep * kFrameStep;
  return known[index];
}

}  // namespace

Result<std::uint32_t> allocate_stack(LirCode& code, std::uint32_t limit_bytes) {
  const std::vector<Range> lives = lifetimes(code);
  std::vector<Function> functions = functions_of(code.code);
  std::vector<std::uint32_t> offsets(code.slots.size(), 0);
  std::vector<bool> seen(code.slots.size(), false);
  std::map<std::uint32_t, std::size_t> by_label;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    Function& function = functions[f];
    by_label[function.label] = f;
    std::vector<std::uint32_t> slots;
    for (std::uint32_t i = function.begin; i < function.end; ++i) {
      const Lir& lir = code.code[i];
      if (!mentions_slot(lir) || seen[lir.label]) continue;
      seen[lir.label] = true;
      slots.push_back(lir.label);
    }
    function.depth = place_slots(code, lives, slots, offsets);
    if (function.depth > limit_bytes) {
      return stack_error("the program needs", function.depth, limit_bytes);
    }
  }
  std::vector<std::uint32_t> known(functions.size(), kNoId);
  DT_ASSIGN(const std::uint32_t deepest, chain(code.code, functions, by_label, known, 0, 1));
  if (deepest > limit_bytes) {
    return stack_error("the program and its subprograms need", deepest, limit_bytes);
  }
  for (Lir& lir : code.code) {
    if (!mentions_slot(lir) || lir.op == LirOp::kSlotUse) continue;
    lir.offset -= static_cast<std::int32_t>(offsets[lir.label]);
    lir.label = kNoId;
    if (lir.op == LirOp::kStackAddress) lir.src = kFrame;
  }
  std::erase_if(code.code, [](const Lir& lir) { return lir.op == LirOp::kSlotUse; });
  return deepest;
}

}  // namespace dt::bpf
