#pragma once
// The instructions of a function of x86-64: where they begin, where control
// goes, and on which of them a breakpoint may stand.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "support/result.h"

namespace dt::machine {

struct Instruction {
  enum class Flow : std::uint8_t {
    kNext,
    kReturn,
    kJump,    // always, to `target`
    kBranch,  // perhaps, to `target`
    kOther,   // a call, or to where the code does not say
  };
  std::uint32_t offset = 0;  // from the start of the code
  std::uint8_t length = 0;
  Flow flow = Flow::kNext;
  // As an offset, too; the least number where another function is meant that the
  // dynamic linker knows.
  std::int64_t target = 0;
  std::optional<std::int64_t> called = {};  // by a call that says whom, the same
  bool is_end = false;                      // what stands behind it is not executed next
  // The kernel carries these out itself, which is many times faster than to let
  // the processor take a single step: push, call, jmp and a nop of one byte.
  bool is_emulated = false;
  bool is_trap = false;    // int3, ud2 and their like
  bool is_filler = false;  // what may stand between functions: any nop, int3
  // No breakpoint of a uprobe may stand here: Linux refuses the instruction, or (6.18) would
  // make a jump of a nop of five bytes whose target overwrites the red zone.
  bool is_forbidden = false;
};

// The first; nullopt when there is no whole instruction.
std::optional<Instruction> first_instruction(std::span<const std::uint8_t> code);

// All of them in a row. An error when some bytes are no instruction, or when a
// jump leads into the middle of one: then there are data among the code.
Result<std::vector<Instruction>> decode(std::span<const std::uint8_t> code);

// The same up to the one that holds the byte at `offset`, and no further.
Result<std::vector<Instruction>> decode_to(std::span<const std::uint8_t> code,
                                           std::uint32_t offset);

// The offset at which a breakpoint stands for the function's entry: behind an
// endbr64, a nop of five bytes, or what changes vector registers only, where that is
// cheaper, safe or possible. nullopt when
// there is none. A function of Go (`is_go`) begins again when it has been given a larger stack:
// there it stands behind the place that asks whether it has room.
std::optional<std::uint32_t> entry_site(std::span<const std::uint8_t> code, bool is_go = false);

}  // namespace dt::machine
