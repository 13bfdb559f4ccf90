// dtrace(1)'s command line: options and their arguments, in any order, then the
// macro arguments.

#include "cli/command_line.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>

#include "cli/refused_words.h"
#include "cli/script_absent.h"
#include "cli/script_help.h"
#include "cli/tools.h"
#include "cli/words.h"
#include "support/file.h"
#include "support/nearest.h"
#include "support/result.h"
#include "support/whole_number.h"

namespace dt::cli {
namespace {

constexpr std::string_view kWithArgument = "bcDIUfimnopPrsxLX";
// Those of -x whose value may be a word of its own behind a script: --cgroup NAME.
constexpr std::string_view kWithValue[] = {"cgroup", "zone", "oformat"};
constexpr std::string_view kOfProbes = "Pmfin";  // with a description of probes
constexpr std::string_view kFlags = "lqvVeSwZChFHaAGBO";

constexpr const char* kInvalidValue = "Invalid value for specified option";

bool refuse(Refusal& refusal, int status, std::string text, bool show_usage = false,
            std::string hint = {}) {
  refusal = Refusal{status, std::move(text), show_usage, std::move(hint)};
  return false;
}

class Parser {
 public:
  Parser(CommandLine& line, Refusal& refusal) : line_(line), refusal_(refusal) {}

  bool parse(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "--") {
        line_.macro_args.insert(line_.macro_args.end(),
                                words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
        break;
      }
      if (word.rfind("--", 0) == 0) {
        if (declares() ? !long_script_option(words, i) : !long_option(words, i)) {
          return false;
        }
        continue;
      }
      if (word == "-64") {  // the only model of data that there is here
        continue;
      }
      if (word == "-32") {
        return refuse(refusal_, kError, "option -32 is not supported: programs here have 64 bits");
      }
      if (word.size() < 2 || word[0] != '-') {
        line_.macro_args.push_back(word);
        continue;
      }
      if (!cluster(words, i)) return false;
    }
    return finish();
  }

 private:
  bool long_option(const std::vector<std::string>& words, std::size_t& i) {
    const std::string& word = words[i];
    constexpr std::string_view kLibxo = "--libxo=";  // of FreeBSD
    if (word.starts_with(kLibxo)) {
      return with_argument('x', "oformat=" + word.substr(kLibxo.size()));
    }
    if (word == kLibxo.substr(0, kLibxo.size() - 1)) {
      return ++i < words.size()
                 ? with_argument('x', "oformat=" + words[i])
                 : refuse(refusal_, kUsage, "option requires an argument -- 'libxo'", true);
    }
    if (word == "--help") {
      line_.mode = Mode::kHelp;
    } else if (word == "--version") {
      line_.mode = Mode::kOwnVersion;
    } else if (word == "--anonymous") {
      line_.mode = Mode::kServe;
    } else if (word == "--tools") {
      line_.mode = Mode::kTools;
    } else if (word == "--self-test") {
      line_.mode = Mode::kSelfTest;
    } else {
      return refuse(refusal_, kUsage, fmt::format("unrecognized option '{}'", word), true,
                    long_option_hint(word));
    }
    return true;
  }

  // ---- Options that the script declares ----

  const dtrace::ScriptOption* script_flag(char letter) const {
    for (const dtrace::ScriptOption& flag : line_.script.flags) {
      if (flag.letter == letter) {
        return &flag;
      }
    }
    return nullptr;
  }

  // Whether letters and words are the script's before they are those of dtrace.
  bool declares() const { return line_.script.has_options() || !line_.script.summary.empty(); }

  bool refuse_script(std::string text) {
    refusal_.status = kUsage;
    refusal_.text = std::move(text);
    refusal_.usage = script_usage_line(line_.script_path, line_.script);
    refusal_.speaker = script_name(line_.script_path);
    return false;
  }

  bool set_script_option(const dtrace::ScriptOption& option, const std::string& shown,
                         std::string value) {
    if (option.type == dtrace::ScriptOption::Type::kUser) {
      value = number_of_user(value);
    }
    if (const dtrace::Status status = option.check(value); !status.ok()) {
      return refuse_script(fmt::format("option {}: {}", shown, status.error().text));
    }
    // A flag by the name of a format, such as -f of profile, prints in this format.
    if (value == "1" && is_format(option) && !with_argument('x', "oformat=" + option.name)) {
      return false;
    }
    line_.named_args.emplace_back(option.name, std::move(value));
    return true;
  }

  // --help, --NAME, --NAME=VALUE or --NAME VALUE. Options of dtrace have a long form here, as their
  // letter may be the script's: --command is -c, and those of -x have their own names.
  bool long_script_option(const std::vector<std::string>& words, std::size_t& i) {
    const std::string& word = words[i];
    if (word == "--help") {
      line_.mode = Mode::kScriptHelp;
      return true;
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = own_name(line_.script, word.substr(2, equals - 2));
    const auto take_value = [&](std::string& value) {
      if (equals < word.size()) {
        value = word.substr(equals + 1);
        return true;
      }
      if (++i >= words.size()) {
        return refuse_script(fmt::format("option --{} needs a value", name));
      }
      value = words[i];
      return true;
    };
    std::string value;
    std::vector<std::string_view> names(std::begin(kWithValue), std::end(kWithValue));
    names.emplace_back("command");
    for (const dtrace::ScriptOption& flag : line_.script.flags) {
      names.push_back(flag.name);
      if (flag.name != name) {
        continue;
      }
      if (equals == word.size() && flag.type == dtrace::ScriptOption::Type::kBool) {
        return set_script_option(flag, "--" + name, "1");
      }
      return take_value(value) && set_script_option(flag, "--" + name, value);
    }
    if (name == "command") {
      return take_value(value) && with_argument('c', value);
    }
    if (std::find(std::begin(kWithValue), std::end(kWithValue), name) != std::end(kWithValue)) {
      return take_value(value) && with_argument('x', fmt::format("{}={}", name, value));
    }
    if (is_option(name)) {
      return with_argument('x', word.substr(2));
    }
    const std::string near = support::nearest(name, names);
    refuse_script(fmt::format("option --{} does not exist", name));
    refusal_.hint = near.empty() ? "" : fmt::format("did you mean --{}?", near);
    return false;
  }

  // `-s syscost -c ls -l`: the command would not run, and its probes be listed.
  bool check_list() {
    if (!declares() || line_.commands.size() != 1) return true;
    refuse_script("-l, behind -c, lists probes and runs no command");
    refusal_.hint = fmt::format(
        "quote a command with its options: -c '{} -l'; to list probes, write -l before -s",
        line_.commands.front());
    return false;
  }

  // `-c ls /tmp`: the command is one word of the shell.
  std::string hint_of_argument(const std::string& word) const {
    return line_.commands.size() != 1
               ? hint_of_word(line_.script, word)
               : fmt::format("quote a command with its arguments: -c '{} {}'",
                             line_.commands.front(), word);
  }

  // Behind the declared arguments, $N counts on.
  bool check_script_arguments() {
    const dtrace::ScriptUsage& script = line_.script;
    for (std::size_t i = 0; i < line_.macro_args.size() && declares(); ++i) {
      if (i >= script.arguments.size()) {
        if (i < script.positional) {
          return true;
        }
        refuse_script(fmt::format("there is one argument too many: '{}'", line_.macro_args[i]));
        refusal_.hint = hint_of_letters(line_.script_path, line_.script, line_.macro_args[i]);
        if (refusal_.hint.empty()) refusal_.hint = hint_of_argument(line_.macro_args[i]);
        return false;
      }
      write_terminal(script.arguments[i], line_.macro_args[i]);
      const dtrace::Status status = script.arguments[i].check(line_.macro_args[i]);
      if (!status.ok()) {
        refuse_script(
            fmt::format("{}: {}", script.arguments[i].name, status.error().text));  // no name
        refusal_.hint = hint_of_argument(line_.macro_args[i]);
        return false;
      }
      // The compiler's message would be about the line of the script.
      const Unmatched unmatched = find_unmatched(script.arguments[i], line_.macro_args[i]);
      if (!unmatched.text.empty()) {
        refuse_script(unmatched.text);
        refusal_.hint =
            unmatched.hint.empty() ? hint_of_argument(line_.macro_args[i]) : unmatched.hint;
        return false;
      }
    }
    return true;
  }

  // `-s opensnoop -n 'BEGIN { ... }'`: nothing has such a name, and the tool would show nothing.
  bool refuse_program(std::string_view name, std::string_view given) {
    refuse_script(fmt::format("option -n: '{}' is a program, and -n is the {} here", given, name));
    refusal_.hint = fmt::format("programs stand before the script: dtrace -n '...' -s {}",
                                script_name(line_.script_path));
    return false;
  }

  bool refuse_letter(char letter) {
    refuse_script(fmt::format("option -{} does not exist", letter));
    refusal_.hint = hint_of_missing(line_.script, letter);
    return false;
  }

  // One word of clustered letters; `i` moves on when the argument is the next word.
  bool cluster(const std::vector<std::string>& words, std::size_t& i) {
    const std::string& word = words[i];
    for (std::size_t at = 1; at < word.size(); ++at) {
      const char letter = word[at];
      if (const dtrace::ScriptOption* const flag = script_flag(letter)) {
        if (flag->type == dtrace::ScriptOption::Type::kBool) {
          if (!set_script_option(*flag, "", "1")) return false;
          continue;
        }
        std::string given = word.substr(at + 1);
        if (given.empty()) {
          if (++i >= words.size()) {
            return refuse_script(fmt::format("option -{} needs a value", letter));
          }
          given = words[i];
        }
        if (letter == 'n' && is_program(given)) {
          return refuse_program(flag->name, given);
        }
        if (const std::string why = letter == 'n' ? why_no_name(*flag, given) : ""; !why.empty()) {
          return refuse_script("option -n: " + why);
        }
        // Names of programs have a slash or a blank only by chance, and nothing would be shown.
        if (letter == 'c' && given.find_first_of(" /") != std::string::npos &&
            is_command(given.substr(0, given.find(' ')))) {
          refuse_script(fmt::format("option -c: '{}' is a command, and -c is the {} here", given,
                                    flag->name));  // no name
          refusal_.hint = fmt::format("to run it, write --command '{}'", given);
          return false;
        }
        return set_script_option(*flag, fmt::format("-{}", letter), std::move(given));
      }
      if (letter == 'h' && declares()) {
        line_.mode = Mode::kScriptHelp;
        return true;
      }
      if (kWithArgument.find(letter) != std::string_view::npos) {
        std::string argument = word.substr(at + 1);
        if (argument.empty()) {
          if (++i >= words.size()) {
            if (declares()) return refuse_script(fmt::format("option -{} needs a value", letter));
            return refuse(refusal_, kUsage,
                          fmt::format("option requires an argument -- '{}'", letter), true,
                          missing_argument_hint(letter));
          }
          argument = words[i];
        }
        // `opensnoop -P 1`: no provider and no function has a number as its name.
        if (declares() && kOfProbes.find(letter) != std::string_view::npos && is_number(argument)) {
          return refuse_letter(letter);
        }
        return with_argument(letter, argument);
      }
      // dtrace's own -a takes no script.
      const bool is_unknown = kFlags.find(letter) == std::string_view::npos;
      if (declares() && (is_unknown || letter == 'a')) return refuse_letter(letter);
      if (is_unknown) {
        return refuse(refusal_, kUsage, fmt::format("invalid option -- '{}'", letter), true);
      }
      if (!flag(letter)) {
        return false;
      }
    }
    return true;
  }

  bool flag(char letter) {
    if (const char* const option = option_of_letter(letter)) {
      return line_.options.set(option).ok();  // it can be set always
    }
    switch (letter) {
      case 'l':
        return check_list() && mode(Mode::kList, letter);
      case 'V':
        return mode(Mode::kVersion, letter);
      case 'h':
        return mode(Mode::kHelp, letter);
      case 'G':
        return mode(Mode::kObject, letter);
      case 'e':
        compile_only_ = true;
        return true;
      case 'S':
        line_.disassemble = true;
        return true;
      case 'A':
        return mode(Mode::kSave, letter);
      case 'a':
        claims_ = true;
        return true;
      case 'B':
        line_.unbuffered = true;
        return true;
      case 'O':  // of FreeBSD: structured output has all aggregations at its end, as here always
        return true;
      default:
        return refuse(refusal_, kUsage, fmt::format("option -{} is not supported", letter));
    }
  }

  bool mode(Mode wanted, char letter) {
    if (mode_letter_ != '\0' && mode_letter_ != letter) {
      return refuse(refusal_, kUsage,
                    "only one of the [-AGhlV] options can be specified at a time");
    }
    mode_letter_ = letter;
    line_.mode = wanted;
    return true;
  }

  bool with_argument(char letter, const std::string& argument) {
    if (const char* const name = option_of_letter(letter)) {
      return option(fmt::format("{}={}", name, argument), {'-', letter}, argument);
    }
    switch (letter) {
      case 'n':
        return program(dtrace::Program::Kind::kName, argument);
      case 'P':
        return program(dtrace::Program::Kind::kProvider, argument);
      case 'm':
        return program(dtrace::Program::Kind::kModule, argument);
      case 'f':
        return program(dtrace::Program::Kind::kFunction, argument);
      case 'i':
        return program(dtrace::Program::Kind::kId, argument);
      case 's':
        return script(argument);
      case 'o':
        if (argument.empty()) return refuse(refusal_, kUsage, "option -o needs the name of a file");
        line_.output = argument;
        return true;
      case 'c':
        line_.commands.push_back(argument);
        return true;
      case 'p':
        return pid(argument);
      case 'r':
        if (argument.empty()) {
          return refuse(refusal_, kUsage, "option -r needs the name of a recording");
        }
        if (!line_.recording.empty()) {
          return refuse(refusal_, kUsage, "only one recording can be replayed: -r is given twice");
        }
        line_.recording = argument;
        return true;
      case 'b':
        return option(argument.empty() ? "" : "bufsize=" + argument, "-b", argument);
      case 'x':
        return option(argument, "-x", argument.substr(0, argument.find('=')));
      default:
        return refuse(refusal_, kUsage, fmt::format("option -{} is not supported", letter));
    }
  }

  // -s: a file, or else a tool by its name.
  bool script(std::string path) {
    struct stat status {};
    const bool exists = path == "-" || ::stat(path.c_str(), &status) == 0;
    if (!exists || S_ISDIR(status.st_mode) || is_other_program(path)) {
      if (std::optional<std::string> tool = find_tool(path)) {
        path = std::move(*tool);
      } else if (const std::string near = nearest_tool(path); !exists && !near.empty()) {
        return refuse(refusal_, kError,
                      fmt::format("failed to open {}: {}", path, std::strerror(errno)), false,
                      fmt::format("did you mean the tool {}?", near));
      }
    }
    return program(dtrace::Program::Kind::kScript, path);
  }

  bool program(dtrace::Program::Kind kind, const std::string& text) {
    line_.programs.push_back({kind, text});
    // From here on, letters are first of all those of the script. A file that cannot be read is
    // reported when it is compiled.
    // What can be read only once is left to the compiler, too.
    struct stat status {};
    if (kind == dtrace::Program::Kind::kScript && ::stat(text.c_str(), &status) == 0 &&
        S_ISREG(status.st_mode)) {
      if (const Result<std::string> content = support::read_file(text); content.ok()) {
        line_.script_path = text;
        line_.script = dtrace::script_usage(*content);
      }
    }
    return true;
  }

  // The option of a tool says which process its arguments mean, also beside `-c 'sleep 10'`, which
  // says how long. Without -c, it is the process of dtrace's own -p.
  bool take_target() {
    const auto given = std::find_if(
        line_.named_args.begin(), line_.named_args.end(),
        [](const auto& one) { return one.first == "process" && one.second != "$target"; });
    if (given == line_.named_args.end() || !line_.pids.empty()) {
      return true;
    }
    if (!line_.commands.empty()) {
      write_target(line_.macro_args, given->second);
      return true;
    }
    return !names_target(line_.macro_args) || pid(given->second);
  }

  // `memleak -p 1234 -c 'sleep 10'` would look at sleep, and not at 1234.
  bool check_one_target() {
    const dtrace::ScriptUsage& script = line_.script;
    if (!declares() || !script.uses_target || line_.commands.empty() || line_.pids.empty()) {
      return true;
    }
    refuse_script("-c and -p each say which process is looked at: only one can be given");
    refusal_.hint = fmt::format("'timeout -s INT 10 dtrace -s {} -p {}' ends after ten seconds",
                                script_name(line_.script_path), line_.pids.front());
    return false;
  }

  // `-p '$target'` beside -c is the command, which tools with an option of their own take, too.
  bool pid(const std::string& text) {
    if (text == "$target") {
      names_target_ = true;
      return true;
    }
    // Blanks, such as those of `-p "$(pgrep -n ...)"` and ps(1), may stand before the number.
    const std::size_t begin = std::min(text.find_first_not_of(" \t\n"), text.size());
    const auto pid = support::whole_number<std::int32_t>(std::string_view(text).substr(begin));
    if (!pid || *pid <= 0) {
      const bool is_name = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
      return refuse(refusal_, kError, fmt::format("invalid pid: {}", text), false,
                    is_name ? fmt::format("-p takes a number: pgrep -n {} prints it", text) : "");
    }
    line_.pids.push_back(*pid);
    return true;
  }

  bool option(std::string_view text, const std::string& letter, const std::string& shown) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const bool bare = equals == std::string_view::npos;
    const std::string_view value = bare ? "" : text.substr(equals + 1);
    dtrace::Status status = line_.options.set(name, value);
    if (status.ok() && !bare && value.empty()) {  // "quiet" is a value, "quiet=" is half of one
      status = dtrace::Error{kInvalidValue, 0, "a value belongs behind '='", "", ""};
    }
    if (!status.ok()) {
      const dtrace::Error& error = status.error();
      Refusal refusal{kError, fmt::format("failed to set {} {}: {}", letter, shown, error.text),
                      false, error.remedy};
      const bool may_pass = error.text != kInvalidValue && is_of_linking(name);
      (may_pass ? of_linking_ : refusal_) = std::move(refusal);
      return may_pass;
    }
    return true;
  }

  bool finish() {
    if (line_.mode != Mode::kScriptHelp && !check_script_arguments()) {
      return false;
    }
    const bool is_file_made = mode_letter_ == 'h' || line_.mode == Mode::kObject;
    if (line_.output == "-") line_.output = is_file_made ? "/dev/stdout" : "";
    if (mode_letter_ == 'h' && !line_.programs.empty()) {
      // A script that defines no provider says how it is used itself.
      const bool is_plain_script =
          line_.programs.size() == 1 && !line_.script_path.empty() && !line_.script.has_providers;
      line_.mode = is_plain_script && line_.output.empty() ? Mode::kScriptHelp : Mode::kHeader;
    }
    if (line_.mode == Mode::kScriptHelp) {
      return true;
    }
    leave_out_names_of_probes(line_.script, line_.macro_args);
    if (!take_target() || !check_one_target()) {
      return false;
    }
    if (names_target_ && line_.commands.empty()) {
      return refuse(refusal_, kError, "invalid pid: $target", false,
                    "$target is the process of a command: -c COMMAND");
    }
    if (mode_letter_ == 'h' && !line_.macro_args.empty()) {
      return refuse(refusal_, kUsage,
                    line_.programs.empty()
                        ? "option -h needs a script with providers: -s provider.d"
                        : fmt::format("option -h takes nothing but -s: '{}'", line_.macro_args[0]));
    }
    if (line_.mode == Mode::kObject && line_.programs.empty()) {
      return refuse(refusal_, kUsage, "option -G needs a script with providers: -s provider.d");
    }
    if (!of_linking_.text.empty() && line_.mode != Mode::kHeader && line_.mode != Mode::kObject) {
      refusal_ = of_linking_;
      return false;
    }
    if (!line_.recording.empty()) {
      const bool traces = claims_ || compile_only_ || line_.disassemble ||
                          !line_.programs.empty() || !line_.commands.empty() ||
                          !line_.pids.empty() || !line_.macro_args.empty() ||
                          (line_.mode != Mode::kTrace && line_.mode != Mode::kList);
      const std::string why = why_not_replayed(line_.options, traces);
      if (!why.empty()) return refuse(refusal_, kUsage, why);
    }
    if (claims_ && (line_.mode != Mode::kTrace || !line_.programs.empty() ||
                    !line_.commands.empty() || !line_.pids.empty())) {
      return refuse(refusal_, kUsage,
                    "-a shows what was saved by -A: it takes no programs, -c or -p");
    }
    if (claims_) {
      line_.mode = compile_only_ ? Mode::kClaimAndEnd : Mode::kClaim;
    }
    if (compile_only_ && line_.mode == Mode::kTrace) {
      line_.mode = Mode::kCompileOnly;
    }
    return line_.mode != Mode::kTrace || check_absent();
  }

  bool check_absent() {
    const Absent absent = find_absent(line_.script, line_.named_args, line_.macro_args);
    const bool waits = absent.may_come && line_.options.flag("zdefs");
    if (absent.text.empty() || waits) {
      return true;
    }
    refuse_script(absent.text);
    refusal_.hint = hint_of(absent);
    return false;
  }

  CommandLine& line_;
  Refusal& refusal_;
  Refusal of_linking_ = {};  // of an option that only build lines have
  bool compile_only_ = false;
  bool claims_ = false;        // -a
  bool names_target_ = false;  // -p '$target'
  char mode_letter_ = '\0';
};

}  // namespace

bool parse_command_line(int argc, char** argv, CommandLine& line, Refusal& refusal) {
  // As in Oracle's dtrace: expected outputs of tests are written for rows without changing numbers.
  if (std::getenv("_DTRACE_TESTING") != nullptr && !line.options.set("bare").ok()) {
    return false;
  }
  return Parser(line, refusal).parse(split_interpreter_line(argc, argv, kWithArgument));
}

}  // namespace dt::cli
