// dtrace --tools.

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/report.h"
#include "cli/script_help.h"
#include "cli/tools.h"
#include "dtrace/script.h"

namespace dt::cli {
namespace {

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

int list_tools(const std::string& word) {
  const Result<std::vector<Tool>> tools = read_tools();
  if (!tools.ok()) {
    say(tools.error().text);
    return kError;
  }
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Tool& tool : *tools) {
    const dtrace::ScriptUsage usage = dtrace::script_usage(tool.text);
    const std::string& shows = usage.summary.empty() ? usage.comment : usage.summary;
    if (small(tool.name + '\n' + shows).find(small(word)) != std::string::npos) {
      rows.emplace_back(tool.name, shows);
    }
  }
  if (rows.empty()) {
    say(fmt::format("no tool has '{}' in its name or in what it shows", word));
    return kError;
  }
  return print_text(two_columns(rows));
}

}  // namespace dt::cli
