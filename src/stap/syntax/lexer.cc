// See lexer.h.

#include "stap/syntax/lexer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "stap/syntax/foreign_points.h"

namespace dt::stap {
namespace {

constexpr std::string_view kKeywords[] = {"probe", "global",  "function", "if",       "else",
                                          "for",   "foreach", "while",    "in",       "limit",
                                          "next",  "return",  "break",    "continue", "delete",
                                          "try",   "catch",   "private",  "long",     "string"};

// The longest ones first.
constexpr std::string_view kOperators[] = {">>>=", "<<<", ">>>", "<<=", ">>=", "->", "++", "--",
                                           "+=",   "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=",
                                           ".=",   "==",  "!=",  "<=",  ">=",  "&&", "||", "<<",
                                           ">>",   "=~",  "!~",  "%(",  "%)",  "%?", "%:"};

// What a message calls a text that is no token.
constexpr std::string_view kJunk = "junk ''";

constexpr int kOctal = 8, kDecimal = 10, kHexadecimal = 16;

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool goes_on(char c) { return begins_word(c) || is_digit(c); }

int digit_of(char c) {
  if (is_digit(c)) return c - '0';
  const int lower = std::tolower(static_cast<unsigned char>(c));
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + kDecimal : kHexadecimal;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t source, Arguments& arguments)
      : text_(text), source_(source), arguments_(arguments) {}

  std::vector<Token> run() {
    if (!is_argument_) begin_text();
    while (!failed_ && skip_blanks() && at_ < text_.size()) {
      begin_ = at_;
      one();
    }
    if (failed_ && is_argument_) {
      return {};
    }
    begin_ = at_ = text_.size();
    add(TokenKind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  Span span() const {
    return {source_, static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(at_)};
  }
  void add(TokenKind kind, std::string text, std::int64_t number = 0) {
    tokens_.push_back({kind, std::move(text), number, span()});
  }
  // The parser says it when it has come to here; what follows is not read.
  bool error(std::string_view what, std::string shown, std::string_view hint = {}) {
    failed_ = true;
    tokens_.push_back(
        {TokenKind::kBroken, std::string(what), 0, span(), std::move(shown), std::string(hint)});
    return false;
  }
  std::string first_character() const {
    return fmt::format("operator '{}'", text_.substr(begin_, 1));
  }

  // Behind a byte order mark. What is no text at all has one message, and not that of its first
  // byte.
  void begin_text() {
    constexpr std::string_view kMark = "\xef\xbb\xbf", kElf = "\x7f\x45\x4c\x46";
    if (text_.starts_with(kMark)) at_ = kMark.size();
    if (text_.starts_with(kElf)) {
      error("this is an ELF file, not the text of a script", first_character());
    } else if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff")) {
      error("this seems to be UTF-16: save it as UTF-8", first_character());
    }
  }

  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_[at_] == '#' || text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        begin_ = at_;
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          return error("unterminated comment", first_character());
        }
        at_ = end + 2;
      } else {
        break;
      }
    }
    return true;
  }

  bool one() {
    const char c = peek();
    if (begins_word(c)) {
      word();
      return true;
    }
    if (is_digit(c)) return number();
    if (c == '"') return string();
    if (c == '$' || c == '@') return sigil();
    if (text_.substr(at_, 2) == "%{") return embedded();
    return operator_token();
  }

  void word() {
    while (goes_on(peek())) ++at_;
    // $x->member$
    const bool is_member = !tokens_.empty() && tokens_.back().is("->");
    for (int i = 0; i < 2 && is_member && peek() == '$'; ++i) ++at_;
    add(TokenKind::kIdentifier, std::string(text_.substr(begin_, at_ - begin_)));
  }

  // $name, $$name, $name$, $name$$, @name; $1, @1, $#, @#.
  bool sigil() {
    const char kind = text_[at_++];
    if (is_digit(peek()) || peek() == '#') return argument(kind == '@');
    const bool is_behind = !tokens_.empty() && (tokens_.back().is("]") || tokens_.back().is(")"));
    if (kind == '$' && peek() == '$') ++at_;
    if (kind == '$' && is_behind && !begins_word(peek())) {  // $x[1]$
      add(TokenKind::kOperator, std::string(text_.substr(begin_, at_ - begin_)));
      return true;
    }
    if (!begins_word(peek())) {
      if (kind == '$') return error("unexpected character", first_character());
      add(TokenKind::kOperator, "@");
      tokens_.back().hint =
          "aggregations are of D: here, s[key] <<< value collects values in a global variable s";
      return true;
    }
    while (goes_on(peek())) ++at_;
    for (int i = 0; i < 2 && kind == '$' && peek() == '$'; ++i) ++at_;
    add(TokenKind::kIdentifier, std::string(text_.substr(begin_, at_ - begin_)));
    return true;
  }

  bool argument(bool is_string) {
    std::string value;
    if (peek() == '#') {
      ++at_;
      value = std::to_string(arguments_.words.size());
    } else {
      std::size_t which = 0;
      constexpr std::size_t kMost = 100000;
      while (is_digit(peek()) && which < kMost) {
        which = which * kDecimal + static_cast<std::size_t>(text_[at_++] - '0');
      }
      if (which == 0 || which > arguments_.words.size()) {
        // Only what is used must be there: %( $# > 0 %? $1 %: 5 %).
        add(TokenKind::kBroken,
            fmt::format("command line argument out of range [1-{}]", arguments_.words.size()));
        tokens_.back().shown = kJunk;
        return true;
      }
      arguments_.used.insert(which);
      value = arguments_.words[which - 1];
    }
    if (is_string) {
      add_string(value);
      return true;
    }
    return splice(value);
  }

  // The tokens of an argument, all at the place where it is named.
  bool splice(const std::string& value) {
    Arguments none;
    Lexer inner(value, source_, none);
    inner.is_argument_ = true;
    std::vector<Token> tokens = inner.run();
    if (tokens.empty()) return error("the argument cannot be read", std::string(kJunk));
    tokens.pop_back();
    for (Token& token : tokens) {
      token.span = span();
      tokens_.push_back(std::move(token));
    }
    return true;
  }

  bool number() {
    int base = kDecimal;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      base = kHexadecimal;
      at_ += 2;
    } else if (peek() == '0') {
      base = kOctal;
    }
    std::uint64_t value = 0;
    bool fits = true;
    const std::size_t first = at_;
    while (goes_on(peek())) {
      const int digit = digit_of(text_[at_]);
      if (digit >= base) {
        return number_error(hint_of_foreign(point_around(text_, begin_)));
      }
      fits = fits && !__builtin_mul_overflow(value, static_cast<std::uint64_t>(base), &value) &&
             !__builtin_add_overflow(value, static_cast<std::uint64_t>(digit), &value);
      ++at_;
    }
    if (at_ == first || !fits) return number_error({});
    add(TokenKind::kNumber, std::string(text_.substr(begin_, at_ - begin_)),
        static_cast<std::int64_t>(value));
    return true;
  }

  // Of the whole word: 0x, 08, 1a, more than 64 bits.
  bool number_error(std::string_view hint) {
    while (goes_on(peek())) ++at_;
    add(TokenKind::kBroken, std::string(kNoNumber));
    tokens_.back().shown = fmt::format("number '{}'", text_.substr(begin_, at_ - begin_));
    tokens_.back().hint = hint;
    failed_ = is_argument_;
    return !failed_;
  }

  bool string() {
    std::string value;
    ++at_;
    while (true) {
      if (at_ >= text_.size() || text_[at_] == '\n') {
        return error("Could not find matching closing quote", std::string(kJunk));
      }
      const char c = text_[at_++];
      if (c == '"') break;
      if (c == '\\' && at_ < text_.size() && text_[at_] == '\n') {
        ++at_;  // the text goes on in the next line
      } else if (c == '\\' && at_ < text_.size()) {
        escape(value);
      } else {
        value += c;
      }
    }
    add_string(value);
    return true;
  }

  // "a" "b" is "ab".
  void add_string(const std::string& value) {
    if (!tokens_.empty() && tokens_.back().kind == TokenKind::kString) {
      tokens_.back().text += value;
    } else {
      add(TokenKind::kString, value);
    }
  }

  void escape(std::string& value) {
    constexpr std::string_view kLetters = "abtnvfr", kMeaning = "\a\b\t\n\v\f\r";
    const char c = text_[at_++];
    if (const std::size_t found = kLetters.find(c); found != std::string_view::npos) {
      value += kMeaning[found];
      return;
    }
    const bool is_hex = c == 'x';
    if (!is_hex && (c < '0' || c > '7')) {
      value += c;
      return;
    }
    const int base = is_hex ? kHexadecimal : kOctal;
    if (!is_hex) --at_;
    int number = 0;
    for (int i = 0; i < (is_hex ? 2 : 3) && digit_of(peek()) < base; ++i) {
      number = number * base + digit_of(text_[at_++]);
    }
    value += static_cast<char>(number);
  }

  bool embedded() {
    const std::size_t end = text_.find("%}", at_);
    if (end == std::string_view::npos)
      return error("Could not find matching '%}' to close embedded function block",
                   std::string(kJunk));
    at_ = end + 2;
    add(TokenKind::kEmbedded, std::string(text_.substr(begin_ + 2, end - begin_ - 2)));
    return true;
  }

  bool operator_token() {
    for (const std::string_view op : kOperators) {
      if (text_.substr(at_, op.size()) == op) {
        at_ += op.size();
        add(TokenKind::kOperator, std::string(op));
        return true;
      }
    }
    const char c = text_[at_++];
    add(TokenKind::kOperator, std::string(1, c));
    if (c == '\'') tokens_.back().hint = "strings are in double quotes, \"a\"";
    return true;
  }

  std::string_view text_;
  std::uint32_t source_;
  Arguments& arguments_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0, begin_ = 0;
  bool is_argument_ = false;  // its places are not of the script
  bool failed_ = false;
};

}  // namespace

bool is_keyword(std::string_view name) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), name) != std::end(kKeywords);
}

bool is_at_operator(std::string_view name) {
  constexpr std::string_view kAll[] = {
      "@count",      "@sum",    "@min",      "@max",       "@avg",      "@variance",
      "@hist_log",   "@entry",  "@cast",     "@defined",   "@var",      "@hist_linear",
      "@perf",       "@errno",  "@const",    "@enum",      "@kderef",   "@choose_defined",
      "@probewrite", "@uderef", "@enumname", "@kregister", "@uregister"};
  return std::find(std::begin(kAll), std::end(kAll), name) != std::end(kAll);
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "end of input";
    case TokenKind::kIdentifier:
      if (is_keyword(token.text)) return "keyword";
      return fmt::format("{} '{}'", token.text[0] == '@' ? "operator" : "identifier", token.text);
    case TokenKind::kNumber:
      return fmt::format("number '{}'", token.text);
    case TokenKind::kString:
      return fmt::format("string '{}'", token.text);
    case TokenKind::kEmbedded:
      return "embedded-code";
    case TokenKind::kBroken:
      return token.shown;
    case TokenKind::kOperator:
      break;
  }
  return fmt::format("operator '{}'", token.text);
}

std::vector<Token> lex(const Sources& sources, std::uint32_t source, Arguments& arguments) {
  return Lexer(sources.at(source).text(), source, arguments).run();
}

}  // namespace dt::stap
