#pragma once
// An ELF file around one section, with code.

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "symbol/elf/file.h"

namespace dt::symbol {

struct SectionFile {
  // Of sections, with their zeros; ".names" is at 1.
  std::string_view names;
  std::uint32_t name = 0;  // of the section, in those
  std::uint64_t code_address = 0, code_offset = 0, code_bytes = 0;
  std::uint64_t address = 0;      // of the section
  bool is_behind_code = false;    // what is before it is code
  std::uint8_t code_byte = 0x55;  // which is all of that
};

// header | segment | names | section headers | ... | the section
inline ElfFile::Bytes with_section(const SectionFile& of, const std::uint8_t* data,
                                   std::size_t size) {
  constexpr std::uint64_t kSections = 3;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = EM_X86_64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  const std::uint64_t names_at = sizeof header + sizeof(Elf64_Phdr);
  header.e_shoff = names_at + of.names.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  header.e_shstrndx = 1;
  Elf64_Phdr code{};
  code.p_type = PT_LOAD;
  code.p_flags = PF_X;
  code.p_offset = of.code_offset;
  code.p_vaddr = of.code_address;
  code.p_filesz = of.code_bytes;
  const std::uint64_t headers_end = header.e_shoff + kSections * sizeof(Elf64_Shdr);
  Elf64_Shdr names{}, section{};
  names.sh_name = 1;
  names.sh_type = section.sh_type = SHT_PROGBITS;
  names.sh_offset = names_at;
  names.sh_size = of.names.size();
  section.sh_name = of.name;
  section.sh_addr = of.address;
  section.sh_offset = of.is_behind_code ? of.code_offset + of.code_bytes : headers_end;
  section.sh_size = size;
  ElfFile::Bytes file;
  const auto put = [&file](const auto& value) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
    file.insert(file.end(), from, from + sizeof value);
  };
  put(header);
  put(code);
  file.insert(file.end(), of.names.begin(), of.names.end());
  put(Elf64_Shdr{});
  put(names);
  put(section);
  file.resize(section.sh_offset, of.code_byte);
  file.insert(file.end(), data, data + size);
  return file;
}

}  // namespace dt::symbol
