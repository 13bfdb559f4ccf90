// Calls: actions and subroutines.

#include "d/check/checker.h"
#include "d/meaning/foreign_words.h"
#include "d/meaning/object.h"
#include "support/nearest.h"

namespace dt::d {

using types::TypeId;

std::string prototype_mismatch(std::string_view name, std::string_view brackets,
                               std::string_view what, std::size_t passed, std::size_t expected,
                               bool at_least) {
  return fmt::format("{}{} prototype mismatch: {} {}{} passed, {}{} expected", name, brackets,
                     passed, what, passed == 1 ? "" : "s", at_least ? "at least " : "", expected);
}

bool Checker::positive_constant(const Expr* e) const {
  return e->is_constant && rules_.is_integer(e->type) && e->int_value != 0 &&
         (!rules_.is_signed(e->type) || static_cast<std::int64_t>(e->int_value) > 0);
}

void Checker::unsupported(const Expr* e, const FunctionInfo& info) {
  const std::string_view foreign = foreign_subject(info.fn);
  error("D_UNKNOWN", name_span(e),
        fmt::format("{} {}( ) is not supported{}",
                    info.kind == FunctionKind::kAction ? "action" : "subroutine", info.name,
                    foreign.empty() ? " yet" : fmt::format(": {}", foreign)));
}

void Checker::call(Expr* e, bool whole) {
  const FunctionInfo* info = find_function(e->text);
  if (info != nullptr && !visible_since(info->since)) {
    error("D_FUNC_UNDEF", name_span(e), fmt::format("undefined function name: {}", e->text)).hint =
        fmt::format("it came with version {} of D", info->since);
    return;
  }
  if (info == nullptr) {
    if (find_builtin(e->text) || find_variable(e->text, ir::Scope::kGlobal)) {
      error("D_FUNC_IDKIND", name_span(e),
            fmt::format("variable '{}' may not be referenced as function", e->text));
      return;
    }
    Diagnostic& d =
        error("D_FUNC_UNDEF", name_span(e), fmt::format("undefined function name: {}", e->text));
    if (const std::string_view hint = foreign_word(e->text); !hint.empty()) {
      d.hint = hint;
      return;
    }
    // Of those that are as near, what is asked for most comes first.
    std::vector<std::string_view> names = {"printf", "trace", "count", "sum"};
#define DT_FUNCTION(id, name, kind, since, prototype, supported) names.emplace_back(name);
#include "d/meaning/functions.def"
#undef DT_FUNCTION
    const std::string near = support::nearest(e->text, names);
    if (!near.empty()) {
      d.hint = fmt::format("did you mean '{}'?", near);
    }
    return;
  }
  e->index = static_cast<std::uint32_t>(info->fn);
  if (info->kind == FunctionKind::kAggregating) {
    error("D_AGG_FUNC", name_span(e),
          fmt::format("aggregating function {}( ) must be assigned to an aggregation", e->text))
        .hint = fmt::format("write @ = {}(...)", e->text);
    return;
  }
  if (!arguments(e, *info)) {
    return;
  }
  if (is_impossible(e, info->fn)) {
    return;
  }
  if (!info->supported) {
    unsupported(e, *info);
    return;
  }
  if (info->kind == FunctionKind::kSubroutine) {
    e->symbol = Symbol::kSubroutine;
    if (prototype(e, *info)) {
      subroutine(e, info->fn);
    }
    return;
  }
  e->symbol = Symbol::kAction;
  const bool has_value = std::string_view(info->prototype).substr(0, 4) != "void";
  if (!whole && !has_value) {
    error(
        "D_OP_ACT", e->span,
        fmt::format("action {}( ) may be used as a statement only, not in an expression", e->text));
    return;
  }
  if (prototype(e, *info)) {
    action(e, info->fn);
  }
}

// Checks what must have a value, and is no operand: an argument, a key, a condition.
void Checker::value_of(Expr* e, Wanted wanted) {
  const FunctionInfo* info = e->kind == ExprKind::kCall ? find_function(e->text) : nullptr;
  if (info != nullptr && info->kind == FunctionKind::kAction &&
      std::string_view(info->prototype).substr(0, 4) == "void") {
    error("D_CG_EXPR", e->span,
          fmt::format("action {}( ) may not be called from a D expression (D program context "
                      "required)",
                      e->text))
        .hint = "an action is a statement of its own";
    return;
  }
  expr(e, wanted);
}

// Checks the arguments themselves. Aggregations are for the actions that take them.
bool Checker::arguments(Expr* e, const FunctionInfo& info) {
  const bool takes_aggregations = info.fn == Fn::kPrinta || info.fn == Fn::kClear ||
                                  info.fn == Fn::kTrunc || info.fn == Fn::kNormalize ||
                                  info.fn == Fn::kDenormalize || info.fn == Fn::kTrace ||
                                  info.fn == Fn::kPrint;
  bool ok = true;
  for (Expr* argument : e->args) {
    if (argument->kind == ExprKind::kAggregation && takes_aggregations) {
      continue;
    }
    value_of(argument, {.translation = info.fn == Fn::kTrace || info.fn == Fn::kPrint});
    ok = ok && !bad(argument);
  }
  return ok;
}

bool Checker::compatible(std::string_view parameter, const Expr* argument) {
  if (parameter == "@") {
    return true;
  }
  if (parameter == "string" || parameter == "const char *" || parameter == "char *") {
    return is_string_operand(argument) || is_null(argument);
  }
  const std::optional<TypeId> type = rules_.parse(parameter);
  if (!type) {
    return rules_.is_scalar(argument->type);
  }
  if (rules_.is_pointer(*type)) {
    return rules_.is_scalar(argument->type) && rules_.pointers_compatible(*type, argument->type);
  }
  if (parameter == "uintptr_t") {  // an address; ports that want a cast here only annoy
    return rules_.is_scalar(argument->type);
  }
  return rules_.is_integer(argument->type);
}

bool Checker::prototype(const Expr* e, const FunctionInfo& info) {
  const Prototype wanted = parse_prototype(info.prototype);
  if (wanted.parameters.empty() && wanted.variadic) {
    return true;
  }
  // The words of these are their own (D_STACK_PROTO, ...).
  if (info.fn == Fn::kStack || info.fn == Fn::kUstack || info.fn == Fn::kJstack) {
    return true;
  }
  const std::size_t passed = e->args.size();
  const bool too_many = !wanted.variadic && passed > wanted.parameters.size();
  if (passed < wanted.required || too_many) {
    const bool at_least = wanted.variadic || wanted.parameters.size() > wanted.required;
    const bool is_tracemem = too_many && info.fn == Fn::kTracemem;
    Diagnostic& d = error(is_tracemem ? "D_TRACEMEM_ARGS" : "D_PROTO_LEN", e->span,
                          prototype_mismatch(e->text, "( )", "arg", passed,
                                             too_many ? wanted.parameters.size() : wanted.required,
                                             at_least && !too_many));
    d.hint = fmt::format("{} is {}", e->text, info.prototype);
    return false;
  }
  for (std::size_t i = 0; i < passed && i < wanted.parameters.size(); ++i) {
    const Expr* argument = e->args[i];
    // What is copied from may be a string.
    if (i == 0 && (info.fn == Fn::kBcopy || info.fn == Fn::kCopyout) &&
        rules_.is_string(argument->type)) {
      continue;
    }
    if (argument->kind == ExprKind::kAggregation || info.fn == Fn::kTracemem ||
        info.fn == Fn::kPrintf || info.fn == Fn::kPrintm) {
      continue;
    }
    if (!compatible(wanted.parameters[i], argument)) {
      error("D_PROTO_ARG", argument->span,
            fmt::format("{}( ) argument #{} is incompatible with prototype:\n\tprototype: {}\n"
                        "\t argument: {}",
                        e->text, i + 1, wanted.parameters[i], type_name(argument)))
          .hint = quotes_hint(argument);
      return false;
    }
  }
  return true;
}

void Checker::action(Expr* e, Fn fn) {
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
      printf(e);
      return;
    case Fn::kFreopen:
      freopen(e);
      return;
    case Fn::kPrinta:
      printa(e);
      return;
    case Fn::kStack:
    case Fn::kUstack:
    case Fn::kJstack:
      stack(e, fn);
      return;
    case Fn::kPcap:
      has_kernel_members(e, "pcap( )", packet_members());
      return;
    case Fn::kSym:
    case Fn::kFunc:
    case Fn::kMod:
      e->type = world_.types.symbol_type();
      return;
    case Fn::kUsym:
    case Fn::kUfunc:
    case Fn::kUmod:
    case Fn::kUaddr:
      e->type = world_.types.user_symbol_type();
      return;
    case Fn::kClear:
    case Fn::kTrunc:
    case Fn::kNormalize:
    case Fn::kDenormalize:
      aggregation_action(e, fn);
      return;
    default:
      return;
  }
}

void Checker::trace(Expr* e) {
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
        member_hint(value);
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

void Checker::tracemem(Expr* e) {
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

void Checker::stack(Expr* e, Fn fn) {
  const bool user = fn != Fn::kStack;
  const std::size_t most = user ? 2 : 1;
  e->type = world_.types.stack_type();
  if (e->args.size() > most) {
    error(user ? "D_USTACK_PROTO" : "D_STACK_PROTO", e->span,
          prototype_mismatch(e->text, "( )", "arg", e->args.size(), most, false));
    return;
  }
  constexpr std::uint64_t kMaxFrames = 127;
  if (!e->args.empty()) {
    const Expr* frames = e->args[0];
    const char* tag = user ? "D_USTACK_FRAMES" : "D_STACK_SIZE";
    if (!positive_constant(frames) && !(user && frames->is_constant && frames->int_value == 0)) {
      error(tag, frames->span,
            fmt::format("{}( ) argument #1 must be a non-zero positive integer constant", e->text));
      return;
    }
    if (frames->int_value > kMaxFrames) {
      error(tag, frames->span,
            fmt::format("{}( ) argument #1 is too large: the kernel gives at most {} frames",
                        e->text, kMaxFrames));
      return;
    }
  }
  if (e->args.size() > 1 &&
      (!e->args[1]->is_constant || static_cast<std::int64_t>(e->args[1]->int_value) < 0)) {
    error("D_USTACK_STRSIZE", e->args[1]->span,
          fmt::format("{}( ) argument #2 must be a positive integer constant", e->text));
  }
}

void Checker::subroutine(Expr* e, Fn fn) {
  const Prototype wanted = parse_prototype(function_info(fn).prototype);
  e->type = rules_.parse(wanted.result).value_or(rules_.int64_type());
  if ((fn == Fn::kLltostr || fn == Fn::kStrtoll) && e->args.size() > 1) {
    const Expr* base = e->args[1];
    const auto number = static_cast<std::int64_t>(base->int_value);
    if (base->is_constant && (number < 2 || number > 36)) {
      error("D_PROTO_ARG", base->span,
            fmt::format("{}( ) argument #2 must be from 2 to 36, not {}", e->text, number));
    }
  }
  if (fn == Fn::kInetNtop || fn == Fn::kLinkNtop) {
    address_family(e, fn);
  }
  if (!has_kernel_members(e, e->text + "( )", kernel_members(fn))) {
    e->type = {};
  }
}

}  // namespace dt::d
