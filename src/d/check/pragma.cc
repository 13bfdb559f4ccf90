// Pragmas, and which identifiers a version of D has.

#include <algorithm>
#include <charconv>

#include "d/check/checker.h"

namespace dt::d {
namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    if (blank > 0) {
      out.push_back(text.substr(0, blank));
    }
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return out;
}

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

}  // namespace

// "1.6.3" as a number that compares: major, minor, micro.
std::optional<std::uint32_t> parse_version(std::string_view text) {
  constexpr std::uint32_t kMost[] = {0xff, 0xfff, 0xfff};
  constexpr std::uint32_t kShift[] = {24, 12, 0};
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint32_t part = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (error != std::errc() || part > kMost[i]) {
      return std::nullopt;
    }
    out |= part << kShift[i];
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) {
      return i == 0 ? std::nullopt : std::optional(out);
    }
    if (text.front() != '.') {
      return std::nullopt;
    }
    text.remove_prefix(1);
  }
  return std::nullopt;
}

// Options, dependencies and errors are read before everything else; the others
// where they stand.
void Checker::pragma(const Pragma& pragma) {
  const std::string_view text = pragma.text;
  const std::size_t blank = text.find(' ');
  const std::string_view name = text.substr(0, blank);
  const std::string_view rest =
      blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  if (name == "option") {
    pragma_option(pragma, rest);
  } else if (name == "error") {
    error("D_PRAGERR", pragma.span, fmt::format("#error: {}", rest));
  } else if (name == "depends_on") {
    pragma_depends(pragma);
  } else if (name == "attributes" || name == "binding") {
    if (words_of(rest).size() < 2) {
      error("D_PRAGMA_MALFORM", pragma.span,
            fmt::format("malformed #pragma {}: two or more words must follow", name));
    }
  } else if (name == "line" || name == "ident" || name == "pragma") {
    return;
  } else {
    error("D_PRAGMA_INVAL", word_span(sources_, pragma, name),
          fmt::format("invalid D pragma: {}", name));
  }
}

void Checker::pragma_option(const Pragma& pragma, std::string_view rest) {
  if (rest.empty() || rest.front() == '=') {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma option: <option>[=<value>] must follow");
    return;
  }
  const std::size_t equals = rest.find('=');
  const std::string_view name = rest.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : rest.substr(equals + 1);
  if (!world_.set_option) {
    return;
  }
  const Status status = world_.set_option(name, value);
  if (status.ok()) {
    return;
  }
  error("D_PRAGMA_OPTSET", word_span(sources_, pragma, rest),
        value.empty() ? fmt::format("failed to set option '{}': {}", name, status.error().text)
                      : fmt::format("failed to set option '{}' to '{}': {}", name, value,
                                    status.error().text))
      .hint = status.error().remedy;
}

// `depends_on module|provider|library name` of a program: all must be there.
void Checker::pragma_depends(const Pragma& pragma) {
  const std::optional<Dependency> wanted = parse_dependency(pragma.text);
  if (!wanted) {
    error("D_PRAGMA_MALFORM", pragma.span,
          "malformed #pragma depends_on: two or more words must follow");
    return;
  }
  bool found = false;
  if (wanted->kind == "module") {
    found = !world_.has_module || world_.has_module(wanted->name);
  } else if (wanted->kind == "provider") {
    const auto pattern = probe::parse_pattern(std::string(wanted->name) + ":::");
    found = pattern && !world_.probes.match(*pattern).empty();
  } else if (wanted->kind == "library") {
    found = libraries_.has(wanted->name);
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

void Checker::placed_pragma(const Pragma& pragma) {
  const std::vector<std::string_view> words = words_of(pragma.text);
  if (words.size() < 3) {
    return;
  }
  if (words[0] == "attributes") {
    pragma_attributes(pragma, words);
  } else if (words[0] == "binding") {
    pragma_binding(pragma, words);
  }
}

// attributes Name/Data/Class IDENTIFIER, or ... provider NAME PART.
void Checker::pragma_attributes(const Pragma& pragma, const std::vector<std::string_view>& words) {
  const auto attributes = probe::parse_attributes(words[1]);
  if (!attributes) {
    error("D_PRAGMA_INVAL", word_span(sources_, pragma, words[1]),
          fmt::format("invalid attributes in #pragma attributes: {}", words[1]))
        .hint = "they are Name/Data/Class, such as Evolving/Evolving/Common";
    return;
  }
  if (words[2] != "provider") {
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
void Checker::pragma_binding(const Pragma& pragma, const std::vector<std::string_view>& words) {
  std::string_view text = words[1];
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  const auto version = parse_version(text);
  if (!version) {
    error("D_PRAGMA_INVAL", word_span(sources_, pragma, words[1]),
          fmt::format("invalid version in #pragma binding: {}", words[1]));
    return;
  }
  if (may_change(pragma, words[2])) {
    bindings_since_.insert_or_assign(std::string(words[2]), *version);
  }
}

// What the program does not define it may not change; what it never defines at
// all is said at its end.
bool Checker::may_change(const Pragma& pragma, std::string_view name) {
  if (find_builtin(name) || find_function(name) != nullptr) {
    if (in_library_) {
      return true;
    }
    error("D_PRAGMA_SCOPE", word_span(sources_, pragma, name),
          fmt::format("#pragma cannot modify entity defined outside program scope: {}", name));
    return false;
  }
  if (!in_library_) {
    pragma_names_.push_back({std::string(name), word_span(sources_, pragma, name)});
  }
  return true;
}

void Checker::unused_pragmas() {
  for (const auto& [name, span] : pragma_names_) {
    if (!inlines_.contains(name) && !find_variable(name, ir::Scope::kGlobal) &&
        !aggregations_.contains(name.starts_with('@') ? name.substr(1) : name) &&
        name != "translator") {
      error("D_PRAGMA_UNUSED", span,
            fmt::format("unused #pragma: the program does not define {}", name));
    }
  }
}

bool Checker::visible_since(const char* since) const {
  return parse_version(since).value_or(0) <= world_.version;
}

// What is not there because of -x version or a library that is left out.
bool Checker::version_hint(const std::string& name, Diagnostic& d) const {
  if (const auto builtin = find_builtin(name);
      builtin && !visible_since(builtin_table()[*builtin].since)) {
    d.hint = fmt::format("it came with version {} of D", builtin_table()[*builtin].since);
    return true;
  }
  if (inlines_.contains(name) && !visible(name)) {
    d.hint = "it came with a later version of D than -x version asks for";
    return true;
  }
  d.hint = libraries_.why_not(name);
  return !d.hint.empty();
}

bool Checker::visible(const std::string& name) const {
  const auto found = bindings_since_.find(name);
  return found == bindings_since_.end() || found->second <= world_.version;
}

}  // namespace dt::d
