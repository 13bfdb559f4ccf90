#include "view/lasting.h"

#include <gtest/gtest.h>

#include <cstring>

#include "consumer/output/options.h"
#include "symbol/resolve/resolver.h"

namespace dt::view {
namespace {

class NoNames final : public symbol::Resolver {
 public:
  bool kernel(KernelAddr, symbol::Symbol&) override { return false; }
  bool user(std::int32_t, UserAddr, symbol::Symbol&) override { return false; }
  void note_process(std::int32_t) override {}
};

// Records of a value, process, thread and time, of two probes of one function, or of one probe.
class LastingTest : public testing::Test {
 protected:
  LastingTest() {
    sources_.add(Source("x.d", "arg0"));
    for (std::uint32_t i = 0; i < 2; ++i) {
      record::Layout layout;
      layout.fields = {{{record::FieldKind::kInt, 8, true}, 0, {0, 0, 4}},
                       {{record::FieldKind::kInt, 4, true}, 0},
                       {{record::FieldKind::kInt, 4, true}, 0},
                       {{record::FieldKind::kInt, 8, true}, 0}};
      layout.has_time = layout.has_thread = true;
      record::Action action;
      action.kind = record::ActionKind::kTrace;
      action.field_count = 1;
      layout.actions = {action};
      record::place_fields(layout);
      schema_.layouts.push_back(layout);
      schema_.epids.push_back({ProbeId(i + 1), i});
    }
    schema_.probes = {{ProbeId(1), "p", "m", "f", "entry"}, {ProbeId(2), "p", "m", "f", "return"}};
    view_.kind = ViewKind::kTimeline;
    view_.layouts = {0, 1};
  }

  std::optional<Lasted> take(Lasting& spans, std::uint32_t layout, std::int64_t value,
                             std::int32_t thread, std::int64_t time) {
    const record::Layout& of = schema_.layouts[layout];
    std::vector<std::uint8_t> bytes(of.size_bytes);
    std::memcpy(bytes.data() + of.fields[0].offset, &value, sizeof value);
    std::memcpy(bytes.data() + of.fields[2].offset, &thread, sizeof thread);
    std::memcpy(bytes.data() + of.fields[3].offset, &time, sizeof time);
    record::Header header{};
    header.epid = layout + 1;
    return spans.take(fields_, header, of, bytes);
  }

  record::Schema schema_;
  Sources sources_;
  View view_;
  NoNames resolver_;
  consumer::Options options_;
  std::function<void(std::string_view)> error_ = [](std::string_view) {};
  consumer::FieldText fields_{schema_, resolver_, options_, error_};
};

TEST_F(LastingTest, of_a_thread_what_began_last_ends_first) {
  Lasting spans(schema_, sources_, view_);
  EXPECT_FALSE(take(spans, 0, 0, 7, 100));
  EXPECT_FALSE(take(spans, 0, 0, 8, 110));
  EXPECT_FALSE(take(spans, 0, 0, 7, 120));
  const auto inner = take(spans, 1, 0, 7, 130);
  const auto outer = take(spans, 1, 0, 7, 150);
  ASSERT_TRUE(inner && outer);
  EXPECT_EQ(inner->begin_ns, 120);
  EXPECT_EQ(inner->end_ns, 130);
  EXPECT_EQ(inner->lane, "tid 7");
  EXPECT_EQ(inner->name, "f");
  EXPECT_EQ(outer->begin_ns, 100);
  EXPECT_EQ(outer->end_ns, 150);
}

TEST_F(LastingTest, every_record_is_in_the_totals) {
  Lasting spans(schema_, sources_, view_);
  take(spans, 1, 0, 7, 90);  // what has begun before
  take(spans, 0, 0, 7, 100);
  take(spans, 1, 0, 7, 110);
  take(spans, 0, 0, 8, 120);
  const Lasting::Totals totals = spans.totals();
  EXPECT_EQ(totals.matched, 1U);
  EXPECT_EQ(totals.unmatched, 1U);
  EXPECT_EQ(totals.open, 1U);
}

TEST_F(LastingTest, an_equal_value_pairs_across_threads) {
  view_.paired_by = "arg0";
  view_.matching = Matching::kValue;
  Lasting spans(schema_, sources_, view_);
  take(spans, 0, 41, 7, 100);
  take(spans, 0, 42, 7, 110);
  const auto span = take(spans, 1, 41, 9, 150);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->begin_ns, 100);
  EXPECT_EQ(span->lane, "tid 7");
}

TEST_F(LastingTest, a_thread_is_on_one_cpu_at_a_time) {
  view_.matching = Matching::kCpu;
  view_.lane = Lane::kCpu;
  Lasting spans(schema_, sources_, view_);
  take(spans, 0, 0, 7, 100);
  take(spans, 0, 0, 7, 110);  // the end of the first is missing
  const auto span = take(spans, 1, 0, 7, 120);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->begin_ns, 110);
  EXPECT_EQ(span->lane, "cpu 0");
  EXPECT_EQ(spans.totals().unmatched, 1U);
  EXPECT_EQ(spans.totals().open, 0U);
}

TEST_F(LastingTest, what_belongs_together_by_cpu_may_have_other_threads) {
  view_.matching = Matching::kCpu;
  view_.lane = Lane::kCpu;
  Lasting spans(schema_, sources_, view_);
  take(spans, 0, 0, 7, 100);
  const auto span = take(spans, 1, 0, 0, 120);  // a thread that ends has no number any more
  ASSERT_TRUE(span);
  EXPECT_EQ(span->begin_ns, 100);
  EXPECT_EQ(spans.totals().unmatched + spans.totals().open, 0U);
}

TEST_F(LastingTest, a_record_that_says_how_long_it_took_ends_when_it_was_made) {
  view_.layouts = {0};
  view_.duration = "arg0";
  view_.unit_ns = 1000;
  Lasting spans(schema_, sources_, view_);
  const auto span = take(spans, 0, 3, 7, 10'000);
  ASSERT_TRUE(span);
  EXPECT_EQ(span->begin_ns, 7000);
  EXPECT_EQ(span->end_ns, 10'000);
  EXPECT_FALSE(take(spans, 0, -1, 7, 10'000));
  EXPECT_FALSE(take(spans, 0, INT64_MAX, 7, 10'000));
  EXPECT_EQ(spans.totals().unmatched, 2U);
}

}  // namespace
}  // namespace dt::view
