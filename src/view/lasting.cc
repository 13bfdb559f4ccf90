// See lasting.h.

#include "view/lasting.h"

#include <fmt/core.h>

#include <algorithm>

#include "consumer/structured/json_lines.h"
#include "view/schema_text.h"

namespace dt::view {
namespace {

using consumer::Bytes;
using consumer::FieldText;
using record::FieldKind;
using record::Layout;
using record::ProbeNames;

// Of a pair of which nothing ever ends, as of two probes that have nothing to do with each other.
constexpr std::uint64_t kMostOpen = 1 << 20;

std::int64_t number_at(const record::Field& field, Bytes bytes) {
  return static_cast<std::int64_t>(consumer::number_of(consumer::value_of(field, bytes)).bits);
}

const ProbeNames* probe_of(const record::Schema& schema, const record::Header& header) {
  return record::find_probe(schema, schema.epids[header.epid - 1].probe);
}

}  // namespace

Lasting::Lasting(const record::Schema& schema, const Sources& sources, const View& view)
    : schema_(schema), sources_(sources), view_(view) {
  if (view.duration.empty()) roles_ = roles_of(view, schema);
}

std::string Lasting::key_of(FieldText& fields, const record::Header& header, const Layout& layout,
                            Bytes bytes) const {
  // The key of what belongs together: the pair, and, if calls are nested, the thread.
  std::string key = fmt::format("{}\n", roles_[header.epid - 1].pair);
  if (!view_.paired_by.empty()) {
    for (const record::Field& field : values_of(layout)) {
      if (consumer::value_name(sources_, field) == view_.paired_by) {
        return key + fields.plain(consumer::value_of(field, bytes));
      }
    }
  }
  // A thread that begins another program may go on with another number, and one that ends has none.
  if (!layout.has_thread || view_.matching == Matching::kCpu) {
    return key + fmt::format("cpu {}", header.cpu);
  }
  // What a CPU does when it has nothing to do is thread 0 on each.
  const std::int32_t tid = record::thread_of(layout, bytes).thread;
  return key + (tid == 0 ? fmt::format("idle {}", header.cpu) : std::to_string(tid));
}

std::string Lasting::lane_of(const record::Header& header, const Layout& layout,
                             Bytes bytes) const {
  return view_.lane == Lane::kCpu || !layout.has_thread
             ? fmt::format("cpu {}", header.cpu)
             : fmt::format("tid {}", record::thread_of(layout, bytes).thread);
}

// What a hint names; the first text that the record has; or the function.
std::string Lasting::name_of(FieldText& fields, const record::Header& header, const Layout& layout,
                             Bytes bytes) const {
  for (const record::Field& field : values_of(layout)) {
    const bool is_wanted = view_.name.empty() ? field.type.kind == FieldKind::kString
                                              : consumer::value_name(sources_, field) == view_.name;
    if (is_wanted) {
      return fields.plain(consumer::value_of(field, bytes));
    }
  }
  const ProbeNames* const probe = probe_of(schema_, header);
  if (probe == nullptr) return "?";
  if (view_.lane == Lane::kCpu && layout.has_thread) {
    return fmt::format("tid {}", record::thread_of(layout, bytes).thread);
  }
  return probe->function.empty() ? probe->name : probe->function;
}

// It ends at its firing.
std::optional<Lasted> Lasting::measured(FieldText& fields, const record::Header& header,
                                        const Layout& layout, Bytes bytes) {
  for (const record::Field& field : values_of(layout)) {
    if (consumer::value_name(sources_, field) != view_.duration) continue;
    Lasted span;
    span.end_ns = record::time_of(layout, bytes);
    std::int64_t length = 0;
    const std::int64_t value = number_at(field, bytes);
    if (value < 0 ||
        __builtin_mul_overflow(value, static_cast<std::int64_t>(view_.unit_ns), &length) ||
        __builtin_sub_overflow(span.end_ns, length, &span.begin_ns)) {
      break;
    }
    span.lane = lane_of(header, layout, bytes);
    span.name = name_of(fields, header, layout, bytes);
    ++matched_;
    return span;
  }
  ++unmatched_;
  return std::nullopt;
}

std::optional<Lasted> Lasting::take(FieldText& fields, const record::Header& header,
                                    const Layout& layout, Bytes bytes) {
  const auto index = static_cast<std::uint32_t>(&layout - schema_.layouts.data());
  if (std::ranges::find(view_.layouts, index) == view_.layouts.end()) return std::nullopt;
  if (!view_.duration.empty()) return measured(fields, header, layout, bytes);
  const Role::Kind role = roles_[header.epid - 1].kind;
  if (role == Role::Kind::kNone) return std::nullopt;
  const std::string key = key_of(fields, header, layout, bytes);
  if (role == Role::Kind::kBegin) {
    if (open_count_ == kMostOpen) {
      ++unmatched_;
      return std::nullopt;
    }
    std::vector<Begun>& open = open_[key];
    // A thread is on one CPU at a time: the end of what is open is missing.
    if (view_.matching == Matching::kCpu && !open.empty()) {
      open.clear();
      --open_count_;
      ++unmatched_;
    }
    open.push_back({record::time_of(layout, bytes), lane_of(header, layout, bytes),
                    name_of(fields, header, layout, bytes)});
    ++open_count_;
    return std::nullopt;
  }
  const auto found = open_.find(key);
  if (found == open_.end()) {
    ++unmatched_;
    return std::nullopt;
  }
  Begun begun = std::move(found->second.back());
  found->second.pop_back();
  if (found->second.empty()) open_.erase(found);
  --open_count_;
  ++matched_;
  return Lasted{begun.time_ns, record::time_of(layout, bytes), std::move(begun.lane),
                std::move(begun.name)};
}

}  // namespace dt::view
