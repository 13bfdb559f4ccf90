// Outside of clauses: is this word a probe description, or does it begin a
// declaration?

#include <fmt/core.h>

#include <algorithm>

#include "d/syntax/lexer.h"

namespace dt::d {
namespace {

bool is_declaration_word(Tok kind) {
  switch (kind) {
    case Tok::kAuto:
    case Tok::kBool:
    case Tok::kChar:
    case Tok::kConst:
    case Tok::kCounter:
    case Tok::kDouble:
    case Tok::kEnum:
    case Tok::kExtern:
    case Tok::kFloatWord:
    case Tok::kImport:
    case Tok::kInline:
    case Tok::kIntWord:
    case Tok::kLong:
    case Tok::kProvider:
    case Tok::kRegister:
    case Tok::kRestrict:
    case Tok::kSelf:
    case Tok::kShort:
    case Tok::kSigned:
    case Tok::kStatic:
    case Tok::kStringWord:
    case Tok::kStruct:
    case Tok::kThis:
    case Tok::kTranslator:
    case Tok::kTypedef:
    case Tok::kUnion:
    case Tok::kUnsigned:
    case Tok::kUserland:
    case Tok::kVoid:
    case Tok::kVolatile:
      return true;
    default:
      return false;
  }
}

std::string_view name_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name(text[end])) {
    ++end;
  }
  return text.substr(at, end - at);
}

}  // namespace

// The first place from `at` that is neither blank nor comment (nor a star).
// `newline` is set when a line ended outside of a comment.
std::size_t Lexer::skip_ahead(std::size_t at, bool stars, bool* newline) const {
  while (at < text_.size()) {
    const char c = text_[at];
    if (c == '\n' && newline != nullptr) {
      *newline = true;
    }
    if (is_blank(c) || (stars && c == '*')) {
      ++at;
    } else if (c == '/' && this->at(at + 1) == '/') {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (c == '/' && this->at(at + 1) == '*') {
      const std::size_t end = text_.find("*/", at + 2);
      at = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

// Whether the word from pos_ to `end`, all characters of a description, begins a declaration. A
// colon decides against it; a type or storage word for it. Any other name is a type when another
// name follows: `foo_t x;`, `foo_t *x;`. One token of look-ahead is not enough: `foo * x;` declares
// a pointer, and `foo*` is a probe with a wildcard.
bool Lexer::starts_declaration(std::size_t end) const {
  if (spec_ != front::Input::Spec::kProgram && spec_ != front::Input::Spec::kName) {
    return false;
  }
  const std::string_view word = text_.substr(pos_, end - pos_);
  if (word.find(':') != std::string_view::npos) {
    return false;
  }
  const std::string_view name = name_at(word, 0);
  if (name.empty() || is_digit(name[0])) {
    return false;
  }
  const std::string_view rest = word.substr(name.size());
  if (is_declaration_word(keyword(name))) {
    return true;
  }
  if (rest.find_first_not_of('*') == std::string_view::npos || rest[0] == '`') {
    return names_follow(word, end);
  }
  return rest[0] == '*' && at(skip_ahead(end, false)) == ';';  // foo_t*x;
}

bool Lexer::names_follow(std::string_view word, std::size_t end) const {
  const std::size_t second = skip_ahead(end, true);
  if (!is_name_start(at(second))) {
    return false;
  }
  const std::string_view name = name_at(text_, second);
  if (is_declaration_word(keyword(name)) && at(second + name.size()) != ':') {
    return true;
  }
  // `BEGIN END {` and `BEGIN syscall:::entry` lack a comma. That is a frequent mistake, for which a
  // declaration would give a message about types.
  const std::size_t third = skip_ahead(second + name.size(), false);
  const char c = at(third);
  const bool comment_or_predicate = c == '/';
  const bool glob = third == second + name.size() && is_probe_char(c) && c != '[';
  return !word.empty() && third < text_.size() && c != '{' && !comment_or_predicate && !glob;
}

// The description with its macros in place: pid$target:::, profile:::tick-$1.
Token Lexer::lex_probe(std::size_t end) {
  Token out = token(Tok::kProbe, end);
  if (out.text.find('$') != std::string_view::npos) {
    out.text = keep(expanded(out.text, out.span, false));
  }
  return out;
}

// What a person gives for a macro may have macros, too: $1 is pid$target:a.out. Theirs are not
// expanded once more. `where`: of the text, or, within a value, of the macro that has it.
std::string Lexer::expanded(std::string_view text, Span where, bool is_value) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t begin = i + 1;
    begin += text[i] == '$' && begin < text.size() && text[begin] == '$' ? 1 : 0;
    if (text[i] != '$' || begin >= text.size() || !is_name(text[begin])) {
      out += text[i++];
      continue;
    }
    std::size_t stop = begin;
    while (stop < text.size() &&
           (is_digit(text[begin]) ? is_digit(text[stop]) : is_name(text[stop]))) {
      ++stop;
    }
    const std::string_view name = text.substr(begin, stop - begin);
    const Span place = is_value ? where : span(where.begin + i, where.begin + stop);
    if (const std::optional<Macros::Value> value = macros_.find(name)) {
      const std::string& given =
          value->in_description.empty() ? value->text : value->in_description;
      out += is_value ? given : expanded(given, place, true);
    } else {
      undefined_macro(name, place);
    }
    i = stop;
  }
  return out;
}

}  // namespace dt::d
