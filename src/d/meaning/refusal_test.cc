// What D says of what later stages refuse: the texts that a person sees.

#include "d/meaning/refusal.h"

#include <gtest/gtest.h>

namespace dt::d {
namespace {

using Code = ir::Refusal::Code;

ir::Inst inst(ir::Op op) {
  ir::Inst one;
  one.op = op;
  return one;
}
ir::Inst builtin(ir::Builtin of) {
  ir::Inst one = inst(ir::Op::kBuiltin);
  one.builtin = of;
  return one;
}

TEST(Refusal, OfAThreadThatDoesNotRunYetNamesWhereItHasLeft) {
  EXPECT_EQ(words({.code = Code::kOtherThread, .asks = inst(ir::Op::kUstack)}).hint,
            "the thread left its CPU with the same memory and stack: keep it at sched:::off-cpu, "
            "as self->s = ustack()");
}

TEST(Refusal, HasTheTextOfItsCodeWithTheNamesOfD) {
  ir::Inst memstr = inst(ir::Op::kCall);
  memstr.index = static_cast<std::uint32_t>(ir::Subroutine::kMemstrUser);
  const std::pair<ir::Refusal, const char*> cases[] = {
      {{.code = Code::kNeedsTypes,
        .asks = builtin(ir::Builtin::kPpid),
        .detail = "struct task_struct"},
       "ppid needs the kernel's type information (BTF) of struct task_struct"},
      {{.code = Code::kNeedsTypes, .asks = builtin(ir::Builtin::kUid), .detail = "struct cred"},
       "uid and gid need the kernel's type information (BTF) of struct cred at this probe"},
      {{.code = Code::kNeedsTypes,
        .asks = inst(ir::Op::kProgenyOf),
        .detail = "struct task_struct"},
       "progenyof( ) needs the kernel's type information (BTF) of struct task_struct"},
      {{.code = Code::kNeedsTypes, .asks = inst(ir::Op::kPath), .detail = "struct dentry"},
       "d_path( ) needs the kernel's type information (BTF) of struct dentry"},
      {{.code = Code::kNeedsNumbers},
       "within a namespace, numbers of processes need the kernel's type information (BTF)"},
      {{.code = Code::kNoKernelRegisters, .asks = builtin(ir::Builtin::kRegs)},
       "regs[ ] is not available at this probe: only probes of kinst have the kernel's registers"},
      {{.code = Code::kOtherThread, .asks = inst(ir::Op::kUstack)},
       "ustack( ) is not available at a probe whose thread does not run yet"},
      {{.code = Code::kOtherThread, .asks = inst(ir::Op::kSignal)},
       "a signal is not available at a probe whose thread does not run yet"},
      {{.code = Code::kOtherThread, .asks = inst(ir::Op::kCopyinstr)},
       "the memory of its program is not available at a probe whose thread does not run yet"},
      {{.code = Code::kOtherThread, .asks = memstr},
       "the memory of its program is not available at a probe whose thread does not run yet"},
      {{.code = Code::kOtherThread, .asks = inst(ir::Op::kCopyout)},
       "writing its program's memory is not available at a probe whose thread does not run yet"},
      {{.code = Code::kOtherThread, .asks = builtin(ir::Builtin::kUregs)},
       "uregs[ ] is not available at a probe whose thread does not run yet"},
      {{.code = Code::kOtherThread, .asks = builtin(ir::Builtin::kUcaller)},
       "ucaller is not available at a probe whose thread does not run yet"},
      {{.code = Code::kCannotWriteUser, .asks = inst(ir::Op::kCopyoutString), .detail = "lockdown"},
       "copyoutstr( ) cannot write user memory on this kernel: lockdown"},
      {{.code = Code::kScratchFull},
       "a clause needs more scratch memory than there is; lower strsize"},
      {{.code = Code::kThreadVariablesFull, .numbers = {70000, 65536}},
       "thread-local variables take 70000 bytes; the kernel gives a thread 65536"},
      {{.code = Code::kThreadVariablesUnsafe, .detail = "6.1.0", .probe = "sched:wakeup"},
       "sched:wakeup: self-> variables and vtimestamp cannot be used beside this probe before "
       "Linux 6.4 (this is 6.1.0): making one under the kernel's locks can hang the machine"},
      {{.code = Code::kTooManyMaps, .numbers = {40, 30, 64}},
       "the clauses of one probe use 40 aggregations with keys and 30 associative arrays; with "
       "what else they need, the kernel lets them use 64 maps"},
  };
  for (const auto& [refusal, text] : cases) {
    EXPECT_EQ(words(refusal).text, text);
    EXPECT_EQ(words(refusal).tag, "D_UNKNOWN");
  }
}

TEST(Refusal, HintsAreWrittenInD) {
  EXPECT_EQ(words({.code = Code::kThreadVariablesFull, .numbers = {1, 0}}).hint,
            "lower strsize or use fewer self-> strings");
  EXPECT_EQ(words({.code = Code::kThreadVariablesUnsafe}).hint,
            "use a global array with tid as its key");
  EXPECT_EQ(words({.code = Code::kTooManyMaps, .numbers = {1, 2, 3}}).hint,
            "put several into one, with a constant as its first key: @a[\"reads\", pid], "
            "@a[\"writes\", pid]");
}

}  // namespace
}  // namespace dt::d
