#pragma once
// Text to tokens. Comments are #..., //... and /*...*/; literals that stand beside each other
// are one; $1, @1, $# and @# stand for the arguments of the command line.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "stap/syntax/token.h"
#include "support/source.h"

namespace dt::stap {

// What $1, @1, ... stand for, and which were used.
struct Arguments {
  std::vector<std::string> words;
  std::set<std::size_t> used;
};

// The tokens of a source; the last one is kEnd. Behind one that is kBroken there may be no more.
std::vector<Token> lex(const Sources& sources, std::uint32_t source, Arguments& arguments);

}  // namespace dt::stap
