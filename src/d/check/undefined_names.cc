// Only one message for a name, however often it is used: the first. A hint is worked out for it, in
// the order of likelihood: a name of another tracer, a similar name, the same name in another
// scope, a similar enumerator of the kernel.

#include "d/check/undefined_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "d/check/inlines.h"
#include "d/check/kernel_enumerators.h"
#include "d/check/library_use.h"
#include "d/check/predicate_order.h"
#include "d/check/tables.h"
#include "d/check/variable_scope.h"
#include "d/check/versions.h"
#include "d/meaning/foreign_words.h"
#include "d/meaning/function_table.h"
#include "d/syntax/ast.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "support/nearest.h"
#include "support/source.h"

namespace dt::d {

namespace {

// The expression that writes to the variable `name`.
const Expr* assignment_to(const Expr* name, const Expr* e) {
  const Expr* target = written_variable(e);
  if (target != nullptr && target->kind == name->kind && target->text == name->text) {
    return e;
  }
  for (const Expr* arg : e->args) {
    if (const Expr* found = assignment_to(name, arg)) {
      return found;
    }
  }
  return nullptr;
}

const Expr* assignment_to(const Expr* name, const Stmt& stmt) {
  if (stmt.expr != nullptr) {
    if (const Expr* found = assignment_to(name, stmt.expr)) {
      return found;
    }
  }
  for (const Stmt* inner : stmt.body) {
    if (const Expr* found = assignment_to(name, *inner)) {
      return found;
    }
  }
  return nullptr;
}

// The type to declare a variable with that `write`, not yet checked, sets: one
// that loses nothing.
std::string_view type_to_declare(const Expr* write) {
  if (write->kind != ExprKind::kAssign) {
    return "int64_t";
  }
  const Expr* value = write->args[1];
  switch (value->kind) {
    case ExprKind::kInt:
      return value->int_longs > 0 || value->int_value > INT32_MAX ? "int64_t" : "int";
    case ExprKind::kString:
    case ExprKind::kStringof:
      return "string";
    case ExprKind::kCall:
      return value->text == "copyinstr" ? "string" : "int64_t";
    case ExprKind::kIdent:
      if (const auto index = find_builtin(value->text)) {
        const char* const type = builtin_table()[*index].type;
        return type != nullptr ? type : "int64_t";
      }
      return "int64_t";
    default:
      return "int64_t";
  }
}

// All variables that are written to.
void collect_written(const Expr* e, std::vector<const Expr*>& names) {
  if (const Expr* target = written_variable(e)) {
    names.push_back(target);
  }
  for (const Expr* arg : e->args) {
    collect_written(arg, names);
  }
}

void collect_written(const Stmt& stmt, std::vector<const Expr*>& names) {
  if (stmt.expr != nullptr) {
    collect_written(stmt.expr, names);
  }
  for (const Stmt* inner : stmt.body) {
    collect_written(*inner, names);
  }
}

}  // namespace

const std::vector<const Expr*>& UndefinedNames::written() {
  if (!written_) {
    written_.emplace();
    for (const Unit& unit : units_) {
      for (const Clause& clause : unit.clauses) {
        for (const Stmt* stmt : clause.body) {
          collect_written(*stmt, *written_);
        }
      }
    }
    for (const Expr* name : *written_) {
      written_names_.insert(shown(name, scope_of(name)));
    }
  }
  return *written_;
}

bool UndefinedNames::is_assigned(const Expr* name) {
  written();
  return written_names_.contains(shown(name, scope_of(name)));
}

const Expr* UndefinedNames::later_assignment(const Expr* e) const {
  for (const Unit& unit : units_) {
    for (const Clause& clause : unit.clauses) {
      for (const Stmt* stmt : clause.body) {
        if (const Expr* found = assignment_to(e, *stmt)) {
          return found;
        }
      }
    }
  }
  return nullptr;
}

// What may have been meant by a name: the script's own first, wherever in it
// they are declared or written to.
std::vector<std::string_view> UndefinedNames::names_like(const Expr* e, ir::Scope scope) {
  std::vector<std::string_view> names = tables_.variable_names(scope);
  for (const Expr* one : written()) {
    if (one->kind == e->kind) {
      names.push_back(one->text);
    }
  }
  if (scope != ir::Scope::kGlobal) {
    return names;
  }
  for (const auto& more : {inlines_.names(), tables_.enumerator_names()}) {
    names.insert(names.end(), more.begin(), more.end());
  }
  for (const BuiltinInfo& builtin : builtin_table()) {
    if (builtin.type != nullptr) {
      names.emplace_back(builtin.name);
    }
  }
  return names;
}

// `execname == cat`: whether a comparison with a built-in string stands before the name.
bool UndefinedNames::is_compared_with_string(Span span) const {
  std::string_view before = sources_.text({span.source, 0, span.begin});
  const auto trim = [&before] { before = before.substr(0, before.find_last_not_of(" \t\n") + 1); };
  trim();
  if (!before.ends_with("==") && !before.ends_with("!=")) return false;
  before.remove_suffix(2);
  trim();
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto last = std::find_if_not(before.rbegin(), before.rend(), is_of_name);
  const auto length = static_cast<std::size_t>(last - before.rbegin());
  const auto builtin = find_builtin(before.substr(before.size() - length));
  if (!builtin) return false;
  const char* const type = builtin_table()[*builtin].type;
  return type != nullptr && std::string_view(type) == "string";
}

// One message for each name: its other uses would say the same.
void UndefinedNames::report(const Expr* e, ir::Scope scope) {
  if (!reported_.insert(prefix_of(scope) + e->text).second) {
    return;
  }
  if (scope == ir::Scope::kGlobal && (function(e->text) != nullptr || e->text == "args")) {
    error("D_IDENT_BADREF", e->span,
          fmt::format("{} '{}' may not be referenced as scalar",
                      e->text == "args" ? "array" : "function", e->text))
        .hint = e->text == "args" ? "args[0] is the first of them"
                                  : fmt::format("a call has parentheses: {}()", e->text);
    return;
  }
  Diagnostic& d = scope == ir::Scope::kGlobal
                      ? error("D_IDENT_UNDEF", e->span,
                              fmt::format("failed to resolve {}: Unknown variable name", e->text))
                      : error("D_VAR_UNDEF", e->span,
                              fmt::format("{}{} has not yet been declared or assigned",
                                          prefix_of(scope), e->text));
  if (const Expr* later = later_assignment(e)) {
    d.notes.push_back({later->args[0]->span, "it is first assigned here, after this use"});
    d.hint = "declare it before its first use";
    if (later->args[0]->kind == e->kind) {
      d.hint += fmt::format(": {}{} {};",
                            scope == ir::Scope::kThread   ? "self "
                            : scope == ir::Scope::kClause ? "this "
                                                          : "",
                            type_to_declare(later), e->text);
    }
    return;
  }
  if (scope == ir::Scope::kGlobal && version_hint(e->text, d)) {
    return;
  }
  if (const std::string_view written = sources_.text(e->span);
      written.size() > 1 && written[0] == '$' && written[1] != '$') {
    d.hint =
        fmt::format("{} stands for the word itself; ${} is the word as a string", written, written);
    return;
  }
  if (scope == ir::Scope::kGlobal && is_compared_with_string(e->span)) {
    d.hint = fmt::format("a text stands in quotes: \"{}\"", e->text);
    return;
  }
  if (const std::string_view hint = foreign_word(e->text); !hint.empty()) {
    d.hint = hint;
    return;
  }
  const std::string near = support::nearest(e->text, names_like(e, scope));
  if (!near.empty()) {
    d.hint = support::did_you_mean(fmt::format("{}{}", prefix_of(scope), near));
    return;
  }
  if (scope != ir::Scope::kGlobal && tables_.find_variable(e->text, ir::Scope::kGlobal)) {
    d.hint = fmt::format("did you mean the global variable '{}'?", e->text);
  } else if (scope != ir::Scope::kThread && tables_.find_variable(e->text, ir::Scope::kThread)) {
    d.hint = support::did_you_mean("self->" + e->text);
  } else if (scope != ir::Scope::kClause && tables_.find_variable(e->text, ir::Scope::kClause)) {
    d.hint = support::did_you_mean("this->" + e->text);
  } else if (scope == ir::Scope::kGlobal) {
    d.hint = support::did_you_mean(kernel_enumerators_.suggestion(e));
  }
}

// What is not there because of -x version or a library that is left out.
bool UndefinedNames::version_hint(const std::string& name, Diagnostic& d) const {
  if (const auto found = find_builtin(name); found && !builtin(name)) {
    d.hint = fmt::format("it came with version {} of D", builtin_table()[*found].since);
    return true;
  }
  if (inlines_.contains(name) && !versions_.visible(name)) {
    d.hint = "it came with a later version of D than -x version asks for";
    return true;
  }
  d.hint = libraries_.why_not(name);
  return !d.hint.empty();
}

}  // namespace dt::d
