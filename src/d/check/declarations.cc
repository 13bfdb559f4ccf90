// `self int x;` declares a thread-local variable, `this` a clause-local one, and neither a global
// one. A declaration may stand anywhere outside of clauses and counts from there on, as in C.

#include "d/check/declarations.h"

#include <fmt/core.h>

#include "d/check/inlines.h"
#include "d/check/objects.h"
#include "d/check/scope.h"
#include "d/check/tables.h"
#include "d/check/type_names.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace dt::d {

namespace {

// As many names of names as the catalogue surely follows.
constexpr int kMaxAliases = 32;

ir::Scope scope_declared(const TypeSpec& spec) {
  return spec.storage == Storage::kThread   ? ir::Scope::kThread
         : spec.storage == Storage::kClause ? ir::Scope::kClause
                                            : ir::Scope::kGlobal;
}

}  // namespace

void Declarations::declare_all(const Declaration& declaration) {
  const std::optional<TypeId> base = types_.base_type(declaration.spec);
  if (!base) {
    for (const Declarator& declarator : declaration.declarators) {
      set_unknown(declaration.spec, declarator);
    }
    return;
  }
  if (declaration.declarators.empty() && declaration.spec.tag == TypeSpec::Tag::kNone) {
    error("D_DECL_USELESS", declaration.span, "useless declaration: it names nothing");
    return;
  }
  for (const Declarator& declarator : declaration.declarators) {
    if (!declare(declaration.spec, declarator, *base)) {
      set_unknown(declaration.spec, declarator);
    }
  }
}

// What is declared wrongly counts as declared, of unknown type.
void Declarations::set_unknown(const TypeSpec& spec, const Declarator& declarator) {
  if (spec.storage == Storage::kTypedef) {
    types_.set_unknown(types::Tag::kNone, declarator.name);
  } else {
    tables_.set_unknown(declarator.name, scope_declared(spec));
  }
}

void Declarations::declare_typedef(const Declarator& declarator, TypeId type) {
  const bool is_taken = builtin(declarator.name) || function(declarator.name) != nullptr ||
                        inlines_.is_of_program(declarator.name) ||
                        tables_.find_variable(declarator.name, ir::Scope::kGlobal);
  if (!scope_.in_library && is_taken) {
    error("D_DECL_IDRED", declarator.name_span,
          fmt::format("global variable identifier redeclared: {}", declarator.name));
    return;
  }
  if (!scope_.in_library) {
    typedefs_.insert(declarator.name);
  }
  types::Type alias;
  alias.kind = types::Kind::kTypedef;
  alias.name = declarator.name;
  alias.size = rules_.size(type);
  alias.align = declarator.attributes.aligned;
  alias.target = type;
  const types::Type* named = &world_.types.at(type);
  for (int i = 0; named->kind == types::Kind::kTypedef; ++i) {
    if (alias.align == 0) {
      alias.align = named->align;
    }
    if (i == kMaxAliases) {  // the names between are of no use to anybody
      alias.target = world_.types.resolve(type);
      break;
    }
    named = &world_.types.at(named->target);
  }
  const TypeId id = world_.types.add(alias);
  if (world_.types.declare(types::Tag::kNone, declarator.name, id)) {
    return;  // what D, the kernel or a library calls so is hidden, as by a header of C
  }
  if (scope_.in_library) {
    world_.types.redeclare(types::Tag::kNone, declarator.name, id);
  } else {
    error("D_DECL_TYPERED", declarator.name_span,
          fmt::format("failed to typedef {}: the name is taken by another type", declarator.name));
  }
}

// Whether there can be a variable of this name and type.
bool Declarations::may_be_variable(const Declarator& declarator, ir::Scope scope, TypeId type) {
  if (scope == ir::Scope::kGlobal &&
      (builtin(declarator.name) || function(declarator.name) != nullptr)) {
    error("D_DECL_IDRED", declarator.name_span,
          fmt::format("identifier redeclared: {} is built in", declarator.name));
    return false;
  }
  if (scope == ir::Scope::kGlobal && typedefs_.contains(declarator.name)) {
    error("D_DECL_IDRED", declarator.name_span,
          fmt::format("identifier redeclared: {} is the name of a type", declarator.name));
    return false;
  }
  if (scope == ir::Scope::kGlobal && inlines_.is_of_program(declarator.name)) {
    error("D_DECL_IDRED", declarator.name_span,
          fmt::format("identifier redeclared: {} is an inline", declarator.name));
    return false;
  }
  if (rules_.is_void(type)) {
    error("D_DECL_VOIDOBJ", declarator.name_span,
          fmt::format("cannot have void variable: {}", declarator.name));
    return false;
  }
  if (rules_.is_dynamic(type)) {
    error("D_DECL_DYNOBJ", declarator.name_span,
          fmt::format("cannot have a variable of dynamic type: {}", declarator.name));
    return false;
  }
  return objects_.may_hold(declarator.name_span, declarator.name, type);
}

bool Declarations::declare(const TypeSpec& spec, const Declarator& declarator, TypeId base) {
  std::vector<TypeId> keys;
  bool is_array = false;
  const std::optional<TypeId> type = types_.apply(base, declarator, &keys, &is_array);
  if (!type) {
    return false;
  }
  if (spec.storage == Storage::kTypedef) {
    declare_typedef(declarator, *type);
    return true;
  }
  if (spec.storage == Storage::kExtern || rules_.kind(*type) == types::Kind::kFunction) {
    return true;  // what is elsewhere needs no storage here
  }
  if (spec.storage == Storage::kStatic || spec.storage == Storage::kAuto ||
      spec.storage == Storage::kRegister) {
    error("D_DECL_BADCLASS", spec.span,
          fmt::format("storage class is not permitted in the declaration of {}", declarator.name));
    return false;
  }
  const ir::Scope scope = scope_declared(spec);
  if (scope == ir::Scope::kClause && is_array) {
    error("D_DECL_LOCASSC", declarator.name_span,
          fmt::format("cannot declare local associative array: this->{}", declarator.name));
    return false;
  }
  if (rules_.kind(*type) == types::Kind::kArray && rules_.at(*type).count == 0) {
    error("D_DECL_ARRNULL", declarator.name_span,
          fmt::format("array variable has no elements: {}", declarator.name));
    return false;
  }
  if (!may_be_variable(declarator, scope, *type)) {
    return false;
  }
  if (const auto found = tables_.find_variable(declarator.name, scope)) {
    const VariableInfo& old = tables_.variable(*found);
    bool same = old.is_array == is_array && rules_.catalog().same(old.type, *type) &&
                old.keys.size() == keys.size();
    for (std::size_t i = 0; same && i < keys.size(); ++i) {
      same = rules_.catalog().same(old.keys[i], keys[i]);
    }
    if (!same) {
      Diagnostic& d =
          error("D_DECL_IDRED", declarator.name_span,
                fmt::format("identifier redeclared: {}\n\t current: {}\n\tprevious: {}",
                            declarator.name, rules_.name(*type), rules_.name(old.type)));
      d.notes.push_back({old.declared, "first declared here"});
    }
    return true;
  }
  const std::uint32_t id =
      tables_.define_variable(declarator.name, scope, *type, declarator.name_span);
  if (is_array) {
    tables_.set_keys(id, std::move(keys));
  }
  return true;
}

}  // namespace dt::d
