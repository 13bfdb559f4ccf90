#pragma once
// LinuxKernel: the running kernel. Private to kernel/; others see kernel.h.

#include <cstdint>
#include <mutex>
#include <vector>

#include "kernel/apart.h"
#include "kernel/kernel.h"
#include "kernel/uprobe_events.h"

namespace dt::kernel {

class LinuxKernel : public Kernel {
 public:
  LinuxKernel();

  // linux_map.cc
  Result<Fd> create_map(const MapSpec& spec) override;
  Status freeze_map(const Fd& map) override;
  Status update(const Fd& map, const void* key, const void* value) override;
  Status insert(const Fd& map, const void* key, const void* value) override;
  Status lookup(const Fd& map, const void* key, void* value) override;
  Status erase(const Fd& map, const void* key) override;
  Status set_elements_aside(const Fd& map, const MapSpec& spec) override;
  Result<Mapping> map_memory(const Fd& map, std::size_t size) override;
  Status wait_grace_period() override;

  // linux_walk.cc
  Status for_each(const Fd& map, const MapSpec& spec, const Visit& visit) override;
  Status erase_all(const Fd& map, const MapSpec& spec, std::span<const std::uint8_t> keys) override;

  // linux_program.cc
  Result<Fd> load_program(const ProgramSpec& spec, std::span<const bpf_insn> insns,
                          bool want_log) override;
  Result<RunResult> run(const Fd& program, std::span<const std::uint64_t> args, int cpu) override;
  void run_on(int cpu) override { home_cpu_ = cpu; }
  Result<Fd> attach_raw_tracepoint(const std::string& name, const Fd& program) override;
  Result<std::uint64_t> missed_firings(const Fd& program) override;

  // linux_perf_event.cc
  Result<Fd> attach_perf_event(const PerfEvent& event, int cpu, const Fd& program) override;
  Result<Fd> attach_cpu_clock(int cpu, std::uint64_t period_ns, std::uint64_t frequency_hz,
                              const Fd& program) override;

  // linux_uprobe.cc
  Result<Fd> attach_uprobes(const UprobeSites& sites, const Fd& program) override;
  Result<std::unique_ptr<Attached>> attach_uprobe_event(std::span<const UprobeSites> files,
                                                        const Fd& program) override;

  // linux_function.cc
  Result<Fd> attach_functions(const FunctionSet& functions, const Fd& program) override;
  Result<Fd> attach_code(const CodePlace& place, std::uint64_t cookie, const Fd& program) override;
  Result<std::uint64_t> missed_by_link(const Fd& link) override;

  // linux_netfilter.cc
  Result<Fd> attach_netfilter(const NetfilterHook& hook, const Fd& program) override;

  // ring.cc
  Result<std::unique_ptr<Ring>> open_ring(const Fd& map, std::size_t size) override;

  // linux.cc
  std::uint32_t possible_cpus() override;
  std::vector<int> online_cpus() override;
  std::string release() override;

 private:
  const std::vector<int>& possible();
  Status walk_by_key(const Fd& map, const MapSpec& spec, const Visit& visit);

  int home_cpu_ = -1;
  std::vector<int> possible_;  // possible CPUs, ascending; read once
  // An ARRAY_OF_MAPS and a map to put into it; made at the first grace period, which two
  // threads may wait for at once.
  std::mutex grace_;
  Fd outer_;
  Fd inner_;
  std::unique_ptr<UprobeEvents> uprobe_events_;  // made when it is needed
  std::unique_ptr<Keeper> keeper_;               // likewise
};

// "0-3,8" -> 0 1 2 3 8.
std::vector<int> parse_cpu_list(std::string_view text);

}  // namespace dt::kernel
