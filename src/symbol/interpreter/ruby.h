#pragma once
// Where Ruby 3.1 keeps what its threads are doing, in the memory of a process that runs it:
// so that a probe can read the stacks of Ruby's methods (bpf/stack/ruby.h). The interpreter is in a
// library (libruby-3.1.so.3.1).
//
// Places within its structures are those of vm_core.h, iseq.h and internal headers of Ruby 3.1,
// which its releases do not change.

#include <cstdint>
#include <optional>

#include "symbol/elf/file.h"

namespace dt::symbol {

// Addresses relative to where the beginning of the file would be mapped, going by the
// mapping of its code.
struct RubyImage {
  std::int64_t run = 0;         // rb_vm_exec()
  std::uint32_t run_bytes = 0;  // of its code
  std::uint32_t context = 0;  // where ruby_current_ec is among what each thread has of the library
  std::int64_t module = 0;    // which the loader's number of the library is at
  // Where the loop that carries out instructions returns to, from the beginning of rb_vm_exec()
  // on; 0 when that is not known.
  std::uint32_t loop_return = 0;
  std::uint32_t reserved = 0;
  std::int64_t names = 0;  // the array of symbols' names; 0 when that is not known
  bool operator==(const RubyImage&) const = default;
};
static_assert(sizeof(RubyImage) == 40);

// Nothing when the file is no Ruby, or one of another version than 3.1.
std::optional<RubyImage> ruby_image(const ElfFile& elf);

namespace ruby {

// What glibc has at fs:0, and of a library in a thread.
constexpr std::int32_t kThreadModules = 8, kModulesCount = -16, kModuleShift = 4;
// rb_execution_context_t: its stack has frames at its end, the innermost first
constexpr std::int32_t kContextStack = 0, kContextWords = 8, kContextFrame = 16;
constexpr std::int32_t kContextTag = 24, kContextBytes = 32;
// struct rb_vm_tag: the label that is jumped to, and the one further up
constexpr std::int32_t kTagLabel = 24, kTagPrevious = 56, kTagBytes = 64;
// rb_control_frame_t; the words at its ep and before
constexpr std::int32_t kFrameInstruction = 0, kFrameCode = 16, kFrameLocals = 32;
constexpr std::int32_t kFrameRead = 40, kFrameBytes = 64;
constexpr std::int32_t kFlagFinish = 0x20, kFlagC = 0x80;
constexpr std::int32_t kMagicMask = 0x7fff0001, kMagicInC = 0x55550001;
constexpr std::int32_t kLocalsMethod = -16, kLocalsBytes = 24;  // from there on
// rb_iseq_t: what it is, in its flags, and its body
constexpr std::int32_t kKindMask = 0xf01f, kCodeKind = 0x701a;  // T_IMEMO, imemo_iseq
constexpr std::int32_t kCodeBody = 16, kCodeBytes = 24;
// struct rb_iseq_constant_body: its type is first
constexpr std::int32_t kBodyIsMain = 7;
constexpr std::int32_t kBodySize = 4, kBodyInstructions = 8, kBodyParameters = 16;
constexpr std::int32_t kBodyPath = 64, kBodyLabel = 80;
constexpr std::int32_t kBodyLines = 120, kBodyLineCount = 136, kBodyLineIndex = 144;
constexpr std::int32_t kBodyBytes = 152;
constexpr std::int32_t kParametersHasOptional = 2;  // a flag
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
constexpr std::int32_t kArrayShift = 15, kArrayMask = 3, kArrayHere = 16;
constexpr std::int32_t kArrayLength = 16, kArrayPlace = 32, kArrayBytes = 40;
// rb_callable_method_entry_t, struct vm_svar, struct rb_method_definition_struct
constexpr std::int32_t kMethodKind = 0x601a, kVariablesKind = 0x201a;
constexpr std::int32_t kMethodDefinition = 16, kMethodBytes = 24, kVariablesMethod = 8;
constexpr std::int32_t kDefinitionName = 32;
// ID: the number of an operator, or a number with flags below it; names are in arrays of
// arrays, 512 of them in each, with two elements for each
constexpr std::int32_t kLastOperator = 169, kNameShift = 4, kNamesShift = 9;

}  // namespace ruby

}  // namespace dt::symbol
