// FakeKernel keeps the promises that the tests of other directories rest on.

#include "testing/kernel/fake.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace dt::kernel {
namespace {

MapSpec hash() {
  MapSpec spec;
  spec.name = "dt_hash";
  spec.type = BPF_MAP_TYPE_HASH;
  spec.key_bytes = 8;
  spec.entries = 2;
  return spec;
}

TEST(FakeKernel, KeepsElementsUpToTheLimit) {
  FakeKernel kernel;
  const Fd map = kernel.create_map(hash()).value();
  const auto put = [&](std::uint64_t key) {
    const std::uint64_t value = key * 10;
    return kernel.update(map, &key, &value);
  };
  EXPECT_TRUE(put(1).ok());
  EXPECT_TRUE(put(2).ok());
  EXPECT_EQ(put(3).error().code, E2BIG);
  EXPECT_TRUE(put(2).ok());
  const std::uint64_t key = 2;
  std::uint64_t value = 0;
  ASSERT_TRUE(kernel.lookup(map, &key, &value).ok());
  EXPECT_EQ(value, 20U);
  ASSERT_TRUE(kernel.erase(map, &key).ok());
  EXPECT_EQ(kernel.lookup(map, &key, &value).error().code, ENOENT);
  EXPECT_EQ(kernel.elements("dt_hash"), 1U);
}

TEST(FakeKernel, FailsTheCallThatWasNamed) {
  FakeKernel kernel;
  kernel.fail(FakeKernel::Call::kCreateMap, 2, EPERM);
  EXPECT_TRUE(kernel.create_map(hash()).ok());
  const auto second = kernel.create_map(hash());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().text, "create_map dt_hash: Operation not permitted");
  EXPECT_TRUE(kernel.create_map(hash()).ok());
}

TEST(FakeKernel, CountsWhatIsStillOpen) {
  FakeKernel kernel;
  {
    const Fd map = kernel.create_map(hash()).value();
    EXPECT_EQ(kernel.open_descriptors(), 1U);
  }
  EXPECT_EQ(kernel.open_descriptors(), 0U);
}

TEST(FakeKernel, SharesTheMemoryOfMappedArrays) {
  FakeKernel kernel;
  MapSpec spec;
  spec.name = "dt_array";
  spec.flags = BPF_F_MMAPABLE;
  const Fd map = kernel.create_map(spec).value();
  const Kernel::Mapping mapping = kernel.map_memory(map, 8).value();
  mapping.data[3] = 42;
  EXPECT_EQ(kernel.memory("dt_array")[3], 42);
}

}  // namespace
}  // namespace dt::kernel
