// Aggregations: values, order, joins.

#include "consumer/aggregation/aggregations_test.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <tuple>

#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

constexpr std::uint64_t kMin = record::kMinBias;
constexpr std::uint64_t kMax = record::kMaxBias;

std::string line(const std::string& key, const std::string& value) {
  return "  " + key + std::string(50 - key.size(), ' ') + " " +
         std::string(16 - value.size(), ' ') + value + "\n";
}

// The words of stddev() of such values behind 2025-11-24, in ns.
std::vector<std::uint64_t> large_stddev(const std::vector<std::uint64_t>& offsets) {
  __extension__ typedef unsigned __int128 Wide;
  Wide sum = 0, squares = 0;
  for (const std::uint64_t offset : offsets) {
    const Wide value = 1'764'000'000'000'000'000 + offset;
    sum += value;
    squares += value * value;
  }
  return {offsets.size(), static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(sum >> 64),
          static_cast<std::uint64_t>(squares), static_cast<std::uint64_t>(squares >> 64)};
}
std::vector<std::uint64_t> milliseconds(std::uint64_t count) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(i * 1'000'000);
  return all;
}

TEST(Aggregations, AtTheEndEachIsPrintedAfterANewline) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kCount, {kName, int_type(4)});
  run.source.add(agg, name("sh") + int_bytes(46569), {3, 4});
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(),
            "\n  sh                                                    46569                7\n");
}

TEST(Aggregations, WithoutDataOnlyTheNewlineIsPrinted) {
  Trial run;
  run.aggregation(AggFunc::kCount, {kName});
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(), "\n");
}

TEST(Aggregations, AKeylessOneIsItsValue) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kCount, {});
  run.source.add(agg, "", {1, 41});
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(), "\n               42\n");
}

TEST(Aggregations, MergeOverCpusByTheirFunction) {
  const struct {
    AggFunc func;
    std::vector<std::uint64_t> words;
    const char* value;
  } kTable[] = {
      {AggFunc::kCount, {1, 2, 0}, "3"},
      {AggFunc::kSum, {neg(-10), 3}, "-7"},
      {AggFunc::kMin, {5 ^ kMin, 0, 9 ^ kMin}, "5"},
      {AggFunc::kMin, {neg(-5) ^ kMin, 0, 9 ^ kMin}, "-5"},
      {AggFunc::kMin, {0, 0}, "9223372036854775807"},
      {AggFunc::kMax, {neg(-5) ^ kMax, 0, neg(-9) ^ kMax}, "-5"},
      {AggFunc::kMax, {5 ^ kMax, 7 ^ kMax}, "7"},
      {AggFunc::kAvg, {2, 10, 0, 1, 5, 0}, "5"},
      {AggFunc::kAvg, {2, neg(-7), neg(-1), 0, 0, 0}, "-3"},
      // Four times INT64_MAX on each of two CPUs.
      {AggFunc::kAvg, {4, neg(-4), 1, 4, neg(-4), 1}, "9223372036854775807"},
      // 1, 2, 3, 4, 100: average 22, squares 10030: sqrt(2006 - 484) = 39
      {AggFunc::kStddev, {4, 10, 0, 30, 0, 1, 100, 0, 10000, 0}, "39"},
      // Twice 2^62 and twice -2^62: the squares need more than 64 bits.
      {AggFunc::kStddev, {4, 0, 0, 0, 1ULL << 62}, "4611686018427387904"},
      {AggFunc::kStddev, {1, 7, 0, 49, 0}, "0"},
      // 1764000000000000000 + {0, 1, 2, 4, 5}, whose squares are 2^120 each: sqrt(17.2 / 5) = 1.
      {AggFunc::kStddev, large_stddev({0, 1, 2, 4, 5}), "1"},
      // A reading each millisecond: 100 of them wrap the sum of squares.
      {AggFunc::kStddev, large_stddev(milliseconds(1000)), "288674990"},
      {AggFunc::kStddev, large_stddev({0, 0, 0}), "0"},
  };
  for (const auto& row : kTable) {
    Trial run;
    const std::uint32_t agg = run.aggregation(row.func, {});
    run.source.add(agg, "", row.words);
    run.consumer().print_aggregations();
    const std::string value = row.value;
    EXPECT_EQ(run.text(),
              "\n " + std::string(16 - std::min<std::size_t>(16, value.size()), ' ') + value + "\n")
        << record::agg_func_name(row.func);
  }
}

TEST(Aggregations, SortByValueThenByKey) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kSum, {kName});
  run.source.add(agg, name("c"), {5});
  run.source.add(agg, name("b"), {5});
  run.source.add(agg, name("z"), {neg(-1)});
  run.source.add(agg, name("a"), {9});
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(), "\n" + line("z", "-1") + line("b", "5") + line("c", "5") + line("a", "9"));
}

// Numbers of which any 32 bits leave some equal.
TEST(Aggregations, ValuesAllOverTheirRangeAreInOrder) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kSum, {int_type(8)});
  std::vector<std::int64_t> values;
  for (const std::int64_t far :
       {INT64_MIN, std::int64_t{-1} << 40, std::int64_t{0}, std::int64_t{1} << 33, INT64_MAX - 3}) {
    for (std::int64_t near = 0; near < 4; ++near) {
      values.push_back(far + near);
    }
  }
  std::vector<std::int64_t> mixed = values;
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937(1));  // the same each time
  for (const std::int64_t value : mixed) {
    run.source.add(agg, int_bytes(std::uint64_t{0} - neg(value)), {neg(value)});
    run.source.add(agg, int_bytes(neg(value) ^ 1), {7});
  }
  run.consume(run.clause(ActionKind::kPrinta, {}, "%@d ", {agg}));
  std::vector<std::int64_t> printed;
  std::istringstream words(run.text());
  for (std::int64_t value = 0; words >> value;) {
    printed.push_back(value);
  }
  EXPECT_TRUE(std::is_sorted(printed.begin(), printed.end()));
  EXPECT_GE(printed.size(), values.size());
}

TEST(Aggregations, OptionsChangeTheOrder) {
  const auto printed = [](Options options) {
    Trial run;
    options.quiet = true;
    run.options = options;
    const std::uint32_t agg = run.aggregation(AggFunc::kSum, {int_type(4), int_type(4)});
    run.source.add(agg, int_bytes(1, 4) + int_bytes(3, 4), {2});
    run.source.add(agg, int_bytes(2, 4) + int_bytes(1, 4), {1});
    run.source.add(agg, int_bytes(neg(-1), 4) + int_bytes(2, 4), {3});
    const std::uint32_t epid =
        run.clause(ActionKind::kPrinta, {}, "%d,%d=%@d ", std::vector<std::uint32_t>{agg});
    run.consume(epid);
    return run.text();
  };
  Options options;
  EXPECT_EQ(printed(options), "2,1=1 1,3=2 -1,2=3 ");
  options.agg_sort_rev = true;
  EXPECT_EQ(printed(options), "-1,2=3 1,3=2 2,1=1 ");
  options.agg_sort_key = true;
  EXPECT_EQ(printed(options), "2,1=1 1,3=2 -1,2=3 ");
  options.agg_sort_rev = false;
  EXPECT_EQ(printed(options), "-1,2=3 1,3=2 2,1=1 ");
  options.agg_sort_key_pos = 1;
  EXPECT_EQ(printed(options), "2,1=1 -1,2=3 1,3=2 ");
  // There is no such key.
  options.agg_sort_key_pos = 3;
  EXPECT_EQ(printed(options), "-1,2=3 1,3=2 2,1=1 ");
}

// Small values, so that many are equal in some fields and differ in others.
TEST(Aggregations, RandomKeysOfSeveralKindsAreInOrder) {
  struct Row {
    std::int64_t value;
    int number;
    std::string text;
    std::uint64_t word;
  };
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  for (const bool by_key : {false, true}) {
    Trial run;
    run.options.agg_sort_key = by_key;
    run.options.agg_sort_rev = by_key;
    const std::uint32_t agg = run.aggregation(
        AggFunc::kSum, {int_type(1), type(FieldKind::kString, 20), int_type(8, false)});
    std::map<std::string, Row> rows;
    for (int i = 0; i < 2000; i++) {
      Row row = {static_cast<std::int64_t>(below(3)) - 1, static_cast<int>(below(3)) - 1,
                 "prefix12", below(2) << 63 | below(2)};
      for (std::uint64_t letters = below(12); letters > 0; letters--) {
        row.text += static_cast<char>(below(2) != 0 ? 'a' : '\xff');
      }
      const record::AggLayout& layout = run.schema.aggregations[agg];
      std::string key(layout.key_bytes, '\0');
      const std::string fields[] = {int_bytes(neg(row.number), 1), row.text, int_bytes(row.word)};
      for (std::size_t field = 0; field < std::size(fields); field++) {
        key.replace(layout.keys[field].offset, fields[field].size(), fields[field]);
      }
      rows.emplace(key, row);
    }
    std::vector<Row> wanted;
    for (const auto& [key, row] : rows) {
      run.source.add(agg, key, {neg(row.value)});
      wanted.push_back(row);
    }
    std::sort(wanted.begin(), wanted.end(), [&](const Row& a, const Row& b) {
      // As it prints without a format, a number of 8 bytes is signed.
      const auto key = [](const Row& r) {
        return std::tuple(r.number, r.text, static_cast<std::int64_t>(r.word));
      };
      return by_key ? std::tuple(key(b), b.value) < std::tuple(key(a), a.value)
                    : std::tuple(a.value, key(a)) < std::tuple(b.value, key(b));
    });
    std::string text;
    for (const Row& row : wanted) {
      text += fmt::format("{},{},{}={}\n", row.number, row.text, row.word, row.value);
    }
    const std::uint32_t epid =
        run.clause(ActionKind::kPrinta, {}, "%d,%s,%u=%@d\n", std::vector<std::uint32_t>{agg});
    run.consume(epid);
    EXPECT_EQ(run.text(), text);
  }
}

TEST(Aggregations, QuantizeSortsByWeightedSumAndShowsAHistogram) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kQuantize, {kName});
  std::vector<std::uint64_t> many_small(record::kQuantizeBuckets);
  many_small[record::quantize_bucket(1)] = 10;
  std::vector<std::uint64_t> one_big(record::kQuantizeBuckets);
  one_big[record::quantize_bucket(1024)] = 1;
  run.source.add(agg, name("big"), one_big);
  run.source.add(agg, name("small"), many_small);
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(),
            "\n  small                                             \n"
            "           value  ------------- Distribution ------------- count    \n"
            "               0 |                                         0        \n"
            "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 10       \n"
            "               2 |                                         0        \n"
            "\n"
            "  big                                               \n"
            "           value  ------------- Distribution ------------- count    \n"
            "             512 |                                         0        \n"
            "            1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
            "            2048 |                                         0        \n"
            "\n");
}

TEST(Aggregations, StackKeysPutTheValueOnItsOwnLine) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kCount, {type(FieldKind::kStack, 16)});
  run.source.add(agg, word_bytes({0x1010, 0}), {4});
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(), "\n\n              vmlinux`f+0x10\n                4\n");
}

TEST(Aggregations, KeysThatPrintEqualAreOneKey) {
  Trial run;
  const std::uint32_t by_func = run.aggregation(AggFunc::kCount, {type(FieldKind::kProbeFunc, 4)});
  const std::uint32_t by_sym = run.aggregation(AggFunc::kCount, {type(FieldKind::kSym, 8)});
  const std::uint32_t by_mod = run.aggregation(AggFunc::kCount, {type(FieldKind::kMod, 8)});
  const std::uint32_t by_usym = run.aggregation(AggFunc::kCount, {type(FieldKind::kUsym, 16)});
  run.source.add(by_func, int_bytes(132), {1});
  run.source.add(by_func, int_bytes(133), {2});
  run.source.add(by_func, int_bytes(140), {1});
  run.source.add(by_sym, int_bytes(0x1001), {1});
  run.source.add(by_sym, int_bytes(0x1002), {1});
  run.source.add(by_mod, int_bytes(0x2001), {1});
  run.source.add(by_mod, int_bytes(0x3002), {2});
  run.source.add(by_usym, word_bytes({7, 0x1001}), {1});
  run.source.add(by_usym, word_bytes({7, 0x1002}), {1});
  run.source.add(by_usym, word_bytes({8, 0x1002}), {4});
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(), "\n" + line("read", "1") + line("openat", "3") + line("vmlinux`f", "2") +
                            line("mod", "3") + line("a.out`f", "2") + line("a.out`f", "4"));
}

TEST(Aggregations, PrintaBeginsWithANewlineAndIsNotRepeatedAtTheEnd) {
  Trial run;
  const std::uint32_t shown = run.aggregation(AggFunc::kCount, {kName}, {}, "a");
  const std::uint32_t rest = run.aggregation(AggFunc::kCount, {kName}, {}, "b");
  const std::uint32_t epid =
      run.clause(ActionKind::kPrinta, {}, {}, std::vector<std::uint32_t>{shown});
  run.source.add(shown, name("x"), {1});
  run.source.add(rest, name("y"), {2});
  run.consume(epid);
  EXPECT_EQ(run.text(), "\n" + line("x", "1"));
  run.consumer().print_aggregations();
  EXPECT_EQ(run.text(), "\n" + line("y", "2"));
}

TEST(Aggregations, SeveralAreJoinedOnTheirKeys) {
  Trial run;
  const std::uint32_t a = run.aggregation(AggFunc::kCount, {kName}, {}, "a");
  const std::uint32_t b = run.aggregation(AggFunc::kMax, {type(FieldKind::kString, 32)}, {}, "b");
  std::string wide = name("x");
  wide.resize(32);
  std::string other = name("w");
  other.resize(32);
  run.source.add(a, name("x"), {7});
  run.source.add(a, name("y"), {3});
  run.source.add(b, wide, {100 ^ kMax});
  run.source.add(b, other, {50 ^ kMax});
  const std::vector<std::uint32_t> both{a, b};
  const std::uint32_t plain = run.clause(ActionKind::kPrinta, {}, {}, both);
  const std::uint32_t formatted = run.clause(ActionKind::kPrinta, {}, "%-4s|%@5d|%@-5d|%s\n", both);
  run.consume(plain);
  EXPECT_EQ(run.text(), "\n" + line("w", "0").substr(0, 69) + "               50\n" +
                            line("y", "3").substr(0, 69) + "                0\n" +
                            line("x", "7").substr(0, 69) + "              100\n");
  run.consume(formatted);
  EXPECT_EQ(run.text(), "w   |    0|50   |\ny   |    3|0    |\nx   |    7|100  |\n");
}

TEST(Aggregations, JoinsSortByTheChosenAggregation) {
  Trial run;
  run.options.agg_sort_pos = 1;
  const std::uint32_t a = run.aggregation(AggFunc::kCount, {int_type(4)}, {}, "a");
  const std::uint32_t b = run.aggregation(AggFunc::kCount, {int_type(4)}, {}, "b");
  run.source.add(a, int_bytes(1), {1});
  run.source.add(a, int_bytes(2), {2});
  run.source.add(b, int_bytes(1), {9});
  run.source.add(b, int_bytes(2), {8});
  run.consume(run.clause(ActionKind::kPrinta, {}, "%d:%@d:%@d ", {a, b}));
  EXPECT_EQ(run.text(), "2:2:8 1:1:9 ");
}

// The compiler refuses such a printa(); what is printed then matters less than
// that sorting it does no harm.
TEST(Aggregations, KeysOfDifferentKindsSortWithoutHarm) {
  Trial run;
  const std::uint32_t a = run.aggregation(AggFunc::kCount, {int_type(4)}, {}, "a");
  const std::uint32_t b = run.aggregation(AggFunc::kCount, {kName}, {}, "b");
  const std::uint32_t c = run.aggregation(AggFunc::kCount, {int_type(8, false), kName}, {}, "c");
  for (std::uint64_t i = 0; i < 40; ++i) {
    run.source.add(a, int_bytes(neg(20 - static_cast<std::int64_t>(i))), {1});
    run.source.add(b, name(std::to_string(i)), {1});
    run.source.add(c, int_bytes(i) + name("x"), {1});
  }
  run.consume(run.clause(ActionKind::kPrinta, {}, "%s\n", {a, b, c}));
  const std::string text = run.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 120);
}

TEST(Aggregations, FormatsConvertValues) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kSum, {});
  run.source.add(agg, "", {neg(-1)});
  run.consume(run.clause(ActionKind::kPrinta, {}, "[%@d %@u %@x %@.1f %@6d]", {agg}));
  EXPECT_EQ(run.text(), "[-1 18446744073709551615 ffffffffffffffff -1.0     -1]");
}

TEST(Aggregations, AFormattedHistogramBeginsOnItsOwnLine) {
  Trial run;
  record::AggParams params;
  params.limit = 1;
  const std::uint32_t agg = run.aggregation(AggFunc::kLquantize, {}, params);
  run.source.add(agg, "", {0, 1, 0});
  run.consume(run.clause(ActionKind::kPrinta, {}, "x%@dy", {agg}));
  EXPECT_EQ(run.text(),
            "x\n"
            "           value  ------------- Distribution ------------- count    \n"
            "             < 0 |                                         0        \n"
            "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
            "            >= 1 |                                         0        \n"
            "y");
}

TEST(Aggregations, ClearOfMinimaAndMaximaBeginsAfresh) {
  Trial run;
  const std::uint32_t low = run.aggregation(AggFunc::kMin, {}, {}, "low");
  const std::uint32_t high = run.aggregation(AggFunc::kMax, {}, {}, "high");
  run.schema.aggregations[low].drained = true;
  run.schema.aggregations[high].drained = true;
  run.source.add(low, "", {3 ^ kMin});
  run.source.add(high, "", {neg(-3) ^ kMax});
  const std::uint32_t clear = run.clause(ActionKind::kClear, {}, {}, {low, high}, 132);
  const std::uint32_t print = run.clause(ActionKind::kPrinta, {}, "%@d %@d", {low, high});
  run.consume(clear);
  run.consume(print);
  EXPECT_EQ(run.text(), "0 0");
  run.source.add(low, "", {7 ^ kMin});
  run.source.add(high, "", {neg(-7) ^ kMax});
  run.consume(print);
  EXPECT_EQ(run.text(), "7 -7");
}

TEST(Aggregations, AReadThatReplacesDoesNotAddUp) {
  Trial run;
  const std::uint32_t agg = run.aggregation(AggFunc::kCount, {kName});
  const std::uint32_t print = run.clause(ActionKind::kPrinta, {}, "%s=%@d ", {agg});
  run.source.add(agg, name("a"), {1});
  run.consume(print);
  run.consume(print);
  EXPECT_EQ(run.text(), "a=1 a=1 ");
}

TEST(Aggregations, ProcessesOfUserKeysAreNoted) {
  Trial run;
  const std::uint32_t stacks =
      run.aggregation(AggFunc::kCount, {kName, type(FieldKind::kUstack, 24)});
  const std::uint32_t plain = run.aggregation(AggFunc::kCount, {int_type(8)});
  run.schema.aggregations[stacks].drained = true;
  run.source.add(stacks, name("a") + word_bytes({7, 0x1010, 0}), {1});
  run.source.add(stacks, name("b") + word_bytes({7, 0x2010, 0}), {1});
  run.source.add(stacks, name("c") + word_bytes({9, 0x2010, 0}), {1});
  run.source.add(plain, int_bytes(11), {1});
  run.consumer().note_processes();
  EXPECT_EQ(run.resolver.noted, (std::vector<std::int32_t>{7, 9}));
  EXPECT_EQ(run.source.reads, 1);
  run.source.add(stacks, name("a") + word_bytes({7, 0x1010, 0}), {4});
  run.consume(run.clause(ActionKind::kPrinta, {}, "%s=%@d ", {stacks}));
  EXPECT_EQ(run.text(), "b=1 c=1 a=5 ") << "what was read while noting still counts";
}

TEST(Aggregations, AFailedReadIsSaid) {
  Trial run;
  run.aggregation(AggFunc::kCount, {kName}, {}, "x");
  run.source.fails = true;
  run.consumer().print_aggregations();
  EXPECT_EQ(run.errors, std::vector<std::string>{"failed to read aggregation @x: "
                                                 "bpf(BPF_MAP_LOOKUP_BATCH): Operation not "
                                                 "permitted"});
  EXPECT_TRUE(run.consumer().has_failed());
}

// A million keys that are made while they are read.
class MillionSource final : public record::AggregationSource {
 public:
  static constexpr std::uint32_t kKeys = 1'000'000;
  Status read(std::uint32_t, const Visit& visit) override {
    for (std::uint32_t i = 0; i < kKeys; ++i) {
      std::uint8_t key[24] = {};
      const std::string text = "process" + std::to_string(i % 1000);
      std::memcpy(key, text.data(), text.size());
      std::memcpy(key + 16, &i, sizeof i);
      const std::uint64_t words[2] = {i * 7919ULL % 1000, 1};
      visit(key, 0, words);
    }
    return {};
  }
};

TEST(Aggregations, AMillionKeysPrintInLittleMemory) {
#ifdef DT_SANITIZED
  GTEST_SKIP() << "a sanitizer's code is slow";
#endif
  class NullOutput final : public Output {
   public:
    void write(std::string_view text) override { bytes += text.size(); }
    void flush() override {}
    std::size_t bytes = 0;
  };
  Trial run;
  run.aggregation(AggFunc::kCount, {kName, int_type(4)});
  MillionSource source;
  NullOutput output;
  Consumer consumer({run.schema, run.sources, run.resolver, source, output, [](auto) {}}, {});
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  consumer.print_aggregations();
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(output.bytes, 1 + MillionSource::kKeys * (52 + 9 + 17 + 1ULL));
  constexpr std::int64_t kKeysAndValues = MillionSource::kKeys * 32LL;
  EXPECT_LT((after.ru_maxrss - before.ru_maxrss) * 1024LL, kKeysAndValues * 3 / 2);
}

}  // namespace
}  // namespace dt::consumer::testing
