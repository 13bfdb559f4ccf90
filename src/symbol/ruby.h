#pragma once
// Where Ruby 3.1 keeps what its threads are doing, in the memory of a process that runs it:
// so that a probe can read the stacks of Ruby's methods (bpf/ruby.h). The interpreter is in a
// library (libruby-3.1.so.3.1).
//
// Places within its structures are those of vm_core.h, iseq.h and internal headers of Ruby 3.1,
// which its releases do not change.

#include <cstdint>
#include <optional>

#include "symbol/elf_file.h"

namespace dt::symbol {

// Addresses relative to where the beginning of the file would be mapped, going by the
// mapping of its code.
struct RubyImage {
  std::int64_t run = 0;         // rb_vm_exec()
  std::uint32_t run_bytes = 0;  // of its code
  std::uint32_t context = 0;  // where ruby_current_ec is among what each thread has of the library
  std::int64_t module = 0;    // which the loader's number of the library is at
  bool operator==(const RubyImage&) const = default;
};
static_assert(sizeof(RubyImage) == 24);

// Nothing when the file is no Ruby, or one of another version than 3.1.
std::optional<RubyImage> ruby_image(const ElfFile& elf);

namespace ruby {

// What glibc has at fs:0, and of a library in a thread.
constexpr std::int32_t kThreadModules = 8, kModulesCount = -16, kModuleShift = 4;
// rb_execution_context_t: its stack has frames at its end, the innermost first
constexpr std::int32_t kContextStack = 0, kContextWords = 8, kContextFrame = 16;
constexpr std::int32_t kContextBytes = 24;
// rb_control_frame_t; the word at its ep
constexpr std::int32_t kFrameInstruction = 0, kFrameCode = 16, kFrameLocals = 32;
constexpr std::int32_t kFrameRead = 40, kFrameBytes = 64;
constexpr std::int32_t kFlagFinish = 0x20, kFlagC = 0x80;
// rb_iseq_t: what it is, in its flags, and its body
constexpr std::int32_t kCodeKindMask = 0xf01f, kCodeKind = 0x701a;  // T_IMEMO, imemo_iseq
constexpr std::int32_t kCodeBody = 16, kCodeBytes = 24;
// struct rb_iseq_constant_body
constexpr std::int32_t kBodySize = 4, kBodyInstructions = 8, kBodyPath = 64, kBodyLabel = 80;
constexpr std::int32_t kBodyLines = 120, kBodyLineCount = 136, kBodyLineIndex = 144;
constexpr std::int32_t kBodyBytes = 152;
// struct iseq_insn_info_entry: its line is first
constexpr std::int32_t kLineBytes = 12;
// struct succ_index_table: ranks of the first places, 7 bits each, nine to a word; behind them
// blocks of 512: the rank of the block, those of its words but the first, 9 bits each, and a
// bit for each place where an entry begins
constexpr std::int32_t kIndexFirst = 54, kIndexInWord = 9, kIndexBits = 7;
constexpr std::int32_t kIndexBlocks = 48, kIndexBlockShift = 9, kIndexBlockBytes = 80;
constexpr std::int32_t kIndexRanks = 8, kIndexRankBits = 9, kIndexWords = 16;
// struct RString, struct RArray
constexpr std::int32_t kTypeMask = 0x1f, kString = 5, kArray = 7;
constexpr std::int32_t kUserFlag = 1 << 13;  // of a string: it is elsewhere; of an array: it is not
constexpr std::int32_t kTextShift = 14, kTextMask = 31, kTextHere = 16;
constexpr std::int32_t kTextLength = 16, kTextPlace = 24, kTextBytes = 32;

}  // namespace ruby

}  // namespace dt::symbol
