// The command line of staprun. See stap.h.

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/stap.h"
#include "support/whole_number.h"

namespace dt::cli {
namespace {

// False after an error.
bool take(StapLine& out, char letter, const std::string& value, std::string& error) {
  if (letter == 'c') {
    out.command = value;
    return true;
  }
  if (letter == 'o') {
    out.output = value == "-" ? "" : value;  // standard output
    return true;
  }
  const std::size_t comma = letter == 'S' ? value.find(',') : std::string::npos;
  const auto number = support::whole_number<std::int64_t>(std::string_view(value).substr(0, comma));
  const auto files =
      comma == std::string::npos
          ? std::optional<std::int64_t>(0)
          : support::whole_number<std::int64_t>(std::string_view(value).substr(comma + 1));
  constexpr std::int64_t kMost = 0x7fffffff;
  const bool has_no_files = comma != std::string::npos && files.value_or(0) <= 0;
  if (!number || !files || has_no_files || *number <= 0 || *number > kMost) {
    error = fmt::format("Invalid value '{}' of option -{}", value, letter);
    return false;
  }
  if (letter == 'x') out.pid = static_cast<std::int32_t>(*number);
  if (letter == 'T') return true;  // how often the reader looks, which adapts itself
  if (letter == 'b') out.buffer = value + "m";
  if (letter == 'S') {
    out.file_megabytes = *number;
    out.files = *files;
  }
  return true;
}

// --set NAME=VALUE
bool take_set(const std::vector<std::string>& words, std::size_t& at, StapLine& out,
              std::string& error) {
  constexpr std::string_view kSet = "--set";
  const bool is_apart = words[at].size() == kSet.size();
  if (is_apart && at + 1 >= words.size()) {
    error = "option '--set' requires an argument";
    return false;
  }
  const std::string value = is_apart ? words[++at] : words[at].substr(kSet.size() + 1);
  if (add_stap_option(value, out)) return true;
  error = fmt::format("Invalid value '{}' of option --set: NAME=VALUE is wanted", value);
  return false;
}

// "/tmp/watch.bo" is watch; "" where that is no word.
std::string name_of_module(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  std::string_view name = path.substr(0, path.rfind(".bo"));
  const bool is_word = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
  return is_word ? std::string(name) : std::string();
}

}  // namespace

bool parse_staprun_line(int argc, char** argv, StapLine& out, std::string& error) {
  constexpr std::string_view kValues = "cobxST", kFlags = "vwuhVD", kRefused = "LAdR";
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::size_t at = 0;
  for (; at < words.size() && words[at].size() > 1 && words[at][0] == '-'; ++at) {
    const std::string& word = words[at];
    const char letter = word[1];
    if (word == "--help" || letter == 'h') out.mode = StapMode::kHelp;
    if (word == "--version" || letter == 'V') out.mode = StapMode::kVersion;
    if (out.mode != StapMode::kRun) return true;
    if (word == "--set" || word.starts_with("--set=")) {
      if (!take_set(words, at, out, error)) return false;
      continue;
    }
    if (kValues.find(letter) != std::string_view::npos) {
      std::string value = word.substr(2);
      if (value.empty()) {
        if (++at >= words.size()) {
          error = fmt::format("option requires an argument -- '{}'", letter);
          return false;
        }
        value = words[at];
      }
      if (!take(out, letter, value, error)) return false;
      continue;
    }
    for (const char flag : word.substr(1)) {
      if (flag == 'v') ++out.verbose;
      if (flag == 'w') out.no_warnings = true;
      if (flag == 'D') out.is_daemon = true;
      if (kFlags.find(flag) != std::string_view::npos) continue;
      const bool is_known = kRefused.find(flag) != std::string_view::npos;
      error = is_known
                  ? fmt::format("option -{} is not supported: nothing stays loaded without staprun",
                                flag)
                  : fmt::format("option -{} is not supported", flag);
      return false;
    }
  }
  if (at >= words.size()) {
    error = "A module must be specified.";
    return false;
  }
  out.module = name_of_module(words[at]);
  const auto mine = std::exchange(out.options, {});  // come after those of the module
  error = read_module(words[at++], out);
  out.options.insert(out.options.end(), mine.begin(), mine.end());
  for (; error.empty() && at < words.size(); ++at) {
    const std::size_t equals = words[at].find('=');
    if (equals == std::string::npos) {
      error = fmt::format("'{}' is no NAME=VALUE", words[at]);
      break;
    }
    out.settings.emplace_back("-G" + words[at].substr(0, equals), words[at].substr(equals + 1));
  }
  return error.empty();
}

std::string staprun_help() {
  return R"(Usage: staprun [options] MODULE.bo [NAME=VALUE ...]    Run what stap -p4 has kept.

   -v            add verbosity
   -w            suppress warnings
   -c CMD        run CMD; the script ends when it ends. target() is its process
   -x PID        target() is this process
   -o FILE       send output to FILE; %Y, %m and others stand for the time
   -S SIZE[,N]   begin a new file of -o after SIZE megabytes; keep the last N
   -D            run in the background, and print the number of the process; with -o
   -b NUM        buffer size in megabytes
   --set NAME=VALUE    set an option of dtrace's -x, as stap does
   -T, -u        accepted
   -h --help, -V --version
   NAME=VALUE    set a global variable
)";
}

}  // namespace dt::cli
