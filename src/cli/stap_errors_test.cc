// Errors of one kind, of which one is shown.

#include "cli/stap_errors.h"

#include <gtest/gtest.h>

#include <vector>

namespace dt::cli {
namespace {

dtrace::Diagnostic error(std::string text, std::uint32_t line) {
  dtrace::Diagnostic made;
  made.text = std::move(text);
  made.line = line;
  return made;
}

TEST(StapErrors, OneKindHasOtherNamesNumbersAndTypes) {
  struct Row {
    const char *one, *other;
    bool is_same;
  };
  const Row kRows[] = {
      {"semantic error: unresolved function f (similar: g): identifier 'f' at x.stp:1:15\n source",
       "semantic error: unresolved function later: identifier 'later' at x.stp:7:2\n source", true},
      {"semantic error: type mismatch: expected long but found string: string 'a' at x.stp:1:19\n",
       "semantic error: type mismatch: expected string but found long: number '5' at x.stp:2:19\n",
       true},
      {"semantic error: type mismatch (string): identifier 'x' at x.stp:1:2\n",
       "semantic error: type mismatch: expected long but found string: string 'a' at x.stp:1:19\n",
       false},
      {"parse error: expected one of ') ,'\n        saw: operator '}' at x.stp:1:2\n",
       "parse error: expected one of ', )'\n        saw: operator '{' at x.stp:1:9\n", true},
      {"parse error: expected ')'\n        saw: operator '}' at x.stp:1:2\n",
       "parse error: expected ')'\n        saw: operator '{' at x.stp:1:9\n", false},
      {"parse error: expected ')'\n        saw: operator '}' at x.stp:1:2\n",
       "parse error: expected statement\n        saw: operator '}' at x.stp:1:2\n", false},
      {"semantic error: inconsistent arity (1 vs 0): identifier 'a' at x.stp:1:3\n",
       "semantic error: inconsistent arity (2 vs 1): identifier 'b' at x.stp:1:3\n", true},
      {"semantic error: unable to find local 'a' at syscall:vmlinux:read:entry (alternatives: "
       "$fd): "
       "identifier '$a' at x.stp:1:3\n",
       "semantic error: unable to find local 'b' at syscall:vmlinux:open:entry: "
       "identifier '$b' at x.stp:1:9\n",
       true},
      // A probe point: where it is, and why.
      {"semantic error: while resolving probe point: identifier 'a' at x.stp:1:7\n\n"
       "semantic error: probe point mismatch: identifier 'a' at x.stp:1:7\n",
       "semantic error: while resolving probe point: identifier 'timer' at x.stp:2:7\n\n"
       "semantic error: invalid interval: identifier 's' at x.stp:2:13\n",
       false},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(kind_of_error(row.one) == kind_of_error(row.other), row.is_same)
        << row.one << row.other;
  }
}

TEST(StapErrors, OtherErrorsOfAKindAreCounted) {
  const std::vector<dtrace::Diagnostic> all = {
      error("semantic error: unresolved function f: identifier 'f' at x.stp:1:1\n", 1),
      error("semantic error: unresolved function g: identifier 'g' at x.stp:2:1\n", 2),
      error("semantic error: unresolved function f: identifier 'f' at x.stp:1:1\n", 1),
      error("semantic error: unresolved type : identifier 'x' at x.stp:3:1\n", 3)};
  const ShownErrors few = shown_errors(all, 4, false);
  EXPECT_EQ(few.text, all[0].text + "\n" + all[3].text + "\n");
  EXPECT_EQ(few.rest,
            "Number of similar error messages suppressed: 1.\nRerun with -v to see them.\n");
  const ShownErrors every = shown_errors(all, 4, true);
  EXPECT_EQ(every.text, all[0].text + "\n" + all[1].text + "\n" + all[3].text + "\n");
  EXPECT_EQ(every.rest, "");
  // Of the hundred that there are, few are kept.
  EXPECT_EQ(shown_errors(all, 104, true).rest,
            "Number of similar error messages suppressed: 100.\n");
}

TEST(StapErrors, AtOnePlaceOneErrorOfWhatItMeansIsShown) {
  const std::vector<dtrace::Diagnostic> meaning = {error("semantic error: wrong here\n", 1),
                                                   error("semantic error: and there\n", 1)};
  EXPECT_EQ(shown_errors(meaning, 2, false).text, meaning[0].text + "\n");
  const std::vector<dtrace::Diagnostic> grammar = {error("parse error: wrong\n", 1),
                                                   error("Input file 'x.stp' is empty.", 1)};
  EXPECT_EQ(shown_errors(grammar, 2, false).text, grammar[0].text + "\n" + grammar[1].text + "\n");
}

}  // namespace
}  // namespace dt::cli
