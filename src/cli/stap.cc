// See stap.h. A script is a program in the language "stap" of the library.

#include "cli/stap.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "cli/commands.h"
#include "cli/report.h"
#include "dtrace/tracer.h"
#include "support/fd.h"
#include "support/shown.h"

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
  std::string text() const {
    rusage now = {};
    ::getrusage(RUSAGE_SELF, &now);
    const auto ms = [](const timeval& from, const timeval& to) {
      return (to.tv_sec - from.tv_sec) * 1000 + (to.tv_usec - from.tv_usec) / 1000;
    };
    const auto real =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - real_).count();
    return fmt::format("using {}res kb, in {}usr/{}sys/{}real ms.", now.ru_maxrss,
                       ms(usage_.ru_utime, now.ru_utime), ms(usage_.ru_stime, now.ru_stime), real);
  }

 private:
  rusage usage_ = {};
  Clock::time_point real_;
};

class StapRun {
 public:
  explicit StapRun(const StapLine& line) : line_(line) {}

  int run() {
    if (line_.last_pass > 1 && line_.verbose > 0 && !parses()) return kError;
    prepare();
    tracer_.on_dump([](std::string_view text) { print_text(std::string(text)); });
    constexpr std::string_view kStages[] = {"", "ast", "typed", "ir"};
    if (line_.last_pass < 4) {
      const std::string_view stage = kStages[line_.last_pass];
      tracer_.set_option("dump", stage);
      tracer_.set_option("stop", stage);
    }
    watch_.begin();
    if (const dtrace::Status compiled = tracer_.compile(); !compiled.ok()) {
      return refuse_script(compiled.error());
    }
    pass("Pass 2: analyzed script");
    if (line_.last_pass < 5) return kSuccess;
    return trace();
  }

  int list() {
    prepare();
    tracer_.add_argument("-list", line_.listing);
    std::string text;
    tracer_.on_dump([&text](std::string_view part) { text += part; });
    tracer_.set_option("dump", "typed");
    tracer_.set_option("stop", "typed");
    if (const dtrace::Status compiled = tracer_.compile(); !compiled.ok()) {
      return refuse_script(compiled.error());
    }
    return text.empty() ? kError : print_text(text);
  }

 private:
  void prepare() {
    add(tracer_);
    tracer_.on_message([this](const dtrace::Message& message) { tell(message.text); });
  }

  void add(dtrace::Tracer& tracer) const {
    tracer.add(program(line_.script, line_.name));
    for (const std::string& one : line_.more) tracer.add(program(one, "<input>"));
    for (const std::string& one : line_.arguments) tracer.add_argument(one);
    for (const auto& [name, value] : line_.settings) tracer.add_argument(name, value);
    if (!line_.command.empty()) {
      tracer.add_command(line_.command);
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

  // Pass 1 alone, to say what it took.
  bool parses() {
    dtrace::Tracer tracer;
    tracer.add(program(line_.script, line_.name));
    for (const std::string& one : line_.arguments) tracer.add_argument(one);
    tracer.set_option("stop", "ast");
    const bool parsed = tracer.compile().ok();
    // What is wrong is reported by the whole.
    if (parsed) pass("Pass 1: parsed user script and 0 library scripts");
    return true;
  }

  void pass(std::string_view what) {
    if (line_.verbose > 0) say_text(fmt::format("{} {}\n", what, watch_.text()));
    watch_.begin();
  }

  // A message of a handler says itself what it is.
  void tell(const std::string& text) const {
    const bool is_error = text.starts_with("ERROR: ");
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
    for (const dtrace::Diagnostic& one : tracer_.diagnostics()) say_text(one.text + "\n");
    const bool is_parsing = tracer_.diagnostics().front().tag == "parse error";
    say_text(is_parsing ? "Pass 1: parse failed.  [man error::pass1]\n"
                        : "Pass 2: analysis failed.  [man error::pass2]\n");
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
    output_ = Fd(line_.output.empty() ? ::dup(STDOUT_FILENO)
                                      : ::open(line_.output.c_str(),
                                               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (output_.valid()) return true;
    say_text(fmt::format("ERROR: cannot open '{}': {}\n", line_.output, std::strerror(errno)));
    return false;
  }

  int trace() {
    if (const dtrace::Status checked = tracer_.check(); !checked.ok()) {
      return refuse_run(checked.error());
    }
    if (!open_output()) return kError;
    tracer_.write_to(output_.get(), line_.output.empty() ? "<stdout>" : line_.output);
    if (const dtrace::Status ready = tracer_.end_on_signals(); !ready.ok()) {
      return refuse_run(ready.error());
    }
    pass("Pass 3: translated to BPF");
    if (const dtrace::Status enabled = tracer_.enable(); !enabled.ok()) {
      return refuse_run(enabled.error());
    }
    pass("Pass 4: loaded and attached");
    if (line_.verbose > 0) say_text("Pass 5: starting run.\n");
    dtrace::Status status = poll();
    const dtrace::Status stopped = tracer_.stop();
    if (status.ok()) status = stopped;
    if (!status.ok()) return refuse_run(status.error());
    pass("Pass 5: run completed");
    if (tracer_.exit_status() != kSuccess) say_text("Pass 5: run failed.  [man error::pass5]\n");
    return tracer_.exit_status();
  }

  dtrace::Status poll() {
    constexpr std::chrono::milliseconds kMost{1000};
    const Clock::time_point end = line_.seconds == 0
                                      ? Clock::time_point::max()
                                      : Clock::now() + std::chrono::seconds(line_.seconds);
    while (true) {
      const Clock::time_point now = Clock::now();
      if (now >= end) return {};
      const auto left = end == Clock::time_point::max()
                            ? kMost
                            : std::chrono::ceil<std::chrono::milliseconds>(end - now);
      const dtrace::Result<bool> goes_on = tracer_.poll(std::min(kMost, left));
      if (!goes_on.ok()) return goes_on.error();
      if (!*goes_on) return {};
    }
  }

  const StapLine& line_;
  dtrace::Tracer tracer_;
  Stopwatch watch_;
  Fd output_;
};

}  // namespace

int run_stap(int argc, char** argv) {
  StapLine line;
  std::string error;
  if (!parse_stap_line(argc, argv, line, error)) {
    say_text(fmt::format("ERROR: {}\nTry '--help' for more information.\n", error));
    return kError;
  }
  switch (line.mode) {
    case StapMode::kHelp:
      return print_text(stap_help());
    case StapMode::kVersion:
      return print_text(
          fmt::format("stap of dtrace {} (the SystemTap language on BPF, Linux {}, x86-64)\n",
                      DT_VERSION, dtrace::kernel_release()));
    case StapMode::kList:
      return StapRun(line).list();
    case StapMode::kRun:
      break;
  }
  return StapRun(line).run();
}

}  // namespace dt::cli
