// See stap_command.h.

#include "cli/stap_command.h"

namespace dt::cli {
namespace {

constexpr std::string_view kLists = "|&;(){}\n";
constexpr std::string_view kOthers = "<>$`*?[~";

// The characters of the line that a shell would not take as they are.
std::string read_by_shell(std::string_view line) {
  std::string out;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\'') {
      if (c == quote) quote = '\0';
    } else if (c == '\\') {
      ++i;
    } else if (quote == '"') {
      if (c == quote) quote = '\0';
      if (c == '$' || c == '`') out += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (kLists.find(c) != kLists.npos || kOthers.find(c) != kOthers.npos) {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string stap_command(std::string_view line) {
  const std::string read = read_by_shell(line);
  if (read.empty()) return std::string(line);
  std::string out = "sh -c '";
  if (read.find_first_of(kLists) == read.npos) out += "exec ";
  for (const char c : line) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace dt::cli
