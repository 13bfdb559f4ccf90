// An inline is an expression with a name, checked once where it is defined and expanded where it is
// used. One that is constant behaves as a constant of C: it may be the size of an array. Parameters
// are bound to the checked arguments, each evaluated once.

#include "d/check/inlines.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "d/check/expander.h"
#include "d/check/library_use.h"
#include "d/check/scope.h"
#include "d/check/tables.h"
#include "d/check/type_names.h"
#include "d/check/versions.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace dt::d {

bool Inlines::parameters(InlineInfo& info) {
  const Declarator& declarator = info.definition->declarator;
  for (const Declarator::Part& part : declarator.parts) {
    if (part.kind != Declarator::Part::Kind::kAssoc) {
      continue;
    }
    for (std::size_t i = 0; i < part.types.size(); ++i) {
      if (part.names[i].empty()) {
        error("D_DECL_PROTO_FORM", part.types[i]->span,
              fmt::format("inline {} requires a name for parameter #{}", declarator.name, i + 1));
        return false;
      }
      const std::optional<TypeId> type = types_.type_of(*part.types[i]);
      if (!type) {
        return false;
      }
      info.parameters.push_back({part.names[i], rules_.decay(*type)});
    }
  }
  return true;
}

void Inlines::define(const Inline& definition) {
  const Declarator& declarator = definition.declarator;
  // What a library defines the program may define for itself.
  const auto old = inlines_.find(declarator.name);
  if (old != inlines_.end() && old->second.is_library) {
    inlines_.erase(old);
  }
  if (builtin(declarator.name) || function(declarator.name) != nullptr ||
      tables_.find_variable(declarator.name, ir::Scope::kGlobal) ||
      inlines_.contains(declarator.name) || tables_.find_enumerator(declarator.name) != nullptr) {
    error("D_DECL_IDRED", declarator.name_span,
          fmt::format("identifier redefined: {}", declarator.name));
    return;
  }
  InlineInfo info;
  info.definition = &definition;
  check_definition(info);
  // Only now: an inline cannot name itself.
  inlines_.emplace(declarator.name, std::move(info));
}

// Types, parameters and, with its parameters unbound, the value.
void Inlines::check_definition(InlineInfo& info) {
  const Inline& definition = *info.definition;
  info.state = Definition::kBad;
  const types::ScriptNames names(world_.types, info.is_library);
  const std::optional<TypeId> base = types_.base_type(definition.spec);
  std::vector<TypeId> keys;
  bool is_array = false;
  const std::optional<TypeId> type =
      base ? types_.apply(*base, definition.declarator, &keys, &is_array) : std::nullopt;
  if (!type || !parameters(info)) {
    return;
  }
  info.type = *type;
  std::vector<Binding> bindings;
  for (const BodyParameter& one : info.parameters) {
    bindings.push_back(expander_.bind(one, nullptr));
  }
  const Expr* value = expander_.expand(definition.value, bindings, definition.value->span);
  if (value != nullptr && value_fits(info, value)) {
    info.state = Definition::kGood;
  }
}

bool Inlines::value_fits(const InlineInfo& info, const Expr* value) {
  const bool ok =
      rules_.is_string(info.type) ? is_string_operand(value) || is_null(value)
      : rules_.is_scalar(info.type)
          ? rules_.is_scalar(value->type) &&
                (value->translation == 0 || rules_.pointers_compatible(info.type, value->type)) &&
                !needs_cast(info.type, value)
      : rules_.is_float(info.type)
          ? same_object(info.type, value->type, rules_)
          : rules_.is_aggregate(info.type) && rules_.catalog().same(info.type, value->type);
  if (!ok) {
    error("D_OP_INCOMPAT", value->span,
          fmt::format("inline {} definition uses incompatible types: \"{}\" = \"{}\"",
                      info.definition->declarator.name, rules_.name(info.type), type_name(value)));
  }
  return ok;
}

bool Inlines::argument(const InlineInfo& info, std::size_t index, Expr*& argument) {
  const BodyParameter& wanted = info.parameters[index];
  expr(argument, {.translation = true});
  if (bad(argument)) {
    return false;
  }
  const bool ok = rules_.is_string(wanted.type) ? is_string_operand(argument) || is_null(argument)
                  : rules_.is_scalar(wanted.type)
                      ? rules_.is_scalar(argument->type) &&
                            rules_.pointers_compatible(wanted.type, argument->type) &&
                            !needs_cast(wanted.type, argument)
                      : rules_.catalog().same(wanted.type, argument->type);
  if (!ok) {
    error("D_PROTO_ARG", argument->span,
          fmt::format(
              "{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t     key: {}",
              info.definition->declarator.name, index + 1, rules_.name(wanted.type),
              type_name(argument)));
    return false;
  }
  argument = expander_.implicit_cast(argument, wanted.type);
  return true;
}

// NAME, or NAME[arguments] with the arguments from args[first] on.
void Inlines::use(Expr* e, InlineInfo& info, std::size_t first) {
  if (info.state == Definition::kPending) {
    const std::size_t errors = diagnostics_.total();
    check_elsewhere(info);
    diagnostics_.note_since(errors, e->span, "used here");
  }
  if (info.state != Definition::kGood) {
    return;  // reported where it is defined
  }
  const std::string& name = info.definition->declarator.name;
  if (first == 0 && !info.parameters.empty()) {
    error("D_IDENT_BADREF", e->span,
          fmt::format("inline '{}' takes arguments: it may not be referenced as scalar", name));
    return;
  }
  const std::size_t passed = e->args.size() - first;
  if (passed != info.parameters.size()) {
    Diagnostic& d =
        error("D_PROTO_LEN", e->span,
              prototype_mismatch(name, "[ ]", "key", passed, info.parameters.size(), false));
    d.notes.push_back({info.definition->declarator.name_span, "defined here"});
    return;
  }
  std::vector<Binding> bindings;
  bool ok = true;
  for (std::size_t i = 0; i < passed; ++i) {
    ok = argument(info, i, e->args[first + i]) && ok;
  }
  if (!ok) {
    return;
  }
  e->slot = expander_.next_slot();
  for (std::size_t i = 0; i < passed; ++i) {
    bindings.push_back(expander_.bind(info.parameters[i], e->args[first + i]));
  }
  Expr* value = expander_.expand(info.definition->value, bindings, e->span);
  if (value == nullptr) {
    return;
  }
  e->symbol = Symbol::kInline;
  e->inlined = expander_.implicit_cast(value, info.type);
  e->type = e->inlined->type;
  e->translation = e->inlined->translation;
  e->is_lvalue = rules_.is_aggregate(e->type) && value->is_lvalue;
  e->in_user = value->in_user;
  if (e->inlined->is_constant) {
    e->is_constant = true;
    e->int_value = e->inlined->int_value;
  }
}

void Inlines::check_elsewhere(InlineInfo& info) {
  const Elsewhere elsewhere(scope_);
  info.state = Definition::kChecking;
  check_definition(info);
}

// In the order of the text. A definition may use others, and load what they need.
void Inlines::check_unused() {
  std::vector<InlineInfo*> unused;
  for (auto& [name, info] : inlines_) {
    if (info.state == Definition::kPending) unused.push_back(&info);
  }
  std::sort(unused.begin(), unused.end(), [](const InlineInfo* a, const InlineInfo* b) {
    const Span one = a->definition->span, other = b->definition->span;
    return std::pair(one.source, one.begin) < std::pair(other.source, other.begin);
  });
  for (InlineInfo* info : unused) {
    if (info->state == Definition::kPending) check_elsewhere(*info);
  }
}

// An inline of the program, or of a library that has not been loaded yet.
InlineInfo* Inlines::find(const std::string& name) {
  for (bool loaded = false;; loaded = true) {
    const auto found = inlines_.find(name);
    if (found != inlines_.end() && versions_.visible(name)) {
      return &found->second;
    }
    if (loaded || found != inlines_.end() || !libraries_.load(name)) {
      return nullptr;
    }
  }
}

bool Inlines::add_of_library(const Inline& definition) {
  const std::string& name = definition.declarator.name;
  InlineInfo info;
  info.definition = &definition;
  info.is_library = true;
  return !tables_.find_variable(name, ir::Scope::kGlobal) &&
         inlines_.emplace(name, std::move(info)).second;
}

bool Inlines::is_of_program(const std::string& name) const {
  const auto found = inlines_.find(name);
  return found != inlines_.end() && !found->second.is_library;
}

InlineInfo* Inlines::visible(const std::string& name) {
  const auto found = inlines_.find(name);
  return found != inlines_.end() && versions_.visible(name) ? &found->second : nullptr;
}

std::vector<std::string_view> Inlines::names() const {
  std::vector<std::string_view> out;
  for (const auto& [name, info] : inlines_) {
    out.push_back(name);
  }
  return out;
}

}  // namespace dt::d
