// An action records values or acts on the system; its result is void, so it is a statement of its
// own. Arguments are checked against a prototype, like those of a subroutine; what the prototype
// cannot say, for example that the depth of a stack is a constant, is checked here.

#include "d/check/actions.h"

#include <fmt/core.h>

#include "d/check/aggregation_actions.h"
#include "d/check/checked.h"
#include "d/check/field_type.h"
#include "d/check/formats.h"
#include "d/check/kernel_use.h"
#include "d/check/rows.h"
#include "d/check/translators.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

void Actions::check(Expr* e, Fn fn) {
  e->type = world_.types.void_type();
  switch (fn) {
    case Fn::kTrace:
      trace(e);
      return;
    case Fn::kTracemem:
      tracemem(e);
      return;
    case Fn::kPrint:
      print(e);
      return;
    case Fn::kPrintm:
      printm(e);
      return;
    case Fn::kPrintf:
    case Fn::kSystem:
      formats_.printf(e);
      return;
    case Fn::kPrintrow:
      rows_.check(e);
      return;
    case Fn::kFreopen:
      freopen(e);
      return;
    case Fn::kPrinta:
      formats_.printa(e);
      return;
    case Fn::kStack:
    case Fn::kUstack:
    case Fn::kJstack:
      stack(e, fn);
      return;
    case Fn::kPcap:
      kernel_.has_members(e, "pcap( )", packet_members());
      return;
    case Fn::kSym:
    case Fn::kFunc:
    case Fn::kMod:
    case Fn::kErrname:
    case Fn::kSigname:
    case Fn::kSyscallname:
    case Fn::kUsername:
    case Fn::kGroupname:
    case Fn::kUsym:
    case Fn::kUfunc:
    case Fn::kUmod:
    case Fn::kUaddr:
      e->type = recorded_type(e, world_);
      return;
    case Fn::kClear:
    case Fn::kTrunc:
    case Fn::kNormalize:
    case Fn::kDenormalize:
      aggregation_actions_.check(e, fn);
      return;
    default:
      return;
  }
}

void Actions::trace(Expr* e) {
  read_rest(e->args[0]);
  const Expr* value = e->args[0];
  if (value->kind == ExprKind::kAggregation) {
    error("D_TRACE_AGG", value->span, "trace( ) may not be applied to an aggregation").hint =
        fmt::format("use printa(@{})", shown_name(value->text));
    return;
  }
  if (rules_.is_void(value->type)) {
    error("D_TRACE_VOID", value->span, "trace( ) may not be applied to a void expression");
    return;
  }
  if (rules_.is_dynamic(value->type) || value->translation != 0) {
    error("D_TRACE_DYN", value->span, "trace( ) may not be applied to a dynamic expression").hint =
        translators_.member_hint(value);
    return;
  }
  const Expr* inner = value;
  while (inner->kind == ExprKind::kCast) {
    inner = inner->args[0];
  }
  if (inner->kind == ExprKind::kCall && inner->symbol == Symbol::kSubroutine &&
      static_cast<Fn>(inner->index) == Fn::kCopyin && !inner->args[1]->is_constant) {
    error("D_TRACE_DYN", inner->args[1]->span,
          "trace( ) of copyin( ) needs a constant size, which is what is recorded");
    return;
  }
  if (inner->kind == ExprKind::kCall && inner->symbol == Symbol::kSubroutine &&
      static_cast<Fn>(inner->index) == Fn::kCopyin &&
      (inner->args[1]->int_value == 0 || inner->args[1]->int_value > kMaxRecordedBytes)) {
    error("D_TRACE_DYN", inner->args[1]->span,
          fmt::format("trace( ) of copyin( ) records from 1 to {} bytes", kMaxRecordedBytes));
    return;
  }
  if (rules_.is_float(value->type)) {
    error("D_TRACE_DYN", value->span,
          fmt::format("trace( ) may not be applied to a value of type \"{}\"", type_name(value)))
        .hint = "use printf() with %f, %e or %g";
    return;
  }
  if (rules_.is_aggregate(value->type) && rules_.size(value->type) == 0) {
    error("D_TRACE_DYN", value->span,
          fmt::format("trace( ) may not be applied to a value of type \"{}\"", type_name(value)));
    return;
  }
  if (!rules_.is_string(value->type) && rules_.size(value->type) > kMaxRecordedBytes) {
    error("D_TRACE_DYN", value->span,
          fmt::format("trace( ) of {} bytes is too large: the limit is {}",
                      rules_.size(value->type), kMaxRecordedBytes))
        .hint = "trace a member, or use tracemem()";
  }
}

void Actions::tracemem(Expr* e) {
  const Expr* address = e->args[0];
  const Expr* size = e->args[1];
  if (!rules_.is_scalar(address->type)) {
    error("D_TRACEMEM_ADDR", address->span,
          fmt::format("tracemem( ) argument #1 is incompatible with prototype:\n\tprototype: "
                      "pointer or integer\n\t argument: {}",
                      type_name(address)));
    return;
  }
  if (!positive_constant(size)) {
    error("D_TRACEMEM_SIZE", size->span,
          "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
    return;
  }
  if (size->int_value > kMaxRecordedBytes) {
    error("D_TRACEMEM_SIZE", size->span,
          fmt::format("tracemem( ) argument #2 is too large: the limit is {} bytes",
                      kMaxRecordedBytes));
    return;
  }
  if (rules_.kind(address->type) == types::Kind::kArray &&
      home_of(address, rules_) != Home::kMemory && size->int_value > rules_.size(address->type)) {
    error("D_TRACEMEM_SIZE", size->span,
          fmt::format("tracemem( ) argument #2 is too large: {} has {} bytes",
                      sources_.text(address->span), rules_.size(address->type)));
    return;
  }
  if (e->args.size() > 2 && !rules_.is_integer(e->args[2]->type)) {
    error("D_TRACEMEM_DYNSIZE", e->args[2]->span,
          fmt::format("tracemem( ) argument #3 must be of integral type, not \"{}\"",
                      type_name(e->args[2])));
  }
}

void Actions::stack(Expr* e, Fn fn) {
  const bool user = fn != Fn::kStack;
  const std::size_t most = user ? 2 : 1;
  if (e->args.size() > most) {
    error(user ? "D_USTACK_PROTO" : "D_STACK_PROTO", e->span,
          prototype_mismatch(e->text, "( )", "arg", e->args.size(), most, false));
    return;
  }
  if (!e->args.empty()) {
    const Expr* frames = e->args[0];
    const char* tag = user ? "D_USTACK_FRAMES" : "D_STACK_SIZE";
    if (!positive_constant(frames)) {
      error(tag, frames->span,
            fmt::format("{}( ) argument #1 must be a non-zero positive integer constant", e->text));
      return;
    }
  }
  if (e->args.size() > 1 &&
      (!e->args[1]->is_constant || static_cast<std::int64_t>(e->args[1]->int_value) < 0)) {
    error("D_USTACK_STRSIZE", e->args[1]->span,
          fmt::format("{}( ) argument #2 must be a positive integer constant", e->text));
    return;
  }
  e->type = recorded_type(e, world_);
}

// freopen(format, ...): an empty format is the output that there was at first.
void Actions::freopen(Expr* e) {
  const Expr* format = e->args[0];
  if (format->kind == ExprKind::kString &&
      (format->text == "." || format->text == ".." || format->text == "...")) {
    error("D_FREOPEN_INVALID", format->span,
          fmt::format("freopen( ) argument #1 cannot be \"{}\"", format->text));
    return;
  }
  if (format->kind == ExprKind::kString && format->text.empty() && e->args.size() == 1) {
    return;
  }
  formats_.printf(e);
}

void Actions::print(Expr* e) {
  read_rest(e->args[0]);
  const Expr* value = e->args[0];
  if (value->kind == ExprKind::kAggregation) {
    error("D_PRINT_AGG", value->span, "print( ) may not be applied to an aggregation").hint =
        fmt::format("use printa(@{})", shown_name(value->text));
    return;
  }
  if (rules_.is_void(value->type)) {
    error("D_PRINT_VOID", value->span, "print( ) may not be applied to a void expression");
    return;
  }
  if (value->translation != 0 && rules_.is_aggregate(value->type)) {
    translators_.build(e->args[0]);
    if (bad(value)) {
      return;
    }
  }
  const bool is_memory = rules_.is_aggregate(value->type) || rules_.is_float(value->type) ||
                         rules_.kind(value->type) == types::Kind::kArray;
  if (rules_.is_dynamic(value->type) || value->translation != 0) {
    error("D_PRINT_DYN", value->span, "print( ) may not be applied to a dynamic expression").hint =
        translators_.member_hint(value);
  } else if (is_memory && value->kind != ExprKind::kBuilt &&
             (rules_.size(value->type) == 0 || !value->is_lvalue) && !is_string_operand(value)) {
    error("D_PRINT_DYN", value->span,
          fmt::format("print( ) may not be applied to a value of type \"{}\"", type_name(value)));
  } else if (is_memory && rules_.size(value->type) > kMaxRecordedBytes) {
    error("D_PRINT_DYN", value->span,
          fmt::format("print( ) of {} bytes is too large: the limit is {}",
                      rules_.size(value->type), kMaxRecordedBytes))
        .hint = "print a member";
  }
}

void Actions::printm(Expr* e) {
  const Expr* size = e->args[0];
  const Expr* address = e->args[1];
  if (!positive_constant(size)) {
    error("D_PRINTM_SIZE", size->span,
          "printm( ) argument #1 must be a non-zero positive integral constant expression");
  } else if (size->int_value > kMaxRecordedBytes) {
    error("D_PRINTM_SIZE", size->span,
          fmt::format("printm( ) argument #1 is too large: the limit is {} bytes",
                      kMaxRecordedBytes));
  } else if (!rules_.is_scalar(address->type)) {
    error("D_PRINTM_ADDR", address->span,
          fmt::format("printm( ) argument #2 is incompatible with prototype:\n\tprototype: "
                      "pointer or integer\n\t argument: {}",
                      type_name(address)));
  }
}

}  // namespace dt::d
