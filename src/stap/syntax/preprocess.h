#pragma once
// What happens to tokens before they are parsed: macros (@define name(a) %( ... %), used as
// @name(x)) and conditions (%( condition %? tokens %: tokens %)).

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stap/syntax/messages.h"
#include "stap/syntax/token.h"

namespace dt::stap {

struct Macro {
  bool has_parentheses = false;
  std::vector<std::string> parameters;
  std::vector<Token> body;
};

// What a condition compares: the value of kernel_v, arch, guru_mode, runtime, CONFIG_...; nullopt
// where there is no such word.
using ConditionValue = std::function<std::optional<std::string>(std::string_view word)>;

// By their names, with the @.
using Macros = std::map<std::string, Macro>;

// The tokens that remain, with kBroken ones where something is wrong; the last one is kEnd. Macros
// of the file come before those of `library`.
std::vector<Token> preprocess(std::vector<Token> tokens, const ConditionValue& value_of,
                              const Macros& library, Messages& messages);

// Adds what a file of macros (.stpm) defines, which has nothing else. False after an error, which
// is reported.
bool read_macros(const std::vector<Token>& tokens, const ConditionValue& value_of, Macros& library,
                 Messages& messages);

}  // namespace dt::stap
