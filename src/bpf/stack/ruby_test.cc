// How a method of Ruby is read: its line by the index of its places, its name and file, and what is
// done when some of that cannot be read or is not what it should be.

#include "bpf/stack/ruby.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bpf/stack/source_reader_test.h"

namespace dt::bpf {
namespace {

using namespace symbol::ruby;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kFrame = 0x10000, kLocals = 0x20000, kCode = 0x30000, kBody = 0x40000,
                        kLabel = 0x50000, kPath = 0x60000, kLines = 0x70000, kIndex = 0x80000,
                        kInstructions = 0x90000, kText = 0xa0000, kNames = 0xb0000,
                        kMethodAt = 0xc0000, kDefinition = 0xd0000, kPart = 0xe0000,
                        kStackEnd = kFrame + 8 * kFrameBytes;
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
  Bytes frame(kFrameBytes), locals(kLocalsBytes), code(kCodeBytes), body(kBodyBytes), lines;
  put(frame, kFrameInstruction, kInstructions + 8 * place);
  put(frame, kFrameCode, kCode);
  put(frame, kFrameLocals, kLocals - static_cast<std::uint64_t>(kLocalsMethod));
  put(locals, -kLocalsMethod, kMethod | kFlagFinish);
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
  Reader()
      : SourceReader(Routine::Kind::kRubyFrame, {{kRubyFrameAt, kFrame},
                                                 {kRubyEnd, kStackEnd},
                                                 {kRubyNames, kNames},
                                                 {kRubyCalls, 1}}) {}
};

const Places kTwoLines = {{7, 7, 8, 8}, {true, false, true, false}};

TEST(Ruby, ReadsLineNameAndFileOfAFrame) {
  Reader reader;
  const auto first = reader.read(process(kTwoLines, 2));  // behind the instruction at 1
  EXPECT_EQ(first.line(), 7U);
  EXPECT_EQ(reader.name(first.word), (symbol::SourceName{"block in f", "/tmp/a.rb"}));
  EXPECT_EQ(first.status, kRubyEnter);
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

TEST(Ruby, FramesThatRubyDoesNotShowAreNone) {
  Reader reader;
  ForeignMemory memory = process(kTwoLines, 2);
  put(memory[kLocals], -kLocalsMethod, kMethodInC);
  EXPECT_EQ(reader.read(memory).status, kRubySkip);
  put(memory[kLocals], -kLocalsMethod, kMethod);
  EXPECT_EQ(reader.read(memory).status, kRubyEnter);
  put(memory[kFrame], kFrameInstruction, std::uint64_t{0});
  EXPECT_EQ(reader.read(memory).status, kRubySkip);
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

TEST(Ruby, TheLabelOfAProgramNeedNotBeResident) {
  Reader reader;
  ForeignMemory memory = process(kTwoLines, 2);
  put(memory[kBody], 0, std::uint32_t{kBodyIsMain});
  memory.erase(kLabel);
  EXPECT_EQ(reader.name(reader.read(memory).word), (symbol::SourceName{"<main>", "/tmp/a.rb"}));
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
  put(memory[kPath], 0, std::uint64_t{kArray});  // its address is not known
  EXPECT_EQ(reader.read(memory).word, kUnreadable);
}

// A method in C, that a method of Ruby has called by way of another one in C.
ForeignMemory process_in_c(std::uint64_t id, const std::string& method) {
  ForeignMemory memory = process(kTwoLines, 2);
  constexpr std::uint64_t kInC = kLocals + 0x1000;
  Bytes all = memory[kFrame], in_c(kFrameBytes), locals(kLocalsBytes);
  put(in_c, kFrameLocals, kInC - static_cast<std::uint64_t>(kLocalsMethod));
  put(locals, 0, kMethodAt);
  put(locals, -kLocalsMethod, kMethodInC);
  all.insert(all.begin(), in_c.begin(), in_c.end());
  all.insert(all.begin(), in_c.begin(), in_c.end());
  memory[kFrame] = all;
  memory[kInC] = locals;
  Bytes entry(kMethodBytes), definition(kDefinitionName + 8), names(8), outer(kArrayBytes);
  put(entry, 0, std::uint64_t{kMethodKind | 0x10000});
  put(entry, kMethodDefinition, kDefinition);
  put(definition, kDefinitionName, id);
  put(names, 0, kNames + 0x100);
  put(outer, 0, std::uint64_t{kArray | kUserFlag} | 2 << kArrayShift);  // two, in the array itself
  put(outer, kArrayHere, kPart);
  put(outer, kArrayHere + 8, kPart);
  const std::uint64_t number = id <= kLastOperator ? id : id >> kNameShift;
  Bytes part(kArrayBytes), elements(2 << (kNamesShift + 3));
  put(part, 0, std::uint64_t{kArray});
  put(part, kArrayLength, std::uint64_t{2 << kNamesShift});
  put(part, kArrayPlace, kPart + 0x1000);
  put(elements, static_cast<std::int32_t>(number % 512) * 16, kText + 0x2000);
  memory[kMethodAt] = entry;
  memory[kDefinition] = definition;
  memory[kNames] = names;
  memory[kNames + 0x100] = outer;
  memory[kPart] = part;
  memory[kPart + 0x1000] = elements;
  memory[kText + 0x2000] = string(method);
  return memory;
}

TEST(Ruby, FramesInCHaveTheLineOfTheirCaller) {
  Reader reader;
  const auto each = reader.read(process_in_c(700 << kNameShift | 8, "each"));
  EXPECT_EQ(reader.name(each.word), (symbol::SourceName{"each", "/tmp/a.rb"}));
  EXPECT_EQ(each.line(), 7U);
  const auto plus = reader.read(process_in_c('+', "+"));
  EXPECT_EQ(reader.name(plus.word).function, "+");
  // Of an array of arrays that has no such number, or with another kind of method.
  EXPECT_EQ(reader.read(process_in_c(2000 << kNameShift, "f")).word, kUnreadable);
  ForeignMemory memory = process_in_c('+', "+");
  put(memory[kMethodAt], 0, std::uint64_t{kCodeKind});
  EXPECT_EQ(reader.read(memory).word, kUnreadable);
  put(memory[kMethodAt], 0, std::uint64_t{kVariablesKind});
  put(memory[kMethodAt], kVariablesMethod, kMethodAt + 0x100);
  Bytes entry(kMethodBytes);
  put(entry, 0, std::uint64_t{kMethodKind});
  put(entry, kMethodDefinition, kDefinition);
  memory[kMethodAt + 0x100] = entry;
  EXPECT_EQ(reader.name(reader.read(memory).word).function, "+");
}

// Calls of rb_vm_exec() that run `marks` frames with a mark, and have `tags`; one that has ended
// is below them when it `has_left`.
ForeignMemory calls(std::size_t marks, std::size_t tags, std::uint64_t place, bool has_left) {
  constexpr std::uint64_t kTags = 0xf0000, kLabel1 = 0x5000;
  ForeignMemory memory = process(kTwoLines, place);
  Bytes frame = memory[kFrame], all(kFrameBytes), tag(kTagBytes);
  if (has_left) all = frame;
  for (std::size_t i = 0; i < marks; ++i) all.insert(all.end(), frame.begin(), frame.end());
  all.resize(all.size() + 8 * kFrameBytes);
  memory.erase(kFrame);
  memory[kFrame - kFrameBytes] = all;
  for (std::size_t i = 0; i < 2 * tags; ++i) {  // between them those of C
    put(tag, kTagLabel, i % 2 == 0 ? kLabel1 : std::uint64_t{0x9999});
    put(tag, kTagPrevious, i + 1 < 2 * tags ? kTags + (i + 1) * 0x100 : std::uint64_t{0});
    memory[kTags + i * 0x100] = tag;
  }
  return memory;
}

class Balance : public SourceReader {
 public:
  explicit Balance(std::uint64_t at)
      : SourceReader(Routine::Kind::kRubyBalance, {{kRubyFrameAt, kFrame},
                                                   {kRubyEnd, kStackEnd},
                                                   {kRubyTag, 0xf0000},
                                                   {kRubyRun, 0x5000},
                                                   {kRubyRunEnd, 0x5100},
                                                   {kPythonAt, at}}) {}
};

TEST(Ruby, CallsThatHaveNotBegunOrHaveEndedAreToldByTheirTags) {
  Balance inner(8), outer(16);
  EXPECT_EQ(inner.read(calls(2, 2, 2, false)).status, 1);
  EXPECT_EQ(outer.read(calls(3, 2, 0, false)).status, 2);  // it has not begun
  EXPECT_EQ(outer.read(calls(2, 2, 0, false)).status, 1);  // it is at its first instruction
  EXPECT_EQ(inner.read(calls(2, 3, 2, true)).status, 0);   // it has ended
  EXPECT_EQ(inner.read(calls(3, 3, 2, true)).status, 1);   // that was another one
  EXPECT_EQ(outer.read(calls(2, 3, 2, true)).status, 1);   // something else has been called
  EXPECT_LT(outer.read(calls(5, 2, 0, false)).status, 0);
  ForeignMemory memory = calls(3, 2, 0, false);
  memory.erase(0xf0100);
  EXPECT_LT(outer.read(memory).status, 0);
}

}  // namespace
}  // namespace dt::bpf
