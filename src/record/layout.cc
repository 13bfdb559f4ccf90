// Where the fields of records lie.

#include "record/layout.h"

#include <algorithm>

#include "record/wire.h"

namespace dt::record {

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

}  // namespace dt::record
