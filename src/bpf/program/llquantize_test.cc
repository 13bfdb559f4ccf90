// llquantize's buckets as generated code finds them, by the BPF interpreter.

#include <gtest/gtest.h>

#include <cstring>

#include "bpf/program/generate_test.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

struct Case {
  std::uint32_t factor, low, high, nsteps;
};

TEST(LlquantizeCode, FindsTheBucketOfEveryValue) {
  // One boundary and few, many, and those that no value can reach.
  const Case cases[] = {{2, 0, 0, 1},  {2, 0, 0, 2},   {10, 0, 6, 20},
                        {2, 0, 30, 2}, {2, 61, 63, 2}, {16, 15, 15, 16}};
  for (const Case& c : cases) {
    const Generated g = generate_from(
        fmt::format("program\nagg @0 \"_\" llquantize({}, {}, {}, {})\nclause \"a\" {{\n"
                    "  b0:\n    %0 : s64 = builtin arg0\n"
                    "    aggregate @0, %0\n    return\n}}\n",
                    c.factor, c.low, c.high, c.nsteps),
        Machine{});
    ASSERT_EQ(g.error, "");
    const record::AggLayout& agg = g.program.aggregations[0];
    const std::vector<std::uint64_t> boundaries = record::llquantize_boundaries(agg.params);
    std::vector<std::uint64_t> values = {0, ~std::uint64_t{0}, std::uint64_t{1} << 63};
    for (const std::uint64_t at : boundaries) {
      values.insert(values.end(), {at - 1, at, at + 1});
    }
    for (const std::uint64_t value : values) {
      World world(g.memory);
      const auto state = static_cast<std::uint32_t>(State::kActive);
      std::memcpy(world.value({MapKind::kGlobals, 0})->data(), &state, 4);
      std::uint64_t words[kContextWords] = {0, value};
      std::uint8_t context[sizeof words];
      std::memcpy(context, words, sizeof words);
      ASSERT_EQ(run(g.object, world, context).error, "");
      const std::uint32_t bucket =
          record::llquantize_bucket(boundaries, static_cast<std::int64_t>(value));
      std::uint64_t counted = 0;
      std::memcpy(&counted,
                  world.value({MapKind::kPercpu, 0})->data() + g.memory.agg_offset[0] + bucket * 8,
                  8);
      EXPECT_EQ(counted, 1u) << value << " of llquantize(" << c.factor << ", " << c.low << ")";
    }
  }
}

}  // namespace
}  // namespace dt::bpf
