// --self-test: what this kernel can do, found by trying, and whether a probe of
// each provider really fires.

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/live.h"
#include "cli/report.h"
#include "kernel/features.h"

namespace dt::cli {
namespace {

struct Trial {
  const char* provider;
  const char* program;
};

// Each exits with 42 when its probe fires; a second without is a failure.
constexpr Trial kTrials[] = {
    {"dtrace", "BEGIN { exit(42); }"},
    {"syscall", "syscall:::entry { exit(42); } tick-1s { exit(1); }"},
    {"profile", "profile-997 { exit(42); } tick-1s { exit(1); }"},
    {"profile (tick)", "tick-10ms { exit(42); }"},
    {"sdt", "sdt:sched::sched_switch { exit(42); } tick-1s { exit(1); }"},
};

int fire(const Trial& trial) {
  CommandLine line;
  line.options.quiet = true;
  line.output = "/dev/null";
  line.programs.push_back(Program{d::Input::Spec::kName, false, trial.program});
  return trace(line);
}

}  // namespace

int self_test() {
  const std::unique_ptr<kernel::Kernel> kernel = kernel::linux_kernel();
  std::printf("kernel %s, %u possible CPUs\n", kernel->release().c_str(), kernel->possible_cpus());
  bool good = true;
  for (const kernel::FeatureReport& feature : kernel::try_all_features(*kernel)) {
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
