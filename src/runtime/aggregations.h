#pragma once
// Reading aggregations out of the maps while probes go on adding to them.
//
// Most aggregations are only ever read: their maps hold everything since the
// start. An aggregation that the script clears or truncates is *drained*: each
// read takes out what was added since the last, and nothing may be lost or
// counted twice in between.
//
// With keys: every key begins with a generation, which programs copy from the
// control block, and the number of the CPU. A drain flips it, waits until no running program can
// still hold the old one, and then reads and deletes the old generation's elements, which nobody
// touches any more. The generation is common to all drained aggregations, so all of them are
// drained at each flip, and what was not asked for is kept for its own read. The stacks of their
// keys go with them: each generation has its own (bpf/layout/agg_key.h).
//
// Without keys: each word is exchanged with zero in the shared memory, in one
// atomic step. Zero is neutral for all functions (record/layout.h), and each
// word is a sum or a maximum by itself, so whatever a program adds goes either
// into this read or into the next. The words of one firing (avg's count and
// sum) may be split between two reads; their merge is exact.

#include <cstdint>
#include <vector>

#include "bpf/layout/agg_key.h"
#include "record/aggregation_source.h"
#include "record/schema.h"
#include "runtime/maps.h"

namespace dt::runtime {

class Aggregations : public record::AggregationSource {
 public:
  // All references must outlive this.
  Aggregations(kernel::Kernel& kernel, const bpf::Memory& memory, const record::Schema& schema,
               const Maps& maps);

  Status read(std::uint32_t aggregation, const Visit& visit) override;

 private:
  // What stands before the key.
  struct Prefix {
    std::uint32_t generation = 0;
    std::uint16_t cpu = 0;
    std::uint16_t aggregation = 0;  // bpf::Memory::agg_number()
  };
  // Elements taken out of a drained map, not yet visited.
  struct Pending {
    std::vector<std::uint32_t> cpus;
    std::vector<std::uint8_t> keys;
    std::vector<std::uint64_t> words;
  };

  void read_keyless(std::uint32_t aggregation, bool take, const Visit& visit);
  Status read_keyed(std::uint32_t aggregation, const Visit& visit);
  // Each element as it lies in the map, with its key whole.
  using VisitElement =
      std::function<void(const std::uint8_t* stored, Prefix prefix,
                         std::span<const std::uint8_t> key, std::span<const std::uint64_t> words)>;
  Status each_element(std::uint32_t aggregation, const VisitElement& visit);
  Status drain_all();
  Status drain_stacks(std::uint64_t generation);
  Status drain(std::uint32_t aggregation, std::uint64_t generation);
  bool is_keyed(std::uint32_t aggregation) const;

  kernel::Kernel& kernel_;
  const bpf::Memory& memory_;
  const record::Schema& schema_;
  const Maps& maps_;
  std::vector<bpf::AggKey> keys_;  // by aggregation
  std::vector<Pending> pending_;   // by aggregation
};

}  // namespace dt::runtime
