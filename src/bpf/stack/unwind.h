#pragma once
// Stacks of programs that keep no frame pointers, unwound where a probe fires by
// tables that user space makes of their call frame information.
//
// The code that a place of a process belongs to is found as the kernel itself
// would: in the tree of the process's mappings. So it is right in a process that
// was forked, has executed another program or has mapped a library an instant ago,
// without any notification; only of a file that was never seen before a
// table must be made first.
//
//     mm_struct -> mapping -> inode -> kFiles: UnwindFile
//         -> kTables: UnwindBlock of the 4 KiB of code -> its rows
//         -> kRules: UnwindRule -> CFA, return address, rbp, rbx -> the next frame
//
//   kFiles   HASH: UnwindFileKey -> UnwindFile. A probe enters a file that it does
//            not find, without blocks, and asks for its table through kWanted
//   kTables  ARRAY_OF_MAPS: chunks of kUnwindChunkBytes, which form one sequence of
//            bytes; UnwindBlocks and rows are in it, by their numbers from its start
//   kRules   ARRAY of one value: UnwindRules, then two u64: how many stacks end where a
//            table is not there yet, and what grows when files are forgotten; then the
//            symbol::InterpreterImages
//   kWanted  RINGBUF: UnwindWanted
//   kSources HASH: u64 name -> symbol::SourceRecord; only for jstack(): see python.h, ruby.h
//
// What was found of a few mappings stays in the scratch frame, where the next firing
// finds it if it is of the same process, which has changed none of its mappings since.
//
// A row is a u32: the place in the block in the high bits, its rule in the low
// ones. The first row of a block is of its first byte.

#include <cstdint>

#include "bpf/asm/emitter.h"
#include "symbol/frames/call_frames.h"
#include "symbol/interpreter/interpreter.h"
#include "symbol/interpreter/source_frame.h"

namespace dt::bpf {

struct Unit;

// Indices of MapKind::kUnwind.
enum class UnwindMap : std::uint8_t { kFiles, kTables, kRules, kWanted, kSources };
constexpr std::size_t kUnwindMaps = 5;
constexpr MapRef unwind_map(UnwindMap which) {
  return {MapKind::kUnwind, static_cast<std::uint32_t>(which)};
}

constexpr std::uint32_t kUnwindChunkBytes = 256 << 10;
constexpr std::uint32_t kUnwindWantedBytes = 64 << 10;
constexpr std::uint32_t kUnwindChunks = 256;
constexpr std::uint32_t kUnwindFiles = 8192;
constexpr std::uint32_t kUnwindRules = 1 << 16;
constexpr std::uint32_t kUnwindCutOffset = 8 * kUnwindRules;  // in kRules
constexpr std::uint32_t kUnwindForgottenOffset = kUnwindCutOffset + 8;
constexpr std::uint32_t kUnwindInterpretersOffset = kUnwindForgottenOffset + 8;
constexpr std::uint32_t kUnwindInterpreters = 16;  // a power of two; there is no number 0
constexpr std::uint32_t kUnwindRulesBytes =
    kUnwindInterpretersOffset + kUnwindInterpreters * sizeof(symbol::InterpreterImage);
constexpr std::uint32_t kSourceRecords = 8192;
constexpr std::uint32_t kUnwindBlockShift = 12, kUnwindRuleBits = 20;

struct UnwindFileKey {
  std::uint64_t inode = 0, bytes = 0;
  std::uint64_t changed = 0;  // ctime, which no process can set: seconds, and ns
  std::uint32_t changed_ns = 0;
  std::uint32_t device = 0;  // the kernel's dev_t
  bool operator==(const UnwindFileKey&) const = default;
};
static_assert(sizeof(UnwindFileKey) == 32);

// The kernel keeps a flag of its own in the highest bit of i_ctime_nsec.
constexpr std::int32_t kUnwindNsMask = 0x7fffffff;

// The kernel's own code in every process, [vdso], which is in no file.
constexpr UnwindFileKey kUnwindVdso = {.inode = ~0ULL};

struct UnwindFile {
  std::uint32_t first_index = 0;  // of its UnwindBlocks in the tables
  std::uint32_t first_block = 0;  // place in the file >> kUnwindBlockShift
  std::uint32_t blocks = 0;
  std::uint16_t is_awaited = 0;   // 1: a probe has entered it, the table is not there yet
  std::uint16_t interpreter = 0;  // which one it is of kUnwindInterpreters; 0: none
};
static_assert(sizeof(UnwindFile) == 16);

struct UnwindBlock {
  std::uint32_t first_row = 0;  // all rows of a block are in one chunk
  std::uint32_t rows = 0;       // 0: nothing is known there
};
static_assert(sizeof(UnwindBlock) == 8);

// How rsp of the caller (CFA) follows, and where its rbp and rbx are; a register's `number` is
// its place in pt_regs. Stacks end at what is outermost or not supported.
using UnwindBase = symbol::FrameRule::Base;
using UnwindSaved = symbol::FrameRule::Saved;
struct UnwindRule {
  UnwindBase base : 4 = UnwindBase::kUnknown;
  UnwindSaved saved : 4 = UnwindSaved::kSame;
  std::uint8_t number = 0;
  std::int16_t frame_pointer = 0;
  std::uint32_t rbx : 8 = 0;
  std::uint32_t offset : 24 = 0;  // in two's complement
  bool operator==(const UnwindRule&) const = default;
};
static_assert(sizeof(UnwindRule) == 8);

// A file whose code a process has mapped there, of which no table was known.
struct UnwindWanted {
  UnwindFileKey key;
  std::uint64_t begin = 0, end = 0;
  std::uint32_t pid = 0, reserved = 0;
};
static_assert(sizeof(UnwindWanted) == 56);

// What routines keep between them (unwind_state.h).
constexpr std::uint32_t kUnwindStateBytes = 496;

// What firings leave to one another, behind the busy flag of their scratch frame.
constexpr std::uint32_t kUnwindCacheAt = 8, kUnwindCacheBytes = 488;

// Whether user stacks of this machine's programs are unwound so.
bool unwinds(const Unit& unit);

// (frames, state, cache) -> how many frames, innermost first; zeros behind them. Below 0
// when the thread runs 32-bit code, which has no tables.
void emit_unwind(Unit& unit, Label name, std::uint32_t bytes);
// (frames, state, cache, python's): the same for jstack(), which does not count them.
void emit_unwind_sources(Unit& unit, Label name, std::uint32_t bytes);
// (state, cache): what is in the cache is of this thread's mappings, as they are now.
void emit_unwind_begin(Unit& unit, Label name);
// (state, cache) -> 1 when it has become that of the caller, 0 when there is none.
void emit_unwind_frame(Unit& unit, Label name);
// (state, cache) -> 1 when the state's mapping has become that of the code at its address, 0
// when there is none, 2 when its table is not there yet.
void emit_unwind_code(Unit& unit, Label name);
// (state) -> the state's node becomes that of the next level: 1 when that is a mapping.
void emit_unwind_node(Unit& unit, Label name);
// (state) -> 1 when the return address, which the kernel has replaced to notice the
// function's return, has been found.
void emit_unwind_return(Unit& unit, Label name);

}  // namespace dt::bpf
