// Metrics of OpenTelemetry, by the tags of opentelemetry/proto/metrics/v1: cumulative, with the
// time at which tracing began.

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include "exports/metrics.h"
#include "record/bucket_bounds.h"
#include "support/shown.h"
#include "support/tagged.h"

namespace dt::exports {
namespace {

using support::TaggedWriter;

enum MetricTag : std::uint32_t {
  kMetricName = 1,
  kAbout = 2,
  kMetricUnit = 3,
  kGauge = 5,
  kSum = 7,
  kHistogram = 9,
  kExponential = 10
};
enum PointTag : std::uint32_t {
  kStart = 2,
  kTime = 3,
  kInteger = 6,
  kAttributes = 7,
  kCountOfValues = 4,
  kSumOfValues = 5,
  kBucketCounts = 6,
  kBounds = 7,
  kHistogramAttributes = 9
};
enum ExponentialTag : std::uint32_t {
  kExponentialAttributes = 1,
  kExponentialSum = 5,
  kScale = 6,
  kZeroCount = 7,
  kPositive = 8,
  kNegative = 9
};
constexpr std::uint64_t kCumulative = 2;

// A '\' that would be read as the beginning of \ooo, which stands for another byte.
bool begins_octal(std::string_view text) {
  constexpr std::size_t kLength = 4;
  return text.size() >= kLength && text[0] == '\\' &&
         std::ranges::all_of(text.substr(1, kLength - 1),
                             [](char c) { return c >= '0' && c <= '7'; });
}

// The one way in which values get in: they must be UTF-8, and those of two keys must differ.
std::string value_text(std::string_view value) {
  std::string out;
  while (!value.empty()) {
    const std::size_t begin = begins_octal(value) ? 1 : 0;
    if (begin != 0) support::append_octal(out, '\\');
    const std::size_t end = std::min(value.find('\\', 1), value.size());
    support::append_name(out, value.substr(begin, end - begin));
    value.remove_prefix(end);
  }
  return out;
}

void put_attribute(TaggedWriter& to, std::uint32_t tag, std::string_view name,
                   std::string_view value) {
  to.within(tag, [&](TaggedWriter& pair) {
    pair.text(1, support::shown_name(name));
    pair.within(2, [&](TaggedWriter& any) { any.text(1, value_text(value)); });
  });
}

class Request {
 public:
  explicit Request(const Metrics& metrics) : metrics_(metrics) {}

  std::string bytes() {
    std::string out;
    TaggedWriter request(out);
    request.within(1, [&](TaggedWriter& resource) {
      resource.within(1, [&](TaggedWriter& attributes) {
        put_attribute(attributes, 1, "service.name", "dtrace");
        if (!metrics_.host.empty()) put_attribute(attributes, 1, "host.name", metrics_.host);
      });
      resource.within(2, [&](TaggedWriter& scope) {
        scope.within(1, [](TaggedWriter& name) { name.text(1, "dtrace"); });
        for (const Metric& metric : metrics_.all) {
          scope.within(2, [&](TaggedWriter& one) { put(one, metric); });
        }
        put_drops(scope);
      });
    });
    return out;
  }

 private:
  void put_times(TaggedWriter& point) const {
    point.fixed(kStart, static_cast<std::uint64_t>(metrics_.start_ns));
    point.fixed(kTime, static_cast<std::uint64_t>(metrics_.time_ns));
  }

  void put_number(TaggedWriter& points, std::int64_t value,
                  const std::function<void(TaggedWriter&)>& attributes) const {
    points.within(1, [&](TaggedWriter& point) {
      put_times(point);
      point.fixed(kInteger, static_cast<std::uint64_t>(value));
      attributes(point);
    });
  }

  void put(TaggedWriter& one, const Metric& metric) {
    const record::AggFunc func = metric.layout->func;
    one.text(kMetricName, names_.unique(support::shown_name("dtrace." + metric.name)));
    one.text(kAbout, support::shown_name(metric.about));
    one.text_unless_empty(kMetricUnit, metric.unit);
    const auto each = [&](TaggedWriter& points) {
      for (const Series& series : metric.series) {
        put_number(points, series.value,
                   [&](TaggedWriter& point) { put_labels(point, kAttributes, metric, series); });
      }
    };
    if (metric.is_native) {
      one.within(kExponential, [&](TaggedWriter& points) {
        for (const Series& series : metric.series) put_exponential(points, metric, series);
        points.number(2, kCumulative);
      });
    } else if (record::is_histogram(func)) {
      one.within(kHistogram, [&](TaggedWriter& points) {
        for (const Series& series : metric.series) put_histogram(points, metric, series);
        points.number(2, kCumulative);
      });
    } else if (!metric.is_gauge &&
               (func == record::AggFunc::kCount || func == record::AggFunc::kSum)) {
      one.within(kSum, [&](TaggedWriter& points) {
        each(points);
        points.number(2, kCumulative);
        points.number_unless_0(3, func == record::AggFunc::kCount ? 1 : 0);  // it never falls
      });
    } else {
      one.within(kGauge, each);
    }
  }

  // No two attributes of a point may have the same name.
  static void put_labels(TaggedWriter& point, std::uint32_t tag, const Metric& metric,
                         const Series& series) {
    Names unique;
    for (std::size_t i = 0; i < metric.labels.size() && i < series.labels.size(); ++i) {
      const std::string name =
          metric.labels[i].empty() ? "key" : support::shown_name(metric.labels[i]);
      put_attribute(point, tag, unique.unique(name), series.labels[i]);
    }
  }

  void put_histogram(TaggedWriter& points, const Metric& metric, const Series& series) const {
    std::uint64_t count = 0;
    std::string counts, bounds;
    const record::BucketBounds ends(*metric.layout);
    for (std::size_t i = 0; i < series.words.size(); ++i) {
      count += series.words[i];
      support::append_fixed(counts, series.words[i]);
      // A bound belongs to the bucket below it, and values are whole numbers. Beyond 2^53 the
      // nearest double stands for it.
      if (i + 1 == series.words.size()) break;
      support::append_fixed(bounds,
                            std::bit_cast<std::uint64_t>(static_cast<double>(ends.of(i).high)));
    }
    points.within(1, [&](TaggedWriter& point) {
      put_times(point);
      point.fixed(kCountOfValues, count);
      put_sum(point, kSumOfValues, metric, series);
      point.text(kBucketCounts, counts);
      point.text(kBounds, bounds);
      put_labels(point, kHistogramAttributes, metric, series);
    });
  }

  void put_sum(TaggedWriter& point, std::uint32_t tag, const Metric& metric,
               const Series& series) const {
    if (metric.sum < 0) return;
    for (const Series& sum : metrics_.all[static_cast<std::size_t>(metric.sum)].series) {
      if (sum.labels != series.labels) continue;
      point.fixed(tag, std::bit_cast<std::uint64_t>(static_cast<double>(sum.value)));
    }
  }

  // The counts from the first one that is not 0 to the last, by exponent.
  static void put_exponents(TaggedWriter& point, std::uint32_t tag,
                            const std::map<int, std::uint64_t>& counts) {
    if (counts.empty()) return;
    point.within(tag, [&](TaggedWriter& buckets) {
      const int first = counts.begin()->first, last = counts.rbegin()->first;
      std::string all;
      for (int exponent = first; exponent <= last; ++exponent) {
        const auto found = counts.find(exponent);
        support::append_varint(all, found == counts.end() ? 0 : found->second);
      }
      buckets.number(1, support::folded_sign(first));
      buckets.text(2, all);
    });
  }

  // Scale 0: bucket k has the values beyond 2^k up to 2^(k+1). Those of quantize() are from 2^k to
  // 2^(k+1) - 1, so a power of two is one bucket higher than a reader expects it; all counts are
  // right.
  void put_exponential(TaggedWriter& points, const Metric& metric, const Series& series) const {
    std::uint64_t count = 0, zeros = 0;
    std::map<int, std::uint64_t> positive, negative;
    const record::BucketBounds ends(*metric.layout);
    for (std::size_t i = 0; i < series.words.size(); ++i) {
      if (series.words[i] == 0) continue;
      count += series.words[i];
      const record::BucketBounds::Ends bucket = ends.of(i);
      const auto exponent = [](std::int64_t least) {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(least))) - 1;
      };
      if (bucket.low > 0) {
        positive[exponent(bucket.low)] += series.words[i];
      } else if (bucket.high < 0) {
        negative[exponent(-bucket.high)] += series.words[i];
      } else {
        zeros += series.words[i];
      }
    }
    points.within(1, [&](TaggedWriter& point) {
      put_times(point);
      point.fixed(kCountOfValues, count);
      put_sum(point, kExponentialSum, metric, series);
      point.number(kScale, support::folded_sign(0));
      point.fixed(kZeroCount, zeros);
      put_exponents(point, kPositive, positive);
      put_exponents(point, kNegative, negative);
      put_labels(point, kExponentialAttributes, metric, series);
    });
  }

  void put_drops(TaggedWriter& scope) const {
    scope.within(2, [&](TaggedWriter& one) {
      one.text(kMetricName, kDrops);
      one.within(kSum, [&](TaggedWriter& points) {
        for (const DropCount& drop : metrics_.drops) {
          put_number(points, static_cast<std::int64_t>(drop.count), [&](TaggedWriter& point) {
            put_attribute(point, kAttributes, "kind", drop.kind);
            put_attribute(point, kAttributes, "cpu", std::to_string(drop.cpu));
          });
        }
        points.number(2, kCumulative);
        points.number(3, 1);
      });
    });
    scope.within(2, [&](TaggedWriter& one) {
      one.text(kMetricName, kSeriesDropped);
      one.within(kSum, [&](TaggedWriter& points) {
        put_number(points, static_cast<std::int64_t>(metrics_.series_dropped),
                   [](TaggedWriter&) {});
        points.number(2, kCumulative);
        points.number(3, 1);
      });
    });
  }

  static constexpr const char* kDrops = "dtrace.drops";
  static constexpr const char* kSeriesDropped = "dtrace.series_dropped";
  const Metrics& metrics_;
  Names names_ = {kDrops, kSeriesDropped};
};

}  // namespace

std::string otlp(const Metrics& metrics) { return Request(metrics).bytes(); }

}  // namespace dt::exports
