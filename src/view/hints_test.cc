#include <gtest/gtest.h>

#include "view/plan.h"

namespace dt::view {
namespace {

// @counts[stack], @times = quantize(timestamp - t) with a tick, two clauses of a pair.
class HintsTest : public testing::Test {
 protected:
  HintsTest() {
    sources_.add(Source("x.d", "timestamp - self->t arg0"));
    record::AggLayout counts;
    counts.name = "counts";
    counts.keys = {{{record::FieldKind::kStack, 80, false}, 0}};
    record::AggLayout times;
    times.name = "times";
    times.func = record::AggFunc::kQuantize;
    times.argument = {0, 0, 19};
    schema_.aggregations = {counts, times};
    add("entry", {0, 20, 24});
    add("return", {0, 20, 24});
  }
  void add(const std::string& name, Span span) {
    const auto number = static_cast<std::uint32_t>(schema_.layouts.size());
    record::Layout layout;
    layout.fields = {{{record::FieldKind::kInt, 8, true}, 8, span}};
    record::Action action;
    action.kind = record::ActionKind::kTrace;
    action.field_count = 1;
    layout.actions = {action};
    schema_.layouts.push_back(layout);
    schema_.probes.push_back({ProbeId(number + 1), "p", "m", "f", name});
    schema_.epids.push_back({ProbeId(number + 1), number});
  }
  std::string planned(const std::vector<std::string>& hints) {
    for (const std::string& hint : hints) {
      if (const Status status = check_hint(hint); !status.ok()) return status.error().text;
    }
    const auto views = plan_views(schema_, sources_, hints);
    return views.ok() ? print_views(*views, schema_, sources_)
                      : views.error().text + "\n" + views.error().remedy;
  }

  record::Schema schema_;
  Sources sources_;
};

TEST_F(HintsTest, WithoutThemThePlanIsThatOfTheRules) {
  EXPECT_EQ(planned({}),
            "flame    @counts = count() by stack\n"
            "hist     @times = quantize(timestamp - self->t), in ns\n"
            "timeline p:m:f:entry to p:m:f:return, by thread\n");
}

TEST_F(HintsTest, OneChangesTheViewOfItsSubjectAndPutsItFirst) {
  EXPECT_EQ(planned({"@times:table"}),
            "table    @times = quantize(timestamp - self->t), in ns\n"
            "flame    @counts = count() by stack\n"
            "timeline p:m:f:entry to p:m:f:return, by thread\n");
  EXPECT_EQ(planned({"p:m:f::none", "@counts:none"}),
            "hist     @times = quantize(timestamp - self->t), in ns\n");
  EXPECT_EQ(planned({"entry:events", "@counts:none", "@times:none"}),
            "events   p:m:f:entry: arg0\n");
  EXPECT_EQ(planned({"timeline,pair=arg0,lane=cpu", "@counts:none", "@times:none"}),
            "timeline p:m:f:entry to p:m:f:return, by arg0\n");
  EXPECT_EQ(planned({"timeline,begin=*:return,end=f:entry", "@counts:none", "@times:none"}),
            "timeline p:m:f:return to p:m:f:entry, by thread\n");
}

TEST_F(HintsTest, AFlameGraphAloneBeginsWithAFunction) {
  EXPECT_TRUE(planned({"@counts:flame,root=main"})
                  .starts_with("flame    @counts = count() by stack, within main\n"));
  EXPECT_TRUE(planned({"flame,root=libc.so.6`qsort"})
                  .starts_with("flame    @counts = count() by stack, within libc.so.6`qsort\n"));
  for (const char* const hint :
       {"@counts:table,root=main", "@counts:none,root=main", "timeline,root=main"}) {
    EXPECT_TRUE(planned({hint}).starts_with("view: 'root' is a word of flame graphs\nthe views"))
        << planned({hint});
  }
}

TEST_F(HintsTest, AWordWithoutAValueIsRefusedWithWhatItTakes) {
  const Status status = check_hint("@counts:flame,root=");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text, "view: 'root=' needs a value");
  EXPECT_EQ(status.error().remedy, "it is the function that a flame graph begins with");
  EXPECT_EQ(planned({"timeline,begin=,end=x"}), "view: 'begin=' needs a value");
  EXPECT_EQ(planned({"@times:hist,unit="}), "view: 'unit=' needs a value");
}

TEST_F(HintsTest, WhatCannotBeIsRefusedWithWhatThereIs) {
  EXPECT_EQ(planned({"@times:flame"}),
            "view: there can be no flame of @times\nthe views that there are: flame    @counts = "
            "count() by stack; hist     @times = quantize(timestamp - self->t), in ns; timeline "
            "p:m:f:entry to "
            "p:m:f:return, by thread");
  EXPECT_EQ(planned({"@other:table"}).substr(0, 44),
            "view: there is no aggregation of @other\nthe ");
  EXPECT_EQ(planned({"@times:pie"}), "view: 'pie' is no kind of view");
  EXPECT_EQ(planned({"@times:table,colour=red"}), "view: 'colour=red' is no WORD=VALUE");
  EXPECT_EQ(planned({"@times:table,unit=h"}), "view: 'h' is no unit");
  EXPECT_EQ(planned({"@times:hist,hist=sparse"}), "view: 'sparse' is no form of a histogram");
  EXPECT_TRUE(planned({"@counts:table,hist=native"})
                  .starts_with("view: hist=native takes quantize() alone of @counts\n"));
  EXPECT_TRUE(
      planned({"timeline,hist=native"}).starts_with("view: 'hist' is a word of quantize()"));
  EXPECT_EQ(planned({"timeline,pair=arg7"}).substr(0, 54),
            "view: not both sides record the value of pair=\nthe vie");
  EXPECT_EQ(planned({"p:m:g::scope"}).substr(0, 32), "view: no clause records of p:m:g");
}

TEST_F(HintsTest, PairsAndDurationsAreNumbers) {
  for (record::Layout& layout : schema_.layouts) {
    layout.fields[0].type.kind = record::FieldKind::kString;
  }
  EXPECT_TRUE(planned({"timeline,pair=arg0"})
                  .starts_with("view: pair= takes a number, not the text arg0\n"));
  EXPECT_TRUE(planned({"p:m:f:entry:timeline,dur=arg0"})
                  .starts_with("view: dur= takes a number, not the text arg0 of p:m:f:entry\n"));
}

}  // namespace
}  // namespace dt::view
