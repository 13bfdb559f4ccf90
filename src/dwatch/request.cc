// See request.h.

#include "dwatch/request.h"

#include <fmt/core.h>
#include <getopt.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "support/file.h"
#include "support/whole_number.h"

namespace dt::dwatch {
namespace {

constexpr const char* kLetters = ":1B:c:dE:efFg:hj:k:K:lmnN:o:O:p:PqQr:Rt:T:u:vVwxX:yz:";
// Each word is a search of its own in the program that the kernel runs.
constexpr std::uint64_t kMostWords = 64;
// Up to 15, each directory is a copy of the path in that program; more are the whole path.
constexpr std::uint64_t kMostDirectories = 64;
// Of --cgroup, which has no letter.
constexpr int kCgroup = 0x100;

Result<std::uint64_t> number(char letter, std::string_view text, std::uint64_t most) {
  const auto value = support::whole_number<std::uint64_t>(text);
  if (!value || *value > most) {
    return Error::of(fmt::format("-{}: '{}' is not a number up to {}", letter, text, most));
  }
  return *value;
}

// "5", "5s", "2m" or "1h" as a time of a tick probe.
Result<std::string> duration(std::string_view text) {
  const std::string_view unit = text.empty() || (text.back() >= '0' && text.back() <= '9')
                                    ? ""
                                    : text.substr(text.size() - 1);
  const std::string_view digits = text.substr(0, text.size() - unit.size());
  const Result<std::uint64_t> count = number('T', digits, std::numeric_limits<std::int32_t>::max());
  if (!count.ok() || *count == 0 || (!unit.empty() && unit.find_first_of("smhd") != 0)) {
    return Error::of(fmt::format("-T: '{}' is not a time such as 5, 5s, 2m or 1h", text));
  }
  return fmt::format("{}{}", *count, unit.empty() ? "s" : unit);
}

// "-" is standard input.
Status add_code(std::vector<std::string>& all, char letter, const char* text) {
  if (std::string_view(text) != "-") {
    all.emplace_back(text);
    return {};
  }
  DT_ASSIGN(std::string read, support::read_file("-"));
  if (read.find_first_not_of(" \t\n") == std::string::npos) {
    return Error::of(fmt::format("-{} -: there is nothing in standard input", letter));
  }
  all.push_back(std::move(read));
  return {};
}

// The name becomes an option in the script, where blanks end it. systemd escapes them, and engines
// of containers use none.
Result<std::string> name_of(std::string_view option, std::string_view what, std::string_view name) {
  for (const char c : name) {
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) {
      return Error::of(
          fmt::format("{}: '{}' has a blank or a control character in it", option, name));
    }
  }
  if (name.empty()) {
    return Error::of(fmt::format("{} needs the name of a {}", option, what));
  }
  return std::string(name);
}

// What an option can have no value without: "-k ''" would watch, and never show anything.
Status check_value(char letter, std::string_view value) {
  constexpr std::string_view kNeedOne = "cgkOoprtuXz";
  if (value.empty() && kNeedOne.find(letter) != std::string_view::npos) {
    return Error::of(fmt::format("-{} needs a value", letter));
  }
  const bool has_two = letter == 'k' && value.size() > 2 &&
                       value.substr(1, value.size() - 2).find('*') != std::string_view::npos;
  if (has_two) {
    return Error::of(fmt::format("-k: '{}' has an asterisk between other characters", value),
                     "-z takes regular expressions: -z '^a.*b$'");
  }
  return {};
}

// What an option that may be given several times is added to; null: another letter.
std::vector<std::string>* list_of(Request& request, char letter) {
  switch (letter) {
    case 'g':
      return &request.groups;
    case 'k':
      return &request.names;
    case 'p':
      return &request.pids;
    case 'u':
      return &request.users;
    case 'O':
      return &request.commands;
    default:
      return nullptr;
  }
}

// Options that have a value; false: another letter.
Result<bool> take_value(Request& request, char letter, const char* value) {
  DT_TRY(check_value(letter, value));
  if (std::vector<std::string>* const list = list_of(request, letter)) {
    list->emplace_back(value);
    return true;
  }
  switch (letter) {
    case 'B': {
      DT_ASSIGN(const std::uint64_t count, number(letter, value, kMostWords));
      request.most_words = count;
      return true;
    }
    case 'K': {
      DT_ASSIGN(request.most_directories, number(letter, value, kMostDirectories));
      return true;
    }
    case 'N': {
      DT_ASSIGN(request.most_events,
                number(letter, value, std::numeric_limits<std::uint64_t>::max()));
      return true;
    }
    case 'j': {
      DT_ASSIGN(std::string zone, name_of("-j", "zone", value));
      // FreeBSD's number of what is in no jail.
      request.zones.push_back(zone == "0" ? "global" : std::move(zone));
      return true;
    }
    case 'T': {
      DT_ASSIGN(request.duration, duration(value));
      return true;
    }
    case 'E':
      DT_TRY(add_code(request.details, letter, value));
      return true;
    case 't':
      DT_TRY(add_code(request.tests, letter, value));
      return true;
    case 'c':
      request.target_command = value;
      return true;
    case 'o':
      request.output = value;
      return true;
    case 'r':
      request.block_pattern = value;
      return true;
    case 'z':
      request.process_pattern = value;
      return true;
    case 'X':
      if (!request.profile.empty()) {
        return Error::of(
            fmt::format("-X: '{}' is a second profile, after '{}'", value, request.profile),
            "one dwatch watches one profile; several probes can be named");
      }
      request.profile = value;
      return true;
    default:
      return false;
  }
}

bool take_letter(Request& request, char letter) {
  switch (letter) {
    case '1':
      request.has_tree = false;
      return true;
    case 'R':
      request.has_tree = true;
      return true;
    case 'd':
      request.shows_script = true;
      return true;
    case 'e':
      request.only_compiles = true;
      return true;
    case 'F':
      request.is_flow = true;
      return true;
    case 'P':
      request.field = Field::kProvider;
      return true;
    case 'm':
      request.field = Field::kModule;
      return true;
    case 'f':
      request.field = Field::kFunction;
      return true;
    case 'n':
      request.field = Field::kName;
      return true;
    case 'q':
      request.is_quiet = true;
      return true;
    case 'v':
      request.is_verbose = true;
      return true;
    case 'w':
      request.is_destructive = true;
      return true;
    case 'x':
      request.has_probe_id = true;
      return true;
    case 'y':
      request.is_console = true;
      return true;
    case 'h':
      request.mode = Mode::kHelp;
      return true;
    case 'V':
      request.mode = Mode::kVersion;
      return true;
    case 'l':
      request.mode = Mode::kListProbes;
      return true;
    case 'Q':
      request.mode = Mode::kListProfiles;
      return true;
    default:
      return false;
  }
}

// Behind --, -c and -p are options of dtrace: what is $target.
Status take_targets(Request& request) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < request.words.size(); ++i) {
    const std::string& word = request.words[i];
    if ((word != "-c" && word != "-p") || i + 1 == request.words.size()) {
      words.push_back(word);
    } else if (word == "-c") {
      request.target_command = request.words[++i];
    } else {
      DT_ASSIGN(const std::uint64_t pid,
                number('p', request.words[++i], std::numeric_limits<std::int32_t>::max()));
      request.targets.push_back(static_cast<std::int32_t>(pid));
    }
  }
  request.words = std::move(words);
  return {};
}

}  // namespace

Result<Request> parse_request(int argc, char** argv) {
  Request request;
  ::optind = 0;  // glibc begins anew
  ::opterr = 0;
  constexpr option kWords[] = {{"cgroup", required_argument, nullptr, kCgroup},
                               {"help", no_argument, nullptr, 'h'},
                               {"version", no_argument, nullptr, 'V'},
                               {"zone", required_argument, nullptr, 'j'},
                               {}};
  for (int letter = 0; (letter = ::getopt_long(argc, argv, kLetters, kWords, nullptr)) != -1;) {
    if (letter == '?' && ::optopt == 0) {
      return Error::of(fmt::format("there is no option {}", argv[::optind - 1]), "dwatch -h");
    }
    if (letter == ':') {
      return Error::of(::optopt == kCgroup
                           ? "--cgroup needs the name of a control group"
                           : fmt::format("-{} needs a value", static_cast<char>(::optopt)));
    }
    if (letter == kCgroup) {
      DT_ASSIGN(request.cgroup, name_of("--cgroup", "control group", ::optarg));
      continue;
    }
    if (letter == '?') {
      return Error::of(fmt::format("there is no option -{}", static_cast<char>(::optopt)),
                       "dwatch -h");
    }
    const char known = static_cast<char>(letter);
    if (!take_letter(request, known)) {
      DT_TRY(take_value(request, known, ::optarg == nullptr ? "" : ::optarg));
    }
  }
  request.words.assign(argv + ::optind, argv + argc);
  DT_TRY(take_targets(request));
  const bool names_none = std::all_of(
      request.words.begin(), request.words.end(),
      [](const std::string& word) { return word.find_first_not_of(", ") == std::string::npos; });
  if (request.mode == Mode::kWatch && request.profile.empty() && names_none) {
    return Error::of("no probe or profile is named",
                     "name a probe, such as dwatch execve, or a profile, such as dwatch -X open");
  }
  return request;
}

std::string usage_text() {
  return R"(usage: dwatch [-1deFqRvwxy] [-fmnP] [-B N] [-c COMMAND] [-E CODE] [-g GROUP] [-j ZONE]
              [-k NAME] [-K N] [-N COUNT] [-o FILE] [-O COMMAND] [-p PID] [-r REGEX]
              [-t TEST] [-T TIME] [-u USER] [-z REGEX] [--cgroup NAME]
              -X PROFILE [ARGUMENT ...] | PROBE ...
       dwatch -l [-fmnPq] [-r REGEX] [PROBE ...]
       dwatch -Q [-q] [-r REGEX] [PROFILE ...]

  PROBE       a description of probes, or a word: of a system call, of another function, a name,
              a provider or a module
  -X PROFILE  the events, and what they show, of a profile
  -Q          list the profiles, or those whose name or description has the word
  -l          list the probes that the words describe; with -P -m -f -n only that field

  which events
  -g GROUP    of processes of this group
  -j ZONE     in this zone, which is a container or global
  -k NAME     of programs of this name; NAME*, *NAME and *NAME* are parts of it
  -p PID      of this process; in a probe, it is $target: 'pid$target:libc:malloc:entry'
  -u -g -p    also lists, '12|34', and regular expressions of numbers
  -t TEST     for which this expression of D is not 0
  -u USER     of processes of this user
  --cgroup NAME  in this control group: a service, a session, a container
  -r REGEX    whose text matches
  -z REGEX    whose program's name matches
  -P -m -f -n words are of this field: provider, module, function, name

  what they show
  -B N        at most N words of the command line (64)
  -E CODE     what this code of D prints instead; - reads it from standard input
  -F          which probe it is, both calls of functions (->) and their returns (<-)
  -K N        at most N directories of a path that a profile shows; ... for those before them
  -R          also the processes above it, as a tree, and -g -p -u -z find these, too; -1 takes
              it back
  -x          also the number of the probe
  -y          colours, and escapes, as for a terminal
  -O COMMAND  run this command at each event: $TAG is whose it is, $DETAILS what it shows
  -o FILE     append to this file
  -q          without the line that says what is watched

  when it ends
  -c COMMAND  with this command, which is run; it is $target
  -N COUNT    after so many events
  -T TIME     after this time: 5, 5s, 2m, 1h

  -d          print the script in D instead of running it
  -e          compile it, and end
  -v          show all that dtrace says
  -w          allow destructive actions
  -V          print the version
)";
}

}  // namespace dt::dwatch
