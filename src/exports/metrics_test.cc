#include "exports/metrics.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace dt::exports {
namespace {

class MetricsTest : public testing::Test {
 protected:
  MetricsTest() {
    sizes_.func = record::AggFunc::kQuantize;
    sizes_.value_words = record::value_words(sizes_.func, {});
    reads_.value_words = 1;
  }
  std::vector<std::uint64_t> buckets(const std::vector<std::int64_t>& values) const {
    std::vector<std::uint64_t> words(sizes_.value_words);
    for (const std::int64_t value : values) ++words[record::quantize_bucket(value)];
    return words;
  }

  record::AggLayout reads_, sizes_;
};

TEST_F(MetricsTest, BoundsOfBucketsAreExact) {
  Metrics metrics;
  metrics.all.push_back({&sizes_,
                         "sizes",
                         "quantize(arg2)",
                         "",
                         {"execname"},
                         {{{"cat"}, 0, buckets({-3, 0, 1, 4, 7, 8})}}});
  const std::string text = prometheus(metrics);
  for (const char* const line :
       {"# TYPE dtrace_sizes histogram\n", "{execname=\"cat\",le=\"-4\"} 0\n",
        "{execname=\"cat\",le=\"-2\"} 1\n", "{execname=\"cat\",le=\"-1\"} 1\n",
        "{execname=\"cat\",le=\"0\"} 2\n", "{execname=\"cat\",le=\"1\"} 3\n",
        "{execname=\"cat\",le=\"3\"} 3\n", "{execname=\"cat\",le=\"7\"} 5\n",
        "{execname=\"cat\",le=\"15\"} 6\n", "{execname=\"cat\",le=\"+Inf\"} 6\n",
        "dtrace_sizes_count{execname=\"cat\"} 6\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_EQ(text.find("_sum"), std::string::npos);
  EXPECT_EQ(text.find("le=\"31\""), std::string::npos);
}

TEST_F(MetricsTest, AHistogramHasTheSumsOfTheSameValues) {
  Metrics metrics;
  metrics.all.push_back({&reads_, "bytes", "sum(arg2)", "", {}, {{{}, 19, {}}}});
  metrics.all.push_back(
      {&sizes_, "sizes", "quantize(arg2)", "", {}, {{{}, 0, buckets({4, 7, 8})}}, 0});
  EXPECT_NE(prometheus(metrics).find("dtrace_sizes_sum 19\ndtrace_sizes_count 3\n"),
            std::string::npos);
}

TEST_F(MetricsTest, ASumOfNowIsAGauge) {
  Metrics metrics;
  reads_.func = record::AggFunc::kSum;
  metrics.all.push_back({&reads_, "level", "value()", "", {}, {{{}, -3, {}}}});
  const std::string sum = otlp(metrics);
  metrics.all[0].is_gauge = true;
  EXPECT_NE(prometheus(metrics).find("# TYPE dtrace_level gauge\ndtrace_level -3\n"),
            std::string::npos);
  // Of a gauge (5) neither the temporality of a sum (7) is there, nor whether it falls.
  EXPECT_EQ(otlp(metrics).size() + 2, sum.size());
}

TEST_F(MetricsTest, PrometheusIsNotMisledByTexts) {
  Metrics metrics;
  std::string every;
  for (int c = 1; c < 256; ++c) every += static_cast<char>(c);
  metrics.all.push_back({&reads_,
                         "reads",
                         "count()",
                         "",
                         {"args[0]->name", "args[0].name", "le", ""},
                         {{{every, "a\"b\\c\nd", "x", "\xff\u202e"}, 5, {}}}});
  const std::string text = prometheus(metrics);
  EXPECT_NE(text.find("args_0_name_2=\"a\\\"b\\\\c\\nd\",le_2=\"x\",key=\"\\\\xff\\\\xe2\\\\x80"
                      "\\\\xae\"} 5\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("dtrace_reads_total{args_0_name=\"\\\\x01"), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 32);
}

// By a reader that knows nothing of OTLP: how often a text is there.
std::size_t count_of(const std::string& bytes, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = bytes.find(text, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST_F(MetricsTest, NoMetricHasTheNameOfAnotherOneOrOfItsSeries) {
  Metrics metrics;
  for (const char* const name : {"q_count", "drops", "series_dropped"}) {
    metrics.all.push_back({&reads_, name, "count()", "", {}, {{{}, 1, {}}}});
  }
  record::AggLayout most;
  most.func = record::AggFunc::kMax;
  most.value_words = 1;
  metrics.all.push_back({&most, "r_sum", "max(1)", "", {}, {{{}, 1, {}}}});
  for (const char* const name : {"q", "r"}) {
    metrics.all.push_back({&sizes_, name, "quantize(1)", "", {}, {{{}, 0, buckets({4})}}});
  }
  metrics.all.push_back({&most, "q_bucket", "max(1)", "", {}, {{{}, 1, {}}}});
  metrics.drops = {{"principal", 0, 0}};
  const std::string text = prometheus(metrics);
  for (const char* const type :
       {"dtrace_q_count_total counter\n", "dtrace_drops_total_2 counter\n",
        "dtrace_series_dropped_total_2 counter\n", "dtrace_r_sum gauge\n", "dtrace_q histogram\n",
        "dtrace_r_2 histogram\n", "dtrace_q_bucket_2 gauge\n", "dtrace_drops_total counter\n",
        "dtrace_series_dropped_total counter\n"}) {
    EXPECT_EQ(count_of(text, "# TYPE " + std::string(type)), 1U) << type << text;
  }
  const std::string bytes = otlp(metrics);
  for (const char* const name : {"dtrace.drops", "dtrace.series_dropped"}) {
    EXPECT_EQ(count_of(bytes, name), 2U) << name;
    EXPECT_EQ(count_of(bytes, std::string(name) + "_2"), 1U) << name;
  }
}

TEST_F(MetricsTest, NoTwoAttributesOfAPointHaveOneName) {
  Metrics metrics;
  metrics.all.push_back(
      {&reads_, "reads", "count()", "", {"cpu", "cpu", ""}, {{{"1", "2", "3"}, 5, {}}}});
  const std::string bytes = otlp(metrics);
  EXPECT_EQ(count_of(bytes,
                     "cpu\x12\x03\x0a\x01"
                     "1"),
            1U);
  EXPECT_EQ(count_of(bytes,
                     "cpu_2\x12\x03\x0a\x01"
                     "2"),
            1U);
  EXPECT_EQ(count_of(bytes,
                     "key\x12\x03\x0a\x01"
                     "3"),
            1U);
}

TEST_F(MetricsTest, NoTwoKeysHaveOneLabel) {
  Metrics metrics;
  metrics.all.push_back({&reads_,
                         "reads",
                         "count()",
                         "",
                         {"key"},
                         {{{"\t"}, 1, {}},
                          {{"\\x09"}, 2, {}},
                          {{"\\x5cx09"}, 3, {}},
                          {{"\\011"}, 4, {}},
                          {{"\\134011"}, 5, {}},
                          {{"a\\b"}, 6, {}}}});
  const std::string text = prometheus(metrics), bytes = otlp(metrics);
  for (const char* const label :
       {"\\\\x09", "\\\\x5cx09", "\\\\x5cx5cx09", "\\\\011", "\\\\134011", "a\\\\b"}) {
    EXPECT_EQ(count_of(text, fmt::format("{{key=\"{}\"}}", label)), 1U) << label << text;
  }
  for (const std::string label :
       {"\\011", "\\x09", "\\x5cx09", "\\134011", "\\134134011", "a\\b"}) {
    EXPECT_EQ(count_of(bytes, static_cast<char>(label.size()) + label), 1U) << label;
  }
}

TEST_F(MetricsTest, GraphiteHasOnePathForOneKey) {
  const Metric metric{&reads_, "a_b",      "count()",
                      "",      {"x", "y"}, {{{"a.b", "c d"}, 1, {}}, {{"a_2eb", ""}, 2, {}}}};
  EXPECT_EQ(graphite(metric, 1'700'000'000'999'999'999),
            "dtrace.a_5fb.a_2eb.c_20d 1 1700000000\ndtrace.a_5fb.a_5f2eb._ 2 1700000000\n");
}

TEST_F(MetricsTest, GraphiteHasTheBucketsByTheirBeginning) {
  const Metric metric{&sizes_, "q", "", "", {}, {{{}, 0, buckets({-5, 0, 1023, 1024})}}};
  EXPECT_EQ(graphite(metric, 0),
            "dtrace.q.from-7 1 0\ndtrace.q.from0 1 0\ndtrace.q.from512 1 0\n"
            "dtrace.q.from1024 1 0\n");
}

// Moments as a tick gives them, each a little late; how far texts are apart, in ms.
std::vector<std::int64_t> paces(std::int64_t every_ms, const std::vector<std::int64_t>& late_us) {
  Pace pace;
  std::vector<std::int64_t> out;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < late_us.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i + 1);
    const std::int64_t now = (number * every_ms * 1000 + late_us[i]) * 1000;
    if (!pace.is_due(now)) continue;
    if (last != 0) out.push_back((now - last + 500'000) / 1'000'000);
    last = now;
  }
  return out;
}

TEST(PaceTest, ATextIsASecondOldAtMost) {
  using Lengths = std::vector<std::int64_t>;
  // A moment that is early by a little has its text, too: the next would be late by all of a tick.
  EXPECT_EQ(paces(1000, {900, 100, 800, 0}), (Lengths{999, 1001, 999}));
  EXPECT_EQ(paces(750, {0, 0, 0}), (Lengths{750, 750}));
  EXPECT_EQ(paces(5000, {0, 0, 0}), (Lengths{5000, 5000}));
  for (const std::int64_t length : paces(250, {90, 20, 50, 0, 10, 80, 60, 30, 70, 40, 0, 20})) {
    EXPECT_GE(length, 750);
    EXPECT_LE(length, 1000);
  }
  // Ten a millisecond are not ten texts a millisecond.
  EXPECT_EQ(paces(1, std::vector<std::int64_t>(3001)).size(), 3U);
}

TEST(PaceTest, AClockThatIsSetBackMakesNoPause) {
  Pace pace;
  EXPECT_TRUE(pace.is_due(9'000'000'000));
  EXPECT_TRUE(pace.is_due(2'000'000'000));
  EXPECT_TRUE(pace.is_due(3'000'000'000));
}

}  // namespace
}  // namespace dt::exports
