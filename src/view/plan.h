#pragma once
// Which pictures a program means: a function of its schema and texts alone, known before the first
// event. -xdump=views prints it.
//
//     aggregation   with a stack among its keys, and values that add up      flame
//                   a histogram that is printed or cleared by ticks          heat
//                   another histogram                                        hist
//                   another function, printed or cleared by ticks            line
//                   another                                                  table
//     records       with a stack                                             scope
//                   of two probes that begin and end something               timeline
//                   with a value that is a difference of times               timeline
//                   others                                                   events
//
// Aggregations that one printa() of a tick shows are one chart of lines.

#include <cstdint>
#include <string>
#include <vector>

#include "record/schema.h"
#include "support/source.h"

namespace dt::view {

enum class ViewKind : std::uint8_t {
  kFlame,
  kHeat,
  kHistogram,
  kLine,
  kTable,
  kScope,
  kTimeline,
  kEvents
};
const char* view_kind_name(ViewKind kind);

struct View {
  ViewKind kind = ViewKind::kTable;
  std::vector<std::uint32_t> aggregations;  // those that it shows; of records none
  std::vector<std::uint32_t> layouts;  // of records: what is shown, of a pair beginning and end
  std::vector<std::string> ticks;      // probes that make columns; empty: shown at the end
  std::string paired_by;               // of a pair: the value that both sides have, or ""
  std::string duration;                // a value that says how long it took, or ""
  std::uint64_t unit_ns = 0;           // of that; 0: not known
};

std::vector<View> plan_views(const record::Schema& schema, const Sources& sources);

// A line for each view.
std::string print_views(const std::vector<View>& views, const record::Schema& schema,
                        const Sources& sources);

}  // namespace dt::view
