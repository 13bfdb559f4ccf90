// Tracing, from the command line to the exit status, over the library: with a
// remark at each point after which something can no longer be known or changed.

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "cli/anonymous.h"
#include "cli/commands.h"
#include "cli/list.h"
#include "cli/messages.h"
#include "cli/page.h"
#include "cli/push.h"
#include "cli/report.h"
#include "cli/script_absent.h"
#include "cli/script_help.h"
#include "cli/stages.h"
#include "cli/tools.h"
#include "support/fd.h"
#include "support/result.h"
#include "support/shown.h"
#include "support/signals.h"

namespace dt::cli {
namespace {

// How long the reader of standard error may take at the end.
constexpr std::chrono::milliseconds kPatience{2000};
// How often messages that wait for their reader are tried again.
constexpr std::chrono::milliseconds kPoll{1000};
// The same while the page has not taken all of its lines.
constexpr std::chrono::milliseconds kPollBehind{20};

// A trace of CTF is a directory, which has nothing else in it.
dtrace::Result<Fd> open_directory(const std::string& name) {
  const auto failed = [&](const char* what) {
    return dtrace::Error{fmt::format("failed to {} '{}': {}", what, name, std::strerror(errno)),
                         errno, "", "", ""};
  };
  if (::mkdir(name.c_str(), 0777) != 0) {
    if (errno != EEXIST) return failed("create the directory");
    if (::rmdir(name.c_str()) != 0) return failed("replace");
    if (::mkdir(name.c_str(), 0777) != 0) return failed("create the directory");
  }
  Fd fd(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return failed("open");
  return fd;
}

// -o appends; without it, standard output. `is_new` is set if there was no such file.
dtrace::Result<Fd> open_output(const CommandLine& line, bool& is_new) {
  if (line.output.empty()) {
    return Fd(::dup(STDOUT_FILENO));
  }
  if (line.options.get("oformat") == "ctf") return open_directory(line.output);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  Fd fd(::open(line.output.c_str(), kFlags | O_EXCL, 0666));
  is_new = fd.valid();
  if (!fd.valid()) fd = Fd(::open(line.output.c_str(), kFlags, 0666));
  if (!fd.valid()) {
    return dtrace::Error{fmt::format("failed to open '{}': {}", line.output, std::strerror(errno)),
                         errno, "", "", ""};
  }
  return fd;
}

class Trace {
 public:
  Trace(const CommandLine& line, Claim* claim)
      : line_(line), claim_(claim), messages_(STDERR_FILENO), tracer_(make_tracer(line)) {}

  int run() {
    tracer_.on_message([this](const dtrace::Message& message) { tell(message); });
    tracer_.on_progress([this](const dtrace::Progress& progress) { stages_.take(progress); });
    tracer_.on_dump([this](std::string_view text) {
      const std::string shown = support::shown_text(text);
      std::fwrite(shown.data(), 1, shown.size(), stdout);
      has_dumped_ = true;
    });
    int status = compile();
    if (status == kSuccess && line_.mode != Mode::kCompileOnly && !tracer_.is_stopped()) {
      status = trace();
    }
    if (has_dumped_ && std::fflush(stdout) != 0) {
      messages_.say(fmt::format("failed to write to <stdout>: {}", std::strerror(errno)));
      status = kError;
    }
    const bool has_said = messages_.finish(kPatience);
    if (tracer_.options().flag("stats") && status != kRefused) {
      std::fputs(stages_.report().c_str(), stderr);
    }
    return status == kRefused || (status == kSuccess && !has_said) ? kError : status;
  }

 private:
  static constexpr int kRefused = -1;  // before anything was traced

  // Stages 1-7. After this the script is no longer needed but for its places.
  int compile() {
    const dtrace::Status compiled = tracer_.compile();
    stages_.stand_aside();
    if (line_.disassemble) {
      say_text(tracer_.disassembly());
    }
    if (!compiled.ok() && lacks_process() &&
        compiled.error().text.find("macro variable $target is not defined") != std::string::npos) {
      say_text("What is to be traced? -c COMMAND runs a command, -p PID traces a process.\n" +
               script_usage_line(line_.script_path, line_.script));
      return kRefused;
    }
    if (!compiled.ok()) {
      report_compilation(compiled.error(), tracer_);
      say_tool();
      if (lacks_arguments() || lacks_process()) {
        say_text(script_usage_line(line_.script_path, line_.script));
      }
      return kRefused;
    }
    if (line_.mode == Mode::kCompileOnly && !tracer_.is_stopped()) {
      stages_.begin("end");
      if (tracer_.options().flag("verbose") &&
          print_text(stability_reports(line_, tracer_)) != kSuccess) {
        return kRefused;
      }
    }
    return kSuccess;
  }

  // `-n opensnoop` is no probe, but there is a tool of this name.
  void say_tool() const {
    for (const dtrace::Program& program : line_.programs) {
      const std::string name = program_name(program);
      if (!is_script(program) && find_tool(name)) {
        say_hint(fmt::format("{} is a tool: dtrace -s {}", name, name));  // no name
      }
    }
  }

  // Whether the script refers to arguments that were not given.
  bool lacks_arguments() const {
    return line_.script.positional > line_.macro_args.size() &&
           !tracer_.options().flag("defaultargs");
  }

  // Whether it is a tool about a process, and there is none.
  bool lacks_process() const {
    return line_.script.has_options() && line_.script.uses_target && line_.commands.empty() &&
           line_.pids.empty();
  }

  int trace() {
    if (const dtrace::Status checked = tracer_.check(); !checked.ok()) {
      return refuse(checked.error());
    }
    // The output is opened before anything is traced: a bad -o must not cost a run.
    bool is_new = false;
    dtrace::Result<Fd> output = open_output(line_, is_new);
    if (!output.ok()) {
      return refuse(output.error());
    }
    output_ = std::move(*output);
    const int status = trace_to_output();
    const std::string format = tracer_.options().get("oformat");
    const bool has_failed = has_failed_ || (status != kSuccess && is_document(format));
    if (is_new && has_failed && !format.empty()) {
      remove_empty_output();
    }
    return status;
  }

  // A format that is never empty: where it is, it could not be written. The status of a run may be
  // that of its script.
  static bool is_document(std::string_view format) {
    constexpr std::string_view kDocuments[] = {"svg",   "html",     "speedscope",
                                               "pprof", "perfetto", "chrome"};
    return std::find(std::begin(kDocuments), std::end(kDocuments), format) != std::end(kDocuments);
  }

  // An empty file that this run has created looks like its picture.
  void remove_empty_output() const {
    struct stat written {
    }, named{};
    if (::fstat(output_.get(), &written) == 0 && written.st_size == 0 &&
        ::lstat(line_.output.c_str(), &named) == 0 && named.st_dev == written.st_dev &&
        named.st_ino == written.st_ino) {
      ::unlink(line_.output.c_str());
    }
  }

  int trace_to_output() {
    write_to_output();
    if (const dtrace::Status listening = page_.open(tracer_); !listening.ok()) {
      return refuse(listening.error());
    }
    if (const dtrace::Status pushing = push_.open(tracer_); !pushing.ok()) {
      return refuse(pushing.error());
    }
    dtrace::Status status = begin();
    if (!status.ok()) {
      return refuse(status.error(), kError);
    }
    dtrace::Result<bool> goes_on = true;
    do {
      goes_on = tracer_.poll(page_.is_behind() || push_.is_behind() ? kPollBehind : kPoll);
      page_.flush();
      push_.flush();
      messages_.flush();
    } while (goes_on.ok() && *goes_on);
    status = tracer_.stop();
    push_.finish();
    if (status.ok() && goes_on.ok()) {
      page_.stay(tracer_, [this] { messages_.flush(); });
    }
    support::ignore_ends();
    if (status.ok() && !goes_on.ok()) {
      status = goes_on.error();
    }
    return status.ok() ? tracer_.exit_status() : refuse(status.error(), kError);
  }

  // From the end of this on events are recorded and printed.
  dtrace::Status begin() {
    DT_TRY(tracer_.end_on_signals());
    DT_TRY(enable());
    if (claim_ == nullptr) {
      announce();
      return tracer_.go();
    }
    DT_TRY(tracer_.go());
    DT_TRY(wait_for_claim());
    announce();
    return {};
  }

  // If no process is in the traced control group or container yet, one may come later.
  dtrace::Status enable() {
    dtrace::Status status = tracer_.enable();
    const dtrace::Options& options = tracer_.options();
    const bool has_place = !options.get("cgroup").empty() || !options.get("zone").empty();
    if (!status.ok() && status.error().code == ESRCH && has_place) {
      dtrace::Error error = status.error();
      error.remedy += (error.remedy.empty() ? "" : "; ") + std::string("with -Z it may come later");
      return error;
    }
    return status;
  }

  // Traces without a reader until a process claims the output, or a signal comes.
  dtrace::Status wait_for_claim() {
    if (const Status listening = claim_->listen(); !listening.ok()) {
      return dtrace::Error{listening.error().text, listening.error().code, "", "", ""};
    }
    DT_TRY(tracer_.watch(claim_->fd(), [] {}));
    while (!claim_->accept(output_.get())) {
      if (tracer_.is_interrupted()) {
        return {};
      }
      DT_TRY(tracer_.hold(kPoll));
    }
    messages_.reopen(STDERR_FILENO);
    write_to_output();
    if (claim_->ends()) {
      tracer_.interrupt();
    }
    return tracer_.watch(claim_->fd(), [this] { take_signals(); });
  }

  void take_signals() {
    using Interrupt = dtrace::Tracer::Interrupt;
    while (!is_terminated_) {  // the end of a claimer can be read again and again
      const int signal = claim_->take_signal();
      if (signal == 0) {
        return;
      }
      is_terminated_ = signal != SIGINT;
      tracer_.interrupt(is_terminated_ ? Interrupt::kTerminate : Interrupt::kAsk);
    }
  }

  void write_to_output() {
    const bool has_name = !line_.output.empty();
    if (!has_name && tracer_.options().get("record") == "-") {
      return;  // the recording is there
    }
    tracer_.write_to(output_.get(), has_name ? line_.output : "<stdout>", has_name);
  }

  // What each program has matched, followed by its stability under -v.
  void announce() {
    const std::string absent = absent_service(line_.script, line_.named_args, line_.macro_args);
    if (!absent.empty()) {
      messages_.put(fmt::format("{}: {}\n", script_name(line_.script_path), absent));
    }
    const dtrace::Options& options = tracer_.options();
    const bool is_quiet = options.flag("quiet"), is_verbose = options.flag("verbose");
    const std::vector<std::uint32_t> matched = tracer_.matched();
    for (std::size_t i = 0; is_verbose && !is_quiet && i < options.notes().size(); ++i) {
      messages_.say(options.notes()[i]);
    }
    for (std::size_t i = 0; i < line_.programs.size(); ++i) {
      if (!is_quiet) {
        messages_.say(matched_text(line_.programs[i], matched[i]));
      }
      if (is_verbose) {
        tracer_.print(stability_report(line_, tracer_, i));
      }
    }
    if (options.flag("destructive") && !is_quiet) {
      messages_.say("allowing destructive actions");
    }
  }

  void tell(const dtrace::Message& message) {
    stages_.stand_aside();
    messages_.say(message.text);
    messages_.put(message.excerpt);
  }

  int refuse(const dtrace::Error& error, int status = kRefused) {
    has_failed_ = true;
    stages_.stand_aside();
    messages_.put(error_text(error, tracer_.options().flag("verbose")));
    return status;
  }

  void say(std::string_view text) {
    stages_.stand_aside();
    messages_.say(text);
    messages_.flush();
  }

  const CommandLine& line_;
  bool has_failed_ = false;     // whatever the status of the script is
  Claim* claim_;                // of an anonymous enabling, else nullptr
  bool is_terminated_ = false;  // by the claimer
  bool has_dumped_ = false;     // to stdout
  Stages stages_;
  Messages messages_;
  Fd output_;
  dtrace::Tracer tracer_;
  Page page_{[this](std::string_view text) { say(text); }};
  Push push_{[this](std::string_view text) { say(text); }};
};

}  // namespace

dtrace::Tracer make_tracer(const CommandLine& line) {
  dtrace::Tracer tracer(line.options);
  for (const dtrace::Program& program : line.programs) {
    tracer.add(program);
  }
  for (const auto& [name, text] : line.named_args) {
    tracer.add_argument(name, text);
  }
  for (const std::string& argument : line.macro_args) {
    tracer.add_argument(argument);
  }
  if (!line.recording.empty()) {
    tracer.open(line.recording);
  }
  for (const std::string& command : line.commands) {
    tracer.add_command(command);
  }
  // Known before commands start: what they print does not go between lines of JSON.
  if (line.output.empty() && line.options.get("record") != "-") {
    tracer.write_to(STDOUT_FILENO, "<stdout>");
  }
  for (const std::int32_t pid : line.pids) {
    tracer.add_process(pid);
  }
  if (line.unbuffered) {
    tracer.set_unbuffered();
  }
  return tracer;
}

int trace(const CommandLine& line, Claim* claim) { return Trace(line, claim).run(); }

}  // namespace dt::cli
