// Call frame information made by hand, well-formed and not. call_frames_elfutils_test.cc
// has that of real programs.

#include "symbol/call_frames.h"

#include <elf.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <random>
#include <string>

namespace dt::symbol {
namespace {

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
ElfFile::Bytes elf_file(const Bytes& section, const std::string& name = ".eh_frame") {
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
Bytes entry(std::uint32_t id, const Bytes& body) {
  return Bytes().put(body.size() + 4).put(id).put(body);
}

// The same with a length of eight bytes.
template <typename Id>
Bytes long_entry(Id id, const Bytes& body) {
  return Bytes().put(~0U).put(std::uint64_t{body.size()} + sizeof id).put(id).put(body);
}

// "zR", factors 1 and -8, addresses of eight bytes: CFA = rsp + 8, which is above the
// return address.
const Bytes kPlain = {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x00, 0x0c, 7, 8, 0x90, 1};

Bytes common(const Bytes& body = kPlain) { return entry(0, body); }

// The first 16 bytes of the code: where they are and how many.
const Bytes kSixteenBytes = Bytes().put(kCodeAddress).put(std::uint64_t{16});

// Code of `size` bytes at `at` in the code. `back`: how far before it its CIE is.
Bytes function(std::uint32_t back, std::uint64_t at, std::uint64_t size,
               const Bytes& instructions = {}) {
  Bytes body;
  body.put(kCodeAddress + at).put(size).put(Bytes{0}).put(instructions);
  return entry(back + 4, body);
}

std::string text(const FrameRule& rule) {
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
                               fmt::format("signal {}", rule.offset)};
  const std::string places[] = {"", " @cfa" + saved, " @rbp" + saved, " lost"};
  const std::string rbx = rule.rbx == FrameRule::kRbxSame   ? ""
                          : rule.rbx == FrameRule::kRbxLost ? " rbx lost"
                                                            : fmt::format(" rbx@{}", rule.rbx);
  return bases[static_cast<std::size_t>(rule.base)] + places[static_cast<std::size_t>(rule.saved)] +
         rbx;
}

// "1000 rsp+8, 1001 rsp+16 @cfa-16, 1010 -"; what the header promises of a table is checked.
std::string text(const FrameTable& table) {
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

std::string table_of(ElfFile::Bytes file) {
  const auto elf = ElfFile::from_bytes(std::move(file));
  if (!elf.ok()) return elf.error().text;
  const auto table = frame_table(*elf);
  return table.ok() ? text(*table) : table.error().text;
}

std::string table_of(const Bytes& section) { return table_of(elf_file(section)); }

// Of one function of 16 bytes.
std::string table_of_function(const Bytes& instructions, const Bytes& body = kPlain) {
  Bytes all = common(body);
  return table_of(all.put(function(all.size(), 0, 16, instructions)));
}

TEST(CallFrames, FollowEveryInstruction) {
  const struct {
    const char* what;
    Bytes instructions;
    const char* wanted;
  } table[] = {
      {"nop", {0, 0}, "1000 rsp+8, 1010 -"},
      {"push, mov, pop",
       {0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x48, 0x0c, 7, 8},
       "1000 rsp+8, 1001 rsp+16 @cfa-16, 1004 rbp+16 @cfa-16, 100c rsp+8 @cfa-16, 1010 -"},
      {"set_loc", Bytes{1}.put(kCodeAddress + 5).put(Bytes{0x0e, 24}),
       "1000 rsp+8, 1005 rsp+24, 1010 -"},
      {"advance_loc1", {2, 9, 0x0e, 24}, "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"advance_loc2", {3, 9, 0, 0x0e, 24}, "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"advance_loc4", {4, 9, 0, 0, 0, 0x0e, 24}, "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"MIPS_advance_loc8",
       {0x1d, 9, 0, 0, 0, 0, 0, 0, 0, 0x0e, 24},
       "1000 rsp+8, 1009 rsp+24, 1010 -"},
      {"by nothing", {0x40, 0x0e, 24}, "1000 rsp+24, 1010 -"},
      {"beyond the end", {0x50, 0x0e, 24}, "1000 rsp+8, 1010 -"},
      {"to what is the same", {0x44, 0x0e, 8, 0x44, 0x0e, 16}, "1000 rsp+8, 1008 rsp+16, 1010 -"},
      {"def_cfa", {0x0c, 6, 32}, "1000 rbp+32, 1010 -"},
      {"def_cfa of another", {0x0c, 10, 0}, "1000 r10+0, 1010 -"},
      {"def_cfa of rip", {0x0c, 16, 0}, "1000 unsupported, 1010 -"},
      {"def_cfa of none", {0x0c, 0x87, 2, 0}, "1000 unsupported, 1010 -"},
      {"def_cfa_sf", {0x12, 6, 0x7d}, "1000 rbp+24, 1010 -"},
      {"def_cfa_register", {0x0d, 3}, "1000 r3+8, 1010 -"},
      {"def_cfa_offset", {0x0e, 0x80, 0x20}, "1000 rsp+4096, 1010 -"},
      {"def_cfa_offset_sf", {0x13, 0x02}, "1000 rsp-16, 1010 -"},
      {"def_cfa_expression of rsp", {0x0f, 2, 0x77, 16}, "1000 rsp+16, 1010 -"},
      {"of r10 in two bytes", {0x0f, 3, 0x92, 10, 16}, "1000 r10+16, 1010 -"},
      {"of memory at rbp", {0x0f, 3, 0x76, 0x78, 6}, "1000 *(rbp-8), 1010 -"},
      {"of memory at rsp", {0x0f, 4, 0x77, 0xa0, 1, 6}, "1000 *(rsp+160), 1010 -"},
      {"and 8", {0x0f, 6, 0x77, 0xa0, 1, 6, 0x23, 8}, "1000 *(rsp+160)+8, 1010 -"},
      {"and 256", {0x0f, 6, 0x77, 8, 6, 0x23, 0x80, 2}, "1000 unsupported, 1010 -"},
      {"of memory at rax", {0x0f, 3, 0x70, 8, 6}, "1000 unsupported, 1010 -"},
      {"of a .plt",
       {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22},
       "1000 plt 11, 1010 -"},
      {"of almost a .plt",
       {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x1c},
       "1000 unsupported, 1010 -"},
      {"of anything else", {0x0f, 2, 0x31, 0x22}, "1000 unsupported, 1010 -"},
      {"then def_cfa", {0x0f, 0, 0x44, 0x0c, 7, 8}, "1000 unsupported, 1004 rsp+8, 1010 -"},
      {"offset_extended", {5, 6, 3}, "1000 rsp+8 @cfa-24, 1010 -"},
      {"offset_extended_sf", {0x11, 6, 0x7f}, "1000 rsp+8 @cfa+8, 1010 -"},
      {"GNU_negative_offset_extended", {0x2f, 6, 2}, "1000 rsp+8 @cfa+16, 1010 -"},
      {"of another register", {0x8d, 2, 5, 12, 3}, "1000 rsp+8, 1010 -"},
      {"restore", {0x86, 2, 0x44, 0xc6}, "1000 rsp+8 @cfa-16, 1004 rsp+8, 1010 -"},
      {"restore_extended", {0x86, 2, 0x44, 6, 6}, "1000 rsp+8 @cfa-16, 1004 rsp+8, 1010 -"},
      {"restore of rip", {7, 16, 0x44, 0xd0}, "1000 outermost, 1004 rsp+8, 1010 -"},
      {"remember_state, restore_state",
       {0x0e, 16, 0x86, 2, 0x0a, 0x44, 0x0e, 8, 0xc6, 0x44, 0x0b},
       "1000 rsp+16 @cfa-16, 1004 rsp+8, 1008 rsp+16 @cfa-16, 1010 -"},
      {"restore_state of nothing", {0x44, 0x0b, 0x44}, "1000 rsp+8, 1004 unsupported, 1010 -"},
      {"undefined rip", {7, 16}, "1000 outermost, 1010 -"},
      {"undefined rbp", {7, 6}, "1000 rsp+8 lost, 1010 -"},
      {"same_value of rbp", {7, 6, 0x44, 8, 6}, "1000 rsp+8 lost, 1004 rsp+8, 1010 -"},
      {"same_value of rip", {8, 16}, "1000 unsupported, 1010 -"},
      {"register", {9, 6, 3}, "1000 rsp+8 lost, 1010 -"},
      {"rbx", {0x0e, 16, 0x83, 3}, "1000 rsp+16 rbx@3, 1010 -"},
      {"and rbp", {0x86, 2, 0x44, 0x83, 3}, "1000 rsp+8 @cfa-16, 1004 rsp+8 @cfa-16 rbx@3, 1010 -"},
      {"rbx as it was", {0x83, 3, 0x44, 0xc3}, "1000 rsp+8 rbx@3, 1004 rsp+8, 1010 -"},
      {"rbx far away",
       {0x83, 0xfe, 1, 0x44, 0x83, 0xff, 1},
       "1000 rsp+8 rbx@254, 1004 rsp+8 rbx lost, 1010 -"},
      {"rbx above the CFA", {0x11, 3, 0x7f}, "1000 rsp+8 rbx lost, 1010 -"},
      {"undefined rbx", {7, 3}, "1000 rsp+8 rbx lost, 1010 -"},
      {"rbx at rbp", {0x10, 3, 2, 0x76, 0x70}, "1000 rsp+8 rbx lost, 1010 -"},
      {"rip elsewhere", {0x90, 2}, "1000 unsupported, 1010 -"},
      {"rsp that was saved", {0x87, 2}, "1000 unsupported, 1010 -"},
      {"val_offset of rsp", {0x14, 7, 0}, "1000 rsp+8, 1010 -"},
      {"another val_offset of rsp", {0x14, 7, 1}, "1000 unsupported, 1010 -"},
      {"val_offset_sf", {0x15, 6, 1}, "1000 rsp+8 lost, 1010 -"},
      {"val_expression", {0x16, 6, 2, 0x76, 0}, "1000 rsp+8 lost, 1010 -"},
      {"expression at rbp", {0x10, 6, 2, 0x76, 0x70}, "1000 rsp+8 @rbp-16, 1010 -"},
      {"expression at rsp", {0x10, 6, 2, 0x77, 0}, "1000 rsp+8 lost, 1010 -"},
      {"expression of more", {0x10, 6, 3, 0x76, 0, 6}, "1000 rsp+8 lost, 1010 -"},
      {"GNU_args_size", {0x2e, 0x81, 1, 0x0e, 16}, "1000 rsp+16, 1010 -"},
  };
  for (const auto& each : table) {
    EXPECT_EQ(table_of_function(each.instructions), each.wanted) << each.what;
  }
}

TEST(CallFrames, AreUnsupportedFromTheirDamageOn) {
  const Bytes damaged[] = {
      {0x17},                       // no instruction
      {0x2d},                       // one of another processor
      {0x0e},                       // without its operand
      {0x0e, 0x80},                 // with half of it
      {0x0c, 7},                    //
      {0x0f, 5, 0x77, 8},           // an expression that is cut off
      {0x10, 6, 1},                 //
      {3, 1},                       // a short step
      {1, 0, 0, 0, 0, 0, 0, 0, 0},  // backwards
      {0x0e, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0},  // too long
  };
  for (const Bytes& each : damaged) {
    EXPECT_EQ(table_of_function(Bytes{0x44, 0x0e, 16, 0x44}.put(each)),
              "1000 rsp+8, 1004 rsp+16, 1008 unsupported, 1010 -");
  }
}

TEST(CallFrames, WithNumbersThatDoNotFitAreNotFollowed) {
  // CFA = rsp + 2^23 - 1 and one more, and as much less.
  EXPECT_EQ(table_of_function({0x0e, 0xff, 0xff, 0xff, 3}), "1000 rsp+8388607, 1010 -");
  EXPECT_EQ(table_of_function({0x0e, 0x80, 0x80, 0x80, 4}), "1000 unsupported, 1010 -");
  EXPECT_EQ(table_of_function({0x0f, 5, 0x77, 0x81, 0x80, 0x80, 0x7c}), "1000 rsp-8388607, 1010 -");
  EXPECT_EQ(table_of_function({0x0f, 5, 0x77, 0x80, 0x80, 0x80, 0x7c}), "1000 unsupported, 1010 -");
  // rbp at CFA - 2^15 and 8 more.
  EXPECT_EQ(table_of_function({0x86, 0x80, 0x20}), "1000 rsp+8 @cfa-32768, 1010 -");
  EXPECT_EQ(table_of_function({0x86, 0x81, 0x20}), "1000 rsp+8 lost, 1010 -");
}

TEST(CallFrames, RememberOnlySoMuch) {
  Bytes deep;
  for (int i = 0; i < 64; ++i) deep.put(Bytes{0x0a});
  EXPECT_EQ(table_of_function(deep), "1000 rsp+8, 1010 -");
  EXPECT_EQ(table_of_function(deep.put(Bytes{0x0a})), "1000 unsupported, 1010 -");
}

TEST(CallFrames, HaveFactors) {
  // 4 and -16.
  const Bytes body = {1, 'z', 'R', 0, 4, 0x70, 16, 1, 0, 0x0c, 7, 8, 0x11, 16, 0x7f};
  EXPECT_EQ(table_of_function({0x42, 0x0e, 16, 0x86, 1}, body), "1000 unsupported, 1010 -");
  // 4 and -1: CFA - 8 is the eighth.
  const Bytes other = {1, 'z', 'R', 0, 4, 0x7f, 16, 1, 0, 0x0c, 7, 8, 0x90, 8};
  EXPECT_EQ(table_of_function({0x42, 0x0e, 16, 0x86, 16}, other),
            "1000 rsp+8, 1008 rsp+16 @cfa-16, 1010 -");
}

TEST(CallFrames, AreOfSignalHandlersWhereAUcontextIsOnTheStack) {
  const Bytes body = {1, 'z', 'R', 'S', 0, 1, 0x78, 16, 1, 0};
  const auto place = [](int number, int offset) {
    return Bytes{0x10, number, 3, 0x77, (offset & 0x7f) | 0x80, offset >> 7};
  };
  const Bytes cfa = {0x0f, 4, 0x77, 0xa0, 1, 6};
  const Bytes no_rbx = Bytes(cfa).put(place(6, 120)).put(place(16, 168));
  EXPECT_EQ(table_of_function(Bytes(no_rbx).put(place(3, 128)).put(place(7, 160)), body),
            "1000 signal 168, 1010 -");
  EXPECT_EQ(table_of_function(Bytes(no_rbx).put(place(3, 128)), body), "1000 signal 168, 1010 -");
  EXPECT_EQ(table_of_function(no_rbx, body), "1000 signal 168 rbx lost, 1010 -");
  EXPECT_EQ(table_of_function(Bytes(cfa).put(place(6, 128)).put(place(16, 168)), body),
            "1000 unsupported, 1010 -");
  EXPECT_EQ(table_of_function(Bytes(cfa).put(place(6, 120)).put(place(16, 176)), body),
            "1000 unsupported, 1010 -");
  EXPECT_EQ(table_of_function({0x0c, 7, 8, 0x90, 1}, body), "1000 unsupported, 1010 -");
  // As .debug_frame has it, where functions have no data.
  Bytes code = kSixteenBytes;
  code.put(no_rbx).put(place(3, 128));
  EXPECT_EQ(
      table_of(elf_file(entry(~0U, {1, 'S', 0, 1, 0x78, 16}).put(entry(0, code)), ".debug_frame")),
      "1000 signal 168, 1010 -");
}

TEST(CallFrames, HaveAugmentations) {
  const Bytes rest = {0x0c, 7, 8, 0x90, 1};
  const Bytes bodies[] = {
      {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0},
      {3, 'z', 'R', 0, 1, 0x78, 0x90, 0, 1, 0},   // the register as a number of any size
      {4, 'z', 'R', 0, 8, 0, 1, 0x78, 16, 1, 0},  // the sizes of addresses and segments
      {1, 'z', 'P', 'L', 'R', 0, 1, 0x78, 16, 7, 0x9b, 1, 2, 3, 4, 0x1b, 0},
      {1, 'z', 'L', 'P', 'R', 'B', 0, 1, 0x78, 16, 11, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0},
      {1, 'z', 0, 1, 0x78, 16, 3, 1, 2, 3},  // what nobody speaks of is passed over
  };
  for (Bytes body : bodies) EXPECT_EQ(table_of_function({}, body.put(rest)), "1000 rsp+8, 1010 -");
  const Bytes unreadable[] = {
      {2, 'z', 'R', 0, 1, 0x78, 16, 1, 0},             // a version that there was not
      {1, 'z', 'X', 'R', 0, 1, 0x78, 16, 2, 0, 0},     // a letter that there is not
      {1, 'R', 0, 1, 0x78, 16},                        // no data for the letters
      {1, 'X', 0, 1, 0x78, 16},                        //
      {4, 'z', 'R', 0, 4, 0, 1, 0x78, 16, 1, 0},       // addresses of four bytes
      {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0xff},          // no addresses
      {1, 'z', 'R', 0, 1, 0x78, 16, 0},                // not all that the letters announce
      {1, 'z', 'P', 'R', 0, 1, 0x78, 16, 2, 0x55, 0},  // an encoding that there is not
  };
  for (Bytes body : unreadable) EXPECT_EQ(table_of_function({}, body.put(rest)), "");
  // The data of a function are no instructions.
  Bytes all = common();
  const Bytes code = Bytes(kSixteenBytes).put(Bytes{2, 0x0e, 16, 0x44, 0x0e, 24});
  EXPECT_EQ(table_of(all.put(entry(all.size() + 4, code))), "1000 rsp+8, 1004 rsp+24, 1010 -");
  // Another return address, and instructions that go on.
  EXPECT_EQ(table_of_function({}, Bytes{1, 'z', 'R', 0, 1, 0x78, 8, 1, 0}.put(rest)),
            "1000 unsupported, 1010 -");
  EXPECT_EQ(table_of_function({}, Bytes(kPlain).put(Bytes{0x41})), "1000 unsupported, 1010 -");
}

TEST(CallFrames, OfOldCompilersHaveNoDataOfFunctions) {
  for (const Bytes& body :
       {Bytes{1, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1},
        Bytes{1, 'e', 'h', 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1}}) {
    Bytes all = common(body);
    const std::uint32_t back = all.size() + 4;
    const Bytes code = Bytes(kSixteenBytes).put(Bytes{0x44, 0x0e, 16});
    EXPECT_EQ(table_of(all.put(entry(back, code))), "1000 rsp+8, 1004 rsp+16, 1010 -");
  }
}

TEST(CallFrames, HaveAddressesInManyEncodings) {
  // Where the address of the function is: after a CIE of 22 bytes, a length and a distance.
  const std::uint64_t here = kFramesAddress + 22 + 8;
  const auto distance = kCodeAddress - here;
  const struct {
    int encoding;
    Bytes address_and_size;
    bool is_known;
  } table[] = {
      {0x00, kSixteenBytes, true},
      {0x04, kSixteenBytes, true},
      {0x0c, kSixteenBytes, true},
      {0x03, Bytes().put(static_cast<std::uint32_t>(kCodeAddress)).put(16U), true},
      {0x0b, Bytes().put(static_cast<std::uint32_t>(kCodeAddress)).put(16U), true},
      {0x01, {0x80, 0xa0, 0x80, 2, 16}, true},
      {0x09, {0x80, 0xa0, 0x80, 2, 16}, true},
      {0x1b, Bytes().put(static_cast<std::uint32_t>(distance)).put(16U), true},
      {0x1c, Bytes().put(distance).put(std::uint64_t{16}), true},
      {0x02, {0, 0x10, 16, 0}, false},  // in two bytes it is no code
      {0x1a, {0, 0x10, 16, 0}, false},
      {0x05, kSixteenBytes, false},
      {0x20, kSixteenBytes, false},  // from the text
      {0x30, kSixteenBytes, false},  // from data that there is not
      {0x40, kSixteenBytes, false},  // from the function
      {0x50, kSixteenBytes, false},  // aligned
      {0x80, kSixteenBytes, false},  // where it is to be found
      {0x9b, Bytes().put(static_cast<std::uint32_t>(distance)).put(16U), false},
  };
  for (const auto& each : table) {
    Bytes body = kPlain;
    body.all[8] = static_cast<std::uint8_t>(each.encoding);
    Bytes all = common(body);
    ASSERT_EQ(all.size(), 22U);
    Bytes code = each.address_and_size;
    all.put(entry(all.size() + 4, code.put(Bytes{0})));
    EXPECT_EQ(table_of(all), each.is_known ? "1000 rsp+8, 1010 -" : "") << each.encoding;
  }
}

TEST(CallFrames, OfSomeFunctionsCountFromTheData) {
  Bytes body = kPlain;
  body.all[8] = 0x3b;
  Bytes code;
  code.put(0x20U).put(16U).put(Bytes{0});
  Bytes all = common(body);
  all.put(entry(all.size() + 4, code));
  // .got at 0x401000: renaming the section of names does.
  ElfFile::Bytes file = elf_file(all);
  EXPECT_EQ(table_of(file), "");
  const std::string names("\0.got\0\0\0", 8);
  std::copy(names.begin(), names.end(),
            file.begin() + static_cast<std::ptrdiff_t>(kFramesOffset + all.size()));
  Elf64_Shdr got{};
  const std::size_t at = file.size() - 2 * sizeof got;
  std::memcpy(&got, file.data() + at, sizeof got);
  got.sh_addr = kCodeAddress;
  std::memcpy(file.data() + at, &got, sizeof got);
  EXPECT_EQ(table_of(file), "1020 rsp+8, 1030 -");
}

TEST(CallFrames, AreInTheOrderOfTheFile) {
  Bytes all = common();
  all.put(function(all.size(), 0x40, 16));
  const std::uint32_t second = all.size();
  all.put(common({1, 'z', 'R', 0, 1, 0x78, 16, 1, 0, 0x0c, 7, 24, 0x90, 1}));
  all.put(function(all.size() - second, 0x10, 16));
  all.put(function(all.size(), 0x20, 16));
  all.put(function(all.size(), 0x30, 0));
  EXPECT_EQ(table_of(all), "1010 rsp+24, 1020 rsp+8, 1030 -, 1040 rsp+8, 1050 -");
}

TEST(CallFrames, OfFunctionsThatOverlapAreThoseOfTheFirst) {
  Bytes all = common();
  all.put(function(all.size(), 0x10, 0x10, {0x0e, 32, 0x44, 0x0e, 40, 0x48, 0x0e, 48}));
  all.put(function(all.size(), 0, 0x18));
  all.put(function(all.size(), 0, 0x10, {0x0e, 16}));
  all.put(function(all.size(), 0x08, 0x8));
  EXPECT_EQ(table_of(all), "1000 rsp+8, 1018 rsp+40, 101c rsp+48, 1020 -");
}

TEST(CallFrames, OutsideOfTheCodeAreLeftOut) {
  const std::uint64_t addresses[] = {
      0, 0xfff, 0x1000, kFramesAddress - kCodeAddress, 0 - kCodeAddress, ~std::uint64_t{0}};
  for (const std::uint64_t at : addresses) {
    Bytes all = common();
    all.put(function(all.size(), at, 0x10));
    EXPECT_EQ(table_of(all), at == 0       ? "1000 rsp+8, 1010 -"
                             : at == 0xfff ? "1fff rsp+8, 2000 -"
                                           : "")
        << at;
  }
  Bytes all = common();
  all.put(function(all.size(), 0x10, ~std::uint64_t{0}));
  EXPECT_EQ(table_of(all), "1010 rsp+8, 2000 -");
}

void load_code_from(ElfFile::Bytes& file, std::uint64_t offset) {
  std::memcpy(file.data() + sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_offset), &offset,
              sizeof offset);
}

// What removed functions leave in .debug_frame is at 0, where no code is.
TEST(CallFrames, AtTheHeaderOfTheFileAreLeftOut) {
  Bytes all = common();
  all.put(function(all.size(), 0, 0x20));
  ElfFile::Bytes file = elf_file(all.put(function(all.size(), 0x10, 0x20)));
  load_code_from(file, 0);
  EXPECT_EQ(table_of(file), "10 rsp+8, 30 -");
}

TEST(CallFrames, BeyondFourGibibytesOfTheFileAreLeftOut) {
  Bytes all = common();
  ElfFile::Bytes file = elf_file(all.put(function(all.size(), 0x10, 0x20)));
  const struct {
    std::uint64_t offset;
    const char* wanted;
  } table[] = {
      {0, "10 rsp+8, 30 -"},
      {0xffffff00, "ffffff10 rsp+8, ffffff30 -"},
      {0xffffffe0, "fffffff0 rsp+8, ffffffff -"},
      {0xfffffff0, ""},
      {0x100000000, ""},
      {~std::uint64_t{0}, ""},
  };
  for (const auto& each : table) {
    load_code_from(file, each.offset);
    EXPECT_EQ(table_of(file), each.wanted) << each.offset;
  }
}

TEST(CallFrames, GoOnAfterAnEndInTheMiddle) {
  Bytes all = common();
  all.put(function(all.size(), 0, 16)).put(0U).put(0U);
  all.put(function(all.size(), 32, 16)).put(0U);
  EXPECT_EQ(table_of(all), "1000 rsp+8, 1010 -, 1020 rsp+8, 1030 -");
}

TEST(CallFrames, MayHaveLongLengths) {
  const Bytes code = Bytes(kSixteenBytes).put(Bytes{0});
  Bytes all = long_entry(0U, kPlain);
  all.put(long_entry(all.size() + 12, code));
  EXPECT_EQ(table_of(all), "1000 rsp+8, 1010 -");
}

TEST(CallFrames, WithoutTheirCieAreLeftOut) {
  Bytes all = common();
  const std::uint32_t first = all.size();
  all.put(function(all.size() - 1, 0, 16));      // within one
  all.put(function(all.size() - first, 0, 16));  // that is a function
  all.put(function(0x1000, 0, 16));              // before the section
  all.put(function(0U - 0x1000, 0, 16));         // beyond it
  all.put(Bytes{3, 0, 0, 0, 1, 2, 3});           // too short to tell
  all.put(function(all.size(), 0x20, 16)).put(common());
  EXPECT_EQ(table_of(all), "1020 rsp+8, 1030 -");
}

TEST(CallFrames, EndWithAnEntryOfAWrongLength) {
  for (const std::uint32_t length : {1000U, 0x80000000U, 0xfffffff0U, 0xfffffffeU, 0xffffffffU}) {
    Bytes all = common();
    all.put(function(all.size(), 0, 16)).put(length);
    all.put(function(all.size(), 0x20, 16));
    EXPECT_EQ(table_of(all), "1000 rsp+8, 1010 -") << length;
  }
}

// In .debug_frame the id of a CIE is -1, and the other counts from the section's begin.
TEST(CallFrames, ComeFromDebugFrameWithoutTheOther) {
  const Bytes body = {4, 0, 8, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1};
  const Bytes code = Bytes(kSixteenBytes).put(Bytes{0x44, 0x0e, 16});
  Bytes all = entry(~0U, body);
  const std::string wanted = "1000 rsp+8, 1004 rsp+16, 1010 -";
  EXPECT_EQ(table_of(elf_file(Bytes(all).put(entry(0, code)), ".debug_frame")), wanted);
  // Before its CIE.
  const Bytes first = entry(28 + 3, code);
  ASSERT_EQ(first.size(), 27U);
  EXPECT_EQ(table_of(elf_file(Bytes(first).put(Bytes{0, 0, 0, 0}).put(all), ".debug_frame")),
            wanted);
  // With long lengths.
  EXPECT_EQ(
      table_of(elf_file(long_entry(~std::uint64_t{0}, body).put(long_entry(std::uint64_t{0}, code)),
                        ".debug_frame")),
      wanted);
}

// Everything but what is loaded may be gone; the section is then found by its search table.
TEST(CallFrames, AreFoundWithoutSections) {
  Bytes all = {1, 0x1b, 3, 0x3b};
  all.put(8).put(0);  // from here, after the number of the functions
  const std::uint32_t begin = all.size();
  all.put(common());
  all.put(function(all.size() - begin, 0, 16)).put(0U);
  all.put(function(all.size() - begin, 0x20, 16));  // what comes after the end is no more of it
  ElfFile::Bytes file = elf_file(all);
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
  // Instead of the section headers: of programs, with one more.
  Elf64_Phdr programs[3]{};
  std::memcpy(programs, file.data() + header.e_phoff, 2 * sizeof programs[0]);
  programs[2].p_type = PT_GNU_EH_FRAME;
  programs[2].p_vaddr = kFramesAddress;
  header.e_phoff = file.size();
  header.e_phnum = 3;
  std::memcpy(file.data(), &header, sizeof header);
  const auto* const from = reinterpret_cast<const std::uint8_t*>(programs);
  file.insert(file.end(), from, from + sizeof programs);
  EXPECT_EQ(table_of(file), "1000 rsp+8, 1010 -");
  file[kFramesOffset] = 2;
  EXPECT_EQ(table_of(file), "");
}

TEST(CallFrames, AreNoneInAFileWithoutThem) {
  EXPECT_EQ(table_of(elf_file({}, ".eh_frame")), "");
  EXPECT_EQ(table_of(elf_file({0, 0, 0, 0}, ".eh_frame")), "");
  ElfFile::Bytes file = elf_file(common());
  file[offsetof(Elf64_Ehdr, e_machine)] = EM_386;
  EXPECT_EQ(table_of(file), "ELF: not a program for x86-64");
}

Bytes several_functions() {
  Bytes all = common();
  all.put(function(all.size(), 0, 16, {0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x0a, 0x44, 0x0b}));
  const std::uint32_t second = all.size();
  all.put(common(
      {1, 'z', 'P', 'L', 'R', 0, 1, 0x78, 16, 7, 0x9b, 1, 2, 3, 4, 0x1b, 0, 0x0c, 7, 8, 0x90, 1}));
  all.put(function(all.size() - second, 0x20, 16, {0x10, 6, 2, 0x76, 0, 0x0f, 3, 0x76, 0x78, 6}));
  all.put(function(all.size(), 0x10, 0x40, {2, 4, 0x0e, 24, 3, 4, 0, 0x12, 6, 0x7d}));
  return all;
}

TEST(CallFrames, ThatAreCutOffAnywhereAreReadAsFarAsTheyGo) {
  const Bytes all = several_functions();
  for (std::uint32_t size = 0; size < all.size(); ++size) {
    Bytes part = all;
    part.all.resize(size);
    table_of(part);
  }
}

TEST(CallFrames, OfAnyBytesMakeATableThatKeepsItsPromises) {
  std::mt19937 random(1);
  const Bytes all = several_functions();
  for (int i = 0; i < 20'000; ++i) {
    Bytes changed = all;
    for (unsigned left = 1 + random() % 4; left > 0; --left) {
      changed.all[random() % changed.size()] = static_cast<std::uint8_t>(random());
    }
    table_of(changed);
  }
}

}  // namespace
}  // namespace dt::symbol
