#pragma once
// The maps of one run, made from the memory plan (bpf/memory.h has the table).

#include <cstdint>
#include <memory>
#include <vector>

#include "bpf/memory.h"
#include "kernel/kernel.h"
#include "support/result.h"

namespace dt::runtime {

struct Sizes {
  std::uint64_t buffer_bytes = 4 << 20;       // bufsize, for each CPU
  std::uint64_t aggregation_bytes = 4 << 20;  // aggsize, for each CPU and aggregation
  std::uint64_t dynamic_bytes = 1 << 20;      // dynvarsize, for each array
};

class Maps {
 public:
  // `memory` must be final: generation may have raised scratch_bytes.
  static Result<Maps> create(kernel::Kernel& kernel, const bpf::Memory& memory, const Sizes& sizes);

  // -1 when this run has no such map.
  int find(const bpf::MapRef& ref) const;

  bpf::Control& control() const;
  // CPU `cpu`'s block of the percpu map.
  std::uint8_t* block(std::uint32_t cpu) const { return percpu_memory_.data + stride_ * cpu; }

  struct Table {
    Fd fd;
    kernel::MapSpec spec;
  };
  // By aggregation; without descriptor when keyless.
  const std::vector<Table>& aggregations() const { return aggs_; }
  const Fd& ring() const { return ring_; }
  std::size_t ring_bytes() const { return ring_bytes_; }

 private:
  Maps() = default;
  Status create_arrays(kernel::Kernel& kernel, const bpf::Memory& memory);
  Status create_tables(kernel::Kernel& kernel, const bpf::Memory& memory, const Sizes& sizes);
  Status create_ring(kernel::Kernel& kernel, std::uint32_t cpus, const Sizes& sizes);

  Fd globals_, rodata_, percpu_, scratch_, ring_, tls_;
  kernel::Kernel::Mapping globals_memory_, percpu_memory_;
  std::vector<Table> aggs_, assocs_;
  std::size_t stride_ = 0;
  std::size_t ring_bytes_ = 0;
};

// The ring for `buffer_bytes` per CPU: a power of two, at least a page. An
// error when that is beyond what the kernel can address.
Result<std::size_t> ring_size(std::uint64_t buffer_bytes, std::uint32_t cpus);

// How many elements of a hash fit into `bytes`; at least 1.
std::uint32_t table_entries(std::uint64_t bytes, const bpf::HashMap& element, std::uint32_t values);

}  // namespace dt::runtime
