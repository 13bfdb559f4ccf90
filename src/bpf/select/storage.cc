// See storage.h.

#include "bpf/select/storage.h"

#include <algorithm>
#include <utility>

#include "bpf/asm/lir.h"
#include "bpf/layout/frame.h"
#include "bpf/routine/routine.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/firing.h"
#include "bpf/stack/frame_layout.h"
#include "bpf/stack/python.h"
#include "record/drop.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kOffsetLimit = 0x4000;  // of a Place; an access may add 16 KiB
constexpr std::uint32_t kMaxFrameBytes = 16u << 20;

// The first gap of `bytes` in [0, limit) among those taken. They are few, so they are gone through
// until none moves the offset any more.
template <typename Taken>
std::uint32_t first_gap(const Taken& taken, std::uint32_t bytes, std::uint32_t limit) {
  std::uint32_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& [from, size] : taken) {
      if (from < offset + bytes && offset < from + size) {
        offset = from + size;
        moved = true;
      }
    }
  }
  return offset + bytes <= limit ? offset : ir::kNone;
}

}  // namespace

Storage::Storage(FunctionContext& f, Facts& facts, Failures& failures)
    : f_(f), unit_(f.unit), e_(f.e), facts_(facts), failures_(failures) {}

void Storage::begin(Label leave) {
  prepare_region();
  prepare_tokens();
  // Its size is set at the end, in leave_function(), when it is known how much was used.
  stack_region_ = e_.stack(8);
  key_region_ = e_.stack(longest_stack_key());
  word_ = e_.stack(16);
  frame_ = e_.reg();
  if (f_.spec.firing != nullptr)
    enter_part(leave);
  else
    e_.mov_imm(frame_, 0);
}

// ---- Places -------------------------------------------------------------------

// An instruction's offset has 16 bits, signed. Places keep below half of that, so that an access
// within the place needs no other base.
Place Storage::at(Reg base, std::uint32_t offset) {
  const bool in_frame = base == frame_;
  if (offset < kOffsetLimit) return {base, static_cast<std::int32_t>(offset), in_frame};
  const Reg far = e_.reg();
  e_.mov(far, base);
  e_.alu_imm(Alu::kAdd, far, static_cast<std::int32_t>(offset));
  return {far, 0, in_frame};
}

Place Storage::stack_word() { return {e_.stack_address(word_), 0}; }

// ---- Temporaries ----------------------------------------------------------------

void Storage::release_temporaries() {
  std::erase_if(temporaries_, [&](const Temporary& t) { return t.last_use < f_.position; });
}

Place Storage::temporary(std::uint32_t bytes, std::uint32_t last_use) {
  bytes = words_up(bytes);
  if (bytes <= kStackTemporaryBytes) {
    if (const auto place = on_stack(bytes, last_use, unit_.budget.temporaries)) return *place;
  }
  return frame_place(bytes, last_use);
}

Place Storage::text_buffer(std::uint32_t size, std::uint32_t padded, std::uint32_t last_use) {
  const std::uint32_t bytes = words_up(size);
  if (padded < bytes && bytes <= unit_.budget.text) {
    const std::uint32_t limit = unit_.budget.temporaries + unit_.budget.text;
    if (const auto place = on_stack(bytes, last_use, limit)) return *place;
  }
  return temporary(size, last_use);
}

std::optional<Place> Storage::on_stack(std::uint32_t bytes, std::uint32_t last_use,
                                       std::uint32_t limit) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
  for (const Temporary& t : temporaries_) {
    if (t.on_stack) taken.emplace_back(t.offset, t.bytes);
  }
  const std::uint32_t offset = first_gap(taken, bytes, limit);
  if (offset == ir::kNone) return std::nullopt;
  temporaries_.push_back({offset, bytes, last_use, true});
  stack_used_ = std::max(stack_used_, offset + bytes);
  return Place{e_.stack_address(stack_region_, static_cast<std::int32_t>(offset)), 0};
}

Place Storage::frame_place(std::uint32_t bytes, std::uint32_t last_use) {
  need_frame();
  const std::uint32_t offset = reserve_frame(bytes);
  temporaries_.back().last_use = last_use;
  return at(frame_, offset);
}

Place Storage::frame_word(std::uint32_t last_use) {
  need_frame();
  const std::uint32_t offset = reserve_frame(8);
  temporaries_.back().last_use = last_use;
  return {frame_, static_cast<std::int32_t>(offset)};
}

std::uint32_t Storage::reserve_frame(std::uint32_t bytes) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken = {
      {0, f_.spec.firing != nullptr ? f_.spec.firing->end : frame_begin(unit_.memory.machine)}};
  for (const Temporary& t : temporaries_) {
    if (!t.on_stack) taken.emplace_back(t.offset, t.bytes);
  }
  std::uint32_t offset = first_gap(taken, bytes, kMaxFrameBytes);
  if (offset == ir::kNone) {
    f_.refuse(ir::Refusal::Code::kScratchFull, {});
    offset = frame_begin(unit_.memory.machine);
  }
  temporaries_.push_back({offset, bytes, ir::kNone, false});
  unit_.frame_bytes = std::max(unit_.frame_bytes, offset + bytes);
  return offset;
}

void Storage::need_frame() {
  if (f_.known_since(frame_points_)) return;
  const Label have = e_.label();
  // On some paths to here the frame has been taken, on others not: its register is 0 there. The
  // verifier follows both, and so does the program: a branch, and a second place where a frame is
  // taken.
  const bool maybe_taken = !frame_points_.empty();
  const Reg cpu_number = facts_.cpu();
  if (maybe_taken) e_.jump_if_imm(Cond::kNe, frame_, 0, have);
  unit_.frame_bytes = std::max(unit_.frame_bytes, frame_begin(unit_.memory.machine));
  const Reg index = e_.reg();
  take_frame(e_, cpu_number, word_, frame_, index,
             failures_.drop_and_go(record::Drop::kNesting, f_.exit));
  note_frame(e_, unit_.memory, frame_, index);
  if (index_at_ != ir::kNone) {
    e_.store(8, frame_, static_cast<std::int32_t>(index_at_), index);
    const std::uint32_t size = unit_.program.scratch_size;
    const Reg found =
        find_region(e_, index, word_, failures_.drop_and_go(record::Drop::kNesting, f_.exit));
    start_region(e_, found, size, f_.address(f_.rodata(unit_.zeros(size))));
  }
  if (tokens_at_ != ir::kNone) e_.store_imm(8, frame_, static_cast<std::int32_t>(tokens_at_), 0);
  e_.bind(have);
  frame_points_.push_back(f_.block);
}

// Of the keys that are built on the stack.
std::uint32_t Storage::longest_stack_key() const {
  std::uint32_t longest = 8;
  for (const ir::Block& block : f_.fn.blocks) {
    for (const ir::Inst& inst : block.insts) {
      const bool is_variable = ir::reads_variable(inst.op) || ir::writes_variable(inst.op);
      std::uint32_t bytes = 0;
      if (inst.op == ir::Op::kAggregate || inst.op == ir::Op::kAccumulate) {
        bytes = unit_.memory.aggs[unit_.memory.agg_map(inst.index)].key_bytes;
      }
      if (is_variable) bytes = unit_.memory.assocs[unit_.memory.assoc_map(inst.index)].key_bytes;
      if (bytes <= unit_.budget.key) longest = std::max(longest, bytes);
    }
  }
  return longest;
}

// Reserves room for the frame's number, when the function uses its region.
void Storage::prepare_region() {
  bool is_used = false;
  for (const ir::Block& block : f_.fn.blocks) {
    for (const ir::Inst& inst : block.insts) is_used |= ir::uses_scratch(inst.op);
  }
  if (!is_used) return;
  index_at_ = f_.spec.firing != nullptr ? f_.spec.firing->index : reserve_frame(8);
}

Reg Storage::region(Label none) {
  return find_region(e_, e_.load(8, frame_, static_cast<std::int32_t>(index_at_)), word_, none);
}

// Main has taken the frame.
void Storage::enter_part(Label leave) {
  if (unit_.waits) begin_section(e_, unit_.guard);
  e_.mov(frame_, find_frame(e_, f_.spec.frame_index, word_, leave));
  frame_points_.push_back(0);
  if (f_.spec.has_slot) {
    f_.spec.slot = e_.load(8, frame_, static_cast<std::int32_t>(f_.spec.firing->slot));
  }
}

// A frame that was taken must be given back on every path, faults included; all of them lead here.
void Storage::leave_function(Label leave) {
  if (!frame_points_.empty() && f_.spec.firing == nullptr) {
    e_.jump_if_imm(Cond::kEq, frame_, 0, leave);
    release_frame(e_, frame_);
  }
  e_.bind(leave);
  const bool is_part = f_.spec.firing != nullptr;
  if (is_part ? unit_.waits : !f_.spec.is_error)
    end_firing(e_, unit_.guard);
  else
    e_.exit(0);
  e_.lir().slots[stack_region_.id] = stack_used_;
}

// Reserves the state, when the function uses it.
void Storage::prepare_tokens() {
  bool is_used = false;
  for (const ir::Block& block : f_.fn.blocks) {
    is_used |= std::any_of(block.insts.begin(), block.insts.end(), uses_tokens);
  }
  if (!is_used) return;
  tokens_at_ =
      f_.spec.firing != nullptr ? f_.spec.firing->tokens : reserve_frame(unit_.token_bytes);
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
}

}  // namespace dt::bpf
