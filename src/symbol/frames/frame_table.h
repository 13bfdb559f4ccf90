#pragma once
// FrameTable: how the caller's registers follow from those of a function, at each place of a
// file's code. call_frames.h tells what it is made of.

#include <cstdint>
#include <vector>

namespace dt::symbol {

// Functions with larger frames are not followed.
constexpr std::int32_t kMaxFrameOffset = (1 << 23) - 1;
// Where the rip of the interrupted code is in a ucontext.
constexpr std::int32_t kSignalIp = 168;

// How the caller's registers follow from those at one place of the code.
struct FrameRule {
  enum class Base : std::uint8_t {
    kUnknown,             // no call frame information covers this code
    kOutermost,           // it has no caller
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
  // Where the caller's rbp is. kSame if there is no CFA (kUnknown, kOutermost, kUnsupported,
  // kSignal).
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

}  // namespace dt::symbol
