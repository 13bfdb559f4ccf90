#pragma once
// What the program of the pthread provider does at a breakpoint in glibc's code.
//
//   where a function begins    its probe fires, if it has one there; what it was given is noted
//                              under the thread and its stack pointer, if its return tells
//   where it returns           the note of the thread and its stack pointer is taken, and a probe
//                              fires with what has come of it
//   where a thread calls its start routine, and where it comes to when that is over
//
// A call that never returns (its thread is cancelled, or jumps out of a handler of a signal)
// leaves its note. Nothing takes it for another's: a call at the same place notes its own. When
// the thread ends, what it has left is forgotten.

#include <cstdint>
#include <vector>

#include "provider/glibc/pthread_code.h"
#include "provider/mechanism/noting_prologue.h"

namespace dt::provider {

// What a firing is of its function: the low bits of a probe's key. The others are the process and
// the function.
enum class PthreadOutcome : std::uint8_t { kBegin, kDone, kFailed };
constexpr std::uint32_t kPthreadOutcomes = 4;

enum class PthreadPlace : std::uint8_t { kEntry, kNotingEntry, kReturn, kStart, kEnd };

// The high half of a cookie: what stands at the place, which call it is of, and a number: of a
// row, or where the thread's structure has what is wanted.
constexpr std::uint32_t kMostPthreadNumber = 0xffff;
constexpr std::uint32_t pthread_place(PthreadPlace what, PthreadCall call, std::uint32_t number) {
  return static_cast<std::uint32_t>(what) | static_cast<std::uint32_t>(call) << 8 | number << 16;
}

// What is known of a place, relative to it: the code whose calls do not count, or errno.
struct PthreadRow {
  struct Range {
    std::int32_t from = 0;
    std::uint32_t bytes = 0;
    bool operator==(const Range&) const = default;
  };
  std::array<Range, PthreadCode::kMostRanges> inner = {};
  // Where memory says how far errno is from the thread's structure; 0: `error_offset` is it.
  std::int32_t error_word = 0, error_offset = 0;
  bool operator==(const PthreadRow&) const = default;
};

// `rows` and `uprobes` outlive it.
std::unique_ptr<bpf::Prologue> pthread_prologue(const std::vector<PthreadRow>& rows,
                                                const bpf::Machine& machine, Uprobes& uprobes);

}  // namespace dt::provider
