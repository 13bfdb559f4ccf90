// The spelling of tokens, in the order of Tok.

#include "d/syntax/token.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/nearest.h"

namespace dt::d {
namespace {

constexpr auto kTexts = std::to_array<std::string_view>({
    "end of input",
    "probe",
    "/",
    "/",
    "identifier",
    "scoped",
    "aggregation",
    "integer",
    "float",
    "string",
    "auto",
    "_Bool",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "counter",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "import",
    "inline",
    "int",
    "long",
    "offsetof",
    "probe",
    "provider",
    "register",
    "restrict",
    "return",
    "self",
    "short",
    "signed",
    "sizeof",
    "static",
    "string",
    "stringof",
    "struct",
    "switch",
    "this",
    "translator",
    "typedef",
    "union",
    "unsigned",
    "userland",
    "void",
    "volatile",
    "while",
    "xlate",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    ".",
    "->",
    "...",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "<<",
    ">>",
    "&&",
    "||",
    "^^",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "++",
    "--",
    "=",
    "+=",
    "-=",
    "*=",
    "/=",
    "%=",
    "<<=",
    ">>=",
    "&=",
    "|=",
    "^=",
    "unknown",
});
static_assert(kTexts.size() == static_cast<std::size_t>(Tok::kUnknown) + 1);

constexpr std::size_t kFirst = static_cast<std::size_t>(kFirstKeyword);
constexpr std::size_t kLast = static_cast<std::size_t>(kLastKeyword);

struct Keyword {
  std::string_view text;
  Tok kind;
};

constexpr auto kSortedKeywords = [] {
  std::array<Keyword, kLast - kFirst + 1> sorted{};
  for (std::size_t i = kFirst; i <= kLast; ++i) {
    sorted[i - kFirst] = Keyword{kTexts[i], static_cast<Tok>(i)};
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Keyword& a, const Keyword& b) { return a.text < b.text; });
  return sorted;
}();

constexpr std::size_t kLongestKeyword = 10;  // translator

}  // namespace

std::string_view token_text(Tok kind) { return kTexts[static_cast<std::size_t>(kind)]; }

bool is_name_in_c(Tok kind) {
  switch (kind) {
    case Tok::kCounter:
    case Tok::kImport:
    case Tok::kOffsetof:
    case Tok::kProbeWord:
    case Tok::kProvider:
    case Tok::kSelf:
    case Tok::kStringWord:
    case Tok::kStringof:
    case Tok::kThis:
    case Tok::kTranslator:
    case Tok::kUserland:
    case Tok::kXlate:
      return true;
    default:
      return false;
  }
}

Tok keyword(std::string_view word) {
  if (word.size() < 2 || word.size() > kLongestKeyword) {
    return Tok::kIdent;
  }
  const auto at = std::lower_bound(kSortedKeywords.begin(), kSortedKeywords.end(), word,
                                   [](const Keyword& k, std::string_view w) { return k.text < w; });
  return at != kSortedKeywords.end() && at->text == word ? at->kind : Tok::kIdent;
}

std::string_view nearest_keyword(std::string_view word) {
  if (word.size() < 3) {
    return {};  // everything is near to two letters
  }
  const std::vector<std::string_view> all(kTexts.begin() + kFirst, kTexts.begin() + kLast + 1);
  const std::string found = support::nearest(word, all);
  return found.empty() ? std::string_view() : token_text(keyword(found));
}

}  // namespace dt::d
