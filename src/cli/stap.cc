// See stap.h. A script is a program in the language "stap" of the library.

#include "cli/stap.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/page.h"
#include "cli/push.h"
#include "cli/report.h"
#include "cli/stap_command.h"
#include "cli/stap_errors.h"
#include "cli/stap_output.h"
#include "dtrace/tracer.h"
#include "support/fd.h"
#include "support/shown.h"
#include "support/signals.h"

namespace dt::cli {
namespace {

using support::shown_name;
using Clock = std::chrono::steady_clock;

// What a pass has taken: usr, sys and real ms.
class Stopwatch {
 public:
  Stopwatch() { begin(); }
  void begin() {
    ::getrusage(RUSAGE_SELF, &usage_);
    real_ = Clock::now();
  }
  // Without `memory`, the times alone.
  std::string text(bool memory = true) const {
    rusage now = {};
    ::getrusage(RUSAGE_SELF, &now);
    const auto ms = [](const timeval& from, const timeval& to) {
      return (to.tv_sec - from.tv_sec) * 1000 + (to.tv_usec - from.tv_usec) / 1000;
    };
    const auto real =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - real_).count();
    const std::string used = memory ? fmt::format("using {}res kb, ", now.ru_maxrss) : "";
    return fmt::format("{}in {}usr/{}sys/{}real ms.", used, ms(usage_.ru_utime, now.ru_utime),
                       ms(usage_.ru_stime, now.ru_stime), real);
  }

 private:
  rusage usage_ = {};
  Clock::time_point real_;
};

class StapRun {
 public:
  explicit StapRun(const StapLine& line) : line_(line) {}

  int run() {
    for (const std::string& one : line_.notes) tell(one);
    if (is_verbose(1) && line_.recording.empty()) time_parsing();
    if (!prepare()) return kError;
    if (!line_.recording.empty()) return replay();
    const bool is_printed = line_.last_pass < kKeep;
    const std::string_view last = is_printed ? kStages[line_.last_pass] : "";
    std::vector<std::string_view> stages;
    for (int number = 1; number < kKeep; ++number) {
      const bool is_said = is_verbose(2) && number > 1 && number <= line_.last_pass;
      if (line_.keeps || number == line_.last_pass || is_said) stages.push_back(kStages[number]);
    }
    dump(stages);
    if (is_printed) tracer_.set_option("stop", line_.keeps ? kStages[kKeep - 1] : last);
    if (const dtrace::Status compiled = tracer_.compile(); !compiled.ok()) {
      return refuse_script(compiled.error());
    }
    if (line_.last_pass > 1) pass(2, "Pass 2: analyzed script: " + contents(dumped_["typed"]));
    if (is_verbose(2) && line_.last_pass > 2) say_comments(dumped_["ir"]);
    if (is_printed) print_text(dumped_[last]);
    if (line_.keeps && !keep()) return kError;
    if (is_printed) return kSuccess;
    return line_.last_pass == kKeep ? write() : trace();
  }

  int list() {
    if (!prepare()) return kError;
    if (!line_.recording.empty()) return list_recording();
    tracer_.add_argument("-list", line_.listing);
    dump({"typed"});
    tracer_.set_option("stop", "typed");
    if (const dtrace::Status compiled = tracer_.compile(); !compiled.ok()) {
      const bool is_known = !tracer_.diagnostics().empty();
      const bool is_absent = is_known && tracer_.diagnostics().front().tag == "semantic error";
      // A list of nothing. -v says why.
      return is_absent && line_.verbose == 0 ? kError : refuse_script(compiled.error());
    }
    const std::string text = dumped_["typed"].substr(say_comments(dumped_["typed"]));
    return text.empty() ? kError : print_text(text);
  }

 private:
  static constexpr int kKeep = 4;  // the pass that writes a module
  // What the passes before it print.
  static constexpr std::string_view kStages[kKeep] = {"", "ast", "typed", "ir"};

  bool is_verbose(int number) const { return line_.verbose + line_.verbose_of[number - 1] > 0; }

  bool prepare() {
    add(tracer_);
    if (!set_options()) return false;
    tracer_.on_message([this](const dtrace::Message& message) { tell(message.text); });
    return true;
  }

  // --set. Whether an option means something for a script is known where the script is compiled.
  bool set_options() {
    for (const auto& [name, value] : line_.options) {
      if (name == "dump" || name == "stop" || name == "machine") {
        say_text(fmt::format("ERROR: --set {}: -p NUM prints what a pass has made\n", name));
        return false;
      }
      const dtrace::Status set = tracer_.set_option(name, value);
      if (set.ok()) continue;
      say_text(fmt::format("ERROR: --set {}{}{}: {}\n", shown_name(name), value.empty() ? "" : "=",
                           shown_name(value), set.error().text));
      if (!set.error().remedy.empty()) say_hint(set.error().remedy);
      return false;
    }
    return true;
  }

  // What handlers have done; -L: and the variables that were shown at the end.
  int list_recording() {
    const auto summary = tracer_.summarize();
    if (!summary.ok()) return refuse_script(summary.error());
    std::string out = summary->about;
    const bool has_variables = line_.listing == "variables" && !summary->views.empty();
    if (has_variables) out += "\n" + summary->views;
    const int printed = print_text(out);
    if (summary->flaw.empty()) return printed;
    say_text(fmt::format("ERROR: {}\n", summary->flaw));
    return kError;
  }

  // Notes the texts of the stages, which come in their order.
  void dump(const std::vector<std::string_view>& stages) {
    tracer_.set_option("dump", fmt::format("{}", fmt::join(stages, ",")));
    tracer_.on_dump([this, stages](std::string_view text) {
      const std::string_view stage = stages[dumped_.size()];
      dumped_[stage] = text;
    });
  }

  // What was recorded. Only the last pass has anything to do.
  int replay() {
    if (const dtrace::Status opened = tracer_.compile(); !opened.ok()) {
      return refuse_script(opened.error());
    }
    return trace();
  }

  bool records_to_output() const { return tracer_.options().get("record") == "-"; }

  void add_script(dtrace::Tracer& tracer) const {
    if (!line_.recording.empty()) {
      tracer.open(line_.recording);
      return;
    }
    tracer.add(program(line_.script, line_.name));
    for (const std::string& one : line_.more) tracer.add(program(one, "<input>"));
    for (const std::string& one : line_.arguments) tracer.add_argument(one);
    for (const auto& [name, value] : line_.settings) tracer.add_argument(name, value);
  }

  void add(dtrace::Tracer& tracer) const {
    add_script(tracer);
    // The command of -c must know where lines of JSON go. open_output() opens what it is.
    const auto is_recording = [](const auto& option) {
      return option.first == "record" && option.second == "-";
    };
    const bool is_recorded_there =
        std::any_of(line_.options.begin(), line_.options.end(), is_recording);
    if (line_.output.empty() && !is_recorded_there) tracer.write_to(STDOUT_FILENO, "<stdout>");
    if (!line_.module.empty()) tracer.add_argument("-module", line_.module);
    if (line_.shows_times) tracer.add_argument("-times", "1");
    if (line_.strict) tracer.add_argument("-strict", "1");
    if (!line_.command.empty()) {
      tracer.add_command(stap_command(line_.command));
      tracer.set_option("evaltime", "exec");  // from its first instruction
    }
    if (line_.pid != 0) tracer.add_process(line_.pid);
    if (!line_.buffer.empty()) tracer.set_option("bufsize", line_.buffer);
  }

  static dtrace::Program program(const std::string& text, const std::string& name) {
    dtrace::Program out;
    out.kind = dtrace::Program::Kind::kScript;
    out.text = name;
    out.content = text;
    out.language = "stap";
    return out;
  }

  // Pass 1 alone. What is wrong is reported by the whole.
  void time_parsing() {
    dtrace::Tracer tracer;
    add_script(tracer);
    tracer.set_option("stop", "ast");
    if (!tracer.compile().ok()) return;
    pass(1,
         fmt::format("Pass 1: parsed user script and {} library scripts", tracer.library_files()));
  }

  // "1 probe, 0 functions, 0 embeds, 2 globals": the lines of what -p2 prints.
  static std::string contents(const std::string& typed) {
    std::map<std::string, int> counts;
    std::string section;
    for (std::size_t at = 0; at < typed.size();) {
      const std::size_t end = std::min(typed.find('\n', at), typed.size());
      const std::string line = typed.substr(at, end - at);
      at = end + 1;
      if (line.starts_with("# ")) section = line.substr(2);
      counts[section] += line.starts_with('#') || line.starts_with(' ') ? 0 : 1;
    }
    const auto shown = [&](const std::string& what) {
      const int count = counts[what + "s"];
      return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return fmt::format("{}, {}, 0 embeds, {}", shown("probe"), shown("function"), shown("global"));
  }

  // What -p3 prints begins with a comment for each handler of events, and a list with one for what
  // is left out. Where these end.
  static std::size_t say_comments(const std::string& text) {
    std::size_t at = 0;
    while (text.compare(at, 2, "; ") == 0) {
      const std::size_t end = text.find('\n', at);
      say_text(text.substr(at + 2, end - at - 1));
      at = end + 1;
    }
    return at;
  }

  // -p4: prints the name of the file, as a script that calls stap expects.
  int write() {
    const std::string name = module_name(line_);
    if (const std::string wrong = write_module(line_, name); !wrong.empty()) {
      say_text(fmt::format("ERROR: {}\n", wrong));
      return kError;
    }
    pass(4, fmt::format("Pass 4: kept {}", name));
    return print_text(name + "\n");
  }

  // -k: what -p1, -p2 and -p3 print, as files.
  bool keep() {
    std::string directory = "/tmp/stapXXXXXX";
    if (::mkdtemp(directory.data()) == nullptr) {
      say_text(fmt::format("ERROR: cannot make '{}': {}\n", directory, std::strerror(errno)));
      return false;
    }
    for (const auto& [stage, text] : dumped_) {
      std::ofstream file(fmt::format("{}/{}", directory, stage));
      if (!(file << text << std::flush)) {
        say_text(fmt::format("ERROR: cannot write '{}/{}'\n", directory, stage));
        return false;
      }
    }
    say_text(fmt::format("Keeping temporary directory \"{}\"\n", directory));
    return true;
  }

  void pass(int number, std::string_view what) {
    if (is_verbose(number)) say_text(fmt::format("{} {}\n", what, watch_.text(number < 5)));
    watch_.begin();
  }

  // A message of a handler says itself what it is.
  void tell(const std::string& text) {
    const bool is_error = text.starts_with("ERROR: ");
    if (line_.strict && !is_error && !has_begun_) has_failed_ = true;
    if (line_.no_warnings && !is_error) return;
    const bool is_named = is_error || text.starts_with("WARNING: ");
    say_text((is_named ? "" : "WARNING: ") + text + "\n");
  }

  int refuse_script(const dtrace::Error& error) const {
    if (tracer_.diagnostics().empty()) {
      say_text(fmt::format("ERROR: {}\n", error.text));
      if (!error.remedy.empty()) say_hint(error.remedy);
      return kError;
    }
    const std::vector<dtrace::Diagnostic>& all = tracer_.diagnostics();
    const std::size_t total = tracer_.diagnostics_total();
    const ShownErrors shown = shown_errors(all, total, line_.verbose > 0, !line_.no_warnings);
    say_text(shown.text);
    const bool is_parsing = all.front().tag == "parse error";
    if (is_parsing && !all.back().text.starts_with("Input file ")) {
      say_text(fmt::format("{} parse error{}.\n", total, total == 1 ? "" : "s"));
    }
    say_text(is_parsing ? "Pass 1: parse failed.  [man error::pass1]\n"
                        : "Pass 2: analysis failed.  [man error::pass2]\n");
    say_text(shown.rest);
    return kError;
  }

  int refuse_run(const dtrace::Error& error) const {
    say_text(fmt::format("ERROR: {}\n", error.text));
    if (!error.remedy.empty()) say_hint(error.remedy);
    if (line_.verbose > 1 && !error.log.empty()) say_text(error.log + "\n");
    say_text("Pass 5: run failed.  [man error::pass5]\n");
    return kError;
  }

  bool open_output() {
    const std::string wrong = output_.open(line_.output, line_.file_megabytes, line_.files);
    if (!wrong.empty()) {
      say_text(fmt::format("ERROR: {}\n", wrong));
      return false;
    }
    if (line_.output.empty() && records_to_output()) return true;  // the recording is there
    if (!output_.is_series()) {
      tracer_.write_to(output_.fd(), output_.name());
      return true;
    }
    tracer_.write_to([this](std::string_view text) {
      if (failed_to_write_.empty()) failed_to_write_ = output_.write(text);
    });
    return true;
  }

  int trace() {
    if (const dtrace::Status checked = tracer_.check(); !checked.ok()) {
      return refuse_run(checked.error());
    }
    if (!open_output()) return kError;
    for (const dtrace::Status& started : {page_.open(tracer_), push_.open(tracer_)}) {
      if (!started.ok()) return refuse_run(started.error());
    }
    if (const dtrace::Status ready = tracer_.end_on_signals(); !ready.ok()) {
      return refuse_run(ready.error());
    }
    const bool is_tracing = line_.recording.empty();
    if (is_tracing) pass(3, "Pass 3: translated to BPF");
    if (const dtrace::Status enabled = tracer_.enable(); !enabled.ok()) {
      return refuse_run(enabled.error());
    }
    if (is_tracing) pass(4, "Pass 4: loaded and attached");
    if (is_verbose(5)) say_text("Pass 5: starting run.\n");
    dtrace::Status status = poll();
    const dtrace::Status stopped = tracer_.stop();
    if (status.ok()) status = stopped;
    push_.finish();
    const bool has_page = line_.recording.empty() || tracer_.exit_status() == kSuccess;
    if (status.ok() && failed_to_write_.empty() && has_page) page_.stay(tracer_, [] {});
    support::ignore_ends();
    if (!status.ok()) return refuse_run(status.error());
    if (!failed_to_write_.empty()) {
      dtrace::Error wrong;
      wrong.text = failed_to_write_;
      return refuse_run(wrong);
    }
    pass(5, "Pass 5: run completed");
    if (has_failed_) {
      say_text("ERROR: a warning is an error with -W\n");
      return kError;
    }
    if (tracer_.exit_status() != kSuccess) say_text("Pass 5: run failed.  [man error::pass5]\n");
    return tracer_.exit_status();
  }

  dtrace::Status poll() {
    // With a page, what was counted goes there at once.
    constexpr std::chrono::milliseconds kMostAlone{1000}, kMostShown{100}, kMostBehind{10};
    const auto kMost = page_.is_open() || push_.is_open() ? kMostShown : kMostAlone;
    const Clock::time_point end = line_.seconds == 0
                                      ? Clock::time_point::max()
                                      : Clock::now() + std::chrono::seconds(line_.seconds);
    while (true) {
      const Clock::time_point now = Clock::now();
      if (now >= end || has_failed_ || !failed_to_write_.empty()) return {};
      const auto left = end == Clock::time_point::max()
                            ? kMost
                            : std::chrono::ceil<std::chrono::milliseconds>(end - now);
      const bool is_behind = page_.is_behind() || push_.is_behind();
      const dtrace::Result<bool> goes_on =
          tracer_.poll(std::min(is_behind ? kMostBehind : kMost, left));
      page_.flush();
      push_.flush();
      if (!goes_on.ok()) return goes_on.error();
      has_begun_ = true;
      if (!*goes_on) return {};
    }
  }

  const StapLine& line_;
  dtrace::Tracer tracer_;
  Stopwatch watch_;
  std::map<std::string_view, std::string> dumped_;  // by stage
  StapOutput output_;
  Page page_{[](std::string_view text) { say_text(fmt::format("{}\n", text)); }};
  Push push_{[](std::string_view text) { say_text(fmt::format("{}\n", text)); }};
  std::string failed_to_write_;
  bool has_begun_ = false;   // warnings are of handlers from now on
  bool has_failed_ = false;  // -W
};

// -F, staprun -D: goes on in a process of its own; the first one prints its number. Its output is
// that of -o; standard error stays until the run has begun to say what is wrong.
bool go_into_background(const StapLine& line, bool& is_parent) {
  is_parent = false;
  if (line.output.empty()) {
    say_text("ERROR: a run in the background needs -o FILE\n");
    return false;
  }
  const pid_t pid = ::fork();
  if (pid < 0) {
    say_text(fmt::format("ERROR: fork: {}\n", std::strerror(errno)));
    return false;
  }
  is_parent = pid > 0;
  if (is_parent) return print_text(fmt::format("{}\n", pid)) == kSuccess;
  ::setsid();
  const Fd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(nothing.get(), STDOUT_FILENO);
  return true;
}

int run_line(const StapLine& line, const std::string& help) {
  switch (line.mode) {
    case StapMode::kHelp:
      return print_text(help);
    case StapMode::kVersion:
      // Programs that run scripts look for "version" and a number before they do (the tools of
      // OpenResty want 2.1): it is that of the language, systemtap_v.
      return print_text(
          fmt::format("Systemtap translator/driver (version 5.0, stap of dtrace {})\n"
                      "This is the SystemTap language on BPF, for Linux {}, x86-64.\n",
                      DT_VERSION, dtrace::kernel_release()));
    case StapMode::kCheckVersion:
      return print_text("Scripts mean the same in every version.\n");
    case StapMode::kList:
      return StapRun(line).list();
    case StapMode::kRun:
      break;
  }
  if (line.is_daemon && line.last_pass == 5) {
    bool is_parent = false;
    if (!go_into_background(line, is_parent)) return kError;
    if (is_parent) return kSuccess;
  }
  return StapRun(line).run();
}

int run_parsed(bool (*parse)(int, char**, StapLine&, std::string&), const std::string& help,
               int argc, char** argv) {
  StapLine line;
  std::string error;
  if (!parse(argc, argv, line, error)) {
    say_text(fmt::format("ERROR: {}\nTry '--help' for more information.\n", error));
    return kError;
  }
  return run_line(line, help);
}

}  // namespace

int run_stap(int argc, char** argv) { return run_parsed(parse_stap_line, stap_help(), argc, argv); }

int run_staprun(int argc, char** argv) {
  return run_parsed(parse_staprun_line, staprun_help(), argc, argv);
}

int run_stap_prep() {
  return print_text(
      "Nothing is needed: scripts run on BPF, without headers, debugging information or a "
      "compiler.\n");
}

}  // namespace dt::cli
