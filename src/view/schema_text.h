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
// "@reads"; "@" alone has no name; "reads" of a variable. Not escaped.
std::string aggregation_name(const record::AggLayout& layout);

// An AggLayout may describe a global variable of a session (front/session.h) instead of an
// aggregation of D. AggParams::factor then has these bits: only llquantize() has a factor of its
// own, and no variable has this function.
enum class VariablePart : std::uint32_t {
  kCounted = 1,    // it only grows, or is emptied
  kValue = 2,      // it may fall: what counts is what it is now, also if its function is sum()
  kStatistic = 4,  // besides: it is one function of a statistic, and its name ends with that
};
void mark_variable(record::AggLayout& layout, bool is_counted, bool is_of_statistic);
bool is_variable(const record::AggLayout& layout);
// Whether it is a value of now, though its function adds up.
bool is_gauge(const record::AggLayout& layout);
// "sizes" of sizes_avg.
std::string variable_name(const record::AggLayout& layout);

bool is_stack(const record::Field& field);
// Whether values of several moments, or keys, may be added: count(), sum() and histograms.
bool adds_up(record::AggFunc func);
bool adds_up(const record::AggLayout& layout);  // and it is no gauge
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
