// Names and types of built-ins and subroutines.

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

}  // namespace dt::ir
