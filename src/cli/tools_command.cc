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

// Words that people bring, and the word that the tools use for it.
constexpr struct {
  std::string_view word, ours;
} kOtherWords[] = {{"mutex", "lock"},
                   {"contention", "lock"},
                   {"deadlock", "lock"},
                   {"heap", "memory that"},
                   {"malloc", "memory that"},
                   {"database", "queries"},
                   {"query", "queries"},
                   {"http", "tls"},
                   {"https", "tls"},
                   {"network", "tcp"},
                   {"net", "tcp"},
                   {"hang", "wait"},
                   {"blocked", "wait"},
                   {"fork", "processes"},
                   {"jvm", "java"},
                   {"ram", "memory"},
                   {"io", "disk"},
                   {"hotspot", "spend the time"},
                   {"systemd", "service"},
                   {"boot", "service"}};

// What is not a tool, but done with any of them.
constexpr struct {
  std::string_view words, hint;
} kWithAnyTool[] = {{" container containers docker podman pod kubernetes cgroup lxc zone ",
                     "--cgroup NAME or --zone NAME behind a tool traces a container: dtrace -s "
                     "opensnoop --zone NAME"},
                    {" boot booting startup reboot ",
                     "-A saves what is traced from the next boot on, and -a prints it then: dtrace "
                     "-A -s execsnoop"}};

std::string_view our_word(std::string_view word) {
  for (const auto& [theirs, ours] : kOtherWords) {
    if (theirs == word) return ours;
  }
  return word;
}

std::string hint_with_any_tool(std::string_view word) {
  for (const auto& [words, hint] : kWithAnyTool) {
    if (!word.empty() && words.find(fmt::format(" {} ", word)) != std::string_view::npos) {
      return std::string(hint);
    }
  }
  return "";
}

// Whether a word of the text begins so: "script" is not in "description".
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    if (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0) return true;
  }
  return false;
}

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
  const std::string sought = small(word);
  const std::string_view ours = our_word(sought);
  const auto rows_with = [&all](const auto& is_meant) {
    std::vector<std::pair<std::string, std::string>> found;
    for (const Row& row : all) {
      if (is_meant(row)) found.emplace_back(row.name, row.shows);
    }
    return found;
  };
  auto rows = rows_with([&](const Row& row) {
    return small(row.name + '\n' + row.shows).find(sought) != std::string::npos ||
           (ours != sought && has_word(small(row.shows), ours));
  });
  const std::string hint = hint_with_any_tool(sought);
  if (rows.empty() && !hint.empty()) {
    say(fmt::format("no tool is about '{}' alone", word));
    say_hint(hint);
    return kError;
  }
  if (rows.empty()) {
    say(fmt::format("no tool has '{}' in its name or in what it shows", word));
    rows = rows_with([&](const Row& row) { return has_word(small(row.about), sought); });
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
    if (!hint.empty()) say_hint(hint);
  }
  return printed;
}

}  // namespace dt::cli
