// dtrace --tools.

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/report.h"
#include "cli/script_help.h"
#include "cli/tools.h"
#include "dtrace/script.h"
#include "support/nearest.h"

namespace dt::cli {
namespace {

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

struct Row {
  std::string name, shows;
  std::string about;  // its first comment
};

// The words of names and of what tools show that are like this word, such as "memory" for "memry".
std::string near_words(const std::string& word, const std::vector<Row>& all) {
  std::set<std::string> words;
  for (const Row& row : all) {
    words.insert(row.name);
    std::string one;
    for (const char c : small(row.shows) + ' ') {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
        one += c;
      } else {
        if (one.size() > 2) words.insert(one);
        one.clear();
      }
    }
  }
  constexpr std::size_t kMost = 4;
  std::vector<std::string_view> left(words.begin(), words.end());
  std::string near;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::string found = support::nearest(small(word), left);
    if (found.empty()) break;
    near += (near.empty() ? "" : ", ") + found;
    left.erase(std::find(left.begin(), left.end(), found));
  }
  return near;
}

}  // namespace

int list_tools(const std::string& word) {
  const Result<std::vector<Tool>> tools = read_tools();
  if (!tools.ok()) {
    say(tools.error().text);
    return kError;
  }
  std::vector<Row> all;
  for (const Tool& tool : *tools) {
    dtrace::ScriptUsage usage = dtrace::script_usage(tool.text);
    const std::string& shows = usage.summary.empty() ? usage.comment : usage.summary;
    all.push_back({tool.name, shows, usage.comment});
  }
  const auto rows_with = [&word](const std::vector<Row>& rows, auto text_of) {
    std::vector<std::pair<std::string, std::string>> found;
    for (const Row& row : rows) {
      if (small(text_of(row)).find(small(word)) != std::string::npos) {
        found.emplace_back(row.name, row.shows);
      }
    }
    return found;
  };
  auto rows = rows_with(all, [](const Row& row) { return row.name + '\n' + row.shows; });
  if (rows.empty()) {
    say(fmt::format("no tool has '{}' in its name or in what it shows", word));
    rows = rows_with(all, [](const Row& row) { return row.about; });
    if (rows.empty()) {
      const std::string near = near_words(word, all);
      say_hint(near.empty() ? "dtrace --tools lists all of them"
                            : fmt::format("similar words that have tools: {}", near));
      return kError;
    }
    say_text("these have the word in their descriptions:\n");
  }
  const int printed = print_text(two_columns(rows));
  if (printed == kSuccess) {
    say_hint(fmt::format("dtrace -s {} runs one; dtrace -s {} -h prints its options and examples",
                         rows.front().first, rows.front().first));  // no name
  }
  return printed;
}

}  // namespace dt::cli
