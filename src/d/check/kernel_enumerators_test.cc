// Enumerators of the kernel in scripts: what they are worth, and what a name that is not theirs
// means.

#include <gtest/gtest.h>

#include "symbol/kernel/kallsyms.h"
#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

constexpr const char* kKallsyms =
    "ffffffff81001000 T vfs_read\n"
    "ffffffff81001100 T both\n"
    "ffffffff81001200 T TYPED\n"
    "ffffffff81001300 T Untyped\n"
    "ffffffffc0001000 t ext_read\t[ext]\n";

// A module with these enumerations; a name may be empty.
class FakeEnumerations : public types::Source {
 public:
  struct Enumeration {
    std::string name;
    std::vector<types::Enumerator> enumerators;
  };
  FakeEnumerations(std::string module, std::vector<Enumeration> all)
      : module_(std::move(module)), all_(std::move(all)) {}
  std::string_view module() const override { return module_; }
  std::optional<types::TypeId> find(types::Catalog&, types::Tag, std::string_view) override {
    return std::nullopt;
  }
  std::vector<types::EnumeratorPlace> find_enumerators(types::Catalog& catalog,
                                                       std::string_view name) override {
    std::vector<types::EnumeratorPlace> found;
    for (const Enumeration& one : all_) {
      for (const types::Enumerator& enumerator : one.enumerators) {
        if (enumerator.name != name) continue;
        types::Type type;
        type.kind = types::Kind::kEnum;
        type.name = one.name;
        type.size = 4;
        type.enumerators = one.enumerators;
        found.push_back({catalog.add(std::move(type)), enumerator.value});
      }
    }
    return found;
  }
  std::vector<std::string_view> enumerator_names() override {
    std::vector<std::string_view> names;
    for (const Enumeration& one : all_) {
      for (const types::Enumerator& enumerator : one.enumerators) names.push_back(enumerator.name);
    }
    return names;
  }
  std::optional<types::Object> find_object(types::Catalog& catalog,
                                           std::string_view name) override {
    if (name != "TYPED") return std::nullopt;
    types::Type type;
    type.kind = types::Kind::kFunction;
    return types::Object{catalog.add(std::move(type)), false};
  }
  void complete(types::Catalog&, types::TypeId) override {}

 private:
  std::string module_;
  std::vector<Enumeration> all_;
};

struct EnumeratorWorld : FakeWorld {
  EnumeratorWorld() {
    types.add_source(std::make_unique<FakeEnumerations>(
        "vmlinux", std::vector<FakeEnumerations::Enumeration>{
                       {"", {{"TCP_OPEN", 1}, {"HUGE", 0xffffffff}, {"total", 9}}},
                       {"color", {{"RED", 4}, {"COPY", 6}, {"STATE", 2}}},
                       {"symbol", {{"both", 5}, {"TYPED", 6}, {"Untyped", 7}}},
                       {"copied", {{"COPY", 6}}},
                       {"", {{"STATE", 3}}}}));
    types.add_source(std::make_unique<FakeEnumerations>(
        "ext", std::vector<FakeEnumerations::Enumeration>{{"mode", {{"EXT_ON", 7}}}}));
    world.kallsyms = &kallsyms;
  }
  symbol::Kallsyms kallsyms = symbol::Kallsyms::from_text(kKallsyms);
};

std::string typed(const std::string& program) {
  EnumeratorWorld fake;
  front::Dump dump;
  dump.want_typed = true;
  return fake.compile(program, &dump) ? dump.typed : fake.errors();
}

void expect_constant(const std::string& name, const std::string& constant) {
  const std::string all = typed("BEGIN { x = " + name + "; }");
  EXPECT_NE(all.find(constant), std::string::npos) << all;
}

TEST(KernelEnumerator, IsAConstantOfItsEnumeration) {
  expect_constant("RED", "4 : enum color constant");
  expect_constant("`RED", "4 : enum color constant");
  expect_constant("vmlinux`RED", "4 : enum color constant");
  expect_constant("ext`EXT_ON", "7 : enum mode constant");
}

TEST(KernelEnumerator, WithoutANameOfItsEnumerationIsAnInteger) {
  expect_constant("TCP_OPEN", "1 : int constant");
  expect_constant("HUGE", "4294967295 : unsigned int constant");
}

TEST(KernelEnumerator, MayBeCopiedWithTheSameValue) {
  expect_constant("COPY", "6 : enum color constant");
}

TEST(KernelEnumerator, ComesAfterASymbolOfTheSameName) {
  expect_constant("`both", "void * constant");
  expect_constant("`TYPED", "void (*)(void) constant");
  EXPECT_EQ(typed("BEGIN { x = `TYPED; }").find("6 : "), std::string::npos);
}

// The list of symbols is not read for a name with a capital that the types do not know as one.
TEST(KernelEnumerator, WithACapitalLetterNeedsNoListOfSymbols) {
  expect_constant("`Untyped", "7 : enum symbol constant");
}

TEST(KernelEnumerator, NeedsNoAddressesOfSymbols) {
  EnumeratorWorld fake;
  fake.kallsyms = symbol::Kallsyms::from_text("0000000000000000 T vfs_read\n");
  EXPECT_TRUE(fake.compile("BEGIN /`RED == 4/ { trace(`RED); }")) << fake.errors();
  fake.world.kallsyms = nullptr;
  EXPECT_TRUE(fake.compile("BEGIN /`RED == 4/ { trace(`RED); }")) << fake.errors();
}

TEST(KernelEnumerator, IsOverruledByTheScript) {
  EXPECT_NE(typed("enum own { RED = 11 }; BEGIN { x = RED; }").find("11 : enum own"),
            std::string::npos);
  EXPECT_NE(typed("inline int RED = 12; BEGIN { x = RED; }").find("12"), std::string::npos);
  EXPECT_NE(typed("int RED; BEGIN { trace(RED); }").find("global"), std::string::npos);
  EXPECT_NE(typed("BEGIN { RED = 1; } END { trace(RED); }").find("global"), std::string::npos);
}

std::string error_of(const std::string& program) {
  EnumeratorWorld fake;
  fake.compile(program);
  const std::string errors = fake.errors();
  const std::size_t hint = errors.find("hint: ");
  std::string text = errors.substr(0, errors.find('\n'));
  if (hint != std::string::npos) {
    text += " | " + errors.substr(hint, errors.find('\n', hint) - hint);
  }
  return text;
}

TEST(KernelEnumerator, IsNotWhatTheScriptAssignsLater) {
  EXPECT_EQ(error_of("BEGIN { trace(RED); } END { RED = 1; }"),
            "[D_IDENT_UNDEF] line 1: failed to resolve RED: Unknown variable name | hint: declare "
            "it before its first use: int RED;");
}

// A variable that nothing sets must not become a number by chance.
TEST(KernelEnumerator, InSmallLettersNeedsABackquote) {
  EXPECT_EQ(error_of("BEGIN { trace(total); }"),
            "[D_IDENT_UNDEF] line 1: failed to resolve total: Unknown variable name | hint: did "
            "you mean '`total'?");
  EXPECT_EQ(error_of("BEGIN { trace(totals); }"),
            "[D_IDENT_UNDEF] line 1: failed to resolve totals: Unknown variable name");
  expect_constant("`total", "9 : int constant");
}

TEST(KernelEnumerator, WithSeveralValuesIsRefused) {
  EXPECT_EQ(error_of("BEGIN { trace(STATE); }"),
            "[D_IDENT_AMBIG] line 1: STATE is ambiguous: enumerations of vmlinux give it different "
            "values | hint: write the number: 2 in enum color, 3 in one without a name");
  EXPECT_EQ(error_of("BEGIN { trace(`STATE); }"),
            "[D_IDENT_AMBIG] line 1: `STATE is ambiguous: enumerations of vmlinux give it "
            "different values | hint: write the number: 2 in enum color, 3 in one without a name");
}

TEST(KernelEnumerator, IsSuggestedForASimilarName) {
  EXPECT_EQ(error_of("BEGIN { trace(TCP_OPNE); }"),
            "[D_IDENT_UNDEF] line 1: failed to resolve TCP_OPNE: Unknown variable name | hint: did "
            "you mean 'TCP_OPEN'?");
  EXPECT_EQ(error_of("BEGIN { trace(`TCP_OPNE); }"),
            "[D_IDENT_UNDEF] line 1: failed to resolve `TCP_OPNE: Unknown symbol name | hint: did "
            "you mean '`TCP_OPEN'?");
  EXPECT_EQ(error_of("BEGIN { trace(ext`EXT_OM); }"),
            "[D_IDENT_UNDEF] line 1: failed to resolve ext`EXT_OM: Unknown symbol name | hint: did "
            "you mean 'ext`EXT_ON'?");
}

TEST(KernelEnumerator, CannotBeWrittenToAndHasNoAddress) {
  EXPECT_NE(error_of("BEGIN { ext`EXT_ON = 1; }").find("[D_OP_LVAL]"), std::string::npos)
      << error_of("BEGIN { ext`EXT_ON = 1; }");
  EXPECT_NE(error_of("BEGIN { trace(&COPY); }").find("[D_ADDROF_LVAL]"), std::string::npos)
      << error_of("BEGIN { trace(&COPY); }");
}

}  // namespace
}  // namespace dt::d
