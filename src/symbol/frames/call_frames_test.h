#pragma once
// What the tests of call frame information are written with: files that have it, made by
// hand, and tables of it as text.

#include <elf.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "symbol/frames/call_frames.h"

namespace dt::symbol {

// The files of these tests have 4 KiB of code, which is not loaded where it is in the file.
constexpr std::uint64_t kCodeOffset = 0x1000, kCodeAddress = 0x401000, kCodeBytes = 0x1000;
constexpr std::uint64_t kFramesOffset = 0x2000, kFramesAddress = 0x602000;

class Bytes {
 public:
  Bytes() = default;
  Bytes(std::initializer_list<int> bytes) {
    for (const int one : bytes) all.push_back(static_cast<std::uint8_t>(one));
  }
  template <typename T>
  Bytes& put(T value) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
    all.insert(all.end(), from, from + sizeof value);
    return *this;
  }
  Bytes& put(const Bytes& more) {
    all.insert(all.end(), more.all.begin(), more.all.end());
    return *this;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all.size()); }
  std::vector<std::uint8_t> all;
};

// A file whose code and whose section `name` are loaded.
inline ElfFile::Bytes elf_file(const Bytes& section, const std::string& name = ".eh_frame") {
  const std::string names = std::string("\0.names\0", 8) + name + '\0';
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = EM_X86_64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  const std::uint64_t names_at = kFramesOffset + section.size();
  header.e_shoff = names_at + names.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  const Elf64_Phdr code = {PT_LOAD,      PF_R | PF_X, kCodeOffset, kCodeAddress,
                           kCodeAddress, kCodeBytes,  kCodeBytes,  0x1000};
  const Elf64_Phdr data = {PT_LOAD,        PF_R,           kFramesOffset,  kFramesAddress,
                           kFramesAddress, section.size(), section.size(), 0x1000};
  Elf64_Shdr none{}, strings{}, frames{};
  strings.sh_name = 1;
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = names_at;
  strings.sh_size = names.size();
  frames.sh_name = 8;
  frames.sh_type = SHT_PROGBITS;
  frames.sh_offset = kFramesOffset;
  frames.sh_addr = kFramesAddress;
  frames.sh_size = section.size();
  Bytes file;
  file.put(header).put(code).put(data);
  file.all.resize(kFramesOffset);
  file.put(section);
  file.all.insert(file.all.end(), names.begin(), names.end());
  file.put(none).put(strings).put(frames);
  return file.all;
}

// length | id | body
inline Bytes entry(std::uint32_t id, const Bytes& body) {
  return Bytes().put(body.size() + 4).put(id).put(body);
}

// The same with a length of eight bytes.
template <typename Id>
Bytes long_entry(Id id, const Bytes& body) {
  return Bytes().put(~0U).put(std::uint64_t{body.size()} + sizeof id).put(id).put(body);
}

// "zR", factors 1 and -8, addresses of eight bytes: CFA = rsp + 8, which is above the
// return address.
inline const Bytes kPlain = {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x00, 0x0c, 7, 8, 0x90, 1};

inline Bytes common(const Bytes& body = kPlain) { return entry(0, body); }

// The first 16 bytes of the code: where they are and how many.
inline const Bytes kSixteenBytes = Bytes().put(kCodeAddress).put(std::uint64_t{16});

// Code of `size` bytes at `at` in the code. `back`: how far before it its CIE is.
inline Bytes function(std::uint32_t back, std::uint64_t at, std::uint64_t size,
                      const Bytes& instructions = {}) {
  Bytes body;
  body.put(kCodeAddress + at).put(size).put(Bytes{0}).put(instructions);
  return entry(back + 4, body);
}

inline std::string text(const FrameRule& rule) {
  const std::string offset = fmt::format("{:+}", rule.offset);
  const std::string saved = fmt::format("{:+}", rule.frame_pointer);
  const std::string added = rule.number == 0 ? "" : fmt::format("+{}", rule.number);
  const std::string bases[] = {"-",
                               "outermost",
                               "unsupported",
                               "rsp" + offset,
                               "rbp" + offset,
                               fmt::format("r{}", rule.number) + offset,
                               "*(rbp" + offset + ")" + added,
                               "*(rsp" + offset + ")" + added,
                               fmt::format("plt {}", rule.offset),
                               fmt::format("signal {}", rule.offset),
                               "other rbp" + offset};
  const std::string places[] = {"", " @cfa" + saved, " @rbp" + saved, " lost"};
  const std::string rbx = rule.rbx == FrameRule::kRbxSame   ? ""
                          : rule.rbx == FrameRule::kRbxLost ? " rbx lost"
                                                            : fmt::format(" rbx@{}", rule.rbx);
  return bases[static_cast<std::size_t>(rule.base)] + places[static_cast<std::size_t>(rule.saved)] +
         rbx;
}

// "1000 rsp+8, 1001 rsp+16 @cfa-16, 1010 -"; what the header promises of a table is checked.
inline std::string text(const FrameTable& table) {
  std::string out;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const FrameTable::Row& row = table.rows[i];
    if (i > 0) {
      EXPECT_LT(table.rows[i - 1].offset, row.offset);
      EXPECT_NE(table.rows[i - 1].rule, row.rule);
    }
    if (row.rule >= table.rules.size()) return "a rule that is none";
    out += fmt::format("{}{:x} {}", i > 0 ? ", " : "", row.offset, text(table.rules[row.rule]));
  }
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(table.rules[i], table.rules[k]);
  }
  if (!table.rows.empty()) {
    EXPECT_EQ(table.rules[table.rows.back().rule], FrameRule());
  }
  return out;
}

inline std::string table_of(ElfFile::Bytes file) {
  const auto elf = ElfFile::from_bytes(std::move(file));
  if (!elf.ok()) return elf.error().text;
  const auto table = frame_table(*elf);
  return table.ok() ? text(*table) : table.error().text;
}

inline std::string table_of(const Bytes& section) { return table_of(elf_file(section)); }

// Of one function of 16 bytes.
inline std::string table_of_function(const Bytes& instructions, const Bytes& body = kPlain) {
  Bytes all = common(body);
  return table_of(all.put(function(all.size(), 0, 16, instructions)));
}

}  // namespace dt::symbol
