#include "d/check/names.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "d/check/expander.h"
#include "d/check/fold.h"
#include "d/check/inlines.h"
#include "d/check/kernel_enumerators.h"
#include "d/check/kernel_use.h"
#include "d/check/library_use.h"
#include "d/check/scope.h"
#include "d/check/tables.h"
#include "d/check/undefined_names.h"
#include "d/check/variable_scope.h"
#include "d/meaning/foreign_words.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

using types::TypeId;

TypeId Names::builtin_type(std::uint32_t index, Span span) {
  if (builtin_types_.size() <= index) {
    builtin_types_.resize(builtin_table().size());
  }
  TypeId& type = builtin_types_[index];
  if (type != TypeId{}) {
    return type;
  }
  const BuiltinInfo& info = builtin_table()[index];
  std::optional<TypeId> found = rules_.parse(info.type);
  if (!found && info.builtin == ir::Builtin::kCurthread) {
    Diagnostic& d =
        error_once("D_SYM_NOTYPES", span,
                   "the type of 'curthread' is not known: struct task_struct was not found");
    d.hint = world_.types.errors();
    return TypeId{};
  }
  if (!found) {
    const ir::Type plain = ir::builtin_type(info.builtin);
    found = world_.types.integer(plain.size, plain.is_signed);
  }
  type = *found;
  return type;
}

void Names::identifier(Expr* e) {
  if (const Binding* binding = expander_.binding(e->text)) {
    expander_.parameter(e, *binding);
    return;
  }
  // The body of a library's inline keeps all of D where it is expanded.
  const bool is_of_library = sources_.at(e->span.source).is_library;
  if (const auto found = is_of_library ? find_builtin(e->text) : builtin(e->text)) {
    if (builtin_table()[*found].type == nullptr) {
      if (InlineInfo* library = inlines_.find(e->text)) {
        inlines_.use(e, *library, 0);
        return;
      }
      kernel_.unsupported_variable(e);
      return;
    }
    e->symbol = Symbol::kBuiltin;
    e->index = *found;
    e->type = builtin_type(*found, e->span);
    kernel_.derived_variable(e);
    return;
  }
  if (const EnumeratorValue* found = tables_.find_enumerator(e->text)) {
    e->symbol = Symbol::kEnumerator;
    set_constant(e, found->value, found->type, rules_);
    return;
  }
  if (InlineInfo* info = inlines_.visible(e->text)) {
    inlines_.use(e, *info, 0);
    return;
  }
  if (e->text == "NULL") {
    e->symbol = Symbol::kInline;
    set_constant(e, 0, rules_.int_type(), rules_);
    return;
  }
  if (!tables_.find_variable(e->text, ir::Scope::kGlobal) && libraries_.load(e->text)) {
    if (InlineInfo* library = inlines_.find(e->text)) {
      inlines_.use(e, *library, 0);
      return;
    }
    if (const EnumeratorValue* found = tables_.find_enumerator(e->text)) {
      e->symbol = Symbol::kEnumerator;
      set_constant(e, found->value, found->type, rules_);
      return;
    }
  }
  if (!kernel_enumerator(e)) {
    variable(e, ir::Scope::kGlobal);
  }
}

// Without a module, or with the name of what is the kernel itself elsewhere.
bool Names::take_from_library(Expr* e) {
  const bool is_of_kernel =
      e->module.empty() || e->module == "genunix" || e->module == "unix" || e->module == "kernel";
  if (e->kind != ExprKind::kScoped || !is_of_kernel || !is_symbol_of_library(e->text)) return false;
  std::string name = "solaris_" + e->text;
  if (inlines_.find(name) == nullptr) return false;
  e->kind = ExprKind::kIdent;
  e->text = std::move(name);
  return true;
}

// What the script gives a meaning, be it later than here, is not the kernel's.
bool Names::kernel_enumerator(Expr* e) {
  return KernelEnumerators::is_plain_name(e) &&
         !tables_.find_variable(e->text, ir::Scope::kGlobal) &&
         !tables_.is_unknown(e->text, ir::Scope::kGlobal) && !inlines_.contains(e->text) &&
         libraries_.why_not(e->text).empty() && !undefined_.is_assigned(e) &&
         kernel_enumerators_.resolve(e);
}

void Names::variable(Expr* e, ir::Scope scope) {
  const auto found = tables_.find_variable(e->text, scope);
  if (!found) {
    if (!tables_.is_unknown(e->text, scope)) {
      undefined_.report(e, scope);
    }
    return;
  }
  const VariableInfo& info = tables_.variable(*found);
  if (info.is_array) {
    error("D_IDENT_BADREF", e->span,
          fmt::format("associative array '{}' may not be referenced as scalar", shown(e, scope)));
    return;
  }
  e->symbol = symbol_of(scope);
  e->index = *found;
  e->type = info.type;
  e->is_lvalue = true;
}

// True for x, self->x, this->x and x[...] of a variable that does not exist.
bool Names::is_new(const Expr* target) const {
  const Expr* base = target->kind == ExprKind::kIndex ? target->args[0] : target;
  if (!is_variable_node(base) || tables_.find_variable(base->text, scope_of(base))) {
    return false;
  }
  return base->kind != ExprKind::kIdent ||
         (!builtin(base->text) && function(base->text) == nullptr &&
          !inlines_.contains(base->text) && tables_.find_enumerator(base->text) == nullptr &&
          base->text != "NULL" && base->text != "args");
}

}  // namespace dt::d
