// How a function of Python is read: its line from the table of its code object, its name and
// file, and what is done when some of that cannot be read or is not what it should be.

#include "bpf/stack/python.h"

#include <gtest/gtest.h>

#include <random>

#include "bpf/stack/source_reader_test.h"

namespace dt::bpf {
namespace {

using namespace symbol::python;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kFrame = 0x10000, kCode = 0x20000, kFunction = 0x30000, kFile = 0x40000,
                        kTable = 0x50000, kCodeType = 0x901, kTextType = 0x902, kBytesType = 0x903,
                        kCaller = 0x7777000;

// A str of ASCII, or of wider characters.
Bytes text(const Bytes& characters, std::uint32_t width, bool is_ascii) {
  constexpr std::uint32_t kCompact = 1 << 5, kAscii = 1 << 6;
  Bytes bytes(static_cast<std::size_t>(is_ascii ? kTextAscii : kTextWide));
  put(bytes, kObjectType, kTextType);
  put(bytes, kTextLength, std::uint64_t{characters.size() / width});
  put(bytes, kTextState, width << 2 | kCompact | (is_ascii ? kAscii : 0));
  bytes.insert(bytes.end(), characters.begin(), characters.end());
  return bytes;
}

Bytes ascii(const std::string& characters) {
  return text(Bytes(characters.begin(), characters.end()), 1, true);
}

// A process that is in a function, at a unit of its code.
ForeignMemory process(const Bytes& table, std::int64_t unit, std::uint32_t first_line) {
  ForeignMemory memory;
  Bytes frame(kFrameBytes), code(kCodeBytes), lines(kBytesData);
  put(frame, kFrameCode, kCode);
  put(frame, kFramePrevious, kCaller);
  put(frame, kFrameInstruction, kCode + kCodeInstructions + static_cast<std::uint64_t>(2 * unit));
  put(frame, kFrameIsEntry, std::uint8_t{1});
  put(code, kObjectType, kCodeType);
  put(code, kCodeFirstLine, first_line);
  put(code, kCodeFile, kFile);
  put(code, kCodeFunction, kFunction);
  put(code, kCodeLines, kTable);
  put(lines, kObjectType, kBytesType);
  put(lines, kBytesLength, std::uint64_t{table.size()});
  lines.insert(lines.end(), table.begin(), table.end());
  memory[kFrame] = frame;
  memory[kCode] = code;
  memory[kFunction] = ascii("Class.method");
  memory[kFile] = ascii("/tmp/a.py");
  memory[kTable] = lines;
  return memory;
}

class Reader : public SourceReader {
 public:
  Reader()
      : SourceReader(Routine::Kind::kPythonFrame, {{kPythonCurrent, kFrame},
                                                   {kPythonCodeType, kCodeType},
                                                   {kPythonTextType, kTextType},
                                                   {kPythonBytesType, kBytesType}}) {}
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

constexpr std::uint64_t kUnreadable = symbol::kSourceTag;

// One entry of a table, and a whole one; `columns` are bytes without meaning here.
std::uint8_t start(unsigned kind, unsigned units) {
  return static_cast<std::uint8_t>(0x80 | kind << 3 | (units - 1));
}
void put_number(Bytes& table, std::uint64_t value) {
  for (; value >= 64; value >>= 6) table.push_back(static_cast<std::uint8_t>(64 | (value & 63)));
  table.push_back(static_cast<std::uint8_t>(value));
}
std::uint64_t with_sign(std::int64_t value) {
  return value < 0 ? static_cast<std::uint64_t>(-value) << 1 | 1
                   : static_cast<std::uint64_t>(value) << 1;
}

TEST(Python, ReadsLineNameAndFileOfAFrame) {
  Reader reader;
  const Bytes table = {start(0, 2), 1, start(11, 1), 1, 2, start(10, 8), 3, 4};
  const auto first = reader.read(process(table, 1, 12));
  EXPECT_EQ(first.line(), 12U);
  EXPECT_EQ(reader.name(first.word), (symbol::SourceName{"Class.method", "/tmp/a.py"}));
  EXPECT_EQ(first.caller, kCaller);
  EXPECT_EQ(first.is_entry, 1U);
  EXPECT_TRUE(symbol::is_source_frame(first.word));
  const auto second = reader.read(process(table, 2, 12));
  EXPECT_EQ(second.line(), 13U);
  EXPECT_EQ(symbol::source_name(first.word), symbol::source_name(second.word));
  EXPECT_EQ(reader.read(process(table, 10, 12)).line(), 13U);
  EXPECT_EQ(reader.read(process(table, 11, 12)).line(), 0U);   // behind the table
  EXPECT_EQ(reader.read(process(table, -1, 12)).line(), 12U);  // has not begun
}

// Random tables, of more than one window, beside what they were made of.
TEST(Python, FindsTheLineOfEveryUnitOfEveryTable) {
  Random random(1);
  Reader reader;
  for (int round = 0; round < 30; ++round) {
    Bytes table;
    std::vector<std::uint32_t> lines;
    std::int64_t line = 1 + random() % 5000;
    const auto first_line = static_cast<std::uint32_t>(line);
    for (unsigned entries = 1 + random() % 60; entries > 0; --entries) {
      const unsigned kind = random() % 16, units = 1 + random() % 8;
      table.push_back(start(kind, units));
      if (kind >= 10 && kind <= 12) line += kind - 10;
      if (kind == 13 || kind == 14) {
        const std::int64_t to = 1 + random() % (random() % 8 == 0 ? 4'000'000 : 5000);
        put_number(table, with_sign(to - line));
        line = to;
      }
      const unsigned more = kind < 10 ? 1 : kind <= 12 ? 2 : kind == 14 ? 3 : 0;
      for (unsigned i = 0; i < more; ++i) put_number(table, random() % 64);
      lines.insert(lines.end(), units, kind == 15 ? 0 : static_cast<std::uint32_t>(line));
    }
    for (std::size_t unit = 0; unit < lines.size(); unit += 1 + random() % 5) {
      const auto read = reader.read(process(table, static_cast<std::int64_t>(unit), first_line));
      ASSERT_EQ(read.line(), lines[unit]) << "round " << round << ", unit " << unit;
    }
  }
}

TEST(Python, ReadsAnyBytesAsATable) {
  Random random(2);
  Reader reader;
  for (int round = 0; round < 300; ++round) {
    Bytes table(random() % 300);
    for (std::uint8_t& byte : table) byte = static_cast<std::uint8_t>(random());
    const auto read = reader.read(process(table, random() % 200, random()));
    EXPECT_EQ(reader.name(read.word).function, "Class.method");
  }
  // One that says that it is longer than the memory behind it.
  ForeignMemory memory = process({start(0, 1), 1}, 100, 5);
  put(memory[kTable], kBytesLength, ~std::uint64_t{0});
  EXPECT_EQ(reader.read(memory).line(), 0U);
}

TEST(Python, WhatIsNotResidentOrNotItsTypeHasNoName) {
  Reader reader;
  const ForeignMemory whole = process({start(0, 8), 1}, 0, 3);
  for (const std::uint64_t address : {kFrame, kCode, kFunction, kFile}) {
    ForeignMemory part = whole;
    part.erase(address);
    EXPECT_EQ(reader.read(part).word, kUnreadable) << address;
    part = whole;
    put(part[address], kObjectType, std::uint64_t{1});  // of another type
    if (address == kFrame) continue;
    EXPECT_EQ(reader.read(part).word, kUnreadable) << address;
  }
  ForeignMemory no_table = whole;
  no_table.erase(kTable);
  const auto read = reader.read(no_table);
  EXPECT_EQ(read.line(), 0U);
  EXPECT_EQ(reader.name(read.word).function, "Class.method");
  // The rest of the stack is read where only its code is not there.
  ForeignMemory no_code = whole;
  no_code.erase(kCode);
  EXPECT_EQ(reader.read(no_code).caller, kCaller);
}

TEST(Python, TextsAreOfAnyWidthAndCutToTheirRoom) {
  Reader reader;
  ForeignMemory memory = process({start(0, 8), 1}, 0, 3);
  memory[kFunction] = text({0xe9, 'a'}, 1, false);
  memory[kFile] = text({0x87, 0x65, 'b', 0}, 2, false);
  EXPECT_EQ(reader.name(reader.read(memory).word), (symbol::SourceName{"éa", "文b"}));
  memory[kFunction] = ascii(std::string(112, 'f'));
  memory[kFile] = ascii("x" + std::string(256, 'd'));
  EXPECT_EQ(reader.name(reader.read(memory).word),
            (symbol::SourceName{std::string(112, 'f'), "..." + std::string(256, 'd')}));
  memory[kFunction] = ascii(std::string(113, 'f'));
  EXPECT_EQ(reader.name(reader.read(memory).word).function, std::string(112, 'f') + "...");
  // Of no width that there is, or in a place of its own.
  put(memory[kFunction], kTextState, std::uint32_t{3 << 2 | 1 << 5});
  EXPECT_EQ(reader.read(memory).word, kUnreadable);
  put(memory[kFunction], kTextState, std::uint32_t{1 << 2});
  EXPECT_EQ(reader.read(memory).word, kUnreadable);
}

TEST(Python, NamesThatFindNoRoomAreCounted) {
  Reader reader;
  ForeignMemory memory = process({start(0, 8), 1}, 0, 3);
  for (std::uint32_t i = 0; i < Reader::kRoom + 2; ++i) {
    memory[kFunction] = ascii("f" + std::to_string(i));
    const auto read = reader.read(memory);
    EXPECT_EQ(read.word != kUnreadable, i < Reader::kRoom) << i;
    EXPECT_EQ(read.lost, i < Reader::kRoom ? 0U : 1U) << i;
  }
  memory[kFunction] = ascii("f0");  // which has a place
  EXPECT_EQ(reader.name(reader.read(memory).word).function, "f0");
}

}  // namespace
}  // namespace dt::bpf
