// --self-test: what this kernel can do, found by trying, and whether a probe of each provider
// really fires: dtrace::trials(). Not tried are io, which takes a disk to write to, lockstat,
// which takes locks that are waited for, fsinfo, and USDT, which takes a program that has it.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/commands.h"
#include "dtrace/tracer.h"
#include "support/fd.h"
#include "support/thread.h"

namespace dt::cli {
namespace {

using dtrace::Trial;

// Those of the providers, and the second kind of probe that profile has.
std::vector<Trial> all_trials() {
  std::vector<Trial> all = dtrace::trials();
  const auto profile = std::find_if(all.begin(), all.end(),
                                    [](const Trial& one) { return one.provider == "profile"; });
  if (profile != all.end()) {
    all.insert(std::next(profile), {"profile (tick)", "tick-10ms", Trial::Work::kNone, {}, {}});
  }
  return all;
}

// Sends packets to this machine that no socket waits for, as long as it exists.
class Packets {
 public:
  Packets() {
    // Without one, the probes of packets do not fire, and are reported so.
    if (auto thread = support::Thread::start([this] { send(); }); thread.ok()) {
      thread_ = std::move(*thread);
    }
  }
  Packets(const Packets&) = delete;
  Packets& operator=(const Packets&) = delete;
  ~Packets() { is_over_ = true; }

 private:
  void send() {
    constexpr std::uint16_t kDiscard = 9;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(kDiscard);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    while (!is_over_) {
      for (const int type : {SOCK_DGRAM, SOCK_STREAM}) {
        const Fd socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
        if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
            0) {
          (void)!::send(socket.get(), "", 1, MSG_NOSIGNAL);
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  std::atomic<bool> is_over_ = false;
  support::Thread thread_;  // last: it uses the flag
};

// A process that takes a lock and makes a thread again and again, as long as this is there.
class Threads {
 public:
  Threads() : pid_(::fork()) {
    if (pid_ == 0) run();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  [[noreturn]] static void run() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::mutex mutex;
    while (::getppid() != 1) {
      static_cast<void>(
          support::Thread::start([&mutex] { const std::lock_guard<std::mutex> guard(mutex); }));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::_exit(0);
  }

  pid_t pid_;
};

bool can_be_tried(const Trial& trial, const std::vector<dtrace::Feature>& features) {
  return trial.needs.empty() ||
         std::any_of(features.begin(), features.end(), [&](const dtrace::Feature& feature) {
           return feature.present && std::find(trial.needs.begin(), trial.needs.end(),
                                               feature.name) != trial.needs.end();
         });
}

int fire(const Trial& trial) {
  CommandLine line;
  line.options.set("quiet");
  line.output = "/dev/null";
  // Ten seconds without a firing are a failure: a slow machine needs some for a command.
  line.programs.push_back(
      {dtrace::Program::Kind::kName, trial.probe + " { exit(42); } tick-10s { exit(1); }"});
  if (trial.work == Trial::Work::kCommand) line.commands.emplace_back(trial.command);
  const auto packets = trial.work == Trial::Work::kPackets ? std::make_unique<Packets>() : nullptr;
  const auto threads = trial.work == Trial::Work::kThreads ? std::make_unique<Threads>() : nullptr;
  if (threads != nullptr) line.pids.push_back(threads->pid());
  return trace(line);
}

}  // namespace

int self_test() {
  std::printf("kernel %s, %u possible CPUs\n", dtrace::kernel_release().c_str(),
              dtrace::kernel_cpus());
  bool good = true;
  const std::vector<dtrace::Feature> features = dtrace::kernel_features();
  for (const dtrace::Feature& feature : features) {
    std::printf("  %-28s %s\n", feature.name.c_str(), feature.present ? "yes" : "no");
    if (!feature.present) {
      std::printf("  %-28s %s; without it: %s\n", "", feature.reason.c_str(),
                  feature.purpose.c_str());
      good = good && !feature.required;
    }
  }
  std::printf("providers\n");
  for (const Trial& trial : all_trials()) {
    if (!can_be_tried(trial, features)) {
      std::printf("  %-28s not on this kernel\n", trial.provider.c_str());
      continue;
    }
    const bool fired = fire(trial) == 42;
    std::printf("  %-28s %s\n", trial.provider.c_str(), fired ? "fires" : "does not fire");
    good = good && fired;
  }
  std::fflush(stdout);
  return good ? kSuccess : kError;
}

}  // namespace dt::cli
