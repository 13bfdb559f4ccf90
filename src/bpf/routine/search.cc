// Routines: where a string is in another.
//
// A place is looked at by its first eight bytes, or as many as the part has;
// only where these agree are the rest compared. There is no need to know where
// the string ends: the NULs behind it agree with no part.

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

// Goes to `agrees` when the masked word at `p` + offset is `word`. The load of eight bytes is not
// aligned: x86 and arm64 do it, and the verifier allows it in a map's value.
void look(Emitter& e, Reg p, std::int32_t offset, Reg mask, Reg word, Label agrees) {
  const Reg here = e.load(8, p, offset);
  e.alu(Alu::kAnd, here, mask);
  e.jump_if(Cond::kEq, here, word, agrees);
}

// Returns the last place from `at` down where the masked word is, or -1.
void look_down(Emitter& e, Reg text, Reg at, Reg mask, Reg word, std::uint32_t capacity) {
  const Label loop = e.label(), none = e.label(), found = e.label();
  e.jump_if_imm(Cond::kGe, at, static_cast<std::int32_t>(capacity), none);
  e.bind(loop);
  look(e, sum(e, text, at), 0, mask, word, found);
  e.alu_imm(Alu::kSub, at, 1);
  e.jump_if_imm(Cond::kSge, at, 0, loop);
  e.bind(none);
  ret_imm(e, -1);
  e.bind(found);
  e.ret(at);
}

}  // namespace

// Tries eight places in a round. Unrolled, because the verifier goes through every round of a loop:
// the fewer rounds, the longer the strings that can be searched. The place that is found is counted
// down by falling through the labels: found[7] adds 1 seven times.
void emit_index_word(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_index_word",
                    {string_of(capacity), kNumberParameter, kNumberParameter, kNumberParameter});
  const auto bytes = static_cast<std::int32_t>(capacity);
  const Label loop = e.label(), none = e.label();
  Label found[8];
  for (Label& label : found) label = e.label();
  const Reg at = copy(e, r[3]);
  e.jump_if_imm(Cond::kGe, at, bytes, none);
  e.bind(loop);
  const Reg p = sum(e, r[0], at);
  for (std::int32_t i = 0; i < 8; ++i) look(e, p, i, r[2], r[1], found[i]);
  // Strings are padded with NULs, so a NUL as the last of eight bytes means that the string has
  // ended.
  e.jump_if_imm(Cond::kEq, e.load(1, p, 7), 0, none);
  e.alu_imm(Alu::kAdd, at, 8);
  e.jump_if_imm(Cond::kLt, at, bytes, loop);
  e.bind(none);
  ret_imm(e, -1);
  for (std::int32_t i = 7; i > 0; --i) {
    e.bind(found[i]);
    e.alu_imm(Alu::kAdd, at, 1);
  }
  e.bind(found[0]);
  // The last round may have looked behind the string's memory.
  e.jump_if_imm(Cond::kGe, at, bytes, none);
  e.ret(at);
}

// From the last place that the part fits at, or from `from`, down.
void emit_rindex_word(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(e, name, "dt_rindex_word",
                                           {string_of(capacity), kNumberParameter, kNumberParameter,
                                            kNumberParameter, kNumberParameter});
  const Label start = e.label();
  const Reg at = string_length(e, r[0], capacity);
  e.alu(Alu::kSub, at, r[4]);
  e.jump_if(Cond::kSge, r[3], at, start);
  e.mov(at, r[3]);
  e.bind(start);
  look_down(e, r[0], at, r[2], r[1], capacity);
}

void emit_rindex_from(Unit& unit, Label name, std::uint32_t capacity) {
  Emitter& e = unit.e;
  const std::vector<Reg> r =
      begin_routine(e, name, "dt_rindex_from",
                    {string_of(capacity), kNumberParameter, kNumberParameter, kNumberParameter});
  look_down(e, r[0], copy(e, r[3]), r[2], r[1], capacity);
}

namespace {

struct Search {
  bool is_first = false;
  Reg text, part, at, length;  // `at` is changed; the length of the part
  Label found;                 // at `at`
  Label none;
};

// Looks at as many places as are found, or goes on behind this.
void search_places(Unit& unit, const Routine& routine, const Search& s, std::int32_t places) {
  using Kind = Routine::Kind;
  Emitter& e = unit.e;
  const Label find = unit.routine(s.is_first ? Kind::kIndexWord : Kind::kRindexWord, routine.first);
  const Label match = unit.routine(Kind::kMatch, routine.first, routine.second);
  const Label loop = e.label(), have_mask = e.label();
  const Reg word = e.load(8, s.part, 0);
  const Reg mask = e.imm(-1);
  e.jump_if_imm(Cond::kGe, s.length, 8, have_mask);
  // A part shorter than a word: the mask keeps its bytes, which on a little-endian machine are the
  // low ones.
  const Reg unused = e.imm(8);
  e.alu(Alu::kSub, unused, s.length);
  e.alu_imm(Alu::kLsh, unused, 3);
  e.alu(Alu::kRsh, mask, unused);
  e.bind(have_mask);
  const Reg tries = e.imm(0);
  e.bind(loop);
  if (s.is_first)
    e.mov(s.at, e.call_subprogram(find, {s.text, word, mask, s.at}));
  else
    e.mov(s.at, e.call_subprogram(find, {s.text, word, mask, s.at, s.length}));
  e.jump_if_imm(Cond::kSlt, s.at, 0, s.none);
  e.jump_if_imm(Cond::kLe, s.length, 8, s.found);
  const Reg agrees = e.call_subprogram(match, {s.text, s.part, s.at, s.length});
  e.jump_if_imm(Cond::kNe, agrees, 0, s.found);
  e.alu_imm(s.is_first ? Alu::kAdd : Alu::kSub, s.at, 1);
  e.alu_imm(Alu::kAdd, tries, 1);
  e.jump_if_imm(Cond::kLt, tries, places, loop);
}

}  // namespace

// -2 - place says "not yet: go on from here", so one number says found (0 and above), nowhere (-1),
// or where to continue.
void emit_index_tries(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const bool is_first = routine.kind == Routine::Kind::kIndexTries;
  const std::vector<Reg> r = begin_routine(
      e, name, is_first ? "dt_index_tries" : "dt_rindex_tries",
      {string_of(routine.first), string_of(routine.second), kNumberParameter, kNumberParameter});
  const Reg length = copy(e, r[3]);
  forget(e, length, e.load(8, r[1], 0));
  const Search search = {is_first, r[0], r[1], copy(e, r[2]), length, e.label(), e.label()};
  search_places(unit, routine, search, kTries);
  const Reg more = e.imm(-2);
  e.alu(Alu::kSub, more, search.at);
  e.ret(more);
  e.bind(search.none);
  ret_imm(e, -1);
  e.bind(search.found);
  e.ret(search.at);
}

// The general form: the part is not known, and may be longer than a word. Every
// place where its first word is found is looked at by itself.
void emit_index(Unit& unit, Label name, const Routine& routine) {
  using Kind = Routine::Kind;
  Emitter& e = unit.e;
  const bool is_first = routine.kind == Kind::kIndex;
  const std::vector<Reg> r =
      begin_routine(e, name, is_first ? "dt_index" : "dt_rindex",
                    {string_of(routine.first), string_of(routine.second), kNumberParameter});
  const Label loop = e.label(), none = e.label(), found = e.label(), is_part = e.label();
  const Label start = e.label(), clamped = e.label();
  const Reg part = string_length(e, r[1], routine.second);
  forget(e, part, r[2]);  // or every length would be searched for by itself
  const Reg at = copy(e, r[2]);
  // The empty part is at the nearest place that there is.
  e.jump_if_imm(Cond::kNe, part, 0, is_part);
  e.jump_if_imm(Cond::kSlt, at, 0, start);
  const Reg length = string_length(e, r[0], routine.first);
  e.jump_if(Cond::kSle, at, length, found);
  e.ret(length);
  e.bind(start);
  ret_imm(e, 0);

  e.bind(is_part);
  if (is_first) {
    e.jump_if_imm(Cond::kSge, at, 0, clamped);
    e.mov_imm(at, 0);
  }
  e.bind(clamped);
  if (is_wide(routine.first)) {
    const Label some = unit.routine(is_first ? Kind::kIndexTries : Kind::kRindexTries,
                                    routine.first, routine.second);
    const Reg calls = e.imm(static_cast<std::int64_t>(routine.first) / kTries + 1);
    e.bind(loop);
    const Reg result = e.call_subprogram(some, {r[0], r[1], at, part});
    e.mov(at, result);
    e.jump_if_imm(Cond::kSge, result, -1, found);
    e.mov_imm(at, -2);
    e.alu(Alu::kSub, at, result);
    e.alu_imm(Alu::kSub, calls, 1);
    e.jump_if_imm(Cond::kNe, calls, 0, loop);
  } else {
    search_places(unit, routine, {is_first, r[0], r[1], at, part, found, none},
                  static_cast<std::int32_t>(routine.first));
  }
  e.bind(none);
  ret_imm(e, -1);
  e.bind(found);
  e.ret(at);
}

// Compares word by word. The last word ends where the part ends, so it overlaps the one before it;
// single bytes are never compared. A part of less than eight bytes never comes here.
void emit_match(Unit& unit, Label name, const Routine& routine) {
  Emitter& e = unit.e;
  const std::vector<Reg> r = begin_routine(
      e, name, "dt_match",
      {string_of(routine.first), string_of(routine.second), kNumberParameter, kNumberParameter});
  const auto text_bytes = static_cast<std::int32_t>(routine.first);
  const auto part_bytes = static_cast<std::int32_t>(routine.second);
  const Label loop = e.label(), rest = e.label(), differs = e.label();
  const Reg from = e.imm(8);
  const auto compare = [&] {
    const Reg at = sum(e, r[2], from);
    e.jump_if_imm(Cond::kGt, at, text_bytes, differs);
    const Reg text = e.load(8, sum(e, r[0], at), 0);
    e.jump_if(Cond::kNe, text, e.load(8, sum(e, r[1], from), 0), differs);
  };
  if (part_bytes > 8) {
    e.bind(loop);
    const Reg end = copy(e, from);
    e.alu_imm(Alu::kAdd, end, 8);
    e.jump_if(Cond::kGt, end, r[3], rest);
    compare();
    e.alu_imm(Alu::kAdd, from, 8);
    e.jump_if_imm(Cond::kLt, from, part_bytes, loop);
    e.bind(rest);
  }
  e.mov(from, r[3]);
  e.alu_imm(Alu::kSub, from, 8);
  e.jump_if_imm(Cond::kGt, from, part_bytes, differs);
  compare();
  ret_imm(e, 1);
  e.bind(differs);
  ret_imm(e, 0);
}

}  // namespace dt::bpf
