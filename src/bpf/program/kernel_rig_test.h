#pragma once
// For tests that need root: the maps of a Memory in the running kernel, and
// generated programs loaded and run there by BPF_PROG_RUN.

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/bpf.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bpf/layout/memory.h"
#include "bpf/program/generate.h"
#include "record/drop.h"
#include "support/fd.h"

namespace dt::bpf {

// "" when programs can be loaded here, otherwise why not.
std::string why_no_bpf();
// What the code generator wants to know of the running kernel.
Machine running_machine();

class KernelRig {
 public:
  KernelRig(const Memory& memory, const ir::Program& program, std::uint32_t entries = 1024);

  // The first refusal, with the verifier's log; "" when all went well.
  const std::string& error() const { return error_; }
  // Loads, unless an error came before.
  bool load(const Object& object, std::uint32_t type = BPF_PROG_TYPE_RAW_TRACEPOINT);
  // Runs the program last loaded on these context words; on `cpu` unless -1.
  bool run(const std::vector<std::uint64_t>& words, int cpu = -1, std::uint32_t times = 1);

  int fd(MapRef ref) const;
  int program() const { return program_.get(); }
  std::uint64_t instructions_verified() const { return verified_; }
  std::vector<std::uint8_t> globals() const;
  std::uint64_t drops(record::Drop what) const;  // over all CPUs
  // Words of a keyless aggregation (with the presence word), summed over CPUs.
  std::vector<std::uint64_t> keyless(std::uint32_t agg, std::uint32_t words) const;
  // One CPU's words of a keyless aggregation.
  std::vector<std::uint64_t> keyless_on(std::uint32_t cpu, std::uint32_t agg,
                                        std::uint32_t words) const;
  // By key, the values of a hash map (all CPUs end to end for per-CPU ones).
  std::map<std::string, std::vector<std::uint64_t>> elements(MapRef ref) const;
  // The records since the last call, oldest first.
  std::vector<std::vector<std::uint8_t>> records();
  void set_state(State state);
  // This thread's storage; empty when it has none.
  std::vector<std::uint8_t> thread_storage() const;
  std::uint64_t busy_frames() const;
  // Marks the first `count` frames of every CPU as taken, the others as free.
  void take_frames(std::uint32_t count);
  // Attaches the program last loaded to a raw tracepoint.
  Fd attach(const std::string& name);

 private:
  void create(MapRef ref, bpf_map_type type, std::uint32_t key, std::uint32_t value,
              std::uint32_t entries, std::uint32_t flags);
  void fail(const std::string& what);

  Memory memory_;
  std::string error_;
  std::vector<std::pair<MapRef, Fd>> maps_;
  std::map<int, std::pair<std::uint32_t, std::uint32_t>> sizes_;  // key, whole value by fd
  Fd program_;
  Fd btf_;
  std::uint64_t verified_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace dt::bpf
