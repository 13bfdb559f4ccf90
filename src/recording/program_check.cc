// Whether the consumer can be given a schema that another user has made. What the consumer
// checks with each record anyway (the bounds of fields) is checked once more, for the message.

#include <fmt/core.h>

#include <algorithm>

#include "recording/program.h"

namespace dt::recording {
namespace {

using record::FieldKind;

constexpr std::uint32_t kMaxValueWords = 1U << 17;
constexpr std::uint32_t kMaxKeyBytes = 1U << 20;
constexpr std::uint32_t kMaxSteps = 1U << 16;
constexpr std::uint32_t kMaxSpeculations = 1024;
constexpr std::uint64_t kMaxShownNodes = 1U << 24;
constexpr std::uint32_t kMaxShapeDepth = 128;

bool is_span(const Span& span, const Sources& sources) {
  return span.source < sources.size() && span.begin <= span.end &&
         span.end <= sources.at(span.source).text().size();
}

bool is_type(const record::FieldType& type) {
  switch (type.kind) {
    case FieldKind::kInt:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
      return type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    case FieldKind::kString:
    case FieldKind::kBytes:
      return true;
    case FieldKind::kStack:
      return type.size % 8 == 0;
    case FieldKind::kUstack:
      return type.size >= 8 && type.size % 8 == 0;
    case FieldKind::kSym:
    case FieldKind::kMod:
      return type.size == 8;
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
    case FieldKind::kUmod:
      return type.size == 16;
  }
  return false;  // of a later version
}

bool are_fields(const std::vector<record::Field>& fields, std::uint32_t size,
                const Sources& sources) {
  return std::all_of(fields.begin(), fields.end(), [&](const record::Field& field) {
    return is_type(field.type) && field.offset <= size && field.type.size <= size - field.offset &&
           is_span(field.span, sources);
  });
}

// How many values a shape shows. Shapes refer to each other, so that few of them can mean
// more than anybody can print.
class Shown {
 public:
  explicit Shown(const std::vector<record::Shape>& shapes)
      : shapes_(shapes), counts_(shapes.size()), is_open_(shapes.size()) {}

  // kMaxShownNodes + 1: too many, or it contains itself.
  std::uint64_t count(std::uint32_t index, std::uint32_t depth) {
    constexpr std::uint64_t kTooMany = kMaxShownNodes + 1;
    if (index >= shapes_.size()) return 1;
    if (counts_[index] != 0) return counts_[index];
    if (depth > kMaxShapeDepth || is_open_[index]) return kTooMany;
    is_open_[index] = true;
    const record::Shape& shape = shapes_[index];
    std::uint64_t total = 1;
    for (const record::Shape::Member& member : shape.members) {
      total = std::min(kTooMany, total + count(member.shape, depth + 1));
    }
    if (shape.count != 0) {
      total = std::min(kTooMany, total + shape.count * count(shape.element, depth + 1));
    }
    is_open_[index] = false;
    return counts_[index] = total;
  }

 private:
  const std::vector<record::Shape>& shapes_;
  std::vector<std::uint64_t> counts_;
  std::vector<bool> is_open_;
};

bool are_shapes(const std::vector<record::Shape>& shapes) {
  Shown shown(shapes);
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].kind > record::ShapeKind::kArray || shown.count(i, 0) > kMaxShownNodes) {
      return false;
    }
  }
  return true;
}

bool is_action(const record::Action& action, const record::Layout& layout,
               const record::Schema& schema, const Sources& sources) {
  return action.kind <= record::ActionKind::kDefault &&
         action.first_field <= layout.fields.size() &&
         action.field_count <= layout.fields.size() - action.first_field &&
         std::all_of(action.aggregations.begin(), action.aggregations.end(),
                     [&](std::uint32_t index) { return index < schema.aggregations.size(); }) &&
         (action.kind != record::ActionKind::kPrinta || !action.aggregations.empty()) &&
         is_span(action.span, sources);
}

bool is_layout(const record::Layout& layout, const record::Schema& schema, const Sources& sources) {
  if (layout.size_bytes < record::kHeaderBytes ||
      !are_fields(layout.fields, layout.size_bytes, sources) || !are_shapes(layout.shapes)) {
    return false;
  }
  if (layout.has_time && (layout.fields.empty() || layout.fields.back().type.size != 8)) {
    return false;
  }
  if (layout.has_thread &&
      (!layout.has_time || layout.fields.size() < 3 || layout.fields.end()[-2].type.size != 4 ||
       layout.fields.end()[-3].type.size != 4)) {
    return false;
  }
  return std::all_of(
      layout.actions.begin(), layout.actions.end(),
      [&](const record::Action& action) { return is_action(action, layout, schema, sources); });
}

bool is_aggregation(const record::AggLayout& layout, const Sources& sources) {
  const record::AggParams& params = layout.params;
  if (layout.func > record::AggFunc::kLlquantize || layout.key_bytes > kMaxKeyBytes ||
      params.nsteps > kMaxSteps || params.high > 64 || params.low > params.high) {
    return false;
  }
  if (layout.func == record::AggFunc::kLquantize &&
      record::lquantize_levels(params) >= kMaxValueWords) {
    return false;
  }
  return is_span(layout.argument, sources) && layout.value_words <= kMaxValueWords &&
         layout.value_words == record::value_words(layout.func, params) &&
         are_fields(layout.keys, layout.key_bytes, sources);
}

}  // namespace

std::string find_schema_flaw(const record::Schema& schema, const Sources& sources) {
  if (sources.size() == 0) return "it has no text";
  if (schema.speculations > kMaxSpeculations) return "it has too many speculations";
  for (std::size_t i = 0; i < schema.aggregations.size(); ++i) {
    if (!is_aggregation(schema.aggregations[i], sources)) return fmt::format("aggregation {}", i);
  }
  for (std::size_t i = 0; i < schema.layouts.size(); ++i) {
    if (!is_layout(schema.layouts[i], schema, sources)) return fmt::format("layout {}", i);
  }
  for (std::size_t i = 0; i < schema.epids.size(); ++i) {
    if (schema.epids[i].layout >= schema.layouts.size()) {
      return fmt::format("enabled probe {}", i + 1);
    }
  }
  for (std::size_t i = 0; i < schema.fault_sites.size(); ++i) {
    if (!is_span(schema.fault_sites[i].span, sources)) return fmt::format("place {}", i);
  }
  return "";
}

}  // namespace dt::recording
