// Where instructions begin, whatever symbols say: by call frame information, beside it, and
// where that information is wrong.

#include "symbol/code/map.h"

#include <gtest/gtest.h>

#include <string>

#include "symbol/frames/call_frames_test.h"

namespace dt::symbol {
namespace {

// push %rbp; mov %rsp,%rbp; nop; pop %rbp; ret; nop
constexpr std::uint8_t kCode[8] = {0x55, 0x48, 0x89, 0xe5, 0x90, 0x5d, 0xc3, 0x90};

// A file with that code again and again, but for the byte at `other`, and `frames` in .eh_frame.
ElfFile::Bytes file_with(const Bytes& frames, std::size_t other = kCodeBytes) {
  ElfFile::Bytes bytes = elf_file(frames);
  for (std::size_t at = 0; at < kCodeBytes; ++at) {
    bytes[kCodeOffset + at] = at == other ? 0x06 : kCode[at % 8];  // 0x06 is no instruction
  }
  // The first section, which is none, becomes .text.
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  Elf64_Shdr text{};
  text.sh_type = SHT_PROGBITS;
  text.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  text.sh_addr = kCodeAddress;
  text.sh_offset = kCodeOffset;
  text.sh_size = kCodeBytes;
  std::memcpy(bytes.data() + header.e_shoff, &text, sizeof text);
  return bytes;
}

// Those of the code's first bytes with which instructions begin: "0 1 4 5 6 7".
std::string starts(ElfFile::Bytes bytes, std::uint64_t from, std::uint64_t to) {
  const auto elf = ElfFile::from_bytes(std::move(bytes));
  if (!elf.ok()) return elf.error().text;
  CodeMap map(*elf);
  std::string text;
  for (std::uint64_t at = from; at < to; ++at) {
    if (!map.begins(kCodeAddress + at)) continue;
    text += (text.empty() ? "" : " ") + std::to_string(at);
  }
  return text;
}

Bytes frames_of(std::initializer_list<CodeRange> functions) {
  Bytes all = common();
  for (const CodeRange& one : functions) {
    all.put(function(all.size(), one.begin, one.end - one.begin));
  }
  return all;
}

TEST(CodeMap, CountsWhatIsDescribedFromItsBeginning) {
  EXPECT_EQ(starts(file_with(frames_of({{0, 16}})), 0, 16), "0 1 4 5 6 7 8 9 12 13 14 15");
  // In the midst of an instruction something else begins: it is none.
  EXPECT_EQ(starts(file_with(frames_of({{0, 8}, {10, 16}})), 0, 16),
            "0 1 4 5 6 7 8 10 12 13 14 15");
}

TEST(CodeMap, WithoutCallFrameInformationCountsFromTheBeginningOfTheSection) {
  EXPECT_EQ(starts(file_with({}), 0, 8), "0 1 4 5 6 7");
}

TEST(CodeMap, WhatIsNotDescribedMustBeReached) {
  ElfFile::Bytes bytes = file_with(frames_of({{0, 16}}));
  // What is described goes on in it, up to a return.
  EXPECT_EQ(starts(bytes, 16, 200), "16 17 20 21 22");
  bytes[kCodeOffset + 15] = 0xc3;
  EXPECT_EQ(starts(bytes, 16, 200), "");
  // call 32 from what is described, and there jmp 48; the program begins at 64.
  const Bytes call = {0xe8, 27, 0, 0, 0}, jump = {0xeb, 10};
  std::copy(call.all.begin(), call.all.end(), bytes.begin() + kCodeOffset);
  std::copy(jump.all.begin(), jump.all.end(), bytes.begin() + kCodeOffset + 36);
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.e_entry = kCodeAddress + 64;
  std::memcpy(bytes.data(), &header, sizeof header);
  EXPECT_EQ(starts(bytes, 16, 200), "32 33 36 48 49 52 53 54 64 65 68 69 70");
  // Nor does it go on behind what is no instruction.
  bytes[kCodeOffset + 53] = 0x06;
  EXPECT_EQ(starts(bytes, 16, 64), "32 33 36 48 49 52");
}

TEST(CodeMap, BehindWhatIsNoInstructionOnlyTheRestGoesOn) {
  EXPECT_EQ(starts(file_with(frames_of({{0, 16}}), 4), 0, 16), "0 1");
  EXPECT_EQ(starts(file_with({}, 4), 0, 8), "0 1 5 6 7");
  EXPECT_EQ(starts(file_with(frames_of({{0, 16}, {16, 24}}), 4), 8, 24), "16 17 20 21 22 23");
}

TEST(CodeMap, DescriptionsOfOnePlaceMustAgree) {
  // The second begins in the midst of an instruction, which the first knows.
  EXPECT_EQ(starts(file_with(frames_of({{0, 16}, {2, 16}})), 0, 8), "0 1 4 5 6 7");
  // The third has not described all that the others have.
  EXPECT_EQ(starts(file_with(frames_of({{0, 24}, {3, 5}, {8, 16}})), 0, 8), "0 1 5 6 7");
  EXPECT_EQ(starts(file_with(frames_of({{0, 8}, {0, 9}, {0, 10}, {0, 11}, {0, 12}})), 0, 16),
            "8 12 13 14");
}

TEST(CodeMap, WhatIsNoCodeHasNoInstructions) {
  const Bytes frames = frames_of({{0, 16}});
  EXPECT_EQ(starts(file_with(frames), kCodeBytes, kCodeBytes + 64), "");
  EXPECT_EQ(
      starts(file_with(frames), kFramesAddress - kCodeAddress, kFramesAddress - kCodeAddress + 64),
      "");
  ElfFile::Bytes bytes = file_with(frames);
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  // Of a section that is not code, though what is loaded may be executed.
  bytes[header.e_shoff + offsetof(Elf64_Shdr, sh_flags)] = SHF_ALLOC;
  EXPECT_EQ(starts(bytes, 0, 16), "");
  // Without sections, nor a header of the table.
  header.e_shoff = 0;
  header.e_shnum = header.e_shstrndx = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  EXPECT_EQ(starts(bytes, 0, 8), "0 1 4 5 6 7");
}

TEST(CodeMap, AHostileFileIsNotReadAgainAndAgain) {
  Bytes all = common();
  for (std::uint64_t i = 0; i < kCodeBytes; i += 8)
    all.put(function(all.size(), i, kCodeBytes - i));
  const std::string text = starts(file_with(all), 0, kCodeBytes);
  EXPECT_TRUE(text.starts_with("0 1 4 5 6 7 8 9 12 ")) << text;
  EXPECT_LT(text.size(), 1000U);
}

}  // namespace
}  // namespace dt::symbol
