#pragma once
// The BPF library subroutines of strings: functions that a program's clauses
// call, each written at most once for the sizes that it is called with.
//
// What is large or loops is a routine; what is a few straight instructions is
// written where it is used (calls.cc). A routine is a global function
// where it can be: the verifier follows it once, however many calls there are.
//
// A string operand is an address of `capacity` bytes, a multiple of 8: the
// string, its NUL, and zeros up to the end. kOperandSlack bytes behind it may be
// read, too, so that words can be read at any place of it. Addresses point into
// memory that is writable, since the verifier asks that of a global function's
// parameters.

#include <cstdint>

#include "bpf/asm/emitter.h"
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
    kRindexFrom,    // (s, word, mask, at) -> where the masked bytes are last, from `at` on down
    kIndexTries,    // (s, part, at, length): the search of kIndex and kRindex, as far as
    kRindexTries,   //   kTries places come in question; then -2 - the next place
    kMatch,         // (s, part, at, length > 8) -> 1 when the part is there from its 9th byte on
    kLower,         // (to, s): `second` zeros at `to` become the string
    kUpper,
    kBasename,  // (s) -> part of s: start, and in the high half its length; 0 means "."
    kDirname,
    kBack,       // (s, end, is over slashes) -> `end`, moved back by kWindow bytes at most
    kSubstr,     // (length, start, count) -> part
    kCleanPath,  // (to, s, state): all steps; `to` holds zeros
    kCleanPathSteps,
    kCleanPathMany,  // the same: kStepCalls times as many
    kToText,         // (buffer, number, base) -> where in the buffer the text begins
    kToNumber,       // (s, base)
    kBlankRun,       // (s, at) -> how many blanks are there; kWindow at most, as all runs
    kDigitRun,       // (s, at, base) -> how many digits
    kDigitSum,       // (s, at, base, value) -> the value, with these digits behind it
    kByteSet,        // (set, s): the bytes that are in s
    kByteSetMore,    // the same, without those that are in the set already
    kToken,          // (state of strtok, set) -> part, of the text in the state
    kTokenRun,       // (state, set, at, is in the set) -> how many bytes are so, or are not
    kFillNuls,       // (s, byte, count): the byte for every NUL of the first `count` bytes
    kCut,            // (s): zeros from the first NUL on -> whether there is one
    kZeroRest,       // (s, at): zeros from there on, `at` being a word's
    kInetText,       // (zeros, address and words): the text; see address_text.h
    kInet6Text,
    kJson,           // (s, selector, state) -> part of s, or -1: all steps
    kJsonSteps,      // (s, selector, state): steps
    kJsonStepsMany,  // the same: kStepCalls times as many
    kJsonName,       // (selector, from) -> its next name, -1 for none
    kPartingRun,     // (selector, at) -> how many bytes part names
    kNameRun,        // (selector, at) -> how many bytes are of a name
    kPathSteps,      // (text, words) -> PathEnd: steps of d_path(), see path_code.h
    kChill,          // (ns): spins for so long -> 0, or 1 when this CPU may not
    kChillMany,      // (since, ns) -> 1 when ns have passed; else it has spun for some time
    kChillSome,      // the same, shorter
    kBringIn,        // (to, size, from) -> of user memory, see user_memory.h; `first` pages
    kBringInString,  // the same of a string
    kDifference,     // (a, b) -> the first of the chunks of 128 bytes that differ, or -1
    kFramesHash,     // (frames) -> 64 bits; `first` bytes of frames
    kSameFrames,     // (frames, frames) -> 1 when they are the same
    kUnwind,         // (frames, state, cache) -> how many; `first` bytes of frames; see unwind.h
    kUnwindBegin,    // (state, cache)
    kUnwindFrame,    // (state, cache) -> 1 for a caller
    kUnwindCode,     // (state, cache) -> 1 for code of a mapping
    kUnwindNode,     // (state) -> 1 when it leads to a mapping
    kUnwindReturn,   // (state) -> 1 for a return address
    kUnwindSources,  // (frames, state, cache, python's) -> 0, below 0 as kUnwind; see python.h
    kPythonStack,    // (frames, state, python's); `first` bytes of frames
    kPythonThread,   // (state, python's)
    kPythonStep,     // (python's) -> 0 to be called again
    kPythonFrame,    // (python's)
    kPythonLine,     // (python's)
    kPythonWindow,   // (python's) -> 1 when the line is known
    kPythonName,     // (python's)
    kRubyStack,      // as kPythonStack; see ruby.h
    kRubyThread,     // (state, python's)
    kRubyTag,        // (python's)
    kRubyBalance,    // (python's) -> how many calls the first frames are of; below 0: unknown
    kRubyStep,       // (python's) -> 0 to be called again
    kRubyFrame,      // (python's) -> whether to enter it: see ruby.h
    kRubyLine,       // (python's)
    kRubyName,       // (python's)
    kRubyMethod,     // (python's) -> 0 when its name is known
    kNumber,         // (task or struct pid, NumberOf) -> what number it has in our namespace, or 0
    kProgeny,        // (task, number) -> 1 when its process or an ancestor has the number, or 0;
                     //   2 when there are too many of them
  };
  Kind kind = Kind::kFindChar;
  std::uint32_t first = 0, second = 0;  // capacities of the string operands
  bool operator==(const Routine&) const = default;
};

// What kNumber is given, and of what the number is: a task for itself or for its process,
// or a struct pid.
enum class NumberOf : std::uint8_t { kThread, kProcess, kPid };

// Routines of steps do at most so many at a time, for the verifier's sake, and
// return 0 when they are to be called again.
constexpr std::int32_t kStepsPerCall = 32;
constexpr std::uint32_t kStepCalls = 64;

// The verifier follows every turn of a loop. What is longer than a window is
// therefore searched window by window: a routine that loops over the windows
// calls one, verified by itself, that loops within.
constexpr std::uint32_t kWindow = 512;
constexpr std::int32_t kTries = 256;
constexpr bool is_wide(std::uint32_t capacity) { return capacity > kWindow; }

constexpr std::int32_t kComparedChunk = 128;    // bytes that kDifference looks at at once
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

// By subject; each writes one function.
void emit_find_char(Unit& unit, Label name, std::uint32_t capacity);
void emit_find_last_char(Unit& unit, Label name, std::uint32_t capacity);
void emit_change_case(Unit& unit, Label name, const Routine& routine);
void emit_index_word(Unit& unit, Label name, std::uint32_t capacity);
void emit_rindex_word(Unit& unit, Label name, std::uint32_t capacity);
void emit_rindex_from(Unit& unit, Label name, std::uint32_t capacity);
void emit_index_tries(Unit& unit, Label name, const Routine& routine);
void emit_index(Unit& unit, Label name, const Routine& routine);
void emit_match(Unit& unit, Label name, const Routine& routine);
void emit_path_part(Unit& unit, Label name, const Routine& routine);
void emit_back(Unit& unit, Label name, std::uint32_t capacity);
void emit_substr(Unit& unit, Label name);
void emit_clean_path(Unit& unit, Label name, std::uint32_t capacity);
void emit_to_text(Unit& unit, Label name);
void emit_inet_text(Unit& unit, Label name);
void emit_inet6_text(Unit& unit, Label name);
void emit_to_number(Unit& unit, Label name, std::uint32_t capacity);
void emit_blank_run(Unit& unit, Label name, std::uint32_t capacity);
void emit_digit_run(Unit& unit, Label name, std::uint32_t capacity);
void emit_digit_sum(Unit& unit, Label name, std::uint32_t capacity);
void emit_byte_set(Unit& unit, Label name, const Routine& routine);
void emit_token_run(Unit& unit, Label name, std::uint32_t capacity);
void emit_cut(Unit& unit, Label name, std::uint32_t capacity);
void emit_zero_rest(Unit& unit, Label name, std::uint32_t capacity);
void emit_token(Unit& unit, Label name, std::uint32_t capacity);
void emit_fill_nuls(Unit& unit, Label name, std::uint32_t capacity);
void emit_json_steps(Unit& unit, Label name, const Routine& routine);
void emit_path_steps(Unit& unit, Label name);
void emit_json_name(Unit& unit, Label name, std::uint32_t capacity);
void emit_name_run(Unit& unit, Label name, const Routine& routine);
void emit_difference(Unit& unit, Label name, std::uint32_t capacity);
void emit_many_steps(Unit& unit, Label name, const Routine& routine);
// All steps that there can be, so that a call of these is one for the verifier, too.
void emit_all_steps(Unit& unit, Label name, const Routine& routine);
// The routines of json() and of cleanpath().
void emit_json(Unit& unit, Label name, const Routine& routine);
void emit_cleaning(Unit& unit, Label name, const Routine& routine);
// The routines for strings that are longer than a window.
void emit_find_char_wide(Unit& unit, Label name, const Routine& routine);
void emit_index_word_wide(Unit& unit, Label name, std::uint32_t capacity);
void emit_rindex_word_wide(Unit& unit, Label name, std::uint32_t capacity);
void emit_match_wide(Unit& unit, Label name, const Routine& routine);
void emit_change_case_wide(Unit& unit, Label name, const Routine& routine);
void emit_byte_set_wide(Unit& unit, Label name, const Routine& routine);
void emit_fill_nuls_wide(Unit& unit, Label name, std::uint32_t capacity);

// What is no string (chill.cc, frames.cc).
void emit_chill(Unit& unit, Label name, const Routine& routine);
void emit_number(Unit& unit, Label name);
void emit_progeny(Unit& unit, Label name);
void emit_frames_hash(Unit& unit, Label name, std::uint32_t bytes);
void emit_same_frames(Unit& unit, Label name, std::uint32_t bytes);

bool uses_tokens(const ir::Inst& inst);
// The bytes of a firing's state of strtok(): 0 when the program has none.
std::uint32_t token_state_bytes(const ir::Program& program);

}  // namespace dt::bpf
