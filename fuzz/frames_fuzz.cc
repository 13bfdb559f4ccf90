// Any bytes as call frame information: as a whole ELF file, or as a section of one that
// has code; and as code that has none. What a table promises is checked.

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "ask_elf.h"

namespace {

using dt::symbol::ElfFile;

constexpr std::uint64_t kCodeAddress = 0x1000, kCodeBytes = 0x10000, kFramesAddress = 0x20000;

template <typename T>
void put(ElfFile::Bytes& file, const T& value) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
  file.insert(file.end(), from, from + sizeof value);
}

// header | segment | names | section headers | the section; the code is wherever it says.
ElfFile::Bytes with_section(const std::uint8_t* data, std::size_t size, std::uint32_t name) {
  static constexpr std::string_view kNames("\0.names\0.eh_frame\0.debug_frame\0.text\0\0", 39);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = EM_X86_64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  const std::uint64_t names_at = sizeof header + sizeof(Elf64_Phdr);
  header.e_shoff = names_at + kNames.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  Elf64_Phdr code{};
  code.p_type = PT_LOAD;
  code.p_flags = PF_X;
  code.p_offset = code.p_vaddr = kCodeAddress;
  code.p_filesz = kCodeBytes;
  Elf64_Shdr names{}, section{};
  names.sh_name = 1;
  names.sh_type = section.sh_type = SHT_PROGBITS;
  names.sh_offset = names_at;
  names.sh_size = kNames.size();
  section.sh_name = name;
  section.sh_addr = kFramesAddress;
  section.sh_offset = header.e_shoff + 3 * sizeof section;
  section.sh_size = size;
  ElfFile::Bytes file;
  put(file, header);
  put(file, code);
  file.insert(file.end(), kNames.begin(), kNames.end());
  put(file, Elf64_Shdr{});
  put(file, names);
  put(file, section);
  file.insert(file.end(), data, data + size);
  return file;
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
