// What expressions compute: each is compiled, run by the reference
// interpreter, and read from the record.

#include <gtest/gtest.h>

#include <cstring>

#include "ir/verify.h"
#include "testing/d/fake_world.h"
#include "testing/ir/table_environment.h"

namespace dt::d {
namespace {

ir::TableEnvironment environment() {
  ir::TableEnvironment out;
  out.arguments = {5, -1, 0x1000, 0x2000, 255, 7, 8, 9, 10, 11};
  out.integers[ir::Builtin::kPid] = 42;
  out.integers[ir::Builtin::kUid] = 0xffffffff;
  out.integers[ir::Builtin::kTimestamp] = 1000;
  out.integers[ir::Builtin::kCurthread] = 0x3000;
  out.texts[ir::Builtin::kExecname] = "bash";
  out.texts[ir::Builtin::kProbefunc] = "read";
  const auto text = [](const char* s, std::size_t size) {
    ir::Bytes bytes(size);
    std::memcpy(bytes.data(), s, std::strlen(s));
    return bytes;
  };
  out.user[0x1000] = text("user text", 512);
  out.kernel[0x2000] = text("kernel text", 512);
  // struct s at 0x3000: a = -2, b:3 = 5, c:5 = -3, name at 5, next = itself.
  ir::Bytes object(512);
  const std::int32_t a = -2;
  std::memcpy(object.data(), &a, 4);
  object[4] = static_cast<std::uint8_t>(5 | (0x1d << 3));
  std::memcpy(object.data() + 5, "inner", 5);
  const std::uint64_t next = 0x3000;
  std::memcpy(object.data() + 24, &next, 8);
  out.kernel[0x3000] = object;
  out.user[0x3000] = object;
  out.user[0x3000][0] = 77;
  out.user[0x3000][1] = out.user[0x3000][2] = out.user[0x3000][3] = 0;
  out.user[0x3000][25] = 0x50;  // next is in the process alone
  out.user[0x5000] = out.user[0x3000];
  return out;
}

constexpr const char* kDeclarations =
    "struct task_struct { int a; unsigned b:3; int c:5; char name[16]; struct task_struct *next; "
    "};\n"
    "enum color { RED, GREEN = 5, BLUE };\n"
    "inline int TWICE = 2 * 21; inline string GREETING = \"hello\";\n"
    "int8_t i8; uint8_t u8; int16_t i16; uint32_t u32; int64_t i64; uint64_t u64; int zero; _Bool "
    "flag;\n";

struct Outcome {
  std::string text;  // "4s -1", "str bash", or the first error
  std::size_t faults = 0;
};

// Runs `BEGIN { before; trace(expression); }`.
Outcome run(const std::string& expression, const std::string& before = "",
            const std::string& declarations = "") {
  FakeWorld world;
  const auto program = world.compile(kDeclarations + declarations + "BEGIN { " + before + "trace(" +
                                     expression + "); }");
  if (!program) {
    return {world.errors()};
  }
  for (const std::string& wrong : ir::verify(*program)) {
    ADD_FAILURE() << expression << ": " << wrong;
  }
  ir::TableEnvironment env = environment();
  ir::State state;
  std::vector<ir::ClauseEpid> clauses;
  for (std::uint32_t i = 0; i < program->clauses.size(); ++i) {
    clauses.push_back({i, i + 1});
  }
  const ir::Firing firing = ir::interpret(*program, clauses, env, state);
  Outcome out;
  out.faults = firing.faults.size();
  if (firing.records.empty()) {
    return out;
  }
  const ir::Bytes& record = firing.records.back();
  std::uint32_t epid = 0;
  std::memcpy(&epid, record.data(), 4);
  const record::Field& field = program->clauses[epid - 1].layouts[0].fields[0];
  const std::uint8_t* at = record.data() + field.offset;
  if (field.type.kind == record::FieldKind::kInt) {
    std::uint64_t raw = 0;
    std::memcpy(&raw, at, field.type.size);
    const unsigned unused = 64 - field.type.size * 8;
    out.text = field.type.is_signed
                   ? fmt::format("{}s {}", field.type.size,
                                 static_cast<std::int64_t>(raw << unused) >> unused)
                   : fmt::format("{}u {}", field.type.size, raw);
  } else {
    const auto* text = reinterpret_cast<const char*>(at);
    out.text = fmt::format("{} {}", record::kind_name(field.type.kind),
                           std::string(text, strnlen(text, field.type.size)));
  }
  return out;
}

struct Case {
  const char* expression;
  const char* wanted;
};

void expect_all(std::span<const Case> cases) {
  for (const Case& one : cases) {
    EXPECT_EQ(run(one.expression).text, one.wanted) << one.expression;
  }
}

TEST(Evaluate, LiteralsHaveTheTypeOfTheirMagnitude) {
  const Case cases[] = {
      {"1", "4s 1"},
      {"2147483647", "4s 2147483647"},
      {"2147483648", "8s 2147483648"},
      {"0x80000000", "4u 2147483648"},
      {"4294967296", "8s 4294967296"},
      {"18446744073709551615", "8u 18446744073709551615"},
      {"1U", "4u 1"},
      {"1L", "8s 1"},
      {"1ULL", "8u 1"},
      {"017", "4s 15"},
      {"'a'", "4s 97"},
      {"-1", "4s -1"},
  };
  expect_all(cases);
}

TEST(Evaluate, OperatorsFollowTheUsualConversions) {
  const Case cases[] = {
      {"pid + 1", "4s 43"},
      {"arg0 + 1", "8s 6"},
      {"timestamp - 1", "8u 999"},
      {"pid * 2 - 1 * 4", "4s 80"},
      {"7 / 2", "4s 3"},
      {"-7 / 2", "4s -3"},
      {"-7 % 4", "4s -3"},
      {"arg1 / 2", "8s 0"},
      {"(uint64_t)arg1 / 2", "8u 9223372036854775807"},
      {"arg1 >> 1", "8s -1"},
      {"(uint64_t)arg1 >> 63", "8u 1"},
      {"1 << 4", "4s 16"},
      {"arg4 & 0x0f", "8s 15"},
      {"arg4 | 0x100", "8s 511"},
      {"arg4 ^ 1", "8s 254"},
      {"~arg0", "8s -6"},
      {"-arg0", "8s -5"},
      {"+arg0", "8s 5"},
      {"!arg0", "4s 0"},
      {"!zero", "4s 1"},
      {"(char)arg4", "1s -1"},
      {"(uint8_t)arg1", "1u 255"},
      {"(short)65535", "2s -1"},
      {"(int)4294967295", "4s -1"},
      {"(uint32_t)arg1", "4u 4294967295"},
      {"(char)arg4 + 1", "4s 0"},
      {"sizeof(int) + sizeof(struct task_struct)", "8u 36"},
      {"sizeof(pid)", "8u 4"},
      {"offsetof(struct task_struct, name)", "8u 5"},
      {"GREEN + BLUE", "4s 11"},
      {"(_Bool)256", "1u 1"},
      {"(_Bool)arg2", "1u 1"},
      {"TWICE", "4s 42"},
      {"htonl(0x01020304)", "4u 67305985"},
      {"ntohs(0x0102)", "2u 513"},
      {"(long)(2147483647 + 1)", "8s 2147483648"},
  };
  expect_all(cases);
}

TEST(Evaluate, ComparisonsTakeSignednessFromTheirOperands) {
  const Case cases[] = {
      {"arg1 < 0", "4s 1"},
      {"(uint64_t)arg1 < 1", "4s 0"},
      {"arg1 < 1U", "4s 1"},
      {"pid == 42", "4s 1"},
      {"pid != 42", "4s 0"},
      {"pid >= 42", "4s 1"},
      {"pid > 42", "4s 0"},
      {"pid <= 41", "4s 0"},
      {"uid > 0", "4s 1"},
      {"pid && arg1", "4s 1"},
      {"pid && zero", "4s 0"},
      {"zero || arg1", "4s 1"},
      {"pid ^^ arg1", "4s 0"},
      {"zero ^^ arg1", "4s 1"},
      {"zero && (1 / zero)", "4s 0"},
      {"pid == 42 ? 10 : 20", "4s 10"},
      {"zero ? 10 : arg4", "8s 255"},
      {"(zero, 9)", "4s 9"},
  };
  expect_all(cases);
}

TEST(Evaluate, StringsCompareAsValues) {
  const Case cases[] = {
      {"execname == \"bash\"", "4s 1"},
      {"execname != \"bash\"", "4s 0"},
      {"execname < \"bat\"", "4s 1"},
      {"execname >= \"basha\"", "4s 0"},
      {"\"a\" > \"b\"", "4s 0"},
      {"execname == NULL", "4s 0"},
      {"probefunc == \"read\"", "4s 1"},
      {"GREETING", "string hello"},
      {"zero ? \"no\" : execname", "string bash"},
      {"pid ? \"a longer string than sixteen\" : execname", "string a longer string than sixteen"},
      {"copyinstr(arg2)", "string user text"},
      {"copyinstr(arg2, 4)", "string user"},
      {"stringof(arg3)", "string kernel text"},
      {"stringof((char *)arg3)", "string kernel text"},
      {"(string)arg3", "string kernel text"},
      {"stringof(copyin(arg2, 4))", "string user"},
      {"copyin(arg2, 6)", "bytes user t"},
      {"(zero, execname)", "string bash"},
  };
  expect_all(cases);
}

TEST(Evaluate, KernelAndUserMemoryAreReadThroughPointers) {
  const Case cases[] = {
      {"curthread->a", "4s -2"},
      {"curthread->b", "4u 5"},
      {"curthread->c", "4s -3"},
      {"curthread->name", "bytes inner"},
      {"stringof(curthread->name)", "string inner"},
      {"curthread->name == \"inner\"", "4s 1"},
      {"curthread->next->next->a", "4s -2"},
      {"(*curthread).a", "4s -2"},
      {"curthread->name[1]", "1s 110"},
      {"*curthread->name", "1s 105"},
      {"*(int *)0x3000", "4s -2"},
      {"((int *)0x3000)[0]", "4s -2"},
      {"*((char *)arg3 + 1)", "1s 101"},
      {"&curthread->a == (void *)0x3000", "4s 1"},
      {"(uint64_t)&curthread->name", "8u 12293"},
      {"(uint64_t)(curthread + 1)", "8u 12320"},
      {"(struct task_struct *)0x3040 - (struct task_struct *)0x3000", "8s 2"},
      {"((struct task_struct *)copyin(0x3000, sizeof (struct task_struct)))->a", "4s 77"},
      {"((struct task_struct *)copyin(0x3000, 32))->next->a", "4s 77"},
      {"*(userland int *)0x3000", "4s 77"},
      {"stringof((userland char *)arg2)", "string user text"},
  };
  expect_all(cases);
}

TEST(Evaluate, AssignmentsConvertToTheVariable) {
  struct {
    const char* before;
    const char* expression;
    const char* wanted;
  } cases[] = {
      {"i8 = 255; ", "i8", "1s -1"},
      {"u8 = -1; ", "u8", "1u 255"},
      {"i16 = 65535; ", "i16", "2s -1"},
      {"u32 = arg1; ", "u32", "4u 4294967295"},
      {"flag = arg2; ", "flag", "1u 1"},
      {"x = 1; x = 4294967297; ", "x", "4s 1"},
      {"", "i8 = 255", "1s -1"},
      {"x = 5; ", "x++", "4s 5"},
      {"x = 5; ", "++x", "4s 6"},
      {"x = 5; x--; ", "x", "4s 4"},
      {"x++; x++; ", "x", "8s 2"},
      {"x += 7; ", "x", "8s 7"},
      {"x = 10; x -= 3; ", "x", "4s 7"},
      {"x = 10; x *= 3; x /= 4; x %= 4; ", "x", "4s 3"},
      {"x = 1; x <<= 4; x |= 1; x ^= 3; x &= 0xfe; x >>= 1; ", "x", "4s 9"},
      {"i8 = -8; i8 >>= 1; ", "i8", "1s -4"},
      {"u8 = 250; u8 += 10; ", "u8", "1u 4"},
      {"self->t = timestamp; ", "self->t", "8u 1000"},
      {"self->n++; self->n += 2; ", "self->n", "8s 3"},
      {"this->a = 3; this->a++; ", "this->a * 2", "4s 8"},
      {"a[1, \"x\"] = 5; a[1, execname] = 6; ", "a[1, \"bash\"]", "4s 6"},
      {"a[1, \"x\"] = 5; ", "a[1, \"y\"]", "4s 0"},
      {"a[1] = 2; a[4294967297] = 3; ", "a[1]", "4s 2"},
      {"a[1]++; a[1] += 4; ", "a[1]", "8s 5"},
      {"self->m[pid] = \"v\"; ", "self->m[42]", "string v"},
      {"s = execname; s = \"abcdefghijklmnopqrst\"; ", "s", "string abcdefghijklmnopqrst"},
      {"s = execname; r = s; ", "r", "string bash"},
      {"s = execname; s = NULL; ", "s == NULL", "4s 1"},
      {"x = (y = 4) + 1; ", "x + y", "4s 9"},
      {"p = (int *)0x3000; p++; ", "(uint64_t)p", "8u 12292"},
      {"p = (int *)0x3000; p += 2; ", "(uint64_t)p", "8u 12296"},
      {"this->u = (struct task_struct *)copyin(0x3000, 32); ", "this->u->a", "4s 77"},
      {"if (pid == 42) { x = 1; } else { x = 2; } ", "x", "4s 1"},
      {"if (zero) x = 1; else if (pid == 1) x = 2; else x = 3; ", "x", "4s 3"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(run(one.expression, one.before).text, one.wanted) << one.before << one.expression;
  }
}

TEST(Evaluate, ScratchMemoryIsWrittenThroughPointersAndByCopies) {
  struct {
    const char* before;
    const char* expression;
    const char* wanted;
  } cases[] = {
      {"p = (char *)alloca(8); ", "*(int64_t *)p", "8s 0"},
      {"p = (char *)alloca(8); p[0] = 300; ", "p[0]", "1s 44"},
      {"p = (char *)alloca(8); p[0] = 'a'; p[1] = 'b'; ", "stringof(p)", "string ab"},
      {"p = (int *)alloca(8); p[1] = 5; p[1] <<= 4; p[1]++; ", "*(p + 1)", "4s 81"},
      {"p = (int *)alloca(8); ", "(*p = 7) + 1", "4s 8"},
      {"p = (int *)alloca(8); *p = 7; ", "(*p)-- + *p", "4s 13"},
      {"p = (unsigned char *)alloca(1); *p = -1; *p += 2; ", "*p", "1u 1"},
      {"p = alloca(8); q = alloca(8); ", "(uint64_t)q - (uint64_t)p", "8u 8"},
      {"p = alloca(1); q = alloca(8); ", "(uint64_t)q - (uint64_t)p", "8u 8"},
      {"p = (struct task_struct *)alloca(32); bcopy(curthread, p, 32); p->a--; ",
       "p->a + curthread->a", "4s -5"},
      {"p = (struct task_struct *)alloca(32); bcopy(curthread, p, 32); ", "p->c", "4s -3"},
      {"p = (char *)alloca(8); bcopy(curthread->name, p + 2, 5); ", "p[2]", "1s 105"},
      {"p = (char *)alloca(8); bcopy((userland char *)arg2, p, 4); ", "stringof(p)", "string user"},
      {"p = (char *)alloca(8); copyinto(arg2 + 5, 4, p); ", "stringof(p)", "string text"},
      {"p = (char *)copyin(arg2, arg8); p[0] = 'U'; ", "stringof(p)", "string User text"},
      {"m = memref(curthread, 12); ", "m[0] + m[1]", "8u 12300"},
      // A copy of what is the program's has the program's type, and is scratch memory.
      {"p = copyin(0x3000, arg8); ", "((userland struct task_struct *)p)->a", "4s 77"},
      {"p = copyin(0x3000, arg8); q = (userland struct task_struct *)p; ", "(*q).a", "4s 77"},
      {"q = (userland struct task_struct *)alloca(32); copyinto(0x3000, arg8, q); ", "q[0].a",
       "4s 77"},
      {"n = (uintptr_t)copyin(0x3000, 16); ", "*(userland int *)n + *(userland int *)0x3000",
       "4s 154"},
      {"p = copyin(arg2, arg8); ", "stringof((userland char *)p)", "string user text"},
      {"p = copyin(arg2, arg8); ", "stringof((userland char *)(p == NULL ? NULL : p) + 1)",
       "string ser text"},
      {"p = copyin(arg2, arg8); r = (char *)alloca(8); bcopy((userland char *)p, r, 4); ",
       "stringof(r)", "string user"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(run(one.expression, one.before).text, one.wanted) << one.before << one.expression;
  }
}

constexpr const char* kObjects =
    "struct in { short s; char c; }; struct o { int a; unsigned b:3; int c:5; char name[6]; "
    "struct in in; int v[3]; struct task_struct *t; }; struct o g; struct o m[string]; self struct "
    "o s; this struct o l; char buf[8]; int grid[2][3]; ";

TEST(Evaluate, ObjectsInVariablesAreReadAndWrittenByParts) {
  struct {
    const char* before;
    const char* expression;
    const char* wanted;
  } cases[] = {
      {"g.a = -3; ", "g.a", "4s -3"},
      {"g.a = 3; g.a += 4; g.a++; ", "g.a", "4s 8"},
      {"g.a = 3; ", "g.a++", "4s 3"},
      {"g.a = 3; ", "--g.a", "4s 2"},
      {"", "g.a = 4294967297", "4s 1"},
      {"g.b = 13; ", "g.b", "4u 5"},
      {"g.b = 7; g.c = -3; g.b = 0; ", "g.c", "4s -3"},
      {"g.c = 15; g.c++; ", "g.c", "4s -16"},
      {"", "g.b = 9", "4u 1"},
      {"g.in.s = 65535; g.in.c = 'x'; ", "g.in.s", "2s -1"},
      {"g.v[1] = 5; g.v[2] = 6; ", "g.v[1] + g.v[0]", "4s 5"},
      {"x = 2; g.v[x] = 6; g.v[x - 1] = 4; ", "g.v[2] * g.v[x - 1]", "4s 24"},
      {"x = 1; grid[x][x + 1] = 7; ", "grid[1][2]", "4s 7"},
      {"g.name = \"a longer name\"; ", "g.name", "bytes a lon"},
      {"g.name = execname; ", "g.name == \"bash\"", "4s 1"},
      {"g.name = execname; ", "stringof(g.name)", "string bash"},
      {"buf = \"12345678\"; buf[7] = 'x'; ", "(string)buf", "string 1234567x"},
      {"buf = \"abc\"; buf[1] = 0; ", "buf == \"a\"", "4s 1"},
      {"g.a = 6; self->s = g; g.a = 7; ", "self->s.a", "4s 6"},
      {"self->s.a = 6; self->s = 0; ", "self->s.a", "4s 0"},
      {"m[\"k\"].a = 6; m[\"k\"].in.c = 2; ", "m[\"k\"].a + m[\"j\"].a", "4s 6"},
      {"m[\"k\"].a = 6; m[\"k\"] = 0; ", "m[\"k\"].a", "4s 0"},
      {"g.in.c = 5; m[\"k\"].in = g.in; this->l = m[\"k\"]; ", "this->l.in.c", "1s 5"},
      {"this->l.a = 1; g.a = 2; ", "(pid == 42 ? this->l : g).a", "4s 1"},
      {"g.a = 2; ", "(this->l = g).a", "4s 2"},
      {"g.t = curthread; ", "g.t->a", "4s -2"},
      {"p = *curthread; ", "p.b", "4u 5"},
      {"p = *curthread; p.c = 1; ", "p.next->c + p.c", "4s -2"},
      {"p = *(struct task_struct *)copyin(0x3000, 32); ", "p.a", "4s 77"},
      {"p = *(userland struct task_struct *)0x3000; ", "p.next->a", "4s 77"},
      {"", "sizeof(g) + sizeof(buf)", "8u 48"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(run(one.expression, one.before, kObjects).text, one.wanted)
        << one.before << one.expression;
  }
}

TEST(Evaluate, AnIndexOutOfRangeIsAFault) {
  for (const char* expression : {"g.v[x]", "g.v[x - 1 - x]", "grid[0][x]", "g.v[x] = 1"}) {
    const Outcome outcome = run(expression, "x = 3; ", kObjects);
    EXPECT_EQ(outcome.text, "") << expression;
    EXPECT_EQ(outcome.faults, 1u) << expression;
  }
}

TEST(Evaluate, AFaultLeavesTheClauseWithoutARecord) {
  for (const char* expression :
       {"1 / zero", "1 % zero", "*(int *)8", "copyinstr(8)", "stringof(8)", "*(int *)8 = 1",
        "(char *)copyin(8, 8) + 1", "(char *)alloca(16385) + 1", "(char *)alloca(-1) + 1",
        "((int64_t *)alloca(4))[1] = 1"}) {
    const Outcome outcome = run(expression);
    EXPECT_EQ(outcome.text, "") << expression;
    EXPECT_EQ(outcome.faults, 1u) << expression;
  }
  // Also as a statement, which is how scripts provoke ERROR.
  EXPECT_EQ(run("1", "*(char *)NULL; ").faults, 1u);
}

}  // namespace
}  // namespace dt::d
