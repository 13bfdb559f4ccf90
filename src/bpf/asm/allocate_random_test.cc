// Random programs mean the same before all passes and after them.

#include <gtest/gtest.h>

#include "bpf/asm/encode.h"
#include "bpf/asm/random_program_test.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

std::vector<std::uint8_t> pattern(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// Counts the programs that a limit of the machine refuses.
void compare(std::uint64_t seed, RandomShape shape, bool cpu_v4, int& refused) {
  Emitter e;
  RandomProgram(seed, shape).emit(e);
  const LirCode before = e.lir();
  const auto context = pattern(kRandomContextBytes, seed);
  const auto kernel = pattern(kRandomKernelBytes, seed + 1);
  LirEval eval(before, context, kernel);
  const std::uint64_t expected = eval.run();

  Target target;
  target.has_cpu_v4 = cpu_v4;
  Result<Assembly> assembly = assemble(e, target);
  if (!assembly.ok()) {
    ASSERT_NE(assembly.error().text.find("bytes of stack"), std::string::npos)
        << assembly.error().text;
    ++refused;
    return;
  }
  World world;
  world.kernel_memory[kEvalKernelAddress] = kernel;
  std::vector<std::uint8_t> bytes = context;
  const RunResult ran = run(assembly->object, world, bytes);
  const auto listing = [&] {
    return "seed " + std::to_string(seed) + "\n" + print(before) +
           disassemble(assembly->object, {});
  };
  ASSERT_EQ(ran.error, "") << listing();
  ASSERT_EQ(ran.value, expected) << listing();
  ASSERT_EQ(bytes, eval.context()) << listing();
}

void compare_many(std::uint64_t first, std::uint64_t count, RandomShape shape) {
  int refused = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    compare(seed, shape, seed % 2 == 0, refused);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_LT(refused, static_cast<int>(count / 5));
}

TEST(RandomPrograms, SmallOnesKeepTheirMeaning) {
  compare_many(1, 3000, {.statements = 12, .max_registers = 6});
}
TEST(RandomPrograms, StraightOnesKeepTheirMeaning) {
  compare_many(100000, 1000,
               {.statements = 60, .max_registers = 14, .loops = false, .subprograms = false});
}
TEST(RandomPrograms, OnesWithLoopsAndCallsKeepTheirMeaning) {
  compare_many(200000, 1500, {.statements = 50, .max_registers = 16});
}
TEST(RandomPrograms, OnesWithMoreValuesThanRegistersKeepTheirMeaning) {
  compare_many(300000, 500, {.statements = 120, .max_registers = 30});
}

}  // namespace
}  // namespace dt::bpf
