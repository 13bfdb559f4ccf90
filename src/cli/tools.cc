// See tools.h.

#include "cli/tools.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "support/fd.h"
#include "support/file.h"
#include "support/nearest.h"

namespace dt::cli {
namespace {

constexpr std::string_view kSuffix = ".d";

// Of an installation, or of the sources that this command was built in; empty: there is none.
std::string tools_directory() {
  const std::string here = support::own_directory();
  for (const char* const place : {"/../share/dtrace/tools", "/../../../../tools"}) {
    if (support::is_directory(here + place)) {
      return here + place;
    }
  }
  return {};
}

// In the order of the alphabet, without the suffix.
std::vector<std::string> tool_names(const std::string& directory) {
  std::vector<std::string> names;
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(::opendir(directory.c_str()), close);
  while (const dirent* const entry = open == nullptr ? nullptr : ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name.size() > kSuffix.size() && name.ends_with(kSuffix)) {
      names.emplace_back(name.substr(0, name.size() - kSuffix.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The lines of a file beside the tools, which have a tab between their two parts.
std::vector<std::pair<std::string, std::string>> read_table(const char* name) {
  std::vector<std::pair<std::string, std::string>> rows;
  const Result<std::string> text =
      support::read_file(fmt::format("{}/{}", tools_directory(), name));
  for (std::size_t at = 0; text.ok() && at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::string line = text->substr(at, end - at);
    if (const std::size_t tab = line.find('\t'); tab != std::string::npos) {
      rows.emplace_back(line.substr(0, tab), line.substr(tab + 1));
    }
    at = end + 1;
  }
  return rows;
}

}  // namespace

std::optional<std::string> find_tool(const std::string& name) {
  const std::string directory = tools_directory();
  if (directory.empty() || name.find('/') != std::string::npos) {
    return std::nullopt;
  }
  const std::string path =
      fmt::format("{}/{}{}", directory, name, name.ends_with(kSuffix) ? "" : kSuffix);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  return path;
}

bool is_other_program(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char begin[256];  // the kernel reads no more of the line that names an interpreter
  const ssize_t got = fd.valid() ? ::read(fd.get(), begin, sizeof begin) : -1;
  if (got <= 0) return false;
  const std::string_view text(begin, static_cast<std::size_t>(got));
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with(
             "\x7f"
             "ELF") ||
         (line.starts_with("#!") && line.find("dtrace") == line.npos);
}

std::string nearest_tool(const std::string& name) {
  const std::vector<std::string> names = tool_names(tools_directory());
  return support::nearest(name, std::vector<std::string_view>(names.begin(), names.end()));
}

Result<std::vector<Tool>> read_tools() {
  const std::string directory = tools_directory();
  if (directory.empty()) {
    return Error::of(
        "the tools that belong to this program are not in ../share/dtrace/tools beside it");
  }
  std::vector<Tool> tools;
  for (std::string& name : tool_names(directory)) {
    DT_ASSIGN(std::string text,
              support::read_file(fmt::format("{}/{}{}", directory, name, kSuffix)));
    tools.push_back({std::move(name), std::move(text)});
  }
  return tools;
}

std::vector<Question> read_questions() {
  std::vector<Question> questions;
  for (auto& [text, command] : read_table("questions")) {
    questions.push_back({std::move(text), std::move(command)});
  }
  return questions;
}

std::vector<ToolWords> read_words() {
  std::vector<ToolWords> all;
  for (auto& [tool, words] : read_table("words")) {
    ToolWords& one = all.emplace_back(ToolWords{std::move(tool), {}});
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t end = std::min(words.find(' ', at), words.size());
      if (end > at) one.words.push_back(words.substr(at, end - at));
      at = end + 1;
    }
  }
  return all;
}

}  // namespace dt::cli
