#pragma once
// System calls by key.
//
// A key says which call a firing is of, whichever way the task made it:
//
//   0..471     the x86-64 number; calls that i386 has too share the key
//   512..598   calls that only i386 has (waitpid, mmap2, socketcall, ...)
//   639        `nosys`: every number without a name
//
// Programs learn the key from numbers with one table (key_table), which has
// three parts: native numbers, x32's own numbers, and i386's numbers.

#include <cstdint>
#include <string_view>
#include <vector>

namespace dt::provider {

struct Syscall {
  std::uint32_t key;
  const char* name;
  const char* types;  // comma-separated; nullptr if they are declared nowhere
  const char* names;  // the same of the arguments' names; nullptr when there are none
};

constexpr std::uint32_t kI386OnlyKey = 512;  // the first of them
constexpr std::uint32_t kNosysKey = 639;
constexpr std::uint32_t kLastSyscall = 471;  // the highest native number with a name
// The native numbers that were skipped, and so have no name.
constexpr std::uint32_t kHoleBegin = 337, kHoleEnd = 424;

constexpr std::uint32_t kX32Bit = 0x40000000;
constexpr std::uint32_t kX32Numbers = 548;  // native numbers and x32's own 512..547
constexpr std::uint32_t kI386Numbers = 512;

// Ascending by key; the native calls.
const std::vector<Syscall>& native_syscalls();
// Ascending by key; those that only i386 has.
const std::vector<Syscall>& i386_only_syscalls();

// By name, native calls first; nullptr when there is none of that name.
const Syscall* find_syscall(std::string_view name);

// The name of the native call with this number; nullptr if there is none.
const char* syscall_name(std::int64_t number);

// kX32Numbers + kI386Numbers keys of 16 bits, kNosysKey where there is no name.
std::vector<std::uint16_t> key_table();

}  // namespace dt::provider
