// See features.h. Each feature is one small function that uses it.

#include "kernel/features.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <iterator>
#include <string>

#include "kernel/btf.h"
#include "kernel/insn.h"
#include "kernel/lockdown.h"
#include "kernel/netfilter.h"
#include "support/check.h"

namespace dt::kernel {
namespace {

// A function of the kernel for trials of BPF, which is called for nothing else.
constexpr const char* kTestFunction = "bpf_fentry_test1";

MapSpec probe_map(bpf_map_type type) {
  MapSpec spec;
  spec.name = "dt_try";
  spec.type = type;
  return spec;
}

Result<Fd> try_load(Kernel& kernel, std::span<const bpf_insn> insns,
                    bpf_prog_type type = BPF_PROG_TYPE_RAW_TRACEPOINT) {
  ProgramSpec spec;
  spec.name = "dt_try";
  spec.type = type;
  return kernel.load_program(spec, insns, true);
}

Status loads(Kernel& kernel, std::span<const bpf_insn> insns) {
  Result<Fd> program = try_load(kernel, insns);
  return program.ok() ? Status() : Status(std::move(program.error()));
}

Status creates(Kernel& kernel, const MapSpec& spec) {
  Result<Fd> map = kernel.create_map(spec);
  return map.ok() ? Status() : Status(std::move(map.error()));
}

// The least that the verifier accepts: r0 must be set before exit.
constexpr std::array<bpf_insn, 2> kReturnZero = {insn::mov_imm(0, 0), insn::exit()};

Status array_maps(Kernel& kernel) { return creates(kernel, probe_map(BPF_MAP_TYPE_ARRAY)); }

// The number of entries of a ring buffer is its size in bytes: a power of two, and a multiple of a
// page.
Status ring_buffer(Kernel& kernel) {
  MapSpec spec = probe_map(BPF_MAP_TYPE_RINGBUF);
  spec.key_bytes = 0;
  spec.value_bytes = 0;
  spec.entries = static_cast<std::uint32_t>(::sysconf(_SC_PAGESIZE));
  DT_ASSIGN(const Fd map, kernel.create_map(spec));
  auto ring = kernel.open_ring(map, spec.entries);
  return ring.ok() ? Status() : Status(std::move(ring.error()));
}

// The elements of this map are kept with their tasks: the kernel insists on 0 entries and on
// BPF_F_NO_PREALLOC.
Status task_storage(Kernel& kernel) {
  MapSpec spec = probe_map(BPF_MAP_TYPE_TASK_STORAGE);
  spec.entries = 0;
  spec.flags = BPF_F_NO_PREALLOC;
  DT_ASSIGN(const Fd map, kernel.create_map(spec));
  const auto [first, second] = insn::map_fd(1, map.get());
  const std::array<bpf_insn, 9> body = {insn::call(BPF_FUNC_get_current_task_btf),
                                        insn::mov(2, 0),
                                        first,
                                        second,
                                        insn::mov_imm(3, 0),
                                        insn::mov_imm(4, BPF_LOCAL_STORAGE_GET_F_CREATE),
                                        insn::call(BPF_FUNC_task_storage_get),
                                        insn::mov_imm(0, 0),
                                        insn::exit()};
  return loads(kernel, body);
}

MapSpec probe_hash() {
  MapSpec spec = probe_map(BPF_MAP_TYPE_HASH);
  spec.key_bytes = 8;
  spec.entries = 16;
  spec.flags = BPF_F_NO_PREALLOC;
  return spec;
}

Status hash(Kernel& kernel) { return creates(kernel, probe_hash()); }

// Commands for many elements at once exist since 5.6 for hashes; here they are used on an empty
// one.
Status batches(Kernel& kernel) {
  const MapSpec spec = probe_hash();
  DT_ASSIGN(const Fd map, kernel.create_map(spec));
  return kernel.for_each(map, spec, [](const std::uint8_t*, const std::uint8_t*) {});
}

// Arrays that can be mapped exist since 5.5. Counters and the control block are read and written
// through a mapping, without system calls.
Status map_memory(Kernel& kernel) {
  MapSpec spec = probe_map(BPF_MAP_TYPE_ARRAY);
  spec.flags = BPF_F_MMAPABLE;
  DT_ASSIGN(const Fd map, kernel.create_map(spec));
  auto mapping = kernel.map_memory(map, spec.value_bytes);
  return mapping.ok() ? Status() : Status(std::move(mapping.error()));
}

Status grace_period(Kernel& kernel) { return kernel.wait_grace_period(); }

// The tracepoint fires at the very next system call; the program does nothing then.
Status raw_tracepoint(Kernel& kernel) {
  DT_ASSIGN(const Fd program, try_load(kernel, kReturnZero));
  auto link = kernel.attach_raw_tracepoint("sys_enter", program);
  return link.ok() ? Status() : Status(std::move(link.error()));
}

// A period of a second: it never fires before it is closed again.
Status cpu_clock(Kernel& kernel) {
  DT_ASSIGN(const Fd program, try_load(kernel, kReturnZero, BPF_PROG_TYPE_PERF_EVENT));
  auto link = kernel.attach_cpu_clock(kernel.online_cpus().front(), 1'000'000'000, 0, program);
  return link.ok() ? Status() : Status(std::move(link.error()));
}

// The number that the program returns shows that it has run, and not only that the command is
// known.
Status program_run(Kernel& kernel) {
  constexpr std::array<bpf_insn, 2> body = {insn::mov_imm(0, 7), insn::exit()};
  DT_ASSIGN(const Fd program, try_load(kernel, body));
  DT_ASSIGN(const RunResult result, kernel.run(program, {}, -1));
  return result.return_value == 7 ? Status()
                                  : Status(Error::of("BPF_PROG_RUN gave another result"));
}

// Fetch, exchange and compare-and-exchange exist since 5.12; the JIT must know them, too, or the
// load fails.
Status atomics(Kernel& kernel) {
  constexpr std::array<bpf_insn, 8> body = {insn::store_imm(BPF_DW, 10, -8, 1),
                                            insn::mov_imm(1, 2),
                                            insn::atomic(BPF_DW, BPF_ADD | BPF_FETCH, 10, -8, 1),
                                            insn::atomic(BPF_DW, BPF_XCHG, 10, -8, 1),
                                            insn::mov_imm(0, 3),
                                            insn::atomic(BPF_DW, BPF_CMPXCHG, 10, -8, 1),
                                            insn::mov_imm(0, 0),
                                            insn::exit()};
  return loads(kernel, body);
}

// A move whose `off` is 8, 16 or 32 extends the sign from this bit. Before 6.6 the field was
// reserved, and the verifier refuses what is not 0.
Status cpu_v4(Kernel& kernel) {
  constexpr std::array<bpf_insn, 3> body = {
      insn::mov_imm(0, -1), insn::make(BPF_ALU64 | BPF_MOV | BPF_X, 0, 0, 8, 0),  // r0 = (s8)r0
      insn::exit()};
  return loads(kernel, body);
}

Status loop(Kernel& kernel) {
  constexpr std::array<bpf_insn, 9> body = {
      insn::mov_imm(1, 3),
      insn::make(BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_FUNC, 0, 5),  // the last two
      insn::make(0, 0, 0, 0, 0),
      insn::mov_imm(3, 0),
      insn::mov_imm(4, 0),
      insn::call(BPF_FUNC_loop),
      insn::exit(),
      insn::mov_imm(0, 0),
      insn::exit()};
  return loads(kernel, body);
}

// A pointer with a type (5.11): the verifier allows loads of members through it.
Status current_task_btf(Kernel& kernel) {
  constexpr std::array<bpf_insn, 3> body = {insn::call(BPF_FUNC_get_current_task_btf),
                                            insn::mov_imm(0, 0), insn::exit()};
  return loads(kernel, body);
}

// The registers that the task had when it entered the kernel (5.15): user stacks begin there.
Status task_registers(Kernel& kernel) {
  constexpr std::array<bpf_insn, 5> body = {insn::call(BPF_FUNC_get_current_task_btf),
                                            insn::mov(1, 0), insn::call(BPF_FUNC_task_pt_regs),
                                            insn::mov_imm(0, 0), insn::exit()};
  return loads(kernel, body);
}

// 64 bytes of the program's own stack, for a kernel stack of at most 8 frames.
Status stacks(Kernel& kernel) {
  constexpr std::array<bpf_insn, 7> body = {
      insn::mov(2, 10),    insn::alu_imm(BPF_ADD, 2, -64), insn::mov_imm(3, 64),
      insn::mov_imm(4, 0), insn::call(BPF_FUNC_get_stack), insn::mov_imm(0, 0),
      insn::exit()};
  return loads(kernel, body);
}

Status kernel_btf(Kernel&) {
  constexpr const char* kPath = "/sys/kernel/btf/vmlinux";
  if (::access(kPath, R_OK) == 0) {
    return {};
  }
  return support::system_error(kPath, errno);
}

// The verifier says no more than that there is no such helper.
std::string why_no_write() {
  const std::string mode = lockdown_mode();
  if (!mode.empty() && mode != "none") {
    return "lockdown forbids it (/sys/kernel/security/lockdown)";
  }
  return "bpf_probe_write_user is not there; lockdown may forbid it";
}

// Address 0: nothing is written even if the program were run, which it is not.
Status write_user(Kernel& kernel) {
  constexpr std::array<bpf_insn, 7> body = {insn::store_imm(BPF_DW, 10, -8, 0),
                                            insn::mov_imm(1, 0),
                                            insn::mov(2, 10),
                                            insn::alu_imm(BPF_ADD, 2, -8),
                                            insn::mov_imm(3, 8),
                                            insn::call(BPF_FUNC_probe_write_user),
                                            insn::exit()};
  const Status status = loads(kernel, body);
  return status.ok() ? Status() : Status(Error::of(why_no_write()));
}

// A directory has no code, which a kernel that knows the kind of link says.
Status uprobe_multi(Kernel& kernel) {
  ProgramSpec spec;
  spec.name = "dt_try";
  spec.type = BPF_PROG_TYPE_KPROBE;
  spec.expected_attach = kUprobeMulti;
  DT_ASSIGN(const Fd program, kernel.load_program(spec, kReturnZero, true));
  const Result<Fd> link = kernel.attach_uprobes({"/", ::getpid(), {{0, 0, 0}}}, program);
  if (link.ok() || link.error().code == EBADF) {
    return {};
  }
  return link.error();
}

// The same by an event, of which the kernel first looks at the file.
Status uprobe_event(Kernel& kernel) {
  ProgramSpec spec;
  spec.name = "dt_try";
  spec.type = BPF_PROG_TYPE_KPROBE;
  DT_ASSIGN(const Fd program, kernel.load_program(spec, kReturnZero, true));
  const std::array<UprobeSites, 1> sites = {{{"/", ::getpid(), {{0, 0, 0}}}}};
  const auto event = kernel.attach_uprobe_event(sites, program);
  if (event.ok() || event.error().code == EINVAL) {
    return {};
  }
  return event.error();
}

// With bpf_get_func_arg (5.17), which gives arguments as plain numbers.
Status fentry(Kernel& kernel) {
  constexpr std::array<bpf_insn, 7> body = {insn::store_imm(BPF_DW, 10, -8, 0),
                                            insn::mov_imm(2, 0),
                                            insn::mov(3, 10),
                                            insn::alu_imm(BPF_ADD, 3, -8),
                                            insn::call(BPF_FUNC_get_func_arg),
                                            insn::mov_imm(0, 0),
                                            insn::exit()};
  ProgramSpec spec;
  spec.name = "dt_try";
  spec.type = BPF_PROG_TYPE_TRACING;
  spec.expected_attach = BPF_TRACE_FENTRY;
  DT_ASSIGN(spec.attach_btf_id, kernel_function_id(kTestFunction));
  DT_ASSIGN(const Fd program, kernel.load_program(spec, body, true));
  auto link = kernel.attach_raw_tracepoint("", program);
  return link.ok() ? Status() : Status(std::move(link.error()));
}

// One link for many functions, on top of ftrace (5.18 with CONFIG_FPROBE).
Status kprobe_multi(Kernel& kernel) {
  ProgramSpec spec;
  spec.name = "dt_try";
  spec.type = BPF_PROG_TYPE_KPROBE;
  spec.expected_attach = BPF_TRACE_KPROBE_MULTI;
  DT_ASSIGN(const Fd program, kernel.load_program(spec, kReturnZero, true));
  FunctionSet functions;
  functions.symbols = {kTestFunction};
  functions.cookies = {0};
  auto link = kernel.attach_functions(functions, program);
  return link.ok() ? Status() : Status(std::move(link.error()));
}

// A breakpoint, by perf_event_open(): the slowest to attach and to remove, but it works at every
// instruction.
Status kprobe(Kernel& kernel) {
  ProgramSpec spec;
  spec.name = "dt_try";
  spec.type = BPF_PROG_TYPE_KPROBE;
  DT_ASSIGN(const Fd program, kernel.load_program(spec, kReturnZero, true));
  auto link = kernel.attach_code({kTestFunction, 0, false}, 0, program);
  return link.ok() ? Status() : Status(std::move(link.error()));
}

Status netfilter(Kernel& kernel) {
  ProgramSpec spec;
  spec.name = "dt_try";
  spec.type = BPF_PROG_TYPE_UNSPEC;
  spec.expected_attach = kNetfilterAttach;
  DT_ASSIGN(const Fd program, kernel.load_program(spec, kReturnZero, true));
  return {};
}

struct Entry {
  Feature feature;
  const char* name;
  const char* purpose;
  bool required;
  Status (*attempt)(Kernel&);
};

constexpr Entry kEntries[] = {
    {Feature::kArrayMaps, "array maps", "variables", true, array_maps},
    {Feature::kRingBuffer, "ring buffer", "records", true, ring_buffer},
    {Feature::kTaskStorage, "task storage", "thread-local variables", false, task_storage},
    {Feature::kHash, "hash maps", "aggregations with keys", true, hash},
    {Feature::kBatches, "batched look-ups", "reading aggregations", true, batches},
    {Feature::kMapMemory, "mapped arrays", "control and counters", true, map_memory},
    {Feature::kGracePeriod, "waiting for running programs", "an orderly end", true, grace_period},
    {Feature::kRawTracepoint, "raw tracepoints", "the syscall provider", false, raw_tracepoint},
    {Feature::kCpuClock, "CPU clock events", "the profile provider", false, cpu_clock},
    {Feature::kProgramRun, "BPF_PROG_RUN", "BEGIN, END and tick probes", true, program_run},
    {Feature::kAtomics, "atomic instructions", "exact counts", true, atomics},
    {Feature::kCpuV4, "BPF instruction set v4", "shorter programs", false, cpu_v4},
    {Feature::kLoop, "bpf_loop", "long loops", false, loop},
    {Feature::kCurrentTaskBtf, "typed current task", "curthread and thread-local variables", false,
     current_task_btf},
    {Feature::kTaskRegisters, "user registers", "uregs and user stacks", false, task_registers},
    {Feature::kStacks, "stack traces", "stack() and ustack()", false, stacks},
    {Feature::kKernelBtf, "kernel type information (BTF)",
     "system calls, the providers of tracepoints, kernel structures", false, kernel_btf},
    {Feature::kWriteUser, "writing user memory", "copyout() and copyoutstr()", false, write_user},
    {Feature::kUserProbes, "uprobe.multi", "pid, plockstat, pthread and USDT at the least cost",
     false, uprobe_multi},
    {Feature::kUprobeEvent, "events of uprobes", "the same where there is no uprobe.multi", false,
     uprobe_event},
    {Feature::kFentry, "programs at a function (fentry)", "fbt at the least cost", false, fentry},
    {Feature::kKprobeMulti, "programs at many functions", "fbt at thousands of functions", false,
     kprobe_multi},
    {Feature::kKprobe, "kernel breakpoints (kprobes)", "kinst, and fbt where nothing else serves",
     false, kprobe},
    {Feature::kNetfilter, "programs of netfilter", "the netfilter provider", false, netfilter},
};

constexpr bool is_in_order_of_enum() {
  for (std::size_t i = 0; i < std::size(kEntries); ++i) {
    if (kEntries[i].feature != static_cast<Feature>(i)) return false;
  }
  return std::end(kEntries)[-1].feature == Feature::kLast;
}
static_assert(is_in_order_of_enum(), "every feature has its entry, in the order of the enum");

}  // namespace

Status try_feature(Kernel& kernel, Feature feature) {
  return kEntries[static_cast<std::size_t>(feature)].attempt(kernel);
}

std::vector<FeatureReport> try_all_features(Kernel& kernel) {
  std::vector<FeatureReport> reports;
  for (const Entry& entry : kEntries) {
    FeatureReport report{entry.feature, entry.name, entry.purpose, entry.required, false, ""};
    const Status status = entry.attempt(kernel);
    report.present = status.ok();
    if (!status.ok()) {
      report.reason = status.error().text;
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace dt::kernel
