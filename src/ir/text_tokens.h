#pragma once
// Tokens of the IR's text form: words, numbers, strings and single characters.
// A ';' starts a comment that ends with the line.

#include <cstdint>
#include <string>
#include <string_view>

namespace dt::ir {

class TextTokens {
 public:
  explicit TextTokens(std::string_view text);

  bool at_end() const { return kind_ == Kind::kEnd; }
  std::uint32_t line() const { return line_; }  // of the current token
  std::string_view shown() const;               // the current token, for messages
  // The current token when it is a word, otherwise "".
  std::string_view word() const { return kind_ == Kind::kWord ? token_ : std::string_view(); }
  bool is(char c) const { return kind_ == Kind::kChar && token_[0] == c; }
  // True when the current token is a number, which is then in `out`.
  bool number(std::int64_t& out) const;
  void advance();

  // Each takes the current token when it is what is asked for.
  bool take(char c);
  bool take_word(std::string_view word);
  bool take_string(std::string& out);

 private:
  enum class Kind : std::uint8_t { kEnd, kWord, kNumber, kString, kChar, kBad };

  void skip_blanks();
  void read_string();

  std::string_view text_;
  std::size_t at_ = 0;  // behind the current token
  std::uint32_t next_line_ = 1;
  std::uint32_t line_ = 1;
  Kind kind_ = Kind::kEnd;
  std::string_view token_;
  std::int64_t number_ = 0;
  std::string string_;
};

}  // namespace dt::ir
