#pragma once
// Asks everything of an ELF file that may be made of any bytes: answers must come, within
// limits, and what they promise is checked. What types it has: ask_types.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/check.h"
#include "symbol/frames/call_frames.h"
#include "symbol/code/starts.h"
#include "symbol/process/debug_file.h"
#include "symbol/elf/file.h"
#include "symbol/frames/functions.h"
#include "symbol/interpreter/interpreter.h"
#include "symbol/elf/mini_debug.h"
#include "symbol/elf/needed.h"
#include "symbol/dwarf/source_lines.h"
#include "symbol/dwarf/variables.h"
#include "symbol/elf/usdt_notes.h"
#include "symbol/elf/usdt_types.h"

namespace dt::symbol {

// Who it is, and where what was stripped off it lies.
inline void ask_identity(const ElfFile& elf) {
  // Paths of debug files are made of it.
  const std::string path = path_of_build_id(elf.build_id());
  DT_CHECK(path.find("..") == path.npos, "{}", path);
  elf.debug_link();
  elf.alt_link();
  elf.crc();
  needed_names(elf);
  (void)interpreter_image(elf);
  library_directories(elf, "/usr/bin");
  if (const auto mini = mini_debug_file(elf)) Functions::read(*mini, &*mini);
}

inline void ask_functions(const ElfFile& elf) {
  code_starts(elf);
  const Functions functions = Functions::read(elf, &elf);
  for (const Function& one : functions.all()) functions.at(one.address + 1);
  functions.named("main");
  for (const Function& one : linkage_functions(elf)) DT_CHECK(one.name.ends_with("@plt"));
}

inline void ask_notes(const ElfFile& elf) {
  for (const UsdtNote& note : read_usdt_notes(elf)) {
    elf.offset_of(note.address);
    for (const UsdtOperand& operand : note.operands) {
      DT_CHECK(operand.base < 16 || operand.base == UsdtOperand::kNone);
      DT_CHECK(operand.index < 16 || operand.index == UsdtOperand::kNone);
      if (!operand.symbol.empty()) address_of_object(elf, operand.symbol);
    }
  }
  read_usdt_types(elf);
}

// `size`: of the file.
inline void ask_frames(const ElfFile& elf, std::size_t size) {
  const auto table = frame_table(elf);
  if (!table.ok()) return;
  const std::vector<FrameTable::Row>& rows = table->rows;
  DT_CHECK(rows.empty() || table->rules.at(rows.back().rule) == FrameRule());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    DT_CHECK(rows[i].rule < table->rules.size());
    DT_CHECK(i == 0 || rows[i - 1].offset < rows[i].offset);
    DT_CHECK(i == 0 || rows[i - 1].rule != rows[i].rule);
  }
  // Unless it is compressed.
  if (!elf.extent(".eh_frame").is_compressed && !elf.has(".debug_frame")) {
    DT_CHECK(rows.size() < size);
  }
}

// Of some places below `end`, as each is a walk over its unit.
inline void ask_variables(const std::shared_ptr<const ElfFile>& file, std::uint64_t end) {
  constexpr std::uint64_t kPlaces = 16;
  DwarfVariables variables(file, file);
  for (std::uint64_t i = 0; i < kPlaces; ++i) {
    for (const DwarfVariable& one : variables.at(end / kPlaces * i)) {
      DT_CHECK(one.location.number < 16);
    }
  }
  std::vector<InlinedCode> inlined = variables.inlined();
  if (inlined.size() > kPlaces) inlined.resize(kPlaces);
  for (const InlinedCode& one : inlined) variables.at(one.address, one.name);
  for (const DwarfVariable& one : variables.outside("main")) DT_CHECK(one.name == "main");
}

// Of the code at addresses below `end`, `step` bytes apart.
inline void ask_lines(const std::shared_ptr<const ElfFile>& file, std::uint64_t end,
                      std::uint64_t step) {
  SourceLines lines(file, file);
  std::size_t now = 0;
  for (std::uint64_t address = 0; address < end; address += step) {
    lines.set_now(++now);
    const std::vector<SourceFrame> frames = lines.find(address, {true, true});
    for (const SourceFrame& frame : frames) DT_CHECK((frame.line == 0) == frame.file.empty());
    DT_CHECK(frames.empty() || frames.back().function.empty());
    if (now % 64 == 0) lines.forget_before(now - 8);
  }
  lines.forget_before(now + 1);
  DT_CHECK(lines.table_bytes() == 0);
  lines.let_go();
  ask_variables(file, end);
}

}  // namespace dt::symbol
