// The verifier's log: the reason and the instruction.

#include "kernel/verifier_log.h"

#include <gtest/gtest.h>

namespace dt::kernel {
namespace {

TEST(VerifierLog, GivesTheReasonAndTheInstruction) {
  const char* const log =
      "0: R1=ctx() R10=fp0\n"
      "0: (b7) r2 = 1                        ; R2_w=1\n"
      "1: (79) r0 = *(u64 *)(r1 +2000)\n"
      "invalid bpf_context access off=2000 size=8\n"
      "processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 "
      "mark_read 0\n";
  EXPECT_EQ(verifier_reason(log), "invalid bpf_context access off=2000 size=8");
  EXPECT_EQ(verifier_instruction(log), 1U);
}

TEST(VerifierLog, TakesTheLastInstructionAcrossRegisterStates) {
  const char* const log =
      "func#0 @0\n"
      "7: (85) call bpf_map_lookup_elem#1\n"
      "8: R0_w=map_value_or_null(id=1,off=0,ks=4,vs=8,imm=0) R10=fp0\n"
      "8: (79) r1 = *(u64 *)(r0 +0)\n"
      "R0 invalid mem access 'map_value_or_null'\n"
      "verification time 31 usec\n"
      "stack depth 8\n"
      "processed 9 insns (limit 1000000)\n";
  EXPECT_EQ(verifier_reason(log), "R0 invalid mem access 'map_value_or_null'");
  EXPECT_EQ(verifier_instruction(log), 8U);
}

TEST(VerifierLog, FindsTheInstructionInTheReasonOfAStructuralRefusal) {
  const char* const log = "unreachable insn 7\nprocessed 0 insns (limit 1000000)\n";
  EXPECT_EQ(verifier_reason(log), "unreachable insn 7");
  EXPECT_EQ(verifier_instruction(log), 7U);
}

TEST(VerifierLog, FindsTheHeadOfAnInfiniteLoop) {
  const char* const log =
      "15: (05) goto pc+2\n"
      "infinite loop detected at insn 18\n"
      "cur state: R0=scalar(umin=1) R1=1 R10=fp0 fp-8=scalar(id=2)\n"
      "old state: R0=scalar(umin=1) R1=1 R10=fp0 fp-8=scalar(id=1)\n"
      "processed 30 insns (limit 1000000)\n";
  EXPECT_EQ(verifier_reason(log), "infinite loop detected at insn 18");
  EXPECT_EQ(verifier_instruction(log), 18U);
}

TEST(VerifierLog, TellsWhichFunctionAProgramMayNotCall) {
  EXPECT_EQ(forbidden_function("23: (85) call bpf_get_stack#67\n"
                               "program of this type cannot use helper bpf_get_stack#67\n"
                               "processed 23 insns (limit 1000000)\n"),
            "bpf_get_stack");
  EXPECT_EQ(forbidden_function("4: (85) call bpf_get_current_uid_gid#15\n"
                               "unknown func bpf_get_current_uid_gid#15\n"),
            "bpf_get_current_uid_gid");
  EXPECT_EQ(forbidden_function("9: (85) call bpf_iter_num_new#81\n"
                               "calling kernel function bpf_iter_num_new is not allowed\n"),
            "bpf_iter_num_new");
  EXPECT_EQ(forbidden_function("0: (95) exit\nR0 !read_ok\n"), "");
  EXPECT_EQ(forbidden_function(""), "");
}

TEST(VerifierLog, SaysNothingAboutAnEmptyOrForeignLog) {
  EXPECT_EQ(verifier_reason(""), "");
  EXPECT_EQ(verifier_instruction(""), std::nullopt);
  EXPECT_EQ(verifier_reason("processed 0 insns (limit 1000000)"), "");
  EXPECT_EQ(verifier_instruction("99999999999999999999: (b7) r0 = 1\n"), std::nullopt);
  EXPECT_EQ(verifier_instruction("3"), std::nullopt);
}

}  // namespace
}  // namespace dt::kernel
