// The offsets of the fields of records.

#include "record/layout.h"

#include <algorithm>
#include <cstring>

#include "record/wire.h"

namespace dt::record {
namespace {

template <typename Number>
void read_into(Number& out, const Field& field, std::span<const std::uint8_t> record) {
  if (std::size_t{field.offset} + sizeof out <= record.size()) {
    std::memcpy(&out, record.data() + field.offset, sizeof out);
  }
}

}  // namespace

bool acts_on_aggregations(const Layout& layout) {
  return std::any_of(layout.actions.begin(), layout.actions.end(),
                     [](const Action& action) { return traits(action.kind).uses_aggregations; });
}

void place_fields(Layout& layout) {
  layout.size_bytes = place(layout.fields, kHeaderBytes);
  for (Action& action : layout.actions) {
    if (action.kind == ActionKind::kPrintrow) action.columns = parse_columns(action.format);
  }
}

std::int64_t time_of(const Layout& layout, std::span<const std::uint8_t> record) {
  std::int64_t time = 0;
  if (layout.has_time && !layout.fields.empty()) {
    read_into(time, layout.fields.back(), record);
  }
  return time;
}

Thread thread_of(const Layout& layout, std::span<const std::uint8_t> record) {
  Thread thread;
  if (layout.has_thread && layout.fields.size() >= 3) {
    read_into(thread.process, layout.fields.end()[-3], record);
    read_into(thread.thread, layout.fields.end()[-2], record);
  }
  return thread;
}

}  // namespace dt::record
