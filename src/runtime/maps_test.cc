// How big the maps become, and with which flags.

#include "runtime/maps.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "runtime/available_memory.h"
#include "testing/kernel/fake.h"

namespace dt::runtime {
namespace {

bpf::Memory memory(std::uint32_t cpus) {
  bpf::Memory memory;
  memory.machine.cpus = cpus;
  memory.percpu_stride = 192;
  memory.rodata = {1, 2, 3};
  memory.scratch_bytes = 100;
  memory.tls_bytes = 40;
  memory.aggs = {{0, 0}, {24, 8}};
  memory.assocs = {{}, {}, {16, 8}};
  memory.uses_ring = true;
  return memory;
}

TEST(RingSize, IsThePowerOfTwoThatHoldsAllCpus) {
  EXPECT_EQ(ring_size(4 << 20, 2), 8U << 20);
  EXPECT_EQ(ring_size(4 << 20, 3), 16U << 20);
  EXPECT_EQ(ring_size(1, 1), 4096U);
  EXPECT_EQ(ring_size(0, 64), 4096U);
  EXPECT_EQ(ring_size(1ULL << 30, 2), 1ULL << 31);
}

TEST(TableEntries, DividesTheMemoryAmongElements) {
  EXPECT_EQ(table_entries(1 << 20, {8, 8}), (1U << 20) / 80);
  EXPECT_EQ(table_entries(0, {8, 8}), 1U);
  EXPECT_EQ(table_entries(~0ULL, {8, 8}), 1U << 24);
}

TEST(Maps, AreMadeAsTheMemoryPlanSays) {
  kernel::FakeKernel kernel(2);
  const auto maps = Maps::create(kernel, memory(2), Sizes{});
  ASSERT_TRUE(maps.ok()) << maps.error().text;
  EXPECT_EQ(kernel.spec("dt_globals")->value_bytes, sizeof(bpf::Control));
  EXPECT_EQ(kernel.spec("dt_percpu")->value_bytes, 384U);
  EXPECT_EQ(kernel.spec("dt_rodata")->value_bytes, 8U);
  EXPECT_TRUE(kernel.frozen("dt_rodata"));
  EXPECT_EQ(kernel.memory("dt_rodata")[2], 3);
  EXPECT_EQ(kernel.spec("dt_scratch")->entries, 2 * bpf::kScratchLevels);
  EXPECT_EQ(kernel.spec("dt_ring")->entries, 8U << 20);
  EXPECT_EQ(kernel.spec("dt_tls")->value_bytes, 40U);
  EXPECT_EQ(kernel.spec("dt_agg0"), nullptr);
  EXPECT_EQ(kernel.spec("dt_agg1")->type, BPF_MAP_TYPE_HASH);
  EXPECT_EQ(kernel.spec("dt_agg1")->flags, static_cast<std::uint32_t>(BPF_F_NO_PREALLOC));
  EXPECT_EQ(kernel.spec("dt_var2")->type, BPF_MAP_TYPE_HASH);
  EXPECT_GE(maps->find({bpf::MapKind::kAgg, 1}), 0);
  EXPECT_EQ(maps->find({bpf::MapKind::kAgg, 0}), -1);
  EXPECT_EQ(maps->find({bpf::MapKind::kAgg, 9}), -1);
  EXPECT_GE(maps->find({bpf::MapKind::kAssoc, 2}), 0);
}

TEST(Maps, HaveWhatProvidersKeepAllocatedAtOnce) {
  kernel::FakeKernel kernel(1);
  bpf::Memory keeping = memory(1);
  keeping.kept = {{}, {16, 48}};
  const auto maps = Maps::create(kernel, keeping, Sizes{});
  ASSERT_TRUE(maps.ok()) << maps.error().text;
  EXPECT_EQ(kernel.spec("dt_kept0"), nullptr);
  EXPECT_EQ(kernel.spec("dt_kept1")->flags, 0U);
  EXPECT_EQ(maps->find({bpf::MapKind::kKept, 0}), -1);
  EXPECT_GE(maps->find({bpf::MapKind::kKept, 1}), 0);
}

TEST(Maps, AreOnlyThoseThatTheProgramNeeds) {
  kernel::FakeKernel kernel(1);
  bpf::Memory plain;
  plain.percpu_stride = 128;
  ASSERT_TRUE(Maps::create(kernel, plain, Sizes{}).ok());
  EXPECT_EQ(kernel.count(kernel::FakeKernel::Call::kCreateMap), 2U);
}

TEST(Maps, AllocateHashesAtOnceOnKernelsBefore61) {
  const std::vector<std::pair<std::string, std::uint32_t>> cases = {
      {"5.15.0-91-generic", 0},
      {"6.0.19", 0},
      {"6.1.0-18-amd64", BPF_F_NO_PREALLOC},
      {"6.18.44", BPF_F_NO_PREALLOC},
      {"7.2-rc1", BPF_F_NO_PREALLOC},
      {"strange", BPF_F_NO_PREALLOC}};
  for (const auto& [release, flags] : cases) {
    kernel::FakeKernel kernel(1);
    kernel.release_text = release;
    ASSERT_TRUE(Maps::create(kernel, memory(1), Sizes{}).ok());
    EXPECT_EQ(kernel.spec("dt_agg1")->flags, flags) << release;
  }
}

TEST(SizeText, IsAsItIsGiven) {
  const std::pair<std::uint64_t, const char*> cases[] = {{100, "100"},    {1ULL << 40, "1t"},
                                                         {4096, "4k"},    {1536 << 10, "1536k"},
                                                         {4 << 20, "4m"}, {2ULL << 30, "2g"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(size_text(bytes), text);
  }
}

// The creations are: globals, percpu, rodata, scratch, dt_agg1, dt_var2, tls, ring.
TEST(Maps, AreMadeSmallerWhereThereIsNoMemory) {
  using Call = kernel::FakeKernel::Call;
  kernel::FakeKernel kernel(2);
  kernel.fail(Call::kCreateMap, 5, ENOMEM);
  kernel.fail(Call::kCreateMap, 9, ENOMEM);
  kernel.fail(Call::kCreateMap, 10, ENOMEM);
  const auto maps = Maps::create(kernel, memory(2), Sizes{});
  ASSERT_TRUE(maps.ok()) << maps.error().text;
  EXPECT_EQ(maps->notices(), (std::vector<std::string>{"aggregation size lowered to 2m",
                                                       "buffer size lowered to 1m"}));
  EXPECT_EQ(kernel.spec("dt_ring")->entries, 2U << 20);
  EXPECT_EQ(maps->ring_bytes(), 2U << 20);
  EXPECT_EQ(kernel.spec("dt_agg1")->entries, table_entries(4 << 20, {24, 8}));
}

TEST(Maps, AreMadeSmallerWhereTheKernelCannotHoldSoMuch) {
  kernel::FakeKernel kernel(2);
  Sizes huge;
  huge.buffer_bytes = huge.aggregation_bytes = huge.dynamic_bytes = 100ULL << 40;
  const auto maps = Maps::create(kernel, memory(2), huge);
  ASSERT_TRUE(maps.ok()) << maps.error().text;
  EXPECT_EQ(kernel.spec("dt_ring")->entries, 1U << 31);
  EXPECT_EQ(kernel.spec("dt_agg1")->entries, table_entries(800ULL << 20, {24, 8}));
  EXPECT_EQ(maps->notices(), (std::vector<std::string>{"aggregation size lowered to 400m",
                                                       "dynamic variable size lowered to 800m",
                                                       "buffer size lowered to 800m"}));
  Sizes all = Sizes{};
  all.buffer_bytes = ~0ULL;
  ASSERT_TRUE(Maps::create(kernel, memory(2), all).ok());
}

TEST(Maps, LeaveMemoryToTheSystem) {
  kernel::FakeKernel kernel(2);
  Sizes sizes;
  sizes.buffer_bytes = 100ULL << 40;
  sizes.memory_bytes = 512 << 20;
  const auto maps = Maps::create(kernel, memory(2), sizes);
  ASSERT_TRUE(maps.ok()) << maps.error().text;
  EXPECT_EQ(maps->notices(), std::vector<std::string>{"buffer size lowered to 50m"});
  EXPECT_EQ(maps->buffer_bytes(), 50U << 20);
}

TEST(Maps, ThatTheKernelCannotHoldAreRefusedWhenTheyMayNotBeSmaller) {
  kernel::FakeKernel kernel(2);
  Sizes sizes;
  sizes.buffer_bytes = 1ULL << 40;
  sizes.may_shrink = false;
  const auto maps = Maps::create(kernel, memory(2), sizes);
  ASSERT_FALSE(maps.ok());
  EXPECT_EQ(maps.error().text,
            "buffer size 1t is more than the 1g that a map of the kernel can hold");
}

TEST(AvailableMemory, IsReadFromTheKernelsText) {
  EXPECT_EQ(available_memory("MemTotal:       24683584 kB\nMemAvailable:   24142192 kB\n"),
            24142192ULL << 10);
  for (const char* text : {"", "MemAvailable:", "MemAvailable: x kB"}) {
    EXPECT_EQ(available_memory(text), std::nullopt) << text;
  }
  EXPECT_GT(available_memory(), 0U);
}

TEST(Maps, AreNotMadeSmallerWhenThatIsNotWantedOrNoHelp) {
  using Call = kernel::FakeKernel::Call;
  Sizes manual;
  manual.may_shrink = false;
  Sizes small;
  small.buffer_bytes = 4096;
  const std::pair<Sizes, int> cases[] = {{manual, ENOMEM}, {Sizes{}, EPERM}, {small, ENOMEM}};
  for (const auto& [sizes, code] : cases) {
    kernel::FakeKernel kernel(2);
    kernel.fail(Call::kCreateMap, 8, code);
    const auto maps = Maps::create(kernel, memory(2), sizes);
    ASSERT_FALSE(maps.ok());
    EXPECT_EQ(maps.error().code, code);
  }
}

}  // namespace
}  // namespace dt::runtime
