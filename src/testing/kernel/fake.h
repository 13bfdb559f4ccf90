#pragma once
// FakeKernel: a kernel made of memory, for tests of everything that stands on
// kernel/. Maps hold their elements, mapped arrays are real shared memory,
// programs are what the test says they do, rings hold what the test pushes. The
// calls are recorded, and any of them can be made to fail.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace dt::kernel {

class FakeKernel : public Kernel {
 public:
  enum class Call : std::uint8_t {
    kCreateMap,
    kFreezeMap,
    kUpdate,
    kLookup,
    kErase,
    kForEach,
    kEraseAll,
    kMapMemory,
    kGracePeriod,
    kLoadProgram,
    kRun,
    kAttachRawTracepoint,
    kAttachPerfEvent,
    kAttachCpuClock,
    kAttachUprobes,
    kAttachUprobeEvent,
    kAttachFunctions,
    kAttachCode,
    kMissedByLink,
    kMissedFirings,
    kOpenRing,
    kAttachNetfilter,
  };
  static constexpr std::size_t kCalls = 22;

  explicit FakeKernel(std::uint32_t cpus = 2);
  ~FakeKernel() override;

  // ---- what a test says and asks --------------------------------------------

  // The nth call (from 1) of this kind, counted from now, fails with `code`.
  void fail(Call call, std::size_t nth, int code, std::string log = {});
  // The nth call of all, from 1, fails with `code`.
  void fail_any(std::size_t nth, int code) { fails_at_ = {nth, code}; }
  // "create_map dt_globals", "load_program dt_x", "run dt_x", ...
  const std::vector<std::string>& calls() const { return calls_; }
  std::size_t count(Call call) const;
  // File descriptors handed out and not closed yet.
  std::size_t open_descriptors() const;
  // What a program does when it is run by name; 0 is returned without one.
  std::function<std::uint32_t(const std::string& program, std::span<const std::uint64_t> args)>
      on_run;
  std::function<void()> on_grace_period;
  std::map<std::string, std::uint64_t> missed;  // by program
  std::uint64_t link_missed = 0;                // by each link of functions or code
  std::vector<FunctionSet> function_sets;       // attach_functions(), in order
  std::vector<ProgramSpec> program_specs;       // load_program(), in order
  std::string release_text = "6.18.0";

  // The memory of a map of `entries` == 1 by name; nullptr when there is none.
  std::uint8_t* memory(const std::string& map);
  // Sets an element; `value` holds all CPUs' values for a per-CPU map.
  void put(const std::string& map, const std::vector<std::uint8_t>& key,
           const std::vector<std::uint8_t>& value);
  std::size_t elements(const std::string& map) const;
  const MapSpec* spec(const std::string& map) const;
  const std::vector<bpf_insn>* program(const std::string& name) const;
  void push(const std::string& ring, std::vector<std::uint8_t> record);
  // Makes the ring's descriptor readable, as a forced wake-up does.
  void wake(const std::string& ring);
  bool frozen(const std::string& map) const;

  // ---- Kernel ------------------------------------------------------------------

  Result<Fd> create_map(const MapSpec& spec) override;
  Status freeze_map(const Fd& map) override;
  Status update(const Fd& map, const void* key, const void* value) override;
  Status insert(const Fd& map, const void* key, const void* value) override;
  Status lookup(const Fd& map, const void* key, void* value) override;
  Status erase(const Fd& map, const void* key) override;
  Status set_elements_aside(const Fd&, const MapSpec& spec) override {
    set_aside.push_back(spec.name);
    return {};
  }
  Status for_each(const Fd& map, const MapSpec& spec, const Visit& visit) override;
  Status erase_all(const Fd& map, const MapSpec& spec, std::span<const std::uint8_t> keys) override;
  Result<Mapping> map_memory(const Fd& map, std::size_t size) override;
  Status wait_grace_period() override;
  Result<Fd> load_program(const ProgramSpec& spec, std::span<const bpf_insn> insns,
                          bool want_log) override;
  Result<RunResult> run(const Fd& program, std::span<const std::uint64_t> args, int cpu) override;
  void run_on(int cpu) override { home_cpu = cpu; }
  Result<Fd> attach_raw_tracepoint(const std::string& name, const Fd& program) override;
  Result<Fd> attach_perf_event(const PerfEvent& event, int cpu, const Fd& program) override;
  Result<Fd> attach_cpu_clock(int cpu, std::uint64_t period_ns, std::uint64_t frequency_hz,
                              const Fd& program) override;
  Result<Fd> attach_uprobes(const UprobeSites& sites, const Fd& program) override;
  Result<std::unique_ptr<Attached>> attach_uprobe_event(std::span<const UprobeSites> files,
                                                        const Fd& program) override;
  Result<Fd> attach_functions(const FunctionSet& functions, const Fd& program) override;
  Result<Fd> attach_code(const CodePlace& place, std::uint64_t cookie, const Fd& program) override;
  Result<std::uint64_t> missed_by_link(const Fd& link) override;
  Result<std::uint64_t> missed_firings(const Fd& program) override;
  Result<std::unique_ptr<Ring>> open_ring(const Fd& map, std::size_t size) override;
  std::uint32_t possible_cpus() override { return cpus_; }
  std::vector<int> online_cpus() override;
  std::string release() override { return release_text; }
  Result<Fd> attach_netfilter(const NetfilterHook& hook, const Fd& program) override;

  std::vector<UprobeSites> uprobes;                     // attach_uprobes(), those that it attached
  std::vector<std::vector<UprobeSites>> uprobe_events;  // attach_uprobe_event(), the same
  int home_cpu = -1;                                    // run_on()
  std::vector<std::string> set_aside;                   // set_elements_aside(), by name

 private:
  struct Map;
  struct Failure {
    Call call;
    std::size_t at;  // counts_ of the call that fails
    int code;
    std::string log;
  };

  Status enter(Call call, const std::string& what);
  Fd hand_out(const std::string& what);
  Map& map_of(const Fd& fd);
  Map* find(const std::string& name) const;

  std::uint32_t cpus_;
  std::vector<std::string> calls_;
  std::vector<std::size_t> counts_;
  std::vector<Failure> failures_;
  struct {
    std::size_t nth = 0;
    int code = 0;
  } fails_at_;
  // Every descriptor handed out is the write end of a pipe whose read end we
  // keep: it reads end-of-file exactly when the other has been closed.
  struct Handle {
    Fd watch;
    std::uint64_t inode;
    std::string name;
  };
  std::vector<Handle> handles_;
  std::vector<std::unique_ptr<Map>> maps_;
  std::map<std::string, std::vector<bpf_insn>> programs_;

  const Handle& handle(const Fd& fd) const;
};

}  // namespace dt::kernel
