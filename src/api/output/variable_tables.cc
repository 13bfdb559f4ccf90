// See variable_tables.h.

#include "api/output/variable_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "view/schema_text.h"

namespace dt::api {
namespace {

using front::Outcome;
using front::OutcomeFrame;
using front::OutcomeHistogram;
using front::OutcomeValue;
using front::Session;
using record::AggFunc;
using record::FieldKind;

constexpr std::uint32_t kWordBytes = 8;
constexpr std::uint32_t kMostFrames = 20;  // of backtrace() and ubacktrace()
// Of a histogram with more, as in a recording that was forged, no picture is made.
constexpr std::int64_t kMostLevels = 1 << 16;

std::uint32_t word_bytes(std::size_t count) {
  return static_cast<std::uint32_t>(count) * kWordBytes;
}

record::FieldType text_type(std::size_t most) {
  return {FieldKind::kString, word_bytes(most / kWordBytes + 1), false};
}

// A user stack has its process before its frames.
record::FieldType stack_type(bool is_kernel, std::size_t frames) {
  return {is_kernel ? FieldKind::kStack : FieldKind::kUstack,
          word_bytes(std::max<std::size_t>(frames, 1) + (is_kernel ? 0 : 1)), false};
}

// A recording of another user may have anything under one name.
bool is_of_one_array(const Outcome& a, const Outcome& b) {
  return a.text == b.text && a.statistics.has_value() == b.statistics.has_value() &&
         std::ranges::equal(a.keys, b.keys, {}, &OutcomeValue::is_text, &OutcomeValue::is_text);
}

const OutcomeHistogram* find_histogram(const Outcome& row, bool is_linear) {
  const auto found = std::ranges::find(row.histograms, is_linear, &OutcomeHistogram::is_linear);
  return found == row.histograms.end() ? nullptr : &*found;
}

// As events/watched.cc has them; nullopt: there can be no such histogram.
std::optional<record::AggParams> params_of(const OutcomeHistogram& of) {
  std::int64_t range = 0;
  if (of.width <= 0 || __builtin_sub_overflow(of.high, of.low, &range) || range < 0) return {};
  const std::int64_t levels = range / of.width;
  if (levels == 0 || levels > kMostLevels) return {};
  record::AggParams out;
  out.base = of.low;
  out.limit = of.low + levels * of.width;
  out.step = of.width;
  return out;
}

std::vector<std::uint64_t> bucket_words(const record::AggLayout& layout, const Outcome& row) {
  std::vector<std::uint64_t> out(layout.value_words);
  const bool is_linear = layout.func == AggFunc::kLquantize;
  const OutcomeHistogram* const of = find_histogram(row, is_linear);
  if (of == nullptr) return out;
  for (const front::OutcomeBucket& bucket : of->buckets) {
    std::size_t at = is_linear ? record::lquantize_bucket(layout.params, bucket.value)
                               : record::quantize_bucket(bucket.value);
    if (is_linear && bucket.is_below) at = 0;
    if (is_linear && bucket.is_above) at = out.size() - 1;
    if (at < out.size()) out[at] += static_cast<std::uint64_t>(bucket.count);
  }
  return out;
}

std::vector<std::uint64_t> words_of(const record::AggLayout& layout, const Outcome& row) {
  const auto word = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
  const AggFunc func = layout.func;
  if (!row.statistics) return {word(row.value.number)};
  if (record::is_histogram(func)) return bucket_words(layout, row);
  const front::OutcomeStatistics& s = *row.statistics;
  switch (func) {
    case AggFunc::kCount:
      return {word(s.count)};
    case AggFunc::kMin:
    case AggFunc::kMax:
      return {word(func == AggFunc::kMin ? s.min : s.max) ^ record::extreme_bias(func)};
    case AggFunc::kAvg:
      return {word(s.count), word(s.sum), s.sum < 0 ? ~std::uint64_t{0} : 0};
    default:
      return {word(s.sum)};
  }
}

// Of each key of a row at least.
std::uint64_t least_key_bytes(const std::vector<const Outcome*>& rows) {
  std::uint64_t all = 0;
  for (std::size_t key = 0; key < rows.front()->keys.size(); ++key) {
    std::uint64_t widest = 0;
    for (const Outcome* const row : rows) {
      const OutcomeValue& value = row->keys[key];
      widest = std::max<std::uint64_t>(
          widest, value.frames.empty() ? value.text.size() : value.frames.size() * kWordBytes);
    }
    all += widest + std::uint64_t{2} * kWordBytes;
  }
  return all;
}

}  // namespace

std::uint64_t FrameNames::address_of(const OutcomeFrame& frame) {
  const auto [at, is_new] = numbers_.try_emplace(
      std::tuple(frame.module, frame.function, frame.offset), frames_.size() + 1);
  if (is_new) frames_.push_back(frame);
  return at->second;
}

bool FrameNames::find(std::uint64_t number, symbol::Symbol& out) const {
  if (number == 0 || number > frames_.size()) return false;
  const OutcomeFrame& frame = frames_[number - 1];
  out = {};
  out.module = frame.module;
  out.name = frame.function;
  out.offset = frame.offset;
  return true;
}

VariableTables::VariableTables(const std::vector<Outcome>& variables)
    : source_(sources_.add({"variables", "key key1 key2 key3 key4 key5 key6 key7 key8 key9"})) {
  std::vector<std::pair<std::string, Rows>> groups;
  for (const Outcome& one : variables) {
    if (one.value.is_text) {
      ++texts_;
      continue;
    }
    if (groups.empty() || !is_of_one_array(*groups.back().second.front(), one)) {
      groups.push_back({one.text, {}});
    }
    groups.back().second.push_back(&one);
  }
  for (const auto& [name, rows] : groups) {
    if (!is_too_large_) add_rows(name, rows);
  }
}

VariableTables::VariableTables(const std::vector<Session::Variable>& variables,
                               const std::vector<Session::Keeper>& keepers, Read read)
    : source_(sources_.add({"variables", "key key1 key2 key3 key4 key5 key6 key7 key8 key9"})),
      read_(std::move(read)) {
  using Key = Session::Variable::Key;
  for (const Session::Variable& one : variables) {
    std::vector<record::Field> keys;
    for (std::size_t i = 0; i < one.keys.size(); ++i) {
      record::Field& field = keys.emplace_back(key_field(i, one.keys.size()));
      if (one.keys[i] == Key::kText) field.type = text_type(one.most_text);
      if (one.keys[i] == Key::kUserStack) field.type = stack_type(false, kMostFrames);
      if (one.keys[i] == Key::kKernelStack) field.type = stack_type(true, kMostFrames);
    }
    add_table(one.name, std::move(keys), one.is_statistic, one.is_counted, one.functions,
              one.params);
  }
  for (const Session::Keeper& one : keepers) add_keeper(one);
}

// "key", or of several "key1"
record::Field VariableTables::key_field(std::size_t key, std::size_t of) const {
  record::Field out;
  const std::string name = of == 1 ? "key" : fmt::format("key{}", key + 1);
  const std::size_t at = sources_.at(source_).text().find(name);
  if (at != std::string::npos) {
    out.span = {source_, static_cast<std::uint32_t>(at),
                static_cast<std::uint32_t>(at + name.size())};
  }
  return out;
}

record::Field VariableTables::fitting_field(const Rows& rows, std::size_t key) const {
  record::Field out = key_field(key, rows.front()->keys.size());
  std::size_t text = 0, frames = 0;
  bool is_kernel = false;
  for (const Outcome* const row : rows) {
    text = std::max(text, row->keys[key].text.size());
    frames = std::max(frames, row->keys[key].frames.size());
    is_kernel = is_kernel || row->keys[key].is_kernel;
  }
  if (frames != 0) {
    out.type = stack_type(is_kernel, frames);
  } else if (rows.front()->keys[key].is_text) {
    out.type = text_type(text);
  }
  return out;
}

void VariableTables::add_rows(const std::string& name, const Rows& rows) {
  const Outcome& first = *rows.front();
  std::vector<record::Field> keys;
  bool has_stack = false;
  for (std::size_t key = 0; key < first.keys.size(); ++key) {
    keys.push_back(fitting_field(rows, key));
    has_stack = has_stack || view::is_stack(keys.back());
  }
  std::vector<AggFunc> functions = {AggFunc::kSum};
  record::AggParams params;
  if (first.statistics && !has_stack) {
    functions = {AggFunc::kCount, AggFunc::kMin, AggFunc::kMax, AggFunc::kSum, AggFunc::kAvg};
    const OutcomeHistogram* const linear = find_histogram(first, true);
    const auto found = linear == nullptr ? std::nullopt : params_of(*linear);
    if (found) {
      params = *found;
      functions.insert(functions.begin(), AggFunc::kLquantize);
    } else if (find_histogram(first, false) != nullptr) {
      functions.insert(functions.begin(), AggFunc::kQuantize);
    }
  }
  is_too_large_ = bytes_ + least_key_bytes(rows) * rows.size() * functions.size() > kMostBytes;
  if (is_too_large_) return;
  add_table(name, std::move(keys), first.statistics.has_value(),
            std::ranges::all_of(rows, &Outcome::is_counted), functions, params);
  Table& table = tables_.back();
  table.is_read = true;
  for (const Outcome* const row : rows) add_row(table, *row);
}

void VariableTables::add_table(const std::string& name, std::vector<record::Field> keys,
                               bool is_statistic, bool is_counted,
                               const std::vector<AggFunc>& functions,
                               const record::AggParams& params) {
  Table& table = tables_.emplace_back();
  table.first = static_cast<std::uint32_t>(schema_.aggregations.size());
  table.is_statistic = is_statistic;
  const bool has_stack = std::ranges::any_of(keys, view::is_stack);
  for (const AggFunc function : functions) {
    record::AggLayout layout;
    const bool is_part = is_statistic && !has_stack && !record::is_histogram(function);
    layout.name = name;
    if (is_part) layout.name += fmt::format("_{}", record::agg_func_name(function));
    layout.func = function;
    if (function == AggFunc::kLquantize) layout.params = params;
    view::mark_variable(layout, is_counted, is_part);
    layout.keys = keys;
    record::place_keys(layout);
    layout.value_words = record::value_words(function, layout.params);
    table.keys = layout.keys;
    table.key_bytes = layout.key_bytes;
    schema_.aggregations.push_back(std::move(layout));
    table_of_.push_back(static_cast<std::uint32_t>(tables_.size() - 1));
  }
}

std::vector<std::uint32_t> VariableTables::aggregations_of(std::uint32_t table) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < table_of_.size(); ++i) {
    if (table_of_[i] == table) out.push_back(i);
  }
  return out;
}

// Values of one size are one chart; a count and a sum are others.
void VariableTables::add_keeper(const Session::Keeper& keeper) {
  const auto values = [&](std::uint32_t i) {
    const AggFunc func = schema_.aggregations[i].func;
    return func == AggFunc::kAvg || func == AggFunc::kMin || func == AggFunc::kMax;
  };
  record::Layout printing, emptying;
  for (const std::uint32_t variable : keeper.prints) {
    record::Action together;
    together.kind = record::ActionKind::kPrinta;
    for (const std::uint32_t i : aggregations_of(variable)) {
      if (values(i)) {
        together.aggregations.push_back(i);
        continue;
      }
      record::Action& alone = printing.actions.emplace_back();
      alone.kind = record::ActionKind::kPrinta;
      alone.aggregations = {i};
    }
    if (!together.aggregations.empty()) printing.actions.push_back(std::move(together));
  }
  for (const std::uint32_t variable : keeper.empties) {
    record::Action& action = emptying.actions.emplace_back();
    action.kind = record::ActionKind::kClear;
    action.aggregations = aggregations_of(variable);
  }
  const ProbeId id{static_cast<std::uint32_t>(schema_.probes.size() + 1)};
  schema_.probes.push_back({id, keeper.is_timer ? "profile" : "dtrace", "", "", keeper.point});
  for (record::Layout* const layout : {&printing, &emptying}) {
    schema_.epids.push_back({id, static_cast<std::uint32_t>(schema_.layouts.size())});
    schema_.layouts.push_back(std::move(*layout));
  }
}

void VariableTables::put(const OutcomeValue& value, const record::Field& field, std::uint8_t* to) {
  const auto word = [&](std::size_t index, std::uint64_t number) {
    if ((index + 1) * sizeof number > field.type.size) return;
    std::memcpy(to + index * sizeof number, &number, sizeof number);
  };
  const bool is_user = field.type.kind == FieldKind::kUstack;
  if (field.type.kind == FieldKind::kString) {
    std::memcpy(to, value.text.data(),
                std::min<std::size_t>(value.text.size(), field.type.size - 1));
  } else if (view::is_stack(field)) {
    if (is_user) word(0, 1);  // a process
    std::size_t at = is_user ? 1 : 0;
    for (const OutcomeFrame& frame : value.frames) word(at++, names_.address_of(frame));
    // A text that is no stack.
    if (value.frames.empty() && !value.text.empty()) {
      word(at, names_.address_of({"", value.text, 0}));
    }
  } else {
    word(0, static_cast<std::uint64_t>(value.number));
  }
}

void VariableTables::add_row(Table& table, Outcome row) {
  if (row.keys.size() != table.keys.size()) return;
  if (row.statistics.has_value() != table.is_statistic) return;
  if (row.statistics && row.statistics->count == 0) return;
  std::vector<std::uint8_t> key(table.key_bytes);
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    put(row.keys[i], table.keys[i], key.data() + table.keys[i].offset);
  }
  bytes_ += key.size();
  table.rows.emplace_back(std::move(key), std::move(row));
}

void VariableTables::forget() {
  bytes_ = 0;
  for (Table& table : tables_) {
    table.is_read = false;
    table.rows.clear();
  }
}

Status VariableTables::read(std::uint32_t aggregation, const Visit& visit) {
  const std::uint32_t number = table_of_[aggregation];
  Table& table = tables_[number];
  if (!table.is_read) {
    table.is_read = true;
    read_(number, [&](const Outcome& row) {
      if (bytes_ + table.key_bytes > kMostBytes) {
        is_too_large_ = true;
      } else {
        add_row(table, row);
      }
    });
  }
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  for (const auto& [key, row] : table.rows) {
    visit(key, 0, words_of(layout, row));
  }
  return {};
}

}  // namespace dt::api
