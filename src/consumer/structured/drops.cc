// Which counter is which message.
//
// Counters of the kernel only grow, and are per CPU; what is reported is the difference since they
// were read last.

#include "consumer/structured/drops.h"

#include <fmt/core.h>

#include <string>

#include "record/drop.h"
#include "record/schema.h"

namespace dt::consumer {
namespace {

using record::Drop;

struct Wording {
  Drop drop;
  const char* tag;
  const char* one;   // after "1 "
  const char* many;  // after any other number
};

// Reported for each CPU, with " on CPU n".
constexpr Wording kPerCpu[] = {
    {Drop::kPrincipal, "PRINCIPAL", "drop", "drops"},
    {Drop::kAggregation, "AGGREGATION", "aggregation drop", "aggregation drops"},
};

constexpr Wording kTotals[] = {
    {Drop::kDynamic, "DYNAMIC", "dynamic variable drop", "dynamic variable drops"},
    {Drop::kSpeculative, "SPEC", "speculative drop", "speculative drops"},
    {Drop::kSpecBusy, "SPECBUSY", "failed speculation (available buffer(s) still busy)",
     "failed speculations (available buffer(s) still busy)"},
    {Drop::kSpecUnavailable, "SPECUNAVAIL", "failed speculation (no speculative buffer available)",
     "failed speculations (no speculative buffer available)"},
    {Drop::kStackStrings, "STKSTROVERFLOW", "jstack()/ustack() string table overflow",
     "jstack()/ustack() string table overflows"},
    {Drop::kDoubleError, "DBLERROR", "error in ERROR probe enabling",
     "errors in ERROR probe enabling"},
};

Loss loss_of(const Wording& wording, std::uint64_t count, int cpu) {
  std::string text = fmt::format("{} {}", count, count == 1 ? wording.one : wording.many);
  if (cpu >= 0) {
    text += fmt::format(" on CPU {}", cpu);
  }
  return {wording.tag, cpu, count, std::move(text)};
}

}  // namespace

std::string tagged(const Loss& loss, bool tags) {
  return tags ? fmt::format("[DTRACEDROP_{}] {}", loss.tag, loss.text) : loss.text;
}

void Drops::report(std::span<const std::uint64_t> counters, bool tags,
                   const std::function<void(std::string_view)>& error) {
  each(counters, [&](const Loss& loss) { error(tagged(loss, tags)); });
}

void Drops::each(std::span<const std::uint64_t> counters,
                 const std::function<void(const Loss&)>& visit) {
  const std::size_t cpus = counters.size() / record::kDropCounters;
  seen_.resize(std::max(seen_.size(), cpus * record::kDropCounters));
  const auto increase = [&](std::size_t cpu, Drop drop) {
    const std::size_t at = cpu * record::kDropCounters + static_cast<std::size_t>(drop);
    const std::uint64_t more = counters[at] > seen_[at] ? counters[at] - seen_[at] : 0;
    seen_[at] = counters[at];
    return more;
  };
  for (const Wording& wording : kPerCpu) {
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
      std::uint64_t count = increase(cpu, wording.drop);
      if (wording.drop == Drop::kPrincipal) {
        // A firing that found no free scratch level lost its data as well.
        count += increase(cpu, Drop::kNesting);
      }
      if (count != 0) {
        visit(loss_of(wording, count, static_cast<int>(cpu)));
      }
    }
  }
  for (const Wording& wording : kTotals) {
    std::uint64_t count = 0;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
      count += increase(cpu, wording.drop);
    }
    if (count != 0) {
      visit(loss_of(wording, count, -1));
    }
  }
}

}  // namespace dt::consumer
