#pragma once
// The lines of output of one aggregation, or of several that are joined on their keys.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "consumer/aggregation/aggregate.h"
#include "consumer/value/text.h"
#include "record/aggregation.h"

namespace dt::consumer {

struct RowKey {
  const record::AggLayout* layout;
  Bytes bytes;
};

// Each row has an element of each aggregation, or kNone. Of a single aggregation a row is its
// element.
struct AggregationRows {
  std::vector<Aggregate*> aggregates;
  std::vector<std::uint32_t> elements;  // rows x aggregates, of several
  bool is_single() const { return aggregates.size() == 1; }
  std::uint32_t count() const {
    return is_single() ? aggregates[0]->size()
                       : static_cast<std::uint32_t>(elements.size() /
                                                    std::max<std::size_t>(aggregates.size(), 1));
  }
  std::uint32_t element(std::uint32_t row, std::size_t at) const {
    return is_single() ? row : elements[row * aggregates.size() + at];
  }
  // Of the first aggregation that has an element there.
  RowKey key(std::uint32_t row) const;
};

// A row in its place, beside what put it there: 8 bytes for each of a million.
struct PlacedRow {
  std::uint32_t number;
  std::uint32_t row;
};

// The bytes of one key field; empty when the layout does not fit the key.
Bytes key_field(const record::Field& field, Bytes key);

}  // namespace dt::consumer
