// Names: built-in variables, globals, self->, this->, array elements, args[],
// inlines, enumerators and kernel symbols.

#include <algorithm>

#include "d/check/checker.h"
#include "d/check/fold.h"
#include "d/meaning/object.h"
#include "probe/unmatched.h"
#include "support/check.h"

namespace dt::d {

using types::TypeId;

namespace {

// Of all scopes, as many as D numbers.
constexpr std::uint32_t kMaxVariables = 0xffff - 0x500;

std::string shown(const Expr* e, ir::Scope scope) {
  const char* prefix = scope == ir::Scope::kThread   ? "self->"
                       : scope == ir::Scope::kClause ? "this->"
                                                     : "";
  return prefix + e->text;
}

Symbol symbol_of(ir::Scope scope) {
  switch (scope) {
    case ir::Scope::kGlobal:
      return Symbol::kGlobal;
    case ir::Scope::kThread:
      return Symbol::kThread;
    case ir::Scope::kClause:
      return Symbol::kClause;
  }
  DT_UNREACHABLE();
}

}  // namespace

std::optional<std::uint32_t> Checker::find_variable(std::string_view name, ir::Scope scope) const {
  const auto& table = variables_[static_cast<std::size_t>(scope)];
  const auto found = table.find(std::string(name));
  if (found == table.end()) {
    return std::nullopt;
  }
  return found->second;
}

std::uint32_t Checker::define_variable(std::string name, ir::Scope scope, TypeId type, Span span) {
  const auto id = static_cast<std::uint32_t>(checked_.variables.size());
  if (id == kMaxVariables) {
    error("D_ID_OFLOW", span,
          fmt::format("cannot create {}: limit on number of variables exceeded", name))
        .hint = fmt::format("a program has {} at most", kMaxVariables);
  }
  variables_[static_cast<std::size_t>(scope)].emplace(name, id);
  VariableInfo info;
  info.name = std::move(name);
  info.scope = scope;
  info.type = type;
  info.declared = span;
  checked_.variables.push_back(std::move(info));
  return id;
}

void Checker::set_keys(std::uint32_t variable, std::vector<TypeId> keys) {
  VariableInfo& info = checked_.variables[variable];
  info.is_array = true;
  for (const TypeId key : keys) {
    info.registers.push_back(rules_.ir_type(key));
  }
  info.keys = std::move(keys);
}

TypeId Checker::builtin_type(std::uint32_t index, Span span) {
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
    Diagnostic& d = error("D_SYM_NOTYPES", span,
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

void Checker::identifier(Expr* e) {
  if (bindings_ != nullptr) {
    for (const Binding& binding : *bindings_) {
      if (binding.name == e->text) {
        parameter(e, binding);
        return;
      }
    }
  }
  const auto builtin = find_builtin(e->text);
  if (builtin && visible_since(builtin_table()[*builtin].since)) {
    if (builtin_table()[*builtin].type == nullptr) {
      if (InlineInfo* library = find_inline(e->text)) {
        inline_use(e, *library, 0);
        return;
      }
      unsupported_variable(e);
      return;
    }
    const auto found = builtin;
    e->symbol = Symbol::kBuiltin;
    e->index = *found;
    e->type = builtin_type(*found, e->span);
    derived_variable(e);
    return;
  }
  if (const auto found = enumerators_.find(e->text); found != enumerators_.end()) {
    e->symbol = Symbol::kEnumerator;
    set_constant(e, found->second.value, found->second.type, rules_);
    return;
  }
  if (inlines_.contains(e->text) && visible(e->text)) {
    inline_use(e, inlines_.at(e->text), 0);
    return;
  }
  if (e->text == "NULL") {
    e->symbol = Symbol::kInline;
    set_constant(e, 0, world_.types.pointer_to(world_.types.void_type()), rules_);
    return;
  }
  if (!find_variable(e->text, ir::Scope::kGlobal) && load_library(e->text)) {
    if (InlineInfo* library = find_inline(e->text)) {
      inline_use(e, *library, 0);
      return;
    }
    if (const auto found = enumerators_.find(e->text); found != enumerators_.end()) {
      e->symbol = Symbol::kEnumerator;
      set_constant(e, found->second.value, found->second.type, rules_);
      return;
    }
  }
  variable(e, ir::Scope::kGlobal);
}

void Checker::variable(Expr* e, ir::Scope scope) {
  const auto found = find_variable(e->text, scope);
  if (!found) {
    undefined_variable(e, scope);
    return;
  }
  const VariableInfo& info = checked_.variables[*found];
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

void Checker::index(Expr* e) {
  if (multidimensional(e)) {
    return;
  }
  Expr* base = e->args[0];
  const Expr* root = base;
  while (root->kind == ExprKind::kIndex) {
    root = root->args[0];
  }
  if (root != base && is_new(root) && find_inline(root->text) == nullptr) {
    error("D_ARR_BADREF", e->span,
          fmt::format("{} is not an array of arrays", sources_.text(root->span)))
        .hint =
        fmt::format("keys are separated by commas, as in {}[a, b]", sources_.text(root->span));
    return;
  }
  const bool is_variable = base->kind == ExprKind::kIdent || base->kind == ExprKind::kThreadVar ||
                           base->kind == ExprKind::kClauseVar;
  if (base->kind == ExprKind::kIdent && base->text == "args") {
    args_element(e);
    return;
  }
  if (base->kind == ExprKind::kIdent) {
    const auto builtin = find_builtin(base->text);
    const auto is_this = [base](const Binding& one) { return one.name == base->text; };
    const bool is_bound =
        bindings_ != nullptr && std::any_of(bindings_->begin(), bindings_->end(), is_this);
    const bool is_known = is_bound || find_variable(base->text, ir::Scope::kGlobal) ||
                          (builtin && builtin_table()[*builtin].type != nullptr);
    InlineInfo* info = is_known ? nullptr : find_inline(base->text);
    if (info != nullptr && !info->definition->parameter_names.empty()) {
      inline_use(e, *info, 1);
      return;
    }
    if (is_register_array(base->text) && !find_variable(base->text, ir::Scope::kGlobal)) {
      register_element(e);
      return;
    }
  }
  if (is_variable && (base->kind != ExprKind::kIdent || !find_builtin(base->text))) {
    const ir::Scope scope = base->kind == ExprKind::kThreadVar   ? ir::Scope::kThread
                            : base->kind == ExprKind::kClauseVar ? ir::Scope::kClause
                                                                 : ir::Scope::kGlobal;
    const auto found = find_variable(base->text, scope);
    if (found && checked_.variables[*found].is_array) {
      array_element(e, *found);
      return;
    }
  }
  expr(base);
  if (bad(base)) {
    return;
  }
  if (!rules_.is_pointer(base->type) || rules_.kind(base->type) == types::Kind::kFunction) {
    if (is_variable) {
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
  if (!integer_index(at) || !within_bounds(base, at)) {
    return;
  }
  const bool user = home_of(base, rules_) == Home::kMemory &&
                    (base->in_user || rules_.is_userland_pointer(base->type));
  const TypeId element = rules_.pointee(base->type);
  if (rules_.is_void(element)) {
    error("D_DEREF_VOID", base->span, "cannot dereference pointer to void");
    return;
  }
  memory_lvalue(e, element,
                rules_.kind(base->type) == types::Kind::kArray
                    ? user
                    : rules_.is_userland_pointer(base->type));
}

bool Checker::integer_index(Expr* at) {
  expr(at);
  if (bad(at)) {
    return false;
  }
  if (!rules_.is_integer(at->type)) {
    error("D_ARR_BADREF", at->span,
          fmt::format("array index must be of integral type, not \"{}\"", type_name(at)));
    return false;
  }
  return true;
}

// Checks the keys from args[first] on; those already checked are not again.
bool Checker::keys(Expr* e, std::size_t first) {
  bool ok = true;
  for (std::size_t i = first; i < e->args.size(); ++i) {
    Expr* key = e->args[i];
    if (bad(key)) {
      value_of(key);
    }
    if (bad(key)) {
      ok = false;
    } else if (!rules_.is_scalar(key->type) && !is_string_operand(key)) {
      error("D_KEY_TYPE", key->span,
            fmt::format("\"{}\" expression may not be used as associative array index: key #{}",
                        type_name(key), i - first + 1));
      ok = false;
    }
  }
  return ok;
}

void Checker::array_element(Expr* e, std::uint32_t variable) {
  if (!keys(e, 1)) {
    return;
  }
  VariableInfo& info = checked_.variables[variable];
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
    if (want_string ? !is_string_operand(key) && !is_null(key)
                    : !rules_.is_scalar(key->type) ||
                          is_string_operand(key) != rules_.is_string_like(info.keys[i])) {
      Diagnostic& d = error(
          "D_PROTO_ARG", key->span,
          fmt::format(
              "{}[ ] key #{} is incompatible with prototype:\n\tprototype: {}\n\t     key: {}",
              name, i + 1, rules_.name(info.keys[i]), type_name(key)));
      d.notes.push_back({info.declared, "first used here"});
      return;
    }
    if (want_string) {
      checked_.flows.push_back(
          {StringFlow::To::kVariableKey, variable, static_cast<std::uint32_t>(i), key});
    } else {
      info.registers[i] = TypeRules::widest(info.registers[i], rules_.ir_type(key->type));
    }
  }
  e->symbol = symbol_of(info.scope);
  e->index = variable;
  e->type = info.type;
  e->is_lvalue = true;
}

// The types of args[] must be the same in every probe that the clause names.
void Checker::load_probe_arguments(Span span) {
  std::optional<std::string> first;
  std::string first_probe;
  for (const ProbeSpec& spec : clause_->probes) {
    const auto pattern = probe::parse_pattern(spec.text);
    if (!pattern) {
      continue;
    }
    for (const probe::Probe& one : world_.probes.match(*pattern)) {
      std::vector<ProbeArgument> found;
      std::string key;
      if (const DeclaredProbe* declared = declared_probe(one.description)) {
        found = declared->arguments;
        key = declared->key;
      } else if (const auto arguments = world_.probes.arguments(one)) {
        for (const probe::Argument& argument : *arguments) {
          key += fmt::format("{}{}<{}#{};", argument.userland ? "userland " : "", argument.type,
                             argument.native, argument.source);
        }
        if (!first) {
          found = published_arguments(*arguments);
        }
      } else {
        error("D_ARGS_NONE", span,
              fmt::format("args[ ] may not be referenced: the types of the arguments of {} are not "
                          "known",
                          probe::to_string(one.description)))
            .hint = "use arg0 to arg9";
        probe_arguments_failed_ = true;
        return;
      }
      if (!first) {
        first = std::move(key);
        probe_arguments_ = std::move(found);
        first_probe = probe::to_string(one.description);
      } else if (*first != key) {
        error("D_ARGS_MULTI", span,
              fmt::format("args[ ] may not be referenced because probe description {} matches an "
                          "unstable set of probes",
                          spec.text))
            .hint = fmt::format("{} and {} have different arguments: use arg0 to arg9", first_probe,
                                probe::to_string(one.description));
        probe_arguments_failed_ = true;
        probe_arguments_.reset();
        return;
      }
    }
  }
  if (!probe_arguments_) {
    // What is said of the description says all.
    for (const ProbeSpec& spec : clause_->probes) {
      Diagnostic& unmatched =
          probe::report_unmatched(world_.probes, spec.text, spec.span, diagnostics_);
      unmatched.region.clear();
      if (world_.allow_unmatched) {
        unmatched.notes.push_back({span,
                                   "-Z lets a probe come later, but args[] has types only "
                                   "where it is there; arg0 to arg9 have none"});
      }
    }
    probe_arguments_failed_ = true;
  }
}

void Checker::args_element(Expr* e) {
  if (clause_ == nullptr) {
    error("D_ARGS_NONE", e->span, "args[ ] may not be referenced outside of a probe clause");
    return;
  }
  Expr* at = e->args.size() == 2 ? e->args[1] : nullptr;
  if (at != nullptr) {
    expr(at);
    if (bad(at)) {
      return;
    }
  }
  if (at == nullptr || !at->is_constant || !rules_.is_integer(at->type)) {
    error("D_ARGS_TYPE", e->span, "args[ ] takes one index, an integer constant");
    return;
  }
  if (!probe_arguments_ && !probe_arguments_failed_) {
    load_probe_arguments(e->span);
  }
  if (!probe_arguments_) {
    return;
  }
  if (at->int_value >= probe_arguments_->size() || at->int_value > 9) {
    const std::size_t count = probe_arguments_->size();
    error("D_ARGS_IDX", at->span,
          fmt::format("index {} is out of range for {} args[ ]", at->int_value,
                      clause_->probes.front().text))
        .hint = count == 0 ? "it has no arguments"
                           : fmt::format("it has {} argument{}: see dtrace -lv", count,
                                         count == 1 ? "" : "s");
    return;
  }
  const ProbeArgument& argument = (*probe_arguments_)[at->int_value];
  const TypeId native = argument.native;
  const bool is_translated = argument.type != native && !is_simple_mapping(argument.type, native) &&
                             !rules_.catalog().same(argument.type, native);
  const TypeId type = is_translated ? native : argument.type;
  if (type == TypeId{} || !rules_.is_scalar(type)) {
    error("D_ARGS_TYPE", e->span, fmt::format("the type of args[{}] is not known", at->int_value))
        .hint = fmt::format("use arg{}", at->int_value);
    return;
  }
  e->symbol = Symbol::kBuiltin;
  e->text = "args";
  e->int_value = argument.source;
  e->type = type;
  if (is_translated) {
    translated_argument(e, argument.type);
  }
}

}  // namespace dt::d
