// See script_help.h.

#include "cli/script_help.h"

#include <fmt/core.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "dtrace/options.h"

namespace dt::cli {
namespace {

using dtrace::ScriptOption;

std::string capitals(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string shown(const ScriptOption& option) {
  if (option.letter == '\0') {
    return capitals(option.name);
  }
  return option.type == ScriptOption::Type::kBool
             ? fmt::format("-{}", option.letter)
             : fmt::format("-{} {}", option.letter, capitals(option.name));  // no name
}

std::string help_of(const ScriptOption& option) {
  // -1 is the default of scripts that can be given 0.
  const bool is_plain =
      option.fallback.empty() || option.fallback == "0" || option.fallback == "-1";
  if (is_plain) return option.help;
  // So long a time says that nothing happens before tracing ends.
  constexpr std::string_view kNever = "365d";
  if (option.fallback != kNever) return fmt::format("{} ({})", option.help, option.fallback);
  return option.name == "interval" ? option.help + " (one at the end)" : option.help;
}

bool has_letter(const dtrace::ScriptUsage& usage, char letter) {
  return std::any_of(usage.flags.begin(), usage.flags.end(),
                     [letter](const ScriptOption& flag) { return flag.letter == letter; });
}

// Whether it has an option of its own for the number of a process.
bool takes_process(const dtrace::ScriptUsage& usage) {
  return std::any_of(usage.flags.begin(), usage.flags.end(), [](const ScriptOption& flag) {
    return flag.letter == 'p' && flag.name == "process" &&
           (flag.type == ScriptOption::Type::kInt || flag.type == ScriptOption::Type::kProcess);
  });
}

// How the process is given that the script is about; its own options come first.
std::vector<std::pair<std::string, std::string>> ways_to_target(const dtrace::ScriptUsage& usage) {
  std::vector<std::pair<std::string, std::string>> ways;
  const auto is_free = [&usage](char letter) {
    return std::none_of(usage.flags.begin(), usage.flags.end(),
                        [letter](const ScriptOption& flag) { return flag.letter == letter; });
  };
  if (usage.uses_target) {
    ways.emplace_back(is_free('c') ? "-c COMMAND" : "--command COMMAND",
                      takes_process(usage)
                          ? "runs this command, and looks only at it and what it starts"
                          : "runs this command, and looks at it");
  }
  if (usage.uses_target && is_free('p')) {
    ways.emplace_back("-p PID", "looks at this process");
  }
  return ways;
}

// Words in lines that a terminal of 80 columns shows whole; the lines behind the first one begin
// with `indent` blanks. A bracket holds blanks together.
std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t kColumns = 80;
  std::string out;
  std::size_t line = 0;
  bool is_first = true;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    for (bool is_inside = false; end < text.size() && (is_inside || text[end] != ' '); ++end) {
      is_inside = text[end] == '[' || (is_inside && text[end] != ']');
    }
    const std::string_view word = text.substr(at, end - at);
    if (!is_first && out.size() - line + 1 + word.size() > kColumns) {
      out += '\n';
      line = out.size();
      out.append(indent, ' ');
    } else if (!is_first) {
      out += ' ';
    }
    out += word;
    is_first = false;
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) {
    width = std::max(width, row.first.size());
  }
  std::string out;
  for (const auto& [left, right] : rows) {
    out += right.empty() ? fmt::format("  {}\n", left)
                         : fmt::format("  {:{}}  {}\n", left, width, right);
  }
  return out;
}

std::string script_name(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.size() > 2 && name.ends_with(".d")) {
    name.resize(name.size() - 2);
  }
  return name;
}

std::string script_usage_line(const std::string& path, const dtrace::ScriptUsage& usage) {
  std::string out = "usage: " + script_name(path);
  for (const ScriptOption& flag : usage.flags) {
    out += fmt::format(" [{}]", shown(flag));
  }
  for (const ScriptOption& argument : usage.arguments) {
    out += fmt::format(" [{}]", shown(argument));
  }
  for (std::size_t i = usage.arguments.size() + 1; i <= usage.positional; ++i) {
    out += fmt::format(" ARG{}", i);
  }
  const char* before = takes_process(usage) ? " [" : " ";
  const auto ways = ways_to_target(usage);
  for (const auto& [way, help] : ways) {
    out += std::exchange(before, " | ") + way;
  }
  if (!ways.empty() && takes_process(usage)) out += ']';
  return wrapped(out, std::string_view("usage: ").size() + script_name(path).size() + 1) + '\n';
}

std::string script_help(const std::string& path, const dtrace::ScriptUsage& usage) {
  const std::string& about = usage.summary.empty() ? usage.comment : usage.summary;
  std::string out;
  if (!about.empty()) {
    out += fmt::format("{}: {}\n", script_name(path), about);
  }
  out += script_usage_line(path, usage) + '\n';
  std::vector<std::pair<std::string, std::string>> rows;
  for (const ScriptOption& flag : usage.flags) {
    rows.emplace_back(shown(flag), help_of(flag));
  }
  for (const ScriptOption& argument : usage.arguments) {
    rows.emplace_back(shown(argument), help_of(argument));
  }
  for (const auto& way : ways_to_target(usage)) {
    rows.push_back(way);
  }
  rows.emplace_back("-h", "print this text");
  std::size_t column = 0;
  for (const auto& row : rows) column = std::max(column, row.first.size());
  for (const auto& [left, right] : rows) {
    constexpr std::size_t kBetween = 2;
    out += wrapped(fmt::format("  {:{}}  {}", left, column, right), column + 2 * kBetween) + '\n';
  }
  if (!usage.examples.empty()) {
    rows.clear();
    for (const dtrace::ScriptExample& example : usage.examples) {
      rows.emplace_back(example.command, example.help);
    }
    out += "\nexamples:\n" + two_columns(rows);
  }
  // Letters that are the script's have a long form.
  const auto spelled = [&usage](char letter, const char* short_form, const char* long_form) {
    return std::any_of(usage.flags.begin(), usage.flags.end(),
                       [letter](const ScriptOption& flag) { return flag.letter == letter; })
               ? long_form
               : short_form;
  };
  out += '\n' +
         wrapped(fmt::format("Other options are those of dtrace, such as -o FILE, {} and {}.",
                             spelled('c', "-c COMMAND", "--command COMMAND"),
                             spelled('x', "-x OPTION", "--OPTION=VALUE (--oformat=json)")),
                 0) +
         '\n';
  out +=
      "With --cgroup NAME, only threads of this control group are traced, such as\n"
      "nginx.service; with --zone NAME, of this container.\n";
  if (takes_process(usage) && !usage.uses_target) {
    out += fmt::format("With {}, -p '$target' is its process.\n",
                       spelled('c', "-c COMMAND", "--command COMMAND"));
  }
  return out;
}

bool is_option(std::string_view name) {
  const dtrace::Status set = dtrace::Options{}.set(name);
  return set.ok() || set.error().text != "Invalid option name";
}

std::string own_name(const dtrace::ScriptUsage& script, std::string name) {
  constexpr std::pair<std::string_view, std::string_view> kOfBcc[] = {
      {"pid", "process"}, {"tid", "thread"}, {"uid", "user"}, {"timestamp", "timestamps"}};
  const auto declares = [&script](std::string_view wanted) {
    return std::any_of(script.flags.begin(), script.flags.end(),
                       [wanted](const ScriptOption& flag) { return flag.name == wanted; });
  };
  for (const auto& [theirs, ours] : kOfBcc) {
    if (name == theirs && !declares(theirs) && declares(ours)) {
      return std::string(ours);
    }
  }
  return name;
}

std::string number_of_user(const std::string& name) {
  const struct passwd* const found = ::getpwnam(name.c_str());
  return found == nullptr ? name : fmt::format("{}", found->pw_uid);
}

std::string hint_of_letters(const std::string& path, const dtrace::ScriptUsage& usage,
                            const std::string& argument) {
  const std::string script = script_name(path);
  const auto is_flag = [&usage](char letter) {
    return std::any_of(usage.flags.begin(), usage.flags.end(), [letter](const ScriptOption& flag) {
      return flag.letter == letter && flag.type == ScriptOption::Type::kBool;
    });
  };
  if (is_flag('x') && is_option(argument.substr(0, argument.find('=')))) {
    return fmt::format("-x is an option of {} here: write --{}", script, argument);
  }
  return is_flag('c')
             ? fmt::format("-c is an option of {} here: to run a command, write --command '{}'",
                           script, argument)
             : "";
}

bool is_command(const std::string& word) {
  const auto runs = [](const std::string& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(file.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string::npos) return runs(word);
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    const std::string directory(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.size(), directory.size() + 1));
    if (runs(fmt::format("{}/{}", directory, word))) return true;
  }
  return false;
}

bool is_number(std::string_view argument) {
  return !argument.empty() && argument.find_first_not_of("0123456789") == std::string::npos;
}

std::string hint_of_word(const dtrace::ScriptUsage& usage, const std::string& argument) {
  const auto letter_of = [&usage](std::string_view name) {
    const auto flag = std::find_if(usage.flags.begin(), usage.flags.end(),
                                   [name](const ScriptOption& one) { return one.name == name; });
    return flag == usage.flags.end() ? '\0' : flag->letter;
  };
  if (is_number(argument)) {
    const char process = letter_of("process"), duration = letter_of("duration");
    // Behind other numbers, it may be one of them.
    if (std::any_of(usage.arguments.begin(), usage.arguments.end(), [](const ScriptOption& one) {
          return one.type != ScriptOption::Type::kString;
        })) {
      return {};
    }
    const std::string ends =
        duration != '\0' ? fmt::format("-{} {} ends after so many seconds", duration, argument)
                         : fmt::format("{} 'sleep {}' ends after so many seconds",
                                       has_letter(usage, 'c') ? "--command" : "-c", argument);
    return process == '\0' ? ends : fmt::format("did you mean -{} {}? {}", process, argument, ends);
  }
  const bool is_path = argument.starts_with('/');
  const char letter = letter_of(is_path ? "path" : "name");
  if (letter != '\0' && is_path) {
    return fmt::format("did you mean -{} {}?", letter, argument);
  }
  if (!is_command(argument)) return {};
  return fmt::format(
      "{} '{}' runs this command{}", has_letter(usage, 'c') ? "--command" : "-c", argument,
      letter == '\0' ? ""
                     : fmt::format("; -{} {} chooses programs of this name", letter, argument));
}

std::string hint_of_missing(const dtrace::ScriptUsage& usage, char letter) {
  switch (letter) {
    case 'd':
      return fmt::format("{} 'sleep 10' ends it after ten seconds",
                         has_letter(usage, 'c') ? "--command" : "-c");
    case 'i': {
      const bool has_interval = std::any_of(
          usage.arguments.begin(), usage.arguments.end(),
          [](const dtrace::ScriptOption& argument) { return argument.name == "interval"; });
      return has_interval ? "the interval is an argument without a letter" : "";
    }
    case 'j':
      return "--oformat=csv and --oformat=json print for other programs";
    default:
      return {};
  }
}

}  // namespace dt::cli
