// The tree of each construct.

#include <gtest/gtest.h>

#include "d/syntax/parse_test.h"

namespace dt::d {
namespace {

std::string tree(const std::string& text, front::Input::Spec spec = front::Input::Spec::kProgram) {
  ParseRun run(text, spec);
  return run.tree();
}

// The tree of an expression in one line: (+ a (* b c)).
std::string brief(const Expr& e) {
  std::string out;
  switch (e.kind) {
    case ExprKind::kInt:
      return fmt::format("{}", e.int_value);
    case ExprKind::kString:
      return '"' + e.text + '"';
    case ExprKind::kIdent:
      return e.text;
    case ExprKind::kScoped:
      return e.module + '`' + e.text;
    case ExprKind::kThreadVar:
      return "self->" + e.text;
    case ExprKind::kClauseVar:
      return "this->" + e.text;
    case ExprKind::kAggregation:
      out = "@" + e.text;
      break;
    case ExprKind::kPostfix:
      out = std::string("post") + op_text(e.op);
      break;
    case ExprKind::kAssign:
      out = std::string(op_text(e.op)) + "=";
      break;
    case ExprKind::kTernary:
      out = "?:";
      break;
    case ExprKind::kComma:
      out = ",";
      break;
    case ExprKind::kIndex:
      out = "[]";
      break;
    case ExprKind::kMember:
      out = (e.arrow ? "->" : ".") + e.text;
      break;
    case ExprKind::kCast:
      out = "cast";
      break;
    case ExprKind::kSizeofType:
      return "sizeof-type";
    case ExprKind::kSizeofExpr:
      out = "sizeof";
      break;
    case ExprKind::kOffsetof:
      return "offsetof " + e.text;
    case ExprKind::kStringof:
      out = "stringof";
      break;
    case ExprKind::kBuilt:
    case ExprKind::kXlate:
      out = "xlate";
      break;
    default:
      out = e.text.empty() ? op_text(e.op) : e.text;
  }
  for (const Expr* arg : e.args) {
    out += ' ' + brief(*arg);
  }
  return '(' + out + ')';
}

std::string expr(const std::string& text) {
  ParseRun run("typedef int my_t; B { " + text + "; }");
  run.tree();
  if (!run.unit || run.unit->clauses.size() != 1 || run.unit->clauses[0].body.size() != 1) {
    return run.errors();
  }
  return brief(*run.unit->clauses[0].body[0]->expr);
}

TEST(Parser, ReadsClauses) {
  EXPECT_EQ(tree("syscall::read:entry, END\n/pid == 1/\n{ trace(1); ; exit(0) }"),
            "clause 1:1-3:24\n"
            "  probe 1:1-1:20 \"syscall::read:entry\"\n"
            "  probe 1:22-1:25 \"END\"\n"
            "  predicate\n"
            "    binary 2:2-2:10 ==\n"
            "      ident 2:2-2:5 pid\n"
            "      int 2:9-2:10 1\n"
            "  body\n"
            "    call 3:3-3:11 trace\n"
            "      int 3:9-3:10 1\n"
            "    call 3:15-3:22 exit\n"
            "      int 3:20-3:21 0\n");
  EXPECT_EQ(tree("BEGIN {} END /x/\n{}"),
            "clause 1:1-1:9\n  probe 1:1-1:6 \"BEGIN\"\n  body\n"
            "clause 1:10-2:3\n  probe 1:10-1:13 \"END\"\n  predicate\n    ident 1:15-1:16 x\n"
            "  body\n");
}

TEST(Parser, ACommandLineNameNeedsNoBody) {
  EXPECT_EQ(tree("BEGIN, END", front::Input::Spec::kName),
            "clause 1:1-1:11\n  probe 1:1-1:6 \"BEGIN\"\n  probe 1:8-1:11 \"END\"\n");
  EXPECT_EQ(tree("END /x/", front::Input::Spec::kName),
            "clause 1:1-1:8\n  probe 1:1-1:4 \"END\"\n  predicate\n    ident 1:6-1:7 x\n");
}

TEST(Parser, CompletesTheDescriptionsOfTheOtherOptions) {
  const auto probe = [](const std::string& text, front::Input::Spec spec) {
    ParseRun run(text, spec);
    const std::string printed = run.tree();
    return run.unit ? run.unit->clauses[0].probes[0].text : printed;
  };
  EXPECT_EQ(probe("syscall", front::Input::Spec::kProvider), "syscall:::");
  EXPECT_EQ(probe("int /pid == 1/ { trace(1); }", front::Input::Spec::kProvider), "int:::");
  EXPECT_EQ(probe("vmlinux", front::Input::Spec::kModule), ":vmlinux::");
  EXPECT_EQ(probe("fbt:vmlinux", front::Input::Spec::kModule), "fbt:vmlinux::");
  EXPECT_EQ(probe("f", front::Input::Spec::kFunction), "::f:");
  EXPECT_EQ(probe("m:f", front::Input::Spec::kFunction), ":m:f:");
  EXPECT_EQ(probe("p:m:f", front::Input::Spec::kFunction), "p:m:f:");
  EXPECT_EQ(probe("123 { trace(1); }", front::Input::Spec::kId), "123");
  EXPECT_EQ(probe("x", front::Input::Spec::kId),
            "t.d:1:1: error: \"x\" is not the ID of a probe [D_PDESC_INVAL]\nx\n^\n");
  EXPECT_EQ(probe("a:b", front::Input::Spec::kProvider),
            "t.d:1:1: error: \"a:b\" has 2 fields; this option takes a provider [D_PDESC_INVAL]\n"
            "a:b\n^~~\nhint: -n takes a whole description\n");
}

TEST(Parser, ReadsIfAndElse) {
  EXPECT_EQ(tree("B{if (a) { b; } else if (c) d; else ; if (e) f }"),
            "clause 1:1-1:49\n"
            "  probe 1:1-1:2 \"B\"\n"
            "  body\n"
            "    if 1:3-1:38\n"
            "      ident 1:7-1:8 a\n"
            "      then\n"
            "        block 1:10-1:16\n"
            "          ident 1:12-1:13 b\n"
            "      else\n"
            "        if 1:22-1:38\n"
            "          ident 1:26-1:27 c\n"
            "          then\n"
            "            ident 1:29-1:30 d\n"
            "          else\n"
            "            empty 1:37-1:38\n"
            "    if 1:39-1:47\n"
            "      ident 1:43-1:44 e\n"
            "      then\n"
            "        ident 1:46-1:47 f\n");
}

TEST(Parser, FollowsThePrecedenceOfC) {
  EXPECT_EQ(expr("a + b * c - d"), "(- (+ a (* b c)) d)");
  EXPECT_EQ(expr("a || b ^^ c && d | e ^ f & g == h < i << j + k % l"),
            "(|| a (^^ b (&& c (| d (^ e (& f (== g (< h (<< i (+ j (% k l)))))))))))");
  EXPECT_EQ(expr("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(expr("a = b += c"), "(= a (+= b c))");
  EXPECT_EQ(expr("a ? b : c ? d : e"), "(?: a b (?: c d e))");
  EXPECT_EQ(expr("a ? b, c : d"), "(?: a (, b c) d)");
  EXPECT_EQ(expr("a, b = c"), "(, a (= b c))");
  EXPECT_EQ(expr("-a * !b + ~c"), "(+ (* (- a) (! b)) (~ c))");
  EXPECT_EQ(expr("*p++ + &q[1] - --r"), "(- (+ (* (post++ p)) (& ([] q 1))) (-- r))");
  EXPECT_EQ(expr("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(expr("a <<= 1, b >>= 2, c ^= 3, d |= 4"),
            "(, (, (, (<<= a 1) (>>= b 2)) (^= c 3)) (|= d 4))");
}

TEST(Parser, ReadsOperands) {
  EXPECT_EQ(expr("self->a + this->b"), "(+ self->a this->b)");
  EXPECT_EQ(expr("`jiffies + vmlinux`x"), "(+ `jiffies vmlinux`x)");
  EXPECT_EQ(expr("p->a.b[1, 2]->counter.default"), "(.default (->counter ([] (.b (->a p)) 1 2)))");
  EXPECT_EQ(expr("f() + g(1, \"s\")"), "(+ (f) (g 1 \"s\"))");
  EXPECT_EQ(expr("x[pid, \"a\"] = 0"), "(= ([] x pid \"a\") 0)");
  EXPECT_EQ(expr("self->x[1]"), "([] self->x 1)");
  EXPECT_EQ(expr("stringof(a)"), "(stringof a)");
  EXPECT_EQ(expr("stringof a == \"b\""), "(== (stringof a) \"b\")");
  EXPECT_EQ(expr("offsetof(struct foo, bar)"), "offsetof bar");
  EXPECT_EQ(expr("xlate <psinfo_t *>(curthread)->pr_pid"), "(->pr_pid (xlate curthread))");
}

TEST(Parser, ReadsAggregations) {
  EXPECT_EQ(expr("@ = count()"), "(= (@_) (count))");
  EXPECT_EQ(expr("@a[pid, execname] = quantize(arg0)"), "(= (@a pid execname) (quantize arg0))");
  EXPECT_EQ(expr("printa(\"%d\", @a, @b)"), "(printa \"%d\" (@a) (@b))");
  EXPECT_EQ(expr("@a[1][2]"), "([] (@a 1) 2)");
}

TEST(Parser, TellsCastsFromParentheses) {
  EXPECT_EQ(expr("(int)a"), "(cast a)");
  EXPECT_EQ(expr("(unsigned long)a + b"), "(+ (cast a) b)");
  EXPECT_EQ(expr("(struct foo *)arg0"), "(cast arg0)");
  EXPECT_EQ(expr("(struct mod`foo *)arg0"), "(cast arg0)");
  EXPECT_EQ(expr("(string)a"), "(cast a)");
  EXPECT_EQ(expr("(my_t)-1"), "(cast (- 1))");
  EXPECT_EQ(expr("(my_t)(a)"), "(cast a)");
  EXPECT_EQ(expr("(my_t)&a"), "(cast (& a))");
  EXPECT_EQ(expr("(uint64_t)-1"), "(cast (- 1))");
  EXPECT_EQ(expr("(any_t *)a"), "(cast a)");
  EXPECT_EQ(expr("(any_t **)*a"), "(cast (* a))");
  EXPECT_EQ(expr("(any_t)a"), "(cast a)");
  EXPECT_EQ(expr("(my_t (*)[3])a"), "(cast a)");
  EXPECT_EQ(expr("(a) - 1"), "(- a 1)");
  EXPECT_EQ(expr("(a) * b"), "(* a b)");
  EXPECT_EQ(expr("(a) & b"), "(& a b)");
  EXPECT_EQ(expr("(a * b)"), "(* a b)");
  EXPECT_EQ(expr("(a **b)"), "(* a (* b))");
  EXPECT_EQ(expr("(self->a) + 1"), "(+ self->a 1)");
  EXPECT_EQ(expr("sizeof(my_t) + sizeof(my_t *) + sizeof(struct foo)"),
            "(+ (+ sizeof-type sizeof-type) sizeof-type)");
  EXPECT_EQ(expr("sizeof(any_t *) + sizeof(my_t[3]) + sizeof(f(a))"),
            "(+ (+ sizeof-type sizeof-type) (sizeof (f a)))");
  EXPECT_EQ(expr("sizeof(a) + sizeof(a * b) + sizeof a"),
            "(+ (+ (sizeof a) (sizeof (* a b))) (sizeof a))");
}

TEST(Parser, ReadsDeclarations) {
  EXPECT_EQ(tree("int x; self unsigned long y, *z; this string s; extern char c[10];"),
            "declaration 1:1-1:7 int\n"
            "  declarator 1:5-1:6 x\n"
            "declaration 1:8-1:33 self unsigned long\n"
            "  declarator 1:27-1:28 y\n"
            "  declarator 1:31-1:32 z\n"
            "    pointer\n"
            "declaration 1:34-1:48 this string\n"
            "  declarator 1:46-1:47 s\n"
            "declaration 1:49-1:67 extern char\n"
            "  declarator 1:61-1:62 c\n"
            "    array\n"
            "      int 1:63-1:65 10\n");
  EXPECT_EQ(tree("string a[int, my_t *]; userland int *const p; struct mod`foo *q; self x;"),
            "declaration 1:1-1:23 string\n"
            "  declarator 1:8-1:9 a\n"
            "    assoc\n"
            "      type 1:10-1:13 int\n"
            "      type 1:15-1:21 my_t\n"
            "        pointer\n"
            "declaration 1:24-1:46 userland int\n"
            "  declarator 1:44-1:45 p\n"
            "    pointer const\n"
            "declaration 1:47-1:65 struct mod`foo\n"
            "  declarator 1:63-1:64 q\n"
            "    pointer\n"
            "declaration 1:66-1:73 self\n"
            "  declarator 1:71-1:72 x\n");
}

TEST(Parser, ReadsDeclaratorsFromTheNameOutwards) {
  EXPECT_EQ(tree("int *a[3]; int (*b)[3]; int (*f)(int n, ...); char *(*(*g)[2])(void);"),
            "declaration 1:1-1:11 int\n"
            "  declarator 1:6-1:7 a\n"
            "    array\n"
            "      int 1:8-1:9 3\n"
            "    pointer\n"
            "declaration 1:12-1:24 int\n"
            "  declarator 1:18-1:19 b\n"
            "    pointer\n"
            "    array\n"
            "      int 1:21-1:22 3\n"
            "declaration 1:25-1:46 int\n"
            "  declarator 1:31-1:32 f\n"
            "    pointer\n"
            "    function ...\n"
            "      type 1:34-1:39 int : n\n"
            "declaration 1:47-1:70 char\n"
            "  declarator 1:57-1:58 g\n"
            "    pointer\n"
            "    array\n"
            "      int 1:60-1:61 2\n"
            "    pointer\n"
            "    function\n"
            "      type 1:64-1:68 void\n"
            "    pointer\n");
}

TEST(Parser, TellsArraysFromAssociativeArraysByTheirKeys) {
  EXPECT_EQ(tree("int a[uint64_t]; int b[N]; int c[];"),
            "declaration 1:1-1:17 int\n"
            "  declarator 1:5-1:6 a\n"
            "    assoc\n"
            "      type 1:7-1:15 uint64_t\n"
            "declaration 1:18-1:27 int\n"
            "  declarator 1:22-1:23 b\n"
            "    array\n"
            "      ident 1:24-1:25 N\n"
            "declaration 1:28-1:36 int\n"
            "  declarator 1:32-1:33 c\n"
            "    array\n");
}

TEST(Parser, ReadsStructuresAndEnumerations) {
  EXPECT_EQ(tree("typedef struct foo { int a:3, :2; union { char *b; long c; }; } foo_t;\n"
                 "enum e { A, B = 1 + 1, } v;"),
            "declaration 1:1-1:71 typedef struct foo\n"
            "  field 1:22-1:25 int\n"
            "    declarator 1:26-1:27 a\n"
            "      bits\n"
            "        int 1:28-1:29 3\n"
            "    declarator\n"
            "      bits\n"
            "        int 1:32-1:33 2\n"
            "  field 1:35-1:61 union\n"
            "    field 1:43-1:47 char\n"
            "      declarator 1:49-1:50 b\n"
            "        pointer\n"
            "    field 1:52-1:56 long\n"
            "      declarator 1:57-1:58 c\n"
            "  declarator 1:65-1:70 foo_t\n"
            "declaration 2:1-2:28 enum e\n"
            "  enumerator 2:10-2:11 A\n"
            "  enumerator 2:13-2:14 B\n"
            "    binary 2:17-2:22 +\n"
            "      int 2:17-2:18 1\n"
            "      int 2:21-2:22 1\n"
            "  declarator 2:26-2:27 v\n");
}

TEST(Parser, ReadsInlines) {
  EXPECT_EQ(tree("inline int N = 5; inline string s[int32_t i] = i ? \"a\" : \"b\";"),
            "inline 1:1-1:18 int\n"
            "  declarator 1:12-1:13 N\n"
            "  int 1:16-1:17 5\n"
            "inline 1:19-1:62 string\n"
            "  declarator 1:33-1:34 s\n"
            "    assoc\n"
            "      type 1:35-1:44 int32_t : i\n"
            "  ternary 1:48-1:61\n"
            "    ident 1:48-1:49 i\n"
            "    string 1:52-1:55 \"a\"\n"
            "    string 1:58-1:61 \"b\"\n");
}

TEST(Parser, ReadsTranslatorsAndProviders) {
  EXPECT_EQ(tree("translator foo_t < struct bar *T > { a = T->x; b = 1; };\n"
                 "provider p { probe a__b(int n, string); probe c(void) : (int, char *m); };\nB{}"),
            "translator 1:1-1:57\n"
            "  output 1:12-1:17 foo_t\n"
            "  input 1:20-1:33 struct bar : T\n"
            "    pointer\n"
            "  member 1:38-1:39 a\n"
            "    member 1:42-1:46 ->x\n"
            "      ident 1:42-1:43 T\n"
            "  member 1:48-1:49 b\n"
            "    int 1:52-1:53 1\n"
            "provider 2:1-2:75 p\n"
            "  probe 2:20-2:24 a__b\n"
            "    native 2:25-2:30 int : n\n"
            "    native 2:32-2:38 string\n"
            "  probe 2:47-2:48 c\n"
            "    native 2:49-2:53 void\n"
            "    translated 2:58-2:61 int\n"
            "    translated 2:63-2:70 char : m\n"
            "      pointer\n"
            "clause 3:1-3:4\n"
            "  probe 3:1-3:2 \"B\"\n"
            "  body\n");
}

TEST(Parser, KeepsTheSuffixesOfIntegers) {
  EXPECT_EQ(tree("B{1u; 2ll; 'a'}"),
            "clause 1:1-1:16\n  probe 1:1-1:2 \"B\"\n  body\n"
            "    int 1:3-1:5 1u\n    int 1:7-1:10 2ll\n    int 1:12-1:15 97 char\n");
}

}  // namespace
}  // namespace dt::d
