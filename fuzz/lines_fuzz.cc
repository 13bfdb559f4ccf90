// Any bytes as an ELF file with DWARF that says where code comes from; or, where they do
// not begin as one, as the sections of it: their lengths in two bytes each, and their
// contents.

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "ask_elf.h"

namespace {

using dt::symbol::ElfFile;

constexpr std::array<std::string_view, 10> kSections = {
    ".debug_info",        ".debug_abbrev", ".debug_line",    ".debug_str",      ".debug_line_str",
    ".debug_str_offsets", ".debug_addr",   ".debug_aranges", ".debug_rnglists", ".debug_ranges"};

template <typename T>
void put(ElfFile::Bytes& file, const T& value) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
  file.insert(file.end(), from, from + sizeof value);
}

// header | section headers: none, names, those of kSections | names | their contents
ElfFile::Bytes with_sections(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHeaders = kSections.size() + 2;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = EM_X86_64;
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kHeaders;
  header.e_shstrndx = 1;
  std::string names(1, '\0');
  std::array<Elf64_Shdr, kHeaders> headers{};
  for (std::size_t i = 0; i < kSections.size(); ++i) {
    headers[i + 2].sh_name = static_cast<Elf64_Word>(names.size());
    headers[i + 2].sh_type = SHT_PROGBITS;
    names.append(kSections[i]).push_back('\0');
  }
  const std::size_t names_at = sizeof header + sizeof headers;
  headers[1].sh_type = SHT_STRTAB;
  headers[1].sh_offset = names_at;
  headers[1].sh_size = names.size();
  std::size_t at = kSections.size() * 2;
  for (std::size_t i = 0; i < kSections.size(); ++i) {
    const std::size_t wanted = data[i * 2] + data[i * 2 + 1] * std::size_t{256};
    headers[i + 2].sh_offset = names_at + names.size() + at;
    headers[i + 2].sh_size = std::min(wanted, size - at);
    at += headers[i + 2].sh_size;
  }
  ElfFile::Bytes file;
  put(file, header);
  put(file, headers);
  file.insert(file.end(), names.begin(), names.end());
  file.insert(file.end(), data, data + size);
  return file;
}

void ask(ElfFile::Bytes bytes) {
  auto elf = ElfFile::from_bytes(std::move(bytes));
  if (!elf.ok()) return;
  dt::symbol::ask_lines(std::make_shared<const ElfFile>(std::move(*elf)), 0x4000, 61);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 4 && data[0] == 0x7f && data[1] == 'E') {
    ask(ElfFile::Bytes(data, data + size));
  } else if (size >= kSections.size() * 2) {
    ask(with_sections(data, size));
  }
  return 0;
}
