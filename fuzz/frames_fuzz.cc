// Any bytes as call frame information: as a whole ELF file, or as a section of one that
// has code; and as code that has none. What a table promises is checked.

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "ask_elf.h"
#include "section_file.h"

namespace {

using dt::symbol::ElfFile;

// The code is wherever it says.
ElfFile::Bytes with_section(const std::uint8_t* data, std::size_t size, std::uint32_t name) {
  constexpr std::uint64_t kCode = 0x1000, kCodeBytes = 0x10000, kAddress = 0x20000;
  return dt::symbol::with_section(
      {.names = std::string_view("\0.names\0.eh_frame\0.debug_frame\0.text\0\0", 39),
       .name = name,
       .code_address = kCode,
       .code_offset = kCode,
       .code_bytes = kCodeBytes,
       .address = kAddress},
      data, size);
}

void check(ElfFile::Bytes bytes) {
  const std::size_t size = bytes.size();
  const auto elf = ElfFile::from_bytes(std::move(bytes));
  if (!elf.ok()) return;
  dt::symbol::ask_frames(*elf, size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 4 && std::memcmp(data, ELFMAG, SELFMAG) == 0) {
    check(ElfFile::Bytes(data, data + size));
    return 0;
  }
  for (const std::uint32_t name : {8U, 18U, 31U}) check(with_section(data, size, name));
  return 0;
}
