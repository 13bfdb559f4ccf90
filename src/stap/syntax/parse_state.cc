// See parse_state.h.

#include "stap/syntax/parse_state.h"

#include <fmt/core.h>

namespace dt::stap {

bool ParseState::expect(std::string_view text) {
  return accept(text) || error(fmt::format("expected '{}'", text), peek());
}

bool ParseState::error(std::string_view text, const Token& saw, std::string_view hint) {
  if (!failed_) {
    failed_ = true;
    messages_.parse_error(text, saw, hint);
  }
  return false;
}

bool ParseState::enter() {
  constexpr std::size_t kMostDepth = 500;
  if (depth_ >= kMostDepth) {
    return error("nested too deeply", peek());
  }
  ++depth_;
  return true;
}

bool ParseState::allows_embedded(const Token& at) {
  return is_privileged_ || error("embedded code in unprivileged script; need stap -g", at);
}

}  // namespace dt::stap
