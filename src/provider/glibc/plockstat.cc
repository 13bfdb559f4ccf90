// The plockstat provider: the locks of pthreads in processes that use glibc.
//
//   plockstat1234:libc.so.6:pthread_mutex_lock:mutex-acquire
//
// glibc of Debian has no probes of its own, so these are breakpoints where its functions begin,
// return and wait (lock_code.h). Two programs, as one return can be two probes: that the
// wait is over, and that the lock is acquired. Each keeps notes of its own.

#include <set>
#include <tuple>

#include "provider/glibc/plockstat_probes.h"
#include "provider/mechanism/providers.h"

namespace dt::provider {
namespace {

constexpr const char* kLocks = "plockstat:locks";
constexpr const char* kWaits = "plockstat:waits";

class PlockstatProvider : public GlibcProvider {
 public:
  PlockstatProvider(OfProcesses processes, std::shared_ptr<Uprobes> uprobes)
      : GlibcProvider(std::move(uprobes)),
        probes_(std::make_unique<LockProbes>(std::move(processes))) {}

  std::string_view name() const override { return "plockstat"; }
  probe::Binding binding(const probe::Description& description) const override {
    const LockProbe& probe = probes_->probe(description);
    return {probe.is_of_waits() ? kWaits : kLocks, probe.key};
  }

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& description) const override {
    const LockProbe& probe = probes_->probe(description);
    const bool is_rw = probe.call() >= LockCall::kReader;
    std::size_t numbers = is_rw ? 1 : 0;
    switch (probe.outcome) {
      case LockOutcome::kDone:
        numbers = is_rw || probe.call() == LockCall::kMutexRelease ? 1 : 2;
        break;
      case LockOutcome::kFailed:
      case LockOutcome::kBlocked:
        numbers += 1;
        break;
      case LockOutcome::kBlock:
        break;
    }
    std::vector<probe::Argument> arguments = {{"void *", true}};
    arguments.insert(arguments.end(), numbers, probe::Argument{"int", false});
    return arguments;
  }

  // The end of the wait is reported before the acquisition of the lock.
  int turn(const std::string& program) const override { return program == kWaits ? 0 : 1; }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine& machine) const override {
    return lock_prologue(program == kWaits, machine, uprobes());
  }
  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    return uprobes().program_spec(program);
  }
  std::string source(const std::string& program) const override {
    return fmt::format("breakpoints where glibc's functions of locks begin{} return ({})",
                       program == kWaits ? ", wait and" : " and", uprobes().way());
  }

  // Probes of one function share its places, and functions what they jump to: a place
  // has one breakpoint.
  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe> probes, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    std::set<std::tuple<std::int32_t, std::string, std::uint64_t>> taken;
    std::vector<UprobePlace> places;
    for (const probe::Probe& one : probes) {
      const LockProbe& probe = probes_->probe(one.description);
      const auto add = [&](std::uint64_t offset, std::uint32_t key, std::uint32_t place) {
        if (!taken.emplace(probe.pid, probe.path, offset).second) return;
        places.push_back({&one, probe.path, probe.pid, {offset, uprobe_cookie(key, place), 0}});
      };
      const CallSites& function = probe.code->functions[probe.function];
      add(function.entry, probe.function_key(), lock_place(static_cast<LockPlace>(probe.call())));
      for (const std::uint64_t offset : function.returns) {
        add(offset, 0, lock_place(LockPlace::kReturn));
      }
      if (program != kWaits) continue;
      for (const LockCode::Wait& wait : probe.code->waits) {
        add(wait.offset, 0, lock_place(LockPlace::kWait, wait.keeps, wait.flips));
      }
    }
    return uprobes().attach(std::move(places), fd, kernel);
  }

 protected:
  GlibcProbes& all_probes() const override { return *probes_; }

 private:
  std::unique_ptr<LockProbes> probes_;
};

}  // namespace

std::unique_ptr<Provider> plockstat_provider(OfProcesses processes,
                                             std::shared_ptr<Uprobes> uprobes) {
  return std::make_unique<PlockstatProvider>(std::move(processes), std::move(uprobes));
}

}  // namespace dt::provider
