// Whole diagnostics of subroutines and built-in variables that ask the kernel.

#include <gtest/gtest.h>

#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

std::string errors(const std::string& script) {
  FakeWorld world;
  world.compile(script);
  return world.errors();
}

TEST(CheckKernel, WhatTheKernelsTypesLackIsNamed) {
  EXPECT_EQ(errors("BEGIN { trace(getf(0) == NULL); }"),
            "[D_SYM_NOTYPES] line 1: getf( ) needs struct task_struct of the kernel, which was not "
            "found\n"
            "x.d:1:15: error: getf( ) needs struct task_struct of the kernel, which was not found "
            "[D_SYM_NOTYPES]\n"
            "BEGIN { trace(getf(0) == NULL); }\n"
            "              ^~~~\n");
}

TEST(CheckKernel, ARegisterThatThereIsNotIsAnError) {
  EXPECT_EQ(errors("BEGIN { trace(uregs[29]); }"),
            "[D_REGS_IDX] line 1: index 29 is out of range for uregs[ ], which has 29 registers\n"
            "x.d:1:21: error: index 29 is out of range for uregs[ ], which has 29 registers "
            "[D_REGS_IDX]\n"
            "BEGIN { trace(uregs[29]); }\n"
            "                    ^~\n");
  // Those behind struct pt_regs are the library's.
  EXPECT_EQ(
      errors("BEGIN { trace(uregs[21]); }"),
      "[D_REGS_IDX] line 1: index 21 of uregs[ ] needs the library regs.d, which is not there\n"
      "x.d:1:21: error: index 21 of uregs[ ] needs the library regs.d, which is not there "
      "[D_REGS_IDX]\n"
      "BEGIN { trace(uregs[21]); }\n"
      "                    ^~\n");
  EXPECT_EQ(errors("BEGIN { trace(uregs); }"),
            "[D_IDENT_BADREF] line 1: array 'uregs' may not be referenced as scalar\n"
            "x.d:1:15: error: array 'uregs' may not be referenced as scalar [D_IDENT_BADREF]\n"
            "BEGIN { trace(uregs); }\n"
            "              ^~~~~\n"
            "hint: write uregs[R_PC], or another register's number\n");
}

TEST(CheckKernel, RegistersOfTheKernelAreCheckedAsThoseOfThreads) {
  EXPECT_EQ(errors("BEGIN { trace(regs[21]); }"),
            "[D_REGS_IDX] line 1: index 21 is out of range for regs[ ], which has 21 registers\n"
            "x.d:1:20: error: index 21 is out of range for regs[ ], which has 21 registers "
            "[D_REGS_IDX]\n"
            "BEGIN { trace(regs[21]); }\n"
            "                   ^~\n");
  EXPECT_EQ(errors("BEGIN { trace(regs); }").substr(0, 78),
            "[D_IDENT_BADREF] line 1: array 'regs' may not be referenced as scalar\nx.d:1:15");
  EXPECT_EQ(errors("BEGIN { trace(regs[0]); }"), "");
}

TEST(CheckKernel, RegistersOfGuestsAreRefusedByName) {
  EXPECT_EQ(errors("BEGIN { trace(vmregs[0]); }").substr(0, 52),
            "[D_VAR_UNSUP] line 1: vmregs[ ] may not be reference");
}

TEST(CheckKernel, HardwareCountersAreRefusedByName) {
  EXPECT_EQ(
      errors("BEGIN { trace(vinstrs); }"),
      "[D_VAR_UNSUP] line 1: variable 'vinstrs' is not supported: it needs a hardware counter "
      "for each thread, which the kernel does not keep\n"
      "x.d:1:15: error: variable 'vinstrs' is not supported: it needs a hardware counter for "
      "each thread, which the kernel does not keep [D_VAR_UNSUP]\n"
      "BEGIN { trace(vinstrs); }\n"
      "              ^~~~~~~\n"
      "hint: vtimestamp is the time that the thread has been on a CPU\n");
}

TEST(CheckKernel, SubroutinesOfOtherKernelsSayWhatTheyAreAbout) {
  EXPECT_EQ(
      errors("BEGIN { trace(msgsize(NULL)); }"),
      "[D_UNKNOWN] line 1: subroutine msgsize( ) is not supported: it is about STREAMS "
      "messages, which this kernel does not have\n"
      "x.d:1:15: error: subroutine msgsize( ) is not supported: it is about STREAMS messages, "
      "which this kernel does not have [D_UNKNOWN]\n"
      "BEGIN { trace(msgsize(NULL)); }\n"
      "              ^~~~~~~\n");
}

TEST(CheckKernel, AnAddressFamilyThatIsNotKnownIsAnError) {
  EXPECT_EQ(errors("BEGIN { trace(inet_ntop(3, NULL)); }"),
            "[D_PROTO_ARG] line 1: inet_ntop( ) argument #1 must be 2 (AF_INET) or 10 (AF_INET6)\n"
            "x.d:1:25: error: inet_ntop( ) argument #1 must be 2 (AF_INET) or 10 (AF_INET6) "
            "[D_PROTO_ARG]\n"
            "BEGIN { trace(inet_ntop(3, NULL)); }\n"
            "                        ^\n");
}

TEST(CheckKernel, UserMemoryIsNotWrittenThroughPointers) {
  EXPECT_EQ(errors("BEGIN { *(userland int *)arg0 = 1; }"),
            "[D_OP_LVAL] line 1: operator = cannot write to user memory\n"
            "x.d:1:9: error: operator = cannot write to user memory [D_OP_LVAL]\n"
            "BEGIN { *(userland int *)arg0 = 1; }\n"
            "        ^~~~~~~~~~~~~~~~~~~~~\n"
            "hint: copyout() can\n");
}

}  // namespace
}  // namespace dt::d
