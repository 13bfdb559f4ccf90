// The fbt provider: which functions there are, which mechanism serves how many of
// them on which kernel, and what is done when a kernel refuses.

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <set>

#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "kernel/words.h"
#include "probe/unmatched.h"
#include "provider/mechanism/functions.h"
#include "provider/mechanism/providers.h"
#include "testing/kernel/fake.h"
#include "testing/provider/lir_machine.h"
#include "testing/provider/planned.h"
#include "types/type.h"

namespace dt::provider {
namespace {

using enum kernel::Feature;
using Call = kernel::FakeKernel::Call;

// BTF that knows `write_it(int, void *, size_t) -> long` and `by_value(struct)`.
class TestTypes : public types::Source {
 public:
  std::string_view module() const override { return "vmlinux"; }
  std::optional<types::TypeId> find(types::Catalog&, types::Tag, std::string_view) override {
    return std::nullopt;
  }
  void complete(types::Catalog&, types::TypeId) override {}
  std::uint32_t function_number(std::string_view name) override {
    if (name.starts_with("known_")) return 80U + static_cast<std::uint32_t>(name.back() - '0');
    return name == "write_it" ? 77 : name == "by_value" ? 78 : 0;
  }
  std::optional<types::Object> find_object(types::Catalog& catalog,
                                           std::string_view name) override {
    types::Type function;
    function.kind = types::Kind::kFunction;
    function.target = catalog.integer(8, true);
    if (name == "write_it" || name.starts_with("known_")) {
      function.members = {{"fd", catalog.integer(4, true)},
                          {"from", catalog.pointer_to(catalog.void_type())},
                          {"size", catalog.integer(8, false)}};
    } else if (name == "by_value") {
      types::Type pair;
      pair.kind = types::Kind::kStruct;
      pair.size = 16;
      function.members = {{"pair", catalog.add(std::move(pair))}};
    } else {
      return std::nullopt;
    }
    return types::Object{catalog.add(std::move(function))};
  }
};

class FbtTest : public ::testing::Test {
 protected:
  FbtTest() {
    types_.add_source(std::make_unique<TestTypes>());
    for (int i = 0; i < 300; ++i) {
      text_ += fmt::format("ffffffff81001{:03x} many_{}\n", i * 4, i);
      symbols_ += fmt::format("ffffffff81001{:03x} t many_{}\n", i * 4, i);
    }
    // Those that call the tracer four bytes behind their start begin with endbr64.
    kernel_->on_run = [this](const std::string& program, std::span<const std::uint64_t>) {
      EXPECT_EQ(program, "dt_words");
      std::array<std::uint64_t, kernel::kWordsAtOnce> words;
      std::memcpy(words.data(), kernel_->memory(program), sizeof words);
      for (std::uint64_t& word : words) {
        const bool is_start = symbols_.find(fmt::format("{:016x} t", word)) != symbols_.npos;
        word = is_start && word < 0xffffffff81001000 ? 0xfa1e0ff3 : 0x90909090;
      }
      std::memcpy(kernel_->memory(program), words.data(), sizeof words);
      return 0U;
    };
  }

  // A kernel that has these ways.
  void make(std::set<kernel::Feature> ways) {
    KernelFunctions::Source source;
    source.functions = [this] { return Result<std::string>(text_); };
    source.symbols = [this] { return Result<std::string_view>(std::string_view(symbols_)); };
    source.try_feature = [this, ways](kernel::Feature feature) {
      ++tried_[feature];
      return ways.contains(feature) ? Status() : Status(Error::of_code("not here", EPERM));
    };
    source.kernel = kernel_.get();
    std::vector<std::unique_ptr<Provider>> providers;
    providers.push_back(fbt_provider(types_, std::make_shared<KernelFunctions>(source)));
    provider_ = providers[0].get();
    catalog_ = std::make_unique<ProviderCatalog>(std::move(providers));
  }

  // The probes that would be enabled, with their final programs.
  std::vector<probe::Probe> plan(const char* pattern) {
    return testing::planned(*catalog_, pattern);
  }

  std::set<std::string> programs(const char* pattern) {
    std::set<std::string> names;
    for (const probe::Probe& probe : plan(pattern)) names.insert(probe.binding.program);
    return names;
  }

  std::uint64_t argument(const std::string& program, std::uint32_t number,
                         std::span<const std::uint64_t> context) {
    bpf::Emitter emitter;
    const bpf::Reg start = emitter.context();
    const bpf::Label leave = emitter.label();
    const auto prologue = provider_->prologue(program, {});
    prologue->prepare({.key = false});
    prologue->enter(emitter, start, leave);
    const bpf::Reg result = prologue->argument(emitter, start, number);
    LirMachine machine;
    return machine.run(emitter.code(), context.data(), result, leave).value_or(~0ULL);
  }

  types::Catalog types_;
  std::string text_ =
      "ffffffff81000014 write_it\nffffffff81000024 by_value\nffffffff81000034 twice\n"
      "ffffffffc0000010 helper\t[ext9]\nffffffff81000044 twice\n"
      "ffffffff81000050 __ftrace_invalid_address___80\nffffffff81000060 helper\n"
      "ffffffff81000070 known_0\nffffffff81000074 known_1\nffffffff81000078 known_2\n"
      "ffffffff8100007c known_3\nffffffff81000080 known_4\nffffffff81000084 known_5\n";
  std::string symbols_ =
      "ffffffff81000010 T write_it\nffffffff81000020 t by_value\nffffffff81000030 t twice\n"
      "ffffffff81000038 d data\nffffffff81000040 t twice\nffffffff81000060 t helper\n"
      "ffffffffc0000010 t helper\t[ext9]\n";
  std::map<kernel::Feature, int> tried_;
  std::shared_ptr<kernel::FakeKernel> kernel_ = std::make_shared<kernel::FakeKernel>();
  std::unique_ptr<ProviderCatalog> catalog_;
  const Provider* provider_ = nullptr;
};

TEST(KernelFunctions, AreReadWithAndWithoutAddresses) {
  const FunctionTable names("one\ntwo [mod]\none\n__ftrace_invalid_address___5\n\nthree");
  EXPECT_EQ(names.all(), (std::vector<KernelFunction>{
                             {"vmlinux", "one", 2}, {"vmlinux", "three", 1}, {"mod", "two", 1}}));
  EXPECT_EQ(names.named("two"), std::vector<std::uint32_t>{2});
  EXPECT_TRUE(names.named("four").empty());
  const FunctionTable places(
      "ffffffff81000004 one\nffffffffc0000000 one\t[mod]\nffffffff81000010 one\n");
  EXPECT_EQ(places.all(), (std::vector<KernelFunction>{
                              {"vmlinux", "one", 2, 0xffffffff81000004, {0xffffffff81000010}},
                              {"mod", "one", 1, 0xffffffffc0000000}}));
  EXPECT_EQ(places.named("one"), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(places.all()[0].places(),
            (std::vector<std::uint64_t>{0xffffffff81000004, 0xffffffff81000010}));
  EXPECT_TRUE(FunctionTable("").all().empty());
}

TEST_F(FbtTest, ListsANameOnceForEachModule) {
  make({kFentry, kKprobeMulti, kKprobe});
  EXPECT_EQ(catalog_->match(*probe::parse_pattern("fbt::twice:")).size(), 2U);
  EXPECT_EQ(catalog_->match(*probe::parse_pattern("fbt::helper:entry")).size(), 2U);
  EXPECT_EQ(catalog_->match(*probe::parse_pattern("fbt:ext9::return")).size(), 1U);
  EXPECT_TRUE(catalog_->match(*probe::parse_pattern("BEGIN")).empty());
}

TEST_F(FbtTest, WhatAFunctionHasIsKnownWithoutTheList) {
  make({kFentry, kKprobeMulti, kKprobe});
  std::map<std::string, std::uint32_t> ids;
  for (const char* pattern : {"fbt::many_7:return", "fbt::helper:", "fbt::no_such:"}) {
    for (const probe::Probe& probe : catalog_->match(*probe::parse_pattern(pattern))) {
      ids[probe::to_string(probe.description)] = probe.id.value;
    }
  }
  EXPECT_EQ(ids.size(), 5U);
  std::uint32_t seen = 0, before = 0;
  for (const probe::Probe& probe : catalog_->match(*probe::parse_pattern("fbt:::"))) {
    EXPECT_EQ(probe.id.value, ++before) << "those of one list follow each other";
    const auto known = ids.find(probe::to_string(probe.description));
    if (known == ids.end()) continue;
    ++seen;
    EXPECT_EQ(probe.id.value, known->second) << known->first;
  }
  EXPECT_EQ(seen, 5U);
}

TEST_F(FbtTest, TriesNothingForOtherProbes) {
  make({kFentry, kKprobeMulti, kKprobe});
  EXPECT_TRUE(catalog_->match(*probe::parse_pattern("tick-1s")).empty());
  EXPECT_TRUE(catalog_->match(*probe::parse_pattern("syscall:::entry")).empty());
  EXPECT_TRUE(tried_.empty());
}

TEST_F(FbtTest, AFewHaveAProgramEach) {
  make({kFentry, kKprobeMulti, kKprobe});
  EXPECT_EQ(programs("fbt::write_it:"),
            (std::set<std::string>{"fbt:fentry:vmlinux:write_it:entry",
                                   "fbt:fentry:vmlinux:write_it:return"}));
  EXPECT_EQ(tried_[kKprobe], 0) << "nobody asked";
  const auto entry = provider_->program_spec("fbt:fentry:vmlinux:write_it:entry");
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->attach_btf_id, 77U);
  EXPECT_EQ(entry->expected_attach, BPF_TRACE_FENTRY);
  EXPECT_EQ(provider_->source("fbt:fentry:vmlinux:write_it:return"), "fexit of write_it");
}

TEST_F(FbtTest, OfAFewMoreTheFirstHaveAProgramEach) {
  make({kFentry, kKprobeMulti, kKprobe});
  std::set<std::string> own;
  for (int i = 0; i < 4; ++i) own.insert(fmt::format("fbt:fentry:vmlinux:known_{}:entry", i));
  EXPECT_EQ(programs("fbt::known_[0-3]:entry"), own);
  own.insert("fbt:multi:entry");
  EXPECT_EQ(programs("fbt::known_?:entry"), own);
  EXPECT_EQ(programs("fbt::known_?:"),
            (std::set<std::string>{"fbt:multi:entry", "fbt:multi:return"}));
}

TEST_F(FbtTest, WhatATrampolineCannotServeGoesOnALink) {
  make({kFentry, kKprobeMulti, kKprobe});
  const std::set<std::string> link = {"fbt:multi:entry"};
  EXPECT_EQ(programs("fbt::twice:entry"), link) << "two functions of a name";
  EXPECT_EQ(programs("fbt::by_value:entry"), link) << "an argument of two registers";
  EXPECT_EQ(programs("fbt::many_1:entry"), link) << "not in BTF";
  kernel_->fail(Call::kLoadProgram, 1, EINVAL);
  EXPECT_EQ(programs("fbt::write_it:entry"), link) << "refused by the kernel";
}

TEST_F(FbtTest, ManyShareAProgramAndHaveDenseKeys) {
  make({kFentry, kKprobeMulti, kKprobe});
  const std::vector<probe::Probe> probes = plan("fbt::many_*:");
  std::map<std::string, std::uint32_t> next;
  for (const probe::Probe& probe : probes) {
    EXPECT_EQ(probe.binding.program, "fbt:multi:" + probe.description.name);
    EXPECT_EQ(probe.binding.key, next[probe.binding.program]++);
  }
  EXPECT_EQ(next["fbt:multi:return"], 300U);
  // All are enabled, so that a program whose clauses are the same for each need not ask which it
  // is.
  EXPECT_EQ(provider_->prologue("fbt:multi:return", {})->key_count(), 300U);
}

TEST_F(FbtTest, LinksAreMadeOfNamesOrAddresses) {
  make({kFentry, kKprobeMulti, kKprobe});
  const Fd program = kernel_->load_program({.name = "dt_fbt"}, {}, false).value();
  const auto few = plan("fbt::many_1?:return");
  ASSERT_EQ(few.size(), 10U);
  ASSERT_TRUE(provider_->attach("fbt:multi:return", few, program, *kernel_).ok());
  EXPECT_TRUE(kernel_->function_sets[0].at_return);
  EXPECT_EQ(kernel_->function_sets[0].symbols[3], "many_13");
  EXPECT_EQ(kernel_->function_sets[0].cookies[3], 3U);
  // Two functions have one name: where their symbols are, not where they call
  // the tracer; both are the same probe.
  const auto twice = plan("fbt::twice:entry");
  ASSERT_TRUE(provider_->attach("fbt:multi:entry", twice, program, *kernel_).ok());
  EXPECT_EQ(kernel_->function_sets[1].addresses,
            (std::vector<std::uint64_t>{0xffffffff81000030, 0xffffffff81000040}));
  EXPECT_EQ(kernel_->function_sets[1].cookies, (std::vector<std::uint64_t>{0, 0}));
  // A name that a module has, too.
  ASSERT_TRUE(
      provider_->attach("fbt:multi:entry", plan("fbt:ext9:helper:entry"), program, *kernel_).ok());
  EXPECT_EQ(kernel_->function_sets[2].addresses, std::vector<std::uint64_t>{0xffffffffc0000010});
  ASSERT_TRUE(
      provider_->attach("fbt:multi:entry", plan("fbt::many_*:entry"), program, *kernel_).ok());
  EXPECT_EQ(kernel_->function_sets[3].addresses.size(), 300U);
  EXPECT_EQ(kernel_->function_sets[3].cookies.size(), 300U);
}

TEST_F(FbtTest, LinksOfProgramsThatDoNotAskWhichProbeItIsHaveNoCookies) {
  make({kFentry, kKprobeMulti, kKprobe});
  const Fd program = kernel_->load_program({.name = "dt_fbt"}, {}, false).value();
  const auto attach = [&](const char* pattern, bool asks) {
    const auto probes = plan(pattern);
    bpf::Prologue::Needs needs;
    needs.key = asks;
    provider_->prologue("fbt:multi:entry", {})->prepare(needs);
    EXPECT_TRUE(provider_->attach("fbt:multi:entry", probes, program, *kernel_).ok());
    return kernel_->function_sets.back();
  };
  EXPECT_EQ(attach("fbt::many_1?:entry", true).cookies.size(), 10U);
  EXPECT_TRUE(attach("fbt::many_1?:entry", false).cookies.empty());
  // Nor need symbols be found: the places where the functions call the tracer will do.
  const auto many = attach("fbt::twice:entry", false);
  EXPECT_TRUE(many.cookies.empty());
  EXPECT_EQ(many.addresses, (std::vector<std::uint64_t>{0xffffffff81000034, 0xffffffff81000044}));
}

TEST_F(FbtTest, WithoutLinksSeveralHaveProgramsAndMoreHaveBreakpoints) {
  make({kFentry, kKprobe});
  EXPECT_EQ(programs("fbt::write_it:entry"),
            std::set<std::string>{"fbt:fentry:vmlinux:write_it:entry"});
  EXPECT_EQ(programs("fbt::many_1?:entry"), std::set<std::string>{"fbt:kprobe:entry"});
  const Fd program = kernel_->load_program({.name = "dt_fbt"}, {}, false).value();
  const std::size_t before = kernel_->open_descriptors();
  {
    const auto attached =
        provider_->attach("fbt:kprobe:entry", plan("fbt::many_1?:entry"), program, *kernel_);
    ASSERT_TRUE(attached.ok());
    EXPECT_EQ(kernel_->open_descriptors(), before + 10);
    kernel_->link_missed = 3;
    EXPECT_EQ((*attached)->lost(), 30U);
  }
  EXPECT_EQ(kernel_->open_descriptors(), before);
  // When one is refused, those before it are given back.
  kernel_->fail(Call::kAttachCode, 4, EINVAL);
  EXPECT_FALSE(
      provider_->attach("fbt:kprobe:entry", plan("fbt::many_1?:entry"), program, *kernel_).ok());
  EXPECT_EQ(kernel_->open_descriptors(), before);
}

TEST_F(FbtTest, TooManyWithoutLinksAreRefused) {
  make({kFentry, kKprobe});
  EXPECT_EQ(programs("fbt::many_*:entry"), std::set<std::string>{"fbt:none:entry"});
  const auto spec = provider_->program_spec("fbt:none:entry");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().text,
            "these are more than 250 probes of fbt, and this kernel can only attach them one by "
            "one: not here");
}

TEST_F(FbtTest, OnlyTrampolinesServeOnlyWhatBtfKnows) {
  make({kFentry});
  EXPECT_EQ(provider_->list().size(), 16U);
  EXPECT_EQ(programs("fbt::write_it:entry"),
            std::set<std::string>{"fbt:fentry:vmlinux:write_it:entry"});
}

TEST(FbtReasons, WhatThisProcessLacksIsNoPropertyOfTheKernel) {
  const Error lacks = Error::of_code("bpf(): Operation not permitted", EPERM, "run it as root");
  const Error other = Error::of_code("no kprobes", ENOENT, "use another kernel");
  EXPECT_EQ(why_not_traced("functions", {{"fentry", lacks}, {"kprobes", lacks}}),
            "this process may not trace functions of the kernel: run it as root");
  EXPECT_EQ(why_not_traced("functions", {{"fentry", lacks}, {"kprobes", other}}),
            "this kernel does not let its functions be traced: fentry: bpf(): Operation not "
            "permitted; kprobes: no kprobes");
}

TEST_F(FbtTest, AKernelThatForbidsItSaysWhy) {
  make({});
  EXPECT_TRUE(provider_->list().empty());
  EXPECT_EQ(catalog_->why_not(*probe::parse_pattern("fbt::write_it:entry")),
            "this kernel does not let its functions be traced: fentry: not here; kprobe.multi: not "
            "here; kprobes: not here");
  for (const char* const meant : {"write_it:", "write_it:entry"}) {
    EXPECT_EQ(catalog_->why_not(*probe::parse_pattern(meant)),
              "write_it is a function of the kernel, fbt::write_it:entry, but this kernel does not "
              "let its functions be traced: fentry: not here; kprobe.multi: not here; kprobes: not "
              "here")
        << meant;
  }
  EXPECT_EQ(probe::explain_unmatched(*catalog_, probe::parse_point("write_it")).why,
            catalog_->why_not(*probe::parse_pattern("write_it:entry")));
  EXPECT_EQ(catalog_->why_not(*probe::parse_pattern("write_*:entry")),
            "functions of the kernel, as fbt::write_*:entry, are not looked for: this kernel does "
            "not let its functions be traced: fentry: not here; kprobe.multi: not here; kprobes: "
            "not here");
  EXPECT_EQ(catalog_->why_not(*probe::parse_pattern("malloc:entry")), "");
  EXPECT_EQ(catalog_->why_not(*probe::parse_pattern("some:write_it:entry")), "");
}

TEST_F(FbtTest, ArgumentsHaveTheTypesOfTheFunction) {
  make({kFentry});
  const auto entry = provider_->arguments({"fbt", "vmlinux", "write_it", "entry"});
  ASSERT_TRUE(entry);
  ASSERT_EQ(entry->size(), 3U);
  EXPECT_EQ((*entry)[0].type, "int");
  EXPECT_EQ((*entry)[1].type, "void *");
  const auto end = provider_->arguments({"fbt", "vmlinux", "write_it", "return"});
  ASSERT_TRUE(end);
  ASSERT_EQ(end->size(), 2U);
  EXPECT_EQ((*end)[1].type, "long");
  EXPECT_FALSE(provider_->arguments({"fbt", "vmlinux", "by_value", "entry"}));
  EXPECT_FALSE(provider_->arguments({"fbt", "vmlinux", "many_1", "entry"}));
}

TEST_F(FbtTest, RegistersAreTheArguments) {
  make({kKprobeMulti});
  std::vector<std::uint64_t> registers(21);
  for (std::size_t i = 0; i < registers.size(); ++i) registers[i] = 1000 + i;
  // di si dx cx r8 r9 in struct pt_regs.
  const std::uint64_t wanted[] = {1014, 1013, 1012, 1011, 1009, 1008};
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(argument("fbt:multi:entry", i, registers), wanted[i]) << i;
  }
  EXPECT_EQ(argument("fbt:multi:return", 0, registers), 0U);
  EXPECT_EQ(argument("fbt:multi:return", 1, registers), 1010U);  // ax
  EXPECT_EQ(argument("fbt:kprobe:return", 2, registers), 0U);
}

}  // namespace
}  // namespace dt::provider
