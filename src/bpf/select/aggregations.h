#pragma once
// Aggregations: aggregations. The value words are those of record/layout.h.
//
// A keyless aggregation is in this CPU's block; a keyed one in a hash map
// with an element for each key and CPU, which starts as zeros, which is neutral
// for every function; that of count() with the first 1. (The kernel's own per-CPU hashes have so
// few elements ready on each CPU that new keys fail where interrupts are off.) Everything is added
// atomically: an interrupt's probe may come in between.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bpf/layout/agg_key.h"
#include "bpf/layout/joined.h"
#include "bpf/select/part.h"
#include "bpf/select/value.h"
#include "record/aggregation.h"
#include "record/field.h"

namespace dt::bpf {

class Maps;
class Records;
class Stacks;

class Aggregations : SelectionPart {
 public:
  Aggregations(const Core& core, Maps& maps, Stacks& stacks, Records& records);

  // At the entry of the function.
  void begin();
  void aggregate(const ir::Inst& inst);

 private:
  // kAccumulate.
  void add_if_there(const ir::Inst& inst, const record::AggLayout& agg, MapRef map, Place key,
                    Label skip);
  Place aggregate_key(const ir::Inst& inst, const record::AggLayout& agg, const AggKey& layout);
  void put_stack(const record::FieldType& type, Place dst, ir::ValueId id, Reg generation,
                 bool drained);
  Reg generation(bool drained);
  Reg block_of(std::uint32_t index);
  void update(const record::AggLayout& agg, Place words, const ir::Inst& inst, Label skip);
  std::uint32_t one();
  void add_word(Place words, std::uint32_t index, ir::ValueId value);
  void raise(Place words, ir::ValueId value, std::uint64_t bias, Label skip);
  void add_wide(Place words, ir::ValueId id);
  void add_square(Place words, ir::ValueId value);
  void add_to_bucket(Place words, Reg bucket, std::uint32_t buckets, const ir::Inst& inst,
                     std::size_t increment, Label skip);
  void add_log2(Reg to, Reg value);
  Reg quantize(ir::ValueId value);
  Reg lquantize(const record::AggParams& params, ir::ValueId value);
  Reg llquantize(const record::AggParams& params, ir::ValueId value);

  Maps& maps_;
  Stacks& stacks_;
  Records& records_;
  const Joined& joined_;
  std::vector<std::pair<ir::BlockId, Reg>> generations_;  // of drained ones, where it was read
};

}  // namespace dt::bpf
