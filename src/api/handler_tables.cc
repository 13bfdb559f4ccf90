// See handler_tables.h.
//
//     a["x"] = 5                                   @a["x"] = sum(5)
//     s["x"] with values of <<<                    @s_count["x"] = count(), @s_min["x"] = min(),
//     ... s[ubacktrace()] with values of <<<           @s[ustack()] = sum()
//
// A stack of an aggregation has addresses, and a resolver names them. The frames of a variable are
// named already: each name has an address here, by which the resolver finds it.

#include "api/handler_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "api/effects.h"
#include "api/export.h"
#include "api/open_place.h"
#include "api/pictures.h"
#include "api/views.h"
#include "consumer/consumer.h"
#include "record/aggregation_source.h"
#include "support/shown.h"
#include "symbol/resolve/resolver.h"
#include "view/plan.h"

namespace dt::api {
namespace {

using front::Outcome;
using front::OutcomeFrame;
using front::OutcomeValue;
using record::AggFunc;
using record::FieldKind;

constexpr std::string_view kForms[] = {"csv",  "folded", "graphite",    "html",       "json",
                                       "otlp", "pprof",  "json,pretty", "prometheus", "speedscope",
                                       "svg",  "term",   "xml",         "xml,pretty"};
constexpr std::string_view kOfStacks[] = {"folded", "pprof", "speedscope"};
constexpr std::string_view kOfMetrics[] = {"graphite", "otlp", "prometheus"};

class FrameNames final : public symbol::Resolver {
 public:
  std::uint64_t address_of(const OutcomeFrame& frame) {
    const auto [at, is_new] = numbers_.try_emplace(
        std::tuple(frame.module, frame.function, frame.offset), frames_.size() + 1);
    if (is_new) frames_.push_back(frame);
    return at->second;
  }
  bool kernel(KernelAddr address, symbol::Symbol& out) override { return find(address.value, out); }
  bool user(std::int32_t, UserAddr address, symbol::Symbol& out) override {
    return find(address.value, out);
  }
  void note_process(std::int32_t) override {}

 private:
  bool find(std::uint64_t number, symbol::Symbol& out) const {
    if (number == 0 || number > frames_.size()) return false;
    const OutcomeFrame& frame = frames_[number - 1];
    out = {};
    out.module = frame.module;
    out.name = frame.function;
    out.offset = frame.offset;
    return true;
  }

  std::vector<OutcomeFrame> frames_;
  std::map<std::tuple<std::string, std::string, std::uint64_t>, std::uint64_t> numbers_;
};

// One aggregation, read as often as it is asked for.
struct Table {
  std::vector<std::pair<std::vector<std::uint8_t>, std::vector<std::uint64_t>>> rows;
};

class Tables final : public record::AggregationSource {
 public:
  explicit Tables(const std::vector<Outcome>& variables) {
    const std::uint32_t source =
        sources_.add({"variables", "key key1 key2 key3 key4 key5 key6 key7 key8 key9"});
    std::vector<std::pair<std::string, std::vector<const Outcome*>>> groups;
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
      if (!is_too_large()) add(name, rows, source);
    }
  }

  Status read(std::uint32_t aggregation, const Visit& visit) override {
    for (const auto& [key, words] : tables_[aggregation].rows) visit(key, 0, words);
    return {};
  }

  const record::Schema& schema() const { return schema_; }
  const Sources& sources() const { return sources_; }
  FrameNames& names() { return names_; }
  int texts() const { return texts_; }
  // The longest key is as wide as all of a table: somebody else's recording may want any memory.
  bool is_too_large() const { return bytes_ > kMostBytes; }
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
  const std::vector<std::uint32_t>& gauges() const { return gauges_; }

 private:
  using Rows = std::vector<const Outcome*>;

  // A recording that somebody else has made may have anything under one name.
  static bool is_of_one_array(const Outcome& a, const Outcome& b) {
    return a.text == b.text && a.statistics.has_value() == b.statistics.has_value() &&
           std::ranges::equal(a.keys, b.keys, {}, &OutcomeValue::is_text, &OutcomeValue::is_text);
  }

  static bool has_frames(const Rows& rows, std::size_t key) {
    return std::ranges::any_of(rows,
                               [&](const Outcome* row) { return !row->keys[key].frames.empty(); });
  }

  record::Field field(const Rows& rows, std::size_t key, std::uint32_t source) const {
    constexpr std::uint32_t kWord = 8;
    record::Field out;
    std::size_t text = 0, frames = 0;
    bool is_kernel = false;
    for (const Outcome* const row : rows) {
      text = std::max(text, row->keys[key].text.size());
      frames = std::max(frames, row->keys[key].frames.size());
      is_kernel = is_kernel || row->keys[key].is_kernel;
    }
    const auto words = [](std::size_t count) { return static_cast<std::uint32_t>(count) * kWord; };
    if (has_frames(rows, key)) {
      out.type = {is_kernel ? FieldKind::kStack : FieldKind::kUstack,
                  words(frames + (is_kernel ? 0 : 1)), false};
    } else if (rows.front()->keys[key].is_text) {
      out.type = {FieldKind::kString, words(text / kWord + 1), false};
    }
    // "key", or of several "key1"
    const std::string name = rows.front()->keys.size() == 1 ? "key" : fmt::format("key{}", key + 1);
    const std::size_t at = sources_.at(source).text().find(name);
    if (at != std::string::npos) {
      out.span = {source, static_cast<std::uint32_t>(at),
                  static_cast<std::uint32_t>(at + name.size())};
    }
    return out;
  }

  void put(const OutcomeValue& value, const record::Field& field, std::uint8_t* to) {
    const auto word = [&](std::size_t index, std::uint64_t number) {
      std::memcpy(to + index * sizeof number, &number, sizeof number);
    };
    switch (field.type.kind) {
      case FieldKind::kString:
        std::memcpy(to, value.text.data(), value.text.size());
        return;
      case FieldKind::kUstack:
        word(0, 1);  // a process
        for (std::size_t i = 0; i < value.frames.size(); ++i) {
          word(i + 1, names_.address_of(value.frames[i]));
        }
        return;
      case FieldKind::kStack:
        for (std::size_t i = 0; i < value.frames.size(); ++i) {
          word(i, names_.address_of(value.frames[i]));
        }
        return;
      default:
        word(0, static_cast<std::uint64_t>(value.number));
        return;
    }
  }

  static std::vector<std::uint64_t> words_of(AggFunc func, const Outcome& row) {
    const auto word = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
    if (!row.statistics) return {word(row.value.number)};
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
  static std::uint64_t key_bytes(const Rows& rows) {
    constexpr std::uint64_t kWord = 8;
    std::uint64_t all = 0;
    for (std::size_t key = 0; key < rows.front()->keys.size(); ++key) {
      std::uint64_t widest = 0;
      for (const Outcome* const row : rows) {
        const OutcomeValue& value = row->keys[key];
        widest = std::max<std::uint64_t>(
            widest, value.frames.empty() ? value.text.size() : value.frames.size() * kWord);
      }
      all += widest + 2 * kWord;
    }
    return all;
  }

  void add(const std::string& name, const Rows& rows, std::uint32_t source) {
    bytes_ += key_bytes(rows) * rows.size();
    if (is_too_large()) return;
    std::vector<record::Field> keys;
    bool has_stack = false;
    for (std::size_t key = 0; key < rows.front()->keys.size(); ++key) {
      keys.push_back(field(rows, key, source));
      has_stack = has_stack || has_frames(rows, key);
    }
    std::vector<AggFunc> functions = {AggFunc::kSum};
    if (rows.front()->statistics && !has_stack) {
      functions = {AggFunc::kCount, AggFunc::kMin, AggFunc::kMax, AggFunc::kSum, AggFunc::kAvg};
    }
    const bool is_counted = std::ranges::all_of(rows, &Outcome::is_counted);
    bytes_ += key_bytes(rows) * rows.size() * (functions.size() - 1);
    if (is_too_large()) return;
    for (const AggFunc function : functions) {
      const bool adds_up = function == AggFunc::kSum || function == AggFunc::kCount;
      if (!is_counted && adds_up) gauges_.push_back(static_cast<std::uint32_t>(tables_.size()));
      record::AggLayout layout;
      layout.name = name;
      if (functions.size() > 1) layout.name += fmt::format("_{}", record::agg_func_name(function));
      layout.func = function;
      layout.keys = keys;
      record::place_keys(layout);
      layout.value_words = record::value_words(function, {});
      Table& table = tables_.emplace_back();
      for (const Outcome* const row : rows) {
        if (row->statistics && row->statistics->count == 0) continue;
        std::vector<std::uint8_t> key(layout.key_bytes);
        for (std::size_t i = 0; i < layout.keys.size(); ++i) {
          put(row->keys[i], layout.keys[i], key.data() + layout.keys[i].offset);
        }
        table.rows.emplace_back(std::move(key), words_of(function, *row));
      }
      schema_.aggregations.push_back(std::move(layout));
    }
  }

  record::Schema schema_;
  Sources sources_;
  FrameNames names_;
  std::vector<Table> tables_;
  int texts_ = 0;
  std::vector<std::uint32_t> gauges_;
  std::uint64_t bytes_ = 0;  // of all keys
};

bool is_of_stacks(std::string_view form) {
  return std::ranges::find(kOfStacks, form) != std::end(kOfStacks);
}

Error nothing_to_show(const std::string& form) {
  if (is_of_stacks(form)) {
    return Error::of(
        fmt::format("oformat={} needs a global variable with backtrace() or ubacktrace() as a key, "
                    "and numbers, that no handler reads",
                    form),
        "global s; probe timer.profile { s[ubacktrace()] <<< 1 }");
  }
  const bool is_of_metrics = std::ranges::find(kOfMetrics, form) != std::end(kOfMetrics);
  return Error::of(fmt::format("oformat={} needs a global variable that is shown at the end: with "
                               "numbers, {}and that no handler reads",
                               form, is_of_metrics ? "without stacks as keys, " : ""),
                   "global n; probe syscall.* { n[execname()]++ }");
}

}  // namespace

bool shows_variables(std::string_view oformat) {
  return std::ranges::find(kForms, oformat) != std::end(kForms);
}

Status check_variables(const Options& options, const front::Session& session) {
  if (!shows_variables(options.oformat)) return {};
  const bool is_fitting =
      std::ranges::any_of(session.shown(), [&](const front::Session::Shown& one) {
        return !one.is_text && (one.has_stack || !is_of_stacks(options.oformat));
      });
  if (!is_fitting) return nothing_to_show(options.oformat);
  return {};
}

Status show_variables(const std::vector<Outcome>& variables, const Shown& run,
                      const Options& options, const Callbacks& callbacks, const Place& place,
                      consumer::FileOutput& output) {
  Tables tables(variables);
  const record::Schema& schema = tables.schema();
  if (tables.is_too_large()) {
    return Error::of(
        fmt::format("oformat={} needs too much memory: the keys of the variables, each as long as "
                    "the longest one, have more than {} MiB",
                    options.oformat, Tables::kMostBytes >> 20),
        "text and oformat=jsonl show such variables");
  }
  if (tables.texts() > 0) {
    callbacks.say(fmt::format("oformat={} shows numbers: {} variable{} or element{} with a text {}",
                              options.oformat, tables.texts(), tables.texts() == 1 ? "" : "s",
                              tables.texts() == 1 ? "" : "s",
                              tables.texts() == 1 ? "is left out" : "are left out"));
  }
  DT_ASSIGN(const std::vector<view::View> views,
            view::plan_views(schema, tables.sources(), options.views));
  if (schema.aggregations.empty() || !check_picture(options, schema, views).ok() ||
      !check_export(options, schema, views).ok()) {
    return nothing_to_show(options.oformat);
  }
  consumer::Consumer consumer(
      schema, tables.sources(), tables.names(), tables, output,
      [&](std::string_view text) { callbacks.say(std::string(text)); },
      consumer_options(options, is_terminal(place)));
  const Traced traced{run.title, callbacks,    options,  schema,          tables.sources(),
                      views,     run.start_ns, run.host, tables.gauges(), false};
  const End end{run.drops, run.end_ns, place};
  if (is_export(options)) {
    const std::unique_ptr<Export> made = make_export(traced);
    made->watch(consumer, output);
    made->write_to(place);
    return made->finish(consumer, output, end);
  }
  if (is_picture(options)) {
    Pictures pictures(traced);
    pictures.watch(consumer, output);
    return pictures.draw(consumer, output, end);
  }
  if (options.oformat == "html") {
    Views html(callbacks, options, schema, tables.sources(), views,
               view::LineHead{run.title, run.host, run.kernel, run.start_ns}, output);
    html.watch(consumer, nullptr);
    return html.finish(consumer, run.end_ns, run.drops, run.status, place);
  }
  consumer.print_aggregations();
  consumer.print_end(run.status);
  return {};
}

}  // namespace dt::api
