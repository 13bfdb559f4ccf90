// Selector: stacks, and what stands for them in the keys of aggregations.

#include "bpf/select/selector.h"
#include "bpf/stack/python.h"
#include "bpf/stack/unwind.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

// Stacks with one hash, of which a firing finds its own: 64 bits are enough to
// have one of them.
constexpr int kNumberTries = 2;

}  // namespace

// Functions below main have frames, too, in stacks that begin with the tracer's.
Reg Selector::stack_flags(bool user) {
  if (user) return e_.imm(BPF_F_USER_STACK);
  if (unit_.stack_frames) {
    if (const Reg known = unit_.stack_frames(spec_.context, spec_.calls); known.valid()) {
      return known;
    }
  }
  const bool has_ours = unit_.stack_skip != 0 && !unit_.stack_is_of_context;
  return e_.imm(unit_.stack_skip + (has_ours ? spec_.calls : 0));
}

void Selector::stack(const ir::Inst& inst) {
  const bool user = inst.op != ir::Op::kStack;
  const std::uint32_t size = inst.type.size;
  const Place buffer = frames_buffer(size, last_use(inst.result), user);
  if (user) {
    e_.store(8, buffer.base, buffer.offset, tgid());
  }
  // The helper clears what it does not fill, and everything when it fails.
  const std::uint32_t skip = user ? 8 : 0;
  if (size > skip) {
    const Place frames = at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + skip);
    if (unit_.thread_at >= 0) {
      e_.call_void(BPF_FUNC_get_task_stack,
                   {task(), address(frames), e_.imm(size - skip), e_.imm(0)});
    } else {
      frames_to(frames, size - skip, user, inst.op == ir::Op::kJstack);
    }
  }
  define_memory(inst, buffer, size / 8 * 8);
}

// Routines take nothing that is on the stack and was not written yet.
Place Selector::frames_buffer(std::uint32_t bytes, std::uint32_t last_use, bool user) {
  return user && unwinds(unit_) ? frame_place(words_up(bytes), last_use)
                                : temporary(bytes, last_use);
}

// How many frames there are, which are put at `frames`; zeros behind them.
Reg Selector::frames_to(Place frames, std::uint32_t bytes, bool user, bool with_sources) {
  const Label done = e_.label();
  const Reg count = e_.reg();
  const bool unwound = user && unwinds(unit_);
  if (unwound) {
    const Place state = frame_place(kUnwindStateBytes, position_);
    const Reg cache = address(at(frame_, kUnwindCacheAt));
    if (with_sources && unit_.memory.machine.unwind.with_sources) {
      unwind_sources(frames, bytes, state, cache, count);
    } else {
      e_.mov(count, e_.call_subprogram(unit_.routine(Routine::Kind::kUnwind, bytes),
                                       {address(frames), address(state), cache}));
    }
    e_.jump_if_imm(Cond::kSge, count, 0, done);
  }
  const Reg flags = stack_flags(user);
  e_.mov(count,
         e_.call(BPF_FUNC_get_stack, {spec_.context, address(frames), e_.imm(bytes), flags}));
  const Label some = e_.label();
  e_.jump_if_imm(Cond::kSge, count, 0, some);
  e_.mov_imm(count, 0);
  e_.bind(some);
  e_.alu_imm(Alu::kRsh, count, 3);
  e_.bind(done);
  return count;
}

// Names that found no room are counted.
void Selector::unwind_sources(Place frames, std::uint32_t bytes, Place state, Reg cache,
                              Reg status) {
  const Place python = at(frame_, kPythonOffset);
  const Label lost = e_.label(), back = e_.label();
  e_.mov(status, e_.call_subprogram(unit_.routine(Routine::Kind::kUnwindSources, bytes),
                                    {address(frames), address(state), cache, address(python)}));
  e_.jump_if_imm(Cond::kNe, e_.load(8, python.base, python.offset + kPythonLost), 0, lost);
  e_.bind(back);
  cold_.push_back([=, this] {
    e_.bind(lost);
    drop(record::Drop::kStackStrings);
    e_.jump(back);
  });
}

// The address in frame `which`, 0 where the stack is shorter.
Reg Selector::one_frame(bool user, std::uint32_t which) {
  const std::uint32_t bytes = (which + 1) * 8;
  const Place buffer = frames_buffer(bytes, position_, user);
  frames_to(buffer, bytes, user);
  return e_.load(8, buffer.base, buffer.offset + static_cast<std::int32_t>(which * 8));
}

Reg Selector::depth(bool user) {
  constexpr std::uint32_t kMaxFrames = 127;  // sysctl kernel.perf_event_max_stack
  return frames_to(frame_place(kMaxFrames * 8, position_), kMaxFrames * 8, user);
}

// The number of the frames in their table, where they are entered when they are
// new; 0 when there is no room. `generation` is valid where the table is drained.
Reg Selector::stack_number(Place frames, std::uint32_t bytes, Reg generation) {
  constexpr std::int32_t kNotZero = 2, kNext = 4;  // the lowest bit is the generation's
  const std::uint32_t index = unit_.memory.stack_table(bytes, generation.valid());
  DT_CHECK(index != ir::kNone, "stacks of {} bytes", bytes);
  const MapRef table = {MapKind::kStacks, index};
  const Label full = e_.label(), done = e_.label();
  const Reg number = e_.reg();
  e_.mov(number,
         e_.call_subprogram(unit_.routine(Routine::Kind::kFramesHash, bytes), {address(frames)}));
  e_.alu_imm(Alu::kAnd, number, -kNext);
  e_.alu_imm(Alu::kOr, number, kNotZero);
  if (generation.valid()) e_.alu(Alu::kOr, number, generation);
  for (int i = 0; i < kNumberTries; i++) {
    const Label absent = e_.label(), have = e_.label();
    const Place key = stack_word();
    e_.store(8, key.base, key.offset, number);
    const Reg element = lookup(table, key);
    e_.jump_if_imm(Cond::kEq, element, 0, absent);
    e_.bind(have);
    const Label same = unit_.routine(Routine::Kind::kSameFrames, bytes);
    e_.jump_if_imm(Cond::kNe, e_.call_subprogram(same, {address(frames), element}), 0, done);
    e_.alu_imm(Alu::kAdd, number, kNext);
    cold_.push_back([=, this] {
      e_.bind(absent);
      // Another CPU may enter it first, or another stack with its number.
      e_.call_void(BPF_FUNC_map_update_elem,
                   {e_.map(table), address(key), address(frames), e_.imm(BPF_NOEXIST)});
      e_.mov(element, lookup(table, key));
      e_.jump_if_imm(Cond::kNe, element, 0, have);
      e_.jump(full);
    });
  }
  e_.bind(full);
  e_.mov_imm(number, 0);
  e_.bind(done);
  return number;
}

}  // namespace dt::bpf
