// See words.h.

#include "cli/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "cli/script_help.h"

namespace dt::cli {
namespace {

constexpr std::string_view kTarget = "$target";
constexpr std::string_view kFormats[] = {"csv", "folded", "json"};
constexpr std::size_t kNameChars = 15;  // of a program, which Linux keeps

}  // namespace

// "#!/usr/sbin/dtrace -qs -x dynvarsize=64m" reaches us as one argument: the
// words after the cluster are options of their own, and the script's name, the
// next argument, belongs to the s that ends the cluster.
std::vector<std::string> split_interpreter_line(int argc, char** argv,
                                                std::string_view with_argument) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2 || words[0].size() < 2 || words[0][0] != '-') {
    return words;
  }
  if (words[0].size() > 2 && words[0].ends_with("s\r")) {  // a script with DOS line ends
    words[0].pop_back();
  }
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < words[0].size()) {
    const std::size_t end = std::min(words[0].find_first_of(" \t\r", at), words[0].size());
    if (end > at) {
      parts.push_back(words[0].substr(at, end - at));
    }
    at = end + 1;
  }
  if (parts.size() < 2 || parts[0].back() != 's' ||
      parts[0].find_first_of(with_argument, 1) != parts[0].size() - 1) {
    return words;
  }
  std::vector<std::string> out;
  parts[0].pop_back();
  if (parts[0] != "-") {
    out.push_back(parts[0]);
  }
  out.insert(out.end(), parts.begin() + 1, parts.end());
  out.emplace_back("-s");
  out.insert(out.end(), words.begin() + 1, words.end());
  return out;
}

const char* option_of_letter(char letter) {
  constexpr std::pair<char, const char*> kOptions[] = {
      {'q', "quiet"}, {'v', "verbose"}, {'w', "destructive"}, {'F', "flowindent"},
      {'Z', "zdefs"}, {'C', "cpp"},     {'H', "cpphdrs"},     {'L', "libdir"},
      {'X', "stdc"},  {'D', "define"},  {'U', "undef"},       {'I', "incdir"}};
  for (const auto& [one, option] : kOptions) {
    if (one == letter) return option;
  }
  return nullptr;
}

bool is_program(std::string_view text) {
  return text.find('{') != std::string_view::npos || std::count(text.begin(), text.end(), ':') > 2;
}

// By its help, "programs whose name contains this", as other options are called so, too.
std::string why_no_name(const dtrace::ScriptOption& flag, const std::string& name) {
  if (name.size() <= kNameChars || flag.help.find("programs") == std::string::npos) {
    return "";
  }
  return fmt::format("Linux keeps {} characters of the name of a program: '{}'", kNameChars,
                     name.substr(0, kNameChars));
}

void leave_out_names_of_probes(const dtrace::ScriptUsage& script,
                               std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < std::min(arguments.size(), script.arguments.size()); ++i) {
    for (const std::string_view name : {":entry", ":return"}) {
      if (script.arguments[i].name == "function" && arguments[i].ends_with(name)) {
        arguments[i].resize(arguments[i].size() - name.size());
        break;
      }
    }
  }
}

bool names_target(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const std::string& word) {
    return word.find(kTarget) != std::string::npos;
  });
}

void write_target(std::vector<std::string>& arguments, const std::string& process) {
  for (std::string& word : arguments) {
    for (std::size_t at = word.find(kTarget); at != std::string::npos;
         at = word.find(kTarget, at)) {
      word.replace(at, kTarget.size(), process);
      at += process.size();
    }
  }
}

bool is_format(const dtrace::ScriptOption& flag) {
  return flag.type == dtrace::ScriptOption::Type::kBool &&
         std::find(std::begin(kFormats), std::end(kFormats), flag.name) != std::end(kFormats);
}

void write_terminal(const dtrace::ScriptOption& argument, std::string& given) {
  if (argument.type != dtrace::ScriptOption::Type::kTerminal) return;
  if (is_number(given)) given.insert(0, "pts/");
  if (given.starts_with("pts/")) given.insert(0, "/dev/");
}

Unmatched find_unmatched(const dtrace::ScriptOption& argument, const std::string& given) {
  const std::string& option = argument.name;  // one of two words
  if (option != "function" && option != "probes") return {};
  if (is_number(given)) {
    return {fmt::format("{}: '{}' is a number, not {}", option, given, argument.help), ""};
  }
  const std::string meant = dtrace::description_of_bcc(given, option == "function");
  if (meant.empty()) return {};
  const char* const more =
      meant.starts_with("pid*") ? "; pid1234 instead of pid* is one process" : "";
  return {fmt::format("{}: '{}' describes no probes", option, given),
          fmt::format("in D, this is '{}'{}", meant, more)};
}

}  // namespace dt::cli
