// See usdt_types.h.

#include "symbol/elf/usdt_types.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "symbol/elf/notes.h"

namespace dt::symbol {
namespace {

constexpr std::string_view kTypesOwner("dtrace\0", 7);
constexpr std::uint32_t kTypesNote = 1;
constexpr std::size_t kMaxTypeNotes = 100'000;
constexpr std::size_t kMaxTypes = 12;
constexpr std::size_t kStabilities = 5;
constexpr std::size_t kMaxTypeTextBytes = 256;
constexpr std::uint64_t kMaxTypesBytes = std::uint64_t{64} << 20;

// The text that ends with a NUL at the front of `rest`, which is taken off. Types are
// words of C: whatever else stands there is not theirs.
std::optional<std::string> take_type_text(std::string_view& rest) {
  const std::size_t end = rest.find('\0');
  if (end == rest.npos || end > kMaxTypeTextBytes) return std::nullopt;
  std::string text(rest.substr(0, end));
  rest.remove_prefix(end + 1);
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ' ' || c == '*';
  });
  return is_plain ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::vector<std::string>> take_list(std::string_view& rest) {
  std::vector<std::string> list;
  for (;;) {
    auto text = take_type_text(rest);
    if (!text) return std::nullopt;
    if (text->empty()) return list;
    if (list.size() == kMaxTypes) return std::nullopt;
    list.push_back(std::move(*text));
  }
}

std::optional<UsdtTypes> read_types_note(std::string_view body) {
  UsdtTypes out;
  auto provider = take_type_text(body);
  auto name = provider ? take_type_text(body) : std::nullopt;
  auto arguments = name ? take_list(body) : std::nullopt;
  const auto translated = arguments ? take_list(body) : std::nullopt;
  if (!translated) return std::nullopt;
  out.has_none = translated->size() == 1 && translated->front() == "none";
  for (const std::string& text : *translated) {
    if (out.has_none) break;
    const bool is_numbered = text.size() > 2 && text[0] >= '0' && text[0] <= '9' && text[1] == ' ';
    const auto source = static_cast<std::uint32_t>(text[0] - '0');
    if (!is_numbered || source >= arguments->size()) return std::nullopt;
    out.translated.emplace_back(source, text.substr(2));
  }
  if (auto stability = take_list(body); stability && stability->size() == kStabilities) {
    out.stability = std::move(*stability);
  }
  out.provider = std::move(*provider);
  out.name = std::move(*name);
  out.arguments = std::move(*arguments);
  return out;
}

}  // namespace

std::vector<UsdtTypes> read_usdt_types(const ElfFile& elf) {
  const Result<ElfFile::Bytes> section = elf.section(".note.dtrace", kMaxTypesBytes);
  if (!section.ok()) return {};
  return parse_usdt_types({reinterpret_cast<const char*>(section->data()), section->size()});
}

std::vector<UsdtTypes> parse_usdt_types(std::string_view notes) {
  std::vector<UsdtTypes> all;
  for (const std::string_view body : notes_of(notes, kTypesOwner, kTypesNote, kMaxTypeNotes)) {
    if (std::optional<UsdtTypes> one = read_types_note(body)) all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace dt::symbol
