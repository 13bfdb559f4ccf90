#pragma once
// Access: how memory is read for an expression: @cast(p, "t")->a[i], t->pid, @var("x"),
// @kderef(8, p), kernel_string(p), and what $x$ shows. From a base, which the expression itself
// computes, steps lead to the value.
//
// The checker makes it from C types; the firing records what the steps may read (Reading), and the
// handler takes them at home over what was recorded.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stap/syntax/tree.h"

namespace dt::stap {

// The size of a reading that is a path: no number and no text has it.
constexpr std::uint32_t kPathSize = UINT32_MAX;

struct AccessStep {
  enum class Kind : std::uint8_t {
    kAdd,    // bytes: `number`
    kIndex,  // elements of `number` bytes: as many as `index` says
    kLoad,   // the number there, or of a bit-field a part of it
    kText,   // the text there, up to its NUL
    kPath,   // the path that a struct path there means, as the process sees it
  };
  Kind kind = Kind::kAdd;
  std::int64_t number = 0;
  Expr* index = nullptr;
  std::uint32_t count = 0;  // kIndex: elements of the array, where that is known
  std::uint32_t size = 8;   // bytes that are loaded
  bool is_signed = false, is_userland = false;
  std::uint32_t bit_offset = 0, bit_size = 0;  // of a bit-field in what is loaded
};

// A part of what $x$ shows: a text, then the value to which a step leads from an offset.
struct ShownPart {
  // kPointedText: the text that a pointer leads to; where it cannot be read, the pointer.
  enum class As : std::uint8_t { kText, kNumber, kHexadecimal, kCharacter, kQuoted, kPointedText };
  std::string text;  // in front of the value
  As as = As::kText;
  std::int64_t offset = 0;
  AccessStep load;  // unless kText
  // kPointedText: loads the pointer at the offset. Without it, the steps end with the pointer.
  std::optional<AccessStep> pointer = {};
};

// So many bytes; or characters of 2 or 4 bytes up to a 0.
struct AccessBytes {
  Expr* count = nullptr;
  std::uint32_t unit = 0;  // of characters: their size, and there is no count
  bool is_userland = false;
};

struct Access {
  std::optional<std::int64_t> address;  // the base, where it is known: of @var
  Expr* base = nullptr;                 // otherwise
  std::vector<AccessStep> steps;
  std::vector<ShownPart> shown;  // at the end of the steps; then the value is a text
  // Bytes at the end of the steps (meaning/memory_bytes.h); then the value is a text of them.
  std::optional<AccessBytes> bytes;
  // Where memory cannot be read: this instead of an error.
  Expr* instead = nullptr;
  bool is_lenient = false;  // 0 instead, or ? of what is shown
};

// One piece of memory as it was when a probe fired.
struct Reading {
  std::uint64_t address = 0;
  std::uint32_t size = 0;  // 0: a text
  bool is_userland = false;
  bool is_readable = false;
  std::uint64_t bits = 0;
  std::string text;
};

}  // namespace dt::stap
