// A trace of Perfetto, by the tags of its protocol buffers. Names stand once, in the first packet,
// and packets refer to them by numbers ("interned data"). All packets are of one sequence.

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "exports/timeline.h"
#include "support/shown.h"
#include "support/tagged.h"

namespace dt::exports {
namespace {

using support::TaggedWriter;
using view::Detail;
using view::LaneId;
using view::Timeline;

enum PacketTag : std::uint32_t {
  kClocks = 6,
  kTimestamp = 8,
  kSequence = 10,
  kTrackEvent = 11,
  kInterned = 12,
  kSequenceFlags = 13,
  kTrackDescriptor = 60,
  kPerfSample = 66
};
enum SequenceFlags : std::uint32_t { kCleared = 1, kNeeds = 2 };
enum DescriptorTag : std::uint32_t {
  kUuid = 1,
  kTrackName = 2,
  kProcess = 3,
  kThread = 4,
  kParent = 5,
  kCounter = 8
};
enum EventTag : std::uint32_t {
  kAnnotation = 4,
  kEventType = 9,
  kNameNumber = 10,
  kTrack = 11,
  kCounterValue = 30
};
enum EventType : std::uint32_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCount = 4 };
enum AnnotationTag : std::uint32_t {
  kAnnotationName = 1,
  kUnsigned = 3,
  kSigned = 4,
  kNoteText = 6,
  kAnnotationText = 10
};
enum InternedTag : std::uint32_t {
  kEventNames = 2,
  kAnnotationNames = 3,
  kFunctionNames = 5,
  kFrames = 6,
  kCallstacks = 7,
  kBuildIds = 16,
  kMappingPaths = 17,
  kMappings = 19
};

// The one way in which texts get in: these are strings of UTF-8, and a page shows them.

class Perfetto {
 public:
  explicit Perfetto(const Timeline& timeline) : timeline_(timeline) {}

  std::string bytes() {
    number_names();
    packet([&](TaggedWriter& out) {
      out.number(kSequenceFlags, kCleared);
      out.within(kInterned, [&](TaggedWriter& interned) { put_interned(interned); });
    });
    put_clocks();
    put_tracks();
    walk_slices(
        timeline_, [&](const view::Slice& slice) { put_begin(slice); },
        [&](const view::Slice& slice) { put_end(slice); });
    for (const view::Moment& moment : timeline_.moments()) put(moment);
    for (const view::Count& count : timeline_.counts()) put(count);
    return std::move(out_);
  }

 private:
  using Lane = std::pair<LaneId, std::uint32_t>;

  void packet(const std::function<void(TaggedWriter&)>& fill) {
    writer_.within(1, [&](TaggedWriter& out) {
      out.number(kSequence, 1);
      fill(out);
    });
  }
  void event(std::int64_t time_ns, const std::function<void(TaggedWriter&)>& fill) {
    packet([&](TaggedWriter& out) {
      out.number(kTimestamp, static_cast<std::uint64_t>(time_ns));
      out.number(kSequenceFlags, kNeeds);
      out.within(kTrackEvent, fill);
    });
  }

  // Those that are used, as numbers from 1.
  static std::uint64_t numbered(std::map<std::uint32_t, std::uint64_t>& numbers,
                                std::uint32_t text) {
    return numbers.try_emplace(text, numbers.size() + 1).first->second;
  }

  void number_names() {
    const auto note = [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t i = first; i < first + count; ++i) {
        numbered(annotation_names_, timeline_.detail(i).name);
      }
    };
    for (const view::Slice& slice : timeline_.slices()) {
      numbered(event_names_, slice.name);
      note(slice.first_detail, slice.details);
      lanes_.try_emplace({slice.lane, slice.sibling}, 0);
    }
    for (const view::Moment& moment : timeline_.moments()) {
      numbered(event_names_, moment.name);
      note(moment.first_detail, moment.details);
      lanes_.try_emplace({moment.lane, 0}, 0);
    }
    for (const std::vector<std::uint32_t>& stack : timeline_.stacks()) {
      for (const std::uint32_t frame : stack) numbered(frames_, frame);
    }
  }

  void put_strings(TaggedWriter& out, std::uint32_t tag,
                   const std::map<std::uint32_t, std::uint64_t>& numbers) {
    for (const auto& [text, number] : numbers) {
      out.within(tag, [&, text = text, number = number](TaggedWriter& one) {
        one.number(1, number);
        one.text(2, support::shown_name(timeline_.text(text)));
      });
    }
  }

  void put_interned(TaggedWriter& out) {
    put_strings(out, kEventNames, event_names_);
    put_strings(out, kAnnotationNames, annotation_names_);
    put_strings(out, kFunctionNames, frames_);
    std::map<std::string, std::uint64_t> modules;
    const auto module_of = [](const std::string& name) {
      const std::size_t quote = name.find('`');
      return quote == std::string::npos ? std::string() : name.substr(0, quote);
    };
    for (const auto& [text, number] : frames_) {
      modules.try_emplace(module_of(timeline_.text(text)), modules.size() + 1);
    }
    if (!modules.empty()) out.within(kBuildIds, [](TaggedWriter& one) { one.number(1, 1); });
    for (const auto& [module, number] : modules) {
      out.within(kMappingPaths, [&module = module, number = number](TaggedWriter& one) {
        one.number(1, number);
        one.text(2, support::shown_name(module));
      });
      out.within(kMappings, [number = number](TaggedWriter& one) {
        one.number(1, number);
        one.number(2, 1);
        one.number(7, number);
      });
    }
    for (const auto& [text, number] : frames_) {
      out.within(kFrames, [&, text = text, number = number](TaggedWriter& one) {
        one.number(1, number);
        one.number(2, number);
        one.number(3, modules.at(module_of(timeline_.text(text))));
        one.number(4, 0);
      });
    }
    for (std::size_t i = 0; i < timeline_.stacks().size(); ++i) {
      out.within(kCallstacks, [&](TaggedWriter& one) {
        one.number(1, i + 1);
        for (const std::uint32_t frame : timeline_.stacks()[i]) one.number(2, frames_.at(frame));
      });
    }
  }

  // The clock of the trace is that of the day: a page shows dates.
  void put_clocks() {
    constexpr std::uint64_t kRealtime = 1, kBoottime = 6;
    const auto begin = static_cast<std::uint64_t>(timeline_.begin_ns());
    packet([&](TaggedWriter& out) {
      out.within(kClocks, [&](TaggedWriter& clocks) {
        for (const std::uint64_t clock : {kBoottime, kRealtime}) {
          clocks.within(1, [&](TaggedWriter& one) {
            one.number(1, clock);
            one.number(2, begin);
          });
        }
      });
    });
  }

  void describe(const std::function<void(TaggedWriter&)>& fill) {
    packet([&](TaggedWriter& out) { out.within(kTrackDescriptor, fill); });
  }

  void put_tracks() {
    const std::uint64_t cpus = next_track_++;
    bool has_cpus = false;
    std::set<std::int32_t> processes;
    for (auto& [lane, track] : lanes_) {
      track = next_track_++;
      const LaneId& id = lane.first;
      const std::uint32_t sibling = lane.second;
      const std::uint64_t uuid = track;
      const std::string name = support::shown_name(lane_name(timeline_, id, sibling));
      if (id.kind == LaneId::Kind::kCpu) {
        if (!std::exchange(has_cpus, true)) {
          describe([&](TaggedWriter& out) {
            out.number(kUuid, cpus);
            out.text(kTrackName, "CPUs");
          });
        }
        describe([&](TaggedWriter& out) {
          out.number(kUuid, uuid);
          out.number(kParent, cpus);
          out.text(kTrackName, name);
        });
        continue;
      }
      if (processes.insert(id.process).second) put_process(id.process);
      describe([&](TaggedWriter& out) {
        out.number(kUuid, uuid);
        if (sibling != 0) {
          const auto first = lanes_.find({id, 0});
          if (first != lanes_.end()) out.number(kParent, first->second);
          out.text(kTrackName, name);
          return;
        }
        out.within(kThread, [&](TaggedWriter& thread) {
          thread.number(1, static_cast<std::uint32_t>(id.process));
          thread.number(2, static_cast<std::uint32_t>(id.thread));
          const std::string& known = timeline_.name_of(id.process, id.thread);
          if (!known.empty()) thread.text(5, support::shown_name(known));
        });
      });
    }
    for (const view::Counter& counter : timeline_.counters()) {
      counters_.push_back(next_track_++);
      describe([&](TaggedWriter& out) {
        out.number(kUuid, counters_.back());
        out.text(kTrackName, support::shown_name(counter.name));
        out.within(kCounter, [&](TaggedWriter& one) { one.text_unless_empty(6, counter.unit); });
      });
    }
    describe([&](TaggedWriter& out) {  // what is to be known of the whole
      out.number(kUuid, next_track_++);
      out.text(kTrackName,
               support::shown_name(timeline_.title + " (" + timeline_notes(timeline_) + ")"));
    });
  }

  void put_process(std::int32_t process) {
    describe([&](TaggedWriter& out) {
      out.number(kUuid, next_track_++);
      out.within(kProcess, [&](TaggedWriter& one) {
        one.number(1, static_cast<std::uint32_t>(process));
        const std::string& known = timeline_.name_of(process, process);
        if (!known.empty()) one.text(6, support::shown_name(known));
      });
    });
  }

  void put_details(TaggedWriter& out, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) {
      const Detail& detail = timeline_.detail(i);
      out.within(kAnnotation, [&](TaggedWriter& one) {
        one.number(kAnnotationName, annotation_names_.at(detail.name));
        switch (detail.kind) {
          case Detail::Kind::kSigned:
            one.number(kSigned, detail.number);
            break;
          case Detail::Kind::kUnsigned:
            one.number(kUnsigned, detail.number);
            break;
          case Detail::Kind::kText:
            one.text(kNoteText, support::shown_name(
                                    timeline_.text(static_cast<std::uint32_t>(detail.number))));
            break;
        }
      });
    }
  }

  void put_begin(const view::Slice& slice) {
    event(slice.begin_ns, [&](TaggedWriter& out) {
      out.number(kEventType, kSliceBegin);
      out.number(kTrack, lanes_.at({slice.lane, slice.sibling}));
      out.number(kNameNumber, event_names_.at(slice.name));
      put_details(out, slice.first_detail, slice.details);
      if (slice.open == view::Slice::Open::kNo) return;
      out.within(kAnnotation, [&](TaggedWriter& one) {
        const bool is_start = slice.open == view::Slice::Open::kAtStart;
        one.text(kAnnotationText, is_start ? "began" : "ended");
        one.text(kNoteText, is_start ? "before tracing" : "not while tracing");
      });
    });
  }
  void put_end(const view::Slice& slice) {
    event(slice.end_ns, [&](TaggedWriter& out) {
      out.number(kEventType, kSliceEnd);
      out.number(kTrack, lanes_.at({slice.lane, slice.sibling}));
    });
  }

  void put(const view::Moment& moment) {
    if (moment.stack != 0 && moment.lane.kind == LaneId::Kind::kThread) {
      packet([&](TaggedWriter& out) {
        out.number(kTimestamp, static_cast<std::uint64_t>(moment.time_ns));
        out.number(kSequenceFlags, kNeeds);
        out.within(kPerfSample, [&](TaggedWriter& one) {
          one.number(1, moment.cpu);
          one.number(2, static_cast<std::uint32_t>(moment.lane.process));
          one.number(3, static_cast<std::uint32_t>(moment.lane.thread));
          one.number(4, moment.stack);
        });
      });
      if (moment.details == 0) return;
    }
    event(moment.time_ns, [&](TaggedWriter& out) {
      out.number(kEventType, kInstant);
      out.number(kTrack, lanes_.at({moment.lane, 0}));
      out.number(kNameNumber, event_names_.at(moment.name));
      put_details(out, moment.first_detail, moment.details);
    });
  }

  void put(const view::Count& count) {
    event(count.time_ns, [&](TaggedWriter& out) {
      out.number(kEventType, kCount);
      out.number(kTrack, counters_[count.counter]);
      out.number(kCounterValue, static_cast<std::uint64_t>(count.value));
    });
  }

  const Timeline& timeline_;
  std::string out_;
  TaggedWriter writer_{out_};
  std::map<std::uint32_t, std::uint64_t> event_names_, annotation_names_, frames_;
  std::map<Lane, std::uint64_t> lanes_;
  std::vector<std::uint64_t> counters_;
  std::uint64_t next_track_ = 1;
};

}  // namespace

std::string perfetto(const Timeline& timeline) { return Perfetto(timeline).bytes(); }

}  // namespace dt::exports
