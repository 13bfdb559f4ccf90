#include "view/plan.h"

#include <gtest/gtest.h>

#include <array>

#include "view/unit.h"

namespace dt::view {
namespace {

// Two clauses, each of a probe with these parts of its name, that record an integer.
std::string planned(const std::vector<std::pair<std::string, std::string>>& probes,
                    const std::string& text = "arg0") {
  record::Schema schema;
  Sources sources;
  sources.add(Source("x.d", text));
  for (std::uint32_t i = 0; i < probes.size(); ++i) {
    record::Layout layout;
    layout.fields = {
        {{record::FieldKind::kInt, 8, true}, 8, {0, 0, static_cast<std::uint32_t>(text.size())}}};
    record::Action action;
    action.kind = record::ActionKind::kTrace;
    action.field_count = 1;
    layout.actions = {action};
    schema.layouts.push_back(layout);
    schema.probes.push_back({ProbeId(i + 1), "p", "m", probes[i].first, probes[i].second});
    schema.epids.push_back({ProbeId(i + 1), i});
  }
  return print_views(plan_views(schema, sources), schema, sources);
}

TEST(Plan, names_that_begin_and_end_something_are_a_pair) {
  for (const auto& [begin, end, how] :
       std::vector<std::array<std::string, 3>>{{"entry", "return", "thread"},
                                               {"wait-start", "wait-done", "arg0"},
                                               {"gc-begin", "gc-end", "arg0"},
                                               {"start", "done", "arg0"},
                                               {"on-cpu", "off-cpu", "CPU"},
                                               {"sys_enter_read", "sys_exit_read", "thread"}}) {
    EXPECT_EQ(planned({{"f", end}, {"f", begin}}),
              "timeline p:m:f:" + begin + " to p:m:f:" + end + ", by " + how + "\n");
  }
  EXPECT_EQ(planned({{"sys_enter_read", "x"}, {"sys_exit_read", "x"}}),
            "timeline p:m:sys_enter_read:x to p:m:sys_exit_read:x, by thread\n");
  // What says who fired is nothing that the two sides have in common.
  EXPECT_EQ(planned({{"f", "start"}, {"f", "done"}}, "pid"),
            "timeline p:m:f:start to p:m:f:done, by thread\n");
}

TEST(Plan, other_names_are_none) {
  EXPECT_EQ(planned({{"f", "entry"}, {"g", "return"}}),
            "events   p:m:f:entry: arg0\nevents   p:m:g:return: arg0\n");
  EXPECT_EQ(planned({{"f", "wait-start"}, {"f", "start-done"}}),
            "events   p:m:f:wait-start: arg0\nevents   p:m:f:start-done: arg0\n");
  EXPECT_EQ(planned({{"f", "entry"}}), "events   p:m:f:entry: arg0\n");
}

TEST(Plan, a_difference_of_times_has_a_unit) {
  const auto of = [](const std::string& text) { return planned({{"f", "g"}}, text); };
  EXPECT_EQ(of("timestamp - self->t"),
            "timeline p:m:f:g: timestamp - self->t; its length in ns is timestamp - self->t\n");
  EXPECT_EQ(of("(timestamp - start[tid, arg0]) / 1000"),
            "timeline p:m:f:g: (timestamp - start[tid, arg0]) / 1000; its length in us is "
            "(timestamp - start[tid, arg0]) / 1000\n");
  EXPECT_EQ(of("(timestamp - t) / 7"), "events   p:m:f:g: (timestamp - t) / 7\n");
  EXPECT_EQ(of("vtimestamp - t"), "events   p:m:f:g: vtimestamp - t\n");
  EXPECT_EQ(of("(walltimestamp-t)/1000000"),
            "timeline p:m:f:g: (walltimestamp-t)/1000000; its length in ms is "
            "(walltimestamp-t)/1000000\n");
  EXPECT_EQ(of("timestamp->x"), "events   p:m:f:g: timestamp->x\n");
  EXPECT_EQ(of("timestamp + 1"), "events   p:m:f:g: timestamp + 1\n");
  EXPECT_EQ(of("arg0 - timestamp"), "events   p:m:f:g: arg0 - timestamp\n");
}

// Aggregations of one printa() at a tick.
std::uint64_t unit_of_lines(const std::vector<std::pair<record::AggFunc, std::string>>& all) {
  record::Schema schema;
  Sources sources;
  std::string text;
  record::Action action;
  action.kind = record::ActionKind::kPrinta;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    record::AggLayout aggregation;
    aggregation.name = std::string(1, static_cast<char>('a' + i));
    aggregation.func = all[i].first;
    aggregation.argument = {0, static_cast<std::uint32_t>(text.size()),
                            static_cast<std::uint32_t>(text.size() + all[i].second.size())};
    text += all[i].second;
    schema.aggregations.push_back(aggregation);
    action.aggregations.push_back(i);
  }
  sources.add(Source("x.d", text));
  record::Layout layout;
  layout.actions = {action};
  schema.layouts = {layout};
  schema.probes = {{ProbeId(1), "profile", "", "", "tick-1s"}};
  schema.epids = {{ProbeId(1), 0}};
  const std::vector<View> views = plan_views(schema, sources);
  EXPECT_EQ(views.size(), 1u);
  return views.empty() ? 0 : views[0].unit_ns;
}

TEST(Plan, lines_have_a_unit_if_all_have_it) {
  using record::AggFunc;
  const std::string us = "(timestamp - t) / 1000";
  EXPECT_EQ(unit_of_lines({{AggFunc::kAvg, us}, {AggFunc::kMax, us}}), 1000u);
  EXPECT_EQ(unit_of_lines({{AggFunc::kAvg, us}, {AggFunc::kCount, ""}}), 0u);
  EXPECT_EQ(unit_of_lines({{AggFunc::kSum, "timestamp - t"}, {AggFunc::kMax, us}}), 0u);
}

TEST(Plan, times_of_ticks_have_as_many_digits_as_tell_them_apart) {
  const std::pair<std::vector<std::string>, int> cases[] = {
      {{}, 0},
      {{"tick-1s", "tick-1hz", "profile-1m", "timer.s(2)"}, 0},
      {{"tick-1s", "tick-250ms"}, 3},
      {{"tick-1500ms"}, 3},
      {{"tick-10"}, 3},
      {{"profile-97"}, 3},
      {{"timer.ms(20).randomize(5)"}, 3},
      {{"timer.hz(4)"}, 3},
      {{"tick-200us"}, 6},
      {{"timer.profile", "tick-0", "tick-99999999999999999999s", "tick-3parsec"}, 0},
  };
  for (const auto& [ticks, digits] : cases) {
    EXPECT_EQ(second_digits(ticks), digits) << (ticks.empty() ? "" : ticks.back());
  }
}

}  // namespace
}  // namespace dt::view
