#pragma once
// The functions whose value follows from their arguments: Where::kAnywhere of functions.def,
// without those that print.

#include <string>
#include <string_view>
#include <vector>

#include "stap/home/variables.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

// What tokenize() remembers between two calls.
struct Tokens {
  std::string text;
  std::size_t at = 0;
};

// False where the function is another's; `error` is not empty if it fails.
bool compute(Fn fn, const std::vector<Value>& arguments, Tokens& tokens, Value& out,
             std::string& error);
// "SIGHUP" for 1.
std::string name_of_signal(std::int64_t number);
// With escapes for what cannot be printed.
std::string printable_text(std::string_view text, bool is_quoted, std::size_t most);
std::string errno_name(std::int64_t number);

}  // namespace dt::stap
