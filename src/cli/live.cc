// Tracing itself: the loop between the kernel and the person.

#include "cli/live.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "bpf/generate.h"
#include "cli/list.h"
#include "cli/report.h"
#include "runtime/link.h"
#include "runtime/on_cpu_clock.h"

namespace dt::cli {
namespace {

using Clock = std::chrono::steady_clock;

// The longest sleep: drops are looked at, and a lost wake-up costs no more.
constexpr std::uint32_t kMaxWaitMs = 1000;

// How long a reader may take nothing once we are to end: after a second
// signal, and after a SIGTERM or SIGHUP, which may be the only one. A single
// Ctrl-C waits: it may have been meant for the pager that we write to.
constexpr std::chrono::milliseconds kPatienceTwice{200};
constexpr std::chrono::milliseconds kPatienceTerminated{2000};

bool to_terminal(const CommandLine& line) {
  return line.output.empty() && ::isatty(STDOUT_FILENO) == 1;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text + "\n";
}

}  // namespace

Live::Live(Compiled& compiled, const CommandLine& line, std::vector<runtime::Process>& processes,
           const Fd& output, Stages& stages)
    : compiled_(compiled),
      line_(line),
      processes_(processes),
      stages_(stages),
      kernel_(kernel::linux_kernel()),
      resolver_(symbol::system_resolver(compiled.kallsyms)),
      messages_(STDERR_FILENO),
      output_(output.get(), line.output.empty() ? "<stdout>" : line.output),
      effects_(compiled.options, output_, to_terminal(line)),
      gone_(processes.size(), false) {}

int Live::run() {
  const int status = trace();
  const bool read = messages_.finish(kPatienceTerminated);
  return status == kSuccess && !read ? kError : status;
}

int Live::trace() {
  Status status = prepare();
  if (status.ok()) {
    status = start();
  }
  if (!status.ok()) {
    return refuse(status.error());
  }
  stages_.begin("trace");
  Status traced = loop();
  stages_.begin("stop");
  Status finished = finish();
  stages_.begin("end");
  if (output_.error()) {
    messages_.say(output_.error()->text);
    return kError;
  }
  if (!traced.ok()) {
    return refuse(traced.error());
  }
  if (!finished.ok()) {
    return refuse(finished.error());
  }
  return session_->exit_status().value_or(kSuccess);
}

// Everything up to the point at which probes are attached but do nothing yet.
Status Live::prepare() {
  stages_.begin("maps");
  DT_ASSIGN(runtime::Signals signals, runtime::Signals::create());
  signals_.emplace(std::move(signals));
  const runtime::Sizes sizes{compiled_.options.bufsize, compiled_.options.aggsize,
                             compiled_.options.dynvarsize};
  const std::uint64_t target =
      processes_.empty() ? 0 : static_cast<std::uint64_t>(processes_.front().pid());
  DT_ASSIGN(session_, runtime::Session::create(*kernel_, compiled_.memory, compiled_.plan.schema,
                                               sizes, target));
  consumer_ = std::make_unique<consumer::Consumer>(
      compiled_.plan.schema, compiled_.sources, *resolver_, session_->aggregations(), output_,
      [this](std::string_view text) { messages_.say(text); },
      consumer_options(compiled_.options, to_terminal(line_)), &effects_);
  stages_.begin("load");
  DT_TRY(load_programs());
  stages_.begin("attach");
  return session_->attach();
}

Status Live::load_programs() {
  if (compiled_.on_cpu_clock) {
    DT_TRY(session_->load(runtime::on_cpu_clock(*compiled_.on_cpu_clock)));
  }
  for (const bpf::Object& object : compiled_.objects) {
    const provider::Provider& provider = compiled_.probes->of_program(object.program);
    runtime::Load load;
    load.object = &object;
    DT_ASSIGN(load.spec, provider.program_spec(object.program));
    load.role = provider.role(object.program);
    load.attach = [&provider, &object](const Fd& fd, kernel::Kernel& kernel) {
      return provider.attach(object.program, fd, kernel);
    };
    Status status = session_->load(load);
    if (!status.ok()) {
      if (const auto span = runtime::rejected_at(object, status.error().log)) {
        rejected_ =
            Diagnostic{"", *span, "the kernel's verifier refuses the code of this", {}, "", ""};
      }
      return std::move(status.error());
    }
  }
  return {};
}

// From here on events are recorded: BEGIN first, then everything else, then the
// commands of -c are let go.
Status Live::start() {
  stages_.begin("go");
  DT_TRY(session_->watch(signals_->fd(), [this] { take_signals(); }));
  output_.when_full(signals_->fd(), [this](std::chrono::milliseconds idle) {
    take_signals();
    return (interrupts_ > 1 && idle >= kPatienceTwice) ||
           (terminated_ && idle >= kPatienceTerminated);
  });
  effects_.when_waiting(signals_->fd(), [this] {
    take_signals();
    return interrupts_ > 1 || terminated_;
  });
  announce();
  DT_TRY(session_->go());
  for (runtime::Process& process : processes_) {
    resolver_->note_process(process.pid());
    DT_TRY(session_->watch(process.fd(), [] {}));
    DT_TRY(process.resume());
  }
  next_drops_ = Clock::now();
  return {};
}

void Live::announce() {
  if (compiled_.options.quiet) {
    return;
  }
  for (std::size_t i = 0; i < line_.programs.size(); ++i) {
    const std::uint32_t matched = i < compiled_.plan.matched.size() ? compiled_.plan.matched[i] : 0;
    messages_.say(matched_text(line_.programs[i], matched));
  }
  if (compiled_.options.verbose) {
    output_.write(stability_reports(line_, compiled_.stability));
  }
  if (compiled_.options.destructive) {
    messages_.say("allowing destructive actions");
  }
}

void Live::take(std::span<const std::uint8_t> bytes) {
  if (compiled_.options.dump == "raw") {
    output_.write(hex(bytes));
  } else if (compiled_.options.dump == "records") {
    output_.write(consumer_->describe(bytes));
  } else {
    consumer_->consume(bytes);
  }
}

void Live::take_signals() {
  while (const int signal = signals_->take()) {
    ++interrupts_;
    terminated_ = terminated_ || signal != SIGINT;
  }
}

void Live::check_processes() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (!gone_[i] && processes_[i].poll_end()) {
      gone_[i] = true;
      ++ended_;
      if (!compiled_.options.quiet) {
        messages_.say(processes_[i].describe_end());
      }
    }
  }
}

Status Live::loop() {
  while (true) {
    // What ended the run is looked at before the records are read, so that
    // whatever it had recorded until then is read too.
    check_processes();
    const bool ending = session_->exiting() || interrupts_ > 0 ||
                        (!processes_.empty() && ended_ == processes_.size());
    const std::size_t bytes =
        session_->consume([this](std::span<const std::uint8_t> record) { take(record); });
    if (bytes > 0) {
      output_.flush();
    }
    messages_.flush();
    if (output_.error() || ending) {
      return {};
    }
    if (Clock::now() >= next_drops_) {
      DT_TRY(report_drops());
      consumer_->note_processes();
      next_drops_ = Clock::now() + std::chrono::nanoseconds(compiled_.options.statusrate_ns);
    }
    DT_TRY(session_->wait(kMaxWaitMs));
  }
}

// END, what is left in the ring, the last drops, and the aggregations.
Status Live::finish() {
  const bool text = compiled_.options.dump != "raw" && compiled_.options.dump != "records";
  if (interrupts_ > 0 && text && compiled_.options.oformat.empty()) {
    output_.write("\n");
  }
  const auto visit = [this](std::span<const std::uint8_t> record) { take(record); };
  const Status stopped = session_->stop(visit);
  while (session_->consume(visit) > 0) {
  }
  DT_TRY(report_drops());
  if (text) {
    take_signals();
    if (interrupts_ < 2) {
      consumer_->print_aggregations();
    }
    consumer_->print_end(session_->exit_status().value_or(kSuccess));
  }
  output_.flush();
  if (const std::string notice = resolver_->take_notice(); !notice.empty()) {
    messages_.say(notice);
  }
  return stopped;
}

Status Live::report_drops() {
  DT_ASSIGN(const std::vector<std::uint64_t> counters, session_->drops());
  consumer_->report_drops(counters);
  return {};
}

int Live::refuse(const Error& error) {
  messages_.finish(kPatienceTerminated);
  if (error.code == EPERM || error.code == EACCES) {
    Error shown = error;
    shown.text =
        "failed to initialize dtrace: DTrace requires additional privileges: " + error.text;
    report(shown, line_.options.verbose);
  } else {
    report(error, line_.options.verbose);
  }
  if (rejected_) {
    say_excerpt(*rejected_, compiled_.sources);
  }
  return kError;
}

}  // namespace dt::cli
