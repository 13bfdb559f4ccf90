// Strings, by definition: plain code, for comparison with code that is not.

#include "ir/string_subroutines.h"

#include <algorithm>

namespace dt::ir {

namespace {

std::int64_t position(std::size_t found) {
  return found == std::string_view::npos ? -1 : static_cast<std::int64_t>(found);
}

std::int64_t length(std::string_view text) { return static_cast<std::int64_t>(text.size()); }

std::string_view without_trailing_slashes(std::string_view path) {
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return path;
}

std::string map_bytes(std::string_view text, char first, char last, int distance) {
  std::string out(text);
  for (char& c : out) {
    if (c >= first && c <= last) c = static_cast<char>(c + distance);
  }
  return out;
}

bool is_base(std::int64_t base) { return base >= 2 && base <= 36; }

// 0 to 35, or more for what is no digit in any base.
std::int64_t digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

}  // namespace

std::int64_t index_of(std::string_view text, std::string_view part, std::int64_t from) {
  from = std::clamp<std::int64_t>(from, 0, length(text));
  return position(text.find(part, static_cast<std::size_t>(from)));
}

std::int64_t last_index_of(std::string_view text, std::string_view part, std::int64_t from) {
  if (from < 0) return part.empty() ? 0 : -1;
  from = std::min(from, length(text));
  return position(text.rfind(part, static_cast<std::size_t>(from)));
}

std::int64_t find_char(std::string_view text, std::int64_t byte) {
  const char c = static_cast<char>(byte);
  return c == 0 ? length(text) : position(text.find(c));
}

std::int64_t find_last_char(std::string_view text, std::int64_t byte) {
  const char c = static_cast<char>(byte);
  return c == 0 ? length(text) : position(text.rfind(c));
}

std::string_view tail(std::string_view text, std::int64_t from) {
  if (from < 0 || from > length(text)) return {};
  return text.substr(static_cast<std::size_t>(from));
}

std::string_view substring(std::string_view text, std::int64_t start, std::int64_t count) {
  constexpr std::int64_t kFar = 1 << 30;
  start = std::clamp(start, -kFar, kFar);
  count = std::clamp(count, -kFar, kFar);
  if (start < 0) {
    start += length(text);
    if (start < 0 && start + count > 0) {
      count += start;
      start = 0;
    }
  }
  if (start < 0 || start >= length(text)) return {};
  if (count < 0) count += length(text) - start;
  return text.substr(static_cast<std::size_t>(start),
                     static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
}

std::string to_lower(std::string_view text) { return map_bytes(text, 'A', 'Z', 'a' - 'A'); }
std::string to_upper(std::string_view text) { return map_bytes(text, 'a', 'z', 'A' - 'a'); }

std::string base_name(std::string_view path) {
  if (path.empty()) return ".";
  path = without_trailing_slashes(path);
  if (path.empty()) return "/";
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string directory_name(std::string_view path) {
  const bool is_absolute = !path.empty() && path.front() == '/';
  path = without_trailing_slashes(path);
  const std::size_t slash = path.rfind('/');
  path = without_trailing_slashes(path.substr(0, slash == std::string_view::npos ? 0 : slash));
  if (!path.empty()) return std::string(path);
  return is_absolute ? "/" : ".";
}

std::string clean_path(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const auto follows = [path](std::string_view what) {
      return path.substr(1, what.size()) == what;
    };
    std::size_t used = 1;
    if (path.front() != '/') {
      out += path.front();
    } else if (follows("./")) {
      used = 2;
    } else if (follows("../") || path == "/..") {
      const std::size_t slash = out.rfind('/');
      out.resize(slash == std::string::npos ? 0 : slash);
      if (path == "/..") out += '/';
      used = 3;
    } else if (!follows("/")) {
      out += '/';
    }
    path.remove_prefix(used);
  }
  return out;
}

std::string to_text(std::int64_t number, std::int64_t base) {
  if (!is_base(base)) return "";
  const bool is_negative = base == 10 && number < 0;
  auto rest = static_cast<std::uint64_t>(number);
  if (is_negative) rest = 0 - rest;
  std::string out;
  do {
    out += "0123456789abcdefghijklmnopqrstuvwxyz"[rest % static_cast<std::uint64_t>(base)];
    rest /= static_cast<std::uint64_t>(base);
  } while (rest != 0);
  if (base == 16) out += "x0";
  if (base == 8 && number != 0) out += '0';
  if (is_negative) out += '-';
  std::reverse(out.begin(), out.end());
  return out;
}

std::int64_t to_number(std::string_view text, std::int64_t base) {
  if (!is_base(base)) return 0;
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const bool is_prefixed = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (base == 16 && is_prefixed && digit(text[2]) < 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  for (const char c : text) {
    if (digit(c) >= base) break;
    value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit(c));
  }
  return static_cast<std::int64_t>(is_negative ? 0 - value : value);
}

std::string_view part(std::string_view text, std::int64_t span) {
  const auto start = static_cast<std::uint32_t>(span);
  if (span < 0 || start > text.size()) return {};
  return text.substr(start, static_cast<std::size_t>(span >> 32));
}

void start_tokens(Tokens& tokens, std::string_view text) {
  tokens.has_text = true;
  tokens.text = text;
}

std::string next_token(Tokens& tokens, std::string_view delimiters) {
  const std::size_t start = std::min(tokens.text.find_first_not_of(delimiters), tokens.text.size());
  const std::size_t end =
      std::min(tokens.text.find_first_of(delimiters, start), tokens.text.size());
  std::string token = tokens.text.substr(start, end - start);
  tokens.text.erase(0, end);
  return token;
}

}  // namespace dt::ir
