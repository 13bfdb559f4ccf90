// The kinst provider: which instructions have probes, why others have none, and what is
// attached.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/mechanism/functions.h"
#include "provider/mechanism/kernel_code.h"
#include "provider/mechanism/providers.h"
#include "testing/kernel/fake.h"
#include "testing/provider/lir_machine.h"
#include "testing/provider/planned.h"

namespace dt::provider {
namespace {

using Call = kernel::FakeKernel::Call;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kWork = 0xffffffff81000100, kOther = 0xffffffff81000200,
                        kLong = 0xffffffff81000300, kModule = 0xffffffffc0000100,
                        kCalls = 0xffffffff82000000;

// 0 nop5, 5 push, 7 mov, 10 jz 14, 12 ud2, 14 call other, 19 ret; then int3 and a nop.
const Bytes kCode = {0x0f, 0x1f, 0x44, 0x00, 0x00, 0x41, 0x57, 0x48, 0x89, 0xfb, 0x74, 0x02, 0x0f,
                     0x0b, 0xe8, 0xed, 0x00, 0x00, 0x00, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0x90};

class KinstTest : public ::testing::Test {
 protected:
  KinstTest() {
    memory_[kWork] = kCode;
    memory_[kOther] = {0xc3};
    memory_[kLong] = Bytes(600, 0x53);
    memory_[kLong].push_back(0xc3);
    memory_[kModule] = {0x90, 0xc3};
    // A static call at 14 in work.
    const auto at = static_cast<std::uint32_t>(kWork + 14 - kCalls);
    memory_[kCalls] = Bytes(8);
    std::memcpy(memory_[kCalls].data(), &at, sizeof at);
  }

  void make(bool has_kprobes = true) {
    KernelFunctions::Source ways;
    ways.functions = [] { return Result<std::string>(Error::of("not asked")); };
    ways.symbols = [this] { return Result<std::string_view>(std::string_view(symbols_)); };
    ways.try_feature = [has_kprobes](kernel::Feature feature) {
      const bool has = has_kprobes && feature == kernel::Feature::kKprobe;
      return has ? Status() : Status(Error::of_code("not here", EPERM));
    };
    ways.kernel = kernel_.get();
    KernelCode::Source source;
    source.symbols = ways.symbols;
    source.modules = [] { return "ext9 4096 1 - Live 0xffffffffc0000000\n"; };
    source.debugfs = [this](std::string_view file) {
      return Result<std::string>(debugfs_[std::string(file)]);
    };
    source.read = [this](std::uint64_t address, std::span<std::uint8_t> into) -> Status {
      std::memset(into.data(), 0x90, into.size());
      const auto after = memory_.upper_bound(address);
      if (after == memory_.begin()) return Error::of_code("no memory", EFAULT);
      const auto& [begin, bytes] = *std::prev(after);
      for (std::size_t i = 0; i < into.size(); ++i) {
        if (address + i - begin < bytes.size()) into[i] = bytes[address + i - begin];
      }
      return {};
    };
    source.wait = [this] {
      if (++waits_ == 3) memory_[kWork] = kCode;
    };
    std::vector<std::unique_ptr<Provider>> providers;
    providers.push_back(kinst_provider(std::make_shared<KernelFunctions>(ways),
                                       std::make_unique<KernelCode>(types_, source)));
    provider_ = providers[0].get();
    catalog_ = std::make_unique<ProviderCatalog>(std::move(providers));
  }

  std::vector<probe::Probe> plan(const char* pattern) {
    return testing::planned(*catalog_, pattern);
  }

  std::string names(const char* pattern) {
    std::string text;
    for (const probe::Probe& probe : catalog_->match(*probe::parse_pattern(pattern))) {
      const probe::Description& d = probe.description;
      text += fmt::format("{}:{}:{} ", d.module, d.function, d.name);
    }
    return text;
  }

  static std::string name_of(probe::Refusal::Code code) {
    using Code = probe::Refusal::Code;
    const std::pair<Code, const char*> names[] = {
        {Code::kNoFunction, "no function"},   {Code::kNeedsFunction, "needs function"},
        {Code::kNoName, "no name"},           {Code::kOutside, "outside"},
        {Code::kInsideInstruction, "inside"}, {Code::kCannotProbe, "cannot"}};
    for (const auto& [one, name] : names) {
      if (one == code) return name;
    }
    return "?";
  }

  // "code: text | hint".
  std::string refusal(const char* pattern) {
    EXPECT_EQ(names(pattern), "");
    const auto refusal = catalog_->refusal(*probe::parse_pattern(pattern));
    return refusal
               ? fmt::format("{}: {} | {}", name_of(refusal->code), refusal->text, refusal->hint)
               : "none";
  }

  types::Catalog types_;
  std::string symbols_ =
      "ffffffff81000000 T _stext\nffffffff81000100 T work\nffffffff81000200 t other\n"
      "ffffffff81000300 t long_one\nffffffff81000600 t next\nffffffff81001000 T _etext\n"
      "ffffffff82000000 D __start_static_call_sites\nffffffff82000008 D __stop_static_call_sites\n"
      "ffffffffc0000100 t other\t[ext9]\nffffffffc0000140 t last\t[ext9]\n";
  std::map<std::uint64_t, Bytes> memory_;
  std::map<std::string, std::string> debugfs_;
  std::shared_ptr<kernel::FakeKernel> kernel_ = std::make_shared<kernel::FakeKernel>();
  std::unique_ptr<ProviderCatalog> catalog_;
  const Provider* provider_ = nullptr;
  int waits_ = 0;  // behind the third, `work` is as it was made
};

TEST_F(KinstTest, AFunctionHasAProbeAtEachInstructionOnWhichABreakpointMayStand) {
  make();
  EXPECT_EQ(names("kinst::work:"),
            "vmlinux:work:0 vmlinux:work:5 vmlinux:work:7 vmlinux:work:10 vmlinux:work:19 ");
  EXPECT_EQ(names("kinst::work:1*"), "vmlinux:work:10 vmlinux:work:19 ");
  EXPECT_EQ(names("kinst::work:0x13"), "vmlinux:work:19 ");
  EXPECT_EQ(names("kinst::other:"), "vmlinux:other:0 ext9:other:0 ext9:other:1 ");
  EXPECT_EQ(names("kinst:ext9:other:1"), "ext9:other:1 ");
  EXPECT_EQ(names("work:0"), "") << "who names no provider means none of them";
  EXPECT_TRUE(provider_->list().empty());
}

TEST_F(KinstTest, AListingShowsTheInstruction) {
  make();
  names("kinst::work:");
  EXPECT_EQ(provider_->remark({"kinst", "vmlinux", "work", "5"}), "+0x5  push %r15");
  EXPECT_EQ(provider_->remark({"kinst", "vmlinux", "work", "10"}), "+0xa  jz work+0xe");
}

TEST_F(KinstTest, WhatIsNoPlaceForAProbeIsSaid) {
  make();
  EXPECT_EQ(refusal("kinst::work:6"),
            "inside: offset 6 (0x6) of 'work' is inside of the instruction at 5 (0x5); the "
            "next one begins at 7 (0x7) | ");
  EXPECT_EQ(refusal("kinst::work:20"),
            "outside: offset 20 (0x14) is outside of 'work', which has 20 bytes | its last "
            "instruction is at 19 (0x13)");
  EXPECT_EQ(refusal("kinst::work:12"),
            "cannot: no breakpoint may stand on the instruction at 12 (0xc) of 'work': "
            "it is a trap | ");
  EXPECT_EQ(refusal("kinst::work:14"),
            "cannot: no breakpoint may stand on the instruction at 14 (0xe) of 'work': "
            "the kernel changes it while it runs | ");
  EXPECT_EQ(refusal("kinst::work:entry"),
            "no name: 'entry' is not an offset: a probe of kinst is called by the place of its "
            "instruction in the function, such as 28 or 0x1c | ");
  EXPECT_EQ(refusal("kinst::wrok:0"),
            "no function: the kernel has no function 'wrok' | did you mean 'work'?");
  EXPECT_EQ(refusal("kinst:ext9:work:0"), "no function: module 'ext9' has no function 'work' | ");
  EXPECT_EQ(refusal("kinst::w*:"),
            "needs function: a description of kinst must name one function, and 'w*' is a pattern "
            "| ");
  EXPECT_EQ(refusal("kinst:::"), "needs function: a description of kinst must name a function | ");
}

TEST_F(KinstTest, CodeThatTheKernelNeedsForProbesHasNone) {
  debugfs_["kprobes/blacklist"] = "0xffffffff81000105-0xffffffff8100010a\twork\n";
  make();
  EXPECT_EQ(names("kinst::work:"), "vmlinux:work:0 vmlinux:work:10 vmlinux:work:19 ");
  EXPECT_EQ(refusal("kinst::work:7"),
            "cannot: no breakpoint may stand on the instruction at 7 (0x7) of 'work': "
            "the kernel needs this code for probes | ");
}

TEST_F(KinstTest, CodeWithTheBreakpointsOfOthersIsNotRead) {
  debugfs_["kprobes/list"] =
      "ffffffff81000200  k  other+0x0    [DISABLED]\nffffffff81000100  k  work+0x0    [FTRACE]\n"
      "ffffffff8100010a  k  work+0xa    [OPTIMIZED]\n";
  make();
  EXPECT_EQ(refusal("kinst::work:0"),
            "cannot: the instructions of 'work' cannot be read while another tracer has "
            "a breakpoint at offset 10 (0xa) | ");
  EXPECT_EQ(names("kinst:vmlinux:other:"), "vmlinux:other:0 ");
}

TEST_F(KinstTest, ABreakpointThatNobodyTellsOfIsSeen) {
  memory_[kLong][7] = 0xcc;
  make();
  EXPECT_EQ(refusal("kinst::long_one:0"),
            "cannot: the instructions of 'long_one' cannot be read while another tracer has "
            "a breakpoint at offset 7 (0x7) | ");
}

TEST_F(KinstTest, CodeThatTheKernelIsChangingIsReadAgain) {
  // The nop of the function tracer becomes a call: first its first byte.
  memory_[kWork][0] = 0xcc;
  memory_[kWork][1] = 0x1f;
  make();
  EXPECT_EQ(names("kinst::work:"),
            "vmlinux:work:0 vmlinux:work:5 vmlinux:work:7 vmlinux:work:10 vmlinux:work:19 ");
  EXPECT_EQ(waits_, 3);
}

TEST_F(KinstTest, WhatIsNoCodeIsNotWaitedFor) {
  memory_[kLong][100] = 0x06;
  make();
  EXPECT_EQ(refusal("kinst::long_one:0"),
            "cannot: the code of 'long_one': what is at offset 0x64 is no instruction | ");
  EXPECT_EQ(waits_, 0);
}

TEST_F(KinstTest, EachProbeIsABreakpointThatEndsWithTheAttachment) {
  make();
  const auto probes = plan("kinst::work:");
  ASSERT_EQ(probes.size(), 5U);
  const Fd program = kernel_->load_program({.name = "dt_kinst"}, {}, false).value();
  const std::size_t before = kernel_->open_descriptors();
  {
    const auto attached = provider_->attach("kinst:instruction", probes, program, *kernel_);
    ASSERT_TRUE(attached.ok());
    EXPECT_EQ(kernel_->open_descriptors(), before + 5);
    EXPECT_EQ(kernel_->calls().back(), "attach_code +0xffffffff81000113 4 dt_kinst");
    kernel_->link_missed = 2;
    EXPECT_EQ((*attached)->lost(), 10U);
  }
  EXPECT_EQ(kernel_->open_descriptors(), before);
  EXPECT_EQ(probes[1].binding.program, "kinst:instruction") << "push of two bytes";
  EXPECT_EQ(probes[4].binding.program, "kinst:stackless") << "ret";
  kernel_->fail(Call::kAttachCode, 3, EINVAL);
  const auto refused = provider_->attach("kinst:instruction", probes, program, *kernel_);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text.find("kinst:vmlinux:work:7"), std::string::npos)
      << refused.error().text;
  EXPECT_EQ(kernel_->open_descriptors(), before);
}

TEST_F(KinstTest, TooManyAreRefused) {
  make();
  const auto probes = plan("kinst::long_one:");
  ASSERT_EQ(probes.size(), 601U);
  EXPECT_EQ(probes[0].binding.program, "kinst:none");
  const auto spec = provider_->program_spec("kinst:none");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().text,
            "these are more than 500 probes of kinst, and the kernel can only attach them one by "
            "one");
  EXPECT_EQ(plan("kinst::long_one:1*")[0].binding.program, "kinst:stackless");
}

TEST_F(KinstTest, AKernelWithoutBreakpointsSaysWhy) {
  make(false);
  EXPECT_EQ(refusal("kinst::work:0"), "none");
  EXPECT_EQ(catalog_->why_not(*probe::parse_pattern("kinst::work:0")),
            "this kernel does not let its instructions be traced: kprobes: not here");
  EXPECT_EQ(catalog_->why_not(*probe::parse_pattern("work:0")), "");
}

TEST_F(KinstTest, RegistersAreThoseOfTheInstruction) {
  make();
  std::vector<std::uint64_t> registers(21);
  for (std::size_t i = 0; i < registers.size(); ++i) registers[i] = 1000 + i;
  const auto value = [&](std::uint32_t number, bool is_argument) {
    bpf::Emitter emitter;
    const bpf::Reg start = emitter.context();
    const bpf::Label leave = emitter.label();
    const auto prologue = provider_->prologue("kinst:instruction", {});
    EXPECT_TRUE(prologue->has_registers());
    prologue->prepare({.key = false});
    prologue->enter(emitter, start, leave);
    const bpf::Reg result = is_argument ? prologue->argument(emitter, start, number)
                                        : prologue->kernel_register(emitter, start, number);
    LirMachine machine;
    return machine.run(emitter.code(), registers.data(), result, leave).value_or(~0ULL);
  };
  EXPECT_EQ(value(14, false), 1014U);  // di
  EXPECT_EQ(value(20, false), 1020U);  // ss
  // The kernel says the address behind the breakpoint, which has one byte.
  EXPECT_EQ(value(16, false), 1015U);
  EXPECT_EQ(value(0, true), 0U) << "nobody knows the arguments there";
}

}  // namespace
}  // namespace dt::provider
