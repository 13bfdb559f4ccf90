// See function_spec.h.

#include "bpf/select/function_spec.h"

namespace dt::bpf {

bool needs_context(const ir::Inst& inst) {
  switch (inst.op) {
    case ir::Op::kStack:
    case ir::Op::kUstack:
    case ir::Op::kJstack:
      return true;
    case ir::Op::kBuiltin:
      return inst.builtin == ir::Builtin::kCaller || inst.builtin == ir::Builtin::kUcaller ||
             inst.builtin == ir::Builtin::kStackdepth || inst.builtin == ir::Builtin::kUstackdepth;
    default:
      return false;
  }
}

}  // namespace dt::bpf
