#pragma once
// Tokens to a tree.

#include <optional>
#include <vector>

#include "stap/syntax/messages.h"
#include "stap/syntax/token.h"
#include "stap/syntax/tree.h"

namespace dt::stap {

// Adds what the tokens say to `script`; false after errors, which are reported.
// `is_privileged`: embedded C may stand there.
bool parse(const std::vector<Token>& tokens, Messages& messages, Script& script,
           bool is_privileged);

}  // namespace dt::stap
