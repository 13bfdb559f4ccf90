#include "api/output/variable_tables.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "view/plan.h"
#include "view/schema_text.h"

namespace dt::api {
namespace {

using front::Outcome;
using front::Session;
using record::AggFunc;

Outcome number(std::string name, std::vector<front::OutcomeValue> keys, std::int64_t value) {
  Outcome out;
  out.kind = Outcome::Kind::kVariable;
  out.text = std::move(name);
  out.keys = std::move(keys);
  out.value.number = value;
  return out;
}

std::string text_of(VariableTables& tables) {
  std::string out;
  const std::vector<record::AggLayout>& all = tables.schema().aggregations;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    out += fmt::format("{}{}:", all[i].name, view::is_gauge(all[i]) ? "?" : "");
    const Status read = tables.read(i, [&](auto key, std::uint32_t, auto words) {
      std::uint64_t first = 0;
      if (!key.empty()) std::memcpy(&first, key.data(), sizeof first);
      out += fmt::format(" {}=", first);
      for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at] != 0) out += fmt::format("{}@{},", static_cast<std::int64_t>(words[at]), at);
      }
    });
    EXPECT_TRUE(read.ok());
    out += "; ";
  }
  return out;
}

TEST(VariableTables, AVariableIsReadAgainOnceItIsForgotten) {
  Session::Variable n{"n", {Session::Variable::Key::kNumber}, 64, false, {AggFunc::kSum}};
  n.is_counted = true;
  Session::Variable level{"level", {}, 64, false, {AggFunc::kSum}};
  std::int64_t value = 5;
  int reads = 0;
  VariableTables tables({n, level}, {{"timer.s(1)", true, {0}, {0}}},
                        [&](std::uint32_t variable, const Session::VisitVariable& visit) {
                          ++reads;
                          if (variable == 0) visit(number("n", {{false, 7, ""}}, value));
                          if (variable == 1) visit(number("level", {}, -1));
                        });
  EXPECT_EQ(text_of(tables), "n: 7=5@0,; level?: 0=-1@0,; ");
  value = 6;
  EXPECT_EQ(text_of(tables), "n: 7=5@0,; level?: 0=-1@0,; ");
  EXPECT_EQ(reads, 2);
  tables.forget();
  EXPECT_EQ(text_of(tables), "n: 7=6@0,; level?: 0=-1@0,; ");

  const std::vector<view::View> views = view::plan_views(tables.schema(), tables.sources());
  EXPECT_EQ(view::print_views(views, tables.schema(), tables.sources()),
            "line     n by key, a column at timer.s(1)\ntable    level\n");
}

TEST(VariableTables, AStatisticHasItsFunctionsAndItsHistogram) {
  Session::Variable s{"s", {}, 64, true, {AggFunc::kLquantize, AggFunc::kAvg, AggFunc::kMax}};
  s.params = {0, 20, 10};
  s.is_counted = true;
  VariableTables tables({s}, {}, [](std::uint32_t, const Session::VisitVariable& visit) {
    Outcome one = number("s", {}, 0);
    one.statistics = {4, 40, -1, 25, 10};
    // Of @hist_linear(s, 0, 20, 10): 0 to 9, 10 to 19, 20, and what is outside.
    one.histograms.push_back(
        {"s", {}, true, 0, 20, 10, {{0, 1, true}, {0, 2}, {10, 3}, {20, 4}, {21, 5, false, true}}});
    visit(one);
  });
  EXPECT_EQ(text_of(tables),
            "s: 0=1@0,2@1,3@2,9@3,; s_avg: 0=4@0,40@1,; "
            "s_max: 0=-9223372036854775783@0,; ");
  for (const auto& [hint, picture] :
       std::vector<std::pair<std::string, std::string>>{{"s:hist", "hist"},
                                                        {"@s:hist", "hist"},
                                                        {"s_avg:table", "table"},
                                                        {"s:table", "table"}}) {
    const auto views = view::plan_views(tables.schema(), tables.sources(), {hint});
    ASSERT_TRUE(views.ok()) << hint;
    EXPECT_STREQ(view::view_kind_name(views->front().kind), picture.c_str()) << hint;
  }
  EXPECT_TRUE(view::plan_views(tables.schema(), tables.sources(), {"s:none"})->empty());
  for (const char* const hint :
       {"t:table", "s:heat", "s:flame", "none", "syscall::read:entry:events"}) {
    const auto views = view::plan_views(tables.schema(), tables.sources(), {hint});
    ASSERT_FALSE(views.ok()) << hint;
    EXPECT_EQ(views.error().remedy,
              "the views that there are: hist     s; table    s_avg; table    s_max")
        << hint;
  }
}

// Whatever a recording has: it comes from another user.
TEST(VariableTables, AHistogramThatCannotBeIsLeftOut) {
  for (const auto& [low, high, width] : std::vector<std::array<std::int64_t, 3>>{
           {0, 10, 0}, {0, -1, 1}, {INT64_MIN, INT64_MAX, 1}, {0, INT64_MAX, 1}, {5, 6, 100}}) {
    Outcome one = number("s", {}, 0);
    one.statistics = {1, 1, 1, 1, 1};
    one.histograms.push_back({"s", {}, true, low, high, width, {{1, 1}}});
    VariableTables tables({one});
    EXPECT_EQ(tables.schema().aggregations.size(), 5U);
  }
  Outcome one = number("s", {}, 0);
  one.statistics = {1, 1, 1, 1, 1};
  one.histograms.push_back({"s", {}, false, 0, 0, 0, {{-4, 2}, {INT64_MIN, 1}}});
  VariableTables tables({one});
  EXPECT_EQ(text_of(tables).substr(0, 20), "s: 0=1@0,2@60,; s_co");
}

}  // namespace
}  // namespace dt::api
