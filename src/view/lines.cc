// See lines.h.

#include "view/lines.h"

#include <fmt/core.h>

#include <algorithm>

#include "consumer/structured/drops.h"
#include "consumer/structured/json_lines.h"
#include "record/bucket_bounds.h"
#include "support/shown.h"
#include "view/schema_text.h"
#include "view/ticks.h"
#include "view/unit.h"

namespace dt::view {
namespace {

using consumer::Bytes;
using consumer::FieldText;
using consumer::Value;
using consumer::ValueForm;
using record::AggFunc;
using record::ProbeNames;
using support::Json;

constexpr std::int64_t kVersion = 1;
// The integers up to which a double holds each.
constexpr std::int64_t kExact = std::int64_t{1} << 53;
// Of the probes of a clause; their number is there besides.
constexpr std::size_t kMostProbes = 16;

void write_exact(Json& json, std::int64_t number) {
  if (number >= -kExact && number <= kExact) {
    json.number(number);
  } else {
    json.string(std::to_string(number));
  }
}

void write_exact(Json& json, std::uint64_t number) {
  if (number <= static_cast<std::uint64_t>(kExact)) {
    json.number(number);
  } else {
    json.string(std::to_string(number));
  }
}

const char* code_name(Code code) {
  switch (code) {
    case Code::kKey:
      return "key";
    case Code::kUser:
      return "user";
    case Code::kInlined:
      return "inlined";
    case Code::kInterpreted:
      return "interpreted";
    case Code::kJit:
      return "jit";
    case Code::kKernel:
      return "kernel";
  }
  return "?";
}

const char* type_of(const record::Field& field) {
  switch (consumer::form_of(field.type.kind)) {
    case ValueForm::kNumber:
      return "number";
    case ValueForm::kFrames:
      return "stack";
    case ValueForm::kBytes:
      return "bytes";
    case ValueForm::kSymbol:
    case ValueForm::kText:
      return "text";
  }
  return "?";
}

void write_field(Json& json, const record::Field& field, const Sources& sources) {
  json.begin_object()
      .field("name", consumer::value_name(sources, field))
      .field("type", type_of(field))
      .end_object();
}

}  // namespace

Lines::Lines(const record::Schema& schema, const Sources& sources, const std::vector<View>& views,
             LineHead head, Put put)
    : schema_(schema),
      sources_(sources),
      views_(views),
      head_(std::move(head)),
      put_(std::move(put)),
      key_count_(schema.aggregations.size()),
      known_buckets_(schema.aggregations.size()),
      is_shown_(schema.layouts.size()) {
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    probe_count_.push_back(probes_of(schema, i).size());
    values_.push_back(values_of(schema.layouts[i]));
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    for (const std::uint32_t layout : views[i].layouts) is_shown_[layout] = true;
    if (views[i].kind == ViewKind::kTimeline)
      spans_.emplace_back(i, Lasting(schema, sources, views[i]));
  }
}

void Lines::begin(Json& json, std::string_view type) const {
  json.begin_object().field("v", kVersion).field("type", type);
}

void Lines::put(std::string& line) {
  line += '\n';
  put_(line);
}

std::int64_t Lines::since_start(std::int64_t time_ns) {
  const auto since = static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ns) -
                                               static_cast<std::uint64_t>(head_.start_ns));
  last_ = std::max(last_, since);
  return since;
}

namespace {

const Flame* compared_with(const Flames* base, const record::AggLayout& layout) {
  if (base == nullptr || !is_flame(layout)) return nullptr;
  const auto found = std::ranges::find(base->all(), layout.name, &Flame::name);
  return found == base->all().end() ? nullptr : &*found;
}

}  // namespace

void Lines::write_derivable(Json& json, std::uint32_t aggregation) const {
  if (head_.derivable.size() <= aggregation || head_.derivable[aggregation].uses.empty()) return;
  const front::Derivable& derivable = head_.derivable[aggregation];
  json.key("pieces").begin_array();
  for (const std::string& piece : derivable.pieces) json.string(piece);
  json.end_array().key("uses").begin_array();
  for (const front::Derivable::Use& use : derivable.uses) {
    json.begin_object().field("text", use.text);
    if (!use.left.empty()) json.field("left", use.left).field("right", use.right);
    json.key("keys").begin_array();
    for (const std::string& key : use.keys) json.string(key);
    json.end_array().field("value", use.value).end_object();
  }
  json.end_array();
}

void Lines::write_aggregation(Json& json, std::uint32_t aggregation, bool is_compared) const {
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  json.begin_object()
      .field("name", aggregation_name(layout))
      .field("function", record::agg_func_name(layout.func));
  json.key("adds_up").boolean(adds_up(layout));
  json.key("keys").begin_array();
  for (const record::Field& key : layout.keys) write_field(json, key, sources_);
  json.end_array();
  if (const std::uint64_t unit = unit_of(layout, sources_)) json.field("unit", unit_text(unit));
  if (is_compared) json.key("compared").boolean(true);
  write_derivable(json, aggregation);
  json.end_object();
}

void Lines::write_records(Json& json, std::uint32_t layout) const {
  const std::vector<const ProbeNames*> probes = probes_of(schema_, layout);
  json.begin_object().field("layout", std::uint64_t{layout});
  json.field("probe_count", std::uint64_t{probe_count_[layout]}).key("probes").begin_array();
  for (std::size_t i = 0; i < std::min(probes.size(), kMostProbes); ++i) {
    const ProbeNames& probe = *probes[i];
    json.string(
        fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name));
  }
  json.end_array().key("values").begin_array();
  for (const record::Field& value : values_[layout]) {
    write_field(json, value, sources_);
  }
  json.end_array().end_object();
}

void Lines::write_view(Json& json, const View& view) const {
  json.begin_object()
      .field("kind", view_kind_name(view.kind))
      .field("title", title_of(view, schema_, sources_));
  json.key("aggregations").begin_array();
  for (const std::uint32_t index : view.aggregations) json.number(std::uint64_t{index});
  json.end_array().key("layouts").begin_array();
  for (const std::uint32_t index : view.layouts) json.number(std::uint64_t{index});
  json.end_array().key("ticks").begin_array();
  for (const std::string& tick : view.ticks) json.string(tick);
  json.end_array();
  if (view.unit_ns != 0) json.field("unit", unit_text(view.unit_ns));
  if (!view.root.empty()) json.field("root", view.root);
  json.end_object();
}

void Lines::plan(const Flames* base) {
  std::string line;
  Json json(line);
  begin(json, "plan");
  json.field("title", head_.title).field("host", head_.host).field("kernel", head_.kernel);
  json.field("start", std::to_string(head_.start_ns));
  json.key("aggregations").begin_array();
  for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
    write_aggregation(json, i, compared_with(base, schema_.aggregations[i]) != nullptr);
  }
  json.end_array().key("records").begin_array();
  for (std::uint32_t i = 0; i < is_shown_.size(); ++i) {
    if (is_shown_[i]) write_records(json, i);
  }
  json.end_array().key("views").begin_array();
  for (const View& view : views_) write_view(json, view);
  json.end_array().end_object();
  put(line);
  for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
    const Flame* const flame = compared_with(base, schema_.aggregations[i]);
    if (flame != nullptr) write_base(i, flame->tree);
  }
}

// Writes the stacks that were counted themselves, and not only as the callers of others.
void Lines::write_base(std::uint32_t aggregation, const FrameTree& tree) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> weights;
  for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
    if (tree.nodes()[i].self == 0) continue;
    std::vector<Frame> frames;
    for (std::uint32_t at = i; at != FrameTree::kRoot; at = tree.nodes()[at].parent) {
      frames.push_back(tree.frame(tree.nodes()[at].frame));
    }
    std::ranges::reverse(frames);
    weights.emplace_back(stack(frames), tree.nodes()[i].self);
  }
  std::string line;
  Json json(line);
  begin(json, "base");
  json.field("aggregation", std::uint64_t{aggregation}).key("rows").begin_array();
  for (const auto& [stack, weight] : weights) {
    json.begin_array().number(std::uint64_t{stack});
    write_exact(json, weight);
    json.end_array();
  }
  json.end_array().end_object();
  put(line);
}

// Frames that are new come first, in one line.
std::uint32_t Lines::stack(const std::vector<Frame>& frames) {
  std::vector<std::uint32_t> numbers;
  const std::size_t known = frames_.size();
  std::string line;
  Json json(line);
  begin(json, "frames");
  json.field("first", std::uint64_t{known}).key("frames").begin_array();
  for (const Frame& frame : frames) {
    const auto [at, is_new] =
        frames_.try_emplace(frame, static_cast<std::uint32_t>(frames_.size()));
    if (is_new) {
      json.begin_array().string(frame.name).string(code_name(frame.code)).end_array();
    }
    numbers.push_back(at->second);
  }
  json.end_array().end_object();
  if (frames_.size() > known) put(line);
  const auto [at, is_new] =
      stacks_.try_emplace(std::move(numbers), static_cast<std::uint32_t>(stacks_.size()));
  if (is_new) {
    line.clear();
    Json other(line);
    begin(other, "stack");
    other.field("id", std::uint64_t{at->second}).key("frames").begin_array();
    for (const std::uint32_t number : at->first) other.number(std::uint64_t{number});
    other.end_array().end_object();
    put(line);
  }
  return at->second;
}

void Lines::write_value(Json& json, FieldText& fields, const record::Field& field, Bytes bytes) {
  const Value value = consumer::value_of(field, bytes);
  switch (consumer::form_of(field.type.kind)) {
    case ValueForm::kNumber: {
      const consumer::Number number = consumer::number_of(value);
      if (number.is_signed) return write_exact(json, static_cast<std::int64_t>(number.bits));
      return write_exact(json, number.bits);
    }
    case ValueForm::kFrames:
      json.number(std::uint64_t{stack(frames_of(fields, value))});
      return;
    case ValueForm::kBytes:
    case ValueForm::kSymbol:
    case ValueForm::kText:
      json.string(fields.plain(value));
      return;
  }
}

std::uint32_t Lines::key(FieldText& fields, std::uint32_t aggregation, Bytes key) {
  const auto [at, is_new] = keys_.try_emplace(
      {aggregation, std::string(reinterpret_cast<const char*>(key.data()), key.size())},
      key_count_[aggregation]);
  if (!is_new) return at->second;
  ++key_count_[aggregation];
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  std::string line;
  Json json(line);
  begin(json, "key");
  json.field("aggregation", std::uint64_t{aggregation}).field("id", std::uint64_t{at->second});
  json.key("values").begin_array();
  for (const record::Field& field : layout.keys) write_value(json, fields, field, key);
  json.end_array();
  if (is_flame(layout)) {
    json.field("stack", std::uint64_t{stack(frames_of_key(fields, layout, key))});
  }
  json.end_object();
  put(line);
  return at->second;
}

std::uint32_t Lines::others(std::uint32_t aggregation) {
  const std::uint32_t number = key_count_[aggregation]++;
  std::string line;
  Json json(line);
  begin(json, "key");
  json.field("aggregation", std::uint64_t{aggregation}).field("id", std::uint64_t{number});
  json.key("values").begin_array().end_array().key("others").boolean(true).end_object();
  put(line);
  return number;
}

// The values that buckets hold, of those that no line has described yet: all from the lowest to the
// highest that has counted something, as a picture also shows those between.
void Lines::describe_buckets(std::uint32_t aggregation, std::span<const Row> rows) {
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  if (!record::is_histogram(layout.func)) return;
  std::vector<bool>& known = known_buckets_[aggregation];
  known.resize(layout.value_words);
  const record::BucketBounds bounds(layout);
  std::string line;
  Json json(line);
  begin(json, "buckets");
  json.field("aggregation", std::uint64_t{aggregation}).key("buckets").begin_array();
  std::size_t first = known.size();
  std::size_t last = 0;
  const auto widen = [&](std::size_t bucket) {
    first = std::min(first, bucket);
    last = std::max(last, bucket);
  };
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]) widen(i);
  }
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < std::min<std::size_t>(row.words.size(), known.size()); ++i) {
      if (row.words[i] != 0) widen(i);
    }
  }
  bool is_new = false;
  for (std::size_t i = first; i <= last && i < known.size(); ++i) {
    if (known[i]) continue;
    known[i] = is_new = true;
    const auto [low, high] = bounds.of(i);
    json.begin_array().number(std::uint64_t{i});
    write_exact(json, low);
    write_exact(json, high);
    json.end_array();
  }
  json.end_array().end_object();
  if (is_new) put(line);
}

void Lines::write_rows(Json& json, std::uint32_t aggregation, std::span<const Row> rows) const {
  const bool is_histogram = record::is_histogram(schema_.aggregations[aggregation].func);
  json.key("rows").begin_array();
  for (const Row& row : rows) {
    json.begin_array().number(std::uint64_t{row.key});
    if (!is_histogram) {
      write_exact(json, static_cast<std::int64_t>(row.words.empty() ? 0 : row.words[0]));
      json.end_array();
      continue;
    }
    json.begin_array();
    for (std::size_t i = 0; i < row.words.size(); ++i) {
      if (row.words[i] == 0) continue;
      json.number(std::uint64_t{i});
      write_exact(json, static_cast<std::int64_t>(row.words[i]));
    }
    json.end_array().end_array();
  }
  json.end_array();
}

void Lines::column(std::uint32_t aggregation, std::int64_t time_ns, std::span<const Row> rows) {
  describe_buckets(aggregation, rows);
  std::string line;
  Json json(line);
  begin(json, "column");
  json.field("aggregation", std::uint64_t{aggregation}).key("time");
  write_exact(json, since_start(time_ns));
  write_rows(json, aggregation, rows);
  json.end_object();
  put(line);
}

void Lines::rows(std::uint32_t aggregation, std::int64_t normal, std::span<const Row> rows) {
  describe_buckets(aggregation, rows);
  std::string line;
  Json json(line);
  begin(json, "rows");
  json.field("aggregation", std::uint64_t{aggregation}).key("normal");
  write_exact(json, normal);
  write_rows(json, aggregation, rows);
  json.end_object();
  put(line);
}

void Lines::record(FieldText& fields, const record::Header& header, const record::Layout& layout,
                   Bytes bytes) {
  const auto index = static_cast<std::uint32_t>(&layout - schema_.layouts.data());
  if (!is_shown_[index]) return;
  const std::int64_t time = record::time_of(layout, bytes);
  std::string values;
  Json json(values);
  begin(json, "record");
  json.field("layout", std::uint64_t{index}).key("time");
  write_exact(json, since_start(time));
  json.field("cpu", std::uint64_t{header.cpu});
  if (layout.has_thread) {
    json.field("tid", std::int64_t{record::thread_of(layout, bytes).thread});
  }
  const ProbeNames* const probe = record::find_probe(schema_, schema_.epids[header.epid - 1].probe);
  if (probe != nullptr && probe_count_[index] > 1) {
    json.field("probe", fmt::format("{}:{}:{}:{}", probe->provider, probe->module, probe->function,
                                    probe->name));
  }
  json.key("values").begin_array();
  for (const record::Field& field : values_[index]) write_value(json, fields, field, bytes);
  json.end_array().end_object();
  put(values);
  for (auto& [view, spans] : spans_) {
    const std::optional<Lasted> span = spans.take(fields, header, layout, bytes);
    if (!span) continue;
    std::string line;
    Json out(line);
    begin(out, "span");
    out.field("view", std::uint64_t{view}).key("begin");
    write_exact(out, since_start(span->begin_ns));
    out.key("end");
    write_exact(out, since_start(span->end_ns));
    out.field("lane", span->lane).field("name", span->name).end_object();
    put(line);
  }
}

void Lines::drops(std::span<const std::uint64_t> counters) {
  // Those of all CPUs, by kind; those of the run, which has none behind it.
  std::map<std::string, std::uint64_t> by_kind;
  std::uint64_t total = 0;
  consumer::Drops since_start;
  since_start.each(counters, [&](const consumer::Loss& loss) {
    by_kind[loss.tag] += loss.count;
    total += loss.count;
  });
  std::string line;
  Json json(line);
  begin(json, "drops");
  json.key("time");
  write_exact(json, last_);
  json.key("total");
  write_exact(json, total);
  json.key("kinds").begin_object();
  for (const auto& [kind, count] : by_kind) {
    json.key(kind);
    write_exact(json, count);
  }
  json.end_object().end_object();
  put(line);
}

void Lines::end(std::int32_t status) {
  std::string line;
  for (const auto& [view, spans] : spans_) {
    const Lasting::Totals totals = spans.totals();
    line.clear();
    Json json(line);
    begin(json, "spans");
    json.field("view", std::uint64_t{view})
        .field("matched", totals.matched)
        .field("unmatched", totals.unmatched)
        .field("open", totals.open)
        .end_object();
    put(line);
  }
  line.clear();
  Json json(line);
  begin(json, "end");
  json.key("time");
  write_exact(json, last_);
  json.field("status", std::int64_t{status}).end_object();
  put(line);
}

}  // namespace dt::view
