// Probes made of tracepoints: which kernels have them, and the reasons that others have none.

#include "provider/mechanism/stable.h"

#include <gtest/gtest.h>

#include "testing/types/fake_module.h"

namespace dt::provider {
namespace {

using bpf::Label;
using bpf::Reg;

void needs_tcp(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(bpf::Cond::kNe, code.member(code.word(0), "sock", "sk_protocol"), 6,
                             leave);
}
Reg state(StableCode& code, std::uint32_t) {
  return code.member(code.word(0), "sock", "__sk_common.skc_state");
}
Reg reason(StableCode& code, std::uint32_t) {
  return code.emitter().imm(code.enumerator("reasons", "REASON_ONE"));
}
Reg second(StableCode& code, std::uint32_t) { return code.word(1); }
Reg flag(StableCode& code, std::uint32_t) { return code.bits(code.word(0), "sock", "flag"); }

// A kernel whose tracepoint `opened` passes a struct sock *.
class StableTest : public ::testing::Test {
 protected:
  void add_socket(std::vector<types::Member> more) {
    const types::TypeId number = types_.integer(2, false);
    const types::TypeId common = kernel_.add_struct("sock_common", {{"skc_state", number, 0, 0}});
    std::vector<types::Member> members = {{"__sk_common", common, 0, 0}};
    members.insert(members.end(), more.begin(), more.end());
    const types::TypeId sock = kernel_.add_struct("sock", members);
    kernel_.add_tracepoint("opened", {types_.pointer_to(sock)});
  }
  std::string why_not(StableProbe probe) {
    probe::Pattern pattern;
    pattern.provider = "net";
    pattern.name = probe.name;
    const auto provider = stable_provider("net", types_, {std::move(probe)});
    std::string why = provider->why_not(pattern);
    EXPECT_EQ(provider->list().size(), why.empty() ? 1U : 0U) << why;
    return why;
  }

  const std::vector<probe::Argument> number_ = {{"int", false}};
  types::Catalog types_;
  types::FakeModule& kernel_ = types::FakeModule::add_to(types_);
};

TEST_F(StableTest, AProbeIsThereWhereTheKernelHasAllThatItsCodeReads) {
  add_socket({{"sk_protocol", types_.integer(2, false), 64, 0}});
  EXPECT_EQ(why_not({"open", "opened", needs_tcp, number_, state}), "");
}

TEST_F(StableTest, AMemberThatIsMissingMakesTheProbeAbsent) {
  add_socket({});
  EXPECT_EQ(why_not({"open", "opened", needs_tcp}),
            "this kernel's struct sock has no member sk_protocol");
  EXPECT_EQ(why_not({"open", "opened", nullptr, number_, flag}),
            "this kernel's struct sock has no member flag");
  EXPECT_EQ(why_not({"open", "opened", nullptr, number_, state}), "");
}

TEST_F(StableTest, SoDoesAConstantAndAWordThatIsNotPassed) {
  add_socket({});
  kernel_.add_enum("reasons", {{"REASON_TWO", 2}});
  EXPECT_EQ(why_not({"open", "opened", nullptr, number_, reason}),
            "this kernel knows no REASON_ONE (enum reasons)");
  EXPECT_EQ(why_not({"open", "opened", nullptr, number_, second}),
            "this kernel's tracepoint opened passes less than the probe needs");
  StableProbe later{"open", "opened"};
  later.parameter_count = 2;
  EXPECT_EQ(why_not(std::move(later)),
            "this kernel's tracepoint opened passes less than the probe needs");
  EXPECT_EQ(why_not({"close", "closed"}),
            "this kernel has no tracepoint closed, or no type information for it");
}

TEST_F(StableTest, AllArgumentsOfTranslatorsCount) {
  add_socket({});
  StableProbe probe{"open", "opened", nullptr, {}, [](StableCode& code, std::uint32_t n) {
                      return n == 3 ? flag(code, n) : code.emitter().imm(0);
                    }};
  probe.argument_count = 3;
  EXPECT_EQ(why_not(probe), "");
  probe.argument_count = 4;
  EXPECT_EQ(why_not(probe), "this kernel's struct sock has no member flag");
}

TEST_F(StableTest, AModulesProbeIsThereWhileItIsLoaded) {
  StableProbe probe{"get", "nfs_get", nullptr, number_, [](StableCode& code, std::uint32_t) {
                      return code.member(code.word(0), "nfs_server", "port");
                    }};
  probe.module = "nfs";
  EXPECT_EQ(why_not(probe),
            "this kernel has no tracepoint nfs_get, or no type information for it, and its module "
            "nfs is not loaded");
  types::FakeModule& module = types::FakeModule::add_to(types_, "nfs");
  const types::TypeId server =
      module.add_struct("nfs_server", {{"port", types_.integer(4, false), 32, 0}});
  module.add_tracepoint("nfs_get", {types_.pointer_to(server)});
  EXPECT_EQ(why_not(probe), "");
  const auto provider = stable_provider("nfs", types_, {probe});
  EXPECT_EQ(provider->list(), (std::vector<probe::Description>{{"nfs", "nfs", "", "get"}}));
  probe.thread = 0;
  const auto typed = stable_provider("nfs", types_, {probe});
  const auto spec = typed->program_spec("nfs:get");
  ASSERT_TRUE(spec.ok()) << spec.error().text;
  EXPECT_EQ(spec->attach_module, "nfs");
  EXPECT_NE(spec->attach_btf_id, 0U);
}

TEST_F(StableTest, AModulesProbeIsTheKernelsWhereTheModuleIsBuiltIn) {
  add_socket({});
  StableProbe probe{"open", "opened", nullptr, number_, state};
  probe.module = "net";
  const auto provider = stable_provider("net", types_, {probe});
  EXPECT_EQ(provider->list(), (std::vector<probe::Description>{{"net", "vmlinux", "", "open"}}));
}

}  // namespace
}  // namespace dt::provider
