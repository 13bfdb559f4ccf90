// See interpreter.h.

#include "symbol/interpreter/interpreter.h"

namespace dt::symbol {

std::optional<InterpreterImage> interpreter_image(const ElfFile& elf) {
  if (const auto python = python_image(elf)) {
    return InterpreterImage{Language::kPython, *python, {}};
  }
  if (const auto ruby = ruby_image(elf)) return InterpreterImage{Language::kRuby, {}, *ruby};
  return std::nullopt;
}

}  // namespace dt::symbol
