#include "d/check/pragmas.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "d/check/inlines.h"
#include "d/check/library_use.h"
#include "d/check/scope.h"
#include "d/check/tables.h"
#include "d/check/versions.h"
#include "d/meaning/function_table.h"
#include "d/meaning/version.h"
#include "d/syntax/ast.h"
#include "d/syntax/pragma_words.h"
#include "d/syntax/world.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

namespace {

// Where the last such word of a pragma stands; all of the pragma when it is not found.
Span word_span(const Sources& sources, const Pragma& pragma, std::string_view word) {
  const std::string_view text = sources.text(pragma.span);
  const auto is_blank = [&](std::size_t at) {
    return at >= text.size() || text[at] == ' ' || text[at] == '\t';
  };
  for (std::size_t at = text.rfind(word); at != std::string_view::npos && at > 0 && !word.empty();
       at = text.rfind(word, at - 1)) {
    if (is_blank(at - 1) && is_blank(at + word.size())) {
      const auto begin = pragma.span.begin + static_cast<std::uint32_t>(at);
      return Span{pragma.span.source, begin, begin + static_cast<std::uint32_t>(word.size())};
    }
  }
  return pragma.span;
}

// A word that is neither a string nor a number.
bool is_pragma_name(std::string_view word) {
  return word.find('"') == std::string_view::npos && !(word.front() >= '0' && word.front() <= '9');
}

}  // namespace

// Options, dependencies and errors are read before everything else; the others
// where they stand.
void Pragmas::early(const Pragma& pragma) {
  const std::string_view text = pragma.text;
  const std::size_t blank = text.find(' ');
  const std::string_view name = text.substr(0, blank);
  const std::string_view rest =
      blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  if (name == "option") {
    option(pragma, rest);
  } else if (name == "error") {
    error("D_PRAGERR", pragma.span, fmt::format("#error: {}", rest));
  } else if (name == "depends_on") {
    depends(pragma);
  } else if (name == "attributes" || name == "binding") {
    if (pragma_words(rest).size() < 2) {
      error("D_PRAGMA_MALFORM", pragma.span,
            fmt::format("malformed #pragma {}: two or more words must follow", name));
    }
  } else if (name == "line" || name == "ident" || name == "pragma" || name == "flag" ||
             name == "argument" || name == "summary" || name == "example") {
    return;  // the lexer has read flags and arguments; the others are for people
  } else {
    error("D_PRAGMA_INVAL", word_span(sources_, pragma, name),
          fmt::format("invalid D pragma: {}", name));
  }
}

void Pragmas::option(const Pragma& pragma, std::string_view rest) {
  if (rest.empty() || rest.front() == '=') {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma option: <option>[=<value>] must follow");
    return;
  }
  if (pragma_words(rest).size() > 1) {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma option: one <option>[=<value>] must follow, without blanks");
    return;
  }
  if (!is_pragma_name(rest)) {
    error("D_PRAGMA_MALFORM", word_span(sources_, pragma, rest),
          "malformed #pragma option: <option>[=<value>] must follow, without quotes");
    return;
  }
  const std::size_t equals = rest.find('=');
  const std::string_view name = rest.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : rest.substr(equals + 1);
  if (!world_.set_option) {
    return;
  }
  const Status status = world_.set_option(world_, name, value);
  if (status.ok()) {
    return;
  }
  // cpp of other systems does; that of GNU leaves #pragma as it is.
  const bool is_macro = sources_.at(pragma.span.source).is_preprocessed && !value.empty() &&
                        (value[0] < '0' || value[0] > '9') &&
                        std::all_of(value.begin(), value.end(), [](char c) {
                          return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
                        });
  std::string hint = status.error().remedy;
  if (is_macro) {
    hint.insert(0, hint.empty() ? "" : "; ");
    hint.insert(0, "cpp does not replace macros in #pragma: write the value, or give -x");
  }
  error("D_PRAGMA_OPTSET", word_span(sources_, pragma, rest),
        value.empty() ? fmt::format("failed to set option '{}': {}", name, status.error().text)
                      : fmt::format("failed to set option '{}' to '{}': {}", name, value,
                                    status.error().text))
      .hint = std::move(hint);
}

// `depends_on module|provider|library name` of a program: all must be there.
void Pragmas::depends(const Pragma& pragma) {
  const std::optional<Dependency> wanted = parse_dependency(pragma.text);
  if (!wanted) {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma depends_on: two or more words must follow");
    return;
  }
  if (!is_pragma_name(wanted->kind) || !is_pragma_name(wanted->name)) {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma depends_on: <class> <name> must follow, without quotes");
    return;
  }
  bool found = false;
  if (wanted->kind == "library") {
    error("D_PRAGMA_SCOPE", pragma.span, "main program may not explicitly depend on a library")
        .hint = "the libraries are there without it";
    return;
  }
  if (wanted->kind == "module") {
    found = !world_.has_module || world_.has_module(wanted->name);
  } else if (wanted->kind == "provider") {
    const auto pattern = probe::parse_pattern(std::string(wanted->name) + ":::");
    found = pattern && !world_.probes.match(*pattern).empty();
  } else {
    error("D_PRAGMA_INVAL", word_span(sources_, pragma, wanted->kind),
          fmt::format("invalid class {} specified by #pragma depends_on: it must be module, "
                      "provider or library",
                      wanted->kind));
    return;
  }
  if (!found) {
    error("D_PRAGMA_DEPEND", word_span(sources_, pragma, wanted->name),
          fmt::format("program requires {} {}, which is not there", wanted->kind, wanted->name));
  }
}

void Pragmas::placed(const Pragma& pragma) {
  const std::vector<std::string_view> words = pragma_words(pragma.text);
  if (words.size() < 3) {
    return;
  }
  if (words[0] == "attributes") {
    attributes(pragma, words);
  } else if (words[0] == "binding") {
    binding(pragma, words);
  }
}

// attributes Name/Data/Class IDENTIFIER, or ... provider NAME PART.
void Pragmas::attributes(const Pragma& pragma, const std::vector<std::string_view>& words) {
  const auto attributes = probe::parse_attributes(words[1]);
  if (!attributes) {
    error("D_PRAGMA_INVAL", word_span(sources_, pragma, words[1]),
          fmt::format("invalid attributes in #pragma attributes: {}", words[1]))
        .hint = "they are Name/Data/Class, such as Evolving/Evolving/Common";
    return;
  }
  if (words[2] != "provider") {
    if (words.size() > 3 || !is_pragma_name(words[2])) {
      error("D_PRAGMA_MALFORM", pragma.span,
            "malformed #pragma attributes: <attributes> <identifier> must follow");
      return;
    }
    if (may_change(pragma, words[2])) {
      stability_.names.insert_or_assign(std::string(words[2]), *attributes);
    }
    return;
  }
  if (words.size() != 5) {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma attributes: provider <name> provider|module|function|name|args must "
          "follow");
    return;
  }
  probe::ProviderAttributes& all =
      stability_.providers.try_emplace(std::string(words[3]), world_.probes.attributes(words[3]))
          .first->second;
  const std::pair<std::string_view, probe::Attributes*> parts[] = {
      {"provider", &all.provider}, {"module", &all.module}, {"function", &all.function},
      {"name", &all.name},         {"args", &all.args},
  };
  for (const auto& [name, target] : parts) {
    if (name == words[4]) {
      *target = *attributes;
      return;
    }
  }
  error("D_PRAGMA_INVAL", word_span(sources_, pragma, words[4]),
        fmt::format("invalid component {} in #pragma attributes: it must be provider, module, "
                    "function, name or args",
                    words[4]));
}

// binding "1.5" IDENTIFIER: programs of an older version do not see it.
void Pragmas::binding(const Pragma& pragma, const std::vector<std::string_view>& words) {
  std::string_view text = words[1];
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
    error("D_PRAGMA_MALFORM", word_span(sources_, pragma, words[1]),
          "malformed #pragma binding: the version is a string");
    return;
  }
  text = text.substr(1, text.size() - 2);
  const auto version = parse_version(text);
  if (!version) {
    error("D_PRAGMA_INVAL", word_span(sources_, pragma, words[1]),
          fmt::format("invalid version in #pragma binding: {}", words[1]));
    return;
  }
  if (words.size() > 3 || !is_pragma_name(words[2])) {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma binding: \"<version>\" <identifier> must follow");
    return;
  }
  if (may_change(pragma, words[2])) {
    versions_.bind(words[2], *version);
  }
}

// A program may change the attributes of what it defines. A name that it never defines is reported
// at its end.
bool Pragmas::may_change(const Pragma& pragma, std::string_view name) {
  if (find_builtin(name) || find_function(name) != nullptr) {
    if (scope_.in_library) {
      return true;
    }
    error("D_PRAGMA_SCOPE", word_span(sources_, pragma, name),
          fmt::format("#pragma cannot modify entity defined outside program scope: {}", name));
    return false;
  }
  names_.push_back({std::string(name), word_span(sources_, pragma, name)});
  return true;
}

void Pragmas::report_unused(std::size_t first) {
  const std::vector<std::pair<std::string, Span>> named(
      names_.begin() + static_cast<std::ptrdiff_t>(first), names_.end());
  names_.resize(first);
  for (const auto& [name, span] : named) {
    if (!inlines_.contains(name) && !tables_.find_variable(name, ir::Scope::kGlobal) &&
        !tables_.find_aggregation(name.starts_with('@') ? name.substr(1) : name) &&
        name != "translator") {
      error("D_PRAGMA_UNUSED", span,
            fmt::format("unused #pragma: the {} does not define {}",
                        scope_.in_library ? "library" : "program", name));
    }
  }
}

}  // namespace dt::d
