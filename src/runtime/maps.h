#pragma once
// The maps of one run, made from the memory plan (bpf/layout/memory.h has the table).

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bpf/layout/memory.h"
#include "bpf/stack/unwind.h"
#include "kernel/kernel.h"
#include "runtime/sizes.h"
#include "support/result.h"

namespace dt::runtime {

class Maps {
 public:
  // `memory` must be final: generation may have raised scratch_bytes.
  static Result<Maps> create(kernel::Kernel& kernel, const bpf::Memory& memory, const Sizes& sizes);

  // -1 when this run has no such map.
  int find(const bpf::MapRef& ref) const;

  bpf::Control& control() const;
  // CPU `cpu`'s block of the percpu map.
  std::uint8_t* block(std::uint32_t cpu) const { return percpu_memory_.data + stride_ * cpu; }

  // A global variable of 8 bytes.
  std::int64_t* word(std::uint32_t offset) const {
    return reinterpret_cast<std::int64_t*>(globals_memory_.data + offset);
  }

  struct Table {
    Fd fd;
    kernel::MapSpec spec;
  };
  // By aggregation; without descriptor when keyless.
  const std::vector<Table>& aggregations() const { return aggs_; }
  // By table of stacks.
  const std::vector<Table>& stacks() const { return stacks_; }
  // By variable; without descriptor where it is no associative array.
  const std::vector<Table>& arrays() const { return assocs_; }
  const Fd& ring() const { return ring_; }
  std::size_t ring_bytes() const { return ring_bytes_; }
  // What each CPU has of the ring, of what was asked for; 0 without a ring.
  std::uint64_t buffer_bytes() const { return buffer_bytes_; }
  // The map of that kind; not valid if no stack is unwound.
  const Fd& unwind(bpf::UnwindMap which) const { return unwind_[static_cast<std::size_t>(which)]; }
  // What was made smaller: "buffer size lowered to 2m".
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  Maps() = default;
  Status create_arrays(kernel::Kernel& kernel, const bpf::Memory& memory);
  Status create_tables(kernel::Kernel& kernel, const bpf::Memory& memory, const Sizes& sizes);
  Status create_unwind(kernel::Kernel& kernel, bool with_sources);
  Status create_ring(kernel::Kernel& kernel, std::uint32_t cpus, const Sizes& sizes);

  std::array<Fd, bpf::kUnwindMaps> unwind_;
  Fd globals_, rodata_, percpu_, scratch_, region_, ring_, tls_, followed_;
  kernel::Kernel::Mapping globals_memory_, percpu_memory_;
  std::vector<Table> aggs_, stacks_, assocs_, kept_;
  std::size_t stride_ = 0;
  std::size_t ring_bytes_ = 0;
  std::uint64_t buffer_bytes_ = 0;
  std::vector<std::string> notices_;
};

// The ring for `buffer_bytes` per CPU: a power of two, at least a page. Together they must
// be at most what the kernel can address, 2 GiB.
std::size_t ring_size(std::uint64_t buffer_bytes, std::uint32_t cpus);

// The map of one chunk of the tables of bpf/stack/unwind.h; chunks differ in their names only.
kernel::MapSpec unwind_chunk_spec(const std::string& name);

// "4m", "512k", "100".
std::string size_text(std::uint64_t bytes);

// How many elements of a hash fit into `bytes`; at least 1.
std::uint32_t table_entries(std::uint64_t bytes, const bpf::HashMap& element);

}  // namespace dt::runtime
