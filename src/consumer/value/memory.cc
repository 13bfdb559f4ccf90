// See memory.h.

#include "consumer/value/memory.h"

namespace dt::consumer {

bool is_memory(record::ActionKind kind) {
  return kind == record::ActionKind::kTracemem || kind == record::ActionKind::kPcap;
}

Bytes memory_of(const record::Layout& layout, const record::Action& action, Bytes record) {
  const Bytes all = value_of(layout.fields[action.first_field], record).bytes;
  if (action.field_count < 2) return all;
  const auto used = static_cast<std::int64_t>(
      number_of(value_of(layout.fields[action.first_field + 1], record)).bits);
  const bool is_part = used > 0 && static_cast<std::uint64_t>(used) < all.size();
  return is_part ? all.first(static_cast<std::size_t>(used)) : all;
}

}  // namespace dt::consumer
