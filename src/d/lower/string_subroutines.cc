#include "d/lower/string_subroutines.h"

#include <limits>

#include "d/lower/capacities.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

using ir::Subroutine;
using ir::ValueId;

namespace {

Subroutine of_strings(Fn fn) {
  switch (fn) {
    case Fn::kStrjoin:
      return Subroutine::kStrjoin;
    case Fn::kSubstr:
      return Subroutine::kSubstr;
    case Fn::kTolower:
      return Subroutine::kTolower;
    case Fn::kToupper:
      return Subroutine::kToupper;
    case Fn::kBasename:
      return Subroutine::kBasename;
    case Fn::kDirname:
      return Subroutine::kDirname;
    case Fn::kCleanpath:
      return Subroutine::kCleanpath;
    default:
      DT_UNREACHABLE("subroutine {}", function_info(fn).name);
  }
}

}  // namespace

ValueId StringSubroutines::call(Subroutine subroutine, ir::Type type, std::vector<ValueId> args) {
  ir::Inst inst;
  inst.op = ir::Op::kCall;
  inst.type = type;
  inst.index = static_cast<std::uint32_t>(subroutine);
  inst.args = std::move(args);
  return b_->add(std::move(inst));
}

ValueId StringSubroutines::integer(const Expr* e) {
  const auto fn = static_cast<Fn>(e->index);
  switch (fn) {
    case Fn::kStrlen: {
      const ValueId text = read_string(e->args[0]);
      b_->at(e->span);
      return call(Subroutine::kStrlen, ir::Type::u64(), {text});
    }
    case Fn::kIndex:
    case Fn::kRindex: {
      const bool is_first = fn == Fn::kIndex;
      const ValueId text = read_string(e->args[0]);
      const ValueId part = read_string(e->args[1]);
      const bool has_start = e->args.size() > 2;
      const ValueId start = has_start  ? value(e->args[2])
                            : is_first ? b_->constant(0)
                                       : b_->constant(program_.string_size);
      b_->at(e->span);
      return call(is_first ? Subroutine::kIndex : Subroutine::kRindex, ir::Type::s32(),
                  {text, part, start});
    }
    case Fn::kStrtoll: {
      const ValueId text = read_string(e->args[0]);
      const ValueId radix = base(e);
      b_->at(e->span);
      return call(Subroutine::kStrtoll, ir::Type::s64(), {text, radix});
    }
    default:
      DT_UNREACHABLE("subroutine {}", function_info(fn).name);
  }
}

// The last argument of lltostr() and strtoll(); what is not constant is held
// against its limits when it is known.
ValueId StringSubroutines::base(const Expr* e) {
  if (e->args.size() < 2) {
    return b_->constant(10);
  }
  const ValueId radix = value(e->args[1]);
  if (e->args[1]->is_constant) {
    return radix;
  }
  b_->at(e->args[1]->span);
  const ir::BlockId good = b_->block();
  const ir::BlockId bad = b_->block();
  const ValueId above = b_->binary(ir::Op::kSub, radix, b_->constant(2), ir::Type::s64());
  b_->branch(b_->binary(ir::Op::kLeU, above, b_->constant(34), ir::Type::s32()), good, bad);
  b_->enter(bad);
  b_->fault(record::Fault::kIllegalOperation);
  b_->ret();
  b_->enter(good);
  return radix;
}

std::optional<StringSubroutines::Found> StringSubroutines::find(const Expr* e) {
  if (e->kind != ExprKind::kCall || e->symbol != Symbol::kSubroutine) {
    return std::nullopt;
  }
  const auto fn = static_cast<Fn>(e->index);
  if (fn != Fn::kStrstr && fn != Fn::kStrchr && fn != Fn::kStrrchr && fn != Fn::kJson) {
    return std::nullopt;
  }
  const ValueId text = read_string(e->args[0]);
  std::vector<ValueId> args = {text};
  Subroutine how = fn == Fn::kStrchr ? Subroutine::kFindChar : Subroutine::kFindLastChar;
  if (fn == Fn::kJson) {
    args.push_back(read_string(e->args[1]));
    b_->at(e->span);
    return Found{text, call(Subroutine::kJson, ir::Type::s64(), std::move(args))};
  }
  if (fn == Fn::kStrstr) {
    how = Subroutine::kIndex;
    args.push_back(read_string(e->args[1]));
    args.push_back(b_->constant(0));
  } else {
    args.push_back(value(e->args[1]));
  }
  b_->at(e->span);
  return Found{text, call(how, ir::Type::s32(), std::move(args))};
}

std::optional<ValueId> StringSubroutines::null_test(const Expr* e) {
  for (const bool is_left : {true, false}) {
    if (!is_null(e->args[is_left ? 1 : 0])) {
      continue;
    }
    if (const auto found = find(e->args[is_left ? 0 : 1])) {
      b_->at(e->span);
      const ValueId zero = b_->constant(0);
      return e->op == Op::kEq ? b_->binary(ir::Op::kLtS, found->position, zero, ir::Type::s32())
                              : b_->binary(ir::Op::kLeS, zero, found->position, ir::Type::s32());
    }
  }
  return std::nullopt;
}

ValueId StringSubroutines::found_string(const Expr* e, const Found& found) {
  const bool is_json = static_cast<Fn>(e->index) == Fn::kJson;
  return call(is_json ? Subroutine::kPart : Subroutine::kTail,
              ir::Type::string(capacities_.of_subroutine(e)), {found.text, found.position});
}

ValueId StringSubroutines::string_call(const Expr* e) {
  const ir::Type type = ir::Type::string(capacities_.of_subroutine(e));
  const auto fn = static_cast<Fn>(e->index);
  if (const auto found = find(e)) {
    return found_string(e, *found);
  }
  switch (fn) {
    case Fn::kStrtok:
      return token(e, type);
    case Fn::kMemstr:
      return limited_string(e, type);
    case Fn::kLltostr: {
      const ValueId number = value(e->args[0]);
      const ValueId radix = base(e);
      b_->at(e->span);
      return call(Subroutine::kLltostr, type, {number, radix});
    }
    default:
      break;
  }
  const Subroutine subroutine = of_strings(fn);
  const std::string_view operands = ir::subroutine_info(subroutine).operands;
  std::vector<ValueId> args;
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    args.push_back(operands[i] == 's' ? read_string(e->args[i]) : value(e->args[i]));
  }
  b_->at(e->span);
  if (subroutine == Subroutine::kSubstr && args.size() < 3) {
    args.push_back(b_->constant(std::numeric_limits<std::int32_t>::max()));
  }
  return call(subroutine, type, std::move(args));
}

// strtok(NULL, ...) goes on where the one before it stopped.
ValueId StringSubroutines::token(const Expr* e, ir::Type type) {
  const bool goes_on = is_null(e->args[0]);
  std::vector<ValueId> args;
  for (const Expr* argument : e->args) {
    if (argument != e->args[0] || !goes_on) {
      args.push_back(read_string(argument));
    }
  }
  b_->at(e->span);
  return call(goes_on ? Subroutine::kStrtokNext : Subroutine::kStrtok, type, std::move(args));
}

ValueId StringSubroutines::limited_string(const Expr* e, ir::Type type) {
  std::vector<ValueId> args;
  for (const Expr* argument : e->args) {
    args.push_back(rules_.kind(argument->type) == types::Kind::kArray ? address(argument)
                                                                      : value(argument));
  }
  b_->at(e->span);
  return read(args[0], type, whose_target(e->args[0]), [&](bool user) {
    return call(user ? Subroutine::kMemstrUser : Subroutine::kMemstr, type, args);
  });
}

}  // namespace dt::d::lowering
