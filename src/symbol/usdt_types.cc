// See usdt_types.h.

#include "symbol/usdt_types.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace dt::symbol {
namespace {

constexpr std::string_view kOwner("dtrace\0", 7);
constexpr std::uint32_t kType = 1;
constexpr std::size_t kMaxNotes = 100'000;
constexpr std::size_t kMaxTypes = 10;
constexpr std::size_t kMaxTextBytes = 256;
constexpr std::uint64_t kMaxSectionBytes = std::uint64_t{64} << 20;

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

// The text that ends with a NUL at the front of `rest`, which is taken off. Types are
// words of C: whatever else stands there is not theirs.
std::optional<std::string> take_text(std::string_view& rest) {
  const std::size_t end = rest.find('\0');
  if (end == rest.npos || end > kMaxTextBytes) return std::nullopt;
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
    auto text = take_text(rest);
    if (!text) return std::nullopt;
    if (text->empty()) return list;
    if (list.size() == kMaxTypes) return std::nullopt;
    list.push_back(std::move(*text));
  }
}

std::optional<UsdtTypes> read_note(std::string_view body) {
  UsdtTypes out;
  auto provider = take_text(body);
  auto name = provider ? take_text(body) : std::nullopt;
  auto arguments = name ? take_list(body) : std::nullopt;
  const auto translated = arguments ? take_list(body) : std::nullopt;
  if (!translated) return std::nullopt;
  for (const std::string& text : *translated) {
    const bool is_numbered = text.size() > 2 && text[0] >= '0' && text[0] <= '9' && text[1] == ' ';
    const auto source = static_cast<std::uint32_t>(text[0] - '0');
    if (!is_numbered || source >= arguments->size()) return std::nullopt;
    out.translated.emplace_back(source, text.substr(2));
  }
  out.provider = std::move(*provider);
  out.name = std::move(*name);
  out.arguments = std::move(*arguments);
  return out;
}

}  // namespace

std::vector<UsdtTypes> read_usdt_types(const ElfFile& elf) {
  const Result<ElfFile::Bytes> section = elf.section(".note.dtrace", kMaxSectionBytes);
  if (!section.ok()) return {};
  return parse_usdt_types({reinterpret_cast<const char*>(section->data()), section->size()});
}

std::vector<UsdtTypes> parse_usdt_types(std::string_view rest) {
  std::vector<UsdtTypes> all;
  while (rest.size() >= sizeof(Elf64_Nhdr) && all.size() < kMaxNotes) {
    Elf64_Nhdr header;
    std::memcpy(&header, rest.data(), sizeof header);
    rest.remove_prefix(sizeof header);
    const std::size_t name_size = padded(header.n_namesz);
    const std::size_t body_size = padded(header.n_descsz);
    if (name_size > rest.size() || header.n_descsz > rest.size() - name_size) break;
    const std::string_view owner = rest.substr(0, header.n_namesz);
    const std::string_view body = rest.substr(name_size, header.n_descsz);
    rest.remove_prefix(std::min(rest.size(), name_size + body_size));
    if (owner != kOwner || header.n_type != kType) continue;
    if (std::optional<UsdtTypes> one = read_note(body)) all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace dt::symbol
