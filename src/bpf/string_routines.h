#pragma once
// The BPF library subroutines of strings: functions that a program's clauses
// call, each written at most once for the sizes that it is called with.
//
// What is large or loops is a routine; what is a few straight instructions is
// written where it is used (select_call.cc). A routine is a global function
// where it can be: the verifier follows it once, whoever calls it.
//
// A string operand is an address of `capacity` bytes, a multiple of 8: the
// string, its NUL, and zeros up to the end. kOperandSlack bytes behind it may be
// read, too, so that words can be read at any place of it. Addresses point into
// memory that is writable, since the verifier asks that of a global function's
// parameters.

#include <cstdint>

#include "bpf/emitter.h"
#include "ir/ir.h"

namespace dt::bpf {

struct Unit;

constexpr std::uint32_t kOperandSlack = 16;
constexpr std::int32_t kMaxCapacity = 1 << 16;

struct Routine {
  enum class Kind : std::uint8_t {
    kFindChar,      // (s, byte) -> its first position or -1
    kFindLastChar,  // (s, byte) -> its last position or -1
    kIndexWord,     // (s, word, mask, from) -> where the masked bytes are first; from >= 0
    kIndex,         // (s, part, from)
    kRindexWord,    // (s, word, mask, from, length of part)
    kRindex,        // (s, part, from)
    kMatch,         // (s, part, at, length > 8) -> 1 when the part is there from its 9th byte on
    kLower,         // (to, s): `second` zeros at `to` become the string
    kUpper,
    kBasename,  // (s) -> part of s: start, and in the high half its length; 0 means "."
    kDirname,
    kSubstr,     // (length, start, count) -> part
    kCleanPath,  // (to, s, state): steps; `to` holds zeros
    kToText,     // (buffer, number, base) -> where in the buffer the text begins
    kToNumber,   // (s, base)
    kByteSet,    // (set, s): the bytes that are in s
    kToken,      // (state of strtok, set) -> part, of the text in the state
    kFillNuls,   // (s, byte, count): the byte for every NUL of the first `count` bytes
    kJsonSteps,  // (s, selector, state): steps
    kJsonName,   // (selector, from) -> its next name, -1 for none
  };
  Kind kind = Kind::kFindChar;
  std::uint32_t first = 0, second = 0;  // capacities of the string operands
  bool operator==(const Routine&) const = default;
};

// Routines of steps do at most so many at a time, for the verifier's sake, and
// return 0 when they are to be called again.
constexpr std::int32_t kStepsPerCall = 32;

constexpr std::int32_t kNumberTextBytes = 72;   // of kToText's buffer
constexpr std::uint32_t kByteSetBytes = 32;     // a bit for every byte
constexpr std::uint32_t kTokenHeaderBytes = 8;  // of strtok's state, before the text
constexpr std::uint32_t kPathBytes = 24;        // of kCleanPath's state: zeros at first
constexpr std::uint32_t kJsonBytes = 88;        // of kJsonSteps' state: zeros at first, but
constexpr std::int32_t kJsonNextName = 48;      // for the selector's first name,
constexpr std::int32_t kJsonResult = 80;        // and here the result in the end: a part or -1

// The length of the string at `s`, by binary search and without a branch: behind
// the first NUL there are only NULs.
Reg string_length(Emitter& e, Reg s, std::uint32_t capacity);

// Writes the routines that unit.routines lists, and those that they call.
void emit_string_routines(Unit& unit);

// By subject; each writes one function.
void emit_find_char(Unit& unit, Label name, std::uint32_t capacity);
void emit_find_last_char(Unit& unit, Label name, std::uint32_t capacity);
void emit_change_case(Unit& unit, Label name, const Routine& routine);
void emit_index_word(Unit& unit, Label name, std::uint32_t capacity);
void emit_rindex_word(Unit& unit, Label name, std::uint32_t capacity);
void emit_index(Unit& unit, Label name, const Routine& routine);
void emit_match(Unit& unit, Label name, const Routine& routine);
void emit_path_part(Unit& unit, Label name, const Routine& routine);
void emit_substr(Unit& unit, Label name);
void emit_clean_path(Unit& unit, Label name, std::uint32_t capacity);
void emit_to_text(Unit& unit, Label name);
void emit_to_number(Unit& unit, Label name, std::uint32_t capacity);
void emit_byte_set(Unit& unit, Label name, std::uint32_t capacity);
void emit_token(Unit& unit, Label name, std::uint32_t capacity);
void emit_fill_nuls(Unit& unit, Label name, std::uint32_t capacity);
void emit_json_steps(Unit& unit, Label name, const Routine& routine);
void emit_json_name(Unit& unit, Label name, std::uint32_t capacity);

bool uses_tokens(const ir::Inst& inst);
// The bytes of a firing's state of strtok(): 0 when the program has none.
std::uint32_t token_state_bytes(const ir::Program& program);

}  // namespace dt::bpf
