#include "d/check/field_type.h"

#include <algorithm>

#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "record/stack_depth.h"

namespace dt::d {

using record::FieldKind;
using record::FieldType;

bool is_text_field(FieldKind kind) {
  return kind == FieldKind::kString || kind == FieldKind::kProbeProv ||
         kind == FieldKind::kProbeMod || kind == FieldKind::kProbeFunc ||
         kind == FieldKind::kProbeName;
}

namespace {

// A number that is shown as a name.
FieldType number(FieldKind kind) { return {kind, 8, true}; }

FieldType recorded(const Expr* call, const World& world) {
  const auto frames = [call](std::uint32_t normal) {
    return call->args.empty() || call->args[0]->int_value == 0
               ? normal
               : static_cast<std::uint32_t>(
                     std::min<std::uint64_t>(call->args[0]->int_value, record::kMostStackFrames));
  };
  switch (static_cast<Fn>(call->index)) {
    case Fn::kStack:
      return {FieldKind::kStack, 8 * frames(world.stack_frames), false};
    case Fn::kJstack:
      return {FieldKind::kUstack, 8 + 8 * frames(world.java_stack_frames), false};
    case Fn::kUstack:
      return {FieldKind::kUstack, 8 + 8 * frames(world.user_stack_frames), false};
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
      return number(FieldKind::kErrnoName);
    case Fn::kSigname:
      return number(FieldKind::kSignalName);
    case Fn::kSyscallname:
      return number(FieldKind::kSyscallName);
    case Fn::kUsername:
      return number(FieldKind::kUserName);
    case Fn::kGroupname:
      return number(FieldKind::kGroupName);
    default:
      return {FieldKind::kSym, 8, false};
  }
}

}  // namespace

types::TypeId recorded_type(const Expr* call, World& world) {
  const FieldType field = recorded(call, world);
  const types::Kind kind = (field.kind == FieldKind::kStack || field.kind == FieldKind::kUstack)
                               ? types::Kind::kStack
                           : field.size == 16 ? types::Kind::kUserSymbol
                                              : types::Kind::kSymbol;
  return world.types.recorded(kind, static_cast<std::uint32_t>(field.kind), field.size);
}

FieldType field_type(const Expr* e, const World& world, const TypeRules& rules) {
  const types::Type& type = rules.at(e->type);
  switch (type.kind) {
    case types::Kind::kStack:
    case types::Kind::kUserSymbol:
      return {static_cast<FieldKind>(type.count), type.size, false};
    case types::Kind::kSymbol: {
      const auto kind = static_cast<FieldKind>(type.count);
      return kind == FieldKind::kSym || kind == FieldKind::kMod ? FieldType{kind, type.size, false}
                                                                : number(kind);
    }
    default:
      break;
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
