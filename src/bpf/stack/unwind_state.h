#pragma once
// What the routines that unwind user stacks (unwind.h) are written with: the words of
// their state, and how they look at the kernel's memory.
//
// The state is memory of the firing's frame and not registers: each routine is a function of its
// own that the verifier checks once, and a function of BPF has at most five parameters.
//
//   0      registers of the frame: pc, sp, bp, flags
//   40     the mapping that its code is in, and where the file's table is
//   96     where the kernel keeps things: pt_regs, mm, return probes
//   184    a window of the user's stack   (kUserBytes)
//   248    a window of the kernel's memory (kWordsBytes)

#include <cstdint>

#include "bpf/layout/word_load.h"
#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"
#include "bpf/stack/unwind.h"

namespace dt::bpf {

// Where the words of the state are.
enum UnwindState : std::int32_t {
  kPc = 0,
  kSp = 8,
  kBp = 16,
  kExact = 24,      // 1: at kPc itself, and not behind a call there
  kInnermost = 32,  // 1: all registers are in pt_regs
  kBegin = 40,      // the mapping of the last frame
  kSize = 48,
  kFileOffset = 56,  // of its begin
  kFirstIndex = 64,  // its UnwindFile
  kFirstBlock = 72,
  kBlocks = 80,
  kInterpreter = 88,
  kRegisters = 96,    // pt_regs, as a number
  kMm = 104,          // likewise
  kTrampoline = 112,  // where functions return to whose return is probed
  kReturns = 120,     // where they would: return_instance of the next of them
  kReturnSlot = 128,  // where the return address was
  kCount = 136,
  kAddress = 144,  // whose code is looked for
  kNode = 152,     // of the tree of mappings; in the end, the mapping
  kRbx = 160,      // where rbx is, or kRbxInRegister or kRbxLost
  kOwner = 168,    // which interpreter the last frame's code is of, and where that is
  kOwnerAt = 176,  //   mapped from its file's beginning on: for jstack() only
  kUser = 184,     // of the stack
  kWords = 248,    // of the kernel's memory
};
constexpr std::int32_t kUserBytes = 64, kWordsBytes = 248;  // all of a maple node but its first
static_assert(kWords + kWordsBytes <= kUnwindStateBytes);

constexpr std::int32_t kRbxInRegister = 0, kRbxLost = 1;

// The cache: whose it is, and mappings, as the state has them. Stacks of one thread have most code
// in common, and the search for a mapping is the dearest step. The cache belongs to the CPU and
// nesting level; it counts only while process, start time and the mappings' version are the same.
enum UnwindCache : std::int32_t {
  kCacheMm = 0,
  kCacheStart = 8,       // of the process
  kCacheVersion = 16,    // of its mappings
  kCacheForgotten = 24,  // kUnwindForgottenOffset
  kCacheNext = 32,       // the mapping that makes room for another one
  kCacheMappings = 40,
};
constexpr std::int32_t kCachedMappings = 8, kCachedBytes = kRegisters - kBegin;
static_assert(kCacheMappings + kCachedMappings * kCachedBytes == kUnwindCacheBytes);

// What emit_unwind_code()'s function returns.
constexpr std::int32_t kNoCode = 0, kCode = 1, kAwaited = 2;

constexpr kernel::Parameter kStateParameter = {kernel::Parameter::Kind::kMemory, kUnwindStateBytes};
constexpr kernel::Parameter kCache = {kernel::Parameter::Kind::kMemory, kUnwindCacheBytes};

// Words of the kernel's memory from address + from on; 0 where it cannot be read. By plain loads if
// the kernel allows them (word_load.h); otherwise the bytes are copied into the state's window by
// one call of the helper, and word() loads from there.
class Sight {
 public:
  Sight(Unit& unit, Reg state, Reg address, std::int32_t from, std::int32_t bytes = 8)
      : e_(unit.e), from_(from) {
    const Words& words = unit.memory.machine.words;
    if (words.are_known()) {
      base_ = cast_to_words(e_, words, address, from);
      shift_ = kFirstWord;
    } else {
      base_ = state;
      shift_ = kWords;
      const Reg buffer = copy(e_, state);
      e_.alu_imm(Alu::kAdd, buffer, kWords);
      copy_kernel(e_, buffer, address, from, static_cast<std::uint32_t>(bytes));
    }
  }
  // The word at address + offset, `offset` being `from` and a multiple of 8.
  Reg word(std::int32_t offset) const { return e_.load(8, base_, offset - from_ + shift_); }

 private:
  Emitter& e_;
  Reg base_;
  std::int32_t from_, shift_ = 0;
};

}  // namespace dt::bpf
