#include "d/check/field_type.h"

#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"

namespace dt::d {

using record::FieldKind;
using record::FieldType;

bool is_text_field(FieldKind kind) {
  return kind == FieldKind::kString || kind == FieldKind::kProbeProv ||
         kind == FieldKind::kProbeMod || kind == FieldKind::kProbeFunc ||
         kind == FieldKind::kProbeName;
}

FieldType field_type(const Expr* e, const World& world, const TypeRules& rules) {
  if (e->kind == ExprKind::kCall && e->symbol == Symbol::kAction) {
    const auto frames = [e](std::uint32_t normal) {
      return e->args.empty() || e->args[0]->int_value == 0
                 ? normal
                 : static_cast<std::uint32_t>(e->args[0]->int_value);
    };
    switch (static_cast<Fn>(e->index)) {
      case Fn::kStack:
        return {FieldKind::kStack, 8 * frames(world.stack_frames), false};
      case Fn::kJstack:
        return {FieldKind::kUstack, 8 + 8 * frames(world.java_stack_frames), false};
      case Fn::kUstack:
        return {FieldKind::kUstack, 8 + 8 * frames(world.user_stack_frames), false};
      case Fn::kSym:
      case Fn::kFunc:
        return {FieldKind::kSym, 8, false};
      case Fn::kMod:
        return {FieldKind::kMod, 8, false};
      case Fn::kUaddr:
        return {FieldKind::kUaddr, 16, false};
      case Fn::kUsym:
      case Fn::kUfunc:
        return {FieldKind::kUsym, 16, false};
      case Fn::kUmod:
        return {FieldKind::kUmod, 16, false};
      case Fn::kErrname:
        return {FieldKind::kErrnoName, 8, true};
      case Fn::kSigname:
        return {FieldKind::kSignalName, 8, true};
      case Fn::kSyscallname:
        return {FieldKind::kSyscallName, 8, true};
      case Fn::kUsername:
        return {FieldKind::kUserName, 8, true};
      case Fn::kGroupname:
        return {FieldKind::kGroupName, 8, true};
      default:
        break;
    }
  }
  if (rules.is_string_like(e->type)) {
    return {FieldKind::kString, world.string_size, false};
  }
  if (is_object(e->type, rules)) {
    return {FieldKind::kBytes, rules.size(e->type), false};
  }
  const ir::Type plain = rules.ir_type(e->type);
  return {FieldKind::kInt, plain.size, plain.is_signed};
}

}  // namespace dt::d
