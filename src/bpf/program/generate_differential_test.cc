// Random programs: generated code, run by the BPF interpreter, does what the
// IR interpreter says.

#include <gtest/gtest.h>

#include <cstring>

#include "bpf/program/generate_test.h"
#include "bpf/program/snapshot_test.h"
#include "enabling/plan.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "testing/bpf/interp.h"
#include "testing/ir/random_program.h"
#include "testing/ir/table_environment.h"

namespace dt::bpf {
namespace {

constexpr std::uint64_t kSeeds = 500;
constexpr std::int32_t kComm = 64;  // where the model's task_struct has its name
constexpr std::int32_t kIds = 96;   // and its pid and tgid

struct Model {
  explicit Model(const Generated& g) : world(g.memory) {
    world.cpus = g.memory.machine.cpus;
    world.cpu = 1;
    std::vector<std::uint8_t> task(256, 0);
    std::memcpy(task.data() + kComm, "hello", 5);
    std::memcpy(task.data() + kComm + 8, "old", 3);  // left from a longer name
    const std::uint32_t ids[] = {101, 100};
    std::memcpy(task.data() + kIds, ids, sizeof ids);
    world.kernel_memory[world.task.task_struct] = task;
    world.task.comm = "hello";
    const auto state = static_cast<std::uint32_t>(State::kActive);
    std::memcpy(world.value({MapKind::kGlobals, 0})->data(), &state, 4);
  }
  World world;

  Snapshot snapshot(const Generated& g) {
    Snapshot s;
    s.globals = *world.value({MapKind::kGlobals, 0});
    for (std::uint32_t i = 0; i < g.program.aggregations.size(); ++i) {
      const record::AggLayout& agg = g.program.aggregations[i];
      s.keyless.emplace_back();
      if (agg.key_bytes == 0) {
        s.keyless[i].resize(agg.value_words + 1);
        std::memcpy(s.keyless[i].data(),
                    world.value({MapKind::kPercpu, 0})->data() + g.memory.percpu_stride +
                        g.memory.agg_offset[i],
                    s.keyless[i].size() * 8);
      } else {
        s.aggs[i] = elements({MapKind::kAgg, i});
      }
    }
    for (std::uint32_t i = 0; i < g.program.variables.size(); ++i) {
      if (!g.program.variables[i].keys.empty()) s.assocs[i] = elements({MapKind::kAssoc, i});
    }
    if (ModelMap* tls = world.map({MapKind::kTls, 0}); tls != nullptr && !tls->values.empty()) {
      s.tls = *world.value({MapKind::kTls, 0}, tls->values.begin()->first);
    }
    return s;
  }

  Elements elements(MapRef ref) {
    Elements all;
    for (const auto& [key, address] : world.map(ref)->values) {
      const std::vector<std::uint8_t>& bytes = *world.memory.bytes(address);
      all[key].resize(bytes.size() / 8);
      std::memcpy(all[key].data(), bytes.data(), bytes.size());
    }
    return all;
  }
};

ir::TableEnvironment environment(const ir::RandomOptions& options, const World& world,
                                 std::uint64_t round) {
  ir::TableEnvironment env;
  for (std::size_t i = 0; i < env.arguments.size(); ++i) {
    const std::int64_t values[] = {0, 1, -1, 5, INT64_MIN, 0x123456789};
    env.arguments[i] = values[(round + i) % std::size(values)];
  }
  env.integers = {{ir::Builtin::kPid, 100},
                  {ir::Builtin::kTid, 101},
                  {ir::Builtin::kUid, 10},
                  {ir::Builtin::kCpu, 1},
                  {ir::Builtin::kTimestamp, static_cast<std::int64_t>(world.now_ns)},
                  {ir::Builtin::kProbeId, 1}};
  env.texts = {{ir::Builtin::kExecname, "hello"}};
  ir::Bytes memory(options.memory_size);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory[i] = static_cast<std::uint8_t>(i % 11 == 0 ? 0 : 0x5d + 37 * i);
  }
  env.kernel = {{options.kernel_base, memory}};
  env.user = {{options.user_base, memory}};
  return env;
}

std::vector<std::uint8_t> context_of(const ir::TableEnvironment& env) {
  std::vector<std::uint8_t> context(kContextWords * 8, 0);
  std::memcpy(context.data() + 8, env.arguments.data(), env.arguments.size() * 8);
  return context;
}

// The records of a firing with the faults among them, in order of time, as text.
std::string recorded_by(const ir::Firing& firing) {
  std::string text;
  for (const ir::Bytes& record : firing.records) text += "record " + as_text(record) + "\n";
  for (const ir::FaultEvent& f : firing.faults) {
    text += fmt::format("fault {} of {} at {:x} in action {}\n", static_cast<int>(f.fault), f.epid,
                        f.address, f.action);
  }
  return text;
}

std::string recorded_by(const Generated& g, ModelMap* ring) {
  if (ring == nullptr) return "";
  std::string records, faults;
  std::set<std::uint16_t> numbers;
  for (const RingRecord& record : ring->records) {
    record::Header header;
    std::memcpy(&header, record.bytes.data(), sizeof header);
    numbers.insert(record::firing_of(header));
    if (record::kind_of(header) == record::Kind::kClause) {
      records += "record " + as_text(without_firing(record.bytes)) + "\n";
      continue;
    }
    record::FaultRecord f;
    std::memcpy(&f, record.bytes.data(), sizeof f);
    faults += fmt::format("fault {} of {} at {:x} in action {}\n", f.fault, header.epid, f.address,
                          g.plan.schema.fault_sites[f.site].action);
  }
  EXPECT_LE(numbers.size(), 1U) << "the records of one firing have one number";
  EXPECT_TRUE(ring->records.size() < 2 || !numbers.contains(0)) << listing(g);
  ring->records.clear();
  return records + faults;
}

void check_seed(std::uint64_t seed, const ir::RandomOptions& options, const Limits& limits = {}) {
  ir::Program program = ir::random_program(seed, options);
  if (seed % 2 == 0) ir::optimize(program);
  Machine machine;
  machine.cpus = seed % 3 == 0 ? 4 : 2;
  if (seed % 4 != 0) machine.task_comm = kComm;
  if (seed % 5 != 0) {
    machine.task_pid = kIds;
    machine.task_tgid = kIds + 4;
  }
  if (seed % 3 == 1) machine.words = {.cast = 70, .type = 71};
  const Generated g = generate_from(program, machine, {0}, limits);
  ASSERT_EQ(g.error, "") << seed;
  Model model(g);
  ir::State state;
  for (std::uint64_t round = 0; round < 3; ++round) {
    ir::TableEnvironment env = environment(options, model.world, round);
    model.world.kernel_memory[options.kernel_base] = env.kernel.begin()->second;
    model.world.user_memory[options.user_base] = env.user.begin()->second;
    std::vector<ir::ClauseEpid> clauses;
    for (const enabling::ClauseBinding& binding : g.plan.programs[0].clauses) {
      clauses.push_back({binding.clause, binding.epid(0), binding.stride});
    }
    const ir::Firing want = ir::interpret(g.program, clauses, env, state);
    std::vector<std::uint8_t> context = context_of(env);
    const RunResult result = run(g.object, model.world, context);
    const std::string where = fmt::format("seed {} round {}\n{}", seed, round, ir::print(program));
    ASSERT_EQ(result.error, "") << where << listing(g);
    ASSERT_EQ(recorded_by(g, model.world.map({MapKind::kRing, 0})), recorded_by(want))
        << where << listing(g);
    ASSERT_EQ(difference(g.program, g.memory, state, model.snapshot(g)), "") << where << listing(g);
  }
}

TEST(GenerateDifferential, GeneratedCodeDoesWhatTheProgramSays) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    check_seed(seed,
               {.clauses = 1 + static_cast<std::uint32_t>(seed % 5), .faults = seed % 2 == 0});
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(GenerateDifferential, ClausesInFunctionsOfTheirOwnAgreeToo) {
  for (std::uint64_t seed = 1; seed <= kSeeds / 2; ++seed) {
    const auto clauses = 2 + static_cast<std::uint32_t>(seed % 5);
    check_seed(seed + 200000, {.clauses = clauses, .faults = seed % 2 == 0}, kDivided);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Of a text of which only strlen() asks, not one byte is looked at.
TEST(GenerateDifferential, TheLengthOfATextThatMayBeMissingIsKnown) {
  check_seed(703832, {.clauses = 4, .faults = true}, kDivided);
}

TEST(GenerateDifferential, LongClausesWithManyLiveValuesAgreeToo) {
  for (std::uint64_t seed = 1; seed <= kSeeds / 20; ++seed) {
    check_seed(seed + 100000, {.clauses = 2, .steps = 40, .faults = true});
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dt::bpf
