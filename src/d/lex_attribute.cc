// __attribute__((...)) and #pragma pack, as headers of C have them: what they say
// about layout is kept for the tokens that follow, and all else is passed over.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "d/lexer.h"

namespace dt::d {

namespace {

constexpr std::string_view kWord = "__attribute__";
constexpr std::uint32_t kMostAligned = 16;  // "aligned" alone: x86-64's

// Without the underscores that headers put around.
std::string_view plain(std::string_view word) {
  if (word.starts_with("__") && word.ends_with("__") && word.size() > 4) {
    word = word.substr(2, word.size() - 4);
  }
  return word;
}

// From the ( at the beginning to the ) that closes it; empty when there is none.
std::string_view parenthesised(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size() && (i == 0 ? text[0] == '(' : depth > 0); ++i) {
    depth += text[i] == '(' ? 1 : 0;
    depth -= text[i] == ')' ? 1 : 0;
    if (depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_blank(c)) {
      out += c;
    }
  }
  return out;
}

// The value of aligned(...): a number, or the size or alignment (which -C has made
// a size) of a type that C knows by itself.
std::optional<std::uint32_t> alignment(std::string_view text) {
  static constexpr std::pair<std::string_view, std::uint32_t> kSizes[] = {
      {"char", 1},         {"short", 2}, {"int", 4},         {"long", 8},   {"longlong", 8},
      {"unsignedlong", 8}, {"void*", 8}, {"longdouble", 16}, {"double", 8}, {"float", 4}};
  std::string value = without_blanks(text);
  while (value.size() > 2 && value.front() == '(' && value.back() == ')') {
    value = value.substr(1, value.size() - 2);
  }
  if (value.starts_with("sizeof(") && value.back() == ')') {
    const std::string_view type = std::string_view(value).substr(7, value.size() - 8);
    for (const auto& [name, size] : kSizes) {
      if (type == name) {
        return size;
      }
    }
    return type.ends_with('*') ? std::optional<std::uint32_t>(8) : std::nullopt;
  }
  const int base = value.starts_with("0x") ? 16 : 10;
  const char* const begin = value.data() + (base == 16 ? 2 : 0);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(begin, value.data() + value.size(), number, base);
  const std::string_view rest(end, static_cast<std::size_t>(value.data() + value.size() - end));
  const bool is_number = error == std::errc() && rest.find_first_not_of("uUlL") == rest.npos;
  const bool is_power = number != 0 && (number & (number - 1)) == 0 && number <= 1U << 28;
  return is_number && is_power ? std::optional(number) : std::nullopt;
}

}  // namespace

// Moves over what stands at pos_, if it is attributes.
bool Lexer::skip_attributes() {
  if (text_.substr(pos_, kWord.size()) != kWord || is_name(at(pos_ + kWord.size()))) {
    return false;
  }
  const std::size_t begin = pos_;
  std::size_t open = pos_ + kWord.size();
  while (is_blank(at(open))) {
    ++open;
  }
  const std::string_view list = parenthesised(text_.substr(open));
  pos_ = open + list.size();
  if (list.empty()) {
    error("D_SYNTAX", span(begin, begin + kWord.size()), "attributes stand in parentheses");
  } else {
    layout_attributes(list.substr(1, list.size() - 2), span(begin, pos_));
  }
  return true;
}

// "(packed, aligned(16))"
void Lexer::layout_attributes(std::string_view list, Span where) {
  std::size_t i = 0;
  while (i < list.size()) {
    if (!is_name_start(list[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < list.size() && is_name(list[i])) {
      ++i;
    }
    const std::string_view word = plain(list.substr(begin, i - begin));
    while (i < list.size() && is_blank(list[i])) {
      ++i;
    }
    const std::string_view argument = parenthesised(list.substr(i));
    i += argument.size();
    if (word == "packed") {
      attributes_.packed = true;
    } else if (word == "aligned") {
      const auto bytes = argument.empty() ? std::optional(kMostAligned) : alignment(argument);
      if (!bytes) {
        error("D_UNKNOWN", where,
              fmt::format("the alignment {} is no power of 2 that is known here", argument));
      }
      attributes_.add({false, bytes.value_or(0), 0});
    }
  }
}

// pack(N), pack(push), pack(push, N), pack(pop), pack()
void Lexer::pragma_pack(std::string_view rest, Span where) {
  const std::string text = without_blanks(rest);
  std::string_view list = text;
  bool is_good = list.size() >= 2 && list.front() == '(' && list.back() == ')';
  list = is_good ? list.substr(1, list.size() - 2) : list;
  if (packs_.empty()) {
    packs_.push_back(0);
  }
  if (list == "pop") {
    packs_.resize(std::max<std::size_t>(packs_.size() - 1, 1));
    return;
  }
  if (list == "push" || list.starts_with("push,")) {
    packs_.push_back(packs_.back());
    list.remove_prefix(std::min<std::size_t>(list.size(), 5));
    if (list.empty()) {
      return;
    }
  }
  const auto bytes = list.empty() ? std::optional<std::uint32_t>(0) : alignment(list);
  if (!is_good || !bytes) {
    error("D_PRAGMA_INVAL", where, fmt::format("invalid pragma: pack {}", text));
    return;
  }
  packs_.back() = *bytes;
}

}  // namespace dt::d
