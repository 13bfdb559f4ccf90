#pragma once
// What the programs of the plockstat provider do at a breakpoint in glibc's code.
//
//   where a function begins    note the lock, under the thread and its stack pointer
//   before a system call       find the note of the thread and the lock: it waits
//   where a function returns   find the note of the thread and its stack pointer: it has ended
//
// The stack pointer at a return is that at the beginning, however far the code has jumped in
// between, and differs where a signal handler takes a lock within one that is taken.

#include <cstdint>

#include "provider/glibc/lock_code.h"
#include "provider/mechanism/noting_prologue.h"

namespace dt::provider {

// What has come of a call: the low bits of a probe's key. The others are the process and
// the function.
enum class LockOutcome : std::uint8_t { kDone, kFailed, kBlock, kBlocked };
constexpr std::uint32_t kLockOutcomes = 4;

// The high half of a cookie: what stands at the place, and the two bytes of LockCode::Wait.
enum class LockPlace : std::uint8_t {
  kReturn = 16,
  kWait = 17
};  // lower: the LockCall that begins
constexpr std::uint32_t lock_place(LockPlace what, std::uint8_t keeps = 0, std::uint8_t flips = 0) {
  return static_cast<std::uint32_t>(what) | std::uint32_t{keeps} << 8 | std::uint32_t{flips} << 16;
}

// `tells_waits`: of the program for kBlock and kBlocked, otherwise of that for the others.
// `uprobes` outlives it.
std::unique_ptr<bpf::Prologue> lock_prologue(bool tells_waits, const bpf::Machine& machine,
                                             Uprobes& uprobes);

}  // namespace dt::provider
