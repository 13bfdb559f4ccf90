// --self-test: what this kernel can do, found by trying, and whether a probe of
// each provider really fires.

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "dtrace/tracer.h"

namespace dt::cli {
namespace {

struct Trial {
  const char* provider;
  const char* program;
  const char* command = nullptr;  // makes it fire
};

// Each exits with 42 when its probe fires; a second without is a failure.
constexpr Trial kTrials[] = {
    {"dtrace", "BEGIN { exit(42); }"},
    {"syscall", "syscall:::entry { exit(42); } tick-1s { exit(1); }"},
    {"profile", "profile-997 { exit(42); } tick-1s { exit(1); }"},
    {"profile (tick)", "tick-10ms { exit(42); }"},
    {"cpc", "cpc:::context_switches-all-1 { exit(42); } tick-1s { exit(1); }", "true"},
    {"sdt", "sdt:sched::sched_switch { exit(42); } tick-1s { exit(1); }"},
    {"proc", "proc:::exit { exit(42); } tick-1s { exit(1); }", "true"},
    {"rawtp", "rawtp:::sched_switch { exit(42); } tick-1s { exit(1); }"},
    {"sched", "sched:::off-cpu { exit(42); } tick-1s { exit(1); }", "true"},
    {"sysinfo", "sysinfo:::sysexec { exit(42); } tick-1s { exit(1); }", "sh -c 'true; /bin/true'"},
    {"vminfo", "vminfo:::as_fault { exit(42); } tick-1s { exit(1); }", "true"},
};

int fire(const Trial& trial) {
  CommandLine line;
  line.options.set("quiet");
  line.output = "/dev/null";
  if (trial.command != nullptr) line.commands.emplace_back(trial.command);
  line.programs.push_back({dtrace::Program::Kind::kName, trial.program});
  return trace(line);
}

}  // namespace

int self_test() {
  std::printf("kernel %s, %u possible CPUs\n", dtrace::kernel_release().c_str(),
              dtrace::kernel_cpus());
  bool good = true;
  for (const dtrace::Feature& feature : dtrace::kernel_features()) {
    std::printf("  %-28s %s\n", feature.name.c_str(), feature.present ? "yes" : "no");
    if (!feature.present) {
      std::printf("  %-28s %s; without it: %s\n", "", feature.reason.c_str(),
                  feature.purpose.c_str());
      good = good && !feature.required;
    }
  }
  std::printf("providers\n");
  for (const Trial& trial : kTrials) {
    const bool fired = fire(trial) == 42;
    std::printf("  %-28s %s\n", trial.provider, fired ? "fires" : "does not fire");
    good = good && fired;
  }
  std::fflush(stdout);
  return good ? kSuccess : kError;
}

}  // namespace dt::cli
