#pragma once
// Where everything lives: the maps that a run needs and the layout of each.
//
// Computed once from the program and the plan; the code generator addresses
// memory by it and the runtime creates maps from it, and neither knows more.
//
//   globals  ARRAY of one value, mmapable: the control block, then D's globals
//   rodata   ARRAY of one value, frozen: string constants, tables
//   percpu   ARRAY of one value, mmapable: one block per CPU, `percpu_stride`
//            apart: drop counters, counters of new elements, keyless aggregations
//   scratch  ARRAY, one value per CPU and nesting level; its first u64 is the
//            busy flag, taken with an atomic exchange
//   region   ARRAY, one value for each of scratch: what alloca() and copyin() give out (frame.h)
//   ring     RINGBUF: records
//   tls      TASK_STORAGE: all thread-local variables as one struct
//   agg i    HASH: a keyed aggregation, an element for each key and CPU (agg_key.h); of many
//            aggregations, those of one shape are in the map of the first
//   stacks i HASH: the frames of stacks in keys of aggregations, by their u64 numbers
//   unwind i the tables by which user stacks are unwound (unwind.h)
//   assoc i  HASH: an associative array; thread-local ones have a u64 thread
//            identity before the keys. Of many arrays, those of one shape are in the map of
//            the first, and have their u64 numbers behind the keys
//   kept i   HASH: what the provider of program i keeps between its firings
//   followed TASK_STORAGE: the process of -c or -p that a thread descends from (follow.h)

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bpf/asm/reg.h"
#include "bpf/layout/control.h"
#include "bpf/layout/joined.h"
#include "bpf/layout/machine.h"
#include "ir/type.h"

namespace dt::enabling {
struct Plan;
}

namespace dt::ir {
struct Program;
struct Variable;
}  // namespace dt::ir

namespace dt::bpf {

// Bytes are moved as words of 8: how many bytes whole words take.
constexpr std::uint32_t words_up(std::uint32_t bytes) { return (bytes + 7) / 8 * 8; }

constexpr std::uint32_t kScratchLevels = 4;

// A region of scratch memory (frame.h draws it). For the verifier, what is written at its end
// may be as long as the region.
constexpr std::uint32_t kRegionHeader = 16;
constexpr std::uint32_t region_bytes(std::uint32_t size) { return kRegionHeader + 2 * size; }

// The layout of the key of an associative array in its map: for a thread-local one
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
  std::uint32_t room = 0;  // elements that it has room for in any case
};

// Stacks of one size, of aggregations that are all drained, or none of them.
struct StackTable {
  std::uint32_t frames_bytes = 0;
  bool drained = false;
  std::uint32_t users = 0;  // aggregations
  HashMap element() const { return {8, frames_bytes}; }
};

// A region of zeros in rodata.
struct Zeros {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

struct Memory {
  Machine machine;
  std::uint32_t globals_bytes = sizeof(Control);
  // In the globals: u64 how many speculations were begun, then a u64 for each
  // slot: the id that is in use, the negative of the last one, or 0. kNone when the
  // program has none.
  std::uint32_t speculations_offset = ir::kNone;
  std::vector<std::uint32_t> global_offset;  // by variable; kNone where not a scalar global
  // The globals that are bytes, where their addresses are taken: they may be written by pointers.
  // For the verifier, what is written at their end may be as long as all scratch memory.
  std::uint32_t addressed_begin = 0, addressed_end = 0;
  std::vector<std::uint8_t> rodata;
  std::vector<std::uint32_t> string_offset;  // by ir string; padded with zeros to whole words
  Zeros zeros;
  std::uint32_t percpu_stride = 0;  // multiple of 64
  std::uint32_t drops_offset = 0;   // u64[record::kDropCounters] in a CPU's block
  // u64 in a CPU's block for each aggregation and then for each table of stacks: how many elements
  // programs have added.
  std::uint32_t added_offset = 0;
  // u64[4] in a CPU's block: since when a thread has been on the CPU
  // (vtimestamp); when the second of chill() began, and how long it has spun then;
  // of what the next number of a firing is made (firing_number.h).
  std::uint32_t misc_offset = 0;
  std::vector<std::uint32_t>
      agg_offset;  // by aggregation: keyless value in a CPU's block; kNone when keyed
  Joined joined;
  std::uint32_t scratch_bytes = 0;             // size of one scratch frame; 0 = none is needed
  std::uint32_t region_bytes = 0;              // likewise, of one region
  std::uint32_t tls_bytes = 0;                 // 0 = none
  std::vector<std::uint32_t> tls_offset;       // by variable
  std::uint32_t tls_vtime_offset = ir::kNone;  // u64 of on-CPU time, when vtimestamp is used
  std::vector<HashMap> aggs;                   // by aggregation
  // By aggregation: the one whose map it uses. Empty where each has a map of its own.
  std::vector<std::uint32_t> shared_aggs;
  std::vector<StackTable> stacks;
  std::vector<HashMap> assocs;  // by variable
  // By variable: the one whose map it uses, with its number behind the keys; kNone where it has a
  // map of its own. Empty where each has.
  std::vector<std::uint32_t> shared_assocs;
  std::uint32_t arguments = ir::kNone;  // Program::arguments
  std::vector<HashMap> kept;            // by program of the plan; known when its code is
  bool uses_ring = false;
  bool uses_vtimestamp = false;
  bool uses_unwind = false;   // code of a program unwinds
  bool uses_sources = false;  // and reads what interpreters run
  bool follows = false;       // children of the processes of -c and -p fire their probes
  // What the options ask of every program.
  bool ends_when_full = false;         // a record without room ends tracing, and is no drop
  std::uint32_t only_cpu = ir::kNone;  // probes on other CPUs do nothing
  std::optional<Zone> only_zone;       // nor do those in threads of other zones
  std::optional<Cgroup> only_cgroup;   // or of other control groups

  // The map of a keyed aggregation, and its number in the keys there (agg_key.h).
  std::uint32_t agg_map(std::uint32_t aggregation) const {
    return shared_aggs.empty() ? aggregation : shared_aggs[aggregation];
  }
  std::uint32_t agg_number(std::uint32_t aggregation) const {
    return shared_aggs.empty() ? 0 : aggregation;
  }

  // The map of an associative array, and whether its number is behind the keys there.
  bool is_numbered(std::uint32_t variable) const {
    return !shared_assocs.empty() && shared_assocs[variable] != ir::kNone;
  }
  std::uint32_t assoc_map(std::uint32_t variable) const {
    return is_numbered(variable) ? shared_assocs[variable] : variable;
  }

  std::uint32_t added_counters() const {
    return static_cast<std::uint32_t>(aggs.size() + stacks.size());
  }

  // The index of the table of such stacks; kNone when there is none.
  std::uint32_t stack_table(std::uint32_t frames_bytes, bool drained) const;
};

Memory plan_memory(const ir::Program& program, const enabling::Plan& plan, const Machine& machine);

}  // namespace dt::bpf
