// dt_differential: random D scripts, run in three ways that must agree.
//
//   dt_differential [--seed N] [--count N] [--seconds N] [--two-way] [--print] [--code] [--all]
//
// Without --seed, seeds are 1, 2, 3, ...; with --seconds and without --count,
// they begin at random and go on until the time is over. A disagreement is
// made smaller, printed with its seed, and ends the run with status 1.

#include <fmt/core.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>

#include "kernel/features.h"
#include "reduce.h"
#include "runtime/machine.h"
#include "trial.h"
#include "types/type.h"

namespace dt::differential {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kReduceTime{60};

struct Options {
  std::uint64_t seed = 0;  // 0 = not given
  std::uint64_t count = 0;
  std::uint64_t seconds = 0;
  bool two_way = false;
  bool print = false;  // every script
  bool code = false;   // of a script that fails
  bool all = false;    // go on after a failure, and only name it
};

bool parse_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--two-way") {
      options.two_way = true;
      continue;
    }
    if (name == "--all") {
      options.all = true;
      continue;
    }
    if (name == "--code") {
      options.code = true;
      continue;
    }
    if (name == "--print") {
      options.print = true;
      continue;
    }
    std::uint64_t* to = name == "--seed"      ? &options.seed
                        : name == "--count"   ? &options.count
                        : name == "--seconds" ? &options.seconds
                                              : nullptr;
    const std::string_view text = to != nullptr && i + 1 < argc ? argv[++i] : "";
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *to);
    if (to == nullptr || text.empty() || parsed.ptr != text.data() + text.size()) return false;
  }
  return true;
}

// A machine as the kernel's could be, for runs without one.
bpf::Machine made_up_machine() {
  bpf::Machine machine;
  machine.cpus = 4;
  machine.task_comm = 64;
  machine.task_tgid = 20;
  machine.task_pid = 16;
  machine.task_real_parent = 32;
  machine.task_start_time = 40;
  return machine;
}

// Puts the bytes that scripts read where they look for them.
bool place_user_memory() {
  void* page = ::mmap(reinterpret_cast<void*>(kUserPage), kUserPageBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_POPULATE, -1, 0);
  if (page == MAP_FAILED) return false;
  ::mlock(page, kUserPageBytes);
  const std::vector<std::uint8_t> bytes = user_page();
  std::memcpy(page, bytes.data(), bytes.size());
  return true;
}

// Stays on one CPU under a known name; nothing else about us changes.
std::string become(Identity& identity) {
  const int cpu = ::sched_getcpu();
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(static_cast<std::size_t>(cpu), &cpus);
  if (::sched_setaffinity(0, sizeof cpus, &cpus) != 0) return "cannot stay on one CPU";
  if (!place_user_memory()) return "cannot map the page that scripts read";
  ::prctl(PR_SET_NAME, identity.name.c_str());
  identity.pid = static_cast<std::uint32_t>(::getpid());
  identity.tid = static_cast<std::uint32_t>(::gettid());
  identity.ppid = static_cast<std::uint32_t>(::getppid());
  identity.uid = ::getuid();
  identity.gid = ::getgid();
  identity.cpu = static_cast<std::uint32_t>(cpu);
  return "";
}

// "" when the running kernel is the third way, otherwise why not.
std::string use_kernel(kernel::Kernel& kernel, Setup& setup) {
  if (::geteuid() != 0) return "not root";
  const Status able = kernel::try_feature(kernel, kernel::Feature::kProgramRun);
  if (!able.ok()) return able.error().text;
  Identity identity = setup.identity;
  if (const std::string why = become(identity); !why.empty()) return why;
  types::Catalog types;
  types.add_source(types::kernel_btf_source());
  setup.machine = runtime::describe_machine(kernel, &types);
  setup.identity = identity;
  setup.kernel = &kernel;
  return "";
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "agrees";
    case Verdict::kRefused:
      return "refused by the front end";
    case Verdict::kMalformed:
      return "malformed IR";
    case Verdict::kNotGenerated:
      return "no code was generated";
    case Verdict::kModelDiffers:
      return "the BPF interpreter disagrees with the IR interpreter";
    case Verdict::kRejected:
      return "rejected by the kernel's verifier";
    case Verdict::kKernelDiffers:
      return "the kernel disagrees with the IR interpreter";
  }
  return "?";
}

void report(std::uint64_t seed, const Script& script, const Outcome& outcome, const Setup& setup,
            bool code) {
  fmt::print("seed {}: {}; a smaller script follows\n{}\n", seed, name_of(outcome.verdict),
             outcome.text);
  std::fflush(stdout);
  Script small = script;
  if (outcome.verdict != Verdict::kRefused) {
    const Clock::time_point end = Clock::now() + kReduceTime;
    small = reduce(script, [&](const Script& less) {
      return Clock::now() < end && try_script(less, setup).verdict == outcome.verdict;
    });
  }
  const Outcome last = try_script(small, setup);
  fmt::print("seed {}{}: {}\n{}\n\n{}", seed, small.is_divided ? " (divided)" : "",
             name_of(last.verdict), last.text, small.text());
  for (const Firing& firing : small.firings) {
    fmt::print("// key {}, arguments", firing.key);
    for (const std::int64_t argument : firing.arguments) fmt::print(" {}", argument);
    fmt::print("\n");
  }
  if (code) fmt::print("{}", listing(small, setup));
  std::fflush(stdout);
}

int run(const Options& options) {
  const std::unique_ptr<kernel::Kernel> kernel = kernel::linux_kernel();
  Setup setup;
  setup.machine = made_up_machine();
  const std::string why = options.two_way ? "not asked for" : use_kernel(*kernel, setup);
  if (!why.empty()) fmt::print("without the running kernel: {}\n", why);
  const bool timed = options.seconds > 0 && options.count == 0;
  const std::uint64_t first = options.seed != 0 ? options.seed
                              : timed           ? std::random_device()() * std::uint64_t{1'000'000}
                                                : 1;
  const std::uint64_t count = timed ? UINT64_MAX - first : options.count == 0 ? 1 : options.count;
  const Clock::time_point start = Clock::now();
  std::uint64_t scripts = 0, clauses = 0, evaluations = 0, retries = 0, failures = 0;
  for (std::uint64_t seed = first; scripts < count; ++seed, ++scripts) {
    if (options.seconds > 0 && Clock::now() - start >= std::chrono::seconds(options.seconds)) break;
    const Script script = random_script(seed, setup.machine);
    if (options.print) fmt::print("// seed {}\n{}", seed, script.text());
    const Outcome outcome = try_script(script, setup);
    if (outcome.verdict != Verdict::kAgrees && options.all) {
      fmt::print("seed {}: {}: {}\n", seed, name_of(outcome.verdict),
                 outcome.text.substr(0, outcome.text.find('\n')));
      std::fflush(stdout);
      ++failures;
    } else if (outcome.verdict != Verdict::kAgrees) {
      report(seed, script, outcome, setup, options.code);
      return 1;
    }
    clauses += outcome.clauses;
    evaluations += outcome.evaluations;
    retries += outcome.retries;
  }
  const std::chrono::duration<double> took = Clock::now() - start;
  fmt::print(
      "{} scripts from seed {}: {} clauses, {} evaluations, {} ways, {} tried again, {:.1f} s\n",
      scripts, first, clauses, evaluations, setup.kernel != nullptr ? 3 : 2, retries, took.count());
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dt::differential

int main(int argc, char** argv) {
  dt::differential::Options options;
  if (!dt::differential::parse_options(argc, argv, options)) {
    fmt::print(
        stderr,
        "usage: {} [--seed N] [--count N] [--seconds N] [--two-way] [--print] [--code] [--all]\n",
        argv[0]);
    return 2;
  }
  return dt::differential::run(options);
}
