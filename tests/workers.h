#pragma once
// Processes that give numbered inputs to code which may crash or hang in any of them.
//
// Of N workers, worker `job` has the inputs job, job + N, job + 2N and so on. A worker that ends
// early is followed by another one for what is left, so one bad input costs nothing but itself.

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "support/check.h"

namespace dt::tests {

// A process that calls `work()` and ends, at the latest with its parent.
template <typename Work>
pid_t start_worker(const Work& work) {
  std::fflush(stdout);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  DT_CHECK(pid >= 0, "fork: {}", std::strerror(errno));
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == parent) work();
    std::fflush(stdout);
    ::_exit(0);
  }
  return pid;
}

// How a worker has ended that limits its inputs with ITIMER_PROF and alarm().
inline std::string how_it_ended(int status, long work_seconds, unsigned hang_seconds) {
  if (!WIFSIGNALED(status)) return fmt::format("exit status {}", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGPROF) return fmt::format("works for {} s", work_seconds);
  if (WTERMSIG(status) == SIGALRM) return fmt::format("not at its end after {} s", hang_seconds);
  return ::strsignal(WTERMSIG(status));
}

// Until all inputs are done. work(job, from) is called in a worker, for its inputs from `from` on;
// ended(job, status) when one has ended early, and gives the input behind which the next one
// begins.
template <typename Work, typename Ended>
void run_workers(std::size_t jobs, const Work& work, const Ended& ended) {
  const auto start = [&](std::size_t job, std::uint64_t from) {
    return start_worker([&] { work(job, from); });
  };
  std::vector<pid_t> workers;
  for (std::size_t job = 0; job < jobs; ++job) workers.push_back(start(job, job));
  for (std::size_t running = workers.size(); running > 0;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, 0);
    const auto found = std::find(workers.begin(), workers.end(), pid);
    if (found == workers.end()) continue;
    if (status == 0) {
      --running;
      continue;
    }
    const auto job = static_cast<std::size_t>(found - workers.begin());
    *found = start(job, ended(job, status) + jobs);
  }
}

}  // namespace dt::tests
