// See messages.h.

#include "stap/syntax/messages.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "stap/syntax/foreign_points.h"

namespace dt::stap {

std::string Messages::place(Span span) const {
  const support::Location at = sources_.locate(span);
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

std::string_view Messages::point_at(Span span) const {
  return point_around(sources_.at(span.source).text(), span.begin);
}

std::string Messages::excerpt(Span span, std::size_t indent) const {
  const Source& source = sources_.at(span.source);
  const support::Location at = source.physical(span.begin);
  std::string_view line = source.line_text(at.line);
  std::size_t column = std::min<std::size_t>(at.column - 1, line.size());
  // Of a line that was generated, what is around the place.
  constexpr std::size_t kMostBefore = 200, kMostBehind = 200;
  if (column > kMostBefore) {
    line.remove_prefix(column - kMostBefore);
    column = kMostBefore;
  }
  line = line.substr(0, column + kMostBehind);
  // A tab stays a tab, so that the caret stands below its character.
  std::string before(line.substr(0, column));
  for (char& c : before) {
    c = c == '\t' ? '\t' : ' ';
  }
  constexpr std::string_view kSource = "source: ";
  return fmt::format("{}{}{}\n{}{}^", std::string(indent, ' '), kSource, line,
                     std::string(indent + kSource.size(), ' '), before);
}

void Messages::add_expansion(Span made, Span use) {
  const auto [at, is_first] = expansions_.emplace(Place(made.source, made.begin), use);
  if (!is_first && at->second && *at->second != use) at->second.reset();
}

std::string Messages::expansions(Span span, std::size_t indent) const {
  constexpr std::size_t kMost = 20;  // a macro that uses itself has no end
  std::string out;
  for (std::size_t i = 0; i < kMost; ++i) {
    const auto found = expansions_.find(Place(span.source, span.begin));
    if (found == expansions_.end() || !found->second) break;
    span = *found->second;
    out += fmt::format("\n\tin expansion of macro: {} at {}\n{}",
                       describe_text(sources_.text(span)), place(span), excerpt(span, indent));
  }
  return out;
}

void Messages::parse_error(std::string_view text, const Token& token, std::string_view hint,
                           Names names) {
  constexpr std::size_t kIndent = 5;
  std::string whole = fmt::format("parse error: {}\n", text);
  if (token.kind == TokenKind::kEnd) {
    whole += fmt::format("        saw: {} EOF\n", sources_.locate(token.span).file);
  } else {
    whole += fmt::format("{:>12} {} at {}\n{}{}\n",
                         names == Names::kSaw ? "saw:" : "at:", describe(token), place(token.span),
                         excerpt(token.span, kIndent), expansions(token.span, kIndent));
  }
  if (!hint.empty() && token.kind != TokenKind::kEnd) {
    whole += fmt::format("hint: {}\n", hint);
  }
  out_.error("parse error", token.span, std::move(whole));
}

void Messages::broken(const Token& token) {
  if (token.shown.empty()) return parse_error(token.text, {TokenKind::kEnd, "", 0, token.span});
  const bool is_number = token.text == kNoNumber;
  parse_error(token.text, token, token.hint, is_number ? Names::kSaw : Names::kAt);
}

void Messages::semantic_error(std::string_view text, Span span, std::string_view hint, Span other) {
  std::string whole = fmt::format("semantic error: {}: {}\n", text, reference(span));
  if (other != Span()) whole += reference(other) + "\n";
  if (!hint.empty()) {
    whole += fmt::format("hint: {}\n", hint);
  }
  out_.error("semantic error", span, std::move(whole));
}

void Messages::point_error(std::string_view why, Span first, std::optional<Span> wrong,
                           std::string_view hint) {
  std::string whole =
      fmt::format("semantic error: while resolving probe point: {}\n\nsemantic error: {}",
                  reference(first), why);
  whole += wrong ? fmt::format(": {}\n", reference(*wrong)) : "\n";
  if (!hint.empty()) {
    whole += fmt::format("hint: {}\n", hint);
  }
  out_.error("semantic error", first, std::move(whole));
}

std::string Messages::reference(Span span) const {
  constexpr std::size_t kIndent = 8;
  return fmt::format("{} at {}\n{}{}", describe_text(sources_.text(span)), place(span),
                     excerpt(span, kIndent), expansions(span, kIndent));
}

std::string Messages::warning(std::string_view text, Span span, std::string_view hint) const {
  constexpr std::size_t kIndent = 1;
  return fmt::format("{}: {} at {}\n{}{}{}", text, describe_text(sources_.text(span)), place(span),
                     excerpt(span, kIndent), hint.empty() ? "" : "\nhint: ", hint);
}

std::string describe_text(std::string_view text) {
  // Of an expression its first word.
  std::size_t length = 0;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '@';
  };
  while (length < text.size() && is_word(text[length])) {
    ++length;
  }
  if (length > 0 && std::isdigit(static_cast<unsigned char>(text[0])) != 0) {
    return fmt::format("number '{}'", text.substr(0, length));
  }
  if (length > 0) {
    const std::string_view word = text.substr(0, length);
    if (is_keyword(word)) return "keyword";
    return fmt::format("{} '{}'", word[0] == '@' ? "operator" : "identifier", word);
  }
  if (text.starts_with('"')) {
    return fmt::format("string '{}'", text.substr(1, text.find('"', 1) - 1));
  }
  constexpr std::size_t kMost = 3;
  length = std::min(text.find_first_of(" \t\n(\""), kMost);
  return fmt::format("operator '{}'", text.substr(0, std::max<std::size_t>(length, 1)));
}

}  // namespace dt::stap
