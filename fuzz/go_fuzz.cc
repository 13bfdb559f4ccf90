// Any bytes as Go's table of functions: in a file that has code. What is promised of its
// functions, and of what is made of them to unwind stacks, is checked.

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "support/check.h"
#include "symbol/functions.h"
#include "symbol/go_table.h"

namespace {

using dt::symbol::ElfFile;
using dt::symbol::FrameTable;
using dt::symbol::GoFunction;
using dt::symbol::GoTable;

constexpr std::uint64_t kCodeAddress = 0x401000, kCodeOffset = 0x1000, kCodeBytes = 0x1000;

template <typename T>
void put(ElfFile::Bytes& file, const T& value) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
  file.insert(file.end(), from, from + sizeof value);
}

// header | segment | names | section headers | ... code | the section
ElfFile::Bytes with_section(const std::uint8_t* data, std::size_t size) {
  static constexpr std::string_view kNames("\0.names\0.gopclntab\0\0\0\0\0\0", 24);
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
  code.p_offset = kCodeOffset;
  code.p_vaddr = kCodeAddress;
  code.p_filesz = kCodeBytes;
  Elf64_Shdr names{}, section{};
  names.sh_name = 1;
  names.sh_type = section.sh_type = SHT_PROGBITS;
  names.sh_offset = names_at;
  names.sh_size = kNames.size();
  section.sh_name = 8;
  section.sh_addr = section.sh_offset = kCodeOffset + kCodeBytes;
  section.sh_size = size;
  ElfFile::Bytes file;
  put(file, header);
  put(file, code);
  file.insert(file.end(), kNames.begin(), kNames.end());
  put(file, Elf64_Shdr{});
  put(file, names);
  put(file, section);
  file.resize(kCodeOffset + kCodeBytes, 0x55);
  file.insert(file.end(), data, data + size);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto elf = ElfFile::from_bytes(with_section(data, size));
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
