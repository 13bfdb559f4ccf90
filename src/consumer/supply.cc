// See supply.h.

#include "consumer/supply.h"

#include <cstring>

namespace dt::consumer {

void add_supplied(std::vector<SuppliedField>& out, const record::Layout& layout,
                  const record::Action& action, const Format& format) {
  std::uint32_t next = 0;
  for (const Piece& piece : format) {
    if (piece.conversion == 0) continue;
    next += (piece.width_argument ? 1 : 0) + (piece.precision_argument ? 1 : 0);
    if (next >= action.field_count) return;
    const record::Field& field = layout.fields[action.first_field + next++];
    if (piece.supply != record::Supply::kNone && field.type.kind == record::FieldKind::kInt &&
        field.type.size == sizeof(std::int64_t)) {
      out.push_back({field.offset, piece.supply});
    }
  }
}

std::vector<std::uint8_t> with_supplied(std::span<const std::uint8_t> bytes,
                                        std::span<const SuppliedField> fields,
                                        const SupplyNumber& number) {
  std::vector<std::uint8_t> out(bytes.begin(), bytes.end());
  for (const SuppliedField& field : fields) {
    const std::int64_t value = number(field.which);
    if (field.offset + sizeof value <= out.size()) {
      std::memcpy(out.data() + field.offset, &value, sizeof value);
    }
  }
  return out;
}

}  // namespace dt::consumer
