// Routines of strings that are longer than a window: loops over the windows,
// each of which is searched by a routine for strings of its size.
//
// Where a string does not end with a window, the last window ends where the
// string's memory does: it overlaps the one before, which does no harm. A window
// that is full has no NUL; the bytes behind it may be read, as behind a string.

#include <algorithm>

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

constexpr auto kWindowBytes = static_cast<std::int32_t>(kWindow);

// Writes a loop in which `at` is the beginning of every window in turn.
template <typename Body>
void each_window(Emitter& e, Reg at, std::uint32_t capacity, const Body& body) {
  const auto last = static_cast<std::int32_t>(capacity - kWindow);
  const Label loop = e.label(), done = e.label();
  e.mov_imm(at, 0);
  e.bind(loop);
  body();
  e.jump_if_imm(Cond::kGe, at, last, done);
  e.alu_imm(Alu::kAdd, at, kWindowBytes);
  e.jump_if_imm(Cond::kLe, at, last, loop);
  e.mov_imm(at, last);
  e.jump(loop);
  e.bind(done);
}

// The same from the last window to the first.
template <typename Body>
void each_window_back(Emitter& e, Reg at, std::uint32_t capacity, const Body& body) {
  const Label loop = e.label(), done = e.label();
  e.mov_imm(at, capacity - kWindow);
  e.bind(loop);
  body();
  e.jump_if_imm(Cond::kEq, at, 0, done);
  e.alu_imm(Alu::kSub, at, kWindowBytes);
  e.jump_if_imm(Cond::kSgt, at, 0, loop);
  e.mov_imm(at, 0);
  e.jump(loop);
  e.bind(done);
}

// Behind the windows of a search: -1, or at `found` the position in the string.
void end_search(Emitter& e, Label found, Reg position, Reg at) {
  ret_imm(e, -1);
  e.bind(found);
  e.alu(Alu::kAdd, position, at);
  e.ret(position);
}

// Goes to `ended` when the window's last byte is a NUL: the string ends in it.
void leave_at_end(Emitter& e, Reg s, Reg at, Label ended) {
  e.jump_if_imm(Cond::kEq, e.load(1, sum(e, s, at), kWindowBytes - 1), 0, ended);
}

// to - from. What is learnt of it teaches the verifier nothing of `to`: no
// window is then looked at more than once.
Reg distance(Emitter& e, Reg to, Reg from, Reg unknown) {
  const Reg out = copy(e, to);
  e.alu(Alu::kSub, out, from);
  forget(e, out, unknown);
  return out;
}

}  // namespace

void emit_find_char_wide(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_first = routine.kind == Routine::Kind::kFindChar;
  const Label find = unit.routine(routine.kind, kWindow);
  const std::vector<Reg> r = begin_routine(e, name, is_first ? "dt_find_char" : "dt_find_last_char",
                                           {string_of(routine.first), kNumberParameter});
  const Label found = e.label(), none = e.label(), other = e.label();
  const Reg at = e.reg(), position = e.reg();
  const auto look = [&] {
    e.mov(position, e.call_subprogram(find, {sum(e, r[0], at), r[1]}));
    e.jump_if_imm(Cond::kSge, position, 0, found);
  };
  if (is_first) {
    each_window(e, at, routine.first, [&] {
      look();
      leave_at_end(e, r[0], at, none);
    });
  } else {
    const Reg byte = copy(e, r[1]);
    e.alu_imm(Alu::kAnd, byte, 0xff);
    e.jump_if_imm(Cond::kNe, byte, 0, other);
    e.ret(string_length(e, r[0], routine.first));
    e.bind(other);
    each_window_back(e, at, routine.first, [&] {
      const Label next = e.label();
      e.jump_if_imm(Cond::kEq, e.load(1, sum(e, r[0], at), 0), 0, next);
      look();
      e.bind(next);
    });
  }
  e.bind(none);
  end_search(e, found, position, at);
}

void emit_index_word_wide(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const Label find = unit.routine(Routine::Kind::kIndexWord, kWindow);
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_index_word",
                    {string_of(capacity), kNumberParameter, kNumberParameter, kNumberParameter});
  const Label found = e.label(), none = e.label();
  const Reg at = e.reg(), position = e.reg(), unknown = e.load(8, r[0], 0);
  each_window(e, at, capacity, [&] {
    const Label next = e.label(), within = e.label();
    const Reg from = distance(e, r[3], at, unknown);
    e.jump_if_imm(Cond::kSge, from, kWindowBytes, next);
    e.jump_if_imm(Cond::kSge, from, 0, within);
    e.mov_imm(from, 0);
    e.bind(within);
    e.mov(position, e.call_subprogram(find, {sum(e, r[0], at), r[1], r[2], from}));
    e.jump_if_imm(Cond::kSge, position, 0, found);
    e.bind(next);
    leave_at_end(e, r[0], at, none);
  });
  e.bind(none);
  end_search(e, found, position, at);
}

void emit_rindex_word_wide(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const Label find = unit.routine(Routine::Kind::kRindexFrom, kWindow);
  const std::vector<Reg> r = begin_routine(e, name, "dt_rindex_word",
                                           {string_of(capacity), kNumberParameter, kNumberParameter,
                                            kNumberParameter, kNumberParameter});
  const Label found = e.label(), start = e.label();
  const Reg at = e.reg(), position = e.reg(), unknown = e.load(8, r[0], 0);
  const Reg last = string_length(e, r[0], capacity);
  e.alu(Alu::kSub, last, r[4]);
  e.jump_if(Cond::kSge, r[3], last, start);
  e.mov(last, r[3]);
  e.bind(start);
  each_window_back(e, at, capacity, [&] {
    const Label next = e.label(), within = e.label();
    const Reg from = distance(e, last, at, unknown);
    e.jump_if_imm(Cond::kSlt, from, 0, next);
    e.jump_if_imm(Cond::kSlt, from, kWindowBytes, within);
    e.mov_imm(from, kWindowBytes - 1);
    e.bind(within);
    e.mov(position, e.call_subprogram(find, {sum(e, r[0], at), r[1], r[2], from}));
    e.jump_if_imm(Cond::kSge, position, 0, found);
    e.bind(next);
  });
  end_search(e, found, position, at);
}

// A window of the part, with the eight bytes before it, is a part that agrees
// in them.
void emit_match_wide(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const Label match = unit.routine(Routine::Kind::kMatch, routine.first, kWindow + 8);
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_match",
      {string_of(routine.first), string_of(routine.second), kNumberParameter, kNumberParameter});
  const Label differs = e.label(), agrees = e.label();
  const Reg at = e.reg(), unknown = e.load(8, r[0], 0);
  each_window(e, at, routine.second - 8, [&] {
    const Label cut = e.label();
    const Reg length = distance(e, r[3], at, unknown), place = sum(e, r[2], at);
    e.jump_if_imm(Cond::kSle, length, 8, agrees);
    e.jump_if_imm(Cond::kSle, length, kWindowBytes + 8, cut);
    e.mov_imm(length, kWindowBytes + 8);
    e.bind(cut);
    const Reg same = e.call_subprogram(match, {r[0], sum(e, r[1], at), place, length});
    e.jump_if_imm(Cond::kEq, same, 0, differs);
  });
  e.bind(agrees);
  ret_imm(e, 1);
  e.bind(differs);
  ret_imm(e, 0);
}

void emit_change_case_wide(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_lower = routine.kind == Routine::Kind::kLower;
  const Label change = unit.routine(routine.kind, kWindow, kWindow);
  const std::vector<Reg> r = begin_routine(e, name, is_lower ? "dt_tolower" : "dt_toupper",
                                           {string_of(routine.second), string_of(routine.first)});
  const Label done = e.label();
  const Reg at = e.reg();
  each_window(e, at, std::min(routine.first, routine.second), [&] {
    e.call_subprogram(change, {sum(e, r[0], at), sum(e, r[1], at)});
    leave_at_end(e, r[1], at, done);
  });
  e.bind(done);
  ret_imm(e, 0);
}

void emit_byte_set_wide(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const Label more = unit.routine(Routine::Kind::kByteSetMore, kWindow);
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_byte_set", {string_of(kByteSetBytes), string_of(routine.first)});
  const Label done = e.label();
  for (std::int32_t i = 0; i < 4; ++i) e.store_imm(8, r[0], i * 8, 0);
  const Reg at = e.reg();
  each_window(e, at, routine.first, [&] {
    e.call_subprogram(more, {r[0], sum(e, r[1], at)});
    leave_at_end(e, r[1], at, done);
  });
  e.bind(done);
  ret_imm(e, 0);
}

// Filled bytes are no NULs: where windows overlap, nothing is done twice.
void emit_fill_nuls_wide(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const Label fill = unit.routine(Routine::Kind::kFillNuls, kWindow);
  const Label cut = unit.routine(Routine::Kind::kCut, kWindow);
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_memstr", {string_of(capacity), kNumberParameter, kNumberParameter});
  const Label done = e.label(), fills = e.label();
  const Reg at = e.reg(), unknown = e.load(8, r[0], 0);
  const Reg byte = copy(e, r[1]);
  e.alu_imm(Alu::kAnd, byte, 0xff);
  e.jump_if_imm(Cond::kNe, byte, 0, fills);
  // Behind the window with the NUL, every one begins with a NUL, too; or goes on
  // with one, where it overlaps the one before.
  const Reg is_over = e.imm(0), behind = e.imm(0);
  each_window(e, at, capacity, [&] {
    const Label next = e.label();
    e.jump_if_imm(Cond::kEq, is_over, 0, next);
    e.store_imm(1, sum(e, r[0], behind), 0, 0);
    e.bind(next);
    e.mov(is_over, e.call_subprogram(cut, {sum(e, r[0], at)}));
    e.mov(behind, at);
    e.alu_imm(Alu::kAdd, behind, kWindowBytes);
  });
  ret_imm(e, 0);
  e.bind(fills);
  each_window(e, at, capacity, [&] {
    const Label whole = e.label();
    const Reg count = distance(e, r[2], at, unknown);
    e.jump_if_imm(Cond::kSle, count, 0, done);
    e.jump_if_imm(Cond::kSle, count, kWindowBytes, whole);
    e.mov_imm(count, kWindow);
    e.bind(whole);
    e.call_subprogram(fill, {sum(e, r[0], at), byte, count});
  });
  e.bind(done);
  ret_imm(e, 0);
}

// Chunks are long, for few branches; the last one ends where the memory does.
void emit_difference(Unit& unit, Label name, std::uint32_t capacity) {
  constexpr std::int32_t kChunk = kComparedChunk;
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_difference", {string_of(capacity), string_of(capacity)});
  const auto last = static_cast<std::int32_t>(capacity) - kChunk;
  const Label loop = e.label(), found = e.label(), none = e.label();
  const Reg at = e.imm(0);
  e.bind(loop);
  const Reg p = sum(e, r[0], at), q = sum(e, r[1], at), difference = e.imm(0);
  for (std::int32_t i = 0; i < kChunk; i += 8) {
    const Reg word = e.load(8, p, i);
    e.alu(Alu::kXor, word, e.load(8, q, i));
    e.alu(Alu::kOr, difference, word);
  }
  e.jump_if_imm(Cond::kNe, difference, 0, found);
  e.jump_if_imm(Cond::kGe, at, last, none);
  e.alu_imm(Alu::kAdd, at, kChunk);
  e.jump_if_imm(Cond::kLe, at, last, loop);
  e.mov_imm(at, last);
  e.jump(loop);
  e.bind(none);
  ret_imm(e, -1);
  e.bind(found);
  e.ret(at);
}

void emit_many_steps(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_path = routine.kind == Routine::Kind::kCleanPathMany;
  const Label steps = is_path
                          ? unit.routine(Routine::Kind::kCleanPathSteps, routine.first)
                          : unit.routine(Routine::Kind::kJsonSteps, routine.first, routine.second);
  const std::vector<Reg> r =
      begin_routine(e, name, is_path ? "dt_cleanpath_many" : "dt_json_many",
                    {string_of(routine.first), string_of(is_path ? routine.first : routine.second),
                     string_of(is_path ? kPathBytes : kJsonBytes)});
  const Label loop = e.label(), done = e.label();
  const Reg left = e.imm(kStepCalls);
  e.bind(loop);
  const Reg ended = e.call_subprogram(steps, {r[0], r[1], r[2]});
  e.jump_if_imm(Cond::kNe, ended, 0, done);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  ret_imm(e, 0);
  e.bind(done);
  ret_imm(e, 1);
}

void emit_all_steps(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_path = routine.kind == Routine::Kind::kCleanPath;
  const std::uint32_t second = is_path ? routine.first : routine.second;
  const std::uint32_t state_bytes = is_path ? kPathBytes : kJsonBytes;
  const std::vector<Reg> r =
      begin_routine(e, name, is_path ? "dt_cleanpath_all" : "dt_json_all",
                    {string_of(routine.first), string_of(second), string_of(state_bytes)});
  for (std::uint32_t at = 0; at < state_bytes; at += 8) {
    e.store_imm(8, r[2], static_cast<std::int32_t>(at), 0);
  }
  if (!is_path) {
    const Label first_name = unit.routine(Routine::Kind::kJsonName, second);
    e.store(8, r[2], kJsonNextName, e.call_subprogram(first_name, {r[1], e.imm(0)}));
    e.store_imm(8, r[2], kJsonResult, -1);
  }
  // Every byte of a path is read once and taken back once, and a component's end is a step; the
  // byte behind a number of JSON is read twice.
  std::uint32_t calls = routine.first * (is_path ? 3 : 2) / kStepsPerCall + 1;
  Routine steps = {is_path ? Routine::Kind::kCleanPathSteps : Routine::Kind::kJsonSteps,
                   routine.first, routine.second};
  if (calls > kStepCalls) {
    calls = calls / kStepCalls + 1;
    steps.kind = is_path ? Routine::Kind::kCleanPathMany : Routine::Kind::kJsonStepsMany;
  }
  const Label again = e.label(), done = e.label();
  const Label some = unit.routine(steps.kind, steps.first, steps.second);
  const Reg left = e.imm(calls);
  e.bind(again);
  e.jump_if_imm(Cond::kNe, e.call_subprogram(some, {r[0], r[1], r[2]}), 0, done);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, again);
  e.bind(done);
  if (is_path) return ret_imm(e, 0);
  e.ret(e.load(8, r[2], kJsonResult));
}

void emit_json(Unit& unit, Label name, const Routine& routine) {
  if (routine.kind == Routine::Kind::kJsonName) return emit_json_name(unit, name, routine.first);
  if (routine.kind == Routine::Kind::kJsonSteps) return emit_json_steps(unit, name, routine);
  if (routine.kind == Routine::Kind::kJsonStepsMany) return emit_many_steps(unit, name, routine);
  emit_all_steps(unit, name, routine);
}

void emit_cleaning(Unit& unit, Label name, const Routine& routine) {
  if (routine.kind == Routine::Kind::kCleanPathSteps) {
    return emit_clean_path(unit, name, routine.first);
  }
  if (routine.kind == Routine::Kind::kCleanPathMany) return emit_many_steps(unit, name, routine);
  emit_all_steps(unit, name, routine);
}

}  // namespace dt::bpf
