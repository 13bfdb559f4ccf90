// See views.h.

#include "api/output/views.h"

#include <sys/utsname.h>

#include <algorithm>

#include "api/output/d_derivable.h"
#include "api/output/export.h"

namespace dt::api {

namespace {

// Each has the whole program: a recording that was forged may have a million.
constexpr std::size_t kMostDerivable = 64;

}  // namespace

bool wants_views(const Options& options, const Callbacks& callbacks) {
  return is_views(options) || callbacks.views || callbacks.metrics || callbacks.push;
}

view::LineHead line_head(std::string title, std::int64_t start_ns) {
  view::LineHead head;
  head.title = std::move(title);
  utsname names{};
  if (::uname(&names) == 0) {
    head.host = names.nodename;
    head.kernel = names.release;
  }
  head.start_ns = start_ns;
  return head;
}

Views::Views(const Callbacks& callbacks, const Options& options, const record::Schema& schema,
             const Sources& sources, const std::vector<view::View>& views, view::LineHead head,
             consumer::FileOutput& output)
    : callbacks_(callbacks), options_(options), output_(output) {
  const Traced traced{head.title, callbacks, options,       schema,
                      sources,    views,     head.start_ns, head.host};
  if (callbacks.metrics)
    metrics_.push_back(make_metrics_stream(traced, "prometheus", callbacks.metrics));
  if (callbacks.push)
    metrics_.push_back(make_metrics_stream(traced, push_format(options), callbacks.push));
  if (is_views(options) || callbacks.views) {
    for (std::size_t i = 0; i < std::min(schema.aggregations.size(), kMostDerivable); ++i) {
      head.derivable.push_back(derivable_d(schema.aggregations[i], sources));
    }
    lines_.emplace(schema, sources, views, std::move(head),
                   [this](std::string_view line) { put(line); });
  }
  if (options.oformat == "html") html_.emplace();
}

void Views::watch(consumer::Consumer& consumer, const view::Flames* base) {
  if (lines_) lines_->watch(consumer, base);
  for (const auto& metrics : metrics_) metrics->watch(consumer, output_);
}

void Views::refresh(consumer::Consumer& consumer, std::int64_t time_ns) {
  if (lines_) lines_->refresh(consumer, time_ns);
  for (const auto& metrics : metrics_) metrics->refresh(consumer, time_ns);
}

void Views::put(std::string_view line) {
  if (callbacks_.views) callbacks_.views(line);
  if (options_.oformat == "views") output_.write(line);
  if (html_) html_->add(line);
}

Status Views::finish(consumer::Consumer& consumer, std::int64_t time_ns,
                     std::span<const std::uint64_t> counters, std::int32_t status,
                     const Place& place) {
  if (lines_) DT_TRY(lines_->finish(consumer, time_ns, counters, status));
  for (const auto& metrics : metrics_) {
    DT_TRY(metrics->finish(consumer, output_, {counters, time_ns, place}));
  }
  if (!html_) return {};
  return replace_output(output_, place, html_->document());
}

}  // namespace dt::api
