#pragma once
// The tables of bpf/stack/unwind.h, filled.

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "bpf/stack/unwind.h"
#include "kernel/kernel.h"
#include "runtime/maps.h"
#include "support/result.h"
#include "symbol/frames/call_frames.h"

namespace dt::runtime {

class UnwindTables {
 public:
  // The references must outlive this.
  static Result<UnwindTables> create(kernel::Kernel& kernel, const Maps& maps);

  // Writes the table; probes find it when set() has named its file. An error (ENOSPC) when there is
  // no room: what was written until then stays written.
  Result<bpf::UnwindFile> add(const symbol::FrameTable& table);
  // Enters a file. When there are too many, those that were entered first are forgotten.
  Status set(const bpf::UnwindFileKey& key, const bpf::UnwindFile& file);
  // The number of the interpreter, from 1 to below kUnwindInterpreters; 0 when there is no room for
  // it.
  std::uint16_t interpreter(const symbol::InterpreterImage& image);
  // Forgets every file, and what was written, once no probe reads it any more.
  Status start_over();
  // The next probe that finds the file's code asks for it again.
  void forget(const bpf::UnwindFileKey& key);
  bool knows(const bpf::UnwindFileKey& key) const;
  // Grows when files are forgotten because the tables have no room left. Any thread may ask.
  std::uint64_t forgotten() const { return __atomic_load_n(&forgotten_, __ATOMIC_RELAXED); }

  // How many stacks ended where a table was not there yet.
  std::uint64_t cut() const;

  // The memory that the tables take in the kernel.
  std::uint64_t bytes() const { return chunks_ * bpf::kUnwindChunkBytes; }

 private:
  UnwindTables(kernel::Kernel& kernel, const Maps& maps) : kernel_(&kernel), maps_(&maps) {}
  // Room for `count` items of `item_bytes` each, in one chunk or, when they may be
  // parted, anywhere: the number of the first.
  Result<std::uint32_t> reserve(std::uint64_t count, std::uint32_t item_bytes, bool in_one_chunk);
  Status reach(std::uint64_t end);
  void renounce();
  std::uint8_t* at(std::uint64_t place);
  Result<std::uint32_t> rule(const symbol::FrameRule& rule);

  kernel::Kernel* kernel_;
  const Maps* maps_;
  kernel::Kernel::Mapping rules_memory_;
  std::unordered_map<std::uint64_t, std::uint32_t> rules_;
  // The chunks of the table that is being written; the others are mapped by the kernel only.
  std::unordered_map<std::uint64_t, kernel::Kernel::Mapping> open_;
  std::vector<symbol::InterpreterImage> interpreters_;  // the first one is number 1
  std::deque<bpf::UnwindFileKey> keys_;                 // that were set, the first ones first
  std::uint64_t forgotten_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t next_ = 0;  // byte of the sequence of chunks
};

// As probes have it.
bpf::UnwindRule unwind_rule(const symbol::FrameRule& rule);

}  // namespace dt::runtime
