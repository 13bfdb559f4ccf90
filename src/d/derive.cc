// See derive.h.

#include "d/derive.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "d/meaning/function_table.h"
#include "d/syntax/characters.h"

namespace dt::d {
namespace {

using front::Derivable;

// Longer programs are shown as they are.
constexpr std::size_t kMostBytes = 16 << 10;

struct Range {
  std::size_t begin = 0, end = 0;
};

struct Statement {
  std::string_view name;
  Range all;  // with its semicolon
  bool has_brackets = false;
  std::size_t keys_end = 0;  // where another key goes
  std::vector<Range> keys;
  std::vector<Range> arguments;
  Range value;  // of a histogram
};

// Reads tokens just so far that brackets, commas and the ends of texts and comments are known.
class StatementReader {
 public:
  explicit StatementReader(std::string_view text) : text_(text) {}

  // Behind the character, or what begins there and has no meaning within.
  std::size_t after(std::size_t at) const {
    const char c = text_[at];
    if (c == '"' || c == '\'') return after_quoted(at);
    if (text_.substr(at).starts_with("/*")) return after_text(at + 2, "*/");
    if (text_.substr(at).starts_with("//")) return after_text(at + 2, "\n");
    if (c == '#' && is_line_start(at)) return after_text(at, "\n");
    return at + 1;
  }

  std::size_t skip_blanks(std::size_t at) const {
    while (at < text_.size()) {
      const bool is_comment = text_[at] == '/' && at + 1 < text_.size() &&
                              (text_[at + 1] == '*' || text_[at + 1] == '/');
      if (is_comment) {
        at = after(at);
      } else if (is_blank(text_[at])) {
        ++at;
      } else {
        break;
      }
    }
    return at;
  }

  std::size_t skip_word(std::size_t at) const {
    while (at < text_.size() && is_name(text_[at])) ++at;
    return at;
  }

  // What stands between commas, from behind an opening bracket to the closing one, where `at` is
  // then.
  std::optional<std::vector<Range>> list(std::size_t& at) const {
    std::vector<Range> out;
    std::size_t depth = 0, begin = at;
    for (; at < text_.size(); at = after(at)) {
      const char c = text_[at];
      if (c == '(' || c == '[') ++depth;
      const bool is_closing = c == ')' || c == ']';
      if (c == '{' || c == '}' || c == ';') return std::nullopt;
      if (is_closing && depth > 0) {
        --depth;
      } else if (is_closing || (c == ',' && depth == 0)) {
        out.push_back(trimmed(begin, at));
        begin = at + 1;
        if (is_closing) return out;
      }
    }
    return std::nullopt;
  }

  std::string_view text(Range range) const {
    return text_.substr(range.begin, range.end - range.begin);
  }
  std::string_view text() const { return text_; }

 private:
  std::size_t after_text(std::size_t at, std::string_view what) const {
    const std::size_t end = text_.find(what, at);
    return end == std::string_view::npos ? text_.size() : end + what.size();
  }

  std::size_t after_quoted(std::size_t at) const {
    const char quote = text_[at++];
    while (at < text_.size() && text_[at] != quote) at += text_[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text_.size());
  }

  bool is_line_start(std::size_t at) const {
    while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
    return at == 0 || text_[at - 1] == '\n';
  }

  Range trimmed(std::size_t begin, std::size_t end) const {
    begin = std::min(skip_blanks(begin), end);
    while (end > begin && is_blank(text_[end - 1])) --end;
    return {begin, end};
  }

  std::string_view text_;
};

bool is_aggregating(std::string_view name) {
  const FunctionInfo* const found = find_function(name);
  return found != nullptr && found->kind == FunctionKind::kAggregating;
}

// The statement that begins at '@', if it is one that adds. False: it is one, but its end cannot be
// found.
bool read_statement(const StatementReader& reader, std::size_t begin,
                    std::optional<Statement>& out) {
  const std::string_view text = reader.text();
  Statement made;
  std::size_t at = reader.skip_word(begin + 1);
  made.name = text.substr(begin + 1, at - begin - 1);
  made.keys_end = at;
  at = reader.skip_blanks(at);
  if (at < text.size() && text[at] == '[') {
    auto keys = reader.list(++at);
    if (!keys) return true;
    made.keys = std::move(*keys);
    made.has_brackets = true;
    made.keys_end = at;
    at = reader.skip_blanks(at + 1);
  }
  if (at + 1 >= text.size() || text[at] != '=' || text[at + 1] == '=') return true;
  const std::size_t word = reader.skip_blanks(at + 1);
  at = reader.skip_word(word);
  const std::string_view function = text.substr(word, at - word);
  at = reader.skip_blanks(at);
  if (at >= text.size() || text[at] != '(' || !is_aggregating(function)) return false;
  const auto arguments = reader.list(++at);
  if (!arguments) return false;
  if (function.ends_with("quantize") && !arguments->empty()) made.value = arguments->front();
  made.arguments = *arguments;
  const std::size_t end = at + 1;
  at = reader.skip_blanks(end);
  if (at >= text.size() || (text[at] != ';' && text[at] != '}')) return false;
  made.all = {begin, text[at] == ';' ? at + 1 : end};
  out = std::move(made);
  return true;
}

// Whether the '=' belongs to ==, !=, <= or >=.
bool is_in_comparison(std::string_view expression, std::size_t at) {
  const char before = at > 0 ? expression[at - 1] : '\0';
  const bool is_shift = at > 1 && expression[at - 2] == before;  // <<= and >>=
  return expression.substr(at).starts_with("==") || before == '=' || before == '!' ||
         ((before == '<' || before == '>') && !is_shift);
}

// Whether it may be evaluated twice, or not at all, and is the same then.
bool is_pure(std::string_view expression) {
  constexpr std::string_view kOtherEachTime[] = {"rand", "strtok", "speculation"};
  const StatementReader reader(expression);
  for (std::size_t at = 0; at < expression.size();) {
    if (const std::size_t end = reader.skip_word(at); end > at) {
      const std::string_view word = expression.substr(at, end - at);
      if (std::ranges::find(kOtherEachTime, word) != std::end(kOtherEachTime)) return false;
      at = end;
      continue;
    }
    const std::string_view rest = expression.substr(at);
    if (rest.starts_with("++") || rest.starts_with("--")) return false;
    if (rest[0] == '=' && !is_in_comparison(expression, at)) return false;
    at = reader.after(at);
  }
  return true;
}

bool is_comparable(const record::Field& key) {
  switch (key.type.kind) {
    case record::FieldKind::kInt:
    case record::FieldKind::kString:
    case record::FieldKind::kProbeProv:
    case record::FieldKind::kProbeMod:
    case record::FieldKind::kProbeFunc:
    case record::FieldKind::kProbeName:
      return true;
    default:
      return false;
  }
}

Derivable::Use use_of(const StatementReader& reader, const Statement& statement,
                      const record::AggLayout& layout) {
  Derivable::Use use;
  use.text = reader.text(statement.all);
  if (!use.text.ends_with(';')) use.text += ';';
  const std::string_view left = reader.text({statement.all.begin, statement.keys_end});
  use.left = std::string(left) + (statement.has_brackets ? ", " : "[");
  use.right = (statement.has_brackets ? "" : "]") +
              std::string(reader.text({statement.keys_end, statement.all.end}));
  if (!use.right.ends_with(';')) use.right += ';';
  // What the statement does besides has to happen under any condition.
  const auto is_all_pure = [&](const std::vector<Range>& parts) {
    return std::ranges::all_of(parts, [&](Range part) { return is_pure(reader.text(part)); });
  };
  const bool can_narrow = is_all_pure(statement.keys) && is_all_pure(statement.arguments);
  for (std::size_t i = 0; i < statement.keys.size(); ++i) {
    const bool is_told = can_narrow && is_comparable(layout.keys[i]);
    use.keys.emplace_back(is_told ? reader.text(statement.keys[i]) : "");
  }
  if (can_narrow) use.value = reader.text(statement.value);
  return use;
}

// Whether the schema speaks of this statement: of the first one it has the places.
bool is_that(const Statement& statement, const record::AggLayout& layout) {
  const auto is_at = [](const Span& span, const Range& range) {
    return span.begin >= range.begin && span.end <= range.end;
  };
  if (statement.keys.size() != layout.keys.size()) return false;
  for (std::size_t i = 0; i < layout.keys.size(); ++i) {
    if (!is_at(layout.keys[i].span, statement.keys[i])) return false;
  }
  return record::is_histogram(layout.func) ? is_at(layout.argument, statement.value) : true;
}

// Whether it is printed together with others, which then have to have the same keys.
bool is_printed_with_others(const StatementReader& reader, std::string_view name) {
  constexpr std::string_view kPrinta = "printa";
  const std::string_view text = reader.text();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = reader.skip_word(at);
    if (end == at) {
      at = reader.after(at);
      continue;
    }
    const bool is_printa = text.substr(at, end - at) == kPrinta;
    at = end;
    std::size_t open = reader.skip_blanks(end);
    if (!is_printa || open >= text.size() || text[open] != '(') continue;
    const auto arguments = reader.list(++open);
    std::size_t count = 0;
    bool is_there = false;
    for (const Range& one : arguments.value_or(std::vector<Range>())) {
      const std::string_view argument = reader.text(one);
      if (!argument.starts_with('@')) continue;
      ++count;
      is_there = is_there || argument.substr(1) == name;
    }
    if (is_there && count > 1) return true;
  }
  return false;
}

// The only program of a run.
const Source* only_program(const Sources& sources) {
  const Source* found = nullptr;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources.at(i);
    if (source.is_library) continue;
    if (found != nullptr || source.is_preprocessed || source.text().size() > kMostBytes)
      return nullptr;
    found = &source;
  }
  return found;
}

}  // namespace

Derivable derivable(const record::AggLayout& layout, const Sources& sources) {
  const Source* const source = only_program(sources);
  if (source == nullptr) return {};
  const StatementReader reader(source->text());
  const std::string_view name = layout.name == "_" ? "" : std::string_view(layout.name);
  Derivable out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < reader.text().size();) {
    std::optional<Statement> statement;
    if (reader.text()[at] == '@' && !read_statement(reader, at, statement)) return {};
    if (!statement || (statement->name != name && statement->name != layout.name)) {
      at = statement ? statement->all.end : reader.after(at);
      continue;
    }
    if (out.uses.empty() ? !is_that(*statement, layout)
                         : statement->keys.size() != layout.keys.size())
      return {};
    out.pieces.emplace_back(reader.text({begin, statement->all.begin}));
    out.uses.push_back(use_of(reader, *statement, layout));
    at = begin = statement->all.end;
  }
  if (out.uses.empty()) return {};
  if (is_printed_with_others(reader, name)) {
    for (Derivable::Use& use : out.uses) use.left = use.right = "";
  }
  out.pieces.emplace_back(reader.text().substr(begin));
  return out;
}

}  // namespace dt::d
