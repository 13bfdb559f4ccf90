#pragma once
// What the parts of a schema are for a person, and which of them pictures are made of.

#include <string>
#include <vector>

#include "record/schema.h"
#include "support/source.h"

namespace dt::view {

// The probes whose clause has this layout.
std::vector<const record::ProbeNames*> probes_of(const record::Schema& schema,
                                                 std::uint32_t layout);
// "syscall:vmlinux:read:entry"
std::string probe_text(const record::ProbeNames& probe);
// "@reads"; "@" alone has no name. Not escaped.
std::string aggregation_name(const record::AggLayout& layout);

bool is_stack(const record::Field& field);
// Whether values of several moments, or keys, may be added: count(), sum() and histograms.
bool adds_up(record::AggFunc func);
// Whether an action of a clause with this layout has to do with the aggregation; whether it prints
// it.
bool acts_on(const record::Layout& layout, std::uint32_t aggregation);
bool prints(const record::Layout& layout, std::uint32_t aggregation);
// Whether a probe of profile fires the clause: tick-1s, profile-97. `layout`: one of the schema's.
bool is_tick(const record::Schema& schema, const record::Layout& layout);
// Whether an action shows a record to a person.
bool shows_records(record::ActionKind kind);
// The values that actions print, in their order; the time of the firing belongs to none.
std::vector<record::Field> values_of(const record::Layout& layout);
// Whether the clause is one of ticks, BEGIN or END only, or shows nothing: no view is made of it.
bool is_no_event(const record::Schema& schema, std::uint32_t layout);

}  // namespace dt::view
