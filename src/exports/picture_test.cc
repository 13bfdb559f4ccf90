#include "exports/picture.h"

#include <gtest/gtest.h>

#include <regex>
#include <vector>

#include "exports/charts_svg.h"

namespace dt::exports {
namespace {

class PictureTest : public testing::Test {
 protected:
  PictureTest() { flame_.name = "calls"; }
  void add(const std::vector<std::string>& names, std::int64_t weight) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : names) {
      numbers.push_back(flame_.tree.number({name, view::Code::kUser}));
    }
    flame_.tree.add(numbers, weight);
  }
  Picture picture(std::uint64_t dropped = 0) const { return {{{&flame_}}, dropped, "a <title>"}; }

  view::Flame flame_;
};

TEST_F(PictureTest, FoldedIsALineForEachStackThatHasAWeight) {
  add({"main", "read"}, 3);
  add({"main"}, 2);
  add({"init"}, 1);
  EXPECT_EQ(folded(picture()), "init 1\nmain 2\nmain;read 3\n");
  EXPECT_EQ(folded(picture(8)), "init 1\nmain 2\nmain;read 3\n[dropped] 8\n");
}

TEST_F(PictureTest, FoldedHasOneLineWhateverIsInAName) {
  add({"a;b", "c\nd 7\re"}, 3);
  EXPECT_EQ(folded(picture()), "a:b;c\\012d 7\\015e 3\n");
}

TEST_F(PictureTest, AFunctionThatIsInlinedAndCalledHasTwoBoxesAndOneLine) {
  const auto number = [&](const char* name, view::Code code) {
    return flame_.tree.number({name, code});
  };
  const std::uint32_t main = number("main", view::Code::kUser);
  const std::uint32_t called = number("f", view::Code::kUser);
  const std::uint32_t inlined = number("f", view::Code::kInlined);
  const std::uint32_t leaf = number("g", view::Code::kJit);
  flame_.tree.add(std::vector<std::uint32_t>{main, called}, 3);
  flame_.tree.add(std::vector<std::uint32_t>{main, inlined}, 4);
  flame_.tree.add(std::vector<std::uint32_t>{main, called, leaf}, 10);
  flame_.tree.add(std::vector<std::uint32_t>{main, inlined, leaf}, 20);
  EXPECT_EQ(folded(picture()), "main;f 7\nmain;f;g 30\n");
  const std::string drawn = svg(picture());
  EXPECT_NE(drawn.find("<title>f: 13 of 37, 35.14 %</title>"), std::string::npos);
  EXPECT_NE(drawn.find("<title>f: 24 of 37, 64.86 %; inlined</title>"), std::string::npos);
  EXPECT_NE(drawn.find("<title>g: 20 of 37, 54.05 %; JIT</title>"), std::string::npos);
  for (const char* word : {">program</text>", ">inlined</text>", ">JIT</text>"}) {
    EXPECT_NE(drawn.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(drawn.find(">interpreted</text>"), std::string::npos);
}

TEST_F(PictureTest, FoldedNamesWhatHasNoFrames) {
  add({}, 7);
  EXPECT_EQ(folded(picture()), "[no frames] 7\n");
}

// The text in the box of the frame, which is 1180 wide in all.
std::string label(const std::string& svg) {
  const std::size_t begin = svg.rfind("\">", svg.rfind("</text></g>")) + 2;
  return svg.substr(begin, svg.find('<', begin) - begin);
}

TEST_F(PictureTest, ALabelIsCutBetweenCharacters) {
  add({"main"}, 23);
  add({"\u00e4\u00f6\u00fc\u00df\u00e4\u00f6\u00fc\u00df"}, 1);  // room for 6 letters
  EXPECT_EQ(label(svg(picture())), "\u00e4\u00f6\u00fc\u00df..");
}

TEST_F(PictureTest, ALabelThatDoesNotFitIsWithoutItsModule) {
  add({"main"}, 23);
  add({"z.so`read"}, 1);
  EXPECT_EQ(label(svg(picture())), "read");
}

TEST_F(PictureTest, ALegendHasTheColoursThatThereAre) {
  add({"main"}, 1);
  EXPECT_NE(svg(picture()).find(">program</text>"), std::string::npos);
  EXPECT_EQ(svg(picture()).find(">kernel</text>"), std::string::npos);
}

TEST_F(PictureTest, ATitleIsOneLine) {
  add({"main"}, 1);
  Picture other = picture();
  other.title = "a\n\t {\n}";
  EXPECT_NE(svg(other).find(">a { }</text>"), std::string::npos);
}

TEST_F(PictureTest, ALabelThatFitsIsWhole) {
  add({"main"}, 23);
  add({"z<6>\u00e46"}, 1);
  EXPECT_EQ(label(svg(picture())), "z&lt;6&gt;\u00e46");
}

TEST_F(PictureTest, NothingThatWasCountedIsNothing) { EXPECT_EQ(folded(picture()), ""); }

TEST_F(PictureTest, SpeedscopeHasTheFramesOnceAndTheWeightsOfStacks) {
  add({"main", "read"}, 3);
  add({"main"}, 9007199254740993);
  const std::string wanted =
      R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"dtrace",)"
      R"x("name":"a <title> (1 dropped)","shared":{"frames":[{"name":"main"},{"name":"read"}]},)x"
      R"("profiles":[{"type":"sampled","name":"@calls","unit":"none","startValue":0,)"
      R"("endValue":9007199254740996,"samples":[[0],[0,1]],"weights":[9007199254740993,3]}]})";
  EXPECT_EQ(speedscope(picture(1)), wanted + "\n");
}

TEST_F(PictureTest, SpeedscopeHasAProfileForEachAggregation) {
  add({"main", "read"}, 3);
  view::Flame other;
  other.name = "_";
  other.function = record::AggFunc::kSum;
  other.tree.add(std::vector<std::uint32_t>{other.tree.number({"read", view::Code::kUser})}, 7);
  const std::string text = speedscope({{{&flame_}, {&other, {}, "us"}}, 0, "both"});
  EXPECT_NE(text.find(R"("frames":[{"name":"main"},{"name":"read"}])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("endValue":3,"samples":[[0,1]],"weights":[3])"), std::string::npos);
  EXPECT_NE(text.find(R"("name":"@","unit":"microseconds","startValue":0,"endValue":7,)"
                      R"("samples":[[1]],"weights":[7])"),
            std::string::npos);
}

// The boxes of an SVG: the weight, what is left of it, and how deep it is.
std::vector<std::string> boxes(const std::string& svg) {
  const std::regex box(
      "data-n=\"([0-9]+)\" data-b=\"([0-9]+)\" data-d=\"([0-9]+)\"><title>([^:]*):");
  std::vector<std::string> out;
  for (std::sregex_iterator at(svg.begin(), svg.end(), box), end; at != end; ++at) {
    out.push_back((*at)[4].str() + " " + (*at)[1].str() + " " + (*at)[2].str() + " " +
                  (*at)[3].str());
  }
  return out;
}

TEST_F(PictureTest, ABoxStandsWhereItsFrameBegins) {
  add({"main", "write"}, 4);
  add({"main", "read"}, 3);
  add({"init"}, 3);
  const std::vector<std::string> wanted = {"all 10 0 0", "init 3 0 1", "main 7 3 1", "read 3 3 2",
                                           "write 4 6 2"};
  EXPECT_EQ(boxes(svg(picture())), wanted);
}

TEST_F(PictureTest, WhatIsTooNarrowIsOneBoxForEachCaller) {
  add({"main", "often"}, 1'000'000);
  for (int i = 0; i < 40; ++i) add({"main", "rare" + std::to_string(i)}, 3);
  const std::vector<std::string> wanted = {"all 1000120 0 0", "main 1000120 0 1",
                                           "often 1000000 0 2", "(smaller) 120 1000000 2"};
  EXPECT_EQ(boxes(svg(picture())), wanted);
}

TEST_F(PictureTest, AComparisonHasWhatHasChangedAndWhatIsGone) {
  add({"main", "read"}, 6);
  add({"main", "write"}, 4);
  view::FrameTree before;
  const auto add_before = [&](const std::vector<std::string>& names, std::int64_t weight) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : names)
      numbers.push_back(before.number({name, view::Code::kUser}));
    before.add(numbers, weight);
  };
  add_before({"main", "read"}, 1);
  add_before({"main", "write"}, 3);
  add_before({"init"}, 1);
  Picture compared = picture();
  compared.before = &before;
  const std::string text = svg(compared);
  const std::vector<std::string> wanted = {
      "all 10 0 0", "main 10 0 1", "read 6 0 2", "write 4 6 2",                  // now
      "all 5 0 0",  "init 1 0 1",  "main 4 1 1", "read 1 1 2",  "write 3 2 2"};  // before
  EXPECT_EQ(boxes(text), wanted);
  EXPECT_NE(text.find("read: 6 of 10, 60.00 %; before 1 of 5, 20.00 % (+40.00)"),
            std::string::npos);
  EXPECT_NE(text.find("init: 1 of 5, 20.00 %; now 0 of 10, 0.00 % (-20.00)"), std::string::npos);
  EXPECT_NE(text.find("fill=\"rgb(230,110,20)\""), std::string::npos);  // what has grown most
  EXPECT_NE(text.find("total 10; 0 dropped; before 5; d shows before"), std::string::npos);
  EXPECT_EQ(svg(picture()).find("id=\"before\""), std::string::npos);
}

TEST_F(PictureTest, WhatWasNotDroppedIsSaidToo) {
  add({"main"}, 10);
  EXPECT_NE(svg(picture()).find(">total 10; 0 dropped<"), std::string::npos);
  EXPECT_NE(svg(picture(8)).find(">total 10; 8 dropped<"), std::string::npos);
  EXPECT_NE(speedscope(picture()).find(R"x("name":"a <title> (0 dropped)")x"), std::string::npos);
}

TEST_F(PictureTest, NoNameIsMarkup) {
  std::string every;
  for (int c = 1; c < 256; ++c) every += static_cast<char>(c);
  add({every + "\u202e]]></text><script>alert(1)</script>"}, 1);
  const std::string text = svg(picture());
  EXPECT_EQ(text.find("<script>alert"), std::string::npos);
  EXPECT_EQ(text.find("]]></text>"), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  EXPECT_NE(text.find("a &lt;title&gt;"), std::string::npos);
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 32);
}

TEST_F(PictureTest, EveryWordHasItsFormat) {
  EXPECT_EQ(find_picture("folded")->draw, &folded);
  EXPECT_EQ(find_picture("speedscope")->draw, &speedscope);
  EXPECT_EQ(find_picture("svg")->draw, &svg);
  EXPECT_EQ(find_picture("json"), nullptr);
}

TEST_F(PictureTest, NarrowFramesHaveNoEdgesThatWouldCoverThem) {
  add({"wide"}, 9999);
  add({"narrow"}, 1);
  const std::string text = svg(picture());
  const std::regex thin("<title>narrow:[^<]*</title><rect class=\"[^\"]* thin\"");
  EXPECT_TRUE(std::regex_search(text, thin));
  EXPECT_FALSE(
      std::regex_search(text, std::regex("<title>wide:[^<]*</title><rect class=\"[^\"]*thin")));
  EXPECT_NE(text.find("rect.thin { stroke: none; }"), std::string::npos);
}

// Charts of 10 s.
std::string drawn(view::Chart chart) {
  view::Charts charts;
  charts.charts.push_back(std::move(chart));
  charts.begin_ns = 1'700'000'000'000'000'000;
  charts.end_ns = charts.begin_ns + 10'000'000'000;
  return charts_svg(charts, "", 0);
}

TEST(ChartsSvg, SpansThatAreTooNarrowHaveTheHueOfTheNameThatTakesMostOfThem) {
  constexpr std::int64_t kBegin = 1'700'000'000'000'000'000, kSecond = 1'000'000'000;
  view::Lanes lanes;
  lanes.rows = {"CPU 0"};
  lanes.busy_ns = {{"a", 5 * kSecond}, {"b", 2 * kSecond}};
  lanes.boxes = {{kBegin, kBegin + kSecond, 0, 100, kSecond, "", "", "b"},
                 {kBegin + kSecond, kBegin + 2 * kSecond, 0, 50, kSecond / 2, "", "", "b"},
                 {kBegin + 2 * kSecond, kBegin + 7 * kSecond, 0, 1, 5 * kSecond, "a"}};
  const std::string text = drawn({"t", "", "", false, lanes});
  EXPECT_NE(
      text.find("fill=\"#e69f00\"><title>100 spans, 1 s in all, most of it b, from 0 s to 1 s"),
      std::string::npos)
      << text;
  // Weaker, as it is busy for half of the time.
  EXPECT_NE(text.find("fill=\"#f0c669\"><title>50 spans, 500 ms in all, most of it b"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("fill=\"#0072b2\"><title>a: "), std::string::npos) << text;
}

TEST(ChartsSvg, TheBarOfOthersDoesNotMakeThoseOfKeysSmall) {
  view::Bars bars;
  bars.groups = {{"", {{"a", "", 10, false}, {"b", "", 5, false}, {"(9 others)", "", 1000, true}}}};
  const std::string text = drawn({"t", "", "", false, bars});
  std::vector<std::string> widths;
  const std::regex rect("<rect data-n=[^>]* width=\"([0-9.]+)\"");
  for (std::sregex_iterator at(text.begin(), text.end(), rect), end; at != end; ++at) {
    widths.push_back((*at)[1]);
  }
  EXPECT_EQ(widths, (std::vector<std::string>{"900.00", "450.00", "900.00"})) << text;
  EXPECT_NE(text.find(">1,000, the bar is cut<"), std::string::npos) << text;
  EXPECT_NE(text.find("fill=\"#8a8f98\"><title>(9 others): 1,000<"), std::string::npos) << text;
}

TEST(ChartsSvg, NoTimeOfTheAxisIsCutByTheEdge) {
  view::Grid grid;
  grid.rows.resize(1);
  grid.cells.resize(1);
  grid.cells[0].count = 1;
  const std::string text = drawn({"t", "", "", false, grid});
  const std::regex last("<text class=\"end dim\" x=\"1198.0\" y=\"[0-9.]+\">10 s</text>");
  EXPECT_TRUE(std::regex_search(text, last)) << text;
  EXPECT_NE(text.find("rect[data-n]{shape-rendering:crispEdges}"), std::string::npos);
}

}  // namespace
}  // namespace dt::exports
