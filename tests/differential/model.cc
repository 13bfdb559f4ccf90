// The second way: the BPF interpreter.

#include "model.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "probes.h"

namespace dt::differential {
namespace {

template <typename T>
void put(std::vector<std::uint8_t>& bytes, std::int32_t offset, const T& value) {
  if (offset < 0) return;
  const std::size_t at = static_cast<std::size_t>(offset);
  if (bytes.size() < at + sizeof(T)) bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

bpf::Elements elements(bpf::World& world, bpf::MapRef ref) {
  bpf::Elements all;
  for (const auto& [key, address] : world.map(ref)->values) {
    const std::vector<std::uint8_t>& bytes = *world.memory.bytes(address);
    all[key].resize(bytes.size() / 8);
    std::memcpy(all[key].data(), bytes.data(), bytes.size());
  }
  return all;
}

bpf::Snapshot snapshot_of(const Compiled& compiled, bpf::World& world) {
  const ir::Program& program = compiled.optimised;
  const bpf::Memory& memory = compiled.memory;
  bpf::Snapshot out;
  out.globals = *world.value({bpf::MapKind::kGlobals, 0});
  const std::vector<std::uint8_t>& percpu = *world.value({bpf::MapKind::kPercpu, 0});
  for (std::uint32_t i = 0; i < program.aggregations.size(); ++i) {
    const record::AggLayout& agg = program.aggregations[i];
    out.keyless.emplace_back();
    if (agg.key_bytes == 0) {
      out.keyless[i].resize(agg.value_words + 1);
      std::memcpy(out.keyless[i].data(),
                  percpu.data() + memory.percpu_stride * world.cpu + memory.agg_offset[i],
                  out.keyless[i].size() * 8);
    } else {
      out.aggs[i] = elements(world, {bpf::MapKind::kAgg, i});
    }
  }
  for (std::uint32_t i = 0; i < program.variables.size(); ++i) {
    if (!program.variables[i].keys.empty()) {
      out.assocs[i] = elements(world, {bpf::MapKind::kAssoc, i});
    }
  }
  const bpf::ModelMap* tls = world.map({bpf::MapKind::kTls, 0});
  if (tls != nullptr && !tls->values.empty()) {
    out.tls = *world.value({bpf::MapKind::kTls, 0}, tls->values.begin()->first);
  }
  return out;
}

// "" when every record was submitted as its layout asks, and no frame is left busy.
std::string untidy(const Compiled& compiled, bpf::World& world) {
  if (const bpf::ModelMap* ring = world.map({bpf::MapKind::kRing, 0})) {
    for (const bpf::RingRecord& record : ring->records) {
      record::Header header;
      std::memcpy(&header, record.bytes.data(), sizeof header);
      const auto kind = record::kind_of(header);
      const record::Schema& schema = compiled.plan.schema;
      const bool urgent = kind == record::Kind::kClause &&
                          schema.layouts[schema.epids[header.epid - 1].layout].urgent;
      const std::uint64_t flags = urgent ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
      if (record.flags != flags)
        return fmt::format("a record of epid {} with flags {}", header.epid, record.flags);
    }
  }
  const bpf::ModelMap* scratch = world.map({bpf::MapKind::kScratch, 0});
  for (std::uint32_t i = 0; scratch != nullptr && i < scratch->max_entries; ++i) {
    const std::string key(reinterpret_cast<const char*>(&i), sizeof i);
    std::uint64_t busy = 0;
    std::memcpy(&busy, world.value({bpf::MapKind::kScratch, 0}, key)->data(), sizeof busy);
    if (busy != 0) return fmt::format("frame {} is still taken", i);
  }
  return "";
}

}  // namespace

bpf::ForeignMemory model_tasks(const Identity& identity, const bpf::Machine& machine) {
  std::vector<std::uint8_t> task, parent;
  put(task, machine.task_pid, identity.tid);
  put(task, machine.task_tgid, identity.pid);
  std::array<char, 16> name = {};
  std::copy_n(identity.name.begin(), std::min<std::size_t>(identity.name.size(), 15), name.begin());
  put(task, machine.task_comm, name);
  put(task, machine.task_real_parent, kModelParent);
  put(parent, machine.task_tgid, identity.ppid);
  // A thread's start, which its identity is made of.
  put(task, machine.task_start_time, std::uint64_t{12345});
  task.resize(std::max<std::size_t>(task.size(), 8));
  parent.resize(task.size());
  return {{kModelTask, task}, {kModelParent, parent}};
}

Observed run_modelled(const Compiled& compiled, const Script& script, const Identity& identity) {
  Observed out;
  const auto clear_ring = [](bpf::World& world) {
    if (bpf::ModelMap* ring = world.map({bpf::MapKind::kRing, 0})) ring->records.clear();
  };
  bpf::World world(compiled.memory);
  world.cpu = identity.cpu;
  world.task.pid_tgid = std::uint64_t{identity.pid} << 32 | identity.tid;
  world.task.uid_gid = std::uint64_t{identity.gid} << 32 | identity.uid;
  world.task.comm = identity.name;
  world.task.task_struct = kModelTask;
  world.kernel_memory = model_tasks(identity, compiled.memory.machine);
  world.user_memory[kUserPage] = user_page();
  std::vector<std::uint8_t>& globals = *world.value({bpf::MapKind::kGlobals, 0});
  const auto active = static_cast<std::uint32_t>(bpf::State::kActive);
  std::memcpy(globals.data(), &active, sizeof active);

  for (const Firing& firing : script.firings) {
    std::vector<std::uint8_t> context(kContextWords * 8, 0);
    std::memcpy(context.data(), &firing.key, sizeof firing.key);
    std::memcpy(context.data() + 8, firing.arguments.data(), sizeof firing.arguments);
    const bpf::RunResult result = bpf::run(compiled.object, world, context);
    out.error = result.error;
    if (out.error.empty()) out.error = untidy(compiled, world);
    if (!out.error.empty()) return out;
    out.firings.emplace_back();
    if (const bpf::ModelMap* ring = world.map({bpf::MapKind::kRing, 0})) {
      for (const bpf::RingRecord& record : ring->records) {
        out.firings.back() += record_line(compiled, record.bytes);
      }
    }
    clear_ring(world);
  }
  bpf::Control control;
  std::memcpy(&control, globals.data(), sizeof control);
  out.state = control.state;
  out.exit_status = control.exit_status;
  const std::vector<std::uint8_t>& percpu = *world.value({bpf::MapKind::kPercpu, 0});
  std::memcpy(
      out.drops.data(),
      percpu.data() + compiled.memory.percpu_stride * world.cpu + compiled.memory.drops_offset,
      sizeof out.drops);
  out.snapshot = snapshot_of(compiled, world);
  return out;
}

}  // namespace dt::differential
