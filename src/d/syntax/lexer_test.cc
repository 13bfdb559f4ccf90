// What a text is cut into.

#include <gtest/gtest.h>

#include "d/syntax/parse_test.h"
#include "d/syntax/token.h"

namespace dt::d {
namespace {

struct Case {
  std::string text;
  std::string tokens;
};

void expect_tokens(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    ParseRun run(c.text);
    EXPECT_EQ(run.tokens(), c.tokens) << c.text;
  }
}

// The tokens of `text` within a clause, without their places.
std::string in_body(const std::string& text) {
  ParseRun run("B{" + text + "}");
  std::string out;
  const std::string all = run.tokens();
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\n', begin);
    const std::string line = all.substr(begin, end - begin);
    out += (out.empty() ? "" : "|") + line.substr(line.find(' ') + 1);
    begin = end + 1;
  }
  const std::string head = "probe B|punctuation {|";
  const std::string tail = "punctuation }";
  EXPECT_TRUE(out.starts_with(head) && out.ends_with(tail)) << out;
  out = out.substr(head.size(), out.size() - head.size() - tail.size());
  return out.empty() ? out : out.substr(0, out.size() - 1);
}

TEST(Lexer, TakesADescriptionWholeOutsideOfClauses) {
  expect_tokens({
      {"syscall::re*:entry {}",
       "1:1 probe syscall::re*:entry\n1:20 punctuation {\n1:21 punctuation }\n"},
      {"fbt:a-b:[!x]y?z\\*:r.1", "1:1 probe fbt:a-b:[!x]y?z\\*:r.1\n"},
      {"profile:::tick-1sec/x/",
       "1:1 probe profile:::tick-1sec\n1:20 predicate-begin /\n"
       "1:21 identifier x\n1:22 predicate-end /\n"},
      {"BEGIN,END", "1:1 probe BEGIN\n1:6 punctuation ,\n1:7 probe END\n"},
      {"int:::entry", "1:1 probe int:::entry\n"},
      {"fbt:9p:x:entry", "1:1 probe fbt:9p:x:entry\n"},
      {"pid$target::f$pid:", "1:1 probe pid99::f1234:\n"},
      // Names of Go and C++.
      {"pid1:a:main.(*T).run:entry", "1:1 probe pid1:a:main.(*T).run:entry\n"},
      {"pid1::f(void (*)(int), long):entry,BEGIN",
       "1:1 probe pid1::f(void (*)(int), long):entry\n1:35 punctuation ,\n1:36 probe BEGIN\n"},
      {"a:b(c", "1:1 probe a:b\n1:4 punctuation (\n1:5 probe c\n"},
      {"a(b)", "1:1 probe a\n1:2 punctuation (\n1:3 probe b\n1:4 punctuation )\n"},
  });
}

TEST(Lexer, ToldDeclarationsFromDescriptions) {
  expect_tokens({
      {"int x;", "1:1 keyword int\n1:5 identifier x\n1:6 punctuation ;\n"},
      {"foo_t x;", "1:1 identifier foo_t\n1:7 identifier x\n1:8 punctuation ;\n"},
      {"foo_t *x;",
       "1:1 identifier foo_t\n1:7 punctuation *\n1:8 identifier x\n1:9 punctuation ;\n"},
      {"foo_t*x;",
       "1:1 identifier foo_t\n1:6 punctuation *\n1:7 identifier x\n1:8 punctuation ;\n"},
      {"foo*x {", "1:1 probe foo*x\n1:7 punctuation {\n"},
      {"foo x {", "1:1 probe foo\n1:5 probe x\n1:7 punctuation {\n"},
      {"self x; y", "1:1 keyword self\n1:6 identifier x\n1:7 punctuation ;\n1:9 probe y\n"},
  });
}

TEST(Lexer, EndsAPredicateBeforeABodyOrAtTheEndOfALine) {
  expect_tokens({
      {"a /b/c/ {",
       "1:1 probe a\n1:3 predicate-begin /\n1:4 identifier b\n1:5 punctuation /\n"
       "1:6 identifier c\n1:7 predicate-end /\n1:9 punctuation {\n"},
      {"a /b/\nc",
       "1:1 probe a\n1:3 predicate-begin /\n1:4 identifier b\n1:5 predicate-end /\n2:1 probe c\n"},
      {"a /b/ /* x\n */ {",
       "1:1 probe a\n1:3 predicate-begin /\n1:4 identifier b\n"
       "1:5 predicate-end /\n2:5 punctuation {\n"},
      {"a /(b/\nc)/ {",
       "1:1 probe a\n1:3 predicate-begin /\n1:4 punctuation (\n1:5 identifier b\n"
       "1:6 punctuation /\n2:1 identifier c\n2:2 punctuation )\n"
       "2:3 predicate-end /\n2:5 punctuation {\n"},
  });
}

TEST(Lexer, KnowsEveryOperator) {
  const std::string all =
      "<<= >>= ... -> ++ -- << >> && || ^^ == != <= >= += -= *= /= %= &= |= ^= ( ) [ ] ; , : ? . "
      "+ - * / % & | ^ ~ ! < > =";
  std::string expected;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find(' ', begin), all.size());
    expected += (expected.empty() ? "" : "|") + ("punctuation " + all.substr(begin, end - begin));
    begin = end + 1;
  }
  EXPECT_EQ(in_body(all), expected);
}

TEST(Lexer, ReadsNumbers) {
  EXPECT_EQ(in_body("0 10 0x1F 0X1f 017"), "integer 0|integer 10|integer 31|integer 31|integer 15");
  EXPECT_EQ(in_body("1u 1L 1ul 1LLU 0xffffffffffffffff"),
            "integer 1u|integer 1l|integer 1ul|integer 1ull|integer 18446744073709551615");
  EXPECT_EQ(in_body("1uLl 1lL 1Ll"), "integer 1ull|integer 1ll|integer 1ll");
  EXPECT_EQ(in_body("1.5 .5 1. 1e10 1.5e-3f"),
            "float 1.5|float .5|float 1.|float 1e10|float 1.5e-3f");
}

TEST(Lexer, ReadsCharacterConstantsMostSignificantFirst) {
  EXPECT_EQ(in_body("'a' '\\n' '\\'' '\\0' '\\x41' '\\101' 'ab'"),
            "integer 97|integer 10|integer 39|integer 0|integer 65|integer 65|integer 24930");
  EXPECT_EQ(in_body("'\\377'"), "integer 18446744073709551615");  // signed
}

TEST(Lexer, ResolvesEscapesAndEndsAStringAtItsFirstNul) {
  EXPECT_EQ(in_body(R"("a\tb\"\\\x41\102")"), R"(string "a\tb\"\\AB")");
  EXPECT_EQ(in_body(R"("ab\0cd")"), R"(string "ab")");
  EXPECT_EQ(in_body("\"a\\\nb\""), R"(string "ab")");
  EXPECT_EQ(in_body(R"("")"), R"(string "")");
}

TEST(Lexer, ReadsNamesOfModulesThatAreNoIdentifiers) {
  EXPECT_EQ(in_body("a.out`t libstdc++.so.6`t 8021q`t pid1`libc.so.6`t lib-x.so`t"),
            "scoped a.out`t|scoped libstdc++.so.6`t|scoped 8021q`t|scoped pid1`libc.so.6`t|"
            "scoped lib-x.so`t");
  EXPECT_EQ(in_body("a-b`t a.b x1+9"),
            "identifier a|punctuation -|scoped b`t|identifier a|punctuation .|identifier b|"
            "identifier x1|punctuation +|integer 9");
}

TEST(Lexer, ReadsScopedNamesAndAggregations) {
  EXPECT_EQ(in_body("`sym vmlinux`jiffies pid1`libc`malloc"),
            "scoped `sym|scoped vmlinux`jiffies|scoped pid1`libc`malloc");
  EXPECT_EQ(in_body("@ @a @_x1[1]"),
            "aggregation @_|aggregation @a|aggregation @_x1|punctuation [|integer 1|punctuation ]");
}

TEST(Lexer, SkipsCommentsOfBothKinds) {
  EXPECT_EQ(in_body("a /* b\n c */ d // e\n f /**/"), "identifier a|identifier d|identifier f");
}

TEST(Lexer, HasTheReservedWordsOfD) {
  for (const char* word :
       {"auto",     "break",    "case",   "char",     "const",  "continue",   "counter", "default",
        "do",       "double",   "else",   "enum",     "extern", "float",      "for",     "goto",
        "if",       "import",   "inline", "int",      "long",   "offsetof",   "probe",   "provider",
        "register", "restrict", "return", "self",     "short",  "signed",     "sizeof",  "static",
        "string",   "stringof", "struct", "switch",   "this",   "translator", "typedef", "union",
        "unsigned", "userland", "void",   "volatile", "while",  "xlate",      "_Bool"}) {
    EXPECT_EQ(in_body(word), std::string("keyword ") + word);
    EXPECT_EQ(token_text(keyword(word)), word);
  }
  EXPECT_EQ(in_body("ints xlates If"), "identifier ints|identifier xlates|identifier If");
}

TEST(Lexer, ShowsPragmasAmongTheTokens) {
  expect_tokens({{"#pragma D option quiet\nBEGIN", "1:1 pragma option quiet\n2:1 probe BEGIN\n"}});
}

TEST(Lexer, SkipsAByteOrderMark) {
  expect_tokens(
      {{"\xef\xbb\xbf"
        "BEGIN",
        "1:4 probe BEGIN\n"}});
}

TEST(Keywords, NamesTheKeywordThatWasMeant) {
  EXPECT_EQ(nearest_keyword("inlin"), "inline");
  EXPECT_EQ(nearest_keyword("translater"), "translator");
  EXPECT_EQ(nearest_keyword("execname"), "");
  EXPECT_EQ(nearest_keyword("i"), "");
}

}  // namespace
}  // namespace dt::d
