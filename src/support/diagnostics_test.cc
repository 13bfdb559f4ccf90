#include "support/diagnostics.h"

#include <gtest/gtest.h>

namespace dt::support {
namespace {

TEST(Diagnostics, ARenderedErrorMarksTheNarrowestTextAndItsNotes) {
  Sources sources;
  sources.add(Source("agg.d", "BEGIN {\n\t@a = count();\n\t@a = sum(1);\n}\n"));
  Diagnostics diagnostics;
  Diagnostic& error = diagnostics.error("D_AGG_REDEF", Span{0, 24, 26}, "aggregation @a redefined");
  error.notes.push_back(Note{Span{0, 9, 21}, "first defined here"});
  EXPECT_EQ(render(error, sources),
            "agg.d:3:2: error: aggregation @a redefined [D_AGG_REDEF]\n"
            "\t@a = sum(1);\n"
            "\t^~\n"
            "agg.d:2:2: note: first defined here\n"
            "\t@a = count();\n"
            "\t^~~~~~~~~~~~\n");
  EXPECT_EQ(headline(error, sources, false), "line 3: aggregation @a redefined");
  EXPECT_EQ(headline(error, sources, true), "[D_AGG_REDEF] line 3: aggregation @a redefined");
}

TEST(Diagnostics, TextFromTheCommandLineIsPlacedByItsRegion) {
  Sources sources;
  Source text("BEGIN { foo }", "BEGIN { foo }");
  text.from_command_line = true;
  sources.add(std::move(text));
  Diagnostics diagnostics;
  diagnostics.set_region("action list");
  diagnostics.error("D_IDENT_UNDEF", Span{0, 8, 11},
                    "failed to resolve foo: Unknown variable name");
  EXPECT_EQ(headline(diagnostics.all()[0], sources, false),
            "in action list: failed to resolve foo: Unknown variable name");
}

TEST(Diagnostics, ALibraryIsNamedInQuotes) {
  Sources sources;
  Source text("io.d", "\nx");
  text.is_library = true;
  sources.add(std::move(text));
  Diagnostics diagnostics;
  diagnostics.error("D_SYNTAX", Span{0, 1, 2}, "syntax error near \"x\"");
  EXPECT_EQ(headline(diagnostics.all()[0], sources, false),
            "\"io.d\", line 2: syntax error near \"x\"");
}

TEST(Diagnostics, AnIncludedFileIsNamedInQuotes) {
  Sources sources;
  Source text("x.d", "#\nint\n#\nx");
  text.add_marker(0, 4, "inc.h");
  text.add_marker(6, 2, "x.d");
  sources.add(std::move(text));
  Diagnostics diagnostics;
  diagnostics.error("D_SYNTAX", Span{0, 2, 5}, "syntax error near \"int\"");
  diagnostics.error("D_SYNTAX", Span{0, 8, 9}, "syntax error near \"x\"");
  EXPECT_EQ(headline(diagnostics.all()[0], sources, false),
            "\"inc.h\", line 4: syntax error near \"int\"");
  EXPECT_EQ(headline(diagnostics.all()[1], sources, false), "line 2: syntax error near \"x\"");
}

TEST(Diagnostics, TwentyErrorsAreKeptAndTheRestCounted) {
  Diagnostics diagnostics;
  for (int i = 0; i < 25; ++i) {
    diagnostics.error("D_SYNTAX", Span{}, "x");
  }
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(diagnostics.total(), 25U);
}

TEST(Diagnostics, ControlCharactersOfAScriptDoNotReachTheTerminal) {
  Sources sources;
  sources.add(Source("x.d", "\x1b[31mred"));
  Diagnostics diagnostics;
  diagnostics.error("D_SYNTAX", Span{0, 0, 1}, "bad");
  EXPECT_EQ(render(diagnostics.all()[0], sources), "x.d:1:1: error: bad [D_SYNTAX]\n?[31mred\n^\n");
}

}  // namespace
}  // namespace dt::support
