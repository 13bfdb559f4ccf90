// Generated programs in the running kernel: the verifier takes them, and they
// do what they should.

#include <gtest/gtest.h>

#include <thread>

#include "bpf/program/generate_test.h"
#include "bpf/program/kernel_rig_test.h"
#include "bpf/program/snapshot_test.h"
#include "bpf/program/vtime_switch.h"

namespace dt::bpf {
namespace {

class GenerateRoot : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = why_no_bpf();
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

#define RIG(name, ...)                                     \
  Generated name##_code = generate_from(__VA_ARGS__);      \
  ASSERT_EQ(name##_code.error, "");                        \
  KernelRig name(name##_code.memory, name##_code.program); \
  ASSERT_TRUE(name.load(name##_code.object)) << name.error() << listing(name##_code)

std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t offset,
                      std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, size);
  return value;
}

TEST_F(GenerateRoot, CountsFiringsWithoutKeys) {
  RIG(rig, R"(program
agg @0 "_" count
clause "a" {
  b0:
    aggregate @0
    return
})",
      running_machine());
  ASSERT_TRUE(rig.run({0}, -1, 10)) << rig.error();
  EXPECT_EQ(rig.keyless(0, 1), std::vector<std::uint64_t>{10});
}

TEST_F(GenerateRoot, CountsByProcessName) {
  RIG(rig, R"(program
agg @0 "_" count [str16]
clause "a" {
  b0:
    %0 : str16 = builtin execname
    aggregate @0, %0
    return
})",
      running_machine());
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
})",
      running_machine());
  ASSERT_TRUE(rig.run({0, 1, 2, 77})) << rig.error();
  const auto records = rig.records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(word_at(records[0], 0, 4), 1u);
  EXPECT_EQ(word_at(records[0], 6, 2), 1u);
  EXPECT_EQ(word_at(records[0], 8, 4), static_cast<std::uint64_t>(getpid()));
  EXPECT_EQ(word_at(records[0], 16, 8), 77u);
}

TEST_F(GenerateRoot, ProbesOfOneProgramAreToldApart) {
  RIG(rig, R"(program
agg @0 "_" count [probefunc]
clause "all" {
  record { trace int4s }
  b0:
    %0 : u32 = builtin probeid
    aggregate @0, %0
    emit %0
    return
}
clause "only 1" {
  record { trace int8s }
  b0:
    %0 : u32 = builtin epid
    emit %0
    return
}
clause "not 0" {
  record { trace str64 }
  b0:
    %0 : str64 = builtin probefunc
    emit %0
    return
}
)",
      running_machine(), {5, 70, 71, 3000});
  const std::uint64_t keys[] = {5, 6, 70, 3000, 3001, 0, ~std::uint64_t{0}};
  for (const std::uint64_t key : keys) ASSERT_TRUE(rig.run({key})) << rig.error();
  // EPIDs: clause 0 has 1-4 by slot, clause 1 has 5, clause 2 has 6-8.
  std::vector<std::uint64_t> epids;
  std::vector<std::string> names;
  for (const auto& record : rig.records()) {
    epids.push_back(word_at(record, 0, 4));
    if (epids.back() >= 6) names.emplace_back(reinterpret_cast<const char*>(record.data() + 8));
  }
  EXPECT_EQ(epids, (std::vector<std::uint64_t>{1, 2, 5, 6, 4, 8}));
  EXPECT_EQ(names, (std::vector<std::string>{"f2", "f4"}));
  EXPECT_EQ(rig.elements({MapKind::kAgg, 0}).size(), 3u);
}

TEST_F(GenerateRoot, SparseKeysAreSearched) {
  RIG(rig, R"(program
clause "all" {
  record { trace int4s }
  b0:
    %0 : u32 = builtin probeid
    emit %0
    return
}
)",
      running_machine(), {7, 100000, 0x7fffffff, 0x80000000, 0xfffffff0});
  for (const std::uint64_t key : {7u, 8u, 100000u, 0x80000000u, 0xfffffff0u, 0xffffffffu}) {
    ASSERT_TRUE(rig.run({key})) << rig.error();
  }
  std::vector<std::uint64_t> ids;
  for (const auto& record : rig.records()) ids.push_back(word_at(record, 8, 4));
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{1, 2, 4, 5}));
}

TEST_F(GenerateRoot, NothingRunsUnlessTracingIsActive) {
  RIG(rig, R"(program
var @0 global "n" : s64
clause "a" {
  b0:
    %0 : s64 = const 1
    atomic_add @0, %0
    %1 : s64 = const 7
    %2 : s64 = builtin arg0
    branch %2, b1, b2
  b1:
    exit %1
    return
  b2:
    return
}
)",
      running_machine());
  rig.set_state(State::kInactive);
  ASSERT_TRUE(rig.run({0}));
  EXPECT_EQ(word_at(rig.globals(), sizeof(Control), 8), 0u);
  rig.set_state(State::kActive);
  ASSERT_TRUE(rig.run({0, 0}));
  ASSERT_TRUE(rig.run({0, 1}));
  ASSERT_TRUE(rig.run({0, 0}));  // after exit() no more
  EXPECT_EQ(word_at(rig.globals(), sizeof(Control), 8), 2u);
  EXPECT_EQ(word_at(rig.globals(), 0, 4), static_cast<std::uint64_t>(State::kDraining));
  EXPECT_EQ(word_at(rig.globals(), 4, 4), 7u);
}

TEST_F(GenerateRoot, AFaultLeavesTheClauseAndErrorLearnsOfIt) {
  RIG(rig, R"(program
clause "a" {
  record { trace int8s }
  b0:
    %0 : s64 = builtin arg0
    %1 : s64 = load_kernel %0 #3
    emit %1
    return
}
clause "b" {
  record { trace int8s }
  b0:
    %0 : s64 = const 5
    emit %0
    return
}
clause "ERROR" {
  record { trace int8s, trace int8s, trace int8s, trace int8s, trace int8s }
  b0:
    %1 : s64 = builtin arg1
    %2 : s64 = builtin arg2
    %3 : s64 = builtin arg3
    %4 : s64 = builtin arg4
    %5 : s64 = builtin arg5
    emit %1, %2, %3, %4, %5
    return
}
)",
      running_machine());
  ASSERT_TRUE(rig.run({0, 0x10}));
  const auto records = rig.records();
  ASSERT_EQ(records.size(), 3u);
  const auto& sites = rig_code.plan.schema.fault_sites;
  ASSERT_EQ(sites.size(), 1u);
  EXPECT_EQ(sites[0].action, 3u);
  record::FaultRecord fault;
  ASSERT_EQ(records[0].size(), sizeof fault);
  std::memcpy(&fault, records[0].data(), sizeof fault);
  EXPECT_EQ(fault.header.epid, 1u);
  EXPECT_EQ(record::kind_of(fault.header), record::Kind::kFault);
  EXPECT_EQ(fault.site, 0u);
  EXPECT_EQ(fault.fault, static_cast<std::uint32_t>(record::Fault::kBadAddress));
  EXPECT_EQ(fault.address, 0x10u);
  EXPECT_EQ(word_at(records[1], 0, 4), 3u);   // ERROR's record
  EXPECT_EQ(word_at(records[1], 8, 8), 1u);   // EPID
  EXPECT_EQ(word_at(records[1], 16, 8), 3u);  // action
  EXPECT_EQ(word_at(records[1], 24, 8), sites[0].code_offset);
  EXPECT_GT(sites[0].code_offset, 0u);
  EXPECT_LT(sites[0].code_offset, rig_code.object.insns.size());
  EXPECT_EQ(word_at(records[1], 32, 8), 1u);
  EXPECT_EQ(word_at(records[1], 40, 8), 0x10u);
  EXPECT_EQ(word_at(records[2], 8, 8), 5u);  // the next clause went on
}

TEST_F(GenerateRoot, AFaultInErrorIsADoubleError) {
  RIG(rig, R"(program
clause "a" {
  b0:
    fault 3
    return
}
clause "ERROR" {
  b0:
    fault 3
    return
}
)",
      running_machine());
  ASSERT_TRUE(rig.run({0}));
  EXPECT_EQ(rig.drops(record::Drop::kDoubleError), 1u);
}

TEST_F(GenerateRoot, ThreadVariablesAndArraysBelongToTheirThread) {
  RIG(rig, R"(program
var @0 thread "t" : s64
var @1 thread "m" [str16] : str16
string $0 "key"
clause "only 0" {
  b0:
    %0 : s64 = builtin arg0
    store @0, %0
    %1 : str16 = string $0
    %2 : str16 = builtin execname
    store @1, %1, %2
    return
}
clause "only 1" {
  record { trace int8s, trace str16 }
  b0:
    %0 : s64 = load @0
    %1 : str16 = string $0
    %2 : str16 = load @1, %1
    emit %0, %2
    return
}
)",
      running_machine(), {1, 2});
  std::thread([&] { ASSERT_TRUE(rig.run({1, 42})); }).join();
  ASSERT_TRUE(rig.run({2}));
  ASSERT_TRUE(rig.run({1, 43}));
  ASSERT_TRUE(rig.run({2}));
  const auto records = rig.records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(word_at(records[0], 8, 8), 0u);
  EXPECT_EQ(records[0][16], 0);
  EXPECT_EQ(word_at(records[1], 8, 8), 43u);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(records[1].data() + 16)),
            std::string(program_invocation_short_name).substr(0, 15));
  EXPECT_EQ(rig.elements({MapKind::kAssoc, 1}).size(), 2u);
}

TEST_F(GenerateRoot, StoringZeroFreesAnElement) {
  RIG(rig, R"(program
var @0 global "m" [s32] : s64
var @1 global "s" [s32] : str32
clause "a" {
  b0:
    %0 : s64 = builtin arg0
    %1 : s64 = builtin arg1
    store @0, %0, %1
    %2 : s64 = builtin arg2
    %3 : str32 = copyinstr %2
    store @1, %0, %3
    return
}
)",
      running_machine());
  const char text[] = "text", empty[] = "";
  const auto address = [](const char* p) { return reinterpret_cast<std::uint64_t>(p); };
  ASSERT_TRUE(rig.run({0, 1, 5, address(text)}));
  ASSERT_TRUE(rig.run({0, 2, 5, address(text)}));
  EXPECT_EQ(rig.elements({MapKind::kAssoc, 0}).size(), 2u);
  EXPECT_EQ(rig.elements({MapKind::kAssoc, 1}).size(), 2u);
  ASSERT_TRUE(rig.run({0, 1, 0, address(empty)}));
  EXPECT_EQ(rig.elements({MapKind::kAssoc, 0}).size(), 1u);
  EXPECT_EQ(rig.elements({MapKind::kAssoc, 1}).size(), 1u);
}

TEST_F(GenerateRoot, FullTablesAndRingsCountTheirDrops) {
  const Generated g = generate_from(R"(program
var @0 global "m" [s64] : s64
agg @0 "_" count [int8s]
clause "a" {
  record { trace str64000 }
  b0:
    %0 : s64 = builtin arg0
    store @0, %0, %0
    aggregate @0, %0
    %1 : str64 = builtin probefunc
    emit %1
    return
}
)",
                                    running_machine());
  ASSERT_EQ(g.error, "");
  KernelRig rig(g.memory, g.program, 4);
  ASSERT_TRUE(rig.load(g.object)) << rig.error();
  for (std::uint64_t i = 1; i <= 40; ++i) ASSERT_TRUE(rig.run({0, i}));
  const std::size_t recorded = rig.records().size();
  EXPECT_GT(recorded, 10u);
  EXPECT_EQ(recorded + rig.drops(record::Drop::kPrincipal), 40u);
  EXPECT_EQ(rig.elements({MapKind::kAssoc, 0}).size() + rig.drops(record::Drop::kDynamic), 40u);
  std::uint64_t counted = 0;
  for (const auto& [key, value] : rig.elements({MapKind::kAgg, 0})) counted += merged(value, 1)[0];
  EXPECT_EQ(counted + rig.drops(record::Drop::kAggregation), 40u);
}

TEST_F(GenerateRoot, WithoutAFreeFrameTheFiringIsADrop) {
  RIG(rig, R"(program
clause "a" {
  record { trace str256 }
  b0:
    %0 : s64 = builtin arg0
    %1 : str256 = copyinstr %0
    emit %1
    return
}
)",
      running_machine());
  const char text[] = "a string";
  const auto address = reinterpret_cast<std::uint64_t>(text);
  rig.take_frames(kScratchLevels - 1);
  ASSERT_TRUE(rig.run({0, address}));
  EXPECT_EQ(rig.records().size(), 1u);
  rig.take_frames(kScratchLevels);
  ASSERT_TRUE(rig.run({0, address}));
  EXPECT_EQ(rig.records().size(), 0u);
  EXPECT_EQ(rig.drops(record::Drop::kNesting), 1u);
}

TEST_F(GenerateRoot, VtimestampIsTheTimeOnTheCpu) {
  Generated g = generate_from(R"(program
clause "a" {
  record { trace int8s }
  b0:
    %0 : u64 = builtin vtimestamp
    emit %0
    return
}
)",
                              running_machine());
  ASSERT_EQ(g.error, "");
  KernelRig rig(g.memory, g.program);
  const Result<Object> object = generate_vtime_switch(g.memory);
  ASSERT_TRUE(object.ok()) << object.error().text;
  ASSERT_TRUE(rig.load(*object)) << rig.error();
  const Fd link = rig.attach("sched_switch");
  ASSERT_TRUE(link.valid()) << rig.error();
  ASSERT_TRUE(rig.load(g.object)) << rig.error();
  const auto spin = [](std::int64_t ns) {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    const std::int64_t until = t.tv_sec * 1000000000 + t.tv_nsec + ns;
    while (t.tv_sec * 1000000000 + t.tv_nsec < until) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  };
  const auto now = [] {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec * 1000000000 + t.tv_nsec);
  };
  usleep(1000);  // switched out and in once
  const std::uint64_t begin = now();
  ASSERT_TRUE(rig.run({0}));
  usleep(50000);
  ASSERT_TRUE(rig.run({0}));
  const std::uint64_t woken = now();
  ASSERT_TRUE(rig.run({0}));
  spin(20000000);
  ASSERT_TRUE(rig.run({0}));
  const std::uint64_t end = now();
  const auto records = rig.records();
  ASSERT_EQ(records.size(), 4u);
  const std::uint64_t slept = word_at(records[1], 8, 8) - word_at(records[0], 8, 8);
  const std::uint64_t spun = word_at(records[3], 8, 8) - word_at(records[2], 8, 8);
  // However long it took: without the time asleep, but for that between the timer's start and the
  // switch; and with all the time that the processor was used, give or take how the clocks differ.
  EXPECT_LE(slept + 40000000u, woken - begin);
  EXPECT_GE(spun, 19000000u);
  EXPECT_LE(spun, end - woken);
}

}  // namespace
}  // namespace dt::bpf
