// agghist, aggpack, aggpercpu and block characters, to the blank.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "consumer/aggregation/bar.h"
#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

constexpr FieldType kName{FieldKind::kString, 16, true};
constexpr const char* kDashes = "  ------------- Distribution ------------- count    \n";

std::string name(const std::string& text) { return text + std::string(16 - text.size(), '\0'); }

std::string bar(const std::string& key, std::size_t width, std::size_t length,
                const std::string& count) {
  return std::string(width - key.size(), ' ') + key + " |" + std::string(length, '@') +
         std::string(40 - length, ' ') + " " + count + std::string(9 - count.size(), ' ') + "\n";
}

std::string drawn(Trial& run) {
  run.consumer().print_aggregations();
  return run.text();
}

TEST(AggHist, ShowsKeysAsBarsOfTheLargest) {
  Trial run;
  run.options.agg_hist = true;
  const std::uint32_t agg = run.aggregation(AggFunc::kCount, {kName});
  run.source.add(agg, name("SOAP/XML"), {1});
  run.source.add(agg, name("XACML store"), {5});
  run.source.add(agg, name("other"), {6});
  EXPECT_EQ(drawn(run), "\n\n              key" + std::string(kDashes) +
                            bar("SOAP/XML", 17, 6, "1") + bar("XACML store", 17, 32, "5") +
                            bar("other", 17, 38, "6"));
}

TEST(AggHist, HasNoColumnForKeysThatAreNotThere) {
  Trial run;
  run.options.agg_hist = true;
  run.source.add(run.aggregation(AggFunc::kSum, {}), "", {10});
  EXPECT_EQ(drawn(run), "\n\n" + std::string(kDashes) + bar("", 0, 38, "10"));
}

TEST(AggHist, ShowsNumbersInTheColumnsOfTheirSize) {
  Trial run;
  run.options.agg_hist = true;
  const std::uint32_t agg = run.aggregation(AggFunc::kSum, {int_type(4), int_type(1)});
  run.source.add(agg, int_bytes(7, 4) + int_bytes(2, 4), {10});
  EXPECT_EQ(drawn(run), "\n\n          key" + std::string(kDashes) + "        7   2 |" +
                            std::string(38, '@') + "   10       \n");
}

TEST(AggHist, LeavesOtherFunctionsAndStacksAsTheyAre) {
  Trial run;
  run.options.agg_hist = true;
  run.source.add(run.aggregation(AggFunc::kMin, {kName}), name("a"), {5 ^ record::kMinBias});
  run.source.add(run.aggregation(AggFunc::kCount, {type(FieldKind::kStack, 8)}, {}, "s"),
                 word_bytes({0x1010}), {5});
  EXPECT_EQ(drawn(run), "\n  a" + std::string(49, ' ') + " " + std::string(15, ' ') +
                            "5\n\n              vmlinux`f+0x10\n                5\n");
}

TEST(AggPack, ShowsOneHistogramOnALine) {
  Trial run;
  run.options.agg_pack = true;
  const std::uint32_t agg = run.aggregation(AggFunc::kQuantize, {int_type(4)});
  std::vector<std::uint64_t> words(record::kQuantizeBuckets);
  words[record::quantize_bucket(0)] = 99;
  words[record::quantize_bucket(1)] = 1;
  run.source.add(agg, int_bytes(100), words);
  EXPECT_EQ(drawn(run),
            "\n\n      key  min .---. max  | count\n"
            "      100    0 :X_ : 2    | 100\n");
}

TEST(AggPack, ShowsEveryKeyOverTheSameBuckets) {
  Trial run;
  run.options.agg_pack = true;
  record::AggParams params;
  params.base = 0;
  params.limit = 100000;
  params.step = 10000;
  const std::uint32_t agg = run.aggregation(AggFunc::kLquantize, {kName}, params);
  const auto words = [&](std::initializer_list<std::pair<std::int64_t, std::int64_t>> counts) {
    std::vector<std::uint64_t> out(record::value_words(AggFunc::kLquantize, params));
    for (const auto& [value, count] : counts) {
      out[record::lquantize_bucket(params, value)] = static_cast<std::uint64_t>(count);
    }
    return out;
  };
  run.source.add(agg, name("a"), words({{-1, 3}, {20000, 1}}));
  run.source.add(agg, name("b"), words({{99999, 50}, {0, -50}}));
  EXPECT_EQ(drawn(run),
            "\n\n              key     min .------------. max       | count\n"
            "                a     < 0 :x  x        : >= 100000 | 4\n"
            "                b     < 0 : v        x : >= 100000 | 0\n");
}

TEST(AggPack, ShowsAllBucketsOfLquantizeAndNoColumnForNoKey) {
  Trial run;
  run.options.agg_pack = true;
  record::AggParams params;
  params.base = 0;
  params.limit = 5;
  params.step = 1;
  const std::uint32_t agg = run.aggregation(AggFunc::kLquantize, {}, params);
  std::vector<std::uint64_t> words(record::value_words(AggFunc::kLquantize, params));
  words[record::lquantize_bucket(params, 3)] = 2;
  run.source.add(agg, "", words);
  EXPECT_EQ(drawn(run),
            "\n\n     min .-------. max      | count\n"
            "     < 0 :    X  : >= 5     | 2\n");
}

TEST(AggPack, UsesBlockCharactersForUtf8) {
  Trial run;
  run.options.agg_pack = true;
  run.options.utf8 = true;
  const std::uint32_t agg = run.aggregation(AggFunc::kQuantize, {int_type(4)});
  std::vector<std::uint64_t> words(record::kQuantizeBuckets);
  words[record::quantize_bucket(0)] = 99;
  words[record::quantize_bucket(1)] = 1;
  run.source.add(agg, int_bytes(100), words);
  EXPECT_EQ(drawn(run),
            "\n\n      key  min .---. max  | count\n"
            "      100    0 :\u2588\u2581 : 2    | 100\n");
}

TEST(Bars, ShowEighthsWithBlockCharacters) {
  BarScale scale(BarStyle{false, true});
  scale.add(319);
  scale.add(1);
  std::string out;
  append_bar(out, 1, scale);
  EXPECT_EQ(out, "|\u258f" + std::string(39, ' '));
  out.clear();
  append_bar(out, 319, scale);
  std::string whole;
  for (int i = 0; i < 39; ++i) {
    whole += "\u2588";
  }
  EXPECT_EQ(out, "|" + whole + "\u2589");
  out.clear();
  append_bar(out, 0, scale);
  EXPECT_EQ(out, "|" + std::string(40, ' '));
}

TEST(Bars, TruncateEighths) {
  BarScale scale(BarStyle{false, true});
  scale.add(1000);
  std::string out;
  append_bar(out, 999, scale);  // 319.68 eighths
  std::string whole;
  for (int i = 0; i < 39; ++i) {
    whole += "\u2588";
  }
  EXPECT_EQ(out, "|" + whole + "\u2589");
}

// As after the second ^C: what is left is not made, in whatever form it was to be.
TEST(GivingUp, EndsDrawingsAndFormatsLikeRows) {
  constexpr int kKeys = 1000;
  const auto lines_of = [](bool gives_up, AggFunc func, const std::function<void(Options&)>& set) {
    Trial run;
    set(run.options);
    const std::uint32_t agg = run.aggregation(func, {int_type(4)});
    std::vector<std::uint64_t> words(func == AggFunc::kQuantize ? record::kQuantizeBuckets : 1);
    words[0] = 1;
    for (int i = 0; i < kKeys; ++i) run.source.add(agg, int_bytes(static_cast<unsigned>(i)), words);
    if (gives_up) run.consumer().give_up_when([] { return true; });
    const std::string text = drawn(run);
    return std::count(text.begin(), text.end(), '\n');
  };
  const auto bars = [](Options& options) { options.agg_hist = true; };
  const auto packed = [](Options& options) { options.agg_pack = true; };
  const auto rows = [](Options&) {};
  EXPECT_GE(lines_of(false, AggFunc::kCount, bars), kKeys);
  EXPECT_LT(lines_of(true, AggFunc::kCount, bars), kKeys);
  EXPECT_GE(lines_of(false, AggFunc::kQuantize, packed), kKeys);
  EXPECT_LT(lines_of(true, AggFunc::kQuantize, packed), kKeys);
  EXPECT_GE(lines_of(false, AggFunc::kCount, rows), kKeys);
  EXPECT_LT(lines_of(true, AggFunc::kCount, rows), kKeys);
}

TEST(GivingUp, EndsAFormatOfPrinta) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kCount, {int_type(4)});
  for (unsigned i = 0; i < 1000; ++i) run.source.add(agg, int_bytes(i), {1});
  const std::uint32_t epid = run.clause(ActionKind::kPrinta, {}, "%d %@d\n", {agg});
  run.consumer().give_up_when([] { return true; });
  run.consume(epid);
  EXPECT_EQ(run.text(), "");
  EXPECT_TRUE(run.consumer().has_given_up());
}

TEST(AggPerCpu, ShowsWhatEachCpuContributed) {
  Trial run;
  run.options.agg_per_cpu = true;
  const std::uint32_t agg = run.aggregation(AggFunc::kSum, {kName});
  run.source.add(agg, name("a"), {5, 0, UINT64_MAX});
  run.source.add(agg, name("b"), {0, 7, 0});
  const std::string blank(15, ' ');
  EXPECT_EQ(drawn(run), "\n  a" + std::string(49, ' ') + " " + blank + "4\n    [CPU 0] " + blank +
                            "5\n    [CPU 2] " + std::string(14, ' ') + "-1\n  b" +
                            std::string(49, ' ') + " " + blank + "7\n    [CPU 1] " + blank + "7\n");
}

}  // namespace
}  // namespace dt::consumer::testing
