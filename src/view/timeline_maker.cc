// See timeline_maker.h.

#include "view/timeline_maker.h"

#include <fmt/core.h>

#include <algorithm>

#include "consumer/structured/csv.h"
#include "consumer/structured/json_lines.h"
#include "view/flames.h"
#include "view/schema_text.h"

namespace dt::view {

using consumer::Bytes;
using consumer::FieldText;
using consumer::Value;
using record::FieldKind;

struct TimelineMaker::Event {
  const record::Header& header;
  const record::Layout& layout;
  Bytes bytes;
  FieldText& fields;
  record::Thread thread;
  std::int64_t time_ns = 0;

  LaneId lane(Lane wanted) const {
    if (wanted == Lane::kCpu || !layout.has_thread) {
      return {LaneId::Kind::kCpu, 0, header.cpu};
    }
    return {LaneId::Kind::kThread, thread.process, thread.thread};
  }
};

TimelineMaker::TimelineMaker(const record::Schema& schema, const Sources& sources,
                             const std::vector<View>& views)
    : schema_(schema), sources_(sources) {
  shown_.resize(schema.layouts.size());
  pair_names_.resize(schema.epids.size());
  for (const View& view : views) {
    if (view.layouts.empty()) continue;
    Spans* spans = nullptr;
    if (view.layouts.size() > 1) {
      spans_.push_back(std::make_unique<Spans>(timeline_));
      spans = spans_.back().get();
    }
    for (const std::uint32_t layout : view.layouts) plan(layout, view, spans);
  }
}

void TimelineMaker::plan(std::uint32_t layout, const View& view, Spans* spans) {
  Shown& shown = shown_[layout];
  shown = {};
  shown.view = &view;
  shown.spans = spans;
  if (spans != nullptr) shown.roles = roles_of(view, schema_);
  for (const record::Field& field : values_of(schema_.layouts[layout])) {
    const std::string name = consumer::value_name(sources_, field);
    if (!view.duration.empty() && name == view.duration && !shown.duration) shown.duration = field;
    if (!view.paired_by.empty() && name == view.paired_by && !shown.key) shown.key = field;
    if (!view.name.empty() && name == view.name && !shown.name) shown.name = field;
    if (name == "execname" && field.type.kind == FieldKind::kString) shown.command = field;
    shown.values.emplace_back(field, timeline_.text(name.empty() ? "value" : name));
  }
}

void TimelineMaker::record(const record::Header& header, const record::Layout& layout, Bytes bytes,
                           FieldText& fields) {
  Event event{header,
              layout,
              bytes,
              fields,
              record::thread_of(layout, bytes),
              record::time_of(layout, bytes)};
  latest_ns_ = std::max(latest_ns_, event.time_ns);
  timeline_.met(event.time_ns);
  const Shown& shown = shown_[static_cast<std::size_t>(&layout - schema_.layouts.data())];
  if (shown.view == nullptr) return;
  if (shown.command && layout.has_thread) {
    timeline_.call(event.thread.process, event.thread.thread,
                   fields.plain(consumer::value_of(*shown.command, bytes)));
  }
  if (shown.spans != nullptr) {
    const Role& role = shown.roles[header.epid - 1];
    if (role.kind != Role::Kind::kNone) return side(shown, role, event);
  } else if (shown.duration) {
    return duration(shown, event);
  }
  moment(shown, event);
}

// A record of a pair that has no partner among the probes is a moment, and not one of `matched`.
void TimelineMaker::side(const Shown& shown, const Role& role, Event& event) {
  Spans::Side side;
  side.pair = role.pair;
  side.lane = event.lane(shown.view->lane);
  side.time_ns = event.time_ns;
  side.name = pair_name(shown, role, event);
  side.details = details(shown, event);
  Matching matching = shown.view->matching;
  switch (matching) {
    case Matching::kValue:
      if (shown.key) {
        side.key = consumer::number_of(consumer::value_of(*shown.key, event.bytes)).bits;
      }
      break;
    case Matching::kCpu:
      side.key = event.header.cpu;
      break;
    case Matching::kThread:
      side.key = event.layout.has_thread ? static_cast<std::uint32_t>(event.thread.thread)
                                         : event.header.cpu;
      break;
  }
  // The idle threads of all CPUs have one number.
  if (matching == Matching::kThread && event.layout.has_thread && event.thread.thread == 0) {
    side.key = std::uint64_t{1} << 32 | event.header.cpu;
  }
  if (role.kind == Role::Kind::kBegin) {
    shown.spans->begin(matching, std::move(side));
  } else {
    shown.spans->end(matching, std::move(side));
  }
}

std::uint32_t TimelineMaker::pair_name(const Shown& shown, const Role& role, Event& event) {
  if (shown.name) {
    return timeline_.text(event.fields.plain(consumer::value_of(*shown.name, event.bytes)));
  }
  if (shown.view->matching == Matching::kCpu) {  // what was on the CPU
    const std::string& known = timeline_.name_of(event.thread.process, event.thread.thread);
    if (event.thread.thread == 0) return timeline_.text("idle");
    return timeline_.text(known.empty() ? fmt::format("thread {}", event.thread.thread) : known);
  }
  std::uint32_t& known = pair_names_[event.header.epid - 1];
  if (known == 0) {
    const record::ProbeNames* const probe =
        record::find_probe(schema_, schema_.epids[event.header.epid - 1].probe);
    std::string name = "?";
    if (probe != nullptr) {
      name = role.kind == Role::Kind::kBegin ? name_of_pair(*probe) : name_of_end(*probe);
    }
    known = timeline_.text(name) + 1;
  }
  return known - 1;
}

std::vector<Detail> TimelineMaker::details(const Shown& shown, Event& event) {
  std::vector<Detail> details;
  for (const auto& [field, name] : shown.values) {
    if (is_stack(field)) continue;
    const Value value = consumer::value_of(field, event.bytes);
    Detail detail;
    detail.name = name;
    if (consumer::form_of(field.type.kind) == consumer::ValueForm::kNumber) {
      detail.kind = field.type.is_signed ? Detail::Kind::kSigned : Detail::Kind::kUnsigned;
      detail.number = consumer::number_of(value).bits;
    } else {
      detail.kind = Detail::Kind::kText;
      detail.number = timeline_.text(consumer::csv_text(event.fields, value));
    }
    details.push_back(detail);
  }
  return details;
}

// The slice that ends at the firing, and is as long as the value says.
void TimelineMaker::duration(const Shown& shown, Event& event) {
  const auto number = static_cast<std::int64_t>(
      consumer::number_of(consumer::value_of(*shown.duration, event.bytes)).bits);
  const std::uint64_t unit = std::max<std::uint64_t>(shown.view->unit_ns, 1);
  const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(event.time_ns, 0));
  // One that is negative, or began before 1970, is none.
  if (number < 0 || static_cast<std::uint64_t>(number) > most / unit) return moment(shown, event);
  Slice slice;
  slice.lane = event.lane(shown.view->lane);
  slice.end_ns = event.time_ns;
  slice.begin_ns =
      event.time_ns - static_cast<std::int64_t>(static_cast<std::uint64_t>(number) * unit);
  const record::ProbeNames* const probe =
      record::find_probe(schema_, schema_.epids[event.header.epid - 1].probe);
  if (shown.name) {
    slice.name = timeline_.text(event.fields.plain(consumer::value_of(*shown.name, event.bytes)));
  } else {
    slice.name = timeline_.text(probe == nullptr ? "?" : name_of_end(*probe));
  }
  timeline_.add(slice, details(shown, event));
}

std::uint32_t TimelineMaker::stack(const Shown& shown, Event& event) {
  std::vector<std::uint32_t> user, kernel;
  bool has_any = false;
  for (const auto& [field, name] : shown.values) {
    if (!is_stack(field)) continue;
    has_any = true;
    const Value value = consumer::value_of(field, event.bytes);
    std::vector<std::uint32_t>& frames = consumer::is_kernel_stack(value) ? kernel : user;
    event.fields.each_named_frame(value, [&](consumer::NamedFrame& frame) {
      frames.push_back(timeline_.text(frame_name(frame)));
    });
  }
  if (!has_any) return 0;
  std::reverse(user.begin(), user.end());
  user.insert(user.end(), kernel.rbegin(), kernel.rend());
  return timeline_.stack(std::move(user)) + 1;
}

void TimelineMaker::moment(const Shown& shown, Event& event) {
  Moment moment;
  moment.lane = event.lane(shown.view->lane);
  moment.time_ns = event.time_ns;
  moment.cpu = event.header.cpu;
  const record::ProbeNames* const probe =
      record::find_probe(schema_, schema_.epids[event.header.epid - 1].probe);
  moment.name = timeline_.text(probe == nullptr ? "?" : probe_text(*probe));
  moment.stack = stack(shown, event);
  timeline_.add(moment, details(shown, event));
}

void TimelineMaker::lost(const std::string& text, std::uint64_t total) {
  timeline_.dropped = total;
  timeline_.add(
      Count{timeline_.counter("drops", ""), latest_ns_, static_cast<std::int64_t>(total)});
  if (text.empty()) return;
  Moment moment;
  moment.lane = {LaneId::Kind::kCpu, 0, -1};
  moment.name = timeline_.text(text);
  moment.time_ns = latest_ns_;
  timeline_.add(moment, {});
}

void TimelineMaker::count(const std::string& name, const std::string& unit, std::int64_t time_ns,
                          std::int64_t value) {
  latest_ns_ = std::max(latest_ns_, time_ns);
  timeline_.add(Count{timeline_.counter(name, unit), time_ns, value});
}

const Timeline& TimelineMaker::finish(std::string title) {
  for (const auto& spans : spans_) spans->finish();
  timeline_.title = std::move(title);
  timeline_.place();
  return timeline_;
}

}  // namespace dt::view
