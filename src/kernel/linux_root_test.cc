// LinuxKernel on the running kernel.

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <thread>

#include "kernel/features.h"
#include "kernel/insn.h"
#include "kernel/kernel.h"

namespace dt::kernel {
namespace {

constexpr std::int32_t kRingOutput = 130;
constexpr std::int32_t kTaskStorageGet = 156;
constexpr std::int32_t kGetCurrentTaskBtf = 158;

using Insns = std::vector<bpf_insn>;

void append(Insns& to, std::initializer_list<bpf_insn> insns) {
  to.insert(to.end(), insns.begin(), insns.end());
}
void append(Insns& to, const std::array<bpf_insn, 2>& insns) {
  to.insert(to.end(), insns.begin(), insns.end());
}

MapSpec map_spec(bpf_map_type type, std::uint32_t key, std::uint32_t value, std::uint32_t entries,
                 std::uint32_t flags = 0) {
  return {"dt_test", type, key, value, entries, flags};
}

ProgramSpec program_spec(bpf_prog_type type = BPF_PROG_TYPE_RAW_TRACEPOINT) {
  ProgramSpec spec;
  spec.name = "dt_test";
  spec.type = type;
  return spec;
}

// Waits for a condition with a bound of ten seconds.
template <typename Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

class LinuxKernelTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "needs root";
    }
    kernel_ = linux_kernel();
    const Status maps = try_feature(*kernel_, Feature::kArrayMaps);
    if (!maps.ok()) {
      GTEST_SKIP() << maps.error().text;
    }
  }
  Fd map(const MapSpec& spec) {
    Result<Fd> made = kernel_->create_map(spec);
    EXPECT_TRUE(made.ok()) << made.error().text;
    return std::move(made).value();
  }
  Fd load(const Insns& insns, bpf_prog_type type = BPF_PROG_TYPE_RAW_TRACEPOINT) {
    Result<Fd> made = kernel_->load_program(program_spec(type), insns, true);
    EXPECT_TRUE(made.ok()) << made.error().text << "\n" << made.error().log;
    return std::move(made).value();
  }
  // A program that adds 1 to the word at the start of an array's value.
  Fd counter(const Fd& array, bpf_prog_type type = BPF_PROG_TYPE_RAW_TRACEPOINT) {
    Insns insns;
    append(insns, insn::map_value(1, array.get(), 0));
    append(insns, {insn::mov_imm(2, 1), insn::atomic(BPF_DW, BPF_ADD, 1, 0, 2), insn::mov_imm(0, 0),
                   insn::exit()});
    return load(insns, type);
  }
  std::unique_ptr<Kernel> kernel_;
};

TEST_F(LinuxKernelTest, HasEveryRequiredFeature) {
  for (const FeatureReport& report : try_all_features(*kernel_)) {
    EXPECT_TRUE(report.present || !report.required) << report.name << ": " << report.reason;
    EXPECT_EQ(report.present, report.reason.empty()) << report.name;
    if (!report.present) {
      std::printf("missing: %s (%s)\n", report.name.c_str(), report.reason.c_str());
    }
  }
}

TEST_F(LinuxKernelTest, SharesMemoryWithPrograms) {
  const Fd array = map(map_spec(BPF_MAP_TYPE_ARRAY, 4, 64, 1, BPF_F_MMAPABLE));
  const Kernel::Mapping memory = kernel_->map_memory(array, 64).value();
  const Fd program = counter(array);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(kernel_->run(program, {}, -1).ok());
  }
  std::uint64_t count = 0;
  std::memcpy(&count, memory.data, sizeof count);
  EXPECT_EQ(count, 5U);
}

TEST_F(LinuxKernelTest, RefusesToChangeAFrozenMap) {
  const Fd array = map(map_spec(BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_RDONLY_PROG));
  const std::uint32_t key = 0;
  std::uint64_t value = 7;
  ASSERT_TRUE(kernel_->update(array, &key, &value).ok());
  ASSERT_TRUE(kernel_->freeze_map(array).ok());
  EXPECT_EQ(kernel_->update(array, &key, &value).error().text,
            "bpf(BPF_MAP_UPDATE_ELEM): Operation not permitted");
}

TEST_F(LinuxKernelTest, VisitsEveryElementOnceAndDeletesThem) {
  const MapSpec spec = map_spec(BPF_MAP_TYPE_HASH, 16, 12, 50'000, BPF_F_NO_PREALLOC);
  const Fd hash = map(spec);
  constexpr std::uint64_t kElements = 20'000;  // more than one batch
  for (std::uint64_t i = 0; i < kElements; ++i) {
    const std::array<std::uint64_t, 2> key = {i, ~i};
    const std::array<std::uint64_t, 2> value = {i * 100, 0};
    // Elements come out of memory that the kernel refills a little later.
    Status added = kernel_->update(hash, key.data(), value.data());
    for (int tries = 0; !added.ok() && added.error().code == ENOMEM && tries < 100; ++tries) {
      ::usleep(1000);
      added = kernel_->update(hash, key.data(), value.data());
    }
    ASSERT_TRUE(added.ok()) << added.error().text;
  }
  std::map<std::uint64_t, int> seen;
  std::vector<std::uint8_t> keys;
  const Status walked =
      kernel_->for_each(hash, spec, [&](const std::uint8_t* key, const std::uint8_t* value) {
        std::uint64_t number = 0;
        std::memcpy(&number, key, sizeof number);
        ++seen[number];
        std::uint64_t word = 0;
        std::memcpy(&word, value, sizeof word);
        ASSERT_EQ(word, number * 100);
        keys.insert(keys.end(), key, key + 16);
      });
  ASSERT_TRUE(walked.ok()) << walked.error().text;
  EXPECT_EQ(seen.size(), kElements);
  for (const auto& [number, times] : seen) {
    ASSERT_EQ(times, 1) << number;
  }
  // A key that is gone already does not end the deletion.
  ASSERT_TRUE(kernel_->erase(hash, keys.data() + 16 * 5).ok());
  ASSERT_TRUE(kernel_->erase_all(hash, spec, keys).ok());
  std::size_t left = 0;
  ASSERT_TRUE(
      kernel_->for_each(hash, spec, [&](const std::uint8_t*, const std::uint8_t*) { ++left; })
          .ok());
  EXPECT_EQ(left, 0U);
}

TEST_F(LinuxKernelTest, VisitsABucketThatIsLargerThanABatch) {
  // One bucket holds everything when the table has one entry's worth of them;
  // values of 16 KB keep the batch at its minimum of 64.
  const MapSpec spec = map_spec(BPF_MAP_TYPE_HASH, 8, 32 << 10, 300, BPF_F_NO_PREALLOC);
  const Fd hash = map(spec);
  std::vector<std::uint8_t> value(spec.value_bytes);
  for (std::uint64_t key = 0; key < 300; ++key) {
    ASSERT_TRUE(kernel_->update(hash, &key, value.data()).ok());
  }
  std::size_t seen = 0;
  ASSERT_TRUE(
      kernel_->for_each(hash, spec, [&](const std::uint8_t*, const std::uint8_t*) { ++seen; })
          .ok());
  EXPECT_EQ(seen, 300U);
}

TEST_F(LinuxKernelTest, WalksByKeyWhereThereAreNoBatches) {
  // An array of programs has no batches; its elements read as program ids.
  const MapSpec spec = map_spec(BPF_MAP_TYPE_PROG_ARRAY, 4, 4, 16);
  const Fd programs = map(spec);
  const Fd program = load({insn::mov_imm(0, 0), insn::exit()});
  const int fd = program.get();
  for (const std::uint32_t key : {2U, 3U, 11U}) {
    ASSERT_TRUE(kernel_->update(programs, &key, &fd).ok());
  }
  std::vector<std::uint32_t> keys;
  const Status status =
      kernel_->for_each(programs, spec, [&](const std::uint8_t* key, const std::uint8_t*) {
        std::uint32_t number = 0;
        std::memcpy(&number, key, sizeof number);
        keys.push_back(number);
      });
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_EQ(keys, (std::vector<std::uint32_t>{2, 3, 11}));
}

TEST_F(LinuxKernelTest, KeepsStoragePerTask) {
  MapSpec spec = map_spec(BPF_MAP_TYPE_TASK_STORAGE, 4, 24, 0, BPF_F_NO_PREALLOC);
  const Fd storage = map(spec);
  // Returns the number of times that this task has run the program.
  Insns insns;
  append(insns, {insn::call(kGetCurrentTaskBtf), insn::mov(2, 0)});
  append(insns, insn::map_fd(1, storage.get()));
  append(insns, {insn::mov_imm(3, 0), insn::mov_imm(4, BPF_LOCAL_STORAGE_GET_F_CREATE),
                 insn::call(kTaskStorageGet), insn::jump_imm(BPF_JNE, 0, 0, 2),
                 insn::mov_imm(0, -1), insn::exit(), insn::mov(1, 0), insn::load(BPF_DW, 0, 1, 16),
                 insn::alu_imm(BPF_ADD, 0, 1), insn::store(BPF_DW, 1, 16, 0), insn::exit()});
  const Fd program = load(insns);
  EXPECT_EQ(kernel_->run(program, {}, -1)->return_value, 1U);
  EXPECT_EQ(kernel_->run(program, {}, -1)->return_value, 2U);
  std::uint32_t other = 0;
  std::thread([&] { other = kernel_->run(program, {}, -1)->return_value; }).join();
  EXPECT_EQ(other, 1U);
}

// main: a buffer of 16 bytes and the number 5 go to a function, which stores the
// number at offset 8; from there main returns it.
Insns call_with_memory(bool tests_pointer) {
  Insns insns;
  append(insns, {insn::store_imm(BPF_DW, 10, -16, 0), insn::store_imm(BPF_DW, 10, -8, 0),
                 insn::mov(1, 10), insn::alu_imm(BPF_ADD, 1, -16), insn::mov_imm(2, 5),
                 insn::make(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 2),
                 insn::load(BPF_DW, 0, 10, -8), insn::exit()});
  if (tests_pointer) {
    append(insns, {insn::jump_imm(BPF_JNE, 1, 0, 2), insn::mov_imm(0, 0), insn::exit()});
  }
  append(insns, {insn::store(BPF_DW, 1, 8, 2), insn::mov_imm(0, 0), insn::exit()});
  return insns;
}

TEST_F(LinuxKernelTest, VerifiesGlobalFunctionsByTheirParametersAlone) {
  ProgramSpec spec = program_spec();
  const std::vector<Parameter> parameters = {{Parameter::Kind::kMemory, 16}, {}};
  spec.functions = {{.insn = 0, .name = {}}, {8, "put", true, parameters}};
  const auto program = kernel_->load_program(spec, call_with_memory(true), true);
  ASSERT_TRUE(program.ok()) << program.error().text << program.error().log;
  EXPECT_EQ(kernel_->run(*program, {}, -1)->return_value, 5U);
  // Followed from its call, the function is seen to get a pointer that is not NULL.
  const auto followed = kernel_->load_program(program_spec(), call_with_memory(false), true);
  EXPECT_TRUE(followed.ok()) << followed.error().text;
  const auto refused = kernel_->load_program(spec, call_with_memory(false), true);
  EXPECT_FALSE(refused.ok());
}

TEST_F(LinuxKernelTest, SaysWhyTheVerifierRefused) {
  const Insns insns = {insn::load(BPF_DW, 0, 1, 2000), insn::exit()};
  const auto refused = kernel_->load_program(program_spec(), insns, true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text.find(
                "bpf(BPF_PROG_LOAD) of 'dt_test': the verifier refused the program: "),
            0U)
      << refused.error().text;
  EXPECT_NE(refused.error().log.find("processed"), std::string::npos);
  EXPECT_EQ(refused.error().code, EINVAL);
  EXPECT_EQ(kernel_->load_program(program_spec(), insns, false).error().log, "");
}

TEST_F(LinuxKernelTest, SaysWhichPrivilegeIsMissing) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::setuid(65534) != 0) {
      ::_exit(1);
    }
    const Insns insns = {insn::mov_imm(0, 0), insn::exit()};
    const auto refused = kernel_->load_program(program_spec(), insns, true);
    const std::string text =
        refused.ok() ? "allowed" : refused.error().text + " | " + refused.error().remedy;
    ::_exit(::write(ends[1], text.data(), text.size()) > 0 ? 0 : 1);
  }
  std::array<char, 512> text = {};
  EXPECT_GT(::read(ends[0], text.data(), text.size() - 1), 0);
  ::waitpid(pid, nullptr, 0);
  EXPECT_STREQ(text.data(),
               "bpf(BPF_PROG_LOAD) of 'dt_test': Operation not permitted | this process lacks "
               "CAP_BPF and CAP_PERFMON (CAP_SYS_ADMIN includes both); run it as root");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(LinuxKernelTest, PassesArgumentsAndRunsOnAChosenCpu) {
  constexpr std::int32_t kGetSmpProcessorId = 8;
  const Fd sum = load({insn::load(BPF_DW, 0, 1, 0), insn::load(BPF_DW, 2, 1, 8),
                       insn::make(BPF_ALU64 | BPF_ADD | BPF_X, 0, 2, 0, 0), insn::exit()});
  const std::array<std::uint64_t, 2> args = {30, 12};
  EXPECT_EQ(kernel_->run(sum, args, -1)->return_value, 42U);
  const Fd where = load({insn::call(kGetSmpProcessorId), insn::exit()});
  for (const int cpu : kernel_->online_cpus()) {
    EXPECT_EQ(kernel_->run(where, {}, cpu)->return_value, static_cast<std::uint32_t>(cpu));
  }
}

TEST_F(LinuxKernelTest, AttachesToARawTracepoint) {
  const Fd array = map(map_spec(BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_MMAPABLE));
  const Kernel::Mapping memory = kernel_->map_memory(array, 8).value();
  const auto* const count = reinterpret_cast<const std::uint64_t*>(memory.data);
  const Fd program = counter(array);
  {
    const auto link = kernel_->attach_raw_tracepoint("sys_enter", program);
    ASSERT_TRUE(link.ok()) << link.error().text;
    const std::uint64_t before = __atomic_load_n(count, __ATOMIC_RELAXED);
    for (int i = 0; i < 100; ++i) {
      ::syscall(SYS_getppid);
    }
    EXPECT_GE(__atomic_load_n(count, __ATOMIC_RELAXED) - before, 100U);
  }
  EXPECT_EQ(kernel_->missed_firings(program).value(), 0U);
  const auto missing = kernel_->attach_raw_tracepoint("no_such_point", program);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().text,
            "bpf(BPF_RAW_TRACEPOINT_OPEN) of 'no_such_point': No such file or directory");
  EXPECT_EQ(missing.error().remedy, "this kernel has no such tracepoint");
}

TEST_F(LinuxKernelTest, SamplesEachCpuClock) {
  const Fd array = map(map_spec(BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_MMAPABLE));
  const Kernel::Mapping memory = kernel_->map_memory(array, 8).value();
  const auto* const count = reinterpret_cast<const std::uint64_t*>(memory.data);
  const Fd program = counter(array, BPF_PROG_TYPE_PERF_EVENT);
  std::vector<Fd> events;
  for (const int cpu : kernel_->online_cpus()) {
    auto event = kernel_->attach_cpu_clock(cpu, 0, 997, program);
    ASSERT_TRUE(event.ok()) << event.error().text;
    events.push_back(std::move(event).value());
  }
  // Busy: the clock of an idle CPU may stand still.
  const bool fired = eventually([&] {
    for (int i = 0; i < 100'000; ++i) {
      ::syscall(SYS_getppid);
    }
    return __atomic_load_n(count, __ATOMIC_RELAXED) >= 5;
  });
  EXPECT_TRUE(fired);
  const auto absent = kernel_->attach_cpu_clock(60'000, 1'000'000, 0, program);
  EXPECT_FALSE(absent.ok());
}

TEST_F(LinuxKernelTest, WaitsForRunningPrograms) {
  for (int i = 0; i < 3; ++i) {
    const Status status = kernel_->wait_grace_period();
    ASSERT_TRUE(status.ok()) << status.error().text;
  }
}

// Records numbers into a ring from a thread and checks that each arrives once,
// in order; then measures the reader alone on a full ring.
TEST_F(LinuxKernelTest, ReadsTheRingInOrder) {
  constexpr std::uint32_t kRingBytes = 16 << 20;
  const Fd ring_map = map(map_spec(BPF_MAP_TYPE_RINGBUF, 0, 0, kRingBytes));
  const Fd array = map(map_spec(BPF_MAP_TYPE_ARRAY, 4, 16, 1, BPF_F_MMAPABLE));
  const Kernel::Mapping memory = kernel_->map_memory(array, 16).value();
  const auto* const numbers = reinterpret_cast<const std::uint64_t*>(memory.data);
  // 4096 times: ring_output(number++), counting failures behind it.
  Insns insns;
  append(insns, insn::map_value(6, array.get(), 0));
  append(insns,
         {insn::mov_imm(7, 4096), insn::load(BPF_DW, 1, 6, 0), insn::store(BPF_DW, 10, -8, 1)});
  append(insns, insn::map_fd(1, ring_map.get()));
  append(insns, {insn::mov(2, 10), insn::alu_imm(BPF_ADD, 2, -8), insn::mov_imm(3, 8),
                 insn::mov_imm(4, BPF_RB_NO_WAKEUP), insn::call(kRingOutput),
                 insn::jump_imm(BPF_JEQ, 0, 0, 3), insn::mov_imm(1, 1),
                 insn::atomic(BPF_DW, BPF_ADD, 6, 8, 1), insn::jump(2), insn::mov_imm(1, 1),
                 insn::atomic(BPF_DW, BPF_ADD, 6, 0, 1), insn::alu_imm(BPF_SUB, 7, 1),
                 insn::jump_imm(BPF_JNE, 7, 0, -17), insn::mov_imm(0, 0), insn::exit()});
  const Fd program = load(insns);
  auto ring = kernel_->open_ring(ring_map, kRingBytes);
  ASSERT_TRUE(ring.ok()) << ring.error().text;

  std::uint64_t next = 0;
  std::uint64_t wrong = 0;
  const auto visit = [&](std::span<const std::uint8_t> record) {
    std::uint64_t number = 0;
    std::memcpy(&number, record.data(), sizeof number);
    wrong += number == next ? 0U : 1U;
    ++next;
  };
  constexpr int kRuns = 1500;  // 6 million records, through several rounds of the ring
  std::thread writer([&] {
    for (int i = 0; i < kRuns; ++i) {
      EXPECT_TRUE(kernel_->run(program, {}, -1).ok());
    }
  });
  std::uint64_t written = 0;
  const bool all = eventually([&] {
    (*ring)->consume(visit);
    written = __atomic_load_n(numbers, __ATOMIC_ACQUIRE);
    return written + __atomic_load_n(numbers + 1, __ATOMIC_ACQUIRE) == kRuns * 4096ULL;
  });
  writer.join();
  while ((*ring)->consume(visit) > 0) {
  }
  EXPECT_TRUE(all);
  EXPECT_EQ(next, written);
  EXPECT_EQ(wrong, 0U);

  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(kernel_->run(program, {}, -1).ok());
  }
  const std::uint64_t start = next;
  while ((*ring)->consume(visit) > 0) {
  }
  EXPECT_GT(next, start);
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace dt::kernel
