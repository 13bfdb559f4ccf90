// The command line of stap. See stap.h.

#include <fmt/core.h>

#include <charconv>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>

#include "cli/stap.h"
#include "support/shown.h"

namespace dt::cli {
namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = wrong == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

// Options that are of SystemTap's modules and compilers: there is nothing to be done.
constexpr std::string_view kNeedless = "BaqRP";
// Options that take a value, known or not.
constexpr std::string_view kTakesValue = "eEpoxcDGTsmrIlLBaRSdb";

class StapParser {
 public:
  StapParser(int argc, char** argv, StapLine& out, std::string& error)
      : words_(argv + 1, argv + argc), out_(out), error_(error) {}

  bool run() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        ++at_;
        break;
      }
      if (word.size() < 2 || word[0] != '-') break;
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
      if (value.empty()) {
        if (++at_ >= words_.size())
          return fail(fmt::format("option requires an argument -- '{}'", letter));
        value = words_[at_];
      }
      return with_value(letter, value);
    }
    return true;
  }

  bool flag(char letter) {
    switch (letter) {
      case 'v':
        ++out_.verbose;
        return true;
      case 'w':
        out_.no_warnings = true;
        return true;
      case 'h':
        out_.mode = StapMode::kHelp;
        return true;
      case 'V':
        out_.mode = StapMode::kVersion;
        return true;
      // What -g permits (embedded C, writes) is refused where a script has it.
      case 'g':
        return true;
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
        out_.output = value;
        return true;
      case 'c':
        out_.command = value;
        return true;
      case 'D':
      case 'G':
        return setting(letter, value);
      case 'l':
      case 'L':
        out_.mode = StapMode::kList;
        out_.listing = letter == 'l' ? "points" : "variables";
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
    const std::optional<std::int64_t> number = number_in(value);
    constexpr std::int64_t kMost = 0x7fffffff;
    if (!number || *number < 1 || *number > kMost) {
      return fail(fmt::format("Invalid value '{}' of option -{}", value, letter));
    }
    if (letter == 'p') {
      if (*number > 5) return fail(fmt::format("Invalid pass number '{}' (should be 1-5).", value));
      if (*number == 4) return fail("option -p4 is not supported: there are no modules");
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

  bool long_option(const std::string& word) {
    if (word == "--help") {
      out_.mode = StapMode::kHelp;
    } else if (word == "--version") {
      out_.mode = StapMode::kVersion;
    } else if (word.starts_with("--dump-")) {
      return dump(word);
    } else if (word.starts_with("--runtime=") || word == "--bpf" || word == "--ldd" ||
               word == "--all-modules" || word == "--disable-cache" || word == "--clean-cache" ||
               word == "--poison-cache") {
      if (word == "--runtime=dyninst") return fail("option --runtime=dyninst is not supported");
    } else {
      return fail(fmt::format("option {} is not supported", word));
    }
    return true;
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
    if (out_.name.empty()) {
      if (at_ >= words_.size()) {
        return out_.more.empty() ? fail("A script must be specified.") : use_more();
      }
      out_.name = words_[at_++];
      if (!read_script()) return false;
    }
    out_.arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    return true;
  }

  bool use_more() {
    out_.script = out_.more.front();
    out_.name = "<input>";
    out_.more.erase(out_.more.begin());
    return true;
  }

  bool read_script() {
    if (out_.name == "-") {
      out_.name = "<input>";
      out_.script.assign(std::istreambuf_iterator<char>(std::cin), {});
      return true;
    }
    std::ifstream file(out_.name, std::ios::binary);
    if (!file)
      return fail(
          fmt::format("Input file '{}' is missing or unreadable.", support::shown_name(out_.name)));
    out_.script.assign(std::istreambuf_iterator<char>(file), {});
    return true;
  }

  std::vector<std::string> words_;
  StapLine& out_;
  std::string& error_;
  std::size_t at_ = 0;
};

}  // namespace

bool parse_stap_line(int argc, char** argv, StapLine& out, std::string& error) {
  return StapParser(argc, argv, out, error).run();
}

std::string stap_help() {
  return R"(Usage: stap [options] FILE [arguments]        Run script in file.
   or: stap [options] -                       Run script on stdin.
   or: stap [options] -e SCRIPT [arguments]   Run given script.
   or: stap [options] -l PROBE                List matching probes.
   or: stap [options] -L PROBE                List matching probes with their variables.

Options:
   -h --help     show help
   -V --version  show version
   -p NUM        stop after pass NUM: 1 parse, 2 elaborate, 3 translate, 5 run
   -v            add verbosity
   -w            suppress warnings
   -g            guru mode: accepted, and what only it permits is refused by name
   -E SCRIPT     run this script, too
   -o FILE       send output to FILE instead of stdout
   -c CMD        run CMD; the script ends when it ends. target() is its process
   -x PID        target() is this process
   -D NM=VAL     set a limit: MAXACTION, MAXACTION_INTERRUPTIBLE, MAXERRORS, MAXNESTING,
                 MAXMAPENTRIES, MAXSTRINGLEN
   -G VAR=VALUE  set a global variable
   --dump-probe-types, --dump-probe-aliases, --dump-functions
                 list forms of probe points, aliases, functions
   -s NUM        buffer size in megabytes
   -T SECONDS    end the script after so many seconds
   --runtime=bpf, --runtime=kernel, --bpf, -B, -a, -q, -R, -P, --ldd, --all-modules, --disable-cache
                 accepted: nothing is compiled here that they could change
)";
}

}  // namespace dt::cli
