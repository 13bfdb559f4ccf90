// Names and properties of operations: the tables behind ir.h.

#include "ir/ir.h"

#include "support/check.h"

namespace dt::ir {

namespace {

struct BuiltinInfo {
  const char* name;
  Type type;
};

// By Builtin. The names are D's where D has one; kArg and kRegs are followed by a number.
const BuiltinInfo kBuiltins[] = {
    {"arg", Type::s64()},
    {"pid", Type::s32()},
    {"ppid", Type::s32()},
    {"tid", Type::s32()},
    {"uid", Type::u32()},
    {"gid", Type::u32()},
    {"cpu", Type::s32()},
    {"errno", Type::s32()},
    {"execname", Type::string(16)},
    {"timestamp", Type::u64()},
    {"vtimestamp", Type::u64()},
    {"walltimestamp", Type::u64()},
    {"probeid", Type::u32()},
    {"epid", Type::u32()},
    {"curthread", Type::u64()},
    {"caller", Type::u64()},
    {"ucaller", Type::u64()},
    {"stackdepth", Type::u32()},
    {"ustackdepth", Type::u32()},
    {"ipl", Type::u32()},
    {"probeprov", Type::string(64)},
    {"probemod", Type::string(64)},
    {"probefunc", Type::string(128)},
    {"probename", Type::string(64)},
    {"execargs", Type::string(65536)},
    {"uregs", Type::u64()},
    {"regs", Type::u64()},
};
constexpr std::size_t kBuiltinCount = std::size(kBuiltins);
static_assert(kBuiltinCount == static_cast<std::size_t>(Builtin::kRegs) + 1);

const SubroutineInfo kSubroutines[] = {
#define DT_SUBROUTINE(id, name, result, operands, has_effect, may_fault) \
  {name, TypeKind::result, operands, has_effect, may_fault},
#include "ir/subroutines.def"
#undef DT_SUBROUTINE
};

}  // namespace

bool has_number(Builtin builtin) { return builtin == Builtin::kArg || builtin == Builtin::kRegs; }

const char* builtin_name(Builtin builtin) {
  return kBuiltins[static_cast<std::size_t>(builtin)].name;
}

std::optional<Builtin> builtin_from_name(const std::string& name) {
  for (std::size_t i = 0; i < kBuiltinCount; ++i) {
    if (name == kBuiltins[i].name) return static_cast<Builtin>(i);
  }
  return std::nullopt;
}

Type builtin_type(Builtin builtin) { return kBuiltins[static_cast<std::size_t>(builtin)].type; }

const SubroutineInfo& subroutine_info(Subroutine subroutine) {
  return kSubroutines[static_cast<std::size_t>(subroutine)];
}

std::optional<Subroutine> subroutine_from_name(const std::string& name) {
  for (std::size_t i = 0; i < kSubroutineCount; ++i) {
    if (name == kSubroutines[i].name) return static_cast<Subroutine>(i);
  }
  return std::nullopt;
}

const char* op_name(Op op) {
  switch (op) {
    case Op::kConst:
      return "const";
    case Op::kAdd:
      return "add";
    case Op::kSub:
      return "sub";
    case Op::kMul:
      return "mul";
    case Op::kAnd:
      return "and";
    case Op::kOr:
      return "or";
    case Op::kXor:
      return "xor";
    case Op::kShl:
      return "shl";
    case Op::kShrS:
      return "shr_s";
    case Op::kShrU:
      return "shr_u";
    case Op::kDivS:
      return "div_s";
    case Op::kDivU:
      return "div_u";
    case Op::kRemS:
      return "rem_s";
    case Op::kRemU:
      return "rem_u";
    case Op::kNeg:
      return "neg";
    case Op::kNot:
      return "not";
    case Op::kExtend:
      return "extend";
    case Op::kEq:
      return "eq";
    case Op::kNe:
      return "ne";
    case Op::kLtS:
      return "lt_s";
    case Op::kLeS:
      return "le_s";
    case Op::kLtU:
      return "lt_u";
    case Op::kLeU:
      return "le_u";
    case Op::kBuiltin:
      return "builtin";
    case Op::kString:
      return "string";
    case Op::kStrCmp:
      return "strcmp";
    case Op::kLoadKernel:
      return "load_kernel";
    case Op::kLoadUser:
      return "load_user";
    case Op::kCopyinstr:
      return "copyinstr";
    case Op::kKernelString:
      return "kernel_string";
    case Op::kCopyin:
      return "copyin";
    case Op::kKernelBytes:
      return "kernel_bytes";
    case Op::kToString:
      return "to_string";
    case Op::kStack:
      return "stack";
    case Op::kUstack:
      return "ustack";
    case Op::kJstack:
      return "jstack";
    case Op::kUserAddr:
      return "user_addr";
    case Op::kCall:
      return "call";
    case Op::kAddressText:
      return "address_text";
    case Op::kAlloca:
      return "alloca";
    case Op::kCopyKernel:
      return "copy_kernel";
    case Op::kCopyUser:
      return "copy_user";
    case Op::kStoreScratch:
      return "store_scratch";
    case Op::kCopyout:
      return "copyout";
    case Op::kCopyoutString:
      return "copyout_string";
    case Op::kPath:
      return "path";
    case Op::kRand:
      return "rand";
    case Op::kProgenyOf:
      return "progenyof";
    case Op::kSeenNumber:
      return "seen_number";
    case Op::kLoad:
      return "load";
    case Op::kStore:
      return "store";
    case Op::kAtomicAdd:
      return "atomic_add";
    case Op::kPart:
      return "part";
    case Op::kLoadPart:
      return "load_part";
    case Op::kStorePart:
      return "store_part";
    case Op::kClear:
      return "clear";
    case Op::kAggregate:
      return "aggregate";
    case Op::kEmit:
      return "emit";
    case Op::kSignal:
      return "signal";
    case Op::kChill:
      return "chill";
    case Op::kExit:
      return "exit";
    case Op::kSpeculation:
      return "speculation";
    case Op::kEndSpeculation:
      return "end_speculation";
    case Op::kFault:
      return "fault";
  }
  DT_UNREACHABLE("op {}", static_cast<unsigned>(op));
}

const char* scope_name(Scope scope) {
  switch (scope) {
    case Scope::kGlobal:
      return "global";
    case Scope::kThread:
      return "thread";
    case Scope::kClause:
      return "clause";
  }
  DT_UNREACHABLE("scope {}", static_cast<unsigned>(scope));
}

bool may_fault(const Inst& inst) {
  switch (inst.op) {
    case Op::kCall:
      return subroutine_info(static_cast<Subroutine>(inst.index)).may_fault;
    case Op::kDivS:
    case Op::kDivU:
    case Op::kRemS:
    case Op::kRemU:
    case Op::kLoadKernel:
    case Op::kLoadUser:
    case Op::kCopyinstr:
    case Op::kKernelString:
    case Op::kCopyin:
    case Op::kKernelBytes:
    case Op::kAlloca:
    case Op::kCopyKernel:
    case Op::kCopyUser:
    case Op::kStoreScratch:
    case Op::kSignal:
    case Op::kChill:
    case Op::kCopyout:
    case Op::kCopyoutString:
    case Op::kPath:
    case Op::kProgenyOf:
    case Op::kFault:
      return true;
    default:
      return false;
  }
}

bool reads_variable(Op op) { return op == Op::kLoad || op == Op::kLoadPart; }

bool writes_variable(Op op) {
  return op == Op::kStore || op == Op::kAtomicAdd || op == Op::kStorePart || op == Op::kClear;
}

bool has_effect(const Inst& inst) {
  switch (inst.op) {
    case Op::kCall:
      return subroutine_info(static_cast<Subroutine>(inst.index)).has_effect;
    case Op::kCopyout:
    case Op::kCopyoutString:
    case Op::kRand:
    case Op::kAlloca:
    case Op::kCopyKernel:
    case Op::kCopyUser:
    case Op::kStoreScratch:
    case Op::kStore:
    case Op::kAtomicAdd:
    case Op::kStorePart:
    case Op::kClear:
    case Op::kAggregate:
    case Op::kEmit:
    case Op::kSignal:
    case Op::kChill:
    case Op::kExit:
    case Op::kSpeculation:
    case Op::kEndSpeculation:
    case Op::kFault:
      return true;
    default:
      return false;
  }
}

bool reads_memory(Op op) {
  switch (op) {
    case Op::kPath:
    case Op::kLoadKernel:
    case Op::kLoadUser:
    case Op::kCopyinstr:
    case Op::kKernelString:
    case Op::kCopyin:
    case Op::kKernelBytes:
    case Op::kCall:  // memstr
      return true;
    default:
      return false;
  }
}

bool writes_memory(Op op) {
  switch (op) {
    case Op::kCopyKernel:
    case Op::kCopyUser:
    case Op::kStoreScratch:
    case Op::kCopyout:
    case Op::kCopyoutString:
      return true;
    default:
      return false;
  }
}

bool uses_scratch(Op op) { return op == Op::kAlloca || writes_memory(op); }

}  // namespace dt::ir
