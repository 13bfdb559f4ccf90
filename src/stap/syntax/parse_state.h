#pragma once
// What the parts of the parser share: the position, and one error.
//
// The first error ends parsing: what follows one is mostly about its consequences.

#include <cstddef>
#include <string_view>
#include <vector>

#include "stap/syntax/messages.h"
#include "stap/syntax/token.h"

namespace dt::stap {

class ParseState {
 public:
  ParseState(const std::vector<Token>& tokens, Messages& messages, bool is_privileged)
      : tokens_(tokens), messages_(messages), is_privileged_(is_privileged) {}

  const Token& peek(std::size_t ahead = 0) const {
    const std::size_t at = at_ + ahead;
    return tokens_[at < tokens_.size() ? at : tokens_.size() - 1];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  // The last one that was taken.
  const Token& last() const { return tokens_[at_ == 0 ? 0 : at_ - 1]; }
  bool accept(std::string_view text) {
    if (failed_ || !peek().is(text)) return false;
    take();
    return true;
  }
  bool expect(std::string_view text);
  // Reports it once; false.
  bool error(std::string_view text, const Token& saw, std::string_view hint = {});
  bool failed() const { return failed_; }
  // The text of the probe point that the token belongs to, as it is written.
  std::string_view point_at(const Token& token) const { return messages_.point_at(token.span); }
  // Embedded C is for guru mode and for the library; otherwise an error.
  bool allows_embedded(const Token& at);

  // Nested too deeply: an error.
  bool enter();
  void leave() { --depth_; }

 private:
  const std::vector<Token>& tokens_;
  Messages& messages_;
  const bool is_privileged_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool failed_ = false;
};

}  // namespace dt::stap
