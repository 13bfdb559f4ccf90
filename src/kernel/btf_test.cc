// Where the functions of a program begin.

#include "kernel/btf.h"

#include <gtest/gtest.h>

#include "kernel/insn.h"

namespace dt::kernel {
namespace {

using Starts = std::vector<std::uint32_t>;

constexpr bpf_insn call_at(std::int32_t offset) {
  return insn::make(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, offset);
}
constexpr bpf_insn address_at(std::int32_t offset) {
  return insn::make(BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_FUNC, 0, offset);
}

TEST(FunctionStarts, AreOnlyNeededWhenAnAddressIsTaken) {
  const std::array<bpf_insn, 4> body = {call_at(1), insn::exit(), insn::mov_imm(0, 0),
                                        insn::exit()};
  EXPECT_EQ(function_starts(body), Starts{});
}

TEST(FunctionStarts, AreFoundThroughCallsAndAddresses) {
  const std::array<bpf_insn, 8> body = {
      call_at(5),          address_at(2), insn::make(0, 0, 0, 0, 0), insn::exit(),
      insn::mov_imm(0, 0), insn::exit(),  insn::mov_imm(0, 0),       insn::exit()};
  EXPECT_EQ(function_starts(body), (Starts{0, 4, 6}));
}

TEST(FunctionStarts, DoNotMistakeTheSecondHalfOfAWideInstruction) {
  bpf_insn half = call_at(0);  // the upper half of a constant may be any bytes
  const std::array<bpf_insn, 6> body = {insn::make(BPF_LD | BPF_DW | BPF_IMM, 1, 0, 0, 1),
                                        half,
                                        address_at(2),
                                        insn::make(0, 0, 0, 0, 0),
                                        insn::exit(),
                                        insn::exit()};
  EXPECT_EQ(function_starts(body), (Starts{0, 5}));
}

}  // namespace
}  // namespace dt::kernel
