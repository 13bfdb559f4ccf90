// The lockstat provider: when it has probes, what they pass and how it is attached. What they
// say is compared with known waits in tests/conformance/lockstat.

#include <gtest/gtest.h>

#include <cerrno>

#include "provider/mechanism/providers.h"
#include "testing/kernel/fake.h"
#include "testing/types/fake_module.h"

namespace dt::provider {
namespace {

class LockstatTest : public ::testing::Test {
 protected:
  // A tracepoint of the kernel: TP_PROTO(void *lock, int word).
  void add_tracepoint(const std::string& name) {
    const types::TypeId pointer = types_.pointer_to(types_.void_type());
    kernel_.add_tracepoint(name, {pointer, types_.integer(4, true)});
  }
  void add_counter(const char* structure, const char* member) {
    const types::TypeId word = types_.integer(8, false);
    const types::TypeId counter =
        kernel_.add_struct(std::string(structure) + "_t", {{"counter", word}}, 8);
    kernel_.add_struct(structure, {{member, counter}}, 8);
  }
  // What the provider says of a kernel that has what was added.
  std::size_t count() const { return provider_->list().size(); }
  std::string why_not(const std::string& name) const {
    probe::Pattern pattern;
    pattern.provider = "lockstat";
    pattern.name = name;
    return provider_->why_not(pattern);
  }

  types::Catalog types_;
  types::FakeModule& kernel_ = types::FakeModule::add_to(types_);
  std::unique_ptr<Provider> provider_ = lockstat_provider(types_);
};

TEST_F(LockstatTest, HasNoProbesWhereTheKernelHasOneTracepointOnly) {
  add_tracepoint("contention_begin");
  EXPECT_EQ(count(), 0U);
  EXPECT_EQ(why_not("rw-block"),
            "this kernel has no tracepoint contention_end, or no type information for it");
}

TEST_F(LockstatTest, HoldersThatAreNotKnownAreNoZeros) {
  add_tracepoint("contention_begin");
  add_tracepoint("contention_end");
  add_counter("rw_semaphore", "count");
  EXPECT_EQ(count(), 3U);
  EXPECT_EQ(why_not("rw-spin"), "this kernel has no struct qrwlock, or no type information for it");
  EXPECT_EQ(why_not("spin-spin"), "");
}

TEST_F(LockstatTest, LocksOfRealTimeKernelsHaveNoSuchWord) {
  add_tracepoint("contention_begin");
  add_tracepoint("contention_end");
  kernel_.add_struct("rw_semaphore", {{"rwbase", types_.integer(8, false)}}, 8);
  EXPECT_EQ(count(), 5U);
}

TEST_F(LockstatTest, HasProbesWhereTheKernelHasBothTracepoints) {
  add_tracepoint("contention_begin");
  add_tracepoint("contention_end");
  add_counter("rw_semaphore", "count");
  add_counter("qrwlock", "cnts");
  EXPECT_EQ(count(), 5U);
  EXPECT_EQ(why_not("rw-block"), "");
  EXPECT_EQ(why_not("rw-acquire"), "the kernel has tracepoints only where a lock is waited for");
  EXPECT_EQ(why_not("thread-spin"), "locks of threads are spin locks: see spin-spin");
  EXPECT_EQ(why_not("nothing"), "");
}

TEST_F(LockstatTest, ServesAllItsProbesByOneProgram) {
  const probe::Binding spin = provider_->binding({"lockstat", "vmlinux", "", "spin-spin"});
  const probe::Binding block = provider_->binding({"lockstat", "vmlinux", "", "rw-block"});
  EXPECT_EQ(spin.program, block.program);
  EXPECT_NE(spin.key, block.key);
  EXPECT_TRUE(provider_->runs_under_locks(spin.program));
  EXPECT_TRUE(provider_->runs_under_queue_lock(spin.program));
  EXPECT_EQ(provider_->arguments({"lockstat", "vmlinux", "", "spin-spin"})->size(), 2U);
  EXPECT_EQ(provider_->arguments({"lockstat", "vmlinux", "", "rw-spin"})->size(), 5U);
}

TEST_F(LockstatTest, IsAttachedToBothTracepointsOrToNone) {
  kernel::FakeKernel kernel(1);
  const auto program = kernel.load_program({.name = "dt_lockstat"}, {}, false);
  ASSERT_TRUE(program.ok());
  const std::size_t before = kernel.open_descriptors();
  {
    const auto attachment = provider_->attach("lockstat:contention", {}, *program, kernel);
    ASSERT_TRUE(attachment.ok());
    EXPECT_EQ(kernel.open_descriptors(), before + 2);
  }
  EXPECT_EQ(kernel.open_descriptors(), before);
  kernel.fail(kernel::FakeKernel::Call::kAttachRawTracepoint, 2, ENOENT);
  EXPECT_FALSE(provider_->attach("lockstat:contention", {}, *program, kernel).ok());
  EXPECT_EQ(kernel.open_descriptors(), before);
}

}  // namespace
}  // namespace dt::provider
