#pragma once
// The automaton of json(): from a state and a byte to the next state and
// something to do. json.cc writes the code that runs it.
//
// Only the element on the way to the wanted one is looked into; other arrays
// and objects are passed over by counting their brackets.

#include <cstdint>
#include <vector>

namespace dt::bpf {

enum class JsonAction : std::uint8_t {
  kNone,
  kFail,
  kDescend,    // the outermost bracket
  kBeginKey,   //
  kKeyByte,    // of the key, escapes too
  kEndKey,     //
  kBegin,      // of a string, number or word
  kOpen,       // a bracket where a value is expected
  kDeeper,     // one within an array or object that is passed over
  kShallower,  //
  kEndString,  //
  kEndWord,    // the byte behind a number or word; it is looked at again
  kNext,       // a comma
};

// States that actions choose; others are the table's own.
constexpr std::uint8_t kJsonTop = 0, kJsonKeyStart = 1, kJsonValue = 2, kJsonAfter = 3;

constexpr std::uint32_t kJsonClasses = 32, kJsonStates = 64;
constexpr std::uint32_t kJsonActionShift = 6;

// 256 bytes: the class of a byte. Then for every state and class a u16: the
// next state, and the action from bit 6 on.
std::vector<std::uint8_t> json_table();

}  // namespace dt::bpf
