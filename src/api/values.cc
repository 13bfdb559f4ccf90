// Fields, shapes and buckets as values.

#include "api/values.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/convert.h"
#include "consumer/aggregations.h"
#include "consumer/shape_walk.h"
#include "record/columns.h"

namespace dt::api {
namespace {

using consumer::Bytes;
using consumer::FieldText;
using record::ActionKind;
using record::Shape;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

// The alternative T of `data`, as it is when it is that already.
template <typename T>
T& as(dtrace::Value& value) {
  T* const there = std::get_if<T>(&value.data);
  return there != nullptr ? *there : value.data.template emplace<T>();
}

void set_number(dtrace::Value& out, const consumer::Number& number) {
  if (number.is_signed) {
    as<std::int64_t>(out) = static_cast<std::int64_t>(number.bits);
  } else {
    as<std::uint64_t>(out) = number.bits;
  }
}

void set_frames(dtrace::Value& out, FieldText& fields, const consumer::Value& value) {
  std::vector<dtrace::Frame>& frames = as<dtrace::Stack>(out).frames;
  frames.clear();
  fields.each_named_frame(value, [&](consumer::NamedFrame& frame) {
    symbol::Symbol& symbol = frame.symbol;
    const std::uint64_t offset = symbol.name.empty() ? 0 : symbol.offset;
    frames.push_back({frame.address, std::move(symbol.module), std::move(symbol.name), offset,
                      std::move(frame.file), frame.line, frame.is_inlined});
  });
}

// The type's name as in JSON lines (docs/jsonl.md).
void set_value(dtrace::Value& out, FieldText& fields, const consumer::Value& value) {
  out.type = consumer::type_name(*value.type);
  switch (consumer::form_of(value.type->kind)) {
    case consumer::ValueForm::kNumber:
      return set_number(out, consumer::number_of(value));
    case consumer::ValueForm::kBytes:
      as<dtrace::Bytes>(out).assign(value.bytes.begin(), value.bytes.end());
      return;
    case consumer::ValueForm::kFrames:
      return set_frames(out, fields, value);
    case consumer::ValueForm::kSymbol:
    case consumer::ValueForm::kText:
      as<std::string>(out) = fields.plain(value);
      return;
  }
}

// What print() recorded, built from the outside to the inside.
class ShapeValues {
 public:
  explicit ShapeValues(dtrace::Value& root) : next_(&root) {}

  void begin_structure(const Shape& shape) { open(shape).data = dtrace::Structure(); }
  void end_structure() { close(); }
  void begin_array(const Shape& shape) { open(shape).data = dtrace::Array(); }
  void end_array() { close(); }
  void member(const std::string& name) { name_ = name; }
  void text(const Shape& shape, std::string_view text) { add(shape).data = std::string(text); }
  void enumerator(const Shape& shape, const std::string& name) { add(shape).data = name; }
  void pointer(const Shape& shape, std::uint64_t value) { add(shape).data = value; }
  void number(const Shape& shape, const consumer::Number& number) {
    set_number(add(shape), number);
  }
  void real(const Shape& shape, long double value) { add(shape).data = value; }
  void nothing() { place().data = dtrace::Structure(); }

 private:
  // Where the next value belongs: the root, or behind its brothers.
  dtrace::Value& place() {
    if (open_.empty()) {
      return *next_;
    }
    dtrace::Value& parent = *open_.back();
    auto* const structure = std::get_if<dtrace::Structure>(&parent.data);
    std::vector<dtrace::Value>& brothers =
        structure != nullptr ? structure->members : as<dtrace::Array>(parent).elements;
    brothers.emplace_back();
    brothers.back().name = std::exchange(name_, {});
    return brothers.back();
  }
  dtrace::Value& add(const Shape& shape) {
    dtrace::Value& value = place();
    value.type = shape.name;
    return value;
  }
  // Nothing is added beside what is open, so that it stays where it is.
  dtrace::Value& open(const Shape& shape) {
    dtrace::Value& value = add(shape);
    open_.push_back(&value);
    return value;
  }
  void close() { open_.pop_back(); }

  dtrace::Value* next_;
  std::vector<dtrace::Value*> open_;
  std::string name_;
};

bool is_memory(ActionKind kind) {
  return kind == ActionKind::kTracemem || kind == ActionKind::kPcap;
}

bool has_text(ActionKind kind) {
  return kind == ActionKind::kPrintf || kind == ActionKind::kFreopen || kind == ActionKind::kSystem;
}

// Those that say something of the record and not of the traced system.
bool is_shown(ActionKind kind) {
  return kind != ActionKind::kDefault && kind != ActionKind::kSpeculate &&
         kind != ActionKind::kCommit && kind != ActionKind::kDiscard;
}

// From where to where the buckets of an aggregation go.
class Bounds {
 public:
  explicit Bounds(const record::AggLayout& layout) : layout_(layout) {
    if (layout.func == record::AggFunc::kLlquantize) {
      boundaries_ = record::llquantize_boundaries(layout.params);
    }
  }

  std::pair<std::int64_t, std::int64_t> of(std::size_t bucket) const {
    if (layout_.func == record::AggFunc::kQuantize) {
      return of_quantize(static_cast<std::uint32_t>(bucket));
    }
    // Bucket i is from edge i - 1 up to edge i.
    const std::int64_t low = bucket == 0 ? kLowest : edge(bucket - 1);
    const bool is_last = bucket + 1 == layout_.value_words;
    return {low, is_last ? kHighest : edge(bucket) - 1};
  }

 private:
  static std::pair<std::int64_t, std::int64_t> of_quantize(std::uint32_t bucket) {
    const std::int64_t begin = record::quantize_value(bucket);
    const bool is_first = bucket == 0;
    const bool is_last = bucket + 1 == record::kQuantizeBuckets;
    if (bucket < record::kQuantizeZero) {  // named by what is nearest to 0
      return {is_first ? kLowest : record::quantize_value(bucket - 1) + 1, begin};
    }
    return {begin, is_last ? kHighest : record::quantize_value(bucket + 1) - 1};
  }
  std::int64_t edge(std::size_t index) const {
    if (layout_.func == record::AggFunc::kLquantize) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(layout_.params.base) +
                                       index * static_cast<std::uint64_t>(layout_.params.step));
    }
    const std::uint64_t boundary = index < boundaries_.size() ? boundaries_[index] : 0;
    return static_cast<std::int64_t>(std::min(boundary, static_cast<std::uint64_t>(kHighest)));
  }

  const record::AggLayout& layout_;
  std::vector<std::uint64_t> boundaries_;
};

}  // namespace

void Values::fill(dtrace::Action& out, const record::Layout& layout, const record::Action& action,
                  Bytes bytes, FieldText& fields) const {
  out.name = record::action_name(action.kind);
  out.text.clear();
  out.aggregations.clear();
  for (const std::uint32_t index : action.aggregations) {
    out.aggregations.push_back(
        index < schema_.aggregations.size() ? schema_.aggregations[index].name : std::string());
  }
  // The fields behind the first of these say how much of it counts, and more.
  const std::uint32_t count =
      is_memory(action.kind) ? std::min(1U, action.field_count) : action.field_count;
  out.values.resize(count);
  const std::vector<record::Column> columns = action.kind == ActionKind::kPrintrow
                                                  ? record::parse_columns(action.format)
                                                  : std::vector<record::Column>();
  for (std::uint32_t i = 0; i < count; ++i) {
    const record::Field& field = layout.fields[action.first_field + i];
    consumer::Value value{&field.type, bytes.subspan(field.offset, field.type.size)};
    dtrace::Value& into = out.values[i];
    into.name = i < columns.size() ? columns[i].name : consumer::value_name(sources_, field);
    if (action.kind == ActionKind::kPrint && action.shape < layout.shapes.size() &&
        !consumer::is_probe_part(field.type.kind)) {
      ShapeValues shapes(into);
      consumer::walk_shape(shapes, layout.shapes, action.shape, value.bytes);
      continue;
    }
    if (is_memory(action.kind) && action.field_count > 1) {
      const record::Field& size = layout.fields[action.first_field + 1];
      const auto used = static_cast<std::int64_t>(
          consumer::number_of({&size.type, bytes.subspan(size.offset, size.type.size)}).bits);
      if (used > 0 && static_cast<std::uint64_t>(used) < value.bytes.size()) {
        value.bytes = value.bytes.first(static_cast<std::size_t>(used));
      }
    }
    set_value(into, fields, value);
  }
}

void Values::record(const record::Header& header, const record::Layout& layout, Bytes bytes,
                    FieldText& fields, const consumer::RecordLine::Text& text) {
  // Told of a record while it is told of one (commit() in a clause): one of its own.
  dtrace::Record out = std::exchange(record_, {});
  out.time_ns = 0;
  if (layout.has_time && !layout.fields.empty()) {
    const record::Field& time = layout.fields.back();
    out.time_ns = static_cast<std::int64_t>(
        consumer::number_of({&time.type, bytes.subspan(time.offset, time.type.size)}).bits);
  }
  out.cpu = header.cpu;
  if (out.epid != header.epid) {
    out.epid = header.epid;
    out.probe = probe_of(schema_, header.epid);
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < layout.actions.size(); ++i) {
    const record::Action& action = layout.actions[i];
    if (!is_shown(action.kind)) {
      continue;
    }
    if (count == out.actions.size()) {
      out.actions.emplace_back();
    }
    fill(out.actions[count], layout, action, bytes, fields);
    if (has_text(action.kind)) {
      out.actions[count].text = text(i);
    }
    ++count;
  }
  out.actions.resize(count);
  told_.record(out);
  record_ = std::move(out);
}

void Values::fault(const consumer::ErrorLine& line) {
  if (!told_.fault) {
    told_.say(std::string(line.text));
    return;
  }
  told_.fault({probe_of(schema_, line.epid), line.epid, std::string(line.fault), line.code,
               line.address, line.action, line.place, std::string(line.text)});
}

void Values::drop(const consumer::Loss& loss, const std::string& text) {
  if (!told_.drop) {
    told_.say(text);
    return;
  }
  told_.drop({loss.tag, loss.cpu, loss.count, text});
}

void Values::fill(dtrace::Row& row, FieldText& fields, Bytes key,
                  const consumer::Aggregate& aggregate, std::uint32_t element) const {
  const record::AggLayout& layout = aggregate.layout();
  row.keys.resize(layout.keys.size());
  for (std::size_t i = 0; i < layout.keys.size(); ++i) {
    const record::Field& field = layout.keys[i];
    row.keys[i].name = consumer::value_name(sources_, field);
    set_value(row.keys[i], fields, {&field.type, consumer::key_field(field, key)});
  }
  row.buckets.clear();
  if (!consumer::is_histogram(layout.func)) {
    row.value = aggregate.scalar(element, aggregate.normal);
    return;
  }
  row.value = 0;
  const Bounds bounds(layout);
  const consumer::Aggregate::Words words = aggregate.words(element);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != 0) {
      const auto [low, high] = bounds.of(i);
      row.buckets.push_back(
          {low, high,
           consumer::scalar_value(record::AggFunc::kSum, words.subspan(i, 1), aggregate.normal)});
    }
  }
}

}  // namespace dt::api
