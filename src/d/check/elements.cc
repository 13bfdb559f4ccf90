// `a[i]` is three things in D: an element of an associative array, whose keys may have any types;
// an element of an array of C; and a use of an inline with parameters. What `a` is decides.

#include "d/check/elements.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/check/expander.h"
#include "d/check/inlines.h"
#include "d/check/kernel_use.h"
#include "d/check/names.h"
#include "d/check/objects.h"
#include "d/check/probe_arguments.h"
#include "d/check/scope.h"
#include "d/check/tables.h"
#include "d/check/variable_scope.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

// Of an inline with parameters, or of the registers: both look like arrays.
bool Elements::named_element(Expr* e, const std::string& name) {
  const auto builtin = find_builtin(name);
  const bool is_bound = expander_.binding(name) != nullptr;
  const bool is_variable = tables_.find_variable(name, ir::Scope::kGlobal).has_value();
  const bool is_known =
      is_bound || is_variable || (builtin && builtin_table()[*builtin].type != nullptr);
  InlineInfo* info = is_known ? nullptr : inlines_.find(name);
  if (info != nullptr && !info->definition->parameter_names.empty()) {
    inlines_.use(e, *info, 1);
    return true;
  }
  if (!is_register_array(name) || is_variable) {
    return false;
  }
  if (!kernel_.register_element(e)) {
    thread_register(e);
  }
  return true;
}

void Elements::index(Expr* e) {
  if (multidimensional(e)) {
    return;
  }
  Expr* base = e->args[0];
  names_.take_from_library(base);
  const Expr* root = base;
  while (root->kind == ExprKind::kIndex) {
    root = root->args[0];
  }
  if (root != base && names_.is_new(root) && inlines_.find(root->text) == nullptr &&
      !tables_.is_unknown(root->text, scope_of(root))) {
    error("D_ARR_BADREF", e->span,
          fmt::format("{} is not an array of arrays", sources_.text(root->span)))
        .hint =
        fmt::format("keys are separated by commas, as in {}[a, b]", sources_.text(root->span));
    return;
  }
  if (base->kind == ExprKind::kIdent && base->text == "args") {
    probe_arguments_.element(e);
    return;
  }
  if (base->kind == ExprKind::kIdent && named_element(e, base->text)) {
    return;
  }
  if (is_variable_node(base) && (base->kind != ExprKind::kIdent || !find_builtin(base->text))) {
    const auto found = tables_.find_variable(base->text, scope_of(base));
    if (found && tables_.variable(*found).is_array) {
      array_element(e, *found);
      return;
    }
  }
  expr(base);
  if (bad(base)) {
    return;
  }
  if (rules_.is_string(base->type)) {
    return character(e);
  }
  memory_element(e, base);
}

// Of an array or a pointer.
void Elements::memory_element(Expr* e, const Expr* base) {
  if (!rules_.is_pointer(base->type) || rules_.kind(base->type) == types::Kind::kFunction) {
    if (is_variable_node(base)) {
      error(
          "D_IDENT_BADREF", base->span,
          fmt::format("scalar '{}' may not be referenced as an array", sources_.text(base->span)));
    } else {
      error("D_DEREF_NONPTR", base->span,
            fmt::format("cannot index a value of type \"{}\"", type_name(base)));
    }
    return;
  }
  if (e->args.size() != 2) {
    error("D_ARR_BADREF", e->span, "a pointer or an array of the kernel takes one index");
    return;
  }
  Expr* at = e->args[1];
  if (!objects_.integer_index(at) || !objects_.within_bounds(base, at)) {
    return;
  }
  const bool user = home_of(base, rules_) == Home::kMemory &&
                    (base->in_user || rules_.is_userland_pointer(base->type));
  const TypeId element = rules_.pointee(base->type);
  if (rules_.is_void(element)) {
    error("D_DEREF_VOID", base->span, "cannot dereference pointer to void");
    return;
  }
  if (rules_.kind(element) == types::Kind::kForward) {
    error("D_OP_INCOMPLETE", base->span,
          fmt::format("operator [ ] cannot be applied to a pointer to incomplete type \"{}\"",
                      rules_.name(element)));
    return;
  }
  memory_lvalue(e, element,
                rules_.kind(base->type) == types::Kind::kArray
                    ? user
                    : rules_.is_userland_pointer(base->type));
}

// uregs[n] of what the kernel keeps elsewhere than in struct pt_regs: the library knows where.
void Elements::thread_register(Expr* e) {
  if (InlineInfo* info = inlines_.find("thread_register")) {
    inlines_.use(e, *info, 1);
  } else {
    error("D_REGS_IDX", e->args[1]->span,
          fmt::format("index {} of uregs[ ] needs the library regs.d, which is not there",
                      e->args[1]->int_value));
  }
}

// s[n] of a string.
void Elements::character(Expr* e) {
  if (e->args.size() != 2) {
    error("D_ARR_BADREF", e->span, "a string takes one index");
  } else if (objects_.integer_index(e->args[1])) {
    take_address(e->args[0]);
    memory_lvalue(e, rules_.char_type(), false);
  }
}

// Checks the keys from args[first] on; those already checked are not again.
bool Elements::keys(Expr* e, std::size_t first) {
  bool ok = true;
  for (std::size_t i = first; i < e->args.size(); ++i) {
    Expr* key = e->args[i];
    if (bad(key)) {
      expr(key);
    }
    if (bad(key)) {
      ok = false;
    } else if (!may_be_key(key->type)) {
      error("D_KEY_TYPE", key->span,
            fmt::format("\"{}\" expression may not be used as associative array index: key #{}",
                        type_name(key), i - first + 1));
      ok = false;
    }
  }
  return ok;
}

void Elements::array_element(Expr* e, std::uint32_t variable) {
  if (!keys(e, 1)) {
    return;
  }
  VariableInfo& info = tables_.variable(variable);
  const std::size_t count = e->args.size() - 1;
  const std::string name = shown(e->args[0], info.scope);
  if (count != info.keys.size()) {
    Diagnostic& d = error("D_PROTO_LEN", e->span,
                          prototype_mismatch(name, "[ ]", "key", count, info.keys.size(), false));
    d.notes.push_back({info.declared, "first used here"});
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Expr* key = e->args[i + 1];
    const bool want_string = rules_.is_string(info.keys[i]);
    const bool want_object = is_object(info.keys[i], rules_);
    if (want_string ? !is_string_operand(key) && !is_null(key)
        : want_object || rules_.is_dynamic(info.keys[i])
            ? !same_object(info.keys[i], key->type, rules_)
            : !rules_.is_scalar(key->type) || needs_cast(info.keys[i], key) ||
                  is_string_operand(key) != rules_.is_string_like(info.keys[i])) {
      Diagnostic& d = error(
          "D_PROTO_ARG", key->span,
          fmt::format(
              "{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t     key: {}",
              name, i + 1, rules_.name(info.keys[i]), type_name(key)));
      d.notes.push_back({info.declared, "first used here"});
      if (rules_.name(info.keys[i]) == type_name(key)) {
        d.hint =
            "names of errors, signals, users and the like are different keys, and so are "
            "addresses: "
            "give one of the two variables another name";
      } else if (needs_cast(info.keys[i], key)) {
        d.hint = cast_hint(info.keys[i]);
      }
      return;
    }
    if (want_string) {
      tables_.add_flow(
          {StringFlow::To::kVariableKey, variable, static_cast<std::uint32_t>(i), key});
    } else if (!want_object) {
      info.registers[i] = TypeRules::widest(info.registers[i], rules_.ir_type(key->type));
    }
  }
  e->symbol = symbol_of(info.scope);
  e->index = variable;
  e->type = info.type;
  e->is_lvalue = true;
}

// @a[1][2]: keys stand in one pair of brackets.
bool Elements::multidimensional(const Expr* e) {
  const Expr* root = e;
  while (root->kind == ExprKind::kIndex) {
    root = root->args[0];
  }
  if (root == e || root->kind != ExprKind::kAggregation) {
    return false;
  }
  error("D_AGG_MDIM", e->span,
        fmt::format("aggregation @{} may not be used as a multi-dimensional array",
                    shown_name(root->text)))
      .hint = fmt::format("keys are separated by commas, as in @{}[a, b]", shown_name(root->text));
  return true;
}

}  // namespace dt::d
