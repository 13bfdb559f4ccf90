// The lexer's states, blanks and comments, words and punctuation.
//
// Some characters have a meaning that depends on where they stand: outside of clauses,
// "syscall::read:entry" is one word, within a clause `:` is the operator of ?:; `/` begins a
// predicate after a probe description, and divides within an expression. So the lexer has states,
// and the parser does not have to guess.

#include "d/syntax/lexer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "d/syntax/parse_context.h"

namespace dt::d {
namespace {

struct Punctuation {
  std::string_view text;
  Tok kind;
};

// Longest first, so that the first match is the right one: "maximal munch" of C (C11 6.4p4).
constexpr auto kPunctuation = std::to_array<Punctuation>({
    {"<<=", Tok::kShlAssign}, {">>=", Tok::kShrAssign}, {"...", Tok::kEllipsis},
    {"->", Tok::kArrow},      {"++", Tok::kInc},        {"--", Tok::kDec},
    {"<<", Tok::kShl},        {">>", Tok::kShr},        {"&&", Tok::kAndAnd},
    {"||", Tok::kOrOr},       {"^^", Tok::kXorXor},     {"==", Tok::kEqEq},
    {"!=", Tok::kNotEq},      {"<=", Tok::kLessEq},     {">=", Tok::kGreaterEq},
    {"+=", Tok::kAddAssign},  {"-=", Tok::kSubAssign},  {"*=", Tok::kMulAssign},
    {"/=", Tok::kDivAssign},  {"%=", Tok::kModAssign},  {"&=", Tok::kAndAssign},
    {"|=", Tok::kOrAssign},   {"^=", Tok::kXorAssign},  {"(", Tok::kLParen},
    {")", Tok::kRParen},      {"{", Tok::kLBrace},      {"}", Tok::kRBrace},
    {"[", Tok::kLBracket},    {"]", Tok::kRBracket},    {";", Tok::kSemi},
    {",", Tok::kComma},       {":", Tok::kColon},       {"?", Tok::kQuestion},
    {".", Tok::kDot},         {"+", Tok::kPlus},        {"-", Tok::kMinus},
    {"*", Tok::kStar},        {"/", Tok::kSlash},       {"%", Tok::kPercent},
    {"&", Tok::kAmp},         {"|", Tok::kPipe},        {"^", Tok::kCaret},
    {"~", Tok::kTilde},       {"!", Tok::kBang},        {"<", Tok::kLess},
    {">", Tok::kGreater},     {"=", Tok::kAssign},
});

}  // namespace

Lexer::Lexer(const Setup& setup, Macros& macros, Diagnostics& diagnostics)
    : source_(setup.source),
      text_(setup.source.text()),
      source_index_(setup.source_index),
      spec_(setup.spec),
      add_markers_(setup.add_markers),
      macros_(macros),
      diagnostics_(diagnostics),
      marker_file_(setup.source.name()) {
  if (text_.starts_with("\xef\xbb\xbf")) {
    pos_ = 3;  // a byte order mark
  }
}

Span Lexer::span(std::size_t begin, std::size_t end) const {
  return Span{source_index_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

Token Lexer::token(Tok kind, std::size_t end) {
  Token out;
  out.kind = kind;
  out.span = span(pos_, end);
  out.text = text_.substr(pos_, end - pos_);
  pos_ = end;
  return out;
}

std::string_view Lexer::keep(std::string text) { return kept_.emplace_back(std::move(text)); }

Diagnostic& Lexer::error(std::string_view tag, Span where, std::string what) {
  ++errors_;
  return diagnostics_.error(tag, where, std::move(what));
}

namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && !is_blank(c)) || byte == 0x7f;
}

// The first NUL, or other control character outside of strings and comments.
std::size_t control_character(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), is_control)) {
    return std::string_view::npos;
  }
  char in = 0;  // a quote, / of a comment to the end of its line, * of one to its */
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : 0;
    if (c == 0 || (in == 0 && is_control(c))) {
      return i;
    }
    if (in == 0) {
      in = c == '"' || c == '\'' ? c : c == '/' && (next == '/' || next == '*') ? next : in;
      i += c == '/' && in == '*' ? 1 : 0;
    } else if (in == '*') {
      const bool ends = c == '*' && next == '/';
      in = ends ? 0 : in;
      i += ends ? 1 : 0;
    } else if (c == '\n' || c == in) {
      in = in == '/' && c == '/' ? in : 0;
    } else if (c == '\\' && next != 0 && in != '/') {
      ++i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

// A program is text: one message for anything else, rather than one for each
// of its bytes.
bool Lexer::check_text() {
  if (text_.size() > kMaxSourceBytes) {
    error("D_SYNTAX", span(0, 0),
          fmt::format("the program is {} MB long; at most {} MB are accepted", text_.size() >> 20,
                      kMaxSourceBytes >> 20));
    return false;
  }
  const std::size_t where = control_character(text_);
  if (where == std::string_view::npos) {
    return true;
  }
  if (text_.starts_with("\x7f"
                        "ELF")) {
    error("D_SYNTAX", span(0, 4), "this is an ELF file, not the text of a D program");
    return false;
  }
  Diagnostic& d = error("D_SYNTAX", span(where, where + 1),
                        fmt::format("this is not the text of a D program: it contains the "
                                    "control character 0x{:02x}",
                                    static_cast<unsigned char>(text_[where])));
  if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff")) {
    d.hint = "it seems to be UTF-16; save it as UTF-8";
  }
  return false;
}

void Lexer::leave_item() {
  mode_ = Mode::kTop;
  braces_ = 0;
  brackets_ = 0;
  block_item_ = false;
}

// Moves over a comment at pos_ and returns true-ish (its length), 0 if there is none.
std::size_t Lexer::skip_comment() {
  const std::size_t begin = pos_;
  if (at(pos_) != '/') {
    return 0;
  }
  if (at(pos_ + 1) == '/') {
    const std::size_t end = text_.find('\n', pos_);
    pos_ = end == std::string_view::npos ? text_.size() : end;
  } else if (at(pos_ + 1) == '*') {
    const std::size_t end = text_.find("*/", pos_ + 2);
    if (end == std::string_view::npos) {
      pos_ = text_.size();
      error("D_SYNTAX", span(begin, begin + 2), "this comment is never closed");
    } else {
      // As everywhere: the end of the comment before this one is missing, or it would end too soon.
      const std::size_t inner = text_.find("/*", begin + 2);
      if (inner < end) {
        error("D_SYNTAX", span(inner, inner + 2), "/* encountered inside a comment")
            .notes.push_back({span(begin, begin + 2), "the comment begins here"});
      }
      pos_ = end + 2;
    }
  }
  return pos_ - begin;
}

void Lexer::skip_blanks() {
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (c == '\n') {
      line_start_ = true;
      ++pos_;
    } else if (is_blank(c)) {
      ++pos_;
    } else if (c == '#' && line_start_) {
      lex_directive();
    } else if (c == '\\' && (at(pos_ + 1) == '\n' || at(pos_ + 1) == '\r')) {
      ++pos_;  // the line goes on
    } else if (skip_comment() == 0 && !skip_attributes()) {
      return;
    }
  }
}

Token Lexer::next() {
  skip_blanks();
  line_start_ = false;
  if (pos_ >= text_.size() || diagnostics_.full()) {
    pos_ = text_.size();
    return token(Tok::kEnd, pos_);
  }
  LayoutAttributes attributes = std::exchange(attributes_, {});
  attributes.most = packs_.empty() ? 0 : packs_.back();
  Token out = track(mode_ == Mode::kTop ? lex_top() : lex_common());
  out.attributes = attributes;
  out.in_header = source_.is_preprocessed && marker_file_ != source_.name();
  return out;
}

namespace {

// Behind the parentheses that begin at `at`; `at` itself if they do not end in this line.
std::size_t behind_parentheses(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size() && text[i] != '\n' && text[i] != '{'; ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return at;
}

// Where the description ends that begins at `begin`. Names of Go and C++ have parentheses,
// pid$target:server:main.(*T).run:entry, which elsewhere belong to declarations: behind a colon
// only.
std::size_t end_of_description(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  bool has_colon = text[begin] == ':';
  while (end < text.size()) {
    const char c = text[end];
    if (is_probe_char(c)) {
      has_colon = has_colon || c == ':';
      ++end;
      continue;
    }
    const std::size_t behind = c == '(' && has_colon ? behind_parentheses(text, end) : end;
    if (behind == end) break;
    end = behind;
  }
  return end;
}

}  // namespace

Token Lexer::lex_top() {
  const char c = text_[pos_];
  if (c == '/') {
    mode_ = Mode::kPredicate;
    brackets_ = 0;
    return token(Tok::kPredOpen, pos_ + 1);
  }
  if (!is_probe_char(c) || c == '@' || c == '^' || c == '+' || c == '~') {
    return lex_common();
  }
  const std::size_t end = end_of_description(text_, pos_);
  if (starts_declaration(end)) {
    mode_ = Mode::kDeclaration;
    braces_ = brackets_ = 0;
    const Token first = lex_common();
    block_item_ = first.is(Tok::kTranslator) || first.is(Tok::kProvider);
    return first;
  }
  return lex_probe(end);
}

// Follows brackets and braces, and with them the state.
Token Lexer::track(Token token) {
  switch (token.kind) {
    case Tok::kLParen:
    case Tok::kLBracket:
      ++brackets_;
      break;
    case Tok::kRParen:
    case Tok::kRBracket:
      brackets_ -= brackets_ > 0 ? 1 : 0;
      break;
    case Tok::kLBrace:
      if (mode_ == Mode::kTop || mode_ == Mode::kPredicate) {
        mode_ = Mode::kBody;
        braces_ = 0;
      }
      ++braces_;
      brackets_ = 0;
      break;
    case Tok::kRBrace:
      braces_ -= braces_ > 0 ? 1 : 0;
      brackets_ = 0;
      if (braces_ == 0 &&
          (mode_ == Mode::kBody || (block_item_ && at(skip_ahead(pos_, false)) != ';'))) {
        leave_item();
      }
      break;
    case Tok::kSemi:
      if (mode_ == Mode::kDeclaration && braces_ == 0) {
        leave_item();
      }
      break;
    default:
      break;
  }
  return token;
}

// Whether the `/` before `after` ends the predicate: nothing but a clause's body, or nothing at all
// on its line, follows. In brackets only a body does. In `/a / b > 1/`, a division and the end of a
// predicate are the same character, and only what follows tells them apart.
bool Lexer::predicate_ends(std::size_t after) const {
  bool newline = false;
  const std::size_t next = skip_ahead(after, false, &newline);
  const char c = at(next);
  return c == '{' || (brackets_ == 0 && (newline || next >= text_.size() || c == ';' || c == '}'));
}

Token Lexer::lex_common() {
  const char c = text_[pos_];
  if (is_name_start(c) || c == '`') {
    return lex_word();
  }
  if (is_digit(c) && at(end_of_object(pos_)) == '`') {
    return lex_word();  // the module 8021q
  }
  if (is_digit(c) || (c == '.' && is_digit(at(pos_ + 1)))) {
    return lex_number();
  }
  switch (c) {
    case '"':
      return lex_string();
    case '\'':
      return lex_char();
    case '$':
      return lex_macro();
    case '@': {
      std::size_t end = pos_ + 1;
      while (is_name(at(end))) {
        ++end;
      }
      Token out = token(Tok::kAgg, end);
      out.text = out.text.size() > 1 ? out.text.substr(1) : "_";
      return out;
    }
    case '/':
      if (mode_ == Mode::kPredicate && predicate_ends(pos_ + 1)) {
        leave_item();
        return token(Tok::kPredClose, pos_ + 1);
      }
      return lex_punctuation();
    default:
      return lex_punctuation();
  }
}

// Where the name of a module ends that is no identifier, when one begins here and
// a ` follows it: a.out`type, libstdc++.so.6`type, 8021q`type. Otherwise `begin`.
std::size_t Lexer::end_of_object(std::size_t begin) const {
  constexpr std::size_t kMaxName = 255;  // of a file
  const std::size_t limit = begin + kMaxName;
  std::size_t end = begin;
  bool has_dot = false;
  while (end < limit && (is_name(at(end)) || at(end) == '.')) {
    has_dot = has_dot || at(end) == '.';
    ++end;
  }
  if (at(end) == '`') {
    return has_dot || is_digit(at(begin)) ? end : begin;
  }
  // - and + are operators elsewhere: `x-lib`sym` could be a difference. With "lib" in front and
  // ".so" in it, it is taken as the name of a library.
  while (end < limit && (is_name(at(end)) || at(end) == '.' || at(end) == '-' || at(end) == '+')) {
    ++end;
  }
  const std::string_view name = text_.substr(begin, end - begin);
  const bool is_library =
      at(end) == '`' && name.starts_with("lib") && name.find(".so") != std::string_view::npos;
  return is_library ? end : begin;
}

// An identifier, a keyword, or a scoped name: `sym, mod`sym, pid`lib`sym.
Token Lexer::lex_word() {
  std::size_t end = end_of_object(pos_);
  std::size_t tick = std::string_view::npos;
  while (is_name(at(end)) || at(end) == '`') {
    if (text_[end] == '`') {
      tick = end - pos_;
      end = end_of_object(end + 1);
    } else {
      ++end;
    }
  }
  Token out = token(Tok::kIdent, end);
  if (tick == std::string_view::npos) {
    out.kind = keyword(out.text);
    return out;
  }
  out.kind = Tok::kScoped;
  out.module = out.text.substr(0, tick);
  out.text = out.text.substr(tick + 1);
  if (out.text.empty() || is_digit(out.text[0])) {
    out.kind = Tok::kUnknown;
  }
  return out;
}

Token Lexer::lex_punctuation() {
  const std::string_view rest = text_.substr(pos_, 3);
  for (const Punctuation& p : kPunctuation) {
    if (rest.starts_with(p.text)) {
      return token(p.kind, pos_ + p.text.size());
    }
  }
  std::size_t end = pos_ + 1;
  // Bytes behind the first one of a UTF-8 character have the bits 10 in front. The message shows a
  // whole character then, and not a part of one.
  while ((static_cast<unsigned char>(at(end)) & 0xc0) == 0x80) {
    ++end;  // a whole UTF-8 character
  }
  return token(Tok::kUnknown, end);
}

}  // namespace dt::d
