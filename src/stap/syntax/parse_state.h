#pragma once
// What the parts of the parser share: the position, and the errors.
//
// An error ends the declaration that it is in, as what follows is mostly about its consequences;
// parsing goes on at the next word that begins a declaration.

#include <cstddef>
#include <string>
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
  // The same about a token that was taken before.
  bool error_at(std::string_view text, const Token& at);
  bool failed() const { return failed_; }
  // Goes on behind an error.
  void recover();
  // The text of the probe point that the token belongs to, as it is written.
  std::string_view point_at(const Token& token) const { return messages_.point_at(token.span); }
  // What the token that was taken last may be in D.
  std::string hint_of_last() const;
  // Embedded C is for guru mode and for the library; otherwise an error.
  bool allows_embedded(const Token& at, std::string_view what = "embedded code");

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
