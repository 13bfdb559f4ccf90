#include "dtrace/tracer.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dtrace/dtrace.h"
#include "support/result.h"

namespace dtrace {
namespace {

Program named(std::string text) { return {Program::Kind::kName, std::move(text)}; }

TEST(Tracer, CompilesWithoutRights) {
  Tracer tracer;
  tracer.add(named("BEGIN { @calls[execname] = count(); @[probename] = sum(1); }"));
  tracer.add(named("END, tick-10s { trace($1); }"));
  tracer.add_argument("12");
  const Status status = tracer.compile();
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_EQ(tracer.matched(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(tracer.aggregations(), (std::vector<std::string>{"calls", "_"}));
  EXPECT_TRUE(tracer.diagnostics().empty());
  EXPECT_NE(tracer.disassembly().find("exit"), std::string::npos);
  EXPECT_TRUE(tracer.check().ok());
}

TEST(Tracer, DiagnosticsSayWhatIsWrongAndWhere) {
  Tracer tracer;
  tracer.add({Program::Kind::kScript, "wrong.d", "BEGIN\n{\n\ttrace(execnam);\n}\n"});
  const Status status = tracer.compile();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text,
            "failed to compile script wrong.d: line 3: failed to resolve execnam: Unknown variable "
            "name");
  ASSERT_EQ(tracer.diagnostics().size(), 1U);
  EXPECT_EQ(tracer.diagnostics()[0],
            (Diagnostic{"D_IDENT_UNDEF", "failed to resolve execnam: Unknown variable name",
                        "did you mean 'execname'?", "wrong.d", 3, 8,
                        "wrong.d:3:8: error: failed to resolve execnam: Unknown variable name "
                        "[D_IDENT_UNDEF]\n\ttrace(execnam);\n\t      ^~~~~~~\nhint: did you mean "
                        "'execname'?\n"}));
}

TEST(Tracer, PragmasChangeItsOptions) {
  Options options;
  ASSERT_TRUE(options.set("bufsize", "1m").ok());
  Tracer tracer(options);
  ASSERT_TRUE(tracer.set_option("strsize", "64").ok());
  EXPECT_EQ(tracer.set_option("strsiz", "64").error().remedy, "did you mean 'strsize'?");
  tracer.add(named("#pragma D option quiet\nBEGIN { exit(0); }"));
  ASSERT_TRUE(tracer.compile().ok());
  EXPECT_TRUE(tracer.options().flag("quiet"));
  EXPECT_EQ(tracer.options().get("strsize"), "64");
  EXPECT_EQ(tracer.options().get("bufsize"), "1048576");
  EXPECT_FALSE(options.flag("quiet"));
}

TEST(Tracer, APlainProgramIsInD) {
  Tracer tracer;
  Program program = named("BEGIN { exit(0); }");
  EXPECT_EQ(program.language, "d");
  ASSERT_TRUE(tracer.add(std::move(program)).ok());
  EXPECT_TRUE(tracer.compile().ok());
}

TEST(Tracer, ALanguageThatDoesNotExistIsRefused) {
  Tracer tracer;
  Program program = named("BEGIN { exit(0); }");
  program.language = "awk";
  const Status status = tracer.add(std::move(program));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text, "unknown language 'awk'");
  EXPECT_EQ(status.error().remedy, "the languages are: d, stap");
}

TEST(Tracer, ALanguageIsNamedInC) {
  const std::unique_ptr<dtrace_tracer, void (*)(dtrace_tracer*)> tracer(dtrace_new(), dtrace_free);
  dtrace_set_language(tracer.get(), "awk");
  EXPECT_EQ(dtrace_add_program(tracer.get(), "BEGIN { exit(0); }"), -1);
  EXPECT_STREQ(dtrace_error(tracer.get()), "unknown language 'awk'");
  dtrace_set_language(tracer.get(), "d");
  EXPECT_EQ(dtrace_add_program(tracer.get(), "BEGIN { exit(0); }"), 0);
  EXPECT_EQ(dtrace_compile(tracer.get()), 0) << dtrace_error(tracer.get());
}

// A script of stap in a tracer of its own: what compile() says.
Error refused_of_stap(const std::function<void(Tracer&)>& prepare) {
  Tracer tracer;
  Program program = named("probe begin { exit() }");
  program.language = "stap";
  tracer.add(std::move(program));
  prepare(tracer);
  const Status status = tracer.compile();
  return status.ok() ? Error() : status.error();
}

TEST(Tracer, AnOptionThatMeansNothingInALanguageIsRefusedByName) {
  const auto text_of = [](const std::string& name, const std::string& value) {
    return refused_of_stap(
               [&](Tracer& tracer) { EXPECT_TRUE(tracer.set_option(name, value).ok()) << name; })
        .text;
  };
  EXPECT_EQ(text_of("bufsize", "1m"), "");
  EXPECT_EQ(
      text_of("strsize", "64"),
      "option 'strsize' means nothing in the SystemTap language: -D MAXSTRINGLEN says how long "
      "a string is");
  EXPECT_EQ(text_of("iregs", "8"), "option 'iregs' changes nothing here: registers are no limit");
  EXPECT_EQ(text_of("base", "1"),
            "option 'base' means nothing in the SystemTap language: recordings of scripts have no "
            "aggregations that are compared");
  // They show variables, which this script has not.
  constexpr std::pair<const char*, const char*> kShowing[] = {
      {"listen", "1"}, {"view", "a:heat"}, {"push", "tcp://localhost:2003"}};
  for (const auto& [name, value] : kShowing) {
    EXPECT_EQ(text_of(name, value),
              fmt::format("{} needs a global variable with numbers: one that no handler reads, or "
                          "that handlers of timers or of the end read",
                          name));
  }
}

TEST(Tracer, AFormatThatHandlersHaveNothingForIsRefused) {
  const auto refusal_of = [](const char* form) {
    return refused_of_stap(
        [&](Tracer& tracer) { EXPECT_TRUE(tracer.set_option("oformat", form).ok()) << form; });
  };
  EXPECT_EQ(refusal_of("none").text, "");
  for (const char* const form : {"json", "json,pretty", "xml", "csv", "term", "html", "views",
                                 "svg", "folded", "pprof", "speedscope", "prometheus"}) {
    EXPECT_TRUE(
        refusal_of(form).text.starts_with(fmt::format("oformat={} needs a global variable", form)))
        << form;  // which this script has not
  }
  for (const char* const form : {"ctf", "chrome", "perfscript"}) {
    const Error error = refusal_of(form);
    EXPECT_EQ(
        error.text,
        fmt::format("oformat={} shows D's records and aggregations: handlers of the SystemTap "
                    "language print text",
                    form));
  }
}

TEST(Tracer, CallbacksThatHandlersHaveNothingForAreRefused) {
  EXPECT_EQ(
      refused_of_stap([](Tracer& tracer) { tracer.on_record([](const Record&) {}); }).text,
      "records as values are of programs in D: handlers of the SystemTap language print text");
  const auto is_taken = [](const std::function<void(Tracer&)>& prepare) {
    return refused_of_stap(prepare).text.empty();
  };
  EXPECT_TRUE(is_taken([](Tracer& tracer) { tracer.on_view_line([](std::string_view) {}); }));
  EXPECT_TRUE(is_taken([](Tracer& tracer) { tracer.on_metrics([](std::string_view) {}); }));
  EXPECT_TRUE(is_taken([](Tracer& tracer) { tracer.on_push([](std::string_view) {}); }));
  EXPECT_EQ(refused_of_stap([](Tracer& tracer) { tracer.on_drop([](const Drop&) {}); }).text, "");
}

TEST(Tracer, WhatHandlersAddToIsNoAggregationOfTheProgram) {
  Tracer tracer;
  Program program = named("global n probe syscall.read { n++ } probe end { println(n) }");
  program.language = "stap";
  tracer.add(std::move(program));
  ASSERT_TRUE(tracer.compile().ok());
  EXPECT_TRUE(tracer.aggregations().empty());
}

TEST(Tracer, WhatComesTooLateIsRefused) {
  Tracer tracer;
  tracer.add(named("BEGIN {}"));
  ASSERT_TRUE(tracer.compile().ok());
  const std::string text = "what is to be traced is compiled already";
  EXPECT_EQ(tracer.add(named("END {}")).error().text, text);
  EXPECT_EQ(tracer.add_argument("1").error().text, text);
  EXPECT_EQ(tracer.set_option("quiet").error().text, text);
  EXPECT_EQ(tracer.compile().error().text, text);
  EXPECT_EQ(tracer.read("a", [](const Row&) {}).error().text,
            "an aggregation can be read once tracing goes");
}

TEST(Tracer, ChecksWhetherThereIsAnythingToGoWith) {
  Tracer nothing;
  EXPECT_EQ(nothing.check().error().text, "no probes specified");
  Tracer destructive;
  destructive.add(named("BEGIN { stop(); }"));
  const Status refused = destructive.check();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text, "could not enable tracing: Destructive actions not allowed");
  EXPECT_NE(refused.error().excerpt.find("this action is destructive"), std::string::npos);
  Tracer stopped;
  ASSERT_TRUE(stopped.set_option("stop", "ir").ok());
  stopped.add(named("BEGIN {}"));
  ASSERT_TRUE(stopped.compile().ok());
  EXPECT_TRUE(stopped.is_stopped());
  EXPECT_EQ(stopped.go().error().text, "there is nothing to trace: -x stop was reached");
}

TEST(Tracer, MatchesDescriptions) {
  Tracer tracer;
  const std::vector<Probe> begin = tracer.match("dtrace:::BEGIN");
  ASSERT_EQ(begin.size(), 1U);
  EXPECT_EQ(begin[0], (Probe{1, "dtrace", "", "", "BEGIN"}));
  EXPECT_EQ(to_text(begin[0]), "dtrace:::BEGIN");
  EXPECT_EQ(tracer.details(begin[0]).names.name, "Stable");
  EXPECT_TRUE(tracer.match("dtrace:::BEGINN").empty());
  ASSERT_EQ(tracer.why_not("dtrace:::BEGINN").size(), 1U);
  EXPECT_EQ(tracer.why_not("dtrace:::BEGINN")[0], "did you mean 'dtrace:::BEGIN'?");
  Tracer other;
  other.add(named("BEGIN, tick-1s {} END {}"));
  const auto descriptions = other.descriptions();
  ASSERT_TRUE(descriptions.ok());
  EXPECT_EQ(descriptions->size(), 3U);
}

TEST(Tracer, TellsOfStagesAndGivesTheirText) {
  Tracer tracer;
  ASSERT_TRUE(tracer.set_option("dump", "ir").ok());
  tracer.add(named("BEGIN { trace(7); }"));
  std::vector<std::string> stages;
  std::string dumped;
  tracer.on_progress([&](const Progress& progress) {
    if (!progress.stage.empty()) {
      stages.emplace_back(progress.stage);
    }
  });
  tracer.on_dump([&](std::string_view text) { dumped += text; });
  ASSERT_TRUE(tracer.compile().ok());
  EXPECT_EQ(stages,
            (std::vector<std::string>{"start", "front-end", "optimise", "enable", "generate"}));
  EXPECT_NE(dumped.find("clause"), std::string::npos) << dumped;
}

}  // namespace
}  // namespace dtrace
