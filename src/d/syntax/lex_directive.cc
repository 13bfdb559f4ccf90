// Lines that begin with #: interpreter lines, pragmas, and what the C
// preprocessor leaves behind.

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "d/syntax/lexer.h"
#include "d/syntax/script_declaration.h"

namespace dt::d {
namespace {

// Cuts the first word off `text`.
std::string_view take_word(std::string_view& text) {
  text = trim(text);
  std::size_t end = 0;
  while (end < text.size() && !is_blank(text[end]) && text[end] != '"') {
    ++end;
  }
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

bool truth(std::string_view value) {
  return value == "1" || value == "on" || value == "yes" || value == "true" || value == "enable" ||
         value == "enabled";
}

}  // namespace

// From the # at pos_ to the end of the line. A backslash continues the line.
void Lexer::lex_directive() {
  const std::size_t begin = pos_;
  std::size_t end = begin;
  while (end < text_.size() && text_[end] != '\n') {
    const std::size_t step = text_[end] != '\\' ? 1 : at(end + 1) == '\r' ? 3 : 2;
    end = std::min(end + step, text_.size());
  }
  pos_ = end;
  std::string_view rest = text_.substr(begin + 1, end - begin - 1);
  std::size_t last = end;
  while (last > begin + 1 && is_blank(text_[last - 1])) {
    --last;
  }
  const Span where = span(begin, last);
  if (rest.starts_with('!') && source_.locate(static_cast<std::uint32_t>(begin)).line == 1) {
    return;
  }
  const std::string_view whole = trim(rest);
  if (whole.empty()) {
    return;
  }
  if (is_digit(whole[0])) {
    return line_marker(whole, begin);
  }
  const std::string_view word = take_word(rest);
  const auto word_begin = static_cast<std::size_t>(word.data() - text_.data());
  if (word == "line") {
    return line_marker(rest, begin);
  }
  if (word == "pragma") {
    return pragma(rest, where);
  }
  if (word == "ident") {
    return;
  }
  if (word == "error") {
    error("D_PRAGERR", where, fmt::format("#error: {}", squeeze(rest)));
    return;
  }
  Diagnostic& d = error("D_PRAGCTL_INVAL", span(begin, word_begin + word.size()),
                        fmt::format("invalid control directive: #{}", word));
  if (!source_.is_preprocessed && !std::exchange(said_preprocess_, true)) {
    d.hint = "the option -C runs the C preprocessor over the program";
  }
}

// `12 "file" flags`: the next line is line 12 of that file.
void Lexer::line_marker(std::string_view rest, std::size_t begin) {
  std::uint64_t line = 0;
  std::size_t i = 0;
  for (; i < rest.size() && is_digit(rest[i]); ++i) {
    line = std::min<std::uint64_t>(line * 10 + static_cast<std::uint64_t>(rest[i] - '0'),
                                   std::numeric_limits<std::uint32_t>::max());
  }
  std::string_view tail = trim(rest.substr(i));
  bool good = i > 0 && (tail.empty() || tail[0] == '"');
  if (good && !tail.empty()) {
    std::string file;
    std::size_t at = 1;
    for (; at < tail.size() && tail[at] != '"'; ++at) {
      at += tail[at] == '\\' && at + 1 < tail.size() ? 1 : 0;
      file += tail[at];
    }
    good = at < tail.size();
    if (good) {
      marker_file_ = std::move(file);
    }
  }
  if (!good) {
    error("D_PRAGCTL_INVAL", span(begin, begin + 1),
          "invalid line directive: it must be # LINE \"FILE\"");
    return;
  }
  if (add_markers_) {
    source_.add_marker(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(line),
                       marker_file_);
  }
}

void Lexer::pragma(std::string_view rest, Span where) {
  const std::string_view whole = trim(rest), word = take_word(rest);
  if (word == "D") {
    return pragma_d(squeeze(rest), where);
  }
  if (word.empty()) {
    error("D_PRAGMA_MALFORM", where, "#pragma without a name").hint =
        "D's own begin with #pragma D";
    return;
  }
  constexpr std::string_view kPack = "pack";
  if (word == kPack || (whole.starts_with(kPack) && whole[kPack.size()] == '(')) {
    return pragma_pack(whole.substr(kPack.size()), where);
  }
  // Headers carry pragmas for other compilers; one of ours without its D is a
  // mistake.
  if (word == "d" || word == "option" || word == "attributes" || word == "binding" ||
      word == "depends_on") {
    const std::string name =
        word == "d" ? squeeze(rest) : fmt::format("{} {}", word, squeeze(rest));
    error("D_PRAGMA_INVAL", where, fmt::format("invalid pragma: {}", word)).hint =
        fmt::format("did you mean \"#pragma D {}\"?", name);
  }
}

void Lexer::pragma_d(std::string text, Span where) {
  // This option changes what $1 means from here on, so it cannot wait until
  // the whole text has been read.
  constexpr std::string_view kOption = "option defaultargs";
  if (text == kOption) {
    macros_.set_default_args(true);
  } else if (text.starts_with(kOption) && text[kOption.size()] == '=') {
    macros_.set_default_args(truth(std::string_view(text).substr(kOption.size() + 1)));
  }
  // So do these.
  for (const std::string_view word : {"flag ", "argument "}) {
    if (text.starts_with(word)) {
      declare(std::string_view(text).substr(word.size()), word == "flag ", where);
    }
  }
  pragmas_.push_back(Pragma{std::move(text), where});
}

void Lexer::declare(std::string_view rest, bool is_flag, Span where) {
  const Result<front::ScriptOption> option = parse_script_option(rest, is_flag);
  if (!option.ok()) {
    error(
        "D_PRAGMA_MALFORM", where,
        fmt::format("malformed #pragma {}: {}", is_flag ? "flag" : "argument", option.error().text))
        .hint = is_flag ? "#pragma D flag LETTER NAME TYPE[=DEFAULT] HELP"
                        : "#pragma D argument NAME TYPE[=DEFAULT] HELP";
    return;
  }
  if (const Status declared = macros_.declare(*option); !declared.ok()) {
    error("D_PRAGMA_OPTSET", where,
          fmt::format("failed to set {}: {}", option->name, declared.error().text))
        .hint = declared.error().remedy;
  }
}

}  // namespace dt::d
