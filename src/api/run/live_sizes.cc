// See live_sizes.h.

#include "api/run/live_sizes.h"

#include <fmt/core.h>

#include <algorithm>

#include "enabling/plan.h"
#include "provider/mechanism/provider.h"
#include "runtime/available_memory.h"
#include "runtime/maps.h"
#include "runtime/ring_room.h"

namespace dt::api {
namespace {

// What stacks of the whole system take: the tables and symbols of the files that are executed.
constexpr std::uint64_t kLittleMemory = 64 << 20;

// What END can record, which has to fit the buffer: END's programs are run by a system call of this
// thread, which is also the one that reads.
std::uint64_t end_bytes(const Compiled& compiled) {
  std::uint64_t bytes = 0;
  for (const enabling::ProgramPlan& plan : compiled.plan.programs) {
    if (compiled.probes->of_program(plan.program).role(plan.program) != provider::Role::kEnd) {
      continue;
    }
    for (const enabling::ClauseBinding& binding : plan.clauses) {
      for (const record::Layout& layout : compiled.program.clauses[binding.clause].layouts) {
        bytes += runtime::bytes_in_ring(layout.size_bytes);
      }
    }
  }
  return bytes;
}

// Records of speculations wait in memory of this process.
void limit_speculations(Options& options, std::uint64_t memory_bytes) {
  constexpr std::uint64_t kPart = 4;
  const std::uint64_t most = memory_bytes / kPart / std::max(options.nspec, 1U);
  if (options.specsize > most) {
    options.lowered.push_back({"specsize", options.specsize, most});
    options.specsize = most;
  }
}

}  // namespace

bool is_tight(const runtime::Sizes& sizes) { return sizes.memory_bytes < kLittleMemory; }

Result<runtime::Sizes> wanted_sizes(Compiled& compiled, const Request& request) {
  Options& options = compiled.options;
  runtime::Sizes sizes;
  sizes.buffer_bytes = options.bufsize;
  sizes.aggregation_bytes = options.aggsize;
  sizes.dynamic_bytes = options.dynvarsize;
  sizes.policy = options.bufpolicy;
  sizes.patience_ns = options.deadman_ns;
  sizes.may_shrink = options.bufresize;
  sizes.is_as_asked = request.unbuffered;
  sizes.memory_bytes = runtime::available_memory();
  sizes.least_bytes = end_bytes(compiled);
  limit_speculations(options, sizes.memory_bytes);
  if (!options.bufresize && !options.lowered.empty()) {
    const Lowered& first = options.lowered.front();
    return Error::of(fmt::format("could not enable tracing: {} is {}, and may be {} at most",
                                 first.name, first.asked, first.used),
                     "with bufresize=auto it is lowered");
  }
  return sizes;
}

std::vector<std::string> lowered_texts(const Options& options, const runtime::Sizes& sizes,
                                       const std::vector<std::string>& notices) {
  std::vector<std::string> texts;
  if (options.quietresize) return texts;
  for (const Lowered& each : options.lowered) {
    texts.push_back(fmt::format("{} lowered to {}", each.name, runtime::size_text(each.used)));
  }
  texts.insert(texts.end(), notices.begin(), notices.end());
  if (is_tight(sizes)) {
    texts.push_back(
        fmt::format("only {} MB of memory are left for dtrace here (a memory cgroup); if the "
                    "kernel ends it for want of memory, results are lost",
                    sizes.memory_bytes >> 20));
  }
  return texts;
}

}  // namespace dt::api
