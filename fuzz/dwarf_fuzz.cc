// Any bytes as an ELF file with DWARF; or, where they do not begin as one, as the
// sections themselves: their lengths in two bytes each, and their contents.

#include <array>
#include <cstddef>
#include <cstdint>

#include "ask_types.h"
#include "types/dwarf_source.h"

namespace dt::types {
namespace {

using symbol::ElfFile;

constexpr std::size_t kSections = 5;

// Two such files: one, and what it shares with others.
DwarfFile sections(ElfFile::Bytes bytes) {
  DwarfFile file;
  ElfFile::Bytes* const to[kSections] = {&file.info, &file.abbrev, &file.str, &file.str_offsets,
                                         &file.line_str};
  std::size_t at = kSections * 2;
  for (std::size_t i = 0; i < kSections && at <= bytes.size(); ++i) {
    const auto length = bytes[i * 2] + bytes[i * 2 + 1] * std::size_t{256};
    const std::size_t end = std::min(bytes.size(), at + length);
    to[i]->assign(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  bytes.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
  }
  return file;
}

void run(DwarfFile file, DwarfFile shared) {
  Result<std::unique_ptr<Source>> source =
      DwarfSource::make("a.out", std::move(file), std::move(shared));
  if (!source.ok()) return;
  Catalog catalog;
  catalog.add_source(std::move(*source));
  ask_everything(catalog, "a.out");
}

}  // namespace
}  // namespace dt::types

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dt::types;
  using dt::symbol::ElfFile;
  ElfFile::Bytes bytes(data, data + size);
  if (size >= 4 && data[0] == 0x7f && data[1] == 'E') {
    auto elf = ElfFile::from_bytes(std::move(bytes));
    if (!elf.ok()) return 0;
    elf->build_id();
    elf->debug_link();
    elf->alt_link();
    elf->crc();
    auto file = DwarfFile::read(*elf);
    if (file.ok()) run(std::move(*file), {});
    return 0;
  }
  if (size < 10) return 0;
  run(sections(bytes), sections(bytes));
  return 0;
}
