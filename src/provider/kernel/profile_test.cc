// The profile provider: rates, the perf context, and ticks that keep count.

#include <gtest/gtest.h>
#include <poll.h>

#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/rate.h"
#include "testing/kernel/fake.h"
#include "testing/provider/lir_machine.h"

namespace dt::provider {
namespace {

TEST(Rates, AreNumbersWithUnits) {
  const struct {
    const char* text;
    std::uint64_t ns;
  } table[] = {
      {"1", 1'000'000'000},
      {"97", 10'309'278},
      {"1000hz", 1'000'000},
      {"5000", 200'000},
      {"200us", 200'000},
      {"200000ns", 200'000},
      {"250usec", 250'000},
      {"10ms", 10'000'000},
      {"10msec", 10'000'000},
      {"1s", 1'000'000'000},
      {"2sec", 2'000'000'000},
      {"1m", 60'000'000'000},
      {"1min", 60'000'000'000},
      {"1h", 3'600'000'000'000},
      {"1hour", 3'600'000'000'000},
      {"1d", 86'400'000'000'000},
      {"1000day", 86'400'000'000'000'000},
      {"200000nsec", 200'000},
      {"1S", 1'000'000'000},
      {"500Hz", 2'000'000},
  };
  for (const auto& expected : table) {
    const auto rate = parse_rate(expected.text);
    ASSERT_TRUE(rate.ok()) << expected.text << ": " << rate.error().text;
    EXPECT_EQ(*rate, expected.ns) << expected.text;
  }
  for (const char* text : {"", "hz", "x", "-1", "0", "0s", "5001", "199us", "1 s", "1.5s", "1001d",
                           "999999999999999999d", "1000000000000000000000"}) {
    EXPECT_FALSE(parse_rate(text).ok()) << text;
  }
}

// arg<number> of profile-N when it interrupted `cs`:`ip`.
std::uint64_t profile_argument(std::uint64_t cs, std::uint64_t ip, std::uint32_t number) {
  std::uint64_t regs[21] = {};
  regs[128 / 8] = ip;
  regs[136 / 8] = cs;
  bpf::Emitter emitter;
  const bpf::Reg context = emitter.context();
  const bpf::Label leave = emitter.label();
  const auto prologue = profile_provider()->prologue("profile:profile-97", {});
  prologue->enter(emitter, context, leave);
  const bpf::Reg result = prologue->argument(emitter, context, number);
  LirMachine machine;
  return machine.run(emitter.code(), regs, result, leave).value_or(~0ull);
}

TEST(Profile, GivesThePlaceThatWasInterrupted) {
  constexpr std::uint64_t kKernel = 0x10, kUser = 0x33, kUser32 = 0x23;
  EXPECT_EQ(profile_argument(kKernel, 0xffffffff81000000, 0), 0xffffffff81000000);
  EXPECT_EQ(profile_argument(kKernel, 0xffffffff81000000, 1), 0u);
  EXPECT_EQ(profile_argument(kUser, 0x401000, 0), 0u);
  EXPECT_EQ(profile_argument(kUser, 0x401000, 1), 0x401000u);
  EXPECT_EQ(profile_argument(kUser32, 0x8048000, 1), 0x8048000u);
  EXPECT_EQ(profile_argument(kUser, 0x401000, 2), 0u);
}

TEST(Profile, RunsOnEveryOnlineCpuAndLeavesNone) {
  kernel::FakeKernel kernel(4);
  const auto provider = profile_provider();
  auto program = kernel.load_program(*provider->program_spec("profile:profile-97"), {}, false);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(provider->program_spec("profile:profile-97")->type, BPF_PROG_TYPE_PERF_EVENT);
  const std::size_t before = kernel.open_descriptors();
  {
    auto attachment = provider->attach("profile:profile-97", {}, *program, kernel);
    ASSERT_TRUE(attachment.ok()) << attachment.error().text;
    EXPECT_EQ(kernel.open_descriptors(), before + kernel.online_cpus().size());
    EXPECT_EQ((*attachment)->wait_fd(), -1);
  }
  EXPECT_EQ(kernel.open_descriptors(), before);
  // Half attached is not attached.
  kernel.fail(kernel::FakeKernel::Call::kAttachCpuClock, 3, EPERM);
  auto refused = provider->attach("profile:profile-97", {}, *program, kernel);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().text.starts_with("sample CPU 2: ")) << refused.error().text;
  EXPECT_EQ(kernel.open_descriptors(), before);
}

TEST(Profile, DoesWithoutACpuThatGoesOffline) {
  kernel::FakeKernel kernel(4);
  const auto provider = profile_provider();
  auto program = kernel.load_program(*provider->program_spec("profile:profile-97"), {}, false);
  ASSERT_TRUE(program.ok());
  const std::size_t before = kernel.open_descriptors();
  kernel.fail(kernel::FakeKernel::Call::kAttachCpuClock, 2, ENODEV);
  auto attachment = provider->attach("profile:profile-97", {}, *program, kernel);
  ASSERT_TRUE(attachment.ok()) << attachment.error().text;
  EXPECT_EQ(kernel.open_descriptors(), before + kernel.online_cpus().size() - 1);
}

class Ticking : public testing::Test {
 protected:
  void SetUp() override {
    kernel_.on_run = [this](const std::string&, std::span<const std::uint64_t> context) {
      EXPECT_EQ(context.size(), 3u);
      if (context.size() == 3) late_.push_back(context[2]);
      return 0u;
    };
    program_ = std::move(
        kernel_.load_program(*provider_->program_spec("profile:tick-200us"), {}, false).value());
  }
  std::unique_ptr<Attachment> attach(const char* program) {
    auto attachment = provider_->attach(program, {}, program_, kernel_);
    EXPECT_TRUE(attachment.ok()) << attachment.error().text;
    EXPECT_TRUE((*attachment)->go().ok());
    return std::move(attachment).value();
  }
  static bool wait(const Attachment& tick) {
    pollfd one{tick.wait_fd(), POLLIN, 0};
    return ::poll(&one, 1, 5000) == 1;
  }

  kernel::FakeKernel kernel_;
  std::unique_ptr<Provider> provider_ = profile_provider();
  Fd program_;
  std::vector<std::uint64_t> late_;
};

TEST_F(Ticking, RunsTheProgramOncePerInterval) {
  const auto tick = attach("profile:tick-1ms");
  ASSERT_TRUE(wait(*tick));
  tick->ready();
  const std::size_t first = late_.size();
  EXPECT_GE(first, 1u);
  ASSERT_TRUE(wait(*tick));
  tick->ready();
  EXPECT_GT(late_.size(), first);
  EXPECT_EQ(tick->lost(), 0u);
}

TEST_F(Ticking, MakesUpForExpiriesThatItWasLateFor) {
  const timespec start = [] {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
  }();
  const auto tick = attach("profile:tick-1ms");
  ::poll(nullptr, 0, 50);
  tick->ready();
  timespec end{};
  ::clock_gettime(CLOCK_MONOTONIC, &end);
  const auto elapsed_ms = static_cast<std::size_t>((end.tv_sec - start.tv_sec) * 1000 +
                                                   (end.tv_nsec - start.tv_nsec) / 1'000'000);
  EXPECT_GE(late_.size(), 49u);
  EXPECT_LE(late_.size(), elapsed_ms + 1);
  // The first was late by the wait, each next one by an interval less.
  EXPECT_GE(late_.front(), 45'000'000u);
  EXPECT_GE(late_.front(), late_.back());
}

TEST_F(Ticking, CountsWhatItGivesUp) {
  const auto tick = attach("profile:tick-200us");
  ::poll(nullptr, 0, 400);  // 2000 expiries
  tick->ready();
  EXPECT_EQ(late_.size(), 1000u);
  EXPECT_GE(tick->lost(), 900u);
}

TEST_F(Ticking, CountsFiringsThatTheKernelRefused) {
  const auto tick = attach("profile:tick-1ms");
  kernel_.fail(kernel::FakeKernel::Call::kRun, 1, EBUSY);
  ASSERT_TRUE(wait(*tick));
  tick->ready();
  EXPECT_EQ(tick->lost(), 1u);
}

TEST_F(Ticking, LeavesTheProgramToItsOwner) {
  const std::size_t before = kernel_.open_descriptors();
  attach("profile:tick-1ms").reset();
  EXPECT_EQ(kernel_.open_descriptors(), before);
}

TEST_F(Ticking, WithoutExpiryDoesNothing) {
  const auto tick = attach("profile:tick-1h");
  tick->ready();
  EXPECT_TRUE(late_.empty());
}

}  // namespace
}  // namespace dt::provider
