#include "view/spans.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace dt::view {
namespace {

class SpansTest : public testing::Test {
 protected:
  Spans::Side side(std::int64_t time, const std::string& name, std::uint64_t key = 7) {
    Spans::Side out;
    out.pair = timeline_.text(name);
    out.name = out.pair;
    out.key = key;
    out.lane = {LaneId::Kind::kThread, 1, static_cast<std::int32_t>(key)};
    out.time_ns = time;
    return out;
  }
  void begin(std::int64_t time, const std::string& name, std::uint64_t key = 7,
             Matching matching = Matching::kThread) {
    spans_.begin(matching, side(time, name, key));
    ++records_;
  }
  void end(std::int64_t time, const std::string& name, std::uint64_t key = 7,
           Matching matching = Matching::kThread) {
    spans_.end(matching, side(time, name, key));
    ++records_;
  }
  // "read 10-20" ...; the equation holds always.
  std::string finished() {
    spans_.finish();
    timeline_.place();
    EXPECT_EQ(timeline_.matched.records(), records_);
    std::string text;
    for (const Slice& slice : timeline_.slices()) {
      const char* const open = slice.open == Slice::Open::kNo        ? ""
                               : slice.open == Slice::Open::kAtStart ? "<"
                                                                     : ">";
      text += fmt::format("{} {}-{}{}; ", timeline_.text(slice.name), slice.begin_ns, slice.end_ns,
                          open);
    }
    for (const Moment& moment : timeline_.moments()) {
      text += fmt::format("{} {}; ", timeline_.text(moment.name), moment.time_ns);
    }
    return text;
  }

  Timeline timeline_;
  Spans spans_{timeline_};
  std::uint64_t records_ = 0;
};

TEST_F(SpansTest, CallsOfAThreadLieWithinOneAnother) {
  begin(10, "outer");
  begin(11, "inner");
  begin(12, "inner");
  end(13, "inner");
  end(14, "inner");
  end(20, "outer");
  EXPECT_EQ(finished(), "outer 10-20; inner 11-14; inner 12-13; ");
}

TEST_F(SpansTest, ThreadsAreApart) {
  begin(10, "read", 1);
  begin(11, "read", 2);
  end(12, "read", 1);
  end(13, "read", 2);
  EXPECT_EQ(finished(), "read 10-12; read 11-13; ");
}

TEST_F(SpansTest, WhatBeganBeforeAndWhatHasNotEndedIsSaid) {
  end(10, "read");
  begin(11, "write");
  begin(30, "other", 8);
  EXPECT_EQ(finished(), "read 10-10<; write 11-30>; other 30-30>; ");
  EXPECT_EQ(timeline_.matched.open_at_start, 1U);
  EXPECT_EQ(timeline_.matched.open_at_end, 2U);
}

TEST_F(SpansTest, WhatNeverReturnedHasNoPartnerOnceItsCallerReturns) {
  begin(10, "outer");
  begin(11, "lost");
  end(12, "outer");
  end(13, "outer");  // its beginning was dropped
  EXPECT_EQ(finished(), "outer 10-12; lost (unmatched) 11; outer (unmatched) 13; ");
}

TEST_F(SpansTest, ANumberPairsAcrossThreads) {
  const Matching value = Matching::kValue;
  begin(10, "io", 100, value);
  begin(11, "io", 200, value);
  end(12, "io", 100, value);
  begin(13, "io", 200, value);  // the end of the first was dropped
  end(14, "io", 200, value);
  EXPECT_EQ(finished(), "io 10-12; io 13-14; io (unmatched) 11; ");
}

TEST_F(SpansTest, WhatBothSidesSayAlikeIsSaidOnce) {
  const auto with = [&](std::int64_t time, std::uint64_t second) {
    Spans::Side out = side(time, "io");
    out.details = {{1, Detail::Kind::kSigned, 5}, {2, Detail::Kind::kSigned, second}};
    return out;
  };
  spans_.begin(Matching::kValue, with(1, 6));
  spans_.end(Matching::kValue, with(2, 7));
  timeline_.place();
  ASSERT_EQ(timeline_.slices().size(), 1U);
  EXPECT_EQ(timeline_.slices()[0].details, 3U);
  EXPECT_EQ(timeline_.detail(2).number, 7U);
}

TEST(Timeline, WhatOverlapsHasAnotherSibling) {
  Timeline timeline;
  const auto add = [&](std::int64_t begin, std::int64_t end) {
    Slice slice;
    slice.begin_ns = begin;
    slice.end_ns = end;
    timeline.add(slice, {});
  };
  add(15, 25);  // overlaps the first, and is not within it
  add(10, 20);
  add(12, 18);
  add(20, 22);
  add(18, 18);
  timeline.place();
  std::string text;
  int depth = 0;
  walk_slices(
      timeline,
      [&](const Slice& slice) {
        text += fmt::format("{}:{}@{} ", slice.sibling, slice.begin_ns, depth++);
      },
      [&](const Slice& slice) { text += fmt::format("/{} ", slice.end_ns), --depth; });
  EXPECT_EQ(text, "0:10@0 0:12@1 /18 0:18@1 /18 /20 0:20@0 /22 1:15@0 /25 ");
}

}  // namespace
}  // namespace dt::view
