// Files with call frame information made by hand, well-formed and not: what is read of
// which of their entries. frame_program_test.cc has the instructions of a function,
// call_frames_elfutils_test.cc real programs.

#include "symbol/frames/call_frames.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "symbol/frames/call_frames_test.h"

namespace dt::symbol {
namespace {

TEST(CallFrames, HaveAugmentations) {
  const Bytes rest = {0x0c, 7, 8, 0x90, 1};
  const Bytes bodies[] = {
      {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0},
      {3, 'z', 'R', 0, 1, 0x78, 0x90, 0, 1, 0},   // the register as a number of any size
      {4, 'z', 'R', 0, 8, 0, 1, 0x78, 16, 1, 0},  // the sizes of addresses and segments
      {1, 'z', 'P', 'L', 'R', 0, 1, 0x78, 16, 7, 0x9b, 1, 2, 3, 4, 0x1b, 0},
      {1, 'z', 'L', 'P', 'R', 'B', 0, 1, 0x78, 16, 11, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0},
      {1, 'z', 0, 1, 0x78, 16, 3, 1, 2, 3},  // bytes without a meaning are skipped
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
