#pragma once
// The only place that makes tracing system calls. LinuxKernel makes them;
// FakeKernel answers from a script in tests and can inject any error.
//
// Every failing call returns an Error whose text names the call and the
// reason ("bpf(BPF_MAP_CREATE) of 'globals': Operation not permitted") and,
// where one is known, a remedy.

#include <linux/bpf.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/function.h"
#include "kernel/perf_event.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

struct MapSpec {
  std::string name;  // at most 15 bytes; ours begin with "dt_"
  bpf_map_type type = BPF_MAP_TYPE_ARRAY;
  std::uint32_t key_bytes = 4;
  std::uint32_t value_bytes = 8;
  std::uint32_t entries = 1;
  std::uint32_t flags = 0;  // BPF_F_*
  int inner = -1;           // an ARRAY_OF_MAPS: a map like those that will be in it
  // BTF for maps that demand it (task storage) is made by the kernel layer.
};

struct ProgramSpec {
  std::string name;
  bpf_prog_type type = BPF_PROG_TYPE_RAW_TRACEPOINT;
  std::uint32_t expected_attach = 0;  // bpf_attach_type, 0 = none
  std::uint32_t attach_btf_id = 0;
  std::string attach_module = {};  // whose BTF has that id; "" or "vmlinux": the kernel's
  std::uint32_t flags = 0;         // BPF_F_SLEEPABLE
  // All functions, ascending, when one of them is global; otherwise empty.
  std::vector<Function> functions = {};
};

// expected_attach of a program for attach_uprobes(): BPF_TRACE_UPROBE_MULTI, which
// Debian 12's headers do not have.
constexpr std::uint32_t kUprobeMulti = 48;

// Places in the code of one file, and whose executions of it count.
struct UprobeSites {
  std::string path;
  pid_t pid = 0;  // the process; 0 = every one
  struct Site {
    std::uint64_t offset = 0;     // in the file
    std::uint64_t cookie = 0;     // what bpf_get_attach_cookie() gives there
    std::uint64_t semaphore = 0;  // offset of a 16-bit count of tracers; 0 = none
  };
  std::vector<Site> sites;
};

// Functions of the kernel and what a program knows each by (bpf_get_attach_cookie),
// for a link to all of them.
struct FunctionSet {
  std::vector<std::uint64_t> addresses;  // where their symbols are
  std::vector<std::string> symbols;      // or these: each the name of one function only
  std::vector<std::uint64_t> cookies;    // one for each, or none where the program does not ask
  bool at_return = false;
  std::size_t size() const { return addresses.size() + symbols.size(); }
};

// One place of the kernel's code.
struct CodePlace {
  std::string symbol;         // "vfs_read" or "module:function"; "" = by address
  std::uint64_t address = 0;  // without a symbol; else the offset from it
  bool at_return = false;     // where the function that begins there has returned
};

// A hook of netfilter, in the network namespace of the calling thread.
struct NetfilterHook {
  std::uint32_t family = 0;  // NFPROTO_IPV4 or NFPROTO_IPV6
  std::uint32_t hook = 0;    // NF_INET_PRE_ROUTING and on
  // The smallest one runs first; two programs of a hook cannot have the same.
  std::int32_t priority = 0;
};

struct RunResult {
  std::uint32_t return_value = 0;
};

// The verifier's verdict on a refused program is in Error::log.
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual Result<Fd> create_map(const MapSpec& spec) = 0;
  virtual Status freeze_map(const Fd& map) = 0;
  virtual Status update(const Fd& map, const void* key, const void* value) = 0;
  // The same where the map has no such key, else EEXIST.
  virtual Status insert(const Fd& map, const void* key, const void* value) = 0;
  virtual Status lookup(const Fd& map, const void* key, void* value) = 0;
  virtual Status erase(const Fd& map, const void* key) = 0;
  // Calls `visit(key, value)` for every element. Reads in batches.
  // Elements present throughout are visited exactly once.
  using Visit = std::function<void(const std::uint8_t* key, const std::uint8_t* value)>;
  virtual Status for_each(const Fd& map, const MapSpec& spec, const Visit& visit) = 0;
  // Deletes `keys` (concatenated), in batches.
  virtual Status erase_all(const Fd& map, const MapSpec& spec,
                           std::span<const std::uint8_t> keys) = 0;
  // Makes and deletes an element on every CPU, after which the kernel keeps some
  // dozen ready there. Of a hash that allocates them one by one it starts with a
  // few, and where interrupts are off it cannot get more.
  virtual Status set_elements_aside(const Fd& map, const MapSpec& spec) = 0;
  // Maps an mmapable ARRAY's values read-write; unmapped by the Mapping.
  struct Mapping {
    std::uint8_t* data = nullptr;
    std::size_t size = 0;
    Mapping() = default;
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;
    ~Mapping();
  };
  virtual Result<Mapping> map_memory(const Fd& map, std::size_t size) = 0;
  // Returns after every BPF program that was running when it was called has ended.
  virtual Status wait_grace_period() = 0;

  // `want_log`: when the verifier refuses, load once more for its log, which
  // then gives the Error's reason and Error::log. The Error's code is then
  // EINVAL (or E2BIG), not the verifier's EACCES, which speaks of privileges
  // everywhere else.
  virtual Result<Fd> load_program(const ProgramSpec& spec, std::span<const bpf_insn> insns,
                                  bool want_log) = 0;
  // BPF_PROG_RUN of a raw_tp or syscall program with `args` as its context; cpu -1 = here.
  virtual Result<RunResult> run(const Fd& program, std::span<const std::uint64_t> args,
                                int cpu) = 0;
  // Where run() with cpu -1 runs from now on instead of here.
  virtual void run_on(int cpu) = 0;
  virtual Result<Fd> attach_raw_tracepoint(const std::string& name, const Fd& program) = 0;
  // An event of `cpu` that runs `program` (a BPF_PROG_TYPE_PERF_EVENT), enabled at once.
  virtual Result<Fd> attach_perf_event(const PerfEvent& event, int cpu, const Fd& program) = 0;
  // A software cpu-clock event on `cpu`, every `period_ns` (or at `frequency_hz`
  // when that is non-zero), running `program`; enabled at once.
  virtual Result<Fd> attach_cpu_clock(int cpu, std::uint64_t period_ns, std::uint64_t frequency_hz,
                                      const Fd& program) = 0;
  // One link for all sites, which run `program` (a BPF_PROG_TYPE_KPROBE).
  virtual Result<Fd> attach_uprobes(const UprobeSites& sites, const Fd& program) = 0;
  // Keeps a program attached as long as it lives.
  class Attached {
   public:
    virtual ~Attached() = default;
  };
  // The same where there is no uprobe.multi, for sites of several files and one pid, by a perf
  // event (uprobe_events.h). bpf_get_attach_cookie() gives nothing there. The cookie is in the
  // definition of the site that fired (struct trace_uprobe), as the constant that is its first
  // argument; the second is the pid. The program runs for each process that shares this process's
  // memory.
  virtual Result<std::unique_ptr<Attached>> attach_uprobe_event(std::span<const UprobeSites> files,
                                                                const Fd& program) = 0;
  // One link for all functions of the set (kprobe.multi).
  virtual Result<Fd> attach_functions(const FunctionSet& functions, const Fd& program) = 0;
  // A breakpoint (kprobe) of its own, which costs a tenth of a second to remove.
  virtual Result<Fd> attach_code(const CodePlace& place, std::uint64_t cookie,
                                 const Fd& program) = 0;
  // Firings that such a link did not hand to its program; 0 where the kernel does
  // not tell (before 6.7).
  virtual Result<std::uint64_t> missed_by_link(const Fd& link) = 0;
  // Firings of the program that the kernel itself suppressed (recursion).
  virtual Result<std::uint64_t> missed_firings(const Fd& program) = 0;

  // ring: consumer side of a BPF_MAP_TYPE_RINGBUF.
  class Ring {
   public:
    virtual ~Ring() = default;
    virtual int fd() const = 0;  // readable when a program forced a wake-up
    // Hands every complete record to `visit`, oldest first; returns how many
    // bytes were consumed.
    virtual std::size_t consume(
        const std::function<void(std::span<const std::uint8_t>)>& visit) = 0;
  };
  virtual Result<std::unique_ptr<Ring>> open_ring(const Fd& map, std::size_t size) = 0;

  // One more than the highest possible CPU number.
  virtual std::uint32_t possible_cpus() = 0;
  virtual std::vector<int> online_cpus() = 0;
  virtual std::string release() = 0;  // uname -r

  // A program of netfilter (netfilter.h), which accepts every packet. EBUSY where another program
  // has that priority.
  virtual Result<Fd> attach_netfilter(const NetfilterHook& hook, const Fd& program) = 0;
};

std::unique_ptr<Kernel> linux_kernel();

}  // namespace dt::kernel
