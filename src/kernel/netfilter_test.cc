// What is done to a program of netfilter before it is loaded: wherever it ends, it accepts the
// packet.

#include "kernel/netfilter.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernel/insn.h"

namespace dt::kernel {
namespace {

bpf_insn call_function(std::int32_t by) {
  return insn::make(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, by);
}

TEST(NetfilterProgram, AcceptsThePacketAtEachEnd) {
  std::vector<bpf_insn> program = {insn::jump_imm(BPF_JEQ, 1, 0, 2), insn::mov_imm(0, 0),
                                   insn::exit(), insn::make(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 7),
                                   insn::exit()};
  ASSERT_TRUE(accept_every_packet(program).ok());
  EXPECT_EQ(program[1].imm, 1);
  EXPECT_EQ(program[3].imm, 1);
}

TEST(NetfilterProgram, LeavesWhatOtherFunctionsReturn) {
  std::vector<bpf_insn> program = {call_function(2), insn::mov_imm(0, 0), insn::exit(),
                                   insn::mov_imm(0, 0), insn::exit()};
  ASSERT_TRUE(accept_every_packet(program).ok());
  EXPECT_EQ(program[1].imm, 1);
  EXPECT_EQ(program[3].imm, 0);
}

TEST(NetfilterProgram, IsRefusedIfItMayEndWithAnotherAnswer) {
  const char* const why = "a program of netfilter may end without accepting the packet";
  std::vector<bpf_insn> computed = {insn::call(BPF_FUNC_ktime_get_ns), insn::exit()};
  std::vector<bpf_insn> past = {insn::call(BPF_FUNC_ktime_get_ns), insn::jump_imm(BPF_JEQ, 0, 0, 1),
                                insn::mov_imm(0, 0), insn::exit()};
  std::vector<bpf_insn> other = {insn::mov_imm(2, 0), insn::exit()};
  std::vector<bpf_insn> nothing = {insn::exit()};
  std::vector<bpf_insn> elsewhere = {insn::call(BPF_FUNC_tail_call), insn::mov_imm(0, 0),
                                     insn::exit()};
  for (auto* const one : {&computed, &past, &other, &nothing, &elsewhere}) {
    const Status status = accept_every_packet(*one);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().text, why);
  }
}

TEST(NetfilterProgram, ReadsTheKernelsMemory) {
  std::vector<bpf_insn> program = {
      insn::call(BPF_FUNC_probe_read), insn::call(BPF_FUNC_probe_read_str),
      insn::call(BPF_FUNC_probe_read_user), call_function(BPF_FUNC_probe_read)};
  read_kernel_only(program);
  EXPECT_EQ(program[0].imm, BPF_FUNC_probe_read_kernel);
  EXPECT_EQ(program[1].imm, BPF_FUNC_probe_read_kernel_str);
  EXPECT_EQ(program[2].imm, BPF_FUNC_probe_read_user);
  EXPECT_EQ(program[3].imm, BPF_FUNC_probe_read);
}

}  // namespace
}  // namespace dt::kernel
