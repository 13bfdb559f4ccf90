// The verifier takes every combination: aggregating functions with keys of all
// kinds, strings of all sizes, many clauses, many live values.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>

#include "bpf/program/generate_test.h"
#include "bpf/program/kernel_rig_test.h"

namespace dt::bpf {
namespace {

const bool kIsInGuest = std::getenv("DT_GUEST") != nullptr;  // which is emulated, and slow

class VerifierRoot : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = why_no_bpf();
    if (!why.empty()) GTEST_SKIP() << why;
  }

  // Loads the program and runs it; it must release what it took.
  void expect_runs(const std::string& text, const std::vector<std::uint32_t>& keys = {0},
                   const Machine& machine = running_machine()) {
    const Generated g = generate_from(text, machine, keys);
    ASSERT_EQ(g.error, "") << text;
    KernelRig rig(g.memory, g.program);
    ASSERT_TRUE(rig.load(g.object)) << rig.error() << "\n" << text;
    verified_ = rig.instructions_verified();
    RecordProperty("instructions", static_cast<int>(verified_));
    ASSERT_TRUE(rig.run({keys[0], 1, 2, 3}, -1, 2)) << rig.error() << "\n" << text;
    EXPECT_EQ(rig.busy_frames(), 0u) << text;
    EXPECT_EQ(rig.drops(record::Drop::kNesting), 0u) << text;
    EXPECT_EQ(rig.drops(record::Drop::kAggregation), 0u) << text;
    EXPECT_EQ(rig.drops(record::Drop::kPrincipal), 0u) << text;
  }

  std::uint64_t verified_ = 0;  // instructions that the verifier went through
};

struct Key {
  const char* field;
  const char* type;
  const char* inst;
};

const Key kKeys[] = {
    {"int8s", "s64", "builtin arg1"},         {"int1u", "u8", "const 200"},
    {"int4s", "s32", "builtin pid"},          {"str16", "str16", "builtin execname"},
    {"str256", "str256", "kernel_string %0"}, {"str5", "str5", "string $0"},
    {"stack160", "bytes160", "stack"},        {"ustack168", "bytes168", "ustack"},
    {"usym", "bytes16", "user_addr %0"},      {"sym", "u64", "builtin caller"},
    {"probefunc", "u32", "builtin probeid"},
};

const char* const kFunctions[] = {"count",
                                  "sum",
                                  "avg",
                                  "min",
                                  "max",
                                  "stddev",
                                  "quantize",
                                  "lquantize(-10, 100, 5)",
                                  "llquantize(10, 0, 6, 20)"};

TEST_F(VerifierRoot, EveryAggregatingFunctionTakesEveryKindOfKey) {
  for (const Key& key : kKeys) {
    for (const Key& second : kKeys) {
      // In a guest each kind is in each place once.
      if (kIsInGuest && (&second - &key + std::ssize(kKeys)) % std::ssize(kKeys) != 1) continue;
      std::string text = "program\n";
      for (std::size_t f = 0; f < std::size(kFunctions); ++f) {
        text += fmt::format("agg @{} \"a{}\" {} [{}, {}]{}\n", f, f, kFunctions[f], key.field,
                            second.field, f % 2 == 0 ? "" : " drained");
      }
      text += "string $0 \"abcd\"\nclause \"a\" {\n  b0:\n";
      text += "    %0 : s64 = const 4096\n";  // not a kernel address: a fault
      text += fmt::format("    %1 : {} = {}\n    %2 : {} = {}\n    %3 : s64 = builtin arg2\n",
                          key.type, key.inst, second.type, second.inst);
      for (std::size_t f = 0; f < std::size(kFunctions); ++f) {
        text += fmt::format("    aggregate @{}, %1, %2{}\n", f, f == 0 ? "" : ", %3");
      }
      expect_runs(text + "    return\n}\n");
      if (HasFailure()) return;
    }
  }
}

// Every use of strings; those in keys have `key` bytes.
std::string with_strings(std::uint32_t size, std::uint32_t key) {
  return fmt::format(R"(program strsize={0}
var @0 global "g" : str{0}
var @1 thread "t" : str{0}
var @2 global "m" [str{2}] : str{0}
var @3 clause "l" : str{0}
agg @0 "_" count [str{2}]
string $0 "{1}"
string $1 "short"
clause "a" {{
  record {{ trace str{0}, trace str{0}, trace int4s }}
  b0:
    %0 : s64 = builtin arg3
    %1 : str{0} = string $0
    %2 : str{0} = load @0
    %3 : s32 = strcmp %1, %2
    %4 : str{0} = load @1
    %5 : s32 = strcmp %4, %2
    store @0, %1
    store @1, %2
    store @2, %1, %4
    %6 : str{0} = load @2, %2
    %7 : s32 = strcmp %6, %2
    %8 : s64 = const 0
    %9 : s32 = eq %5, %8
    branch %9, b1(%6), b2
  b1(%10 : str{0}):
    aggregate @0, %10
    %11 : str{0} = string $1
    store @3, %11
    jump b3(%11)
  b2:
    %12 : str{0} = copyinstr %0
    store @3, %12
    jump b3(%12)
  b3(%13 : str{0}):
    emit %13, %6, %3
    return
}}
clause "b" {{
  record {{ trace str{0} }}
  b0:
    %0 : str{0} = load @3
    emit %0
    return
}}
)",
                     size, std::string(std::min(size - 1, 200u), 'x'), key);
}

TEST_F(VerifierRoot, SearchTreesDoNotMultiply) {
  std::string text =
      "program\nagg @0 \"l\" llquantize(10, 0, 6, 20)\nagg @1 \"k\" "
      "llquantize(2, 0, 30, 2) [str256]\nclause \"a\" {\n  b0:\n"
      "    %0 : s64 = builtin arg3\n    %1 : str256 = kernel_string %0\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(
        "    %{0} : s64 = builtin arg{1}\n    aggregate @0, %{0}\n"
        "    aggregate @1, %1, %{0}\n",
        i + 2, i % 10);
  }
  expect_runs(text + "    return\n}\n");
}

// Tools begin when the verifier has ended: it goes through what makes a text once, and not for
// every use, for every digit both ways, or for every place of a NUL.
TEST_F(VerifierRoot, TextsAreFollowedOnce) {
  std::string text =
      "program strsize=4096\nclause \"a\" {\n  record { trace str4008, trace str24 }\n  b0:\n"
      "    %0 : s64 = builtin arg3\n    %1 : s32 = const 32\n    %2 : s32 = const 4000\n"
      "    %3 : str4008 = call memstr, %0, %1, %2\n    %4 : s64 = const 16\n"
      "    %5 : str24 = call lltostr, %0, %4\n    emit %3, %5\n    jump b1\n  b1:\n    return\n}\n"
      "clause \"b\" {\n  record { trace str48, trace str48, trace str48, trace str16 }\n  b0:\n"
      "    %0 : s64 = builtin arg3\n    %1 : s64 = builtin arg2\n"
      "    %2 : str48 = address_text 10, %0, %1\n    %3 : str48 = address_text 10, %1, %0\n"
      "    %4 : str48 = address_text 10, %0, %0\n    %5 : str16 = address_text 2, %0\n"
      "    emit %2, %3, %4, %5\n    jump b1\n  b1:\n    return\n}\n";
  expect_runs(text);
  EXPECT_LT(verified_, 30'000U);
}

TEST_F(VerifierRoot, StringsMayHaveAnySize) {
  for (const std::uint32_t size : {8u, 9u, 16u, 31u, 64u, 65u, 256u, 257u, 1000u, 4096u}) {
    expect_runs(with_strings(size, size));
    if (HasFailure()) return;
  }
  for (const std::uint32_t size : {16384u, 64000u}) {
    expect_runs(with_strings(size, 256));
    if (HasFailure()) return;
  }
}

TEST_F(VerifierRoot, ProgramsOfManyClausesLoad) {
  std::string text = "program\nvar @0 thread \"t\" : s64\nvar @1 global \"n\" : s64\n";
  text += "agg @0 \"_\" count [str16]\nagg @1 \"q\" quantize\nagg @2 \"s\" sum [int8s]\n";
  for (int i = 0; i < 100; ++i) {
    text += fmt::format(R"(clause "{}" {{
  record {{ trace int8s, trace str64 }}
  b0:
    %0 : s64 = builtin arg{}
    %1 : s64 = const {}
    %2 : s32 = lt_s %0, %1
    branch %2, b1, b2
  b1:
    %3 : str16 = builtin execname
    aggregate @0, %3
    %4 : s64 = load @0
    aggregate @1, %4
    aggregate @2, %4, %0
    store @0, %0
    %5 : s64 = const 64
    %6 : str64 = copyinstr %5
    emit %4, %6
    return
  b2:
    atomic_add @1, %1
    return
}}
)",
                        i % 3 == 0   ? "all"
                        : i % 3 == 1 ? "only 1"
                                     : "not 0",
                        i % 10, i + 1);
  }
  expect_runs(text, {0, 3, 7});
}

// What ERROR does would be followed from every fault, were it not verified once.
TEST_F(VerifierRoot, ErrorClausesMayBeLongHoweverManyPlacesFault) {
  std::string body, error;
  for (int i = 0; i < 300; ++i) {
    body += fmt::format("    %{} : s64 = load_kernel %{} #{}\n", i + 1, i, i + 1);
  }
  for (int i = 0; i < 60; ++i) {
    error += fmt::format(R"(    %{0} : str256 = load @0
    %{1} : s32 = strcmp %{0}, %1
    store @1, %{1}
    aggregate @0, %{0}, %{1}
    store @0, %1
)",
                         2 * i + 10, 2 * i + 11);
  }
  expect_runs(fmt::format(R"(program
var @0 global "s" : str256
var @1 global "n" : s32
agg @0 "_" quantize [str256]
clause "a" {{
  b0:
    %0 : s64 = builtin arg3
{}    return
}}
clause "ERROR" {{
  b0:
    %0 : s64 = builtin arg5
    %1 : str256 = kernel_string %0
{}    return
}}
)",
                          body, error));
}

// More branches than a verifier keeps in mind, and one that needs the context.
TEST_F(VerifierRoot, ThereMayBeAnyNumberOfClauses) {
  std::string text = "program\nvar @0 clause \"c\" : s64\nvar @1 clause \"s\" : str32\n";
  const int clauses = kIsInGuest ? 600 : 3000;
  for (int i = 0; i < clauses; ++i) {
    const char* const special =
        i % (clauses / 3) == clauses / 6 ? "    %5 : bytes80 = stack\n" : "";
    text += fmt::format(R"(clause "{}" {{
  record {{ trace int8s, trace str32 }}
  b0:
    %0 : s64 = load @0
    %1 : s64 = const {}
    %2 : s32 = lt_s %0, %1
    branch %2, b1, b2
  b1:
    store @0, %1
    jump b2
  b2:
    %3 : str16 = builtin execname
    %4 : str32 = to_string %3
    store @1, %4
{}    emit %1, %4
    return
}}
)",
                        i % 2 == 0 ? "all" : "not 1", i, special);
  }
  expect_runs(text, {0, 3, 7});
}

TEST_F(VerifierRoot, ManyLiveValuesFit) {
  std::string text = "program\nclause \"a\" {\n  record {";
  std::string body, fields;
  for (int i = 0; i < 120; ++i) {
    text += i == 0 ? " trace int8s" : ", trace int8s";
    body += fmt::format(
        "    %{} : s64 = {}\n", i,
        i < 10 ? fmt::format("builtin arg{}", i) : fmt::format("mul %{}, %{}", i - 1, i - 10));
    fields += fmt::format("{}%{}", i == 0 ? "" : ", ", 119 - i);
  }
  expect_runs(text + " }\n  b0:\n" + body + "    emit " + fields + "\n    return\n}\n");
}

// What no register or stack slot holds goes to the frame, behind a long string.
TEST_F(VerifierRoot, ManyLiveValuesFitFarBehindTheStartOfTheFrame) {
  std::string text = "program\nclause \"a\" {\n  record { trace str20000, trace int8s";
  std::string body, fields;
  for (int i = 0; i < 120; ++i) {
    text += ", trace int8s";
    body += fmt::format(
        "    %{} : s64 = {}\n", i,
        i < 10 ? fmt::format("builtin arg{}", i) : fmt::format("mul %{}, %{}", i - 1, i - 10));
    fields += fmt::format(", %{}", 119 - i);
  }
  expect_runs(fmt::format(R"({} }}
  b0:
{}    %200 : str20000 = kernel_string %3
    %201 : s32 = lt_s %20, %21
    branch %201, b2(%5), b1
  b1:
    jump b2(%6)
  b2(%202 : s64):
    emit %200, %202{}
    return
}}
)",
                          text, body, fields));
}

TEST_F(VerifierRoot, FaultsAreReportedAndErrorRuns) {
  expect_runs(R"(program
var @0 thread "t" : str64
agg @0 "_" count [int4s, str256]
clause "a" {
  record { trace int8s }
  b0:
    %0 : s64 = builtin arg3
    %1 : s64 = div_s %0, %0 #1
    %2 : s64 = load_kernel %1 #2
    emit %2
    return
}
clause "ERROR" {
  record { trace int8s, trace int8s, trace str256, stack stack80 }
  b0:
    %0 : s64 = builtin arg4
    %1 : s64 = builtin arg5
    %2 : s64 = builtin arg1
    %3 : str256 = kernel_string %2
    %4 : s32 = builtin pid
    aggregate @0, %4, %3
    %5 : bytes80 = stack
    emit %0, %1, %3, %5
    return
}
)");
}

}  // namespace
}  // namespace dt::bpf
