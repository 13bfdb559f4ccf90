#include "d/check/call_prototypes.h"

#include <fmt/core.h>

#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "support/diagnostics.h"

namespace dt::d {

bool CallPrototypes::compatible(std::string_view parameter, const Expr* argument) {
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
    return (rules_.is_pointer(argument->type) || is_null(argument)) &&
           rules_.pointers_compatible(*type, argument->type);
  }
  if (parameter == "uintptr_t") {  // an address; ports that want a cast here only annoy
    return rules_.is_scalar(argument->type);
  }
  return rules_.is_integer(argument->type);
}

bool CallPrototypes::fits(const Expr* e, const FunctionInfo& info) {
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
    if (info.fn == Fn::kTracemem || info.fn == Fn::kPrintm) {
      continue;  // the tags of these are their own (D_TRACEMEM_ADDR, ...)
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

}  // namespace dt::d
