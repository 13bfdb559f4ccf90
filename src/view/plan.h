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
#include <string_view>
#include <vector>

#include "record/schema.h"
#include "support/result.h"
#include "support/source.h"
#include "view/pairs.h"

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

// The rows of a timeline.
enum class Lane : std::uint8_t { kThread, kCpu };

struct View {
  ViewKind kind = ViewKind::kTable;
  std::vector<std::uint32_t> aggregations;  // those that it shows; of records none
  std::vector<std::uint32_t> layouts;     // of records: what is shown, of a pair beginning and end;
                                          // both may be one clause
  std::vector<std::string> ticks;         // probes that make columns; empty: shown at the end
  Matching matching = Matching::kThread;  // of a pair
  std::string paired_by;                  // of a pair: the value that both sides have, or ""
  std::string begin, end;                 // patterns of its probes, where a hint gives them
  std::string duration;                   // a value that says how long it took, or ""
  std::uint64_t unit_ns = 0;              // of that, or of an aggregation's values; 0: not known
  std::string name;                       // a value by which spans are called, or ""
  Lane lane = Lane::kThread;
  std::string root;        // of a flame graph: the function that it begins with, or ""
  bool is_native = false;  // a histogram that metrics have without bounds, by powers of two
};

std::vector<View> plan_views(const record::Schema& schema, const Sources& sources);

// The plan with what -x view says: SPEC = [@NAME:|PROBE:]KIND[,WORD=VALUE]... A hint that cannot be
// followed is an error, which says which views there are.
Result<std::vector<View>> plan_views(const record::Schema& schema, const Sources& sources,
                                     const std::vector<std::string>& hints);
// Whether a hint can be read at all.
Status check_hint(std::string_view hint);
// The subject of a hint, with or without '@', and whether the hint asks for a histogram.
struct HintSubject {
  std::string name;
  bool is_histogram = false;
};
HintSubject subject_of(std::string_view hint);

// By enabled probe id - 1: what a record of it is to the pair of the view.
std::vector<Role> roles_of(const View& view, const record::Schema& schema);

// "@sizes = quantize() by execname, a column at tick-1s"
std::string title_of(const View& view, const record::Schema& schema, const Sources& sources);
// A line for each view.
std::string print_views(const std::vector<View>& views, const record::Schema& schema,
                        const Sources& sources);

}  // namespace dt::view
