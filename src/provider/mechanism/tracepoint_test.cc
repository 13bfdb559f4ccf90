// The sdt provider: which events are tracepoints, and what they pass.

#include "provider/mechanism/tracepoint.h"

#include <gtest/gtest.h>

#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/mechanism/providers.h"
#include "testing/kernel/fake.h"
#include "testing/provider/lir_machine.h"
#include "testing/types/fake_module.h"

namespace dt::provider {
namespace {

// A kernel with one tracepoint: TP_PROTO(int error, bool on, void *where).
class TracepointProviderTest : public ::testing::Test {
 protected:
  TracepointProviderTest() {
    const types::TypeId pointer = types_.pointer_to(types_.void_type());
    types::FakeModule::add_to(types_).add_tracepoint(
        "disk_failed", {types_.integer(4, true), types_.integer(1, false), pointer});
    points_ = std::make_shared<Tracepoints>([this] {
      ++times_read_;
      return events_;
    });
    provider_ = tracepoint_provider("sdt", types_, points_);
  }

  std::uint64_t argument(std::uint32_t number, std::uint64_t word) {
    const std::uint64_t context[] = {word, word, word};
    bpf::Emitter emitter;
    const bpf::Reg start = emitter.context();
    const bpf::Label leave = emitter.label();
    const auto prologue = provider_->prologue("sdt:disk_failed", {});
    prologue->enter(emitter, start, leave);
    const bpf::Reg result = prologue->argument(emitter, start, number);
    LirMachine machine;
    return machine.run(emitter.code(), context, result, leave).value_or(~0ULL);
  }

  types::Catalog types_;
  Result<std::string> events_ = std::string("disk:disk_failed\n");
  int times_read_ = 0;
  std::shared_ptr<Tracepoints> points_;
  std::unique_ptr<Provider> provider_;
};

TEST(AvailableEvents, AreSortedAndOnlyTracepointsStay) {
  EXPECT_EQ(parse_available_events("sched:sched_switch\n"
                                   "syscalls:sys_enter_open\n"
                                   "ftrace:function\n"
                                   "kprobes:mine\n"
                                   "sched:sched_migrate_task\n"
                                   "block:block_rq_issue\n"
                                   "nonsense\n:\nx:\n:y\n"
                                   "last:without_newline"),
            (std::vector<Tracepoint>{{"block", "block_rq_issue"},
                                     {"last", "without_newline"},
                                     {"sched", "sched_migrate_task"},
                                     {"sched", "sched_switch"}}));
  EXPECT_TRUE(parse_available_events("").empty());
}

TEST_F(TracepointProviderTest, AreListedWithTheirSubsystemAsModule) {
  const std::vector<probe::Description> wanted = {{"sdt", "disk", "", "disk_failed"}};
  EXPECT_EQ(provider_->list(), wanted);
  EXPECT_EQ(provider_->binding(wanted[0]).program, "sdt:disk_failed");
}

TEST_F(TracepointProviderTest, AreReadOnceForAllProviders) {
  const auto other = tracepoint_provider("rawtp", types_, points_);
  EXPECT_EQ(provider_->list().size(), 1u);
  EXPECT_EQ(other->list().size(), 1u);
  EXPECT_EQ(provider_->list().size(), 1u);
  EXPECT_EQ(times_read_, 1);
}

TEST_F(TracepointProviderTest, AreNotReadForNamesThatNoneCanHave) {
  std::vector<std::unique_ptr<Provider>> all;
  all.push_back(std::move(provider_));
  const ProviderCatalog catalog(std::move(all));
  for (const char* other : {"BEGIN", "tick-1s", "syscall:::entry"}) {
    EXPECT_TRUE(catalog.match(*probe::parse_pattern(other)).empty());
  }
  EXPECT_EQ(times_read_, 0);
  for (const char* ours : {"disk_failed", "disk_*", "sdt:::", ":::", "*:::"}) {
    EXPECT_EQ(catalog.match(*probe::parse_pattern(ours)).size(), 1u) << ours;
  }
  EXPECT_EQ(times_read_, 1);
}

TEST_F(TracepointProviderTest, HaveTheTypesOfTheKernelWithoutItsOwnPointer) {
  const auto arguments = provider_->arguments({"sdt", "disk", "", "disk_failed"});
  ASSERT_TRUE(arguments);
  ASSERT_EQ(arguments->size(), 3u);
  EXPECT_EQ((*arguments)[0].type, "int");
  EXPECT_EQ((*arguments)[2].type, "void *");
  EXPECT_FALSE(provider_->arguments({"sdt", "disk", "", "unheard_of"}));
}

TEST_F(TracepointProviderTest, ExtendNarrowArgumentsByTheirSign) {
  EXPECT_EQ(argument(0, 0xffff'fffbULL), static_cast<std::uint64_t>(-5));
  EXPECT_EQ(argument(1, 1), 1u);
  EXPECT_EQ(argument(2, 0xffff'8880'0000'1000ULL), 0xffff'8880'0000'1000ULL);
  EXPECT_EQ(argument(3, 77), 0u) << "it passes three";
}

TEST_F(TracepointProviderTest, SayWhyThereAreNone) {
  events_ = Error::of_code("fsopen of tracefs: Operation not permitted", EPERM);
  EXPECT_TRUE(provider_->list().empty());
  // Where the kernel's types are known, they say how many there are.
  const std::string why = provider_->why_not({"sdt", "", "", "disk_failed", ""});
  EXPECT_TRUE(why.starts_with("the kernel's ")) << why;
  EXPECT_TRUE(
      why.ends_with("tracepoints cannot be listed: fsopen of tracefs: Operation not permitted"))
      << why;
  EXPECT_EQ(provider_->why_not({"syscall", "", "", "", ""}), "");
}

TEST_F(TracepointProviderTest, AreRefusedWithoutTypesOfTheKernel) {
  const auto spec = provider_->program_spec("sdt:unheard_of");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().text,
            "sdt:unheard_of: the kernel's BTF does not say what this tracepoint passes");
  EXPECT_TRUE(provider_->program_spec("sdt:disk_failed").ok());
}

TEST_F(TracepointProviderTest, AttachByTheirName) {
  kernel::FakeKernel kernel;
  const auto program = kernel.load_program({.name = "dt_sdt"}, {}, false);
  ASSERT_TRUE(program.ok());
  ASSERT_TRUE(provider_->attach("sdt:disk_failed", {}, *program, kernel).ok());
  kernel.fail(kernel::FakeKernel::Call::kAttachRawTracepoint, 1, ENOENT);
  EXPECT_FALSE(provider_->attach("sdt:disk_failed", {}, *program, kernel).ok());
}

}  // namespace
}  // namespace dt::provider
