// Random programs: passes and fusing do not change what they do.

#include <gtest/gtest.h>

#include "ir/interpret.h"
#include "ir/parse.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "testing/ir/random_program.h"
#include "testing/ir/table_environment.h"

namespace dt::ir {
namespace {

constexpr std::uint64_t kSeeds = 700;

TableEnvironment environment(const RandomOptions& options, std::uint64_t seed) {
  TableEnvironment env;
  for (std::size_t i = 0; i < env.arguments.size(); ++i) {
    const std::int64_t values[] = {0, 1, -1, 5, INT64_MIN, 0x123456789};
    env.arguments[i] = values[(seed + i) % std::size(values)];
  }
  env.integers = {{Builtin::kPid, 77},
                  {Builtin::kTid, 78},
                  {Builtin::kUid, 1000},
                  {Builtin::kCpu, 3},
                  {Builtin::kTimestamp, 123456789},
                  {Builtin::kProbeId, 12}};
  env.texts = {{Builtin::kExecname, "a"}};
  Bytes memory(options.memory_size);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory[i] = static_cast<std::uint8_t>(i % 11 == 0 ? 0 : 0x5d + 37 * i);
  }
  env.kernel = {{options.kernel_base, memory}};
  env.user = {{options.user_base, memory}};
  return env;
}

// Two firings after one another, so that state is carried over.
struct Observed {
  std::vector<Firing> firings;
  State state;
};

template <typename Fire>
Observed observe(const RandomOptions& options, Fire&& fire) {
  Observed seen;
  for (std::uint64_t i = 0; i < 2; ++i) {
    TableEnvironment env = environment(options, i);
    seen.firings.push_back(fire(env, seen.state));
  }
  return seen;
}

void expect_same(const Observed& want, const Observed& got, const std::string& text) {
  for (std::size_t i = 0; i < want.firings.size(); ++i) {
    EXPECT_EQ(want.firings[i].records, got.firings[i].records) << text;
    ASSERT_EQ(want.firings[i].faults.size(), got.firings[i].faults.size()) << text;
    for (std::size_t k = 0; k < want.firings[i].faults.size(); ++k) {
      const FaultEvent& a = want.firings[i].faults[k];
      const FaultEvent& b = got.firings[i].faults[k];
      EXPECT_EQ(a.fault, b.fault) << text;
      EXPECT_EQ(a.address, b.address) << text;
      EXPECT_EQ(a.epid, b.epid) << text;
      EXPECT_EQ(a.action, b.action) << text;
    }
  }
  EXPECT_EQ(want.state.variables, got.state.variables) << text;
  EXPECT_EQ(want.state.aggregations, got.state.aggregations) << text;
}

std::vector<ClauseEpid> every_clause(const Program& program, std::uint64_t mask) {
  std::vector<ClauseEpid> clauses;
  for (std::uint32_t i = 0; i < program.clauses.size(); ++i) {
    if ((mask >> i & 1) != 0) clauses.push_back({i, i + 1});
  }
  return clauses;
}

class Differential : public testing::TestWithParam<bool> {};

TEST_P(Differential, PassesKeepWhatAProgramDoes) {
  const RandomOptions options{.faults = GetParam()};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Program program = random_program(seed, options);
    ASSERT_EQ(verify(program), std::vector<std::string>{}) << print(program);
    Program optimized = program;
    optimize(optimized);
    ASSERT_EQ(verify(optimized), std::vector<std::string>{}) << print(program) << print(optimized);
    const auto run = [](const Program& p) {
      return [&p](TableEnvironment& env, State& state) {
        return interpret(p, every_clause(p, ~0ULL), env, state);
      };
    };
    expect_same(observe(options, run(program)), observe(options, run(optimized)),
                "seed " + std::to_string(seed) + "\n" + print(program) + print(optimized));
    if (HasFailure()) return;
  }
}

TEST_P(Differential, FusingKeepsWhatAProgramDoes) {
  const RandomOptions options{.clauses = 4, .faults = GetParam()};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Program program = random_program(seed * 31, options);
    if (seed % 2 == 0) optimize(program);
    // Some clauses always apply, of the others some apply now.
    const std::uint64_t always = seed % 16;
    const std::uint64_t now = always | (seed / 16 % 16);
    std::vector<FuseClause> clauses;
    std::vector<std::uint32_t> epids;
    for (std::uint32_t i = 0; i < 4; ++i) {
      clauses.push_back({i, (always >> i & 1) != 0});
      epids.push_back((now >> i & 1) != 0 ? i + 1 : 0);
    }
    const Fused fused = fuse(program, clauses);
    const std::string text =
        "seed " + std::to_string(seed) + "\n" + print(program) + "fused:\n" + print(fused.fn);
    ASSERT_EQ(verify(program, fused), std::vector<std::string>{}) << text;
    const Observed want = observe(options, [&](TableEnvironment& env, State& state) {
      return interpret(program, every_clause(program, now), env, state);
    });
    const Observed got = observe(options, [&](TableEnvironment& env, State& state) {
      return interpret(program, fused, epids, env, state);
    });
    expect_same(want, got, text);
    if (HasFailure()) return;
  }
}

TEST_P(Differential, TextRoundTrips) {
  const RandomOptions options{.faults = GetParam()};
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Program program = random_program(seed, options);
    const std::string text = print(program);
    const auto again = parse(text);
    ASSERT_TRUE(again.ok()) << again.error().text << "\n" << text;
    ASSERT_EQ(print(*again), text);
    ASSERT_EQ(verify(*again), std::vector<std::string>{}) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, Differential, testing::Bool());

}  // namespace
}  // namespace dt::ir
