#include "d/check/part.h"

#include <fmt/core.h>

#include "d/check/context.h"
#include "d/check/scope.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/meaning/version.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

Part::Part(Context& context)
    : sources_(context.sources),
      world_(context.world),
      arena_(context.arena),
      diagnostics_(context.diagnostics),
      rules_(context.rules),
      scope_(context.scope),
      said_(context.said),
      expressions_(context.expressions),
      addressed_(context.addressed) {}

Diagnostic& Part::error(std::string_view tag, Span span, std::string text) {
  return diagnostics_.error(tag, span, std::move(text));
}

Diagnostic& Part::error_once(std::string_view tag, Span span, std::string text) {
  if (!scope_.in_library && !said_.once.insert(fmt::format("{} {}", tag, text)).second) {
    said_.again = {};
    return said_.again;
  }
  return error(tag, span, std::move(text));
}

bool Part::has_since(const char* version) const {
  return scope_.in_library || parse_version(version).value_or(0) <= world_.version;
}

const FunctionInfo* Part::function(std::string_view name) const {
  const FunctionInfo* const found = find_function(name);
  return found != nullptr && has_since(found->since) ? found : nullptr;
}

std::optional<std::uint32_t> Part::builtin(std::string_view name) const {
  const auto found = find_builtin(name);
  return found && has_since(builtin_table()[*found].since) ? found : std::nullopt;
}

bool Part::bad(const Expr* e) { return e->type == TypeId{}; }

Span Part::name_span(const Expr* e) { return e->name_span.end != 0 ? e->name_span : e->span; }

std::string Part::type_name(const Expr* e) const {
  return e->kind == ExprKind::kAggregation ? "aggregation" : rules_.name(e->type);
}

bool Part::is_null(const Expr* e) const {
  return e->is_constant && e->int_value == 0 && rules_.is_scalar(e->type);
}

bool Part::is_string_operand(const Expr* e) const { return rules_.is_string_like(e->type); }

bool Part::positive_constant(const Expr* e) const {
  return e->is_constant && rules_.is_integer(e->type) && e->int_value != 0 &&
         (!rules_.is_signed(e->type) || static_cast<std::int64_t>(e->int_value) > 0);
}

bool Part::needs_cast(TypeId to, const Expr* from) const {
  return (rules_.is_pointer(to) && rules_.is_integer(from->type) && !is_null(from)) ||
         (rules_.is_integer(to) && rules_.is_pointer(from->type));
}

std::string Part::cast_hint(TypeId to) const {
  return rules_.is_pointer(to) ? fmt::format("({}) makes an address of it", rules_.name(to))
                               : "a cast, as (uintptr_t), makes a number of an address";
}

std::string Part::quotes_hint(const Expr* e) const {
  const std::string_view written = sources_.text(e->span);
  if (!e->is_char || written.size() <= 3 || written[1] == '\\') {
    return {};
  }
  return fmt::format("did you mean \"{}\"?", written.substr(1, written.size() - 2));
}

std::string Part::comparison_hint(const Expr* e) const {
  if (!rules_.is_string(e->type)) {
    return {};
  }
  return fmt::format("compare it: {} != {}", sources_.text(e->span),
                     e->kind == ExprKind::kCall ? "NULL" : "\"\"");
}

std::string Part::float_hint(const Expr* e) const {
  return rules_.is_float(e->type) ? "there is no floating-point arithmetic in D" : "";
}

void Part::memory_lvalue(Expr* e, TypeId type, bool user) {
  e->type = user ? rules_.to_userland(type) : type;
  e->is_lvalue = true;
  e->in_user = user;
}

void Part::take_address(const Expr* text) {
  while (text->kind == ExprKind::kCast || text->kind == ExprKind::kStringof ||
         text->kind == ExprKind::kAssign) {
    text = text->args[0];
  }
  const bool is_variable = text->symbol == Symbol::kGlobal || text->symbol == Symbol::kThread ||
                           text->symbol == Symbol::kClause;
  if (is_variable && rules_.is_string(text->type)) {
    addressed_.push_back(text->index);
  }
}

void Part::read_rest(Expr* e) {
  if (e->kind == ExprKind::kTernary || e->kind == ExprKind::kComma) {
    const std::size_t first = e->kind == ExprKind::kTernary ? 1 : e->args.size() - 1;
    bool are_strings = true;
    for (std::size_t i = first; i < e->args.size(); ++i) {
      read_rest(e->args[i]);
      are_strings = are_strings && rules_.is_string(e->args[i]->type);
    }
    if (are_strings) e->type = world_.types.string_type();
    return;
  }
  const Expr* text = e;
  while (text->kind == ExprKind::kBinary && rules_.is_pointer(text->type)) {
    text = text->args[rules_.is_integer(text->args[0]->type) ? 1 : 0];
  }
  if (text == e || !rules_.is_string(text->type)) {
    return;
  }
  Expr* const address = arena_.expr();
  *address = *e;
  e->kind = ExprKind::kStringof;
  e->op = Op::kNone;
  e->args = {address};
  e->type = world_.types.string_type();
}

bool Part::may_be_key(TypeId type) const {
  constexpr std::uint32_t kMaxKeyBytes = 4096;
  if (rules_.is_string(type)) {
    return true;
  }
  const std::uint32_t size = rules_.size(type);
  return is_object(type, rules_) ? size != 0 && size <= kMaxKeyBytes
                                 : rules_.is_scalar(type) || rules_.is_dynamic(type);
}

}  // namespace dt::d
