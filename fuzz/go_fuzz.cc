// Any bytes as Go's table of functions: in a file that has code. What is promised of its
// functions, and of what is made of them to unwind stacks, is checked.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "section_file.h"
#include "support/check.h"
#include "symbol/frames/functions.h"
#include "symbol/frames/go_table.h"

namespace {

using dt::symbol::ElfFile;
using dt::symbol::FrameTable;
using dt::symbol::GoFunction;
using dt::symbol::GoTable;

constexpr std::uint64_t kCodeBytes = 0x1000;
constexpr dt::symbol::SectionFile kFile = {
    .names = std::string_view("\0.names\0.gopclntab\0\0\0\0\0\0", 24),
    .name = 8,
    .code_address = 0x401000,
    .code_offset = 0x1000,
    .code_bytes = kCodeBytes,
    .address = 0x1000 + kCodeBytes,
    .is_behind_code = true};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto elf = ElfFile::from_bytes(with_section(kFile, data, size));
  DT_CHECK(elf.ok());
  const auto go = GoTable::read(*elf);
  if (!go) return 0;
  std::uint64_t end = go->begin();
  for (const GoFunction& one : go->functions()) {
    DT_CHECK(one.address >= end);
    end = one.address + one.size;
  }
  DT_CHECK(end <= go->end());
  const FrameTable table = with_go_frames({}, *go, *elf);
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    DT_CHECK(table.rows[i - 1].offset < table.rows[i].offset);
    DT_CHECK(table.rows[i - 1].rule != table.rows[i].rule);
  }
  DT_CHECK(table.rows.empty() || table.rules.at(table.rows.back().rule) == dt::symbol::FrameRule());
  DT_CHECK(table.rows.size() <= kCodeBytes + 1);
  dt::symbol::Functions::read(*elf, nullptr, &*go);
  return 0;
}
