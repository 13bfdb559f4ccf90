#pragma once
// Aggregations as metrics, for Prometheus, OTLP and Graphite.
//
// What adds up is counted since the start: clear() and trunc() do not make it fall. Other functions
// give their value.

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/aggregation.h"

namespace dt::exports {

struct Series {
  std::vector<std::string> labels;   // as many as the metric has
  std::int64_t value = 0;            // of functions with one number
  std::vector<std::uint64_t> words;  // of a histogram: its buckets
};

struct Metric {
  const record::AggLayout* layout = nullptr;
  std::string name;                 // "reads" of @reads; the function of @
  std::string about;                // "quantize(timestamp - self->t), in ns"
  std::string unit;                 // "ns", or ""
  std::vector<std::string> labels;  // the texts of the keys' expressions
  std::vector<Series> series;
  // The metric of sum()s of the same keys and values, or -1: then a histogram has sums.
  int sum = -1;
  // OTLP's histogram of exponents instead of one with bounds.
  bool is_native = false;
  bool is_gauge = false;  // of a sum: it is a value of now, which may fall
};

struct DropCount {
  std::string_view kind;
  std::uint32_t cpu = 0;
  std::uint64_t count = 0;
};

struct Metrics {
  std::vector<Metric> all;
  std::vector<DropCount> drops;
  std::uint64_t series_dropped = 0;
  std::string host;
  std::int64_t start_ns = 0, time_ns = 0;  // since 1970
};

// The text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/.
std::string prometheus(const Metrics& metrics);

// ExportMetricsServiceRequest of OpenTelemetry's protocol 1.
std::string otlp(const Metrics& metrics);

// A line of Graphite's plaintext protocol for each series and bucket.
std::string graphite(const Metric& metric, std::int64_t time_ns);

// Where the values of a bucket end: a number, or "" for the last one.
std::string bucket_end(const record::AggLayout& layout, std::size_t bucket);

// When a text of all metrics is due, so that readers have one that is a second old at most, if
// moments come so often: one that could wait for the next moment is left out. Prometheus scrapes
// every few seconds, so more texts would not be read.
class Pace {
 public:
  // `time_ns`: of a moment at which metrics have changed.
  bool is_due(std::int64_t time_ns);

 private:
  std::int64_t told_ns_ = 0, last_ns_ = 0;  // 0: never
};

// Gives each metric a name of its own: where two texts make the same name, the second gets a
// number.
class Names {
 public:
  Names() = default;
  // Names that nothing else may have.
  Names(std::initializer_list<std::string> reserved) : used_(reserved) {}
  // A name that nothing has, nor what it becomes with any of these behind it. All of them are its
  // own then.
  std::string unique(std::string name, std::initializer_list<std::string_view> suffixes = {});

 private:
  std::set<std::string, std::less<>> used_;
};

}  // namespace dt::exports
