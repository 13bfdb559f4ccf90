#pragma once
// Reading aggregations out of the maps while probes go on adding to them.
//
// Most aggregations are only ever read: a read gives everything since the start. Of one that the
// script clears or truncates, each read takes out what was added since the last, and nothing may be
// lost or counted twice in between. Those of the second kind are drained at each read; those of
// both kinds are drained when half of a map is used (relieve()), so that the size of a map bounds
// the keys that come between two looks at it, and not those of the whole run.
//
// With keys: every key begins with the generation of its kind, which programs copy from the control
// block, and the number of the CPU. A drain flips it, waits until no running program can still hold
// the old one, and then reads and deletes the old generation's elements, which no program uses
// any more. All aggregations of a kind are drained at each flip; what was not asked for is kept for
// its own read. The stacks of their keys go with them: each generation has its own
// (bpf/layout/agg_key.h).
//
// If a printa() shows several aggregations together, each line must show one moment. So these are
// drained, too, and programs read the generation once in a firing: all that one firing adds to them
// is in one generation. Those without keys have a value for each generation.
//
// Other aggregations without keys: each word is exchanged with zero in the shared memory, in one
// atomic step. Zero is neutral for all functions (record/layout.h), and each
// word is a sum or a maximum by itself, so whatever a program adds goes either
// into this read or into the next. The words of one firing (avg's count and
// sum) may be split between two reads; their merge is exact.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bpf/layout/agg_key.h"
#include "record/aggregation_source.h"
#include "record/schema.h"
#include "runtime/maps.h"
#include "runtime/taken_elements.h"

namespace dt::runtime {

class Aggregations : public record::AggregationSource {
 public:
  // All references must outlive this.
  Aggregations(kernel::Kernel& kernel, const bpf::Memory& memory, const record::Schema& schema,
               const Maps& maps);

  Status read(std::uint32_t aggregation, const Visit& visit) override;
  // Until end_moment(), what is read of drained aggregations with generations is of one moment:
  // that of the first such read. So only records that had been made before may be consumed in
  // between: what a firing has added before its record must be in what its printa() shows. Many
  // such records then wait for one grace period. Outside of moments each read is of its own.
  void begin_moment() {
    is_in_moment_ = true;
    is_drained_ = false;
  }
  void end_moment() { is_in_moment_ = false; }
  // Waits for the programs that run now, and takes out what the drained aggregations that are
  // wanted have: for one who keeps what each read gives.
  using VisitAll = std::function<void(std::uint32_t aggregation, std::span<const std::uint8_t> key,
                                      std::uint32_t cpu, std::span<const std::uint64_t> words)>;
  Status take(const std::function<bool(std::uint32_t aggregation)>& wants, const VisitAll& visit);
  // Takes elements out where half of a map is used. To be called again after at most look_ms().
  Status relieve();
  std::uint32_t look_ms() const { return look_ms_; }

 private:
  static constexpr std::uint32_t kSoonMs = 8, kLateMs = 1000;
  // What stands before the key.
  struct Prefix {
    std::uint32_t generation = 0;
    std::uint16_t cpu = 0;
    std::uint16_t aggregation = 0;  // bpf::Memory::agg_number()
  };
  // A table of elements, and the counters of what programs add to it (bpf::Memory::added_offset).
  struct Counted {
    std::vector<std::uint32_t> counters;
    std::uint64_t entries = 0;
    bool has_kept = false, has_drained = false;  // aggregations of the two kinds
    std::uint64_t seen = 0;                      // when it was looked at last
  };

  void read_keyless(std::uint32_t aggregation, bool take, std::uint32_t generation,
                    const Visit& visit);
  // Each element as it is stored in the map, with its whole key.
  using VisitElement =
      std::function<void(const std::uint8_t* stored, Prefix prefix,
                         std::span<const std::uint8_t> key, std::span<const std::uint64_t> words)>;
  Status each_element(std::uint32_t aggregation, const VisitElement& visit);
  Status drain_all(bool drained);
  Status drain_stacks(bool drained, std::uint32_t generation);
  Status drain(std::uint32_t aggregation, std::uint32_t generation);
  bool is_keyed(std::uint32_t aggregation) const;
  // Whether it has generations, of which one is read when the other one is written.
  bool has_generations(std::uint32_t aggregation) const;
  std::uint64_t added(std::uint32_t counter) const;

  kernel::Kernel& kernel_;
  const bpf::Memory& memory_;
  const record::Schema& schema_;
  const Maps& maps_;
  std::vector<bpf::AggKey> keys_;  // by aggregation
  // By aggregation: of one that the script clears or truncates, what no read has given yet; of
  // others, what has left the map since the start.
  std::vector<TakenElements> taken_;
  std::vector<Counted> tables_;
  bool has_drained_ = false;  // what has generations
  bool is_in_moment_ = false, is_drained_ = false;
  std::vector<std::uint64_t> erased_;  // by counter
  std::uint32_t look_ms_ = kSoonMs;
};

}  // namespace dt::runtime
