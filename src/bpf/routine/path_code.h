#pragma once
// The code that puts the names of a path before one another: see path.cc.

#include <cstdint>

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"

namespace dt::bpf {

constexpr std::uint32_t kPathTextBytes = 4096;  // PATH_MAX
constexpr std::uint32_t kPathNameBytes = 256;   // more than NAME_MAX

// What the walk keeps, in memory.
enum class PathWord : std::uint8_t {
  kDentry,
  kMount,
  kOffset,
  kRootDentry,
  kRootMount,
  kNumber,
  kKind
};
constexpr std::uint32_t kPathWordBytes = 7 * 8;

// How a routine of steps ended; 0: it is to be called again.
enum class PathEnd : std::uint8_t { kNone, kAtRoot, kBadAddress, kTooDeep };

struct PathCode {
  Emitter& e;
  const PathOffsets& at;
  Reg words;
  std::int32_t words_offset;
  Reg text;
  StackSlot word;  // 8 bytes
  Label bad, too_deep;

  Reg get(PathWord which) const;
  void set(PathWord which, Reg value) const;
  // The eight bytes at base + offset in the kernel, 0 where they cannot be read.
  Reg load(Reg base, std::int32_t offset) const;
  // Moves the offset down by `bytes`, below 256, and gives the place.
  Reg room(Reg bytes) const;
  void literal(const char* text) const;
  // "/" and the dentry's name; a name that cannot be read is a bad address.
  void component(Reg dentry) const;
  // "[" number "]".
  void number(Reg number) const;
  // Ends with what the words say, or goes to `at_root`.
  void step(Label at_root) const;
};

}  // namespace dt::bpf
