// See refusal.h.

#include "d/meaning/refusal.h"

#include <fmt/core.h>

namespace dt::d {
namespace {

// What D calls an operation: a function has its parentheses, an array its brackets.
std::string d_name(const ir::Inst& inst) {
  switch (inst.op) {
    case ir::Op::kCopyout:
      return "copyout( )";
    case ir::Op::kCopyoutString:
      return "copyoutstr( )";
    case ir::Op::kPath:
      return "d_path( )";
    case ir::Op::kProgenyOf:
      return "progenyof( )";
    case ir::Op::kUstack:
      return "ustack( )";
    case ir::Op::kJstack:
      return "jstack( )";
    case ir::Op::kSignal:
      return "a signal";
    case ir::Op::kBuiltin:
      if (inst.builtin == ir::Builtin::kUregs) return "uregs[ ]";
      if (inst.builtin == ir::Builtin::kRegs) return "regs[ ]";
      return ir::name_of(inst);
    default:
      return ir::name_of(inst);
  }
}

bool asks_for_user(const ir::Refusal& refusal) {
  return refusal.asks.op == ir::Op::kBuiltin &&
         (refusal.asks.builtin == ir::Builtin::kUid || refusal.asks.builtin == ir::Builtin::kGid);
}

}  // namespace

front::FrontEnd::Words words(const ir::Refusal& refusal) {
  front::FrontEnd::Words out{"D_UNKNOWN", ir::plain_text(refusal, d_name(refusal.asks)), ""};
  using Code = ir::Refusal::Code;
  if (refusal.code == Code::kNeedsTypes && asks_for_user(refusal)) {
    out.text = fmt::format(
        "uid and gid need the kernel's type information (BTF) of {} at this probe", refusal.detail);
  } else if (refusal.code == Code::kThreadVariablesFull) {
    out.hint = "lower strsize or use fewer self-> strings";
  } else if (refusal.code == Code::kThreadVariablesUnsafe) {
    out.text = fmt::format(
        "{}: self-> variables and vtimestamp cannot be used beside this probe before Linux 6.4 "
        "(this is {}): making one under the kernel's locks can hang the machine",
        refusal.probe, refusal.detail);
    out.hint = "use a global array with tid as its key";
  } else if (refusal.code == Code::kOtherThread) {
    out.hint =
        "the thread left its CPU with the same memory and stack: keep it at sched:::off-cpu, as "
        "self->s = ustack()";
  } else if (refusal.code == Code::kTooManyMaps) {
    out.hint =
        "put several into one, with a constant as its first key: @a[\"reads\", pid], "
        "@a[\"writes\", pid]";
  }
  return out;
}

}  // namespace dt::d
