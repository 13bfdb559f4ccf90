#pragma once
// A program, cut at the statements that add to an aggregation: with the parts, a caller can write
// the program that adds under a condition, or with another key, without knowing the language.
//
//     pieces[0] { if (CONDITION) { uses[0].text } } pieces[1] ...
//
// What is needed of a language for this is that of D: blocks, if, && and comparisons.

#include <string>
#include <vector>

namespace dt::front {

struct Derivable {
  struct Use {
    std::string text;  // the whole statement
    // The statement with another key, which stands between these; empty: it can have none.
    std::string left, right;
    // Expressions; empty: the statement does more than to add, or it is no number and no text.
    std::vector<std::string> keys;
    std::string value;  // of a histogram
  };
  std::vector<std::string> pieces;  // one more than uses; none: the program cannot be cut so
  std::vector<Use> uses;
};

}  // namespace dt::front
