// dtrace -l -r: what a recording has, read without a consumer.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "api/options/time_text.h"
#include "api/output/convert.h"
#include "api/run/replay.h"
#include "api/tracer_state.h"
#include "consumer/structured/drops.h"
#include "front/outcome.h"
#include "recording/file.h"
#include "support/shown.h"
#include "support/tagged.h"

namespace dtrace {
namespace {

using dt::recording::Entry;
using dt::recording::Reader;
using dt::support::Tagged;

using dt::front::Outcome;
using dt::front::OutcomeValue;

// What handlers have done: by the point of the handler, or the variable. A recording of another
// user may have any number of them.
class Handled {
 public:
  void take(const Outcome& one) {
    if (one.kind == Outcome::Kind::kVariable) return take_variable(one);
    constexpr std::size_t kMostPoints = 10'000;
    const std::string name = one.by.point.empty() ? "no handler" : one.by.point;
    const bool has_room = points_.size() < kMostPoints || points_.contains(name);
    Point& point = points_[has_room ? name : "others"];
    switch (one.kind) {
      case Outcome::Kind::kText:
        if (!one.goes_on) ++point.texts;
        break;
      case Outcome::Kind::kMessage:
        ++point.messages;
        break;
      case Outcome::Kind::kCommand:
        ++point.commands;
        break;
      case Outcome::Kind::kVariable:
        break;
    }
  }

  // "syscall.openat: 32 texts"
  std::string points_text() const;
  // "n [string, long]:long, 3 elements"
  std::string variables_text() const;

 private:
  struct Point {
    std::uint64_t texts = 0, messages = 0, commands = 0;
  };
  struct Variable {
    std::string text;  // its name and types
    std::uint64_t elements = 0;
    bool is_array = false;
  };

  static const char* type_of(const OutcomeValue& value) {
    if (!value.frames.empty()) return "stack";
    return value.is_text ? "string" : "long";
  }

  void take_variable(const Outcome& one) {
    std::string text = one.text;
    for (std::size_t i = 0; i < one.keys.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? " [" : ", ", type_of(one.keys[i]));
    }
    text += one.keys.empty() ? ":" : "]:";
    text += one.statistics ? "stats" : type_of(one.value);
    if (variables_.empty() || variables_.back().text != text) {
      constexpr std::size_t kMostVariables = 10'000;
      if (variables_.size() >= kMostVariables) return;
      variables_.push_back({std::move(text), 0, !one.keys.empty()});
    }
    ++variables_.back().elements;
  }

  std::map<std::string, Point> points_;
  std::vector<Variable> variables_;
};

struct Read {
  Handled handled;
  std::uint64_t records = 0, messages = 0;
  std::vector<std::uint64_t> drops;
  std::int64_t status = -1;  // none
  std::string flaw;
  std::int64_t first_ns = 0;  // of a recording that has lost its begin
};

void take_entry(const Reader& recording, const Tagged& entry, Read& out) {
  switch (static_cast<Entry>(entry.tag)) {
    case Entry::kRecord:
      ++out.records;
      return;
    case Entry::kOutcome: {
      ++out.records;
      const std::optional<Outcome> outcome = dt::front::decoded(entry.text);
      if (!outcome) return;
      out.handled.take(*outcome);
      if (outcome->kind == Outcome::Kind::kMessage) ++out.messages;
      return;
    }
    case Entry::kMessage:
      ++out.messages;
      return;
    case Entry::kDrops: {
      std::string_view rest = entry.text;
      std::uint64_t counter = 0;
      out.drops.clear();
      while (dt::support::take_varint(rest, counter)) out.drops.push_back(counter);
      return;
    }
    case Entry::kEnd: {
      dt::support::TaggedReader reader(entry.text);
      Tagged field;
      while (reader.next(field)) {
        if (field.tag == 1) out.status = static_cast<std::int64_t>(field.number & 0xff);
      }
      return;
    }
    case Entry::kSegment:
      if (recording.has_jumped()) out.first_ns = recording.first_ns();
      return;
    default:
      return;
  }
}

Read read_whole(Reader& reader, const std::string& name) {
  Read out;
  Tagged entry;
  while (true) {
    const dt::Result<Reader::Outcome> next = reader.next(entry);
    if (!next.ok()) out.flaw = next.error().text;
    if (next.ok() && *next == Reader::Outcome::kCut) out.flaw = dt::recording::why_cut(name);
    if (!next.ok() || *next != Reader::Outcome::kEntry) return out;
    take_entry(reader, entry, out);
  }
}

std::string count_text(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string Handled::points_text() const {
  std::string out;
  for (const auto& [name, point] : points_) {
    std::string counts;
    const auto add = [&](std::uint64_t count, const char* what) {
      if (count != 0) counts += (counts.empty() ? "" : ", ") + count_text(count, what);
    };
    add(point.texts, "text");
    add(point.messages, "message");
    add(point.commands, "command");
    out += fmt::format("{}: {}\n", dt::support::shown_name(name),
                       counts.empty() ? "a part of a text" : counts);
  }
  return out;
}

std::string Handled::variables_text() const {
  std::string out;
  for (const Variable& one : variables_) {
    out += dt::support::shown_name(one.text);
    if (one.is_array) out += ", " + count_text(one.elements, "element");
    out += '\n';
  }
  return out;
}

std::string about_text(const dt::recording::Head& head, const Read& read, std::int64_t end_ns) {
  std::string text = fmt::format(
      "{}\nrecorded on {} (Linux {}, {}), from {} to {}\n", dt::support::shown_name(head.title),
      dt::support::shown_name(head.host), dt::support::shown_name(head.kernel),
      count_text(head.cpus, "CPU"), dt::api::date_text(head.start_ns), dt::api::date_text(end_ns));
  if (read.first_ns != 0)
    text += "what was before " + dt::api::date_text(read.first_ns) + " was not kept\n";
  text += count_text(read.records, "record") + ", " + count_text(read.messages, "message");
  bool is_lossy = false;
  dt::consumer::Drops().each(read.drops, [&](const dt::consumer::Loss& loss) {
    text += ", " + loss.text;
    is_lossy = true;
  });
  if (!is_lossy) text += ", no drops";
  if (read.status >= 0) text += fmt::format("; exit status {}", read.status);
  return text + "\n";
}

}  // namespace

Result<RecordingSummary> Tracer::summarize() {
  DT_TRY(state_->begin_compiling());
  DT_TRY(state_->open_recording());
  dt::api::Recording& recording = *state_->recording;
  RecordingSummary out;
  for (const dt::record::ProbeNames& probe : state_->compiled.plan.schema.probes) {
    out.probes.push_back(
        {probe.id.value, probe.provider, probe.module, probe.function, probe.name});
  }
  out.views = dt::view::print_views(state_->compiled.views, state_->compiled.plan.schema,
                                    state_->compiled.sources);
  const Read read = read_whole(*recording.reader, recording.name);
  const std::int64_t end_ns = recording.reader->time_ns();
  out.about = about_text(recording.program.head, read, end_ns);
  const std::string points = read.handled.points_text();
  if (!points.empty()) out.about += "\n" + points;
  out.views += read.handled.variables_text();
  if (!read.flaw.empty()) {
    out.flaw = fmt::format("the recording {} ends at {}: {}", recording.name,
                           dt::api::date_text(end_ns), read.flaw);
  }
  return out;
}

}  // namespace dtrace
