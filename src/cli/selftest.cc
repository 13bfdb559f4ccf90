// --self-test: what this kernel can do, found by trying, and whether a probe of
// each provider really fires. Not tried are io, which takes a disk to write to, lockstat,
// which takes locks that are waited for, and USDT, which takes a program that has it.

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

namespace dt::cli {
namespace {

enum class Work : std::uint8_t { kNone, kPackets, kThreads };

struct Trial {
  const char* provider;
  const char* program;
  const char* command = nullptr;  // makes it fire
  Work work = Work::kNone;        // or this does
  // One of these features is enough; without any, there is nothing to try.
  std::vector<std::string_view> needs = {};
};

constexpr const char* kBreakpoints = "kernel breakpoints (kprobes)";

// Each exits with 42 when its probe fires; ten seconds without are a failure: a slow machine needs
// some for a command.
const std::vector<Trial>& trials() {
  static const std::vector<Trial> kTrials = {
      {"dtrace", "BEGIN { exit(42); }"},
      {"syscall", "syscall:::entry { exit(42); } tick-10s { exit(1); }"},
      {"profile", "profile-997 { exit(42); } tick-10s { exit(1); }"},
      {"profile (tick)", "tick-10ms { exit(42); }"},
      {"cpc", "cpc:::context_switches-all-1 { exit(42); } tick-10s { exit(1); }", "true"},
      {"sdt", "sdt:sched::sched_switch { exit(42); } tick-10s { exit(1); }"},
      {"proc", "proc:::exit { exit(42); } tick-10s { exit(1); }", "true"},
      {"rawtp", "rawtp:::sched_switch { exit(42); } tick-10s { exit(1); }"},
      {"sched", "sched:::off-cpu { exit(42); } tick-10s { exit(1); }", "true"},
      {"sysinfo", "sysinfo:::sysexec { exit(42); } tick-10s { exit(1); }",
       "sh -c 'true; /bin/true'"},
      {"vminfo", "vminfo:::as_fault { exit(42); } tick-10s { exit(1); }", "true"},
      {"ip", "ip:::receive { exit(42); } tick-10s { exit(1); }", nullptr, Work::kPackets},
      {"tcp", "tcp:::connect-request { exit(42); } tick-10s { exit(1); }", nullptr, Work::kPackets},
      {"udp", "udp:::receive { exit(42); } tick-10s { exit(1); }", nullptr, Work::kPackets},
      {"mib", "mib:::tcpActiveOpens { exit(42); } tick-10s { exit(1); }", nullptr, Work::kPackets},
      {"pid",
       "pid$target:libc*:_exit:entry { exit(42); }",
       "true",
       Work::kNone,
       {"uprobe.multi", "events of uprobes"}},
      {"plockstat",
       "plockstat$target:::mutex-acquire { exit(42); } tick-10s { exit(1); }",
       nullptr,
       Work::kThreads,
       {"uprobe.multi", "events of uprobes"}},
      {"pthread",
       "pthread$target:::create { exit(42); } tick-10s { exit(1); }",
       nullptr,
       Work::kThreads,
       {"uprobe.multi", "events of uprobes"}},
      {"fbt",
       "fbt::vfs_read:entry { exit(42); } tick-10s { exit(1); }",
       "cat /proc/self/maps",
       Work::kNone,
       {"programs at a function (fentry)", kBreakpoints}},
      {"kinst",
       "kinst::ksys_read:0 { exit(42); } tick-10s { exit(1); }",
       "cat /proc/self/maps",
       Work::kNone,
       {kBreakpoints}},
  };
  return kTrials;
}

// Sends to this machine what nobody waits for, as long as it is there.
class Packets {
 public:
  Packets() : thread_([this] { send(); }) {}
  Packets(const Packets&) = delete;
  Packets& operator=(const Packets&) = delete;
  ~Packets() {
    is_over_ = true;
    thread_.join();
  }

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
  std::thread thread_;
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
      std::thread([&mutex] { const std::lock_guard<std::mutex> guard(mutex); }).join();
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
  if (trial.command != nullptr) line.commands.emplace_back(trial.command);
  line.programs.push_back({dtrace::Program::Kind::kName, trial.program});
  const auto packets = trial.work == Work::kPackets ? std::make_unique<Packets>() : nullptr;
  const auto threads = trial.work == Work::kThreads ? std::make_unique<Threads>() : nullptr;
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
  for (const Trial& trial : trials()) {
    if (!can_be_tried(trial, features)) {
      std::printf("  %-28s not on this kernel\n", trial.provider);
      continue;
    }
    const bool fired = fire(trial) == 42;
    std::printf("  %-28s %s\n", trial.provider, fired ? "fires" : "does not fire");
    good = good && fired;
  }
  std::fflush(stdout);
  return good ? kSuccess : kError;
}

}  // namespace dt::cli
