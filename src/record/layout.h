#pragma once
// What a clause records: fields, and the actions that they belong to.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/action.h"
#include "record/columns.h"
#include "record/field.h"
#include "record/shape.h"
#include "record/wire.h"

namespace dt::record {

struct Action {
  ActionKind kind = ActionKind::kDefault;
  std::uint32_t first_field = 0;
  std::uint32_t field_count = 0;
  std::string format;                       // printf, printrow, printa; may be empty for printa
  std::vector<Column> columns;              // printrow: those of its format
  std::vector<std::uint32_t> aggregations;  // indices into the program's aggregations
  bool has_trunc_count = false;
  std::uint32_t shape = kNoShape;  // print: index into Layout::shapes
  Span span;
};

// What a clause records at a time, in the order in which the actions stand.
struct Layout {
  std::vector<Field> fields;
  std::vector<Action> actions;
  std::vector<Shape> shapes;  // of what print() records
  std::uint32_t size_bytes = kHeaderBytes;
  // The last field, which belongs to no action, is the time of the firing: ns
  // since 1970.
  bool has_time = false;
  // The two fields before that are the process and the thread that fired, 4 bytes each; only with
  // has_time.
  bool has_thread = false;
  // True when the consumer must act on the record at once (exit, printa, ...).
  bool urgent = false;
};

struct Thread {
  std::int32_t process = 0, thread = 0;
  bool operator==(const Thread&) const = default;
};
// When a record of this layout fired, in ns since 1970, and in which thread; 0 if the layout has no
// such fields.
std::int64_t time_of(const Layout& layout, std::span<const std::uint8_t> record);
Thread thread_of(const Layout& layout, std::span<const std::uint8_t> record);

// Assigns offsets to fields in order and sets size_bytes; reads the columns of printrow().
void place_fields(Layout& layout);

// Whether an action of it prints or changes aggregations.
bool acts_on_aggregations(const Layout& layout);

}  // namespace dt::record
