// What the interpreter computes is what the kernel computes: generated programs
// are loaded, which makes the verifier judge them, and run by BPF_PROG_RUN.

#include <bpf/bpf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "bpf/asm/encode.h"
#include "bpf/asm/random_program_test.h"
#include "support/fd.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

// Guests are emulated, and see other random programs besides.
const std::uint64_t kSeeds = std::getenv("DT_GUEST") != nullptr ? 37 : 150;

// Empty when programs can be loaded here.
std::string reason_to_skip() {
  if (geteuid() != 0) return "needs root to load BPF programs";
  const bpf_insn nothing[] = {{.code = 0xb7, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
                              {.code = 0x95, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0}};
  const Fd fd(bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_try", "GPL", nothing, 2, nullptr));
  if (fd.valid()) return {};
  return std::string("BPF programs cannot be loaded here: ") + std::strerror(errno);
}

// SYSCALL programs have a context that may be written.
Fd load(const std::vector<bpf_insn>& insns, std::string& log, int attempts_level = 0) {
  log.assign(attempts_level == 0 ? 0 : 1 << 20, '\0');
  bpf_prog_load_opts options = {};
  options.sz = sizeof options;
  options.prog_flags = BPF_F_SLEEPABLE;
  options.log_level = static_cast<std::uint32_t>(attempts_level);
  if (attempts_level != 0) {
    options.log_buf = log.data();
    options.log_size = static_cast<std::uint32_t>(log.size());
  }
  Fd fd(
      bpf_prog_load(BPF_PROG_TYPE_SYSCALL, "dt_test", "GPL", insns.data(), insns.size(), &options));
  if (fd.valid() || attempts_level != 0) {
    log.resize(std::strlen(log.c_str()));
    return fd;
  }
  return load(insns, log, 1);
}

struct KernelRun {
  std::string error;
  std::uint32_t value = 0;
};

KernelRun run_in_kernel(const std::vector<bpf_insn>& insns, std::vector<std::uint8_t>& context) {
  std::string log;
  const Fd fd = load(insns, log);
  if (!fd.valid()) {
    const std::string reason = std::strerror(errno);
    return {"load: " + reason + "\n" + log.substr(log.size() > 3000 ? log.size() - 3000 : 0), 0};
  }
  bpf_test_run_opts options = {};
  options.sz = sizeof options;
  options.ctx_in = context.data();  // and written back to
  options.ctx_size_in = static_cast<std::uint32_t>(context.size());
  if (bpf_prog_test_run_opts(fd.get(), &options) != 0) {
    return {std::string("run: ") + std::strerror(errno), 0};
  }
  return {{}, options.retval};
}

class InKernel : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = reason_to_skip();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  // Compares a program of which no value depends on the machine that it runs on.
  static void compare(Emitter& e, std::vector<std::uint8_t> context, bool cpu_v4) {
    Target target;
    target.has_cpu_v4 = cpu_v4;
    Result<Assembly> assembly = assemble(e, target);
    if (!assembly.ok()) return;  // too much stack for the machine
    std::vector<std::uint8_t> modelled = context;
    World world;
    const RunResult model = run(assembly->object, world, modelled);
    ASSERT_EQ(model.error, "") << disassemble(assembly->object, {});
    const KernelRun real = run_in_kernel(assembly->object.insns, context);
    ASSERT_EQ(real.error, "") << disassemble(assembly->object, {});
    EXPECT_EQ(real.value, static_cast<std::uint32_t>(model.value))
        << disassemble(assembly->object, {});
    EXPECT_EQ(context, modelled) << disassemble(assembly->object, {});
  }
};

std::vector<std::uint8_t> some_bytes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(kRandomContextBytes);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST_F(InKernel, RandomProgramsPassTheVerifierAndComputeTheSame) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Emitter e;
    RandomProgram(seed, {.statements = 40,
                         .max_registers = 18,
                         .loops = seed % 3 == 0,
                         .calls = false,
                         .subprograms = seed % 2 == 0,
                         .fetches_from_stack = false,
                         .constants_to_context = false})
        .emit(e);
    SCOPED_TRACE(seed);
    compare(e, some_bytes(seed), false);
    if (HasFatalFailure()) return;
  }
}

TEST_F(InKernel, ValuesLiveAcrossCallsAndSpillsAreKept) {
  Emitter e;
  std::vector<Reg> values;
  for (int i = 0; i < 24; ++i) values.push_back(e.load(8, e.context(), i % 8 * 8));
  const Label callee = e.label();
  for (int i = 0; i < 3; ++i) {
    e.call_void(BPF_FUNC_ktime_get_ns, {});
    values.push_back(e.call_subprogram(callee, {values[static_cast<std::size_t>(i)], values[7]}));
  }
  const Reg sum = e.imm(0);
  for (const Reg value : values) {
    e.alu_imm(Alu::kMul, sum, 7);
    e.alu(Alu::kAdd, sum, value);
  }
  e.store(8, e.context(), 0, sum);
  e.ret(sum);
  const std::vector<Reg> p = e.begin_function(callee, 2);
  e.call_void(BPF_FUNC_ktime_get_ns, {});
  e.alu(Alu::kXor, p[0], p[1]);
  e.ret(p[0]);
  compare(e, some_bytes(3), false);
}

TEST_F(InKernel, ABoundedLoopOverAStackBufferIsAccepted) {
  Emitter e;
  const StackSlot slot = e.stack(64);
  const Reg to = e.stack_address(slot);
  for (int i = 0; i < 8; ++i) e.store(8, to, i * 8, e.load(8, e.context(), i * 8));
  const Reg index = e.imm(0), sum = e.imm(0);
  const Label top = e.label(), done = e.label();
  e.bind(top);
  const Reg at = e.reg();
  e.mov(at, to);
  e.alu(Alu::kAdd, at, index);
  const Reg byte = e.load(1, at, 0);
  e.jump_if_imm(Cond::kEq, byte, 0, done);
  e.alu_imm(Alu::kMul, sum, 33);
  e.alu(Alu::kAdd, sum, byte);
  e.alu_imm(Alu::kAdd, index, 1);
  e.jump_if_imm(Cond::kLt, index, 64, top);
  e.bind(done);
  e.store(8, e.context(), 0, sum);
  e.ret(sum);
  std::vector<std::uint8_t> text = some_bytes(9);
  text[40] = 0;
  compare(e, text, false);
}

TEST_F(InKernel, IslandsOfALongProgramAreAccepted) {
  Emitter e;
  const Label leave = e.label();
  const Reg stop = e.load(8, e.context(), 0), sum = e.imm(0);
  for (int i = 0; i < 4000; ++i) {
    e.alu_imm(Alu::kAdd, sum, i);
    e.jump_if_imm(Cond::kEq, stop, i, leave);
    for (int k = 0; k < 10; ++k) e.store(8, e.context(), 8 + k % 4 * 8, sum);
  }
  e.bind(leave);
  e.ret(sum);
  std::vector<std::uint8_t> context(kRandomContextBytes, 0);
  context[0] = 17;
  compare(e, context, false);
}

}  // namespace
}  // namespace dt::bpf
