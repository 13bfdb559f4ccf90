// The text that Prometheus reads. Values are whole numbers, so the upper bounds of buckets are
// exact: the bucket [2^k, 2^(k+1)) of quantize() has le="2^(k+1) - 1".

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "exports/metrics.h"
#include "record/bucket_bounds.h"
#include "support/shown.h"

namespace dt::exports {
namespace {

// [a-zA-Z_][a-zA-Z0-9_]*, without "__" at the front, which is Prometheus' own.
std::string name_of(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_digit = c >= '0' && c <= '9';
    if (is_letter || is_digit) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  if (name.empty()) return "key";
  return name.front() >= '0' && name.front() <= '9' ? "_" + name : name;
}

// A '\' that would be read as the beginning of \xNN.
bool begins_escape(std::string_view text) {
  constexpr std::size_t kLength = 4;
  return text.size() >= kLength && text.starts_with("\\x") &&
         std::isxdigit(static_cast<unsigned char>(text[2])) != 0 &&
         std::isxdigit(static_cast<unsigned char>(text[3])) != 0;
}

// The one way in which texts get in, as the value of a label or as help, where quotes are
// themselves. What is no UTF-8 and control characters are \xNN, and so is a '\' that seems to begin
// one: series of two keys must differ.
std::string text_of(std::string_view text, bool is_help = false) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    std::uint32_t code = static_cast<unsigned char>(c);
    const std::size_t length = code < 0x80 ? 1 : support::utf8_length(text, &code);
    const std::size_t taken = std::max<std::size_t>(length, 1);
    if (!is_help && begins_escape(text)) {
      out += "\\\\x5c";
    } else if (c == '\\' || (c == '"' && !is_help)) {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (length == 0 || support::is_control(code)) {
      for (const char byte : text.substr(0, taken)) {
        out += fmt::format("\\\\x{:02x}", static_cast<unsigned char>(byte));
      }
    } else {
      out += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return out;
}

const char* type_of(const Metric& metric) {
  const record::AggFunc func = metric.layout->func;
  if (record::is_histogram(func)) return "histogram";
  if (metric.is_gauge) return "gauge";
  return func == record::AggFunc::kCount || func == record::AggFunc::kSum ? "counter" : "gauge";
}

class Exposition {
 public:
  std::string text(const Metrics& metrics) {
    for (const Metric& metric : metrics.all) put(metrics, metric);
    put_drops(metrics);
    head(kSeriesDropped, "counter", "Keys that are added up as (other)");
    out_ += fmt::format("{} {}\n", kSeriesDropped, metrics.series_dropped);
    return std::move(out_);
  }

 private:
  void head(const std::string& name, const char* type, std::string_view about) {
    out_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, text_of(about, true), name, type);
  }

  // "{execname=\"cat\",cpu=\"0\""
  static std::string labels_of(const std::vector<std::string>& names, const Series& series) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < series.labels.size(); ++i) {
      text += fmt::format("{}{}=\"{}\"", i == 0 ? "" : ",", names[i], text_of(series.labels[i]));
    }
    return text;
  }
  static std::string braced(const std::string& labels) {
    return labels.empty() ? "" : "{" + labels + "}";
  }

  void put(const Metrics& metrics, const Metric& metric) {
    const char* const type = type_of(metric);
    std::string name = "dtrace_" + name_of(metric.name);
    if (std::string_view(type) == "counter" && !name.ends_with("_total")) name += "_total";
    // A histogram is several series.
    name = record::is_histogram(metric.layout->func)
               ? names_.unique(std::move(name), {"_bucket", "_sum", "_count"})
               : names_.unique(std::move(name));
    head(name, type, metric.about);
    Names unique;
    unique.unique("le");
    std::vector<std::string> labels;
    for (const std::string& label : metric.labels) labels.push_back(unique.unique(name_of(label)));
    if (!record::is_histogram(metric.layout->func)) {
      for (const Series& series : metric.series) {
        out_ += fmt::format("{}{} {}\n", name, braced(labels_of(labels, series)), series.value);
      }
      return;
    }
    // All series have the same buckets, or a query over them would compare different ones.
    std::size_t first = metric.layout->value_words, last = 0;
    for (const Series& series : metric.series) {
      for (std::size_t i = 0; i < series.words.size(); ++i) {
        if (series.words[i] == 0) continue;
        first = std::min(first, i);
        last = std::max(last, i);
      }
    }
    for (const Series& series : metric.series) {
      put_histogram(metrics, metric, {name, labels_of(labels, series), first, last}, series);
    }
  }

  // How the histogram of a series is written.
  struct Histogram {
    const std::string& name;
    std::string labels;       // "cpu=\"0\",comm=\"bash\""
    std::size_t first, last;  // buckets
  };

  void put_histogram(const Metrics& metrics, const Metric& metric, const Histogram& as,
                     const Series& series) {
    const auto& [name, labels, first, last] = as;
    std::uint64_t below = 0;
    const std::string before = labels.empty() ? "" : labels + ",";
    for (std::size_t i = 0; i < series.words.size(); ++i) {
      below += series.words[i];
      const std::string end = bucket_end(*metric.layout, i);
      // The one below the first bucket says that nothing is there.
      if (i + 1 < first || i > last || end.empty()) continue;
      out_ += fmt::format("{}_bucket{{{}le=\"{}\"}} {}\n", name, before, end, below);
    }
    out_ += fmt::format("{}_bucket{{{}le=\"+Inf\"}} {}\n", name, before, below);
    if (metric.sum >= 0) {
      const std::vector<Series>& sums = metrics.all[static_cast<std::size_t>(metric.sum)].series;
      const auto found = std::ranges::find(sums, series.labels, &Series::labels);
      if (found != sums.end()) {
        out_ += fmt::format("{}_sum{} {}\n", name, braced(labels), found->value);
      }
    }
    out_ += fmt::format("{}_count{} {}\n", name, braced(labels), below);
  }

  void put_drops(const Metrics& metrics) {
    head(kDrops, "counter", "What was lost, by kind and CPU");
    for (const DropCount& drop : metrics.drops) {
      out_ +=
          fmt::format("{}{{kind=\"{}\",cpu=\"{}\"}} {}\n", kDrops, drop.kind, drop.cpu, drop.count);
    }
  }

  static constexpr const char* kDrops = "dtrace_drops_total";
  static constexpr const char* kSeriesDropped = "dtrace_series_dropped_total";
  std::string out_;
  Names names_ = {kDrops, kSeriesDropped};
};

}  // namespace

std::string Names::unique(std::string name, std::initializer_list<std::string_view> suffixes) {
  std::string wanted = name;
  const auto with = [&](std::string_view suffix) { return wanted + std::string(suffix); };
  const auto is_used = [&] {
    return used_.contains(wanted) || std::ranges::any_of(suffixes, [&](std::string_view suffix) {
             return used_.contains(with(suffix));
           });
  };
  for (int i = 2; is_used(); ++i) wanted = fmt::format("{}_{}", name, i);
  used_.insert(wanted);
  for (const std::string_view suffix : suffixes) used_.insert(with(suffix));
  return wanted;
}

bool Pace::is_due(std::int64_t time_ns) {
  constexpr std::int64_t kOldest = 1'000'000'000;
  const std::int64_t waited = time_ns - told_ns_;
  // The next moment is expected as far from this one as this one is from the last.
  const std::int64_t length = time_ns - std::exchange(last_ns_, time_ns);
  const bool is_set_back = waited < 0 || length < 0;
  if (told_ns_ != 0 && !is_set_back && waited + length <= kOldest) return false;
  told_ns_ = time_ns;
  return true;
}

std::string bucket_end(const record::AggLayout& layout, std::size_t bucket) {
  if (bucket + 1 == layout.value_words) return "";
  return std::to_string(record::BucketBounds(layout).of(bucket).high);
}

std::string prometheus(const Metrics& metrics) { return Exposition().text(metrics); }

}  // namespace dt::exports
