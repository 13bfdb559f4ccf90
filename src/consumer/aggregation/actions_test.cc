// Actions on aggregations, in the order of clauses and firings.

#include <gtest/gtest.h>

#include <string>

#include "consumer/aggregation/aggregate.h"
#include "consumer/aggregation/aggregations_test.h"
#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

// Clauses over one drained aggregation of counts by name.
class Acting : public ::testing::Test {
 protected:
  Acting() {
    agg_ = run_.aggregation(AggFunc::kCount, {kName});
    run_.schema.aggregations[agg_].drained = true;
    print_ = run_.clause(ActionKind::kPrinta, {}, "%s=%@d ", {agg_});
    clear_ = run_.clause(ActionKind::kClear, {}, {}, {agg_}, 132);
    trunc_ = run_.clause(ActionKind::kTrunc, {}, {}, {agg_}, 132);
    trunc_n_ = run_.clause(ActionKind::kTrunc, {int_type(8)}, {}, {agg_}, 132);
    normalize_ = run_.clause(ActionKind::kNormalize, {int_type(8)}, {}, {agg_}, 132);
    denormalize_ = run_.clause(ActionKind::kDenormalize, {}, {}, {agg_}, 132);
  }
  void add(const char* key, std::uint64_t count) { run_.source.add(agg_, name(key), {count}); }
  std::string printed() {
    run_.consume(print_);
    return run_.text();
  }
  Trial run_;
  std::uint32_t agg_, print_, clear_, trunc_, trunc_n_, normalize_, denormalize_;
};

TEST_F(Acting, DrainedReadsAddUp) {
  add("a", 1);
  EXPECT_EQ(printed(), "a=1 ");
  add("a", 2);
  add("b", 1);
  EXPECT_EQ(printed(), "b=1 a=3 ");
}

TEST_F(Acting, ClearKeepsKeysAndCountsAfresh) {
  add("a", 1);
  add("b", 2);
  run_.consume(clear_);
  EXPECT_EQ(printed(), "a=0 b=0 ");
  add("a", 5);
  EXPECT_EQ(printed(), "b=0 a=5 ");
}

TEST_F(Acting, TruncForgetsKeys) {
  add("a", 1);
  run_.consume(trunc_);
  EXPECT_EQ(printed(), "");
  add("b", 5);
  EXPECT_EQ(printed(), "b=5 ");
}

TEST_F(Acting, TruncKeepsTheTopOrTheBottom) {
  for (const char* key : {"a", "b", "c", "d"}) {
    add(key, static_cast<std::uint64_t>(key[0] - 'a' + 1));
  }
  run_.consume(trunc_n_, {int_bytes(3)});
  EXPECT_EQ(printed(), "b=2 c=3 d=4 ");
  run_.consume(trunc_n_, {int_bytes(neg(-2))});
  EXPECT_EQ(printed(), "b=2 c=3 ");
  run_.consume(trunc_n_, {int_bytes(neg(INT64_MIN))});
  EXPECT_EQ(printed(), "b=2 c=3 ");
  run_.consume(trunc_n_, {int_bytes(0)});
  EXPECT_EQ(printed(), "");
}

TEST_F(Acting, NormalizeIsForDisplayAndStaysUntilDenormalize) {
  add("a", 1000);
  run_.consume(normalize_, {int_bytes(10)});
  EXPECT_EQ(printed(), "a=100 ");
  add("a", 1000);
  EXPECT_EQ(printed(), "a=200 ");
  run_.consume(denormalize_);
  EXPECT_EQ(printed(), "a=2000 ");
}

TEST_F(Acting, NormalizeByZeroIsRefused) {
  add("a", 10);
  run_.consume(normalize_, {int_bytes(0)});
  EXPECT_EQ(run_.errors, std::vector<std::string>{"cannot normalize aggregation @_ by 0: ignored"});
  EXPECT_EQ(printed(), "a=10 ");
}

TEST_F(Acting, WhatIsAddedBetweenPrintaAndClearOfOneClauseIsKept) {
  record::Layout layout;
  Action print;
  print.kind = ActionKind::kPrinta;
  print.format = "%s=%@d ";
  print.aggregations = {agg_};
  Action clear;
  clear.kind = ActionKind::kClear;
  clear.aggregations = {agg_};
  layout.actions = {print, clear};
  record::place_fields(layout);
  const std::uint32_t both = run_.bind(layout);
  add("a", 1);
  run_.source.reads = 0;
  run_.consume(both);
  EXPECT_EQ(run_.text(), "a=1 ");
  EXPECT_EQ(run_.source.reads, 1) << "clear() acts on what printa() showed";
  add("a", 2);
  EXPECT_EQ(printed(), "a=2 ");
}

TEST_F(Acting, ClausesOfOneFiringSeeOneMoment) {
  const std::uint32_t print = run_.clause(ActionKind::kPrinta, {}, "%s=%@d ", {agg_}, 140);
  const std::uint32_t clear = run_.clause(ActionKind::kClear, {}, {}, {agg_}, 140);
  run_.schema.epids[print - 1].has_more = true;
  add("a", 1);
  run_.consume_of(1, print);
  EXPECT_TRUE(run_.consumer().is_holding());
  EXPECT_EQ(run_.text(), "") << "it is not known yet what else the firing does";
  run_.source.after_read = [this] { add("a", 2); };
  run_.consume_of(1, clear);
  EXPECT_FALSE(run_.consumer().is_holding());
  EXPECT_EQ(run_.text(), "a=1 ");
  add("a", 4);
  EXPECT_EQ(printed(), "a=6 ") << "nothing that was not shown is cleared";
}

TEST_F(Acting, AFiringWithAnotherNumberSeesItsOwnMoment) {
  const std::uint32_t print = run_.clause(ActionKind::kPrinta, {}, "%s=%@d ", {agg_}, 140);
  add("a", 1);
  run_.consume_of(1, print);
  add("a", 2);
  run_.consume_of(3, print);
  run_.consume_of(3, print);
  EXPECT_EQ(run_.text(), "a=1 a=3 a=3 ");
}

TEST_F(Acting, WhoeverFollowsTheRecordsIsGivenTheNumberOfTheirFiring) {
  const std::uint32_t print = run_.clause(ActionKind::kPrinta, {}, "%s=%@d ", {agg_}, 140);
  const std::uint32_t clear = run_.clause(ActionKind::kClear, {}, {}, {agg_}, 140);
  run_.schema.epids[print - 1].has_more = true;
  std::vector<std::uint64_t> firings;
  run_.consumer().when_acting([&](const record::Layout&, const Moment& moment, Side side) {
    EXPECT_EQ(moment.time_ns, 0) << "its records have no time";
    if (side == Side::kBefore) firings.push_back(moment.firing);
  });
  run_.consume_of(1, print);
  run_.consume_of(1, clear);
  run_.consume_of(3, clear);
  run_.consume(clear_);
  run_.consume(clear_);
  EXPECT_EQ(firings, (std::vector<std::uint64_t>{1, 1, 2, 3, 4}));
}

TEST_F(Acting, WhatNoRecordSaysIsToldAsItWere) {
  const std::uint32_t clear = run_.clause(ActionKind::kClear, {}, {}, {agg_}, 140);
  const record::Layout& layout = run_.schema.layouts[run_.schema.epids[clear - 1].layout];
  std::string told;
  run_.consumer().when_acting([&](const record::Layout& of, const Moment& moment, Side side) {
    EXPECT_EQ(&of, &layout);
    told += std::to_string(moment.firing) + (side == Side::kAfter ? ")" : "(");
    EXPECT_TRUE(
        run_.consumer()
            .read_aggregation(agg_,
                              [&](FieldText&, Bytes, const Aggregate& one, std::uint32_t element) {
                                told += std::to_string(one.scalar(element, 1));
                              })
            .ok());
    EXPECT_EQ(moment.time_ns, 99);
  });
  add("a", 1);
  run_.consumer().act(layout, 99, false, [&] { add("a", 2); });
  run_.consumer().act(layout, 99, true, [] {});
  EXPECT_EQ(told, "1(11)31(31)3") << "each side sees what there is then";
}

}  // namespace
}  // namespace dt::consumer::testing
