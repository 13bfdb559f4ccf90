// Inlines: constants, expressions, and functions of their parameters; and the
// expansion of bodies, which translators share.

#include <algorithm>

#include "d/check/checker.h"
#include "d/check/fold.h"
#include "d/meaning/object.h"
#include "d/syntax/parser.h"

namespace dt::d {

using types::TypeId;

namespace {

// Heights of trees expanded one within another: what the checker and the
// lowering descend into.
constexpr std::uint32_t kMaxExpansionHeight = 2 * kMaxDepth;
// Inlines of inlines can grow without end; a program of this size cannot be
// verified anyway.
constexpr std::uint64_t kMaxExpandedNodes = 250'000;

}  // namespace

Expr* Checker::clone(const Expr* e) {
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

// The value as if it were cast: an inline has the type that it declares.
Expr* Checker::implicit_cast(Expr* value, TypeId type) {
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

Binding Checker::bind(const BodyParameter& parameter, Expr* argument) {
  return Binding{parameter.name, parameter.type, next_slot_++, argument};
}

void Checker::parameter(Expr* e, const Binding& binding) {
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

bool Checker::is_of_library(Span span) const { return sources_.at(span.source).is_library; }

Expr* Checker::expand(const Expr* body, const std::vector<Binding>& bindings, Span use) {
  if (expansion_height_ + body->height > kMaxExpansionHeight ||
      expanded_nodes_ > kMaxExpandedNodes) {
    error("D_UNKNOWN", use,
          expanded_nodes_ > kMaxExpandedNodes
              ? fmt::format("inlines and translators expand to more than {} operations",
                            kMaxExpandedNodes)
              : "inlines and translators are nested too deeply here");
    return nullptr;
  }
  Expr* copy = clone(body);
  const types::ScriptNames names(world_.types, is_of_library(body->span));
  const std::vector<Binding>* outer = bindings_;
  bindings_ = &bindings;
  expansion_height_ += body->height;
  const std::size_t errors = diagnostics_.total();
  expr(copy, {.translation = true});
  expansion_height_ -= body->height;
  bindings_ = outer;
  if (diagnostics_.total() != errors && use != body->span) {
    diagnostics_.note_since(errors, use, "used here");
  }
  return bad(copy) ? nullptr : copy;
}

bool Checker::inline_parameters(InlineInfo& info) {
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
      const std::optional<TypeId> type = type_of(*part.types[i]);
      if (!type) {
        return false;
      }
      info.parameters.push_back({part.names[i], rules_.decay(*type)});
    }
  }
  return true;
}

void Checker::inline_definition(const Inline& definition) {
  const Declarator& declarator = definition.declarator;
  // What a library defines the program may define for itself.
  const auto old = inlines_.find(declarator.name);
  if (old != inlines_.end() && old->second.is_library) {
    inlines_.erase(old);
  }
  if (find_builtin(declarator.name) || find_function(declarator.name) != nullptr ||
      find_variable(declarator.name, ir::Scope::kGlobal) || inlines_.contains(declarator.name) ||
      enumerators_.contains(declarator.name)) {
    error("D_DECL_IDRED", declarator.name_span,
          fmt::format("identifier redefined: {}", declarator.name));
    return;
  }
  InlineInfo info;
  info.definition = &definition;
  define_inline(info);
  // Only now: an inline cannot name itself.
  inlines_.emplace(declarator.name, std::move(info));
}

// Types, parameters and, with its parameters unbound, the value.
void Checker::define_inline(InlineInfo& info) {
  const Inline& definition = *info.definition;
  info.state = Definition::kBad;
  const types::ScriptNames names(world_.types, info.is_library);
  const std::optional<TypeId> base = base_type(definition.spec);
  std::vector<TypeId> keys;
  bool is_array = false;
  const std::optional<TypeId> type =
      base ? apply(*base, definition.declarator, &keys, &is_array) : std::nullopt;
  if (!type || !inline_parameters(info)) {
    return;
  }
  info.type = *type;
  std::vector<Binding> bindings;
  for (const BodyParameter& one : info.parameters) {
    bindings.push_back(bind(one, nullptr));
  }
  const Expr* value = expand(definition.value, bindings, definition.value->span);
  if (value != nullptr && inline_value_fits(info, value)) {
    info.state = Definition::kGood;
  }
}

bool Checker::inline_value_fits(const InlineInfo& info, const Expr* value) {
  const bool ok =
      rules_.is_string(info.type) ? is_string_operand(value) || is_null(value)
      : rules_.is_scalar(info.type)
          ? rules_.is_scalar(value->type) &&
                (value->translation == 0 || rules_.pointers_compatible(info.type, value->type))
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

bool Checker::inline_argument(const InlineInfo& info, std::size_t index, Expr*& argument) {
  const BodyParameter& wanted = info.parameters[index];
  expr(argument, {.translation = true});
  if (bad(argument)) {
    return false;
  }
  const bool ok = rules_.is_string(wanted.type) ? is_string_operand(argument) || is_null(argument)
                  : rules_.is_scalar(wanted.type)
                      ? rules_.is_scalar(argument->type) &&
                            rules_.pointers_compatible(wanted.type, argument->type) &&
                            (rules_.is_pointer(wanted.type) || !is_string_operand(argument))
                      : rules_.catalog().same(wanted.type, argument->type);
  if (!ok) {
    error("D_PROTO_ARG", argument->span,
          fmt::format(
              "{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t     key: {}",
              info.definition->declarator.name, index + 1, rules_.name(wanted.type),
              type_name(argument)));
    return false;
  }
  argument = implicit_cast(argument, wanted.type);
  return true;
}

// NAME, or NAME[arguments] with the arguments from args[first] on.
void Checker::inline_use(Expr* e, InlineInfo& info, std::size_t first) {
  if (info.state == Definition::kPending) {
    const Elsewhere elsewhere(*this);
    const std::size_t errors = diagnostics_.total();
    info.state = Definition::kChecking;
    define_inline(info);
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
    ok = inline_argument(info, i, e->args[first + i]) && ok;
  }
  if (!ok) {
    return;
  }
  e->slot = next_slot_;
  for (std::size_t i = 0; i < passed; ++i) {
    bindings.push_back(bind(info.parameters[i], e->args[first + i]));
  }
  Expr* value = expand(info.definition->value, bindings, e->span);
  if (value == nullptr) {
    return;
  }
  e->symbol = Symbol::kInline;
  e->inlined = implicit_cast(value, info.type);
  e->type = e->inlined->type;
  e->translation = e->inlined->translation;
  e->is_lvalue = rules_.is_aggregate(e->type) && value->is_lvalue;
  e->in_user = value->in_user;
  if (e->inlined->is_constant) {
    e->is_constant = true;
    e->int_value = e->inlined->int_value;
  }
}

}  // namespace dt::d
