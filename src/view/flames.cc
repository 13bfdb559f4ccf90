// See flames.h.

#include "view/flames.h"

#include <algorithm>
#include <iterator>

#include "consumer/aggregation/percentile.h"
#include "consumer/aggregation/rows.h"
#include "symbol/interpreter/source_frame.h"
#include "symbol/process/process.h"
#include "view/schema_text.h"

namespace dt::view {
namespace {

using consumer::Bytes;
using consumer::FieldText;
using consumer::Value;
using record::FieldKind;

void append(std::vector<Frame>& to, std::vector<Frame> frames) {
  to.insert(to.end(), std::make_move_iterator(frames.begin()),
            std::make_move_iterator(frames.end()));
}

Code code_of(const consumer::NamedFrame& frame) {
  if (symbol::is_source_frame(frame.address)) return Code::kInterpreted;
  if (frame.is_inlined) return Code::kInlined;
  return frame.symbol.module == symbol::kJitModule ? Code::kJit : Code::kUser;
}

}  // namespace

std::vector<Frame> frames_of(FieldText& fields, const Value& stack) {
  const bool is_kernel = consumer::is_kernel_stack(stack);
  std::vector<Frame> frames;
  fields.each_named_frame(stack, [&](consumer::NamedFrame& frame) {
    frames.push_back({frame_name(frame), is_kernel ? Code::kKernel : code_of(frame)});
  });
  std::reverse(frames.begin(), frames.end());
  return frames;
}

std::vector<Frame> frames_of_key(FieldText& fields, const record::AggLayout& layout, Bytes key) {
  std::vector<Frame> before, user, kernel, after;
  bool has_stack = false;
  for (const record::Field& field : layout.keys) {
    const Value value{&field.type, consumer::key_field(field, key)};
    if (is_stack(field)) {
      has_stack = true;
      append(consumer::is_kernel_stack(value) ? kernel : user, frames_of(fields, value));
    } else {
      (has_stack ? after : before).push_back({fields.plain(value), Code::kKey});
    }
  }
  append(before, std::move(user));
  append(before, std::move(kernel));
  append(before, std::move(after));
  return before;
}

namespace {

std::int64_t weight_of(const consumer::Aggregate& aggregate, std::uint32_t element) {
  return record::is_histogram(aggregate.layout().func) ? consumer::total(aggregate.words(element))
                                                       : aggregate.scalar(element, 1);
}

}  // namespace

std::string frame_name(const consumer::NamedFrame& frame) {
  const symbol::Symbol& symbol = frame.symbol;
  if (symbol.module.empty() && symbol.name.empty()) return fmt::format("0x{:x}", frame.address);
  std::string name = symbol.module.empty() ? "" : symbol.module + "`";
  if (!symbol.name.empty()) return name + symbol.name;
  // Addresses of a file that can be mapped anywhere are other ones in each process.
  const bool is_fixed = symbol.offset == frame.address;
  return fmt::format("{}{}0x{:x}", name, is_fixed ? "" : "+", symbol.offset);
}

bool is_flame(const record::AggLayout& layout) {
  return adds_up(layout.func) && std::any_of(layout.keys.begin(), layout.keys.end(), is_stack);
}

bool is_function(const Frame& frame, std::string_view name) {
  if (frame.code == Code::kKey) return false;
  return frame.name == name || frame.name.substr(frame.name.find('`') + 1) == name;
}

Flames::Flames(const record::Schema& schema) : schema_(schema) {
  for (std::uint32_t i = 0; i < schema.aggregations.size(); ++i) {
    const record::AggLayout& layout = schema.aggregations[i];
    if (is_flame(layout)) flames_.push_back({layout.name, layout.func, i, {}, 0});
  }
}

void Flames::begin_with(std::uint32_t aggregation, const std::string& root) {
  const auto flame = std::ranges::find(flames_, aggregation, &Flame::index);
  if (flame != flames_.end()) flame->root = root;
}

void Flames::add(FieldText& fields, Bytes key, const consumer::Aggregate& aggregate,
                 std::uint32_t element) {
  const record::AggLayout& layout = aggregate.layout();
  const auto index = static_cast<std::uint32_t>(&layout - schema_.aggregations.data());
  const auto flame = std::find_if(flames_.begin(), flames_.end(),
                                  [&](const Flame& one) { return one.index == index; });
  const std::int64_t weight = weight_of(aggregate, element);
  if (flame == flames_.end() || weight == 0) return;
  if (weight < 0) {
    ++flame->negative;
    return;
  }
  const std::vector<Frame> frames = frames_of_key(fields, layout, key);
  auto first = frames.begin();
  if (!flame->root.empty()) {
    first = std::ranges::find_if(
        frames, [&](const Frame& frame) { return is_function(frame, flame->root); });
    if (first == frames.end()) {
      flame->outside += weight;
      return;
    }
  }
  std::vector<std::uint32_t> numbers;
  for (; first != frames.end(); ++first) numbers.push_back(flame->tree.number(*first));
  flame->tree.add(numbers, weight);
}

}  // namespace dt::view
