// See campaign.h. A campaign of one job runs in this process, so that a debugger
// sees it; more jobs, and those that go on after a failure, are child processes.

#include "campaign.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "reduce.h"
#include "setup.h"
#include "support/check.h"
#include "support/fd.h"
#include "testing/bpf/trial.h"
#include "trial.h"

namespace dt::differential {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kReduceTime{60};
constexpr unsigned kHangSeconds = 300;  // what takes longer than this never ends
constexpr std::size_t kMaxJobs = 64;

// What is known of the campaign, in memory that all its processes share.
struct Shared {
  std::atomic<std::uint64_t> scripts, clauses, evaluations, retries, failures, untranslated;
  std::atomic<bool> is_over;
  // By job: the number of its script, counted from 0, and whether it has begun one.
  std::atomic<std::uint64_t> current[kMaxJobs];
  std::atomic<bool> is_busy[kMaxJobs];
};

struct Campaign {
  Options options;
  std::uint64_t first = 1;  // seed
  std::uint64_t count = 1;
  Clock::time_point start = Clock::now();
  Shared* shared = nullptr;

  bool is_over() const {
    return shared->is_over ||
           (options.seconds > 0 && Clock::now() - start >= std::chrono::seconds(options.seconds));
  }
};

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
    case Verdict::kNotTranslated:
      return "the kernel's JIT does not come to an end";
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

void trial(const Campaign& campaign, const Setup& setup, std::uint64_t seed) {
  Shared& shared = *campaign.shared;
  const Options& options = campaign.options;
  const Script script = random_script(seed, setup.machine);
  if (options.print) fmt::print("// seed {}\n{}", seed, script.text());
  const Outcome outcome = try_script(script, setup);
  ::alarm(0);
  ++shared.scripts;
  shared.clauses += outcome.clauses;
  shared.evaluations += outcome.evaluations;
  shared.retries += outcome.retries;
  if (outcome.verdict == Verdict::kAgrees) return;
  if (outcome.verdict == Verdict::kNotTranslated) {
    ++shared.untranslated;
    fmt::print("seed {}: {}\n", seed, name_of(outcome.verdict));
    std::fflush(stdout);
    return;
  }
  ++shared.failures;
  if (options.all) {
    fmt::print("seed {}: {}: {}\n", seed, name_of(outcome.verdict),
               outcome.text.substr(0, outcome.text.find('\n')));
    std::fflush(stdout);
    return;
  }
  shared.is_over = true;
  report(seed, script, outcome, setup, options.code);
}

// Every jobs-th script from the `from`th on.
void work(const Campaign& campaign, std::size_t job, std::uint64_t from) {
  const std::unique_ptr<kernel::Kernel> kernel = kernel::linux_kernel();
  Setup setup;
  setup.machine = bpf::trial_machine(4);
  if (!campaign.options.two_way) use_kernel(*kernel, static_cast<std::uint32_t>(job), setup);
  for (std::uint64_t i = from; i < campaign.count && !campaign.is_over();
       i += campaign.options.jobs) {
    campaign.shared->current[job] = i;
    campaign.shared->is_busy[job] = true;
    ::alarm(kHangSeconds);
    trial(campaign, setup, campaign.first + i);
    campaign.shared->is_busy[job] = false;
  }
}

struct Worker {
  pid_t pid = -1;
  Fd ended;  // readable when it has
};

Worker start_worker(const Campaign& campaign, std::size_t job, std::uint64_t from) {
  std::fflush(stdout);
  const pid_t parent = ::getpid();
  Worker worker;
  worker.pid = ::fork();
  DT_CHECK(worker.pid >= 0, "fork: {}", std::strerror(errno));
  if (worker.pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == parent) work(campaign, job, from);
    std::fflush(stdout);
    ::_exit(0);
  }
  worker.ended = Fd(static_cast<int>(::syscall(SYS_pidfd_open, worker.pid, 0)));
  return worker;
}

// Says how a worker ended that should not have; true when another is to go on.
bool has_crashed(const Campaign& campaign, std::size_t job, int status) {
  Shared& shared = *campaign.shared;
  if (!WIFSIGNALED(status) || !shared.is_busy[job]) return false;
  const std::uint64_t seed = campaign.first + shared.current[job];
  if (WTERMSIG(status) == SIGALRM) {
    fmt::print("seed {}: not at its end after {} s\n", seed, kHangSeconds);
  } else {
    fmt::print("seed {}: crashed: {}\n", seed, ::strsignal(WTERMSIG(status)));
  }
  std::fflush(stdout);
  ++shared.scripts;
  ++shared.failures;
  shared.is_busy[job] = false;
  shared.is_over = shared.is_over || !campaign.options.all;
  return !shared.is_over;
}

std::string progress(const Campaign& campaign) {
  const Shared& shared = *campaign.shared;
  const std::chrono::duration<double> took = Clock::now() - campaign.start;
  return fmt::format(
      "{} scripts from seed {}: {} clauses, {} evaluations, {} tried again, {} not translated by "
      "the JIT, {} failed, {:.1f} s",
      shared.scripts.load(), campaign.first, shared.clauses.load(), shared.evaluations.load(),
      shared.retries.load(), shared.untranslated.load(), shared.failures.load(), took.count());
}

// Until all workers have ended.
void supervise(const Campaign& campaign, std::vector<Worker> workers) {
  const auto every = std::chrono::seconds(campaign.options.progress);
  Clock::time_point next = Clock::now() + every;
  std::size_t running = workers.size();
  while (running > 0) {
    std::vector<pollfd> waits;
    for (const Worker& worker : workers) waits.push_back({worker.ended.get(), POLLIN, 0});
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now());
    const auto most = std::max<std::int64_t>(left.count(), 0);
    ::poll(waits.data(), waits.size(), every.count() == 0 ? -1 : static_cast<int>(most));
    for (std::size_t job = 0; job < workers.size(); ++job) {
      int status = 0;
      if (workers[job].pid < 0 || ::waitpid(workers[job].pid, &status, WNOHANG) <= 0) continue;
      workers[job] = {};
      --running;
      if (!has_crashed(campaign, job, status)) continue;
      const std::uint64_t from = campaign.shared->current[job] + campaign.options.jobs;
      workers[job] = start_worker(campaign, job, from);
      ++running;
    }
    if (every.count() > 0 && Clock::now() >= next) {
      fmt::print("{}\n", progress(campaign));
      std::fflush(stdout);
      next += every;
    }
  }
}

Shared* share() {
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  DT_CHECK(memory != MAP_FAILED, "mmap: {}", std::strerror(errno));
  return new (memory) Shared();
}

// In a child, since it changes who we are.
int ways(const Options& options) {
  if (options.two_way) return 2;
  std::fflush(stdout);
  const pid_t pid = ::fork();
  DT_CHECK(pid >= 0, "fork: {}", std::strerror(errno));
  if (pid == 0) {
    const std::unique_ptr<kernel::Kernel> kernel = kernel::linux_kernel();
    Setup setup;
    const std::string why = use_kernel(*kernel, 0, setup);
    if (!why.empty()) fmt::print("without the running kernel: {}\n", why);
    std::fflush(stdout);
    ::_exit(why.empty() ? 3 : 2);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

}  // namespace

int run_campaign(const Options& options) {
  Campaign campaign;
  campaign.options = options;
  campaign.options.jobs = std::min<std::uint64_t>(options.jobs, kMaxJobs);
  campaign.shared = share();
  const bool timed = options.seconds > 0 && options.count == 0;
  if (options.seed != 0) {
    campaign.first = options.seed;
  } else if (timed) {
    campaign.first = std::random_device()() * std::uint64_t{1'000'000};
  }
  campaign.count = timed ? UINT64_MAX - campaign.first : std::max<std::uint64_t>(options.count, 1);
  const int number = ways(options);
  campaign.options.two_way = number == 2;
  if (campaign.options.jobs == 1 && !options.all) {
    work(campaign, 0, 0);
  } else {
    std::vector<Worker> workers;
    for (std::size_t job = 0; job < campaign.options.jobs; ++job) {
      workers.push_back(start_worker(campaign, job, job));
    }
    supervise(campaign, std::move(workers));
  }
  fmt::print("{}, {} ways\n", progress(campaign), number);
  return campaign.shared->failures == 0 ? 0 : 1;
}

}  // namespace dt::differential
