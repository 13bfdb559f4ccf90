// Every tag that the checker issues: the script, the tag, and the narrowest
// text that is wrong.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

struct Case {
  const char* script;
  const char* tag;
  const char* marked;
};

const std::set<std::string>& known_tags() {
  static const std::set<std::string> tags = {
#define DT_DIAGNOSTIC(tag, meaning) #tag,
#include "d/check/diagnostics.def"
#undef DT_DIAGNOSTIC
  };
  return tags;
}

// The whole of what a person reads, for every case of the running test, in
// tests/golden/diagnostics/<test>.txt. DT_UPDATE_GOLDEN=1 writes it anew.
void expect_transcript(const std::string& transcript) {
  const std::string path =
      fmt::format("{}/diagnostics/{}.txt", DT_GOLDEN_DIRECTORY,
                  testing::UnitTest::GetInstance()->current_test_info()->name());
  if (std::getenv("DT_UPDATE_GOLDEN") != nullptr) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr) << path;
    std::fwrite(transcript.data(), 1, transcript.size(), file);
    std::fclose(file);
    return;
  }
  std::string wanted;
  if (std::FILE* const file = std::fopen(path.c_str(), "r")) {
    std::array<char, 4096> buffer;
    for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), file)) > 0;) {
      wanted.append(buffer.data(), got);
    }
    std::fclose(file);
  }
  EXPECT_EQ(transcript, wanted) << path;
}

void expect_all(std::span<const Case> cases) {
  std::string transcript;
  for (const Case& one : cases) {
    FakeWorld world;
    const auto program = world.compile(one.script);
    EXPECT_FALSE(program.has_value()) << one.script;
    EXPECT_EQ(world.first_error(), std::string(one.tag) + " " + one.marked) << one.script << "\n"
                                                                            << world.errors();
    EXPECT_TRUE(known_tags().contains(one.tag)) << one.tag << " is not in diagnostics.def";
    transcript += fmt::format("dtrace -n '{}'\n", one.script);
    for (const Diagnostic& diagnostic : world.diagnostics.all()) {
      transcript += support::render(diagnostic, world.sources);
    }
    transcript += '\n';
  }
  expect_transcript(transcript);
}

constexpr const char* kStruct =
    "struct inner { char name[16]; }; "
    "struct s { int a; unsigned b:3; struct inner in; struct s *next; }; ";

TEST(CheckTags, NamesThatMeanNothingAreReported) {
  const Case cases[] = {
      {"BEGIN { trace(exename); }", "D_IDENT_UNDEF", "exename"},
      {"BEGIN { trace(self->x); }", "D_VAR_UNDEF", "self->x"},
      {"BEGIN { trace(this->x); }", "D_VAR_UNDEF", "this->x"},
      {"BEGIN { x = y[1]; }", "D_IDENT_UNDEF", "y"},
      {"BEGIN { foo(1); }", "D_FUNC_UNDEF", "foo"},
      {"BEGIN { pid(1); }", "D_FUNC_IDKIND", "pid"},
      {"BEGIN { x = trace; }", "D_IDENT_BADREF", "trace"},
      {"BEGIN { trace = 1; }", "D_IDENT_BADREF", "trace"},
      {"BEGIN { x[1] = 1; trace(x); }", "D_IDENT_BADREF", "x"},
      {"BEGIN { x = 1; trace(x[1]); }", "D_IDENT_BADREF", "x"},
      {"BEGIN { trace(`max_pfn); }", "D_SYM_BADREF", "`max_pfn"},
      {"BEGIN { trace(curthread->pid); }", "D_SYM_NOTYPES", "curthread"},
      {"BEGIN { trace(vinstrs); }", "D_VAR_UNSUP", "vinstrs"},
  };
  expect_all(cases);
}

TEST(CheckTags, OperandsOfTheWrongTypeAreReported) {
  const Case cases[] = {
      {"BEGIN { trace(execname * 1); }", "D_OP_ARITH", "execname"},
      {"BEGIN { trace(execname + execname); }", "D_OP_INCOMPAT", "execname + execname"},
      {"BEGIN { trace(execname % 2); }", "D_OP_INT", "execname"},
      {"BEGIN { trace(~execname); }", "D_OP_INT", "execname"},
      {"BEGIN { trace(-execname); }", "D_OP_ARITH", "execname"},
      {"BEGIN { trace(execname == 1); }", "D_OP_INCOMPAT", "execname == 1"},
      {"BEGIN { x = 1; x = execname; }", "D_OP_INCOMPAT", "x = execname"},
      {"BEGIN { x = \"a\"; x = 2; }", "D_OP_INCOMPAT", "x = 2"},
      {"struct list_head *x; BEGIN { x = pid; }", "D_OP_INCOMPAT", "x = pid"},
      {"BEGIN { x = execname && 1; }", "D_OP_SCALAR", "execname"},
      {"BEGIN { x = !execname; }", "D_OP_SCALAR", "execname"},
      {"BEGIN { x = execname ? 1 : 2; }", "D_OP_SCALAR", "execname"},
      {"BEGIN { x = 1; x += execname; }", "D_OP_INCOMPAT", "x += execname"},
      {"BEGIN { trace(1 ? 2 : execname); }", "D_OP_INCOMPAT", "1 ? 2 : execname"},
      {"BEGIN { x = execname; x++; }", "D_OP_SCALAR", "x"},
      {"BEGIN { x = execname; x += 1; }", "D_OP_INCOMPAT", "x += 1"},
      {"BEGIN { x = 1; x %= execname; }", "D_OP_INT", "execname"},
      {"BEGIN { trace(1 / 0); }", "D_DIV_ZERO", "0"},
      {"BEGIN { trace(pid % (2 - 2)); }", "D_DIV_ZERO", "(2 - 2)"},
      {"BEGIN { x = 1; x /= 0; }", "D_DIV_ZERO", "0"},
      {"BEGIN { x = stack(); x = ustack(); }", "D_OP_INCOMPAT", "x = ustack()"},
      {"BEGIN { x = ustack(3); x = ustack(4); }", "D_OP_INCOMPAT", "x = ustack(4)"},
      {"BEGIN { x = usym(1); x = umod(1); }", "D_OP_INCOMPAT", "x = umod(1)"},
      {"BEGIN { x = sym(1); x = 1; }", "D_OP_INCOMPAT", "x = 1"},
      {"BEGIN { x = ustack(); y = x + 1; }", "D_OP_INCOMPAT", "x + 1"},
      {"BEGIN { stack(), 1; }", "D_OP_DYN", "stack()"},
      {"BEGIN /execname/ { }", "D_PRED_SCALAR", "execname"},
      {"BEGIN { if (execname) { x = 1; } }", "D_PRED_SCALAR", "execname"},
      {"BEGIN { trace((struct t *)1 + 1); }", "D_OP_INCOMPLETE", "(struct t *)1"},
      {"BEGIN { trace(1.5); }", "D_SYNTAX", "1.5"},
      {"BEGIN { x = xlate <int> (1); }", "D_XLATE_NONE", "xlate <int> (1)"},
  };
  expect_all(cases);
}

// An action has no value. The call or operator that has an action as an operand reports the error;
// if there is none, the error is reported for the action itself.
TEST(CheckTags, ActionsAreRefusedByWhatHoldsThem) {
  const Case cases[] = {
      {"BEGIN { exit(trace(1)); }", "D_PROTO_ARG", "trace(1)"},
      {"BEGIN { exit(trace()); }", "D_PROTO_LEN", "trace()"},
      {"BEGIN { exit(trace(self->x)); }", "D_VAR_UNDEF", "self->x"},
      {"BEGIN { trace(strlen(stop())); }", "D_PROTO_ARG", "stop()"},
      {"BEGIN { trace(trace(1)); }", "D_TRACE_VOID", "trace(1)"},
      {"BEGIN { trace(sum(1)); }", "D_TRACE_VOID", "sum(1)"},
      {"BEGIN { print(exit(1)); }", "D_PRINT_VOID", "exit(1)"},
      {"BEGIN { tracemem(exit(1), 8); }", "D_TRACEMEM_ADDR", "exit(1)"},
      {"BEGIN { printf(\"%d\", trace(1)); }", "D_PRINTF_ARG_TYPE", "trace(1)"},
      {"BEGIN { printf(\"%d\", count()); }", "D_PRINTF_ARG_TYPE", "count()"},
      {"BEGIN { ustack(exit(1)); }", "D_USTACK_FRAMES", "exit(1)"},
      {"BEGIN { clear(count()); }", "D_CLEAR_AGGARG", "count()"},
      {"BEGIN { trunc(exit(1)); }", "D_TRUNC_AGGARG", "exit(1)"},
      {"BEGIN { normalize(count(), 2); }", "D_NORMALIZE_AGGARG", "count()"},
      {"BEGIN { @ = count(); normalize(@, exit(1)); }", "D_NORMALIZE_SCALAR", "exit(1)"},
      {"BEGIN { printa(count()); }", "D_PRINTA_AGGARG", "count()"},
      {"BEGIN { @ = sum(exit(1)); }", "D_AGG_SCALAR", "exit(1)"},
      {"BEGIN { @ = exit(1); }", "D_AGG_FUNC", "exit(1)"},
      {"BEGIN { @[stop()] = count(); }", "D_KEY_TYPE", "stop()"},
      {"BEGIN { x[stop()] = 1; }", "D_KEY_TYPE", "stop()"},
      {"BEGIN { x = trace(1); }", "D_OP_ACT", "trace(1)"},
      {"BEGIN { x = 1 + exit(1); }", "D_OP_INCOMPAT", "1 + exit(1)"},
      {"BEGIN { x = 2 * exit(1); }", "D_OP_ARITH", "exit(1)"},
      {"BEGIN { x = -exit(1); }", "D_OP_ARITH", "exit(1)"},
      {"BEGIN { x = 1 << exit(1); }", "D_OP_INT", "exit(1)"},
      {"BEGIN { x = ~exit(1); }", "D_OP_INT", "exit(1)"},
      {"BEGIN { x = !exit(1); }", "D_OP_SCALAR", "exit(1)"},
      {"BEGIN { x = 1 || exit(1); }", "D_OP_SCALAR", "exit(1)"},
      {"BEGIN { x = exit(1) ? 1 : 2; }", "D_OP_SCALAR", "exit(1)"},
      {"BEGIN { x = 1 == exit(1); }", "D_OP_INCOMPAT", "1 == exit(1)"},
      {"BEGIN { x = (int)exit(1); }", "D_CAST_INVAL", "(int)exit(1)"},
      {"BEGIN { x = stringof(exit(1)); }", "D_STRINGOF_TYPE", "stringof(exit(1))"},
      {"BEGIN { x = sizeof(exit(1)); }", "D_SIZEOF_TYPE", "sizeof(exit(1))"},
      {"BEGIN { x = *exit(1); }", "D_DEREF_NONPTR", "exit(1)"},
      {"BEGIN { x = exit(1)->a; }", "D_OP_PTR", "exit(1)"},
      {"BEGIN /exit(1)/ { }", "D_PRED_SCALAR", "exit(1)"},
      {"BEGIN { if (exit(1)) { x = 1; } }", "D_PRED_SCALAR", "exit(1)"},
      {"BEGIN { exit(1), 2; }", "D_OP_ACT", "exit(1)"},
      {"BEGIN { (void)exit(1); }", "D_CG_EXPR", "exit(1)"},
      {"BEGIN /exit(1), 1/ { }", "D_OP_ACT", "exit(1)"},
      {"BEGIN { count(); }", "D_CG_EXPR", "count()"},
  };
  expect_all(cases);
}

TEST(CheckTags, WhatCannotBeWrittenIsReported) {
  const Case cases[] = {
      {"BEGIN { 1 = 2; }", "D_OP_LVAL", "1"},
      {"BEGIN { pid = 2; }", "D_OP_WRITE", "pid"},
      {"BEGIN { pid++; }", "D_OP_WRITE", "pid"},
      {"BEGIN { *(userland int *)arg0 = 1; }", "D_OP_LVAL", "*(userland int *)arg0"},
      {"struct f { int b : 3; char c[]; }; BEGIN { ((struct f *)arg0)->c = \"a\"; }", "D_OP_LVAL",
       "((struct f *)arg0)->c"},
      {"struct f { int b : 3; char c[4]; }; BEGIN { ((struct f *)arg0)->c = NULL; }", "D_OP_ARRFUN",
       "((struct f *)arg0)->c"},
      {"struct f { int b : 3; char c[4]; }; BEGIN { *(struct f *)arg0 = 0; }", "D_OP_INCOMPAT",
       "*(struct f *)arg0 = 0"},
      {"BEGIN { this->a[1] = 2; }", "D_ARR_LOCAL", "this->a[1]"},
      {"BEGIN { x[1][2] = 3; }", "D_ARR_BADREF", "x[1][2]"},
      {"BEGIN { (1 + 2)++; }", "D_OP_LVAL", "(1 + 2)"},
  };
  expect_all(cases);
}

TEST(CheckTags, PointersAndMembersAreChecked) {
  const std::string s = kStruct;
  const std::vector<std::string> scripts = {
      "BEGIN { trace(*pid); }",
      "BEGIN { trace(*(void *)arg0); }",
      s + "BEGIN { trace(((struct s *)arg0)->nope); }",
      s + "BEGIN { trace(pid->a); }",
      s + "BEGIN { trace(((struct s *)arg0).a); }",
      "struct fwd; BEGIN { trace(((struct fwd *)arg0)->a); }",
      s + "BEGIN { trace(&pid); }",
      s + "BEGIN { trace(&1); }",
      s + "BEGIN { trace(&((struct s *)arg0)->b); }",
      s + "BEGIN { trace(sizeof(((struct s *)arg0)->b)); }",
      "BEGIN { trace(sizeof(void)); }",
      s + "BEGIN { trace(offsetof(struct s, zz)); }",
      s + "BEGIN { trace(offsetof(struct s, b)); }",
      "BEGIN { trace(offsetof(int, a)); }",
      s + "BEGIN { x = *(struct s *)arg0; x++; }",
      s + "BEGIN { trace((struct s)1); }",
      s + "BEGIN { trace(stringof(*(struct s *)arg0)); }",
      "BEGIN { trace(pid[1]); }",
      "BEGIN { trace(((int *)arg0)[execname]); }",
  };
  const Case wanted[] = {
      {"", "D_DEREF_NONPTR", "pid"},
      {"", "D_DEREF_VOID", "(void *)arg0"},
      {"", "D_TYPE_MEMBER", "nope"},
      {"", "D_OP_PTR", "pid"},
      {"", "D_OP_SOU", "((struct s *)arg0)"},
      {"", "D_OP_INCOMPLETE", "((struct fwd *)arg0)"},
      {"", "D_ADDROF_VAR", "pid"},
      {"", "D_ADDROF_LVAL", "1"},
      {"", "D_ADDROF_BITFIELD", "((struct s *)arg0)->b"},
      {"", "D_SIZEOF_BITFIELD", "sizeof(((struct s *)arg0)->b)"},
      {"", "D_SIZEOF_TYPE", "sizeof(void)"},
      {"", "D_UNKNOWN", "zz"},
      {"", "D_OFFSETOF_BITFIELD", "b"},
      {"", "D_OFFSETOF_TYPE", "int"},
      {"", "D_OP_SCALAR", "x"},
      {"", "D_CAST_INVAL", "(struct s)1"},
      {"", "D_STRINGOF_TYPE", "stringof(*(struct s *)arg0)"},
      {"", "D_IDENT_BADREF", "pid"},
      {"", "D_ARR_BADREF", "execname"},
  };
  ASSERT_EQ(scripts.size(), std::size(wanted));
  std::vector<Case> cases(std::begin(wanted), std::end(wanted));
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    cases[i].script = scripts[i].c_str();
  }
  expect_all(cases);
}

TEST(CheckTags, CallsAreHeldToTheirPrototypes) {
  const Case cases[] = {
      {"BEGIN { exit(); }", "D_PROTO_LEN", "exit()"},
      {"BEGIN { exit(1, 2); }", "D_PROTO_LEN", "exit(1, 2)"},
      {"BEGIN { exit(execname); }", "D_PROTO_ARG", "execname"},
      {"BEGIN { trace(copyinstr(execname)); }", "D_PROTO_ARG", "execname"},
      {"BEGIN { trace(copyinstr()); }", "D_PROTO_LEN", "copyinstr()"},
      {"BEGIN { x[1] = 1; x[1, 2] = 2; }", "D_PROTO_LEN", "x[1, 2]"},
      {"BEGIN { x[1] = 1; x[execname] = 2; }", "D_PROTO_ARG", "execname"},
      {"struct b { char c[4097]; }; struct b b; BEGIN { x[b] = 1; }", "D_KEY_TYPE", "b"},
      {"BEGIN { @[1] = count(); @[1, 2] = count(); }", "D_PROTO_LEN", "@[1, 2]"},
      {"BEGIN { @[1] = count(); @[execname] = count(); }", "D_PROTO_ARG", "execname"},
      {"BEGIN { @[stack(3)] = count(); @[usym(4)] = count(); }", "D_PROTO_ARG", "usym(4)"},
      {"BEGIN { stack(1, 2); }", "D_STACK_PROTO", "stack(1, 2)"},
      {"BEGIN { stack(0); }", "D_STACK_SIZE", "0"},
      {"BEGIN { stack(pid); }", "D_STACK_SIZE", "pid"},
      {"BEGIN { ustack(1, 2, 3); }", "D_USTACK_PROTO", "ustack(1, 2, 3)"},
      {"BEGIN { ustack(pid); }", "D_USTACK_FRAMES", "pid"},
      {"BEGIN { ustack(3, pid); }", "D_USTACK_STRSIZE", "pid"},
      {"BEGIN { trace(@a); }", "D_TRACE_AGG", "@a"},
      {"BEGIN { trace((void)1); }", "D_TRACE_VOID", "(void)1"},
      {"BEGIN { trace(stack()); }", "D_TRACE_DYN", "stack()"},
      {"BEGIN { tracemem(arg0, pid); }", "D_TRACEMEM_SIZE", "pid"},
      {"BEGIN { tracemem(arg0, 0); }", "D_TRACEMEM_SIZE", "0"},
      {"BEGIN { tracemem(execname, 8); }", "D_TRACEMEM_ADDR", "execname"},
      {"BEGIN { tracemem(arg0, 8, execname); }", "D_TRACEMEM_DYNSIZE", "execname"},
      {"BEGIN { tracemem(arg0, 8, 8, 8); }", "D_TRACEMEM_ARGS", "tracemem(arg0, 8, 8, 8)"},
      {"BEGIN { panic(); }", "D_UNKNOWN", "panic"},
      {"BEGIN { panic(1); }", "D_PROTO_LEN", "panic(1)"},
      {"BEGIN { copyinto(1, 2, 3); }", "D_PROTO_ARG", "3"},
      {"BEGIN { printf(1); }", "D_PROTO_ARG", "1"},
      {"BEGIN { ustack(0, 200); }", "D_USTACK_FRAMES", "0"},
      {"BEGIN { breakpoint(); }", "D_UNKNOWN", "breakpoint"},
      {"BEGIN { @a = count(); print(@a); }", "D_PRINT_AGG", "@a"},
      {"BEGIN { print((void)1); }", "D_PRINT_VOID", "(void)1"},
      {"BEGIN { print(stack()); }", "D_PRINT_DYN", "stack()"},
      {"struct t; BEGIN { print(*(struct t *)1); }", "D_PRINT_DYN", "*(struct t *)1"},
      {"struct t { char c[2000000]; }; BEGIN { print(*(struct t *)1); }", "D_PRINT_DYN",
       "*(struct t *)1"},
      {"BEGIN { printm(pid, arg0); }", "D_PRINTM_SIZE", "pid"},
      {"BEGIN { printm(1048577, arg0); }", "D_PRINTM_SIZE", "1048577"},
      {"BEGIN { printm(8, execname); }", "D_PRINTM_ADDR", "execname"},
      {"BEGIN { freopen(\".\"); }", "D_FREOPEN_INVALID", "\".\""},
      {"BEGIN { freopen(execname); }", "D_PRINTF_ARG_FMT", "execname"},
      {"BEGIN { system(\"ls %s\"); }", "D_PRINTF_ARG_PROTO", "%s"},
      {"BEGIN { setopt(1); }", "D_PROTO_ARG", "1"},
      {"BEGIN { jstack(1, 2, 3); }", "D_USTACK_PROTO", "jstack(1, 2, 3)"},
      {"BEGIN { trace(msgsize(0)); }", "D_UNKNOWN", "msgsize"},
  };
  expect_all(cases);
}

TEST(CheckTags, AggregationsAreChecked) {
  const Case cases[] = {
      {"BEGIN { @a = count(); @a = sum(1); }", "D_AGG_REDEF", "@a"},
      {"BEGIN { @a = pid; }", "D_AGG_FUNC", "pid"},
      {"BEGIN { @a = cout(); }", "D_FUNC_UNDEF", "cout"},
      {"BEGIN { @a = nosuch; }", "D_IDENT_UNDEF", "nosuch"},
      {"BEGIN { @a += count(); }", "D_AGG_FUNC", "@a += count()"},
      {"BEGIN { a = count(); }", "D_AGG_FUNC", "count()"},
      {"BEGIN { @a; }", "D_AGG_NULL", "@a"},
      {"BEGIN { x = (@a = count()); }", "D_AGG_NULL", "(@a = count())"},
      {"BEGIN { @a = count(); x = @a; }", "D_OP_INCOMPAT", "x = @a"},
      {"BEGIN { @a = count(); @a, 1; }", "D_OP_DYN", "@a"},
      {"BEGIN { @a, 1; }", "D_OP_DYN", "@a"},
      {"BEGIN { @a = count(); @b[@a] = count(); }", "D_KEY_TYPE", "@a"},
      {"BEGIN { @a = count(); printf(\"%d\", @a); }", "D_PRINTF_ARG_TYPE", "@a"},
      {"BEGIN { @a = count(); exit(@a); }", "D_PROTO_ARG", "@a"},
      {"BEGIN { @a = sum(execname); }", "D_AGG_SCALAR", "execname"},
      {"BEGIN { @a = count(1); }", "D_PROTO_LEN", "count(1)"},
      {"BEGIN { @a = sum(); }", "D_PROTO_LEN", "sum()"},
      {"BEGIN { @a = quantize(1, 2, 3); }", "D_PROTO_LEN", "quantize(1, 2, 3)"},
      {"BEGIN { @a = quantize(1, execname); }", "D_PROTO_ARG", "execname"},
      {"BEGIN { @a[(void)1] = count(); }", "D_KEY_TYPE", "(void)1"},
      {"BEGIN { @a[1][2] = count(); }", "D_AGG_MDIM", "@a[1][2]"},
      {"BEGIN { @a[1] = count(); trace(@a[1][2]); }", "D_AGG_MDIM", "@a[1][2]"},
  };
  expect_all(cases);
}

TEST(CheckTags, LinearQuantizationIsChecked) {
  const Case cases[] = {
      {"BEGIN { @ = lquantize(1, pid, 10); }", "D_LQUANT_BASETYPE", "pid"},
      {"BEGIN { @ = lquantize(1, 0x100000000, 10); }", "D_LQUANT_BASEVAL", "0x100000000"},
      {"BEGIN { @ = lquantize(1, 0, pid); }", "D_LQUANT_LIMTYPE", "pid"},
      {"BEGIN { @ = lquantize(1, 0, 0x100000000); }", "D_LQUANT_LIMVAL", "0x100000000"},
      {"BEGIN { @ = lquantize(1, 10, 10); }", "D_LQUANT_MISMATCH", "10"},
      {"BEGIN { @ = lquantize(1, 0, 10, pid); }", "D_LQUANT_STEPTYPE", "pid"},
      {"BEGIN { @ = lquantize(1, 0, 10, 0); }", "D_LQUANT_STEPTYPE", "0"},
      {"BEGIN { @ = lquantize(1, 0, 10, 70000); }", "D_LQUANT_STEPVAL", "70000"},
      {"BEGIN { @ = lquantize(1, 0, 10, 11); }", "D_LQUANT_STEPLARGE", "11"},
      {"BEGIN { @ = lquantize(1, 0, 1000000, 1); }", "D_LQUANT_STEPSMALL", "1"},
      {"BEGIN { @ = lquantize(1, 0, 10); @ = lquantize(1, 1, 10); }", "D_LQUANT_MATCHBASE", "1"},
      {"BEGIN { @ = lquantize(1, 0, 10); @ = lquantize(1, 0, 11); }", "D_LQUANT_MATCHLIM", "11"},
      {"BEGIN { @ = lquantize(1, 0, 10); @ = lquantize(1, 0, 10, 2); }", "D_LQUANT_MATCHSTEP", "2"},
  };
  expect_all(cases);
}

TEST(CheckTags, LogLinearQuantizationIsChecked) {
  const Case cases[] = {
      {"BEGIN { @ = llquantize(1, pid, 0, 3, 10); }", "D_LLQUANT_FACTORTYPE", "pid"},
      {"BEGIN { @ = llquantize(1, 70000, 0, 3, 10); }", "D_LLQUANT_FACTORVAL", "70000"},
      {"BEGIN { @ = llquantize(1, 1, 0, 3, 10); }", "D_LLQUANT_FACTORSMALL", "1"},
      {"BEGIN { @ = llquantize(1, 10, pid, 3, 10); }", "D_LLQUANT_LOWTYPE", "pid"},
      {"BEGIN { @ = llquantize(1, 10, -1, 3, 10); }", "D_LLQUANT_LOWVAL", "-1"},
      {"BEGIN { @ = llquantize(1, 10, 0, pid, 10); }", "D_LLQUANT_HIGHTYPE", "pid"},
      {"BEGIN { @ = llquantize(1, 10, 0, 70000, 10); }", "D_LLQUANT_HIGHVAL", "70000"},
      {"BEGIN { @ = llquantize(1, 10, 3, 3, 10); }", "D_LLQUANT_MAGRANGE", "3"},
      {"BEGIN { @ = llquantize(1, 10, 0, 20, 10); }", "D_LLQUANT_MAGTOOBIG", "20"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, pid); }", "D_LLQUANT_NSTEPTYPE", "pid"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, 70000); }", "D_LLQUANT_NSTEPVAL", "70000"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, 5); }", "D_LLQUANT_FACTORNSTEPS", "5"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, 30); }", "D_LLQUANT_FACTOREVEN", "10"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 2, 0, 3, 10); }",
       "D_LLQUANT_FACTOREVEN", "2"},
      {"BEGIN { @ = llquantize(1, 2, 0, 3, 4); @ = llquantize(1, 4, 0, 3, 4); }",
       "D_LLQUANT_FACTORMATCH", "4"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 1, 3, 10); }",
       "D_LLQUANT_LOWMATCH", "1"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 0, 4, 10); }",
       "D_LLQUANT_HIGHMATCH", "4"},
      {"BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 0, 3, 100); }",
       "D_LLQUANT_NSTEPMATCH", "100"},
  };
  expect_all(cases);
}

TEST(CheckTags, ActionsOnAggregationsAreChecked) {
  const Case cases[] = {
      {"BEGIN { clear(); }", "D_CLEAR_PROTO", "clear()"},
      {"BEGIN { clear(pid); }", "D_CLEAR_AGGARG", "pid"},
      {"BEGIN { clear(@a); }", "D_CLEAR_AGGBAD", "@a"},
      {"BEGIN { trunc(); }", "D_TRUNC_PROTO", "trunc()"},
      {"BEGIN { trunc(pid); }", "D_TRUNC_AGGARG", "pid"},
      {"BEGIN { trunc(@a); }", "D_TRUNC_AGGBAD", "@a"},
      {"BEGIN { @a = count(); trunc(@a, execname); }", "D_TRUNC_SCALAR", "execname"},
      {"BEGIN { @a = count(); normalize(@a); }", "D_NORMALIZE_PROTO", "normalize(@a)"},
      {"BEGIN { normalize(pid, 1); }", "D_NORMALIZE_AGGARG", "pid"},
      {"BEGIN { normalize(@a, 1); }", "D_NORMALIZE_AGGBAD", "@a"},
      {"BEGIN { @a = count(); normalize(@a, execname); }", "D_NORMALIZE_SCALAR", "execname"},
      {"BEGIN { @a = count(); denormalize(@a, 1); }", "D_NORMALIZE_PROTO", "denormalize(@a, 1)"},
      {"BEGIN { printa(\"x\"); }", "D_PRINTA_PROTO", "printa(\"x\")"},
      {"BEGIN { printa(\"x\", pid); }", "D_PRINTA_AGGARG", "pid"},
      {"BEGIN { printa(@a); }", "D_PRINTA_AGGBAD", "@a"},
      {"BEGIN { @a[1] = count(); printa(@a[1]); }", "D_PRINTA_AGGKEY", "@a[1]"},
      {"BEGIN { @a[1] = count(); @b = count(); printa(@a, @b); }", "D_PRINTA_AGGKEY", "@b"},
  };
  expect_all(cases);
}

TEST(CheckTags, FormatsAreChecked) {
  const Case cases[] = {
      {"BEGIN { printf(execname); }", "D_PRINTF_ARG_FMT", "execname"},
      {"BEGIN { printf(\"\"); }", "D_PRINTF_FMT_EMPTY", "\"\""},
      {"BEGIN { printf(\"a %d b\"); }", "D_PRINTF_ARG_PROTO", "%d"},
      {"BEGIN { printf(\"%d\", 1, 2); }", "D_PRINTF_ARG_EXTRA", "2"},
      {"BEGIN { printf(\"%d\", execname); }", "D_PRINTF_ARG_TYPE", "execname"},
      {"BEGIN { printf(\"%s\", pid); }", "D_PRINTF_ARG_TYPE", "pid"},
      {"BEGIN { printf(\"%hd\", pid); }", "D_PRINTF_ARG_TYPE", "pid"},
      {"BEGIN { printf(\"%lld\", pid); }", "D_PRINTF_ARG_TYPE", "pid"},
      {"BEGIN { printf(\"%lu\", (short)1); }", "D_PRINTF_ARG_TYPE", "(short)1"},
      {"BEGIN { printf(\"%k\", pid); }", "D_PRINTF_ARG_TYPE", "pid"},
      {"BEGIN { printf(\"%f\", pid); }", "D_PRINTF_ARG_TYPE", "pid"},
      {"BEGIN { printf(\"%@d\", 1); }", "D_PRINTF_AGG_CONV", "%@d"},
      {"BEGIN { printf(\"%*d\"); }", "D_PRINTF_DYN_PROTO", "%*d"},
      {"BEGIN { printf(\"%*d\", execname, 1); }", "D_PRINTF_DYN_TYPE", "execname"},
      {"BEGIN { printf(\"n: %n\", 1); }", "D_SYNTAX", "%n"},
      {"BEGIN { printf(\"n: %l\", 1); }", "D_SYNTAX", "%l"},
      {"BEGIN { @a[1] = count(); printa(\"%d %d\\n\", @a); }", "D_PRINTF_ARG_PROTO", "%d"},
      {"BEGIN { @a[1] = count(); printa(\"%s\", @a); }", "D_PRINTF_ARG_TYPE", "%s"},
      {"BEGIN { @a = count(); printa(\"%@s\", @a); }", "D_PRINTF_ARG_TYPE", "%@s"},
      {"BEGIN { @a = quantize(1); printa(\"%@k\", @a); }", "D_PRINTF_ARG_TYPE", "%@k"},
      {"BEGIN { @a = sum(1); printa(\"%@hd\", @a); }", "D_PRINTF_ARG_TYPE", "%@hd"},
      {"BEGIN { @a[\"x\"] = sum(1); printa(\"%*d\", @a); }", "D_PRINTF_DYN_TYPE", "%*d"},
  };
  expect_all(cases);
}

TEST(CheckTags, TheOrderOfActionsIsChecked) {
  const Case cases[] = {
      {"BEGIN { speculate(1); speculate(1); }", "D_SPEC_SPEC", "speculate(1)"},
      {"BEGIN { commit(1); speculate(1); }", "D_SPEC_COMM", "speculate(1)"},
      {"BEGIN { trace(1); speculate(1); }", "D_SPEC_DREC", "speculate(1)"},
      {"BEGIN { commit(1); commit(1); }", "D_COMM_COMM", "commit(1)"},
      {"BEGIN { trace(1); commit(1); }", "D_COMM_DREC", "commit(1)"},
      {"BEGIN { commit(1); trace(1); }", "D_DREC_COMM", "trace(1)"},
      {"BEGIN { speculate(1); @ = count(); }", "D_AGG_SPEC", "@ = count()"},
      {"BEGIN { commit(1); @ = count(); }", "D_AGG_COMM", "@ = count()"},
      {"BEGIN { speculate(1); exit(0); }", "D_EXIT_SPEC", "exit(0)"},
      {"BEGIN { commit(1); exit(0); }", "D_DREC_COMM", "exit(0)"},
      {"BEGIN { speculate(1); stop(); }", "D_ACT_SPEC", "stop()"},
      {"BEGIN { speculate(1); freopen(\"f\"); }", "D_ACT_SPEC", "freopen(\"f\")"},
      {"BEGIN { speculate(1); if (pid) { if (uid) trace(1); else system(\"w\"); } }", "D_ACT_SPEC",
       "system(\"w\")"},
      {"BEGIN { speculate(1); pid ? uid ? 1 : freopen(\"f\") : 2; }", "D_ACT_SPEC",
       "freopen(\"f\")"},
  };
  expect_all(cases);
}

// They record nothing, so that they may stand beside commit().
TEST(CheckTags, DestructiveActionsMayStandBesideCommit) {
  for (const char* action : {"stop()", "system(\"true\")", "freopen(\"f\")", "chill(1)"}) {
    for (const char* script : {"BEGIN {{ commit(1); {}; }}", "BEGIN {{ {}; commit(1); }}"}) {
      FakeWorld world;
      EXPECT_TRUE(world.compile(fmt::format(fmt::runtime(script), action)).has_value())
          << action << "\n"
          << world.errors();
    }
  }
}

TEST(CheckTags, WordsOfATypeThatDoNotGoTogetherAreReported) {
  const Case cases[] = {
      {"short char x;", "D_DECL_CHARATTR", "short char"},
      {"long char *x;", "D_DECL_CHARATTR", "long char"},
      {"unsigned void *x;", "D_DECL_VOIDATTR", "unsigned void"},
      {"unsigned string x;", "D_DECL_SIGNINT", "unsigned string"},
      {"signed float x;", "D_DECL_SIGNINT", "signed float"},
      {"long float x;", "D_DECL_LONGINT", "long float"},
      {"short double x;", "D_DECL_LONGINT", "short double"},
      {"long long double x;", "D_DECL_LONGINT", "long long double"},
      {"short short x;", "D_DECL_COMBO", "short short"},
      {"long long long x;", "D_DECL_COMBO", "long long long"},
      {"unsigned unsigned x;", "D_DECL_COMBO", "unsigned unsigned"},
      {"struct s { int a; }; long struct s x;", "D_DECL_LONGINT", "long struct s"},
      {"enum e { A }; unsigned enum e x;", "D_DECL_SIGNINT", "unsigned enum e"},
      {"BEGIN { trace(*(int (*)(int))0); }", "D_DEREF_FUNC", "(int (*)(int))0"},
  };
  expect_all(cases);
}

TEST(CheckTags, DeclarationsAreChecked) {
  const Case cases[] = {
      {"int pid;", "D_DECL_IDRED", "pid"},
      {"int x; string x;", "D_DECL_IDRED", "x"},
      {"int x; BEGIN { } int x[int];", "D_DECL_IDRED", "x"},
      {"void x;", "D_DECL_VOIDOBJ", "x"},
      {"this int x[int];", "D_DECL_LOCASSC", "x"},
      {"static int x;", "D_DECL_BADCLASS", "static int"},
      {"struct s; struct s x;", "D_DECL_INCOMPLETE", "x"},
      {"this char x[40000];", "D_DECL_ARRBIG", "x"},
      {"nosuch_t x;", "D_SYNTAX", "nosuch_t"},
      {"nosuch`foo_t x;", "D_TYPE_ERR", "nosuch`foo_t"},
      {"int x; typedef int x;", "D_DECL_IDRED", "x"},
      {"typedef int x; int x;", "D_DECL_IDRED", "x"},
      {"struct s { void a; };", "D_DECL_VOIDOBJ", "a"},
      {"struct s { int a; int a; };", "D_UNKNOWN", "a"},
      {"struct s { struct { int x; }; int x; };", "D_UNKNOWN", "x"},
      {"struct s { int; };", "D_DECL_MNAME", "int"},
      {"struct s { int a[]; int b; };", "D_DECL_INCOMPLETE", "a"},
      {"struct s { int (*f)(int, void); };", "D_DECL_PROTO_VOID", "void"},
      {"struct s { _Bool a:2; };", "D_DECL_BFSIZE", "2"},
      {"struct mod`s { int a; };", "D_DECL_SCOPE", "struct mod`s { int a; }"},
      {"int a`b;", "D_DECL_SCOPE", "a`b"},
      {"int x[0];", "D_DECL_ARRNULL", "x"},
      {"string x[2];", "D_DECL_VOIDOBJ", "x"},
      {"struct s { string x[2]; };", "D_DECL_VOIDOBJ", "x"},
      {"struct s { int a:0; };", "D_DECL_BFCONST", "0"},
      {"struct s { int a:-1; };", "D_DECL_BFCONST", "-1"},
      {"struct s { int a:33; };", "D_DECL_BFSIZE", "33"},
      {"struct s { int a:pid; };", "D_DECL_BFCONST", "pid"},
      {"struct s { char *a:3; };", "D_DECL_BFTYPE", "a"},
      {"struct s { struct t x; };", "D_DECL_INCOMPLETE", "x"},
      {"struct s { int a; }; struct s { int b; };", "D_DECL_TYPERED", "struct s { int b; }"},
      {"struct s { stack a; };", "D_DECL_DYNOBJ", "a"},
      {"enum e { A = pid };", "D_DECL_ENCONST", "pid"},
      {"enum e { A = 0x7fffffff, B };", "D_DECL_ENOFLOW", "B"},
      {"enum e { A, A };", "D_UNKNOWN", "A"},
      {"int A; enum e { A };", "D_DECL_IDRED", "A"},
      {"enum e { A }; enum e { A };", "D_DECL_TYPERED", "enum e { A }"},
      {"struct s { int a[pid]; };", "D_DECL_ARRSUB", "pid"},
      {"int x[-1];", "D_DECL_ARRSUB", "-1"},
      {"struct s { int a[0x7fffffff]; };", "D_DECL_ARRBIG", "0x7fffffff"},
      {"int x[stack];", "D_DECL_PROTO_TYPE", "stack"},
      {"inline int x = 1; inline int x = 2;", "D_DECL_IDRED", "x"},
      {"inline int x = \"a\";", "D_OP_INCOMPAT", "\"a\""},
  };
  expect_all(cases);
}

TEST(CheckTags, ParametersAreChecked) {
  const Case cases[] = {
      {"int x[struct list_head];", "D_DECL_PROTO_TYPE", "struct list_head"},
      {"int (*f)(int, stack s);", "D_DECL_PROTO_TYPE", "stack s"},
      {"int x[void];", "D_DECL_PROTO_VOID", "void"},
      {"int x[int, ...];", "D_DECL_PROTO_VARARGS", "..."},
      {"int x[int a, string a];", "D_DECL_PROTO_NAME", "string a"},
      {"int (*f)(void x);", "D_DECL_PROTO_NAME", "void x"},
      {"int x[self int];", "D_DECL_PARMCLASS", "self int"},
      {"int (*f)(int, static char);", "D_DECL_PARMCLASS", "static char"},
      {"int f(x, y);", "D_DECL_IDENT", "x"},
      {"inline int f[int, int b] = b;", "D_DECL_PROTO_FORM", "int"},
  };
  expect_all(cases);
}

TEST(CheckTags, ArraysAndPointersOfNoSizeAreReported) {
  const Case cases[] = {
      {"int a[4]; BEGIN { a++; }", "D_OP_ARRFUN", "a"},
      {"int a[4]; BEGIN { a += 3; }", "D_OP_ARRFUN", "a"},
      {"int a[4]; BEGIN { a = 3; }", "D_OP_ARRFUN", "a"},
      {"void *p; BEGIN { p++; }", "D_OP_VFPTR", "p"},
      {"int (*f)(int); BEGIN { --f; }", "D_OP_VFPTR", "f"},
      {"void *p; BEGIN { p -= 2; }", "D_OP_INCOMPAT", "p -= 2"},
      {"BEGIN { trace(alloca(8) + 1); }", "D_OP_INCOMPAT", "alloca(8) + 1"},
  };
  expect_all(cases);
}

TEST(CheckTags, PragmasAreChecked) {
  const Case cases[] = {
      {"#pragma D option wombats=1\nBEGIN { }", "D_PRAGMA_OPTSET", "wombats=1"},
      {"#pragma D option\nBEGIN { }", "D_PRAGMA_MALFORM", "#pragma D option"},
      {"#pragma D option quiet zero\nBEGIN { }", "D_PRAGMA_MALFORM", "#pragma D option quiet zero"},
      {"#pragma D wombats\nBEGIN { }", "D_PRAGMA_INVAL", "wombats"},
      {"#pragma D binding\nBEGIN { }", "D_PRAGMA_MALFORM", "#pragma D binding"},
      {"#pragma D error no\nBEGIN { }", "D_PRAGERR", "#pragma D error no"},
  };
  expect_all(cases);
}

TEST(CheckTags, ArgsNeedOneSetOfKnownTypes) {
  const Case cases[] = {
      {"BEGIN { trace(args[0]); }", "D_ARGS_IDX", "0"},
      {"nosuch:::x { trace(args[0]); }", "D_PDESC_ZERO", "nosuch:::x"},
      {"tick-1s { trace(args[0]); }", "D_ARGS_NONE", "args[0]"},
      {"syscall:::entry { trace(args[0]); }", "D_ARGS_MULTI", "args[0]"},
      {"syscall::read:entry { trace(args[3]); }", "D_ARGS_IDX", "3"},
      {"syscall::read:entry { trace(args[pid]); }", "D_ARGS_TYPE", "args[pid]"},
      {"syscall::read:entry { trace(args); }", "D_IDENT_BADREF", "args"},
  };
  expect_all(cases);
}

}  // namespace
}  // namespace dt::d
