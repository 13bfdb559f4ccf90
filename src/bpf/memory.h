#pragma once
// Where everything lives: the maps that a run needs and the layout of each.
//
// Computed once from the program and the plan; the code generator addresses
// memory by it and the runtime creates maps from it, and neither knows more.
//
//   globals  ARRAY of one value, mmapable: the control block, then D's globals
//   rodata   ARRAY of one value, frozen: string constants, tables
//   percpu   ARRAY of one value, mmapable: one block per CPU, `percpu_stride`
//            apart: drop counters, keyless aggregations
//   scratch  ARRAY, one value per CPU and nesting level; its first u64 is the
//            busy flag, taken with an atomic exchange
//   ring     RINGBUF: records
//   tls      TASK_STORAGE: all thread-local variables as one struct
//   agg i    HASH: a keyed aggregation, an element for each key and CPU (agg_key.h)
//   stacks i HASH: the frames of stacks in keys of aggregations, by their u64 numbers
//   unwind i the tables by which user stacks are unwound (unwind.h)
//   assoc i  HASH: an associative array; thread-local ones have a u64 thread
//            identity before the keys
//   kept i   HASH: what the provider of program i keeps between its firings
//   followed TASK_STORAGE: the process of -c or -p that a thread descends from (follow.h)

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "enabling/plan.h"
#include "ir/ir.h"

namespace dt::types {
class Catalog;
}

namespace dt::bpf {

enum class MapKind : std::uint8_t {
  kGlobals,
  kRodata,
  kPercpu,
  kScratch,
  kRing,
  kTls,
  kAgg,
  kStacks,
  kAssoc,
  kUnwind,
  kKept,
  kFollowed,
};
struct MapRef {
  MapKind kind = MapKind::kGlobals;
  std::uint32_t index =
      0;  // kAgg: aggregation; kStacks: table; kAssoc: variable; kUnwind: UnwindMap; kKept: program
  bool operator==(const MapRef&) const = default;
};
const char* map_name(MapKind kind);

// What the tracing state is; written by the runtime and by exit().
enum class State : std::uint32_t {
  kInactive = 0,  // attached, not yet tracing: probes leave at once
  kActive = 1,
  kDraining = 2,  // exit() was called or tracing is being stopped; only END runs
};

// At offset 0 of the globals value.
struct Control {
  std::uint32_t state;
  std::int32_t exit_status;  // of the exit() that won
  // Low bit tagged into every key of a drained aggregation; the runtime flips
  // it, waits for a grace period and then drains the old generation.
  std::uint64_t generation;
  std::uint64_t wall_offset_ns;  // CLOCK_REALTIME - CLOCK_MONOTONIC at start
  std::uint64_t target_pid;
  // CLOCK_MONOTONIC, ns: when a record finds no room from this time on, the
  // consumer is taken for dead and tracing ends. The runtime moves it on. 0: never.
  std::uint64_t deadline_ns;
  std::uint32_t aborted;  // 1 once that has happened
  std::uint32_t reserved;
};
static_assert(sizeof(Control) == 48);

constexpr std::uint32_t kScratchLevels = 4;

// How the key of an associative array lies in its map: for a thread-local one
// the u64 thread identity, then the keys, aligned to their size (strings and
// bytes to 8, padded to whole words with zeros).
struct ArrayKey {
  std::vector<std::uint32_t> offsets;
  std::uint32_t bytes = 0;  // multiple of 8
};
ArrayKey array_key(const ir::Variable& variable);

struct HashMap {
  std::uint32_t key_bytes = 0;  // 0: this index has no map
  std::uint32_t value_bytes = 0;
};

// Stacks of one size, of aggregations that are all drained, or none of them.
struct StackTable {
  std::uint32_t frames_bytes = 0;
  bool drained = false;
  std::uint32_t users = 0;  // aggregations
  HashMap element() const { return {8, frames_bytes}; }
};

// Where the members lie that lead from a struct path to its text.
struct PathOffsets {
  std::int32_t path_mnt = -1, path_dentry = -1;
  std::int32_t task_fs = -1, fs_root_mnt = -1, fs_root_dentry = -1;
  std::int32_t dentry_parent = -1, dentry_name = -1, dentry_length = -1, dentry_pprev = -1;
  std::int32_t dentry_op = -1, dentry_sb = -1, dentry_inode = -1;
  std::int32_t op_dname = -1, sb_type = -1, type_name = -1, inode_number = -1;
  std::int32_t mnt_root = -1, mount_mnt = -1, mount_parent = -1, mount_mountpoint = -1;
  bool operator==(const PathOffsets&) const = default;
  bool are_known() const;  // all of them
};

// Where the members lie that lead to the code that a process has mapped.
struct UnwindOffsets {
  std::int32_t task_mm = -1, task_utask = -1;
  // What tells whether a process still has the mappings that it had: its start, how
  // often it has executed a program, and what grows with each change (from 6.4 on).
  std::int32_t task_leader = -1, task_start = -1, task_execs = -1, mm_sequence = -1;
  std::int32_t mm_root = -1, mm_vdso = -1, mm_trampoline = -1;  // mm_mt.ma_root
  std::int32_t range_slot = -1, arange_slot = -1;               // in maple nodes
  std::int32_t vma_begin = -1, vma_end = -1, vma_flags = -1, vma_page = -1, vma_file = -1;
  std::int32_t file_inode = -1;
  std::int32_t inode_sb = -1, inode_number = -1, inode_size = -1, inode_changed = -1;
  std::int32_t inode_changed_ns = -1;
  std::int32_t sb_device = -1;
  std::int32_t utask_returns = -1, return_address = -1, return_stack = -1, return_next = -1;
  std::int32_t trampoline_address = -1;  // in xol_area
  std::int32_t utask_place = -1;  // of the breakpoint whose instruction is carried out elsewhere
  std::int32_t task_thread_base = -1;  // what fs:0 is
  bool with_sources = false;           // jstack() is used, and it is known: python.h
  std::int32_t regs_bp = -1, regs_ip = -1, regs_cs = -1, regs_sp = -1;
  bool operator==(const UnwindOffsets&) const = default;
  bool are_known() const;  // all that must be
  bool tell_changes() const {
    return task_leader >= 0 && task_start >= 0 && task_execs >= 0 && mm_sequence >= 0;
  }
};

// With which any memory of the kernel is read by plain loads: bpf_rdonly_cast to a
// struct maple_range_64, which is nothing but words. At an address that is none such a
// load gives 0. See word_load.h.
struct Words {
  std::uint32_t cast = 0, type = 0;  // BTF numbers
  bool are_known() const { return cast != 0 && type != 0; }
};

// The numbers of threads and processes are in their tasks, for those who are in the first
// namespace of processes. For others:
//   task -> pid -> entry of its namespace, or of one that this is within -> number
struct NumberOffsets {
  std::uint32_t space = 0;  // the inode of our namespace; 0: the first one
  std::int32_t task_leader = -1, task_pid = -1;
  std::int32_t pid_level = -1, pid_numbers = -1, entry_bytes = -1;
  std::int32_t entry_number = -1, entry_space = -1, space_inode = -1;
  bool operator==(const NumberOffsets&) const = default;
  bool are_known() const;  // all of them
};

// What -x zone asks of every program: see zone.h.
constexpr const char* kGlobalZone = "global";
struct Zone {
  std::string name;
  std::int32_t task_pid = -1, pid_level = -1;
  std::int32_t task_spaces = -1, spaces_cgroup = -1, space_css_set = -1;
  std::int32_t task_css_set = -1, css_set_cgroup = -1, cgroup_node = -1, node_name = -1;
  // As Machine::task_cast.
  std::uint32_t task_cast = 0, task_type = 0;
  bool is_known() const;  // where all of these are
};

// What is fixed about the machine before code is made.
struct Machine {
  std::uint32_t cpus = 1;  // possible CPUs
  // Byte offsets in struct task_struct, -1 when BTF could not tell (then the
  // generated code uses a BPF helper, or refuses).
  std::int32_t task_comm = -1, task_tgid = -1, task_pid = -1, task_real_parent = -1;
  std::int32_t task_start_time = -1;
  NumberOffsets number;
  std::int32_t task_status = -1;  // thread_info.status (TS_COMPAT)
  // What follows is known where the program needs it.
  std::int32_t task_mm = -1;
  std::int32_t task_cred = -1, cred_uid = -1, cred_gid = -1;
  std::int32_t mm_arg_start = -1, mm_arg_end = -1;  // in struct mm_struct
  PathOffsets path;
  UnwindOffsets unwind;
  // Functions of the kernel that programs call, by their BTF numbers; 0 = not there,
  // or not wanted. What task_cast (bpf_rdonly_cast) gives of the current task and
  // task_type is followed without asking, load by load, what can be trusted: for each
  // answer 6.18's verifier searches all types of the kernel.
  std::uint32_t task_cast = 0, task_type = 0;
  Words words;
  // Programs that the kernel may preempt say that it may not.
  std::uint32_t preempt_disable = 0, preempt_enable = 0;
  std::uint32_t irq_save = 0, irq_restore = 0;
  // Programs may have a stack for each CPU, see keep_stack_of_thread().
  bool has_private_stacks = false;
  // With which programs that may wait say where they do not (user_memory.h).
  std::uint32_t rcu_lock = 0, rcu_unlock = 0;
  // Kernel features, found by trying (kernel/features.h).
  bool has_cpu_v4 = false;
  std::string no_write_user = {};  // why bpf_probe_write_user cannot be had, or empty
  std::uint32_t stack_limit_bytes = 512;
  // The kernel's, where programs may follow pointers by plain loads; outlives
  // what is generated.
  const types::Catalog* types = nullptr;
};

struct Memory {
  Machine machine;
  std::uint32_t globals_bytes = sizeof(Control);
  // In the globals: u64 how many speculations were begun, then a u64 for each
  // slot: the id that is in use, the negative of the last one, or 0. kNone when the
  // program has none.
  std::uint32_t speculations_offset = ir::kNone;
  std::vector<std::uint32_t> global_offset;  // by variable; kNone where not a scalar global
  std::vector<std::uint8_t> rodata;
  std::vector<std::uint32_t> string_offset;  // by ir string; padded with zeros to whole words
  std::uint32_t zeros_offset = 0;            // a region of zeros in rodata
  std::uint32_t zeros_bytes = 0;
  std::uint32_t percpu_stride = 0;  // multiple of 64
  std::uint32_t drops_offset = 0;   // u64[record::kDropCounters] in a CPU's block
  // u64[4] in a CPU's block: since when a thread has been on the CPU
  // (vtimestamp); when the second of chill() began, and how long it has spun then.
  std::uint32_t misc_offset = 0;
  std::vector<std::uint32_t>
      agg_offset;  // by aggregation: keyless value in a CPU's block; kNone when keyed
  std::uint32_t scratch_bytes = 0;             // size of one scratch frame; 0 = none is needed
  std::uint32_t tls_bytes = 0;                 // 0 = none
  std::vector<std::uint32_t> tls_offset;       // by variable
  std::uint32_t tls_vtime_offset = ir::kNone;  // u64 of on-CPU time, when vtimestamp is used
  std::vector<HashMap> aggs;                   // by aggregation
  std::vector<StackTable> stacks;
  std::vector<HashMap> assocs;  // by variable
  std::vector<HashMap> kept;    // by program of the plan; known when code is generated
  bool uses_ring = false;
  bool uses_vtimestamp = false;
  bool uses_unwind = false;   // set when code is generated that unwinds
  bool uses_sources = false;  // and when it reads what interpreters run
  bool follows = false;       // children of the processes of -c and -p fire their probes
  // What the options ask of every program.
  bool ends_when_full = false;         // a record without room ends tracing, and is no drop
  std::uint32_t only_cpu = ir::kNone;  // probes on other CPUs do nothing
  std::optional<Zone> only_zone;       // nor do those in threads of other zones

  // The index of the table of such stacks; kNone when there is none.
  std::uint32_t stack_table(std::uint32_t frames_bytes, bool drained) const;
};

// Where in a scratch frame there is room for a firing: behind the busy flag, and what
// firings leave to one another (unwind.h).
std::uint32_t frame_begin(const Machine& machine);

Memory plan_memory(const ir::Program& program, const enabling::Plan& plan, const Machine& machine);

}  // namespace dt::bpf
