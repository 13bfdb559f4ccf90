// __attribute__((...)) and #pragma pack, as headers of C have them: what they say
// about layout is kept for the tokens that follow, and all else is passed over.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "d/syntax/lexer.h"

namespace dt::d {

namespace {

constexpr std::string_view kWord = "__attribute__";
constexpr std::string_view kAssertion = "_Static_assert";
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

// Nor the line markers that -C leaves within.
std::string without_blanks(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#' && i > 0 && text[i - 1] == '\n') {
      i = std::min(text.find('\n', i), text.size());
    } else if (!is_blank(text[i])) {
      out += text[i];
    }
  }
  return out;
}

// The size in bytes of a type that has the same one wherever there are C and Linux.
std::optional<std::uint32_t> size_of_type(std::string_view type) {
  static constexpr std::pair<std::string_view, std::uint32_t> kSizes[] = {
      {"char", 1},        {"short", 2},  {"int", 4},    {"long", 8},  {"longlong", 8},
      {"longdouble", 16}, {"double", 8}, {"float", 4},  {"__u8", 1},  {"__u16", 2},
      {"__u32", 4},       {"__u64", 8},  {"__s8", 1},   {"__s16", 2}, {"__s32", 4},
      {"__s64", 8},       {"__be16", 2}, {"__be32", 4}, {"__be64", 8}};
  if (type.ends_with('*')) {
    return 8;
  }
  constexpr std::string_view kUnsigned = "unsigned";
  if (type.starts_with(kUnsigned)) {
    type.remove_prefix(kUnsigned.size());
    return type.empty() ? 4 : size_of_type(type);
  }
  for (const auto& [name, size] : kSizes) {
    if (type == name) {
      return size;
    }
  }
  return std::nullopt;
}

// A number, or sizeof(TYPE); without blanks.
std::optional<std::uint32_t> factor(std::string_view text) {
  constexpr std::string_view kSizeof = "sizeof";
  if (text.starts_with(kSizeof) && text.size() > kSizeof.size() + 2 && text.back() == ')') {
    return size_of_type(text.substr(kSizeof.size() + 1, text.size() - kSizeof.size() - 2));
  }
  const int base = text.starts_with("0x") ? 16 : 10;
  const char* const begin = text.data() + (base == 16 ? 2 : 0);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number, base);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const bool is_number = error == std::errc() && rest.find_first_not_of("uUlL") == rest.npos;
  return is_number ? std::optional(number) : std::nullopt;
}

// The value of aligned(...): a number, the size or alignment (which -C has made a
// size) of a type that C knows by itself, or a product of such.
std::optional<std::uint32_t> alignment(std::string_view text) {
  const std::string plain = without_blanks(text);
  std::string_view value = plain;
  while (value.size() > 2 && parenthesised(value).size() == value.size()) {
    value = value.substr(1, value.size() - 2);
  }
  constexpr std::uint64_t kMost = 1U << 28;
  std::uint64_t product = 1;
  for (std::size_t begin = 0; begin <= value.size();) {
    std::size_t end = begin;
    while (end < value.size() && value[end] != '*') {
      end += std::max<std::size_t>(1, parenthesised(value.substr(end)).size());
    }
    const auto one = factor(value.substr(begin, end - begin));
    if (!one || *one > kMost || product > kMost) {
      return std::nullopt;
    }
    product *= *one;
    begin = end + 1;
  }
  const bool is_power = product != 0 && (product & (product - 1)) == 0 && product <= kMost;
  return is_power ? std::optional(static_cast<std::uint32_t>(product)) : std::nullopt;
}

}  // namespace

// Moves over what stands at pos_, if it is attributes or an assertion of a header.
bool Lexer::skip_attributes() {
  if (source_.is_preprocessed && text_.substr(pos_).starts_with(kAssertion)) {
    const std::size_t size = parenthesised(text_.substr(pos_ + kAssertion.size())).size();
    pos_ += size == 0 ? 0 : kAssertion.size() + size;
    return size > 0;
  }
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
