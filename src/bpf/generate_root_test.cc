// Generated programs in the running kernel: the verifier takes them, and they
// do what they should.

#include <gtest/gtest.h>

#include "bpf/generate_test.h"
#include "bpf/kernel_rig_test.h"
#include "bpf/snapshot_test.h"

namespace dt::bpf {
namespace {

class GenerateRoot : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = why_no_bpf();
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

#define RIG(name, ...)                                             \
  Generated name##_code = generate_from(__VA_ARGS__);              \
  ASSERT_EQ(name##_code.error, "");                                \
  KernelRig name(name##_code.memory, name##_code.program);         \
  ASSERT_TRUE(name.load(name##_code.object)) << name.error() << listing(name##_code)

std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, size);
  return value;
}

TEST_F(GenerateRoot, CountsFiringsWithoutKeys) {
  RIG(rig, R"(program
agg @0 "_" count
clause "a" {
  norecord {}
  b0:
    aggregate @0
    return
})", running_machine());
  ASSERT_TRUE(rig.run({0}, -1, 10)) << rig.error();
  EXPECT_EQ(rig.keyless(0, 1), std::vector<std::uint64_t>{10});
}

TEST_F(GenerateRoot, CountsByProcessName) {
  RIG(rig, R"(program
agg @0 "_" count [str16]
clause "a" {
  norecord {}
  b0:
    %0 : str16 = builtin execname
    aggregate @0, %0
    return
})", running_machine());
  ASSERT_TRUE(rig.run({0}, -1, 10)) << rig.error();
  const auto elements = rig.elements({MapKind::kAgg, 0});
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_EQ(merged(elements.begin()->second, 1)[0], 10u);
  std::string name = program_invocation_short_name;
  name.resize(15);
  EXPECT_STREQ(elements.begin()->first.c_str() + 8, name.c_str());
}

TEST_F(GenerateRoot, RecordsWhatATraceActionGives) {
  RIG(rig, R"(program
clause "a" {
  record { trace int4s, trace int8s, trace str16 }
  b0:
    %0 : s32 = builtin pid
    %1 : s64 = builtin arg2
    %2 : str16 = builtin execname
    emit %0, %1, %2
    return
})", running_machine());
  ASSERT_TRUE(rig.run({0, 1, 2, 77})) << rig.error();
  const auto records = rig.records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(word_at(records[0], 0, 4), 1u);
  EXPECT_EQ(word_at(records[0], 6, 2), 1u);
  EXPECT_EQ(word_at(records[0], 8, 4), static_cast<std::uint64_t>(getpid()));
  EXPECT_EQ(word_at(records[0], 16, 8), 77u);
}

}  // namespace
}  // namespace dt::bpf
