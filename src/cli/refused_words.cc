#include "cli/refused_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "support/nearest.h"

namespace dt::cli {
namespace {

// Those of -x that say whose threads are traced: options behind a tool.
constexpr std::string_view kWhoseThreads[] = {"cgroup", "zone"};

// Long words that other commands have for options which are letters here.
struct Letter {
  std::string_view word, option;
};
constexpr Letter kLetters[] = {
    {"quiet", "-q"},           {"verbose", "-v"},           {"output", "-o FILE"},
    {"command", "-c COMMAND"}, {"pid", "-p PID"},           {"script", "-s FILE"},
    {"name", "-n PROGRAM"},    {"option", "-x NAME=VALUE"}, {"include", "-I DIR"},
    {"define", "-D NAME"},     {"destructive", "-w"},
};

struct Argument {
  char letter;
  std::string_view hint;
};
constexpr Argument kArguments[] = {
    {'b', "-b takes a size: -b 4m"},
    {'c', "-c takes a command, in quotes if it has arguments: -c 'ls -l'"},
    {'D', "-D takes a name, with a value if wanted: -D LIMIT=10"},
    {'f', "-f takes a function: -f read"},
    {'i', "-i takes the ID of a probe, which -l shows: -i 1"},
    {'I', "-I takes a directory of files for #include"},
    {'L', "-L takes a directory of D libraries"},
    {'m', "-m takes a module: -m vmlinux"},
    {'n', "-n takes a program: -n 'syscall:::entry { @[execname] = count(); }'"},
    {'o', "-o takes the name of a file"},
    {'p', "-p takes the ID of a process: -p 1234"},
    {'P', "-P takes a provider: -P proc"},
    {'r', "-r takes a recording, which -x record=FILE makes"},
    {'s', "-s takes a file, or the name of a tool, which --tools lists: -s opensnoop"},
    {'U', "-U takes the name of a macro"},
    {'x', "-x takes an option: -x bufsize=4m"},
    {'X', "-X takes one of the letters a, c, s and t"},
};

constexpr std::string_view kOfLinking[] = {"lazyload", "linkmode", "linktype", "strip"};

}  // namespace

std::string long_option_hint(const std::string& word) {
  const std::string name = word.substr(2, std::min(word.find('='), word.size()) - 2);
  if (std::find(std::begin(kWhoseThreads), std::end(kWhoseThreads), name) !=
      std::end(kWhoseThreads)) {
    return fmt::format("-x {}=NAME", name);
  }
  if (name == "list") return "-l lists probes, and --tools scripts";
  std::vector<std::string_view> known = {"help", "version", "tools", "self-test", "anonymous"};
  for (const Letter& letter : kLetters) {
    if (letter.word == name) return fmt::format("did you mean {}?", letter.option);
    known.push_back(letter.word);
  }
  const std::string near = support::nearest(name, known);
  for (const Letter& letter : kLetters) {
    if (letter.word == near) return fmt::format("did you mean {}?", letter.option);
  }
  return near.empty() ? "" : fmt::format("did you mean --{}?", near);
}

std::string missing_argument_hint(char letter) {
  for (const Argument& argument : kArguments) {
    if (argument.letter == letter) return std::string(argument.hint);
  }
  return {};
}

bool is_of_linking(std::string_view option) {
  return std::find(std::begin(kOfLinking), std::end(kOfLinking), option) != std::end(kOfLinking);
}

std::string why_not_replayed(const dtrace::Options& options, bool is_asked) {
  const auto has = [&options](const char* option) { return !options.get(option).empty(); };
  if (is_asked || options.flag("destructive") || has("record") || has("dump") || has("stop")) {
    return "-r replays a recording: it takes -l, -o, -q, -B, -v and options of output only";
  }
  const std::string unused = options.unused_on_replay();
  return unused.empty()
             ? ""
             : fmt::format("-r replays a recording: option '{}' concerns tracing", unused);
}

}  // namespace dt::cli
