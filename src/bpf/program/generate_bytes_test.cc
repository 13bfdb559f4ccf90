// Values of bytes whose size is no whole number of words.

#include <gtest/gtest.h>

#include <cstring>

#include "bpf/program/generate_test.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

// Verifiers before 6.3 refuse a helper what was never written on the stack.
TEST(GenerateBytes, AnElementOfOddSizeIsStoredFromMemoryThatWasWritten) {
  constexpr std::uint64_t kAddress = 0x10000;
  const Generated g = generate_from(R"(program
var @0 global "x" [s64] : bytes6
clause "a" {
  b0:
    %0 : s64 = builtin arg0
    %1 : bytes6 = copyin %0
    %2 : s64 = const 1
    store @0, %2, %1
    return
})",
                                    Machine{}, {0});
  ASSERT_EQ(g.error, "");
  World world(g.memory);
  const auto active = static_cast<std::uint32_t>(State::kActive);
  std::memcpy(world.value({MapKind::kGlobals, 0})->data(), &active, sizeof active);
  world.user_memory[kAddress] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<std::uint8_t> context(kContextWords * 8, 0);
  std::memcpy(context.data() + 8, &kAddress, sizeof kAddress);
  EXPECT_EQ(run(g.object, world, context).error, "");
  const auto& elements = world.map({MapKind::kAssoc, 0})->values;
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_EQ(*world.memory.bytes(elements.begin()->second),
            (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 0, 0}));
}

}  // namespace
}  // namespace dt::bpf
