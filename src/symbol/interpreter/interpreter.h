#pragma once
// The interpreters whose stacks a probe can read (bpf/stack/python.h, bpf/stack/ruby.h), by the
// files that they are in.

#include <array>
#include <cstdint>
#include <optional>

#include "symbol/elf/file.h"
#include "symbol/interpreter/python.h"
#include "symbol/interpreter/ruby.h"

namespace dt::symbol {

enum class Language : std::uint64_t { kNone, kPython, kRuby };

// As probes read it: one of them, of that language.
struct alignas(128) InterpreterImage {
  Language language = Language::kNone;
  PythonImage python;
  RubyImage ruby;

  bool operator==(const InterpreterImage&) const = default;
};

// Nothing when the file is none of them.
std::optional<InterpreterImage> interpreter_image(const ElfFile& elf);

}  // namespace dt::symbol
