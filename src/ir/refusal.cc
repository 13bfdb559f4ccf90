// See refusal.h.

#include "ir/refusal.h"

#include <fmt/core.h>

#include "support/check.h"

namespace dt::ir {
namespace {

// What every language calls alike.
std::string_view user_memory(const Inst& inst) {
  switch (inst.op) {
    case Op::kCopyinstr:
    case Op::kUserText:
    case Op::kCopyin:
    case Op::kCopyUser:
    case Op::kLoadUser:
      return "the memory of its program";
    case Op::kCopyout:
    case Op::kCopyoutString:
      return "writing its program's memory";
    case Op::kCall:
      return static_cast<Subroutine>(inst.index) == Subroutine::kMemstrUser
                 ? "the memory of its program"
                 : "";
    default:
      return "";
  }
}

}  // namespace

std::string name_of(const Inst& inst) {
  if (inst.op == Op::kBuiltin) return builtin_name(inst.builtin);
  if (inst.op == Op::kCall) return subroutine_info(static_cast<Subroutine>(inst.index)).name;
  return op_name(inst.op);
}

std::string plain_text(const Refusal& refusal, std::string_view asks) {
  switch (refusal.code) {
    case Refusal::Code::kNeedsTypes:
      return fmt::format("{} needs the kernel's type information (BTF) of {}", asks,
                         refusal.detail);
    case Refusal::Code::kNeedsNumbers:
      return "within a namespace, numbers of processes need the kernel's type information (BTF)";
    case Refusal::Code::kNoKernelRegisters:
      return fmt::format(
          "{} is not available at this probe: only probes of kinst have the kernel's registers",
          asks);
    case Refusal::Code::kOtherThread: {
      const std::string_view memory = user_memory(refusal.asks);
      return fmt::format("{} is not available at a probe whose thread does not run yet",
                         memory.empty() ? asks : memory);
    }
    case Refusal::Code::kCannotWriteUser:
      return fmt::format("{} cannot write user memory on this kernel: {}", asks, refusal.detail);
    case Refusal::Code::kScratchFull:
      return "a clause needs more scratch memory than there is; lower strsize";
    case Refusal::Code::kThreadVariablesFull:
      return fmt::format("thread-local variables take {} bytes; the kernel gives a thread {}",
                         refusal.numbers[0], refusal.numbers[1]);
    case Refusal::Code::kThreadVariablesUnsafe:
      return fmt::format(
          "thread-local variables cannot be used beside {} before Linux 6.4 (this is {}): making "
          "one under the kernel's locks can hang the machine",
          refusal.probe, refusal.detail);
    case Refusal::Code::kTooManyMaps:
      return fmt::format(
          "the clauses of one probe use {} aggregations with keys and {} associative arrays; with "
          "what else they need, the kernel lets them use {} maps",
          refusal.numbers[0], refusal.numbers[1], refusal.numbers[2]);
  }
  DT_UNREACHABLE();
}

}  // namespace dt::ir
