// See rows.h.

#include "consumer/aggregation/rows.h"

#include "support/check.h"

namespace dt::consumer {

RowKey AggregationRows::key(std::uint32_t row) const {
  for (std::size_t i = 0; i < aggregates.size(); ++i) {
    if (const std::uint32_t at = element(row, i); at != Aggregate::kNone) {
      return {&aggregates[i]->layout(), aggregates[i]->key(at)};
    }
  }
  DT_UNREACHABLE("a row without an element");
}

Bytes key_field(const record::Field& field, Bytes key) {
  if (field.offset > key.size() || field.type.size > key.size() - field.offset) {
    return {};
  }
  return key.subspan(field.offset, field.type.size);
}

}  // namespace dt::consumer
