#pragma once
// Value and Place: where a value of the function is kept.
//
//   integers  in virtual registers, or constants that are made where used
//   strings   constants (not in memory until needed), a pair of words in
//             registers (execname), or an address: of rodata, of a variable,
//             or of a temporary

#include <cstdint>

#include "bpf/asm/reg.h"
#include "ir/type.h"

namespace dt::ir {
enum class Builtin : std::uint8_t;
enum class Op : std::uint8_t;
struct Inst;
struct Variable;
}  // namespace dt::ir

namespace dt::bpf {

// Strings up to here are compared without a loop.
constexpr std::uint32_t kUnrolledWords = 32;

// Buffers of strings up to here are zeroed before they are filled, longer ones behind the string.
constexpr std::uint32_t kPrezeroedBytes = 256;

// The longest temporary that is kept on the stack.
constexpr std::uint32_t kStackTemporaryBytes = 64;

// Where bytes are: base + offset. The offset fits an instruction's.
struct Place {
  Reg base = {};
  std::int32_t offset = 0;
  bool in_frame = false;  // of scratch, and nowhere else whatever way was taken
};

// A string of 16 bytes is held in two registers: names of threads, mostly.
constexpr std::uint32_t kNameBytes = 16;

struct Value {
  enum class Kind : std::uint8_t {
    kNone,
    kReg,          // integer in reg
    kConst,        // integer imm
    kWords,        // 16 bytes of string in reg and high
    kConstString,  // Program::strings[string]
    kMemory,       // at place; `avail` bytes may be read there
    kStored,       // integer, kept in 8 bytes at place
  };
  Kind kind = Kind::kNone;
  ir::Type type = {};
  Reg reg = {}, high = {};
  std::int64_t imm = 0;
  std::uint32_t string = 0;
  Place place = {};
  std::uint32_t avail = 0;  // multiple of 8; zero-padded for strings
  Reg length = {};          // of a string with its NUL, where it is known
};

inline bool is_int(const ir::Type& type) { return type.kind == ir::TypeKind::kInt; }

}  // namespace dt::bpf
