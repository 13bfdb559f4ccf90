// The profile provider: profile-N fires on every CPU, tick-N on one, N times a
// second or every N units.
//
// profile-N is one perf cpu-clock event on each online CPU. The kernel does not
// run a sample's program while it is inside BPF's own bookkeeping on that CPU,
// and does not say how often that was; nor does it promise samples of an idle
// CPU. So the firings of profile-N are a sample and not a count of time. A CPU
// that comes online later is not sampled.
//
// tick-N is a timer of ours whose expiry runs the program: it fires on an idle
// machine too, and exactly once per interval. Expiries that we were too late
// for are made up for one after another, up to kCatchUp at once; what is
// beyond that is counted as lost.

#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "provider/mechanism/providers.h"
#include "provider/mechanism/rate.h"
#include "provider/mechanism/sampled.h"
#include "support/clock.h"

namespace dt::provider {
namespace {

constexpr std::string_view kProfile = "profile-", kTick = "tick-";
constexpr std::string_view kPrograms = "profile:";  // before the probe's name
constexpr std::uint64_t kCatchUp = 1000;

// A tick's program is run with these three words as its context.
constexpr std::size_t kTickArguments = 3;

bool is_tick(std::string_view probe) { return probe.starts_with(kTick); }

std::string_view rate_of(std::string_view probe) {
  return probe.substr(is_tick(probe) ? kTick.size() : kProfile.size());
}

std::string probe_of(const std::string& program) { return program.substr(kPrograms.size()); }

std::uint64_t now_ns() { return static_cast<std::uint64_t>(support::now_ns(CLOCK_MONOTONIC)); }

// A tick interrupts nothing: arg0 and arg1 are 0; arg2 is how late it is in ns.
class TickPrologue : public bpf::Prologue {
 public:
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number >= kTickArguments) return emitter.imm(0);
    return emitter.load(8, context, static_cast<std::int32_t>(number * 8));
  }
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }
  bool is_of_no_thread() const override { return true; }
};

class Tick : public Attachment {
 public:
  Tick(Fd timer, std::uint64_t interval_ns, int program, kernel::Kernel& kernel)
      : timer_(std::move(timer)), interval_ns_(interval_ns), program_(program), kernel_(kernel) {}
  ~Tick() override { program_.release(); }  // the caller of attach() owns it

  Status go() override {
    constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
    itimerspec spec{};
    spec.it_interval.tv_sec = static_cast<time_t>(interval_ns_ / kNsPerSecond);
    spec.it_interval.tv_nsec = static_cast<long>(interval_ns_ % kNsPerSecond);
    spec.it_value = spec.it_interval;
    next_ns_ = now_ns() + interval_ns_;
    if (::timerfd_settime(timer_.get(), 0, &spec, nullptr) != 0) {
      return support::system_error("timerfd_settime", errno);
    }
    return {};
  }

  int wait_fd() const override { return timer_.get(); }

  void ready() override {
    std::uint64_t expired = 0;
    if (::read(timer_.get(), &expired, sizeof expired) != sizeof expired) return;
    const std::uint64_t now = now_ns();
    for (std::uint64_t i = 0; i < expired; ++i, next_ns_ += interval_ns_) {
      // The latest ones run, so that what follows is on time.
      if (expired - i > kCatchUp) {
        ++lost_;
        continue;
      }
      const std::uint64_t late = now > next_ns_ ? now - next_ns_ : 0;
      const std::array<std::uint64_t, kTickArguments> context{0, 0, late};
      if (!kernel_.run(program_, context, -1).ok()) ++lost_;
    }
  }

  std::uint64_t lost() override { return lost_; }

 private:
  Fd timer_;
  std::uint64_t next_ns_ = 0;
  std::uint64_t interval_ns_;
  Fd program_;
  kernel::Kernel& kernel_;
  std::uint64_t lost_ = 0;
};

Result<std::unique_ptr<Attachment>> attach_tick(std::uint64_t interval, const Fd& program,
                                                kernel::Kernel& kernel) {
  Fd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  if (!timer.valid()) return support::system_error("timerfd_create", errno);
  return std::unique_ptr<Attachment>(
      std::make_unique<Tick>(std::move(timer), interval, program.get(), kernel));
}

Result<std::unique_ptr<Attachment>> attach_profile(std::uint64_t interval, const Fd& program,
                                                   kernel::Kernel& kernel) {
  return sample_cpus(kernel,
                     [&](int cpu) { return kernel.attach_cpu_clock(cpu, interval, 0, program); });
}

class ProfileProvider : public Provider {
 public:
  std::string_view name() const override { return "profile"; }

  probe::ProviderAttributes attributes() const override {
    using enum probe::Stability;
    using enum probe::DependencyClass;
    return {.provider = {kEvolving, kEvolving, kCommon},
            .module = {kUnstable, kUnstable, kUnknown},
            .function = {kPrivate, kPrivate, kUnknown},
            .name = {kEvolving, kEvolving, kCommon},
            .args = {kEvolving, kEvolving, kCommon}};
  }

  // The rates that are always listed; any other is created when it is named.
  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> probes;
    for (const char* probe :
         {"profile-97", "profile-199", "profile-499", "profile-997", "profile-1999", "profile-4001",
          "profile-4999", "tick-1", "tick-10", "tick-100", "tick-500", "tick-1000", "tick-5000"}) {
      probes.push_back({"profile", "", "", probe});
    }
    return probes;
  }

  std::vector<probe::Description> create(const probe::Pattern& pattern) const override {
    const probe::Description probe{"profile", "", "", pattern.name};
    if (!is_ours(pattern) || !probe::matches(pattern, probe)) return {};
    if (!parse_rate(rate_of(pattern.name)).ok()) return {};
    return {probe};
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (!is_ours(pattern)) return {};
    const Result<std::uint64_t> rate = parse_rate(rate_of(pattern.name));
    if (rate.ok()) return {};
    std::string why = rate.error().text;
    if (!rate.error().remedy.empty()) why += " (" + rate.error().remedy + ")";
    return why;
  }

  probe::Binding binding(const probe::Description& probe) const override {
    return {std::string(kPrograms) + probe.name, 0};
  }

  std::optional<std::vector<probe::Argument>> arguments(const probe::Description&) const override {
    return std::vector<probe::Argument>{};
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine&) const override {
    if (is_tick(probe_of(program))) return std::make_unique<TickPrologue>();
    return std::make_unique<SamplePrologue>();
  }

  // An interrupt cannot wait for memory, and no run queue is locked when it comes.
  bool runs_under_locks(const std::string& program) const override {
    return !is_tick(probe_of(program));
  }
  bool runs_under_queue_lock(const std::string&) const override { return false; }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    const bool tick = is_tick(probe_of(program));
    kernel::ProgramSpec spec;
    spec.name = tick ? "dt_tick" : "dt_profile";
    spec.type = tick ? BPF_PROG_TYPE_RAW_TRACEPOINT : BPF_PROG_TYPE_PERF_EVENT;
    return spec;
  }

  std::string source(const std::string& program) const override {
    return is_tick(probe_of(program)) ? "a timer of dtrace" : "perf event cpu-clock on every CPU";
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe>, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    const std::string probe = probe_of(program);
    DT_ASSIGN(const std::uint64_t interval, parse_rate(rate_of(probe)));
    return is_tick(probe) ? attach_tick(interval, fd, kernel)
                          : attach_profile(interval, fd, kernel);
  }

 private:
  // Names one of our probes exactly, with whatever rate.
  static bool is_ours(const probe::Pattern& pattern) {
    return probe::is_literal(pattern.name) &&
           (pattern.name.starts_with(kProfile) || pattern.name.starts_with(kTick)) &&
           (pattern.provider.empty() || probe::glob_match(pattern.provider, "profile"));
  }
};

}  // namespace

std::unique_ptr<Provider> profile_provider() { return std::make_unique<ProfileProvider>(); }

}  // namespace dt::provider
