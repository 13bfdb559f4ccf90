#pragma once
// Where the consumer gets aggregation data: the runtime's maps, or a test.

#include <cstdint>
#include <functional>
#include <span>

#include "support/result.h"

namespace dt::record {

class AggregationSource {
 public:
  virtual ~AggregationSource() = default;
  // Part of an element of an aggregation: its key bytes (AggLayout::keys, without
  // the runtime's first word; empty when keyless) and its value words, one group
  // of `value_words` for each CPU from `cpu` on. A key comes as often as there
  // are CPUs that have added to it.
  using Visit = std::function<void(std::span<const std::uint8_t> key, std::uint32_t cpu,
                                   std::span<const std::uint64_t> words)>;
  // Reads one aggregation. When its AggLayout is `drained`, what is visited is
  // what was added since the previous read (merge it in); otherwise it is
  // everything since the start (replace). A keyless aggregation without data
  // is not visited.
  virtual Status read(std::uint32_t aggregation, const Visit& visit) = 0;
};

}  // namespace dt::record
