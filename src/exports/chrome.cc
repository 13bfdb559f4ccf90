// Chrome's trace events. Processes, threads and CPUs are numbers there, so siblings of lanes and
// the CPUs have numbers that no process can have: processes are below 2^22.

#include <fmt/core.h>

#include <set>

#include "exports/timeline.h"
#include "support/json.h"

namespace dt::exports {
namespace {

using support::Json;
using view::Detail;
using view::LaneId;
using view::Timeline;

constexpr int kSiblingShift = 22;
constexpr std::int64_t kCpus = std::int64_t{1} << 30;  // the process of the lanes of CPUs

class Chrome {
 public:
  explicit Chrome(const Timeline& timeline) : timeline_(timeline) {}

  std::string text() {
    json_.begin_object().key("traceEvents").begin_array();
    put_names();
    for (const view::Slice& slice : timeline_.slices()) put(slice);
    for (const view::Moment& moment : timeline_.moments()) put(moment);
    for (const view::Count& count : timeline_.counts()) put(count);
    json_.end_array();
    out_ += '\n';
    put_stacks();
    json_.field("displayTimeUnit", "ns").key("otherData").begin_object();
    json_.field("title", timeline_.title).field("notes", timeline_notes(timeline_));
    json_.field("start_ns", std::to_string(timeline_.begin_ns()));
    json_.end_object().end_object();
    return std::move(out_) + "\n";
  }

 private:
  static std::int64_t process_of(const LaneId& lane) {
    return lane.kind == LaneId::Kind::kCpu ? kCpus : lane.process;
  }
  static std::int64_t thread_of(const LaneId& lane, std::uint32_t sibling) {
    return (std::int64_t{sibling} << kSiblingShift) + lane.thread;
  }

  void begin(std::string_view phase, std::string_view name) {
    out_ += '\n';
    json_.begin_object().field("ph", phase).field("name", name);
  }
  void at(const LaneId& lane, std::uint32_t sibling) {
    json_.field("pid", process_of(lane)).field("tid", thread_of(lane, sibling));
  }
  // Not through a double.
  void time(std::string_view name, std::int64_t ns) {
    json_.key(name).raw_number(fmt::format("{}.{:03}", ns / 1000, ns % 1000));
  }
  void since_begin(std::int64_t ns) { time("ts", ns - timeline_.begin_ns()); }

  void put_names() {
    std::set<std::pair<LaneId, std::uint32_t>> lanes;
    for (const view::Slice& slice : timeline_.slices()) lanes.insert({slice.lane, slice.sibling});
    for (const view::Moment& moment : timeline_.moments()) lanes.insert({moment.lane, 0});
    std::set<std::int64_t> processes;
    for (const auto& [lane, sibling] : lanes) {
      if (processes.insert(process_of(lane)).second) {
        const bool is_cpu = lane.kind == LaneId::Kind::kCpu;
        const std::string& known = timeline_.name_of(lane.process, lane.process);
        begin("M", "process_name");
        at(lane, 0);
        json_.key("args").begin_object();
        json_.field("name", is_cpu ? "CPUs" : known.empty() ? "process" : known);
        json_.end_object().end_object();
      }
      begin("M", "thread_name");
      at(lane, sibling);
      json_.key("args").begin_object();
      json_.field("name", lane_name(timeline_, lane, sibling)).end_object().end_object();
    }
  }

  void put_details(std::uint32_t first, std::uint32_t count, view::Slice::Open open) {
    json_.key("args").begin_object();
    std::set<std::uint32_t> names;  // of the two records of a slice, both may have it
    for (std::uint32_t i = first; i < first + count; ++i) {
      const Detail& detail = timeline_.detail(i);
      const std::string& name = timeline_.text(detail.name);
      json_.key(names.insert(detail.name).second ? name : name + " (end)");
      switch (detail.kind) {
        case Detail::Kind::kSigned:
          json_.number(static_cast<std::int64_t>(detail.number));
          break;
        case Detail::Kind::kUnsigned:
          json_.number(detail.number);
          break;
        case Detail::Kind::kText:
          json_.string(timeline_.text(static_cast<std::uint32_t>(detail.number)));
          break;
      }
    }
    if (open == view::Slice::Open::kAtStart) json_.field("began", "before tracing");
    if (open == view::Slice::Open::kAtEnd) json_.field("ended", "not while tracing");
    json_.end_object();
  }

  void put(const view::Slice& slice) {
    begin("X", timeline_.text(slice.name));
    at(slice.lane, slice.sibling);
    since_begin(slice.begin_ns);
    time("dur", slice.end_ns - slice.begin_ns);
    put_details(slice.first_detail, slice.details, slice.open);
    json_.end_object();
  }

  void put(const view::Moment& moment) {
    begin("i", timeline_.text(moment.name));
    at(moment.lane, 0);
    since_begin(moment.time_ns);
    json_.field("s", moment.lane.thread < 0 ? "g" : "t");
    if (moment.stack != 0) json_.field("sf", std::int64_t{moment.stack} - 1);
    put_details(moment.first_detail, moment.details, view::Slice::Open::kNo);
    json_.end_object();
  }

  void put(const view::Count& count) {
    const view::Counter& counter = timeline_.counters()[count.counter];
    begin("C", counter.name);
    json_.field("pid", std::int64_t{0});
    since_begin(count.time_ns);
    json_.key("args").begin_object();
    json_.field(counter.unit.empty() ? "value" : counter.unit, count.value);
    json_.end_object().end_object();
  }

  // A frame names its caller, so a stack is the number of its innermost frame.
  void put_stacks() {
    json_.key("stackFrames").begin_object();
    std::int64_t next = static_cast<std::int64_t>(timeline_.stacks().size());
    for (std::size_t i = 0; i < timeline_.stacks().size(); ++i) {
      const std::vector<std::uint32_t>& frames = timeline_.stacks()[i];
      std::int64_t parent = -1;
      for (std::size_t at = 0; at < frames.size(); ++at) {
        const bool is_last = at + 1 == frames.size();
        const std::int64_t number = is_last ? static_cast<std::int64_t>(i) : next++;
        out_ += '\n';
        json_.key(std::to_string(number)).begin_object().field("name", timeline_.text(frames[at]));
        if (parent >= 0) json_.field("parent", parent);
        json_.end_object();
        parent = number;
      }
      if (frames.empty()) {
        json_.key(std::to_string(i)).begin_object().field("name", "[no frames]").end_object();
      }
    }
    json_.end_object();
  }

  const Timeline& timeline_;
  std::string out_;
  Json json_{out_};
};

}  // namespace

std::string chrome(const Timeline& timeline) { return Chrome(timeline).text(); }

}  // namespace dt::exports
