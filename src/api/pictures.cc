// See pictures.h.

#include "api/pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "consumer/json_lines.h"
#include "exports/picture.h"
#include "record/drop.h"
#include "support/shown.h"

namespace dt::api {

namespace {

// "@calls"; "@" alone has no name.
std::string shown(const view::Flame& flame) {
  return flame.name == "_" ? "@" : fmt::format("@{}", support::shown_name(flame.name));
}

// Of what was lost, that of which a picture has less: firings that did not run, and values that
// found no place. Where a record finds no room, the clause still counts.
std::uint64_t lost_of(std::span<const std::uint64_t> drops) {
  constexpr record::Drop kLost[] = {record::Drop::kAggregation, record::Drop::kNesting};
  std::uint64_t lost = 0;
  for (std::size_t cpu = 0; cpu + record::kDropCounters <= drops.size();
       cpu += record::kDropCounters) {
    for (const record::Drop kind : kLost) lost += drops[cpu + static_cast<std::size_t>(kind)];
  }
  return lost;
}

}  // namespace

std::string title_of(const Request& request) {
  std::string title;
  for (const dtrace::Program& program : request.programs) {
    title += (title.empty() ? "" : " ") + program.text;
  }
  return title;
}

bool is_picture(const Options& options) {
  return options.oformat == "term" || exports::find_picture(options.oformat) != nullptr;
}

bool is_binary(const Options& options) {
  return std::ranges::any_of(exports::formats(), [&](const exports::Format& format) {
    return format.name == options.oformat && format.is_binary;
  });
}

Status check_picture(const Options& options, const record::Schema& schema) {
  if (options.oformat == "term" && schema.aggregations.empty()) {
    return Error::of("oformat=term needs an aggregation", "@[execname] = count();");
  }
  if (options.oformat == "term" || !is_picture(options) ||
      std::any_of(schema.aggregations.begin(), schema.aggregations.end(), view::is_flame)) {
    return {};
  }
  return Error::of(
      fmt::format("oformat={} needs a stack in a key, and values that add up: count(), "
                  "sum() or a histogram",
                  options.oformat),
      "@[ustack()] = count();");
}

Pictures::Pictures(std::string title, const Told& told, const Options& options,
                   const record::Schema& schema, const Sources& sources)
    : told_(told),
      options_(options),
      schema_(schema),
      sources_(sources),
      flames_(schema),
      title_(std::move(title)) {
  if (options.oformat == "term") terminal_.emplace(schema, sources, flames_);
}

void Pictures::watch(consumer::Consumer& consumer, consumer::FileOutput& output) {
  if (terminal_) terminal_->watch(consumer, output);
  consumer.when_removed([this](consumer::FieldText& fields, std::span<const std::uint8_t> key,
                               const consumer::Aggregate& aggregate, std::uint32_t element) {
    flames_.add(fields, key, aggregate, element);
  });
}

Status Pictures::draw(consumer::Consumer& consumer, consumer::FileOutput& output,
                      std::span<const std::uint64_t> drops, bool replaces) {
  for (const view::Flame& flame : flames_.all()) {
    DT_TRY(consumer.read_aggregation(
        flame.index, [this](consumer::FieldText& fields, std::span<const std::uint8_t> key,
                            const consumer::Aggregate& aggregate, std::uint32_t element) {
          flames_.add(fields, key, aggregate, element);
        }));
  }
  if (consumer.has_given_up()) return {};  // a part would look like the whole
  if (terminal_) return terminal_->finish(consumer, lost_of(drops));
  const view::Flame& first = flames_.all().front();
  for (const view::Flame& other : flames_.all()) {
    if (other.negative != 0) {
      told_.say(fmt::format("oformat={} shows no sums below 0: {} of {}", options_.oformat,
                            other.negative, shown(other)));
    }
    if (&other != &first) {
      told_.say(fmt::format("oformat={} shows {} only, and not {}", options_.oformat, shown(first),
                            shown(other)));
    }
  }
  if (replaces) DT_TRY(output.truncate());
  if (first.tree.totals()[view::FrameTree::kRoot] == 0) {
    told_.say(fmt::format("oformat={}: nothing was counted", options_.oformat));
  }
  std::vector<std::string> keys;
  for (const record::Field& key : schema_.aggregations[first.index].keys) {
    const bool is_stack =
        key.type.kind == record::FieldKind::kStack || key.type.kind == record::FieldKind::kUstack;
    if (!is_stack) keys.push_back(consumer::value_name(sources_, key));
  }
  output.write(exports::find_picture(options_.oformat)({&first, lost_of(drops), title_, keys}));
  return {};
}

}  // namespace dt::api
