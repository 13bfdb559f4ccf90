#pragma once
// How stacks of programs that keep no frame pointers are unwound: the call frame
// information of a file (.eh_frame; .debug_frame when there is none) as one table,
// small enough to be read by a program in the kernel. Only rip, rsp, rbp and rbx
// are followed. x86-64.
//
//   offset in the file   rule
//   0x1000               CFA = rsp + 8, rbp is the caller's
//   0x1001               CFA = rsp + 16, the caller's rbp at CFA - 16
//   0x1004               CFA = rbp + 16, the caller's rbp at CFA - 16
//   0x1052               CFA = rsp + 8, ...
//   0x1053               (nothing is known from here to the next row)
//
// The CFA ("canonical frame address") is what rsp is in the caller, after its call
// has returned; the address that is returned to is in the eight bytes below it.

#include <cstdint>
#include <vector>

#include "symbol/elf/file.h"

namespace dt::symbol {

// Functions with larger frames are not followed.
constexpr std::int32_t kMaxFrameOffset = (1 << 23) - 1;

// How the caller's registers follow from those at one place of the code.
struct FrameRule {
  enum class Base : std::uint8_t {
    kUnknown,             // no call frame information covers this code
    kOutermost,           // nobody called it
    kUnsupported,         // described in a way that is not followed here, or damaged
    kStackPointer,        // CFA = rsp + offset
    kFramePointer,        // CFA = rbp + offset
    kRegister,            // CFA = the register `number`, as DWARF numbers them, + offset
    kFramePointerMemory,  // CFA = *(rbp + offset) + number: gcc's functions that align the stack
    kStackPointerMemory,  // CFA = *(rsp + offset) + number: OpenSSL's assembler
    kPlt,                 // CFA = rsp + 8 + ((rip & 15) >= offset ? 8 : 0)
    // What a signal handler returns to. The interrupted code's rip is at rsp + offset,
    // its rsp at rsp + offset - 8, its rbp at rsp + offset - 48, as in a ucontext, and so is
    // its rbx, at rsp + offset - 40, if it is not kRbxLost; and its rip is an instruction to
    // come, not one after a call.
    kSignal,
    kOtherStack,  // CFA = rbp + offset, which may be on a stack further down: Go's stacks
  };
  enum class Saved : std::uint8_t {
    kSame,            // the caller's rbp is in rbp
    kAtCfa,           // at CFA + frame_pointer
    kAtFramePointer,  // at rbp + frame_pointer
    kLost,
  };
  Base base = Base::kUnknown;
  std::uint8_t number = 0;  // of kRegister and of memory, otherwise 0
  // Of rbp. kSame when there is no CFA: of kUnknown, kOutermost, kUnsupported and kSignal.
  Saved saved = Saved::kSame;
  std::int16_t frame_pointer = 0;  // of kAtCfa and kAtFramePointer
  std::int32_t offset = 0;         // of at most kMaxFrameOffset, either way
  // How many words below the CFA the caller's rbx is, or one of these. Some assembler has
  // its CFA in there.
  static constexpr std::uint8_t kRbxSame = 0, kRbxLost = 255;
  std::uint8_t rbx = kRbxSame;
  bool operator==(const FrameRule&) const = default;
};

struct FrameTable {
  struct Row {
    std::uint32_t offset = 0;  // in the file: not the address that it has when it runs
    std::uint32_t rule = 0;    // in `rules`
    bool operator==(const Row&) const = default;
  };
  std::vector<FrameRule> rules;  // each once
  // Ascending, each offset once; one that follows another has another rule. A row holds up
  // to the next; a row of kUnknown ends what is covered, and the last row is one.
  std::vector<Row> rows;
};

// Empty without call frame information. Of functions that overlap, the first in the file
// has what is common to both; those outside of executable segments, or beyond 4 GiB, are
// left out.
//
// Damage costs as little as it can: a function's instructions are kUnsupported from where
// they are damaged on, entries that cannot be read are left out, and one whose length is
// wrong is the last. An error when the file cannot be read, is not for x86-64, or has more
// than kMaxFrameBytes of this. There are fewer rows than bytes of call frame information.
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{64} << 20;
Result<FrameTable> frame_table(const ElfFile& elf);

// The code that each entry for a function describes, and that of functions of Go, as addresses in
// the file, by their beginnings. What overlaps is all there. Bounds and errors as above.
Result<std::vector<CodeRange>> frame_ranges(const ElfFile& elf);

}  // namespace dt::symbol
