#include "consumer/speculation.h"

#include <utility>

#include "record/speculation.h"

namespace dt::consumer {

void Speculations::clear(Slot& slot) {
  slot.is_open = false;
  slot.size = 0;
  slot.records.clear();
}

Speculations::Slot* Speculations::enter(std::int32_t id) {
  const auto count = static_cast<std::uint32_t>(slots_.size());
  if (id <= 0 || count == 0) return nullptr;
  Slot& slot = slots_[record::speculation_slot(id, count)];
  if (slot.id == id) return slot.is_open ? &slot : nullptr;
  if (slot.id != 0 && !record::is_later(id, slot.id, count)) return nullptr;
  // The slot was given out again, so its last one was ended; when it still holds
  // records, the record that ended it was dropped.
  drops_ += slot.records.size();
  clear(slot);
  slot.id = id;
  slot.is_open = true;
  return &slot;
}

void Speculations::add(std::int32_t id, Bytes record) {
  Slot* const slot = enter(id);
  if (slot == nullptr) return;
  if (slot->size + record.size() > bytes_) {
    ++drops_;
    return;
  }
  slot->size += record.size();
  slot->records.emplace_back(record.begin(), record.end());
}

std::vector<std::vector<std::uint8_t>> Speculations::commit(std::int32_t id) {
  Slot* const slot = enter(id);
  if (slot == nullptr) return {};
  std::vector<std::vector<std::uint8_t>> records = std::move(slot->records);
  clear(*slot);
  return records;
}

void Speculations::discard(std::int32_t id) { commit(id); }

}  // namespace dt::consumer
