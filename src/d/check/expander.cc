#include "d/check/expander.h"

#include <fmt/core.h>

#include "d/check/fold.h"
#include "d/check/scope.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/parser.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

namespace {

// Heights of trees expanded one within another: what the checker and the
// lowering descend into.
constexpr std::uint32_t kMaxExpansionHeight = kMaxHeight + kMaxDepth;
// Inlines of inlines can grow without end; a program of this size cannot be
// verified anyway.
constexpr std::uint64_t kMaxExpandedNodes = 250'000;

}  // namespace

const Binding* Expander::binding(std::string_view name) const {
  if (scope_.bindings == nullptr) {
    return nullptr;
  }
  for (const Binding& one : *scope_.bindings) {
    if (one.name == name) {
      return &one;
    }
  }
  return nullptr;
}

// Only what the parser has set is copied: meanings and types are found anew, as names within the
// body can mean other things at each use.
Expr* Expander::clone(const Expr* e) {
  Expr* out = arena_.expr();
  out->kind = e->kind;
  out->op = e->op;
  out->span = e->span;
  out->name_span = e->name_span;
  out->text = e->text;
  out->module = e->module;
  out->type_name = e->type_name;
  out->int_value = e->int_value;
  out->int_unsigned = e->int_unsigned;
  out->int_longs = e->int_longs;
  out->is_char = e->is_char;
  out->arrow = e->arrow;
  out->parenthesized = e->parenthesized;
  out->height = e->height;
  out->args.reserve(e->args.size());
  for (const Expr* arg : e->args) {
    out->args.push_back(clone(arg));
  }
  ++expanded_nodes_;
  return out;
}

Stmt* Expander::clone(const Stmt* stmt) {
  Stmt* out = arena_.stmt();
  *out = *stmt;
  out->expr = stmt->expr == nullptr ? nullptr : clone(stmt->expr);
  for (Stmt*& inner : out->body) {
    inner = clone(inner);
  }
  return out;
}

Clause Expander::clone(const Clause& clause) {
  Clause out = clause;
  out.predicate = clause.predicate == nullptr ? nullptr : clone(clause.predicate);
  for (Stmt*& stmt : out.body) {
    stmt = clone(stmt);
  }
  return out;
}

// The value as if it were cast: an inline has the type that it declares.
Expr* Expander::implicit_cast(Expr* value, TypeId type) {
  if (rules_.is_aggregate(type) || rules_.is_float(type)) {
    return value;
  }
  if (rules_.kind(type) == types::Kind::kPointer && rules_.is_userland_pointer(value->type)) {
    type = rules_.to_userland(type);
  }
  Expr* as = arena_.expr();
  as->kind = ExprKind::kCast;
  as->span = value->span;
  as->args.push_back(value);
  as->type = type;
  as->translation = value->translation;
  as->in_user = value->translation != 0 && value->in_user;
  if (value->is_constant && rules_.is_scalar(type)) {
    set_constant(as, value->int_value, type, rules_);
  }
  return as;
}

Binding Expander::bind(const BodyParameter& parameter, Expr* argument) {
  return Binding{parameter.name, parameter.type, next_slot_++, argument};
}

void Expander::parameter(Expr* e, const Binding& binding) {
  e->symbol = Symbol::kParameter;
  e->slot = binding.slot;
  e->type = binding.type;
  const Expr* argument = binding.argument;
  if (argument == nullptr) {
    e->is_lvalue = rules_.is_aggregate(e->type);
    return;
  }
  e->inlined = binding.argument;
  e->type = argument->type;
  e->translation = argument->translation;
  e->is_lvalue = rules_.is_aggregate(e->type) && e->translation == 0 &&
                 home_of(argument, rules_) == Home::kMemory;
  e->in_user = argument->in_user;
  if (argument->is_constant && rules_.is_scalar(e->type)) {
    set_constant(e, argument->int_value, e->type, rules_);
  }
}

bool Expander::is_of_library(Span span) const { return sources_.at(span.source).is_library; }

// The body's names are looked up as in its own file: a library's body must not see a type that the
// script declares under the same name.
Expr* Expander::expand(const Expr* body, const std::vector<Binding>& bindings, Span use) {
  if (scope_.height + body->height > kMaxExpansionHeight || expanded_nodes_ > kMaxExpandedNodes) {
    error("D_UNKNOWN", use,
          expanded_nodes_ > kMaxExpandedNodes
              ? fmt::format("inlines and translators expand to more than {} operations",
                            kMaxExpandedNodes)
              : "inlines and translators are nested too deeply here");
    return nullptr;
  }
  Expr* copy = clone(body);
  const types::ScriptNames names(world_.types, is_of_library(body->span));
  const std::vector<Binding>* outer = scope_.bindings;
  scope_.bindings = &bindings;
  scope_.height += body->height;
  // An error in the body is shown there, with a note of the place where it was used: both may be
  // what has to be changed.
  const std::size_t errors = diagnostics_.total();
  expr(copy, {.translation = true});
  scope_.height -= body->height;
  scope_.bindings = outer;
  if (diagnostics_.total() != errors && use != body->span) {
    diagnostics_.note_since(errors, use, "used here");
  }
  return bad(copy) ? nullptr : copy;
}

}  // namespace dt::d
