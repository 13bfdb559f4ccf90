// Random programs in the running kernel: the verifier takes every one of them,
// and they do what the IR interpreter says.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>

#include "bpf/program/generate_test.h"
#include "bpf/program/kernel_rig_test.h"
#include "bpf/program/snapshot_test.h"
#include "enabling/plan.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "testing/ir/random_program.h"
#include "testing/ir/table_environment.h"

namespace dt::bpf {
namespace {

// Guests are emulated, and see random scripts besides.
const std::uint64_t kSeeds = std::getenv("DT_GUEST") != nullptr ? 37 : 150;
constexpr int kTries = 3;
constexpr std::uint32_t kReadable = 64;

class RandomRoot : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = why_no_bpf();
    if (!why.empty()) GTEST_SKIP() << why;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(0, &cpus);
    ASSERT_EQ(sched_setaffinity(0, sizeof cpus, &cpus), 0);
    prctl(PR_GET_NAME, name_);
    prctl(PR_SET_NAME, "hello");
    // Readable memory up to the end of a page with nothing behind it.
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* pages =
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    auto* bytes = static_cast<std::uint8_t*>(pages);
    ASSERT_EQ(munmap(bytes + page, page), 0);
    for (std::size_t i = 0; i < kReadable; ++i) {
      memory_.push_back(static_cast<std::uint8_t>(i % 11 == 0 ? 0 : 0x5d + 37 * i));
      bytes[page - kReadable + i] = memory_.back();
    }
    user_base_ = reinterpret_cast<std::uint64_t>(bytes + page - kReadable);
  }
  void TearDown() override {
    if (name_[0] != 0) prctl(PR_SET_NAME, name_);
  }

  ir::TableEnvironment environment(std::uint64_t round) {
    ir::TableEnvironment env;
    for (std::size_t i = 0; i < env.arguments.size(); ++i) {
      const std::int64_t values[] = {0, 1, -1, 5, INT64_MIN, 0x123456789};
      env.arguments[i] = values[(round + i) % std::size(values)];
    }
    env.integers = {{ir::Builtin::kPid, getpid()},
                    {ir::Builtin::kTid, gettid()},
                    {ir::Builtin::kUid, getuid()},
                    {ir::Builtin::kCpu, 0},
                    {ir::Builtin::kProbeId, 1}};
    env.texts = {{ir::Builtin::kExecname, "hello"}};
    env.user = {{user_base_, memory_}};
    return env;
  }

  void check(std::uint64_t seed, const ir::RandomOptions& options, const Limits& limits = {});
  void check_once(std::uint64_t seed, ir::RandomOptions options, const Limits& limits);

  char name_[16] = "";
  ir::Bytes memory_;
  std::uint64_t user_base_ = 0;
  bool was_dropped_ = false;
};

Snapshot snapshot_of(const Generated& g, const KernelRig& rig) {
  Snapshot s;
  s.globals = rig.globals();
  for (std::uint32_t i = 0; i < g.program.aggregations.size(); ++i) {
    const record::AggLayout& agg = g.program.aggregations[i];
    s.keyless.push_back(agg.key_bytes == 0 ? rig.keyless(i, agg.value_words + 1)
                                           : std::vector<std::uint64_t>{});
    if (agg.key_bytes != 0) s.aggs[i] = rig.elements({MapKind::kAgg, i});
  }
  for (std::uint32_t i = 0; i < g.program.variables.size(); ++i) {
    if (!g.program.variables[i].keys.empty()) s.assocs[i] = rig.elements({MapKind::kAssoc, i});
  }
  s.tls = rig.thread_storage();
  return s;
}

// Under load the kernel may refuse memory for a moment, to thread-local storage
// for one; that is counted as a drop, and the program is tried again.
void RandomRoot::check(std::uint64_t seed, const ir::RandomOptions& options, const Limits& limits) {
  for (int tries = 0; tries < kTries; ++tries) {
    was_dropped_ = false;
    check_once(seed, options, limits);
    if (HasFatalFailure() || !was_dropped_) return;
  }
  FAIL() << "seed " << seed << " drops each time";
}

void RandomRoot::check_once(std::uint64_t seed, ir::RandomOptions options, const Limits& limits) {
  options.user_base = user_base_;
  ir::Program program = ir::random_program(seed, options);
  for (ir::EcbDesc& clause : program.clauses) {
    for (ir::Block& block : clause.body.blocks) {
      for (ir::Inst& inst : block.insts) {
        if (inst.op == ir::Op::kBuiltin && inst.builtin == ir::Builtin::kTimestamp) {
          inst.builtin = ir::Builtin::kUid;  // the clock's answer cannot be foretold
        }
      }
    }
  }
  if (seed % 2 == 0) ir::optimize(program);
  const Generated g = generate_from(program, running_machine(), {0}, limits);
  ASSERT_EQ(g.error, "") << seed;
  KernelRig rig(g.memory, g.program);
  ASSERT_TRUE(rig.load(g.object)) << "seed " << seed << "\n" << rig.error();
  ir::State state;
  for (std::uint64_t round = 0; round < 3; ++round) {
    ir::TableEnvironment env = environment(round);
    std::vector<ir::ClauseEpid> clauses;
    for (const enabling::ClauseBinding& binding : g.plan.programs[0].clauses) {
      clauses.push_back({binding.clause, binding.epid(0), binding.stride});
    }
    const ir::Firing want = ir::interpret(g.program, clauses, env, state);
    std::vector<std::uint64_t> words = {0};
    for (const std::int64_t arg : env.arguments) words.push_back(static_cast<std::uint64_t>(arg));
    ASSERT_TRUE(rig.run(words)) << rig.error();
    for (std::uint32_t i = 0; i < record::kDropCounters; ++i) {
      was_dropped_ |= rig.drops(static_cast<record::Drop>(i)) > 0;
    }
    if (was_dropped_) return;
    const std::string where = fmt::format("seed {} round {}\n{}", seed, round, ir::print(program));
    std::vector<ir::Bytes> records;
    std::size_t faults = 0;
    for (const ir::Bytes& record : rig.records()) {
      if (is_clause_record(record))
        records.push_back(without_firing(record));
      else
        ++faults;
    }
    ASSERT_EQ(records, want.records) << where << listing(g);
    ASSERT_EQ(faults, want.faults.size()) << where << listing(g);
    ASSERT_EQ(difference(g.program, g.memory, state, snapshot_of(g, rig)), "")
        << where << listing(g);
    ASSERT_EQ(rig.busy_frames(), 0u) << where << listing(g);
  }
}

TEST_F(RandomRoot, TheKernelRunsRandomProgramsAsTheyAreMeant) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    check(seed, {.clauses = 1 + static_cast<std::uint32_t>(seed % 5), .faults = seed % 2 == 0});
    if (HasFatalFailure()) return;
  }
}

TEST_F(RandomRoot, TheKernelRunsClausesInFunctionsOfTheirOwn) {
  for (std::uint64_t seed = 1; seed <= kSeeds / 2; ++seed) {
    const auto clauses = 2 + static_cast<std::uint32_t>(seed % 5);
    check(seed + 20000, {.clauses = clauses, .faults = seed % 2 == 0}, kDivided);
    if (HasFatalFailure()) return;
  }
}

TEST_F(RandomRoot, TheKernelTakesLongClausesToo) {
  for (std::uint64_t seed = 1; seed <= kSeeds / 10; ++seed) {
    check(seed + 5000, {.clauses = 3, .steps = 20, .faults = true});
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dt::bpf
