// How a method of Ruby is read: its line by the index of its places, its name and file, and what is
// done when some of that cannot be read or is not what it should be.

#include "bpf/ruby.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bpf/source_reader_test.h"

namespace dt::bpf {
namespace {

using namespace symbol::ruby;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kFrame = 0x10000, kLocals = 0x20000, kCode = 0x30000, kBody = 0x40000,
                        kLabel = 0x50000, kPath = 0x60000, kLines = 0x70000, kIndex = 0x80000,
                        kInstructions = 0x90000, kText = 0xa0000;
constexpr std::uint64_t kMethod = 0x11110001, kMethodInC = 0x55550081;
constexpr std::uint64_t kUnreadable = symbol::kSourceTag;

// A string that is in its object, or elsewhere.
Bytes string(std::string_view text) {
  Bytes bytes(kTextBytes);
  put(bytes, 0, std::uint64_t{kString} | text.size() << kTextShift);
  std::copy(text.begin(), text.end(), bytes.begin() + kTextHere);
  return bytes;
}
Bytes string_elsewhere(std::size_t size) {
  Bytes bytes(kTextBytes);
  put(bytes, 0, std::uint64_t{kString | kUserFlag});
  put(bytes, kTextLength, std::uint64_t{size});
  put(bytes, kTextPlace, kText);
  return bytes;
}

// The lines of places: an entry begins where it is not that of the place before.
struct Places {
  std::vector<std::uint32_t> lines;
  std::vector<bool> begins;
};

Bytes index_of(const Places& places) {
  const std::size_t count = places.begins.size();
  const std::size_t blocks = count > kIndexFirst ? (count - kIndexFirst + 511) / 512 : 0;
  Bytes bytes(kIndexBlocks + blocks * kIndexBlockBytes);
  std::uint64_t rank = 0, words[6] = {};
  for (std::size_t at = 0; at < std::min<std::size_t>(count, kIndexFirst); ++at) {
    rank += places.begins[at] ? 1 : 0;
    words[at / kIndexInWord] |= rank << at % kIndexInWord * kIndexBits;
  }
  std::memcpy(bytes.data(), words, sizeof words);
  for (std::size_t block = 0; block < blocks; ++block) {
    std::uint8_t* const to = bytes.data() + kIndexBlocks + block * kIndexBlockBytes;
    const auto first = static_cast<std::uint32_t>(rank);
    std::uint64_t ranks = 0;
    std::memcpy(to, &first, sizeof first);
    for (std::size_t word = 0; word < 8; ++word) {
      std::uint64_t bits = 0;
      if (word > 0) ranks |= (rank - first) << (word - 1) * kIndexRankBits;
      for (std::size_t bit = 0; bit < 64; ++bit) {
        const std::size_t at = kIndexFirst + block * 512 + word * 64 + bit;
        if (at < count && places.begins[at]) {
          bits |= std::uint64_t{1} << bit;
          ++rank;
        }
      }
      std::memcpy(to + kIndexWords + word * 8, &bits, sizeof bits);
    }
    std::memcpy(to + kIndexRanks, &ranks, sizeof ranks);
  }
  return bytes;
}

// A process that is in a method; `place` is that of the instruction that comes next.
ForeignMemory process(const Places& places, std::uint64_t place) {
  ForeignMemory memory;
  Bytes frame(kFrameBytes), locals(8), code(kCodeBytes), body(kBodyBytes), lines;
  put(frame, kFrameInstruction, kInstructions + 8 * place);
  put(frame, kFrameCode, kCode);
  put(frame, kFrameLocals, kLocals);
  put(locals, 0, kMethod | kFlagFinish);
  put(code, 0, std::uint64_t{kCodeKind | 0x10100});
  put(code, kCodeBody, kBody);
  put(body, kBodySize, static_cast<std::uint32_t>(places.begins.size()));
  put(body, kBodyInstructions, kInstructions);
  put(body, kBodyPath, kPath);
  put(body, kBodyLabel, kLabel);
  put(body, kBodyLines, kLines);
  put(body, kBodyLineIndex, kIndex);
  std::uint32_t entries = 0;
  for (std::size_t at = 0; at < places.begins.size(); ++at) {
    if (!places.begins[at]) continue;
    lines.resize(lines.size() + kLineBytes);
    put(lines, static_cast<std::int32_t>(entries++) * kLineBytes, places.lines[at]);
  }
  put(body, kBodyLineCount, entries);
  memory[kFrame] = frame;
  memory[kLocals] = locals;
  memory[kCode] = code;
  memory[kBody] = body;
  memory[kLabel] = string("block in f");
  memory[kPath] = string("/tmp/a.rb");
  memory[kLines] = lines;
  memory[kIndex] = index_of(places);
  return memory;
}

class Reader : public SourceReader {
 public:
  Reader() : SourceReader(Routine::Kind::kRubyFrame, {{kRubyFrameAt, kFrame}}) {}
};

const Places kTwoLines = {{7, 7, 8, 8}, {true, false, true, false}};

TEST(Ruby, ReadsLineNameAndFileOfAFrame) {
  Reader reader;
  const auto first = reader.read(process(kTwoLines, 2));  // behind the instruction at 1
  EXPECT_EQ(first.line(), 7U);
  EXPECT_EQ(reader.name(first.word), (symbol::SourceName{"block in f", "/tmp/a.rb"}));
  EXPECT_EQ(first.is_entry, static_cast<std::uint64_t>(kFlagFinish));
  EXPECT_EQ(reader.read(process(kTwoLines, 3)).line(), 8U);
  EXPECT_EQ(reader.read(process(kTwoLines, 0)).line(), 7U);  // it has not begun
  EXPECT_EQ(reader.read(process(kTwoLines, 5)).word, kUnreadable);
  EXPECT_EQ(reader.read(process({{12}, {true}}, 1)).line(), 12U);  // needs no index
  EXPECT_EQ(reader.read(process({{0}, {false}}, 1)).line(), 0U);   // has no lines
}

TEST(Ruby, FindsTheLineOfEveryPlace) {
  std::mt19937 random(1);
  Reader reader;
  for (int round = 0; round < 30; ++round) {
    Places places;
    const unsigned size = 2 + static_cast<unsigned>(random()) % (round % 3 == 0 ? 60 : 2500);
    const unsigned often = 1 + static_cast<unsigned>(random()) % 6;
    std::uint32_t line = 1;
    for (unsigned at = 0; at < size; ++at) {
      places.begins.push_back(at == 0 || random() % often == 0);
      if (places.begins.back()) line = 1 + static_cast<std::uint32_t>(random()) % 4'000'000;
      places.lines.push_back(line);
    }
    ForeignMemory memory = process(places, 0);
    for (std::size_t at = 0; at < size; at += 1 + random() % (1 + size / 50)) {
      put(memory[kFrame], kFrameInstruction, kInstructions + 8 * (at + 1));
      ASSERT_EQ(reader.read(memory).line(), places.lines[at]) << "round " << round << ", " << at;
    }
  }
}

TEST(Ruby, ReadsAnyBytesAsAnIndex) {
  std::mt19937 random(2);
  Reader reader;
  Places places = {{}, std::vector<bool>(3000, true)};
  for (std::uint32_t at = 0; at < 3000; ++at) places.lines.push_back(at + 1);
  ForeignMemory memory = process(places, 0);
  for (int round = 0; round < 300; ++round) {
    for (std::uint8_t& byte : memory[kIndex]) byte = static_cast<std::uint8_t>(random());
    put(memory[kFrame], kFrameInstruction, kInstructions + 8 * (random() % 3001));
    const auto read = reader.read(memory);
    EXPECT_EQ(reader.name(read.word).function, "block in f");
    EXPECT_LE(read.line(), 3000U);
  }
}

TEST(Ruby, FramesInCAreNone) {
  Reader reader;
  ForeignMemory memory = process(kTwoLines, 2);
  put(memory[kLocals], 0, kMethodInC);
  EXPECT_EQ(reader.read(memory).word, 0U);
  EXPECT_EQ(reader.read(memory).is_entry, 0U);
  put(memory[kLocals], 0, kMethod);
  EXPECT_NE(reader.read(memory).word, 0U);
  put(memory[kFrame], kFrameInstruction, std::uint64_t{0});
  EXPECT_EQ(reader.read(memory).word, 0U);
}

TEST(Ruby, WhatIsNotResidentOrNotItsKindHasNoName) {
  Reader reader;
  const ForeignMemory whole = process(kTwoLines, 2);
  for (const std::uint64_t address : {kFrame, kLocals, kCode, kBody, kLabel, kPath}) {
    ForeignMemory part = whole;
    part.erase(address);
    EXPECT_EQ(reader.read(part).word, kUnreadable) << address;
  }
  for (const std::uint64_t address : {kCode, kLabel, kPath}) {
    ForeignMemory part = whole;
    put(part[address], 0, std::uint64_t{0x1b});
    EXPECT_EQ(reader.read(part).word, kUnreadable) << address;
  }
  for (const std::uint64_t address : {kLines, kIndex}) {
    ForeignMemory part = whole;
    part.erase(address);
    const auto read = reader.read(part);
    EXPECT_EQ(read.line(), 0U);
    EXPECT_EQ(reader.name(read.word).function, "block in f");
  }
}

TEST(Ruby, TextsAreUtf8AndCutToTheirRoom) {
  Reader reader;
  ForeignMemory memory = process(kTwoLines, 2);
  memory[kLabel] = string(
      "donn\xc3\xa9"
      "es");
  memory[kPath] = Bytes(kTextBytes);  // the path, and the whole path
  put(memory[kPath], 0, std::uint64_t{kArray | kUserFlag});
  put(memory[kPath], kTextHere, kText + 0x1000);
  memory[kText + 0x1000] = string("a.rb");
  EXPECT_EQ(reader.name(reader.read(memory).word), (symbol::SourceName{"données", "a.rb"}));
  memory[kLabel] = string_elsewhere(112);
  memory[kText] = Bytes(112, 'f');
  EXPECT_EQ(reader.name(reader.read(memory).word).function, std::string(112, 'f'));
  memory[kLabel] = string_elsewhere(113);
  memory[kText] = Bytes(113, 'f');
  EXPECT_EQ(reader.name(reader.read(memory).word).function, std::string(112, 'f') + "...");
  put(memory[kPath], 0, std::uint64_t{kArray});  // of which nobody knows where it is
  EXPECT_EQ(reader.read(memory).word, kUnreadable);
}

}  // namespace
}  // namespace dt::bpf
