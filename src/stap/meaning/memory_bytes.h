#pragma once
// Bytes of memory: printf("%8m"), user_buffer_quoted(), texts of wide characters. They are recorded
// as numbers of up to 8 bytes, and put together at home.

#include <cstdint>
#include <vector>

#include "stap/meaning/access.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

constexpr std::int64_t kMostBytes = 512;
constexpr std::int64_t kByteWord = 8;

struct BytePiece {
  std::int64_t offset = 0;
  std::uint32_t size = 0;
};
struct BytePieces {
  std::vector<BytePiece> list;
  // They begin at the word of the first byte. A word is never on two pages, so that reading all of
  // it does not read a page that has none of the bytes that are meant.
  bool is_aligned = false;
};

// Where the number of bytes is a literal, these alone.
BytePieces pieces_of(const AccessBytes& of);

// The address of %m and %M becomes a call of the function that reads the memory there: the bytes
// are as many as the precision says, of a program with #.
void read_memory_of_format(Expr& call);

}  // namespace dt::stap
