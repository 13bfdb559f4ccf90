// The third way: the running kernel, by the maps, the linker and the system
// calls of a real run.

#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "probes.h"
#include "runtime/link.h"
#include "runtime/maps.h"
#include "trial.h"

namespace dt::differential {
namespace {

// Small, since every script has maps of its own; large enough that nothing is
// dropped.
constexpr runtime::Sizes kSizes = {
    .buffer_bytes = 64 << 10, .aggregation_bytes = 512 << 10, .dynamic_bytes = 128 << 10};

// The kernel's ENOTSUPP, with which it says that its JIT has given up.
constexpr int kNotSupported = 524;

Fd borrowed(const runtime::Maps& maps, bpf::MapRef ref) { return Fd(::dup(maps.find(ref))); }

Result<bpf::Elements> elements(kernel::Kernel& kernel, const runtime::Maps& maps, bpf::MapRef ref,
                               const bpf::HashMap& shape) {
  bpf::Elements all;
  kernel::MapSpec spec;
  spec.type = BPF_MAP_TYPE_HASH;
  if (ref.kind == bpf::MapKind::kAgg) spec = maps.aggregations()[ref.index].spec;
  spec.key_bytes = shape.key_bytes;
  spec.value_bytes = shape.value_bytes;
  if (ref.kind == bpf::MapKind::kAssoc) {
    spec.entries = runtime::table_entries(kSizes.dynamic_bytes, shape);
  }
  DT_TRY(kernel.for_each(borrowed(maps, ref), spec,
                         [&](const std::uint8_t* key, const std::uint8_t* value) {
                           std::vector<std::uint64_t>& words =
                               all[std::string(reinterpret_cast<const char*>(key), spec.key_bytes)];
                           words.resize(std::size_t{shape.value_bytes} / 8);
                           std::memcpy(words.data(), value, words.size() * 8);
                         }));
  return all;
}

// This CPU's words at an offset in its block, summed over all CPUs.
std::vector<std::uint64_t> summed(const runtime::Maps& maps, std::uint32_t cpus,
                                  std::uint32_t offset, std::size_t words) {
  std::vector<std::uint64_t> sum(words, 0), one(words);
  for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
    std::memcpy(one.data(), maps.block(cpu) + offset, words * 8);
    for (std::size_t i = 0; i < words; ++i) sum[i] += one[i];
  }
  return sum;
}

Result<bpf::Snapshot> snapshot_of(const Compiled& compiled, const runtime::Maps& maps,
                                  kernel::Kernel& kernel) {
  const ir::Program& program = compiled.optimised;
  const bpf::Memory& memory = compiled.memory;
  const std::uint32_t cpus = memory.machine.cpus;
  bpf::Snapshot out;
  const auto* globals = reinterpret_cast<const std::uint8_t*>(&maps.control());
  out.globals.assign(globals, globals + memory.globals_bytes);
  for (std::uint32_t i = 0; i < program.aggregations.size(); ++i) {
    const record::AggLayout& agg = program.aggregations[i];
    out.keyless.emplace_back();
    if (agg.key_bytes == 0) {
      out.keyless[i] = summed(maps, cpus, memory.agg_offset[i], agg.value_words + 1);
    } else {
      DT_ASSIGN(out.aggs[i], elements(kernel, maps, {bpf::MapKind::kAgg, i}, memory.aggs[i]));
    }
  }
  for (std::uint32_t i = 0; i < program.variables.size(); ++i) {
    if (program.variables[i].keys.empty()) continue;
    DT_ASSIGN(out.assocs[i], elements(kernel, maps, {bpf::MapKind::kAssoc, i}, memory.assocs[i]));
  }
  if (memory.tls_bytes > 0) {
    const Fd self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
    const int pidfd = self.get();
    out.tls.resize(memory.tls_bytes);
    if (!kernel.lookup(borrowed(maps, {bpf::MapKind::kTls, 0}), &pidfd, out.tls.data()).ok()) {
      out.tls.clear();  // nothing was stored
    }
  }
  return out;
}

Status check_frames(const Compiled& compiled, const runtime::Maps& maps, kernel::Kernel& kernel) {
  const std::uint32_t bytes = compiled.memory.scratch_bytes;
  if (bytes == 0) return {};
  const Fd scratch = borrowed(maps, {bpf::MapKind::kScratch, 0});
  std::vector<std::uint64_t> frame(bytes / 8 + 1);
  for (std::uint32_t i = 0; i < compiled.memory.machine.cpus * bpf::kScratchLevels; ++i) {
    DT_TRY(kernel.lookup(scratch, &i, frame.data()));
    if (frame[0] != 0) return Error::of("a frame of scratch memory is still taken");
  }
  return {};
}

Status run(const Compiled& compiled, const Script& script, kernel::Kernel& kernel, Observed& out) {
  Result<runtime::Maps> made = runtime::Maps::create(kernel, compiled.memory, kSizes);
  if (!made.ok()) return std::move(made.error());
  const runtime::Maps& maps = *made;
  std::vector<bpf_insn> insns;
  DT_ASSIGN(insns,
            runtime::link(compiled.object, [&](const bpf::MapRef& ref) { return maps.find(ref); }));
  kernel::ProgramSpec spec;
  spec.name = "dt_diff";
  spec.functions = compiled.object.functions;
  Result<Fd> program = kernel.load_program(spec, insns, true);
  if (!program.ok()) {
    out.is_rejected = true;
    out.is_translated = program.error().code != kNotSupported;
    return std::move(program.error());
  }
  std::unique_ptr<kernel::Kernel::Ring> ring;
  if (compiled.memory.uses_ring) {
    DT_ASSIGN(ring, kernel.open_ring(maps.ring(), maps.ring_bytes()));
  }
  maps.control().state = static_cast<std::uint32_t>(bpf::State::kActive);
  for (const Firing& firing : script.firings) {
    std::array<std::uint64_t, kContextWords + 1> context = {};
    context[0] = firing.key;
    std::memcpy(&context[1], firing.arguments.data(), sizeof firing.arguments);
    DT_TRY(kernel.run(*program, context, -1));
    out.firings.emplace_back();
    if (ring != nullptr) {
      ring->consume([&](std::span<const std::uint8_t> bytes) {
        out.firings.back() += record_line(compiled, bytes);
      });
    }
  }
  out.state = maps.control().state;
  out.exit_status = maps.control().exit_status;
  const std::vector<std::uint64_t> drops =
      summed(maps, compiled.memory.machine.cpus, compiled.memory.drops_offset, out.drops.size());
  std::copy(drops.begin(), drops.end(), out.drops.begin());
  DT_ASSIGN(out.snapshot, snapshot_of(compiled, maps, kernel));
  return check_frames(compiled, maps, kernel);
}

}  // namespace

Observed run_live(const Compiled& compiled, const Script& script, kernel::Kernel& kernel) {
  Observed out;
  const Status status = run(compiled, script, kernel, out);
  if (!status.ok()) {
    constexpr std::size_t kTail = 4000;
    const std::string& log = status.error().log;
    out.error =
        status.error().text + "\n" + log.substr(log.size() > kTail ? log.size() - kTail : 0);
  }
  return out;
}

}  // namespace dt::differential
