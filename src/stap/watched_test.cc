// Which variables pictures show, how they are read, and which handlers they are read around: by the
// session of a script (run.h).

#include "stap/events/watched.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "stap/front_end.h"
#include "testing/front/compiled.h"

namespace dt::stap {
namespace {

using front::Session;

Options watching(bool is_live, std::set<std::string> named, std::set<std::string> histograms) {
  Options out;
  out.pictures = {is_live, std::move(named), std::move(histograms)};
  return out;
}

struct Watching {
  explicit Watching(const std::string& text, bool is_live = true, std::set<std::string> named = {},
                    std::set<std::string> histograms = {})
      : compiled(make_front_end(watching(is_live, std::move(named), std::move(histograms))),
                 "x.stp", text) {
    EXPECT_EQ(compiled.errors(), "");
  }

  Session& session() { return *compiled.front_end->session(); }

  // "n[number]:sum" and a '?' behind what may fall.
  std::string variables() {
    constexpr const char* kKeys[] = {"number", "text", "user", "kernel"};
    std::string out;
    for (const Session::Variable& one : session().variables()) {
      out += (out.empty() ? "" : " ") + one.name;
      for (const auto key : one.keys) out += std::string(":") + kKeys[static_cast<int>(key)];
      out += "=";
      for (std::size_t i = 0; i < one.functions.size(); ++i) {
        out += std::string(i == 0 ? "" : ",") + record::agg_func_name(one.functions[i]);
      }
      out += one.is_counted ? "" : "?";
    }
    return out;
  }

  // "timer.s(1) prints 0, empties 0"
  std::string keepers() {
    std::string out;
    for (const Session::Keeper& one : session().keepers()) {
      out += (out.empty() ? "" : "; ") + one.point + (one.is_timer ? "" : "*");
      for (const std::uint32_t i : one.prints) out += " p" + std::to_string(i);
      for (const std::uint32_t i : one.empties) out += " e" + std::to_string(i);
    }
    return out;
  }

  front::Compiled compiled;
};

TEST(Watched, VariablesThatTimersAndTheEndReadAreShownWhileTheyChange) {
  struct Row {
    const char *script, *variables, *keepers;
  };
  for (const Row& row : std::vector<Row>{
           {"global n probe timer.s(1) { n++ }", "n=sum", ""},
           {"global n probe timer.s(1) { println(n) } probe timer.s(2) { n++ }", "n=sum",
            "timer.s(1) p0"},
           {"global n probe timer.s(2) { n++ } probe end { println(n) }", "n=sum", "end* p0"},
           {"global n probe timer.s(2) { n[1, \"a\"]++ } probe timer.s(1) { foreach ([k, l] in n) "
            "print(k) delete n }",
            "n:number:text=sum", "timer.s(1) p0 e0"},
           // What falls by itself, or where it is added to as well, is a value of now.
           {"global n probe timer.s(2) { n = 5 } probe timer.s(1) { print(n) }", "n=sum?",
            "timer.s(1) p0"},
           {"global n probe timer.s(2) { n-- } probe timer.s(1) { print(n) }", "n=sum?",
            "timer.s(1) p0"},
           {"global n probe timer.s(2) { n += -1 } probe timer.s(1) { print(n) }", "n=sum?",
            "timer.s(1) p0"},
           {"global n probe timer.s(1) { n++ print(n) n = 0 }", "n=sum?", "timer.s(1) p0 e0"},
           {"global n probe timer.s(2) { n++ } probe timer.s(1) { print(n) n = 0 }", "n=sum",
            "timer.s(1) p0 e0"},
           {"global n% probe timer.s(2) { n[1]++ } probe timer.s(1) { print(n[1]) }",
            "n:number=sum?", "timer.s(1) p0"},
           // What the begin does is done before anybody looks.
           {"global n probe begin { n = 5 delete n } probe timer.s(1) { n++ }", "n=sum", ""},
           {"global n probe begin { n = 5 } probe timer.s(1) { print(n) }", "", ""},
           {"global n probe begin { n = 5 }", "n=sum", ""},
           // In functions, too.
           {"global n function f() { print(n) delete n } probe timer.s(1) { f() } probe timer.s(2) "
            "{ n++ }",
            "n=sum", "timer.s(1) p0 e0"},
           {"global n probe timer.s(1) { print(n++) }", "n=sum", "timer.s(1) p0"},
           {"global t probe timer.s(1) { t = \"text\" }", "", ""},
           // A statistic has the functions that the script asks; one that is printed at the end has
           // all.
           {"global s probe timer.s(2) { s <<< 1 } probe timer.s(1) { print(@avg(s)) "
            "print(@hist_log(s)) }",
            "s=quantize,avg", "timer.s(1) p0"},
           {"global s probe timer.s(2) { s[1] <<< 1 } probe timer.s(1) { foreach (k in s- limit 3) "
            "print(@max(s[k])) }",
            "s:number=count,max", "timer.s(1) p0"},
           {"global s probe timer.s(2) { s <<< 1 } probe end { print(@hist_linear(s, 0, 100, 10)) "
            "}",
            "s=lquantize", "end* p0"},
           {"global s probe timer.s(2) { s <<< 1 }", "s=quantize,count,sum,avg,min,max", ""},
           {"global s probe timer.s(2) { s <<< 1 delete s }", "s=count,sum,avg,min,max?",
            "timer.s(2) e0"},
           {"global s probe begin { s[sprint_ubacktrace(), execname()] <<< 1 }", "s:user:text=sum",
            ""}}) {
    Watching script(row.script);
    EXPECT_EQ(script.variables(), row.variables) << row.script;
    EXPECT_EQ(script.keepers(), row.keepers) << row.script;
  }
}

TEST(Watched, OfPicturesAtTheEndThereAreThosePrintedThereAndThoseNamed) {
  const char* const script =
      "global n, m, s probe timer.s(2) { n++ m++ s <<< 1 } probe timer.s(1) { print(m) "
      "print(@sum(s)) }";
  EXPECT_EQ(Watching(script, false).variables(), "n=sum");
  EXPECT_EQ(Watching(script, false, {"m"}).variables(), "n=sum m=sum");
  EXPECT_EQ(Watching(script, false, {"s_sum"}).variables(), "n=sum s=count,sum,avg,min,max");
  EXPECT_EQ(Watching(script, false, {"s"}, {"s"}).variables(),
            "n=sum s=quantize,count,sum,avg,min,max");
}

TEST(Watched, HandlersRunWithinALookAtWhatTheyPrintAndEmpty) {
  Watching script(
      "global n, s probe begin { n[\"a\"] += 2 s <<< 3 s <<< 5 } probe timer.ms(1) { n[\"a\"]++ s "
      "<<< 3 }"
      " probe timer.ms(2) { foreach (k in n) println(n[k]) delete n println(@hist_log(s)) }");
  std::string out;
  const auto look = [&] {
    for (std::uint32_t i = 0; i < 2; ++i) {
      script.session().read(i, [&](const front::Outcome& one) {
        out += one.text + (one.keys.empty() ? "" : "[" + one.keys[0].text + "]");
        out += one.statistics ? fmt::format("={}/{}", one.statistics->count,
                                            one.histograms.at(0).buckets.size())
                              : fmt::format("={}", one.value.number);
        out += " ";
      });
    }
  };
  Session::Outlet outlet;
  outlet.write = [](std::string_view) {};
  outlet.warn = [](std::string_view) {};
  outlet.around = [&](std::uint32_t keeper, const std::function<void()>& handler) {
    out += "(" + script.session().keepers()[keeper].point + " ";
    look();
    handler();
    out += "| ";
    look();
    out += ")";
  };
  script.session().begin(outlet);
  script.session().expire(std::numeric_limits<std::int64_t>::max() / 2);
  EXPECT_EQ(out, "(timer.ms(2) n[a]=3 s=3/2 | s=3/2 )");
  script.session().look(look);
  script.session().end();
}

}  // namespace
}  // namespace dt::stap
