// See terminal.h.

#include "api/output/terminal.h"

#include <fmt/core.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "api/options/time_text.h"
#include "consumer/value/format.h"
#include "support/shown.h"
#include "view/schema_text.h"
#include "view/ticks.h"
#include "view/unit.h"

namespace dt::api {
namespace {

using view::ViewKind;

constexpr std::size_t kLeastColumns = 20, kMostColumns = 1000;
constexpr std::size_t kBarColumns = 40;
constexpr std::size_t kMostKeys = 3;  // on a line; the others are in its sum

std::size_t columns_of(int descriptor, bool is_terminal) {
  std::size_t columns = 80;
  winsize size{};
  if (is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    columns = size.ws_col;
  } else if (const char* const text = std::getenv("COLUMNS")) {
    std::from_chars(text, text + std::string_view(text).size(), columns);
  }
  return std::clamp(columns, kLeastColumns, kMostColumns);
}

// "17:02:03", "17:02:03.250"
std::string clock_text(std::int64_t time_ns, int digits) {
  std::string text = consumer::time_text(time_ns, "%H:%M:%S");
  constexpr int kDigits = 9;
  const std::string part = fmt::format("{:0{}}", time_ns % kSecondNs, kDigits);
  if (digits > 0) text += "." + part.substr(0, static_cast<std::size_t>(digits));
  return text;
}

std::string shown_at(const record::AggLayout& layout) {
  return support::shown_name(view::aggregation_name(layout));
}

}  // namespace

Terminal::Terminal(const record::Schema& schema, const Sources& sources, const view::Flames& flames,
                   const std::vector<view::View>& views)
    : schema_(schema),
      sources_(sources),
      flames_(flames),
      views_(views),
      records_(schema, sources, views) {}

void Terminal::watch(consumer::Consumer& consumer, consumer::FileOutput& output) {
  output_ = &output;
  const char* const no_colour = std::getenv("NO_COLOR");
  const bool is_terminal = output.is_terminal();
  style_.columns = columns_of(output.descriptor(), is_terminal);
  style_.has_colours = is_terminal && (no_colour == nullptr || *no_colour == '\0');
  tracks_.clear();
  for (const view::View& view : views_) {
    if (view.kind != ViewKind::kHeat && view.kind != ViewKind::kLine) continue;
    const int digits = view::second_digits(view.ticks);
    exports::TermStyle style = style_;
    if (digits > 0) style.time_columns += 1 + static_cast<std::size_t>(digits);
    for (const std::uint32_t index : view.aggregations) {
      const record::AggLayout& layout = schema_.aggregations[index];
      tracks_.emplace(
          index, Track{view::Columns(layout),
                       exports::TermHeat(layout, view::title_of(view, schema_, sources_), style),
                       style.time_columns, digits});
    }
  }
  records_.watch(consumer, output, style_);
  consumer.when_acting(
      [this, &consumer](const record::Layout& layout, const consumer::Moment& moment,
                        consumer::Side side) { acted(consumer, layout, moment, side); });
}

// What was added to an aggregation until now belongs to its next column.
Status Terminal::find(consumer::Consumer& consumer, std::uint32_t aggregation) {
  view::Columns& columns = tracks_.at(aggregation).columns;
  return consumer.read_aggregation(
      aggregation, [&](consumer::FieldText& fields, std::span<const std::uint8_t> key,
                       const consumer::Aggregate& aggregate, std::uint32_t element) {
        columns.found(key, aggregate.words(element), false);
        static_cast<void>(name_of(fields, aggregation, key));
      });
}

const std::string& Terminal::name_of(consumer::FieldText& fields, std::uint32_t aggregation,
                                     std::span<const std::uint8_t> key) {
  const auto [at, is_new] = names_.try_emplace({aggregation, view::key_text(key)});
  if (!is_new) return at->second;
  for (const record::Field& field : schema_.aggregations[aggregation].keys) {
    at->second += at->second.empty() ? "" : ",";
    at->second += support::shown_name(
        fields.plain({&field.type, key.subspan(field.offset, field.type.size)}));
  }
  return at->second;
}

// An aggregation that cannot be read is reported by the consumer.
void Terminal::acted(consumer::Consumer& consumer, const record::Layout& layout,
                     const consumer::Moment& moment, consumer::Side side) {
  for (auto& [index, track] : tracks_) {
    if (!view::acts_on(layout, index)) continue;
    if (side == consumer::Side::kBefore) {
      static_cast<void>(find(consumer, index));
      continue;
    }
    view::read_left(consumer, index, track.columns);
  }
  if (side == consumer::Side::kAfter || !view::is_tick(schema_, layout)) return;
  for (const view::View& view : views_) {
    const bool is_met = std::ranges::any_of(
        view.aggregations, [&](std::uint32_t index) { return view::acts_on(layout, index); });
    if (!is_met || !tracks_.contains(view.aggregations.front())) continue;
    // Of the clauses of a firing, the first makes the line.
    Track& track = tracks_.at(view.aggregations.front());
    if (std::exchange(track.last_firing, moment.firing) == moment.firing) continue;
    const std::string time =
        moment.time_ns == 0 ? "" : clock_text(moment.time_ns, track.second_digits);
    print_columns(consumer, view, time, track.catch_up.is_at_once(moment.time_ns));
  }
}

// "@reads 17 bash=9 cat=8", and of one number alone a bar.
std::string Terminal::line_part(consumer::Consumer& consumer, std::uint32_t aggregation,
                                bool is_alone, bool& is_empty) {
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  Track& track = tracks_.at(aggregation);
  const std::map<std::string, view::Columns::Words> added = track.columns.take();
  std::vector<std::pair<std::int64_t, std::string>> rows;
  std::uint64_t sum = 0;
  if (view::adds_up(layout)) {
    for (const auto& [key, words] : added) {
      rows.emplace_back(static_cast<std::int64_t>(words[0]), names_[{aggregation, key}]);
      sum += words[0];
    }
  } else {
    // A key may have come since find().
    static_cast<void>(consumer.read_aggregation(
        aggregation, [&](consumer::FieldText& fields, std::span<const std::uint8_t> key,
                         const consumer::Aggregate& aggregate, std::uint32_t element) {
          rows.emplace_back(aggregate.scalar(element, 1), name_of(fields, aggregation, key));
        }));
    if (layout.keys.empty() && !rows.empty()) sum = static_cast<std::uint64_t>(rows[0].first);
  }
  is_empty = is_empty && rows.empty();
  const auto value = static_cast<std::int64_t>(sum);
  track.most = std::max(track.most, value);
  std::string text = "  " + shown_at(layout);
  if (view::adds_up(layout) || layout.keys.empty()) text += fmt::format(" {:<10}", value);
  if (layout.keys.empty()) {
    return is_alone ? text + " " + exports::term_bar(value, track.most, kBarColumns) : text;
  }
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < std::min(rows.size(), kMostKeys); ++i) {
    text += fmt::format(" {}={}", rows[i].second, rows[i].first);
  }
  return text;
}

void Terminal::print_columns(consumer::Consumer& consumer, const view::View& view,
                             std::string_view time, bool unless_empty) {
  if (view.kind == ViewKind::kHeat) {
    const std::uint32_t index = view.aggregations.front();
    Track& track = tracks_.at(index);
    view::Columns::Words sum(schema_.aggregations[index].value_words);
    const std::map<std::string, view::Columns::Words> added = track.columns.take();
    if (unless_empty && added.empty()) return;
    for (const auto& [key, words] : added) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += words[i];
    }
    output_->write(track.heat.line(time, sum));
    return;
  }
  const std::size_t time_columns = tracks_.at(view.aggregations.front()).time_columns - 1;
  std::string line = fmt::format("{:<{}}", time, time_columns);
  bool is_empty = true;
  for (const std::uint32_t index : view.aggregations) {
    line += line_part(consumer, index, view.aggregations.size() == 1, is_empty);
  }
  if (unless_empty && is_empty) return;
  line.erase(line.find_last_not_of(' ') + 1);
  output_->write(line + "\n");
}

Status Terminal::finish(consumer::Consumer& consumer, const Lost& lost, std::int64_t start_ns,
                        std::int64_t end_ns) {
  for (const view::View& view : views_) {
    if (view.aggregations.empty()) continue;
    if (tracks_.contains(view.aggregations.front())) {
      for (const std::uint32_t index : view.aggregations) DT_TRY(find(consumer, index));
      print_columns(consumer, view, "end", false);
      continue;
    }
    const std::uint32_t index = view.aggregations.front();
    output_->write("\n" + view::title_of(view, schema_, sources_) + "\n");
    if (view.kind == ViewKind::kFlame) {
      const auto flame = std::ranges::find(flames_.all(), index, &view::Flame::index);
      output_->write(exports::term_flame(flame->tree, style_));
      if (!flame->root.empty()) {
        output_->write(fmt::format("what {} was doing; {} elsewhere\n",
                                   support::shown_name(flame->root), flame->outside));
      }
      if (flame->negative != 0) {
        output_->write(fmt::format("{} sums below 0 are not shown\n", flame->negative));
      }
    } else {
      const std::string text = consumer.aggregation_text(index);
      const bool is_empty = text.find_first_not_of('\n') == std::string::npos;
      output_->write(is_empty ? "  (empty)\n" : text);
    }
  }
  records_.finish(consumer, start_ns, end_ns);
  output_->write(fmt::format("\n{} dropped\n", records_.is_empty() ? lost.values : lost.all));
  return {};
}

}  // namespace dt::api
