// The command line of stap. See stap.h.

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "cli/stap.h"
#include "cli/tools.h"
#include "support/file.h"
#include "support/shown.h"
#include "support/whole_number.h"

namespace dt::cli {
namespace {

// Options that are of SystemTap's modules and compilers: there is nothing to be done.
constexpr std::string_view kNeedless = "BaqRPubd";
// Options that take a value, known or not.
constexpr std::string_view kTakesValue = "eEpoxcDGTsmrIlLBaRSd";

struct LongOption {
  std::string_view name;  // ends with '=' where a value follows
  std::string_view why;   // it is refused; empty: it is taken, and there is nothing to be done
};
constexpr LongOption kLongOptions[] = {
    {"--all-modules", ""},
    {"--benchmark-sdt-loops=", "option --benchmark-sdt-loops is not supported"},
    {"--bpf", ""},
    {"--clean-cache", ""},
    {"--color", ""},
    {"--color=", ""},
    {"--colour", ""},
    {"--colour=", ""},
    {"--disable-cache", ""},
    {"--download-debuginfo", ""},
    {"--download-debuginfo=", ""},
    {"--dyninst", "option --dyninst is not supported: programs are probed by the kernel"},
    {"--example", "option --example is not supported: scripts are named by their paths"},
    {"--interactive", "option --interactive is not supported"},
    {"--language-server", "option --language-server is not supported"},
    {"--ldd", ""},
    {"--modinfo=", ""},
    {"--monitor", "option --monitor is not supported: print with timer.s(1)"},
    {"--monitor=", "option --monitor is not supported: print with timer.s(1)"},
    {"--poison-cache", ""},
    {"--privilege=stapdev", ""},
    {"--privilege=stapsys", ""},
    {"--privilege=stapusr", "option --privilege=stapusr is not supported: tracing needs root"},
    {"--prologue-searching", ""},
    {"--prologue-searching=", ""},
    {"--remote=", "option --remote is not supported: run stap there"},
    {"--remote-prefix", "option --remote-prefix is not supported"},
    {"--rlimit-as=", ""},
    {"--rlimit-cpu=", ""},
    {"--rlimit-fsize=", ""},
    {"--rlimit-nproc=", ""},
    {"--rlimit-stack=", ""},
    {"--runtime=bpf", ""},
    {"--runtime=dyninst", "option --runtime=dyninst is not supported"},
    {"--runtime=kernel", ""},
    {"--save-uprobes", ""},
    {"--semantic-keep-going", ""},
    {"--sign-module", ""},
    {"--sign-module=", ""},
    {"--sysenv=", "option --sysenv is not supported"},
    {"--sysroot=", "option --sysroot is not supported: only this machine is traced"},
    {"--tmpdir=", ""},
    {"--trust-servers", ""},
    {"--trust-servers=", ""},
    {"--unprivileged", "option --unprivileged is not supported: tracing needs root"},
    {"--use-http-server=", ""},
    {"--use-server", ""},
    {"--use-server=", ""},
    {"--use-server-on-error", ""},
    {"--use-server-on-error=", ""},
};

class StapParser {
 public:
  StapParser(int argc, char** argv, StapLine& out, std::string& error)
      : words_(argv + 1, argv + argc), out_(out), error_(error) {}

  // Options may stand before the script and behind it, up to --.
  bool run() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        ++at_;
        break;
      }
      if (word.size() < 2 || word[0] != '-') {
        plain_.push_back(word);
        continue;
      }
      const bool is_good = word[1] == '-' ? long_option(word) : letters(word);
      if (!is_good) return false;
      if (out_.mode == StapMode::kHelp || out_.mode == StapMode::kVersion) return true;
    }
    return rest();
  }

 private:
  bool fail(std::string text) {
    error_ = std::move(text);
    return false;
  }

  // -vvp3, -e SCRIPT
  bool letters(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const char letter = word[i];
      if (kTakesValue.find(letter) == std::string_view::npos) {
        if (!flag(letter)) return false;
        continue;
      }
      std::string value = word.substr(i + 1);
      if (value.empty() && lists_recording(letter)) {
        list(letter);
        return true;
      }
      if (value.empty()) {
        if (++at_ >= words_.size())
          return fail(fmt::format("option requires an argument -- '{}'", letter));
        value = words_[at_];
      }
      return with_value(letter, value);
    }
    return true;
  }

  // -l and -L with -r: it has its points.
  bool lists_recording(char letter) const {
    const bool is_last = at_ + 1 >= words_.size() || words_[at_ + 1].starts_with('-');
    return (letter == 'l' || letter == 'L') && (!out_.recording.empty() || is_last);
  }

  void list(char letter) {
    out_.mode = StapMode::kList;
    out_.listing = letter == 'l' ? "points" : "variables";
  }

  bool flag(char letter) {
    switch (letter) {
      case 'v':
        ++out_.verbose;
        return true;
      case 'w':
        out_.no_warnings = true;
        return true;
      case 'W':
        out_.strict = true;
        return true;
      case 'k':
        out_.keeps = true;
        return true;
      case 't':
        out_.shows_times = true;
        return true;
      case 'F':
        out_.is_daemon = true;
        return true;
      case 'h':
        out_.mode = StapMode::kHelp;
        return true;
      case 'V':
        out_.mode = StapMode::kVersion;
        return true;
      // What -g permits (embedded C, writes) is refused where a script has it.
      case 'g':
        out_.settings.emplace_back("-guru", "1");
        return true;
      case 'i':
        return fail("option -i is not supported: scripts are not typed in");
      default:
        break;
    }
    if (kNeedless.find(letter) != std::string_view::npos) return true;
    return fail(fmt::format("option -{} is not supported", letter));
  }

  bool with_value(char letter, const std::string& value) {
    switch (letter) {
      case 'e':
        if (!out_.name.empty()) return fail("Only one script can be given on the command line.");
        out_.script = value;
        out_.name = "<input>";
        return true;
      case 'E':
        out_.more.push_back(value);
        return true;
      case 'o':
        out_.output = value == "-" ? "" : value;  // standard output
        return true;
      case 'c':
        out_.command = value;
        return true;
      case 'D':
      case 'G':
        return setting(letter, value);
      case 'I':
        out_.settings.emplace_back(fmt::format("-I{}", out_.settings.size()), value);
        return true;
      case 'm':
        return module(value);
      case 'r':
        return release(value);
      case 'S':
        return sizes(value);
      case 'l':
      case 'L':
        list(letter);
        out_.script = fmt::format("probe {} {{}}", value);
        out_.name = "<input>";
        return true;
      default:
        break;
    }
    if (kNeedless.find(letter) != std::string_view::npos) return true;
    return number_option(letter, value);
  }

  bool number_option(char letter, const std::string& value) {
    if (std::string_view("pxTs").find(letter) == std::string_view::npos) {
      return fail(fmt::format("option -{} is not supported", letter));
    }
    const std::optional<std::int64_t> number = support::whole_number<std::int64_t>(value);
    constexpr std::int64_t kMost = 0x7fffffff;
    if (!number || *number < 1 || *number > kMost) {
      return fail(fmt::format("Invalid value '{}' of option -{}", value, letter));
    }
    if (letter == 'p') {
      if (*number > 5) return fail(fmt::format("Invalid pass number '{}' (should be 1-5).", value));
      out_.last_pass = static_cast<int>(*number);
    } else if (letter == 'x') {
      out_.pid = static_cast<std::int32_t>(*number);
    } else if (letter == 'T') {
      out_.seconds = *number;
    } else {
      out_.buffer = value + "m";
    }
    return true;
  }

  bool setting(char letter, const std::string& value) {
    const std::size_t equals = value.find('=');
    if (equals == std::string::npos && letter == 'G') {
      return fail(fmt::format("Invalid value '{}' of option -G: NAME=VALUE is wanted", value));
    }
    const std::string name = value.substr(0, equals);
    out_.settings.emplace_back(fmt::format("-{}{}", letter, name),
                               equals == std::string::npos ? "" : value.substr(equals + 1));
    return true;
  }

  // The name of what -p4 keeps.
  bool module(const std::string& value) {
    const bool is_name =
        !value.empty() &&
        value.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
    if (!is_name)
      return fail(fmt::format("Invalid module name '{}': letters, digits and _", value));
    out_.module = value;
    return true;
  }

  bool release(const std::string& value) {
    utsname running = {};
    ::uname(&running);
    if (value == running.release) return true;
    struct stat there {};
    if (value != "-" && ::stat(value.c_str(), &there) != 0) {
      return fail(
          fmt::format("option -r {}: only the running kernel is traced, which is {}, and there is "
                      "no recording of that name",
                      support::shown_name(value), running.release));
    }
    out_.recording = value;
    return true;
  }

  // A recording has its script.
  bool check_replay() {
    const std::pair<bool, std::string_view> unused[] = {
        {!out_.name.empty() || !out_.more.empty() || !plain_.empty(), "a script or arguments"},
        {!out_.settings.empty(), "-D, -G, -g, -I and what is said of the script"},
        {!out_.command.empty() || out_.pid != 0, "-c or -x"},
        {!out_.module.empty() || out_.last_pass != 5 || out_.keeps, "-m, -p or -k"},
        {out_.shows_times || out_.seconds != 0 || !out_.buffer.empty() || out_.is_daemon,
         "-t, -T, -s or -F"}};
    for (const auto& [is_there, what] : unused) {
      if (is_there) return fail(fmt::format("-r replays a recording: it does not take {}", what));
    }
    return true;
  }

  // -S SIZE[,N]: of the files of -o in megabytes, and how many of them are kept.
  bool sizes(const std::string& value) {
    const std::size_t comma = value.find(',');
    const auto size = support::whole_number<std::int64_t>(std::string_view(value).substr(0, comma));
    const auto count =
        comma == std::string::npos
            ? std::optional<std::int64_t>(0)
            : support::whole_number<std::int64_t>(std::string_view(value).substr(comma + 1));
    constexpr std::int64_t kMost = 1 << 20;
    if (!size || !count || *size < 1 || *size > kMost || *count < 0 || *count > kMost) {
      return fail(fmt::format("Invalid file size '{}' of option -S: SIZE or SIZE,N", value));
    }
    out_.file_megabytes = *size;
    out_.files = *count;
    return true;
  }

  // --vp 11111: a digit for each pass.
  bool verbosities(const std::string& value) {
    if (value.size() > 5 || value.find_first_not_of("0123456789") != std::string::npos) {
      return fail(fmt::format("Invalid --vp argument '{}': it takes 1 to 5 digits.", value));
    }
    for (std::size_t i = 0; i < value.size(); ++i) out_.verbose_of[i] += value[i] - '0';
    return true;
  }

  bool long_option(const std::string& word) {
    constexpr std::string_view kVp = "--vp", kCompatible = "--compatible";
    if (word == "--help") {
      out_.mode = StapMode::kHelp;
    } else if (word == "--version") {
      out_.mode = StapMode::kVersion;
    } else if (word == "--check-version") {
      out_.mode = StapMode::kCheckVersion;
    } else if (word == "--no-global-var-display") {
      out_.settings.emplace_back("-no-globals", "1");
    } else if (word == "--skip-badvars") {
      out_.settings.emplace_back("-skip-badvars", "1");
    } else if (word == "--suppress-handler-errors") {
      out_.settings.emplace_back("-DMAXERRORS", "1000000000000");
    } else if (word == "--suppress-time-limits") {
      out_.settings.emplace_back("-DMAXACTION", "1000000000000");
    } else if (word == "--set" || word.starts_with("--set=")) {
      return set_option(word);
    } else if (word.starts_with("--dump-")) {
      return dump(word);
    } else if (word.starts_with(kVp)) {
      if (word.size() > kVp.size()) return verbosities(word.substr(kVp.size() + 1));
      if (++at_ >= words_.size()) return fail("option '--vp' requires an argument");
      return verbosities(words_[at_]);
    } else if (word.starts_with(kCompatible)) {
      if (word.size() == kCompatible.size() && ++at_ >= words_.size()) {
        return fail("option '--compatible' requires an argument");
      }
    } else {
      return other(word);
    }
    return true;
  }

  bool set_option(const std::string& word) {
    constexpr std::string_view kSet = "--set";
    const bool is_apart = word.size() == kSet.size();
    if (is_apart && ++at_ >= words_.size()) return fail("option '--set' requires an argument");
    const std::string value = is_apart ? words_[at_] : word.substr(kSet.size() + 1);
    return add_stap_option(value, out_) ||
           fail(fmt::format("Invalid value '{}' of option --set: NAME=VALUE is wanted", value));
  }

  bool other(const std::string& word) {
    for (const LongOption& one : kLongOptions) {
      const bool is_it = one.name.ends_with('=') ? word.starts_with(one.name) : word == one.name;
      if (is_it) return one.why.empty() || fail(std::string(one.why));
    }
    return fail(fmt::format("option {} is not supported", word));
  }

  bool dump(const std::string& word) {
    constexpr std::pair<std::string_view, std::string_view> kDumps[] = {
        {"--dump-probe-types", "types"},
        {"--dump-probe-aliases", "aliases"},
        {"--dump-functions", "functions"}};
    for (const auto& [name, listing] : kDumps) {
      if (name != word) continue;
      out_.mode = StapMode::kList;
      out_.listing = listing;
      out_.script = "probe never {}";
      out_.name = "<input>";
      return true;
    }
    return fail(fmt::format("option {} is not supported", word));
  }

  // FILE and arguments.
  bool rest() {
    plain_.insert(plain_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    if (!out_.recording.empty()) return check_replay();
    if (!out_.command.empty() && out_.pid != 0) {
      return fail("You can't specify -c and -x options together.");
    }
    std::size_t first = 0;
    if (out_.name.empty() && out_.mode == StapMode::kList) {
      return fail(
          fmt::format("option requires an argument -- '{}'", out_.listing == "points" ? 'l' : 'L'));
    }
    if (out_.name.empty()) {
      if (plain_.empty()) {
        return out_.more.empty() ? fail("A script must be specified.") : use_more();
      }
      out_.name = plain_[first++];
      if (!read_script()) return false;
    }
    out_.arguments.assign(plain_.begin() + static_cast<std::ptrdiff_t>(first), plain_.end());
    return true;
  }

  bool use_more() {
    out_.script = out_.more.front();
    out_.name = "<input>";
    out_.more.erase(out_.more.begin());
    return true;
  }

  // stap 'probe begin { ... }', stap opensnoop.
  static std::string hint_of_missing(const std::string& name) {
    if (name.find('{') != std::string::npos) {
      return "a script on the command line stands behind -e";
    }
    if (find_tool(name)) return fmt::format("{0} is a tool in D: dtrace -s {0}", name);
    const std::string near = nearest_tool(name);
    return near.empty() ? "" : fmt::format("did you mean the tool in D, dtrace -s {}?", near);
  }

  bool read_script() {
    Result<std::string> text = support::read_file(out_.name);
    if (!text.ok()) {
      const bool is_missing = text.error().code == ENOENT;
      const std::string hint = is_missing ? hint_of_missing(out_.name) : "";
      return fail(fmt::format("Input file '{}' is missing or unreadable{}.{}{}",
                              support::shown_name(out_.name),
                              is_missing ? "" : ": " + support::shown_name(text.error().text),
                              hint.empty() ? "" : "\nhint: ", hint));
    }
    if (out_.name == "-") out_.name = "<input>";
    out_.script = std::move(*text);
    return true;
  }

  std::vector<std::string> words_, plain_;  // plain: no option
  StapLine& out_;
  std::string& error_;
  std::size_t at_ = 0;
};

}  // namespace

bool add_stap_option(std::string_view word, StapLine& out) {
  const std::size_t equals = word.find('=');
  if (word.empty() || equals == 0) return false;
  out.options.emplace_back(word.substr(0, equals), equals == std::string_view::npos
                                                       ? std::string_view()
                                                       : word.substr(equals + 1));
  return true;
}

bool parse_stap_line(int argc, char** argv, StapLine& out, std::string& error) {
  return StapParser(argc, argv, out, error).run();
}

std::string stap_help() {
  return R"(Usage: stap [options] FILE [arguments]        Run script in file.
   or: stap [options] -                       Run script on stdin.
   or: stap [options] -e SCRIPT [arguments]   Run given script.
   or: stap [options] -l PROBE                List matching probes.
   or: stap [options] -L PROBE                List matching probes with their variables.
   or: stap -r FILE -l                        List what a recording has; -L: with its variables.

Options:
   -h --help     show help
   -V --version  show version; --check-version is accepted: scripts mean the same in every version here
   -p NUM        stop after pass NUM: 1 parse, 2 elaborate, 3 translate, 4 keep for staprun, 5 run
   -v            add verbosity to all passes; --vp N[N[N[N[N]]]] to each
   -k            keep what the passes have made, in a directory whose name is printed
   -w, -W        suppress warnings; turn warnings into errors
   -g            guru mode: accepted, and what only it permits is refused by name
   -E SCRIPT     run this script, too
   -I DIR        look for aliases, functions and macros in this directory, before the library
   -o FILE       send output to FILE instead of stdout; %Y, %m and others stand for the time
   -S SIZE[,N]   begin a new file of -o after SIZE megabytes: FILE.0, FILE.1; keep the last N
   -F            run in the background, and print the number of the process; with -o
   -c CMD        run CMD; the script ends when it ends. target() is its process
   -x PID        target() is this process
   -D NM=VAL     set a limit: MAXACTION, MAXACTION_INTERRUPTIBLE, MAXERRORS, MAXNESTING,
                 MAXMAPENTRIES, MAXSTRINGLEN; STAP_HOME=1: add to no variable in the kernel
   -G VAR=VALUE  set a global variable
   -m NAME       name of what -p4 keeps, without .bo
   -t            print how often each probe has run, and how long it has taken
   -r FILE       print what a recording (--set record=FILE) has, without root; -: of stdin
   -r RELEASE    the running kernel; another one is refused
   --dump-probe-types, --dump-probe-aliases, --dump-functions
                 list forms of probe points, aliases, functions
   -s NUM        buffer size in megabytes
   -T SECONDS    end the script after so many seconds
   --set NAME=VALUE
                 set an option of dtrace's -x: aggrate aggsize bufresize bufsize cgroup cpu deadman
                 droptags evaltime listen[=PORT|PATH] oformat=FORM push=URL quietresize record=FILE
                 recordsize setenv statusrate switchrate syslibdir unsetenv view=[NAME:]KIND zone
   --compatible VERSION    accepted
   --no-global-var-display do not print global variables that are never read
   --skip-badvars          values of a probe that are not there or cannot be read are 0
   --suppress-handler-errors, --suppress-time-limits
                 go on after errors of handlers; let handlers run as long as they want
   -B, -a, -b, -d, -q, -R, -P, -u, --runtime=bpf, --runtime=kernel, --bpf, --ldd, --all-modules,
   --disable-cache, --use-server, --rlimit-* and others of modules and compilers
                 accepted: nothing is compiled here that they could change
)";
}

}  // namespace dt::cli
