// The arguments of the processes that there are when tracing begins.

#include "runtime/arguments.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "bpf/program/arguments.h"
#include "kernel/zones.h"
#include "testing/kernel/fake.h"

namespace dt::runtime {
namespace {

std::string text(const std::vector<std::uint8_t>& value) { return {value.begin(), value.end()}; }

TEST(ArgumentsValue, HasBlanksBetweenWordsAndZerosBehind) {
  using std::literals::operator""s;
  EXPECT_EQ(text(bpf::arguments_value("a\0b c\0\0d\0"s, 16)), "a b c  d\0\0\0\0\0\0\0\0"s);
  EXPECT_EQ(text(bpf::arguments_value("", 8)), std::string(8, '\0'));
  EXPECT_EQ(text(bpf::arguments_value("123456789", 8)), "1234567\0"s);
}

kernel::MapSpec spec(std::uint32_t entries) {
  kernel::MapSpec spec;
  spec.name = "dt_var0";
  spec.type = BPF_MAP_TYPE_HASH;
  spec.key_bytes = 8;
  spec.value_bytes = 256;
  spec.entries = entries;
  return spec;
}

TEST(WriteArguments, WritesThoseOfAllProcessesThatHaveNone) {
  if (kernel::own_process_space() != 0) GTEST_SKIP() << "in a namespace of processes";
  kernel::FakeKernel kernel(1);
  const Fd map = std::move(*kernel.create_map(spec(100000)));
  const auto own = static_cast<std::uint64_t>(::getpid());
  std::vector<std::uint8_t> value(256);
  ASSERT_TRUE(write_arguments(kernel, map, 256).ok());
  ASSERT_TRUE(kernel.lookup(map, &own, value.data()).ok());
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string cmdline{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(value, bpf::arguments_value(cmdline, 256));
  // What a program has written since stays.
  const std::vector<std::uint8_t> newer = bpf::arguments_value("newer", 256);
  ASSERT_TRUE(kernel.update(map, &own, newer.data()).ok());
  ASSERT_TRUE(write_arguments(kernel, map, 256).ok());
  ASSERT_TRUE(kernel.lookup(map, &own, value.data()).ok());
  EXPECT_EQ(value, newer);
}

TEST(WriteArguments, SaysThatThereIsNoRoom) {
  if (kernel::own_process_space() != 0) GTEST_SKIP() << "in a namespace of processes";
  kernel::FakeKernel kernel(1);
  const Fd map = std::move(*kernel.create_map(spec(0)));
  const Status status = write_arguments(kernel, map, 256);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().remedy, "raise dynvarsize");
}

}  // namespace
}  // namespace dt::runtime
