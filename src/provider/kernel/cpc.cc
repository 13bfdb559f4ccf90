// The cpc provider: cpc:::EVENT-MODE-COUNT fires on every CPU at each COUNTth event
// of a kind that the CPU or the kernel counts, in user mode, in the kernel, or in
// all.
//
// Each probe is one perf event on each CPU that is online. As with profile-N, the kernel
// does not run the program while that CPU is inside BPF's own bookkeeping; and of what
// the hardware counts it may take breath when there is too much. A CPU that comes online
// later is not sampled.

#include <linux/perf_event.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "kernel/perf_event.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/rate.h"
#include "provider/mechanism/sampled.h"
#include "support/whole_number.h"

namespace dt::provider {
namespace {

using kernel::PerfEvent;

constexpr std::string_view kPrograms = "cpc:";  // before the probe's name

// What one firing costs must not be all that a CPU does: the least count, in events.
constexpr std::uint64_t kLeastOfHardware = 5000, kLeastOfKernel = 1;

struct Event {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t config;
  std::uint64_t listed;  // the count of the probe that is listed
  std::uint64_t least = kLeastOfHardware;
};

constexpr std::uint32_t kSoftware = PERF_TYPE_SOFTWARE, kHardware = PERF_TYPE_HARDWARE;
constexpr std::array<Event, 18> kEvents = {{
    {"alignment_faults", kSoftware, PERF_COUNT_SW_ALIGNMENT_FAULTS, 1, kLeastOfKernel},
    {"branch_instructions", kHardware, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1'000'000},
    {"branch_misses", kHardware, PERF_COUNT_HW_BRANCH_MISSES, 100'000},
    {"bus_cycles", kHardware, PERF_COUNT_HW_BUS_CYCLES, 1'000'000},
    {"cache_misses", kHardware, PERF_COUNT_HW_CACHE_MISSES, 100'000},
    {"cache_references", kHardware, PERF_COUNT_HW_CACHE_REFERENCES, 100'000},
    {"context_switches", kSoftware, PERF_COUNT_SW_CONTEXT_SWITCHES, 1, kLeastOfKernel},
    {"cpu_clock", kSoftware, PERF_COUNT_SW_CPU_CLOCK, 1'000'000, kMinIntervalNs},  // ns
    {"cpu_cycles", kHardware, PERF_COUNT_HW_CPU_CYCLES, 1'000'000},
    {"cpu_migrations", kSoftware, PERF_COUNT_SW_CPU_MIGRATIONS, 1, kLeastOfKernel},
    {"emulation_faults", kSoftware, PERF_COUNT_SW_EMULATION_FAULTS, 1, kLeastOfKernel},
    {"instructions", kHardware, PERF_COUNT_HW_INSTRUCTIONS, 1'000'000},
    {"major_faults", kSoftware, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, kLeastOfKernel},
    {"minor_faults", kSoftware, PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, kLeastOfKernel},
    {"page_faults", kSoftware, PERF_COUNT_SW_PAGE_FAULTS, 1, kLeastOfKernel},
    {"ref_cycles", kHardware, PERF_COUNT_HW_REF_CPU_CYCLES, 1'000'000},
    {"stalled_cycles_backend", kHardware, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1'000'000},
    {"stalled_cycles_frontend", kHardware, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 1'000'000},
}};

// The names that PAPI, and with it illumos, gives to events that the kernel counts under others.
constexpr std::pair<std::string_view, std::string_view> kPapi[] = {
    {"br_ins", "branch_instructions"},
    {"br_msp", "branch_misses"},
    {"br_cn", "branch_instructions"},
    {"l2_tca", "cache_references"},
    {"l2_tcm", "cache_misses"},
    {"l3_tca", "cache_references"},
    {"l3_tcm", "cache_misses"},
    {"ref_cyc", "ref_cycles"},
    {"res_stl", "stalled_cycles_backend"},
    {"stl_icy", "stalled_cycles_frontend"},
    {"tot_cyc", "cpu_cycles"},
    {"tot_iis", "instructions"},
    {"tot_ins", "instructions"}};

// What to write for a name of PAPI, in any case; "" for other names.
std::string instead_of_papi(std::string_view event) {
  constexpr std::string_view kPrefix = "papi_";
  std::string name(event);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!name.starts_with(kPrefix)) return {};
  name.erase(0, kPrefix.size());
  for (const auto& [papi, ours] : kPapi) {
    if (papi == name) return fmt::format("the kernel's name for it is {}", ours);
  }
  return "the kernel has no name for it: an event of the CPU's manual is r with its code, as in "
         "cpc:::r412e-all-100000";
}

// r and hexadecimal digits: what this CPU's manual says, as perf takes it.
bool parse_raw(std::string_view name, std::uint64_t& config) {
  if (name.size() < 2 || name[0] != 'r') return false;
  const auto number = support::whole_number<std::uint64_t>(name.substr(1), 16);
  config = number.value_or(config);
  return number.has_value();
}

struct Parsed {
  Event event;
  PerfEvent perf;
};

// The error says what is wrong with the name.
Result<Parsed> parse(std::string_view name) {
  const auto refuse = [](std::string text, std::string remedy = {}) {
    return Error::of(std::move(text), std::move(remedy));
  };
  const std::size_t first = name.find('-'), second = name.find('-', first + 1);
  if (first == name.npos || second == name.npos) {
    return refuse("a probe of cpc is an event, a mode and a count", "cpc:::page_faults-all-1");
  }
  const std::string_view event = name.substr(0, first),
                         mode = name.substr(first + 1, second - first - 1),
                         count = name.substr(second + 1);
  Parsed parsed{};
  const auto found = std::find_if(kEvents.begin(), kEvents.end(),
                                  [&](const Event& each) { return each.name == event; });
  if (found != kEvents.end()) {
    parsed.event = *found;
  } else if (parse_raw(event, parsed.event.config)) {
    parsed.event.type = PERF_TYPE_RAW;
    parsed.event.least = kLeastOfHardware;
  } else {
    std::string instead = instead_of_papi(event);
    if (instead.empty()) instead = "dtrace -l -P cpc lists them";
    return refuse(fmt::format("there is no event {}", event), std::move(instead));
  }
  if (mode != "user" && mode != "kernel" && mode != "all") {
    return refuse(fmt::format("the mode {} is none of user, kernel and all", mode));
  }
  parsed.perf = {parsed.event.type, parsed.event.config, 0, mode != "kernel", mode != "user"};
  const auto period = support::whole_number<std::uint64_t>(count);
  if (!period || *period >> 63 != 0) {
    return refuse(fmt::format("the count {} is no number of events", count));
  }
  parsed.perf.period = *period;
  if (parsed.perf.period < parsed.event.least) {
    return refuse(fmt::format("the count {} is less than {}, the least of {}", parsed.perf.period,
                              parsed.event.least, event));
  }
  if (std::string why = kernel::why_not_counted(parsed.perf, event); !why.empty()) {
    return refuse(std::move(why));
  }
  return parsed;
}

class CpcProvider : public Provider {
 public:
  std::string_view name() const override { return "cpc"; }

  probe::ProviderAttributes attributes() const override {
    using enum probe::Stability;
    using enum probe::DependencyClass;
    return {.provider = {kEvolving, kEvolving, kCommon},
            .module = {kPrivate, kPrivate, kUnknown},
            .function = {kPrivate, kPrivate, kUnknown},
            .name = {kEvolving, kEvolving, kCpu},
            .args = {kEvolving, kEvolving, kCommon}};
  }

  // One of every event that this machine counts; others are created when they are named.
  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> probes;
    for (const Event& event : kEvents) {
      if (!kernel::is_counted({event.type, event.config, event.listed})) continue;
      probes.push_back({"cpc", "", "", fmt::format("{}-all-{}", event.name, event.listed)});
    }
    return probes;
  }

  bool may_have(std::string_view name) const override {
    return std::count(name.begin(), name.end(), '-') == 2;
  }

  std::vector<probe::Description> create(const probe::Pattern& pattern) const override {
    const probe::Description probe{"cpc", "", "", pattern.name};
    if (!is_ours(pattern) || !probe::matches(pattern, probe) || !parse(pattern.name).ok()) {
      return {};
    }
    return {probe};
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (!is_ours(pattern)) return {};
    const Result<Parsed> parsed = parse(pattern.name);
    if (parsed.ok()) return {};
    const std::string& remedy = parsed.error().remedy;
    return parsed.error().text + (remedy.empty() ? "" : " (" + remedy + ")");
  }

  probe::Binding binding(const probe::Description& probe) const override {
    return {std::string(kPrograms) + probe.name, 0};
  }

  std::optional<std::vector<probe::Argument>> arguments(const probe::Description&) const override {
    return std::vector<probe::Argument>{};
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string&, const bpf::Machine&) const override {
    return std::make_unique<SamplePrologue>();
  }

  // An interrupt cannot wait for memory.
  bool runs_under_locks(const std::string&) const override { return true; }
  bool runs_under_queue_lock(const std::string&) const override { return false; }

  Result<kernel::ProgramSpec> program_spec(const std::string&) const override {
    return sample_program("dt_cpc");
  }

  std::string source(const std::string& program) const override {
    const std::string_view name = std::string_view(program).substr(kPrograms.size());
    return fmt::format("perf event {} on every CPU", name.substr(0, name.find('-')));
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe>, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    DT_ASSIGN(const Parsed parsed, parse(std::string_view(program).substr(kPrograms.size())));
    return sample_cpus(kernel,
                       [&](int cpu) { return kernel.attach_perf_event(parsed.perf, cpu, fd); });
  }

 private:
  // Names one of our probes exactly, whatever its event: by the provider, or by an
  // event of the table.
  static bool is_ours(const probe::Pattern& pattern) {
    if (!probe::is_literal(pattern.name) || pattern.name.empty()) return false;
    if (pattern.provider == "cpc") return true;
    const std::string_view event = std::string_view(pattern.name).substr(0, pattern.name.find('-'));
    return probe::glob_match(pattern.provider.empty() ? "*" : pattern.provider, "cpc") &&
           event.size() < pattern.name.size() &&
           std::any_of(kEvents.begin(), kEvents.end(),
                       [&](const Event& each) { return each.name == event; });
  }
};

}  // namespace

std::unique_ptr<Provider> cpc_provider() { return std::make_unique<CpcProvider>(); }

}  // namespace dt::provider
