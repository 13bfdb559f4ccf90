#include "stap/meaning/memory_bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "stap/meaning/points.h"
#include "stap/syntax/format.h"

namespace dt::stap {
namespace {

std::string sizes_of(ExprKind kind, std::int64_t count) {
  Expr number;
  number.kind = kind;
  number.number = count;
  const BytePieces pieces = pieces_of({&number, 0, false});
  std::string out = pieces.is_aligned ? "aligned" : "";
  std::int64_t at = 0;
  for (const BytePiece& one : pieces.list) {
    EXPECT_EQ(one.offset, at);
    at += one.size;
    if (!pieces.is_aligned) out += std::to_string(one.size) + " ";
  }
  return out + "=" + std::to_string(at);
}

TEST(MemoryBytes, ALiteralNumberOfBytesIsReadExactly) {
  EXPECT_EQ(sizes_of(ExprKind::kNumber, 0), "=0");
  EXPECT_EQ(sizes_of(ExprKind::kNumber, 1), "1 =1");
  EXPECT_EQ(sizes_of(ExprKind::kNumber, 8), "8 =8");
  EXPECT_EQ(sizes_of(ExprKind::kNumber, 15), "8 4 2 1 =15");
}

// A word more than the most bytes: they may begin within the first one.
TEST(MemoryBytes, AnotherNumberIsOfWholeWords) {
  EXPECT_EQ(sizes_of(ExprKind::kName, 0), "aligned=520");
  EXPECT_EQ(pieces_of({nullptr, 2, true}).list.size(), 65U);
}

std::string memory(std::string_view format, std::string_view bytes) {
  std::string wrong, out;
  for (const FormatPiece& piece : parse_format(format, wrong)) append_memory(out, piece, bytes);
  return wrong + out;
}

TEST(MemoryBytes, AFormatShowsThemInItsWidth) {
  const std::string bytes("\0A\xff", 3);
  EXPECT_EQ(memory("%M", bytes), "0041ff");
  EXPECT_EQ(memory("%10.3M", bytes), "    0041ff");
  EXPECT_EQ(memory("%-8M", bytes), "0041ff  ");
  EXPECT_EQ(memory("%4m", bytes), " " + bytes);
}

TEST(MemoryBytes, AlternateCharactersAreEscaped) {
  std::string wrong, out;
  const FormatPiece piece = parse_format("%#c", wrong).at(0);
  for (const int one : {10, 9, 65, 0, 0x7f, 0xe9}) append_number(out, piece, one);
  EXPECT_EQ(out, "\\n\\tA\\000\\177\\351");
}

TEST(MemoryBytes, PatternsForTheFirstWordMeanFamilies) {
  EXPECT_EQ(families_of("sys*"), (std::vector<std::string>{"syscall", "syscall_any"}));
  EXPECT_EQ(families_of("syscall"), std::vector<std::string>{});
}

}  // namespace
}  // namespace dt::stap
