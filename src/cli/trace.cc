// The pipeline, from the command line to the last line of output. compile()
// (compile.cc) is stages 1-7; this file is the rest of the table in
// ARCHITECTURE.md, with a remark at each point after which something can no
// longer be known or changed.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/list.h"
#include "cli/live.h"
#include "cli/report.h"
#include "ir/destructive.h"

namespace dt::cli {
namespace {

// Starts what -c names and grabs what -p names. Started programs stand still.
bool find_processes(const CommandLine& line, std::vector<runtime::Process>& processes) {
  for (const std::string& command : line.commands) {
    Result<runtime::Process> process = runtime::Process::start(command);
    if (!process.ok()) {
      report(process.error(), line.options.verbose);
      return false;
    }
    processes.push_back(std::move(*process));
  }
  for (const std::int32_t pid : line.pids) {
    Result<runtime::Process> process = runtime::Process::grab(pid);
    if (!process.ok()) {
      report(process.error(), line.options.verbose);
      return false;
    }
    processes.push_back(std::move(*process));
  }
  return true;
}

// -o appends; without it, standard output.
Result<Fd> open_output(const CommandLine& line) {
  if (line.output.empty()) {
    return Fd(::dup(STDOUT_FILENO));
  }
  Fd fd(::open(line.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!fd.valid()) {
    return Error{fmt::format("failed to open '{}': {}", line.output, std::strerror(errno)), errno,
                 "", ""};
  }
  return fd;
}

// Destructive actions are for those who ask for them.
bool may_act(const Compiled& compiled) {
  const std::optional<Span> place = ir::find_destructive(compiled.program);
  if (!place || compiled.options.destructive) {
    return true;
  }
  say("could not enable tracing: Destructive actions not allowed");
  std::fputs(support::render(
                 Diagnostic{"", *place, "this action is destructive", {}, "allow it with -w", ""},
                 compiled.sources)
                 .c_str(),
             stderr);
  return false;
}

}  // namespace

int trace(const CommandLine& line) {
  Stages stages;

  // $target must be known before the script is read, so the command is started
  // first; it stands at its first instruction until the probes are live.
  std::vector<runtime::Process> processes;
  if (!find_processes(line, processes)) {
    return kError;
  }
  std::optional<std::int64_t> target;
  if (!processes.empty()) {
    target = processes.front().pid();
  }

  // Stages 1-7. After this the script is no longer needed but for its places.
  Compiled compiled;
  switch (compile(line, target, compiled, stages)) {
    case Compilation::kFailed:
      return kError;
    case Compilation::kStopped:
      return kSuccess;
    case Compilation::kDone:
      break;
  }
  if (line.mode == Mode::kCompileOnly) {
    stages.begin("end");
    if (compiled.options.verbose &&
        print_text(stability_reports(line, compiled.stability)) != kSuccess) {
      return kError;
    }
    if (compiled.options.stats) {
      std::fputs(stages.report().c_str(), stderr);
    }
    return kSuccess;
  }
  if (!may_act(compiled)) {
    return kError;
  }
  if (compiled.plan.programs.empty() && !compiled.options.zdefs) {
    say("no probes matched");
    return kError;
  }

  // The output is opened before anything is traced: a bad -o must not cost a run.
  Result<Fd> output = open_output(line);
  if (!output.ok()) {
    report(output.error(), line.options.verbose);
    return kError;
  }

  // Stages 8-11.
  Live live(compiled, line, processes, *output, stages);
  const int status = live.run();
  if (compiled.options.stats) {
    std::fputs(stages.report().c_str(), stderr);
  }
  return status;
}

}  // namespace dt::cli
