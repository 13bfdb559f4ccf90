// Fields, shapes and buckets as values.

#include "api/output/values.h"

#include <algorithm>
#include <utility>

#include "api/output/convert.h"
#include "consumer/aggregation/rows.h"
#include "consumer/consumer.h"
#include "consumer/value/memory.h"
#include "consumer/value/shape_walk.h"
#include "record/bucket_bounds.h"

namespace dt::api {
namespace {

using consumer::Bytes;
using consumer::FieldText;
using record::ActionKind;
using record::Shape;

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
void set_typed_value(dtrace::Value& out, FieldText& fields, const consumer::Value& value) {
  record::FieldType type = *value.type;
  type.kind = consumer::kind_of(value);
  out.type = consumer::type_name(type);
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

bool has_text(ActionKind kind) {
  return kind == ActionKind::kPrintf || kind == ActionKind::kFreopen || kind == ActionKind::kSystem;
}

// Those that say something of the record and not of the traced system.
bool is_shown(ActionKind kind) {
  return kind != ActionKind::kDefault && kind != ActionKind::kSpeculate &&
         kind != ActionKind::kCommit && kind != ActionKind::kDiscard;
}

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
  const bool is_memory = consumer::is_memory(action.kind);
  const std::uint32_t count = is_memory ? std::min(1U, action.field_count) : action.field_count;
  out.values.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const record::Field& field = layout.fields[action.first_field + i];
    consumer::Value value = consumer::value_of(field, bytes);
    dtrace::Value& into = out.values[i];
    into.name =
        i < action.columns.size() ? action.columns[i].name : consumer::value_name(sources_, field);
    if (action.kind == ActionKind::kPrint && action.shape < layout.shapes.size() &&
        !consumer::is_probe_part(field.type.kind)) {
      ShapeValues shapes(into);
      consumer::walk_shape(shapes, layout.shapes, action.shape, value.bytes);
      continue;
    }
    if (is_memory) value.bytes = consumer::memory_of(layout, action, bytes);
    set_typed_value(into, fields, value);
  }
}

void Values::record(const record::Header& header, const record::Layout& layout, Bytes bytes,
                    FieldText& fields, const consumer::RecordLine::Text& text) {
  if (session_ != nullptr) {
    const record::EpidInfo& info = schema_.epids[header.epid - 1];
    session_->record({record::find_probe(schema_, info.probe), info.layout, header.cpu, bytes});
  }
  if (!callbacks_.record) {
    return;
  }
  // A record may come within the callback of another (commit() in a clause): it gets its own.
  dtrace::Record out = std::exchange(record_, {});
  out.time_ns = record::time_of(layout, bytes);
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
  callbacks_.record(out);
  record_ = std::move(out);
}

void Values::fault(const consumer::ErrorLine& line) {
  if (!callbacks_.fault) {
    callbacks_.say(std::string(line.text));
    return;
  }
  callbacks_.fault({probe_of(schema_, line.epid), line.epid, std::string(line.fault), line.code,
                    line.address, line.action, line.place, std::string(line.text)});
}

void Values::drop(const consumer::Loss& loss, const std::string& text) {
  if (!callbacks_.drop) {
    callbacks_.say(text);
    return;
  }
  callbacks_.drop({loss.tag, loss.cpu, loss.count, text});
}

Status Values::read(consumer::Consumer& from, std::uint32_t aggregation,
                    const std::function<void(const dtrace::Row&)>& visit) const {
  dtrace::Row row;
  return from.read_aggregation(
      aggregation, [&](FieldText& fields, Bytes key, const consumer::Aggregate& aggregate,
                       std::uint32_t element) {
        fill(row, fields, key, aggregate, element);
        visit(row);
      });
}

void Values::fill(dtrace::Row& row, FieldText& fields, Bytes key,
                  const consumer::Aggregate& aggregate, std::uint32_t element) const {
  const record::AggLayout& layout = aggregate.layout();
  row.keys.resize(layout.keys.size());
  for (std::size_t i = 0; i < layout.keys.size(); ++i) {
    const record::Field& field = layout.keys[i];
    row.keys[i].name = consumer::value_name(sources_, field);
    set_typed_value(row.keys[i], fields, {&field.type, consumer::key_field(field, key)});
  }
  row.buckets.clear();
  if (!record::is_histogram(layout.func)) {
    row.value = aggregate.scalar(element, aggregate.normal);
    return;
  }
  row.value = 0;
  const record::BucketBounds bounds(layout);
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
