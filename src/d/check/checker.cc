#include "d/check/checker.h"

#include <string>

#include "d/check/actions.h"
#include "d/check/aggregation_actions.h"
#include "d/check/aggregations.h"
#include "d/check/assignments.h"
#include "d/check/call_prototypes.h"
#include "d/check/calls.h"
#include "d/check/clauses.h"
#include "d/check/context.h"
#include "d/check/declarations.h"
#include "d/check/declared_providers.h"
#include "d/check/elements.h"
#include "d/check/enumerations.h"
#include "d/check/expander.h"
#include "d/check/formats.h"
#include "d/check/inlines.h"
#include "d/check/kept_stacks.h"
#include "d/check/kernel_enumerators.h"
#include "d/check/kernel_use.h"
#include "d/check/library_use.h"
#include "d/check/members.h"
#include "d/check/names.h"
#include "d/check/objects.h"
#include "d/check/operators.h"
#include "d/check/own_tags.h"
#include "d/check/part.h"
#include "d/check/pointers.h"
#include "d/check/pragmas.h"
#include "d/check/probe_arguments.h"
#include "d/check/prototypes.h"
#include "d/check/quantizers.h"
#include "d/check/rows.h"
#include "d/check/split_clauses.h"
#include "d/check/symbol.h"
#include "d/check/tables.h"
#include "d/check/translators.h"
#include "d/check/type_names.h"
#include "d/check/undefined_names.h"
#include "d/check/unknown_types.h"
#include "d/check/versions.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

// The parts, in the order in which they know of each other. It is a part itself, for what is no
// part's own: which of them an expression is for.
struct Checker::Parts final : ExpressionChecker {
  Parts(Sources& sources, const std::vector<Unit>& units, World& world, Arena& arena,
        Diagnostics& diagnostics)
      : context{sources, world, arena, diagnostics, *this, TypeRules(world.types)},
        kernel_enumerators(world, diagnostics),
        kernel_symbols(world, diagnostics, kernel_enumerators),
        libraries(sources, world, arena, [this](Unit& unit) { return declare_library(unit); }),
        undefined_names(context, units, tables, inlines, versions, libraries, kernel_enumerators) {}

  void check(Expr* e, Wanted wanted) override;
  void check_operand(Expr* e);
  void check_unit(Unit& unit);
  std::vector<Diagnostic> declare_library(Unit& unit);

  Context context;
  Versions versions{context};
  Tables tables{context};
  KernelEnumerators kernel_enumerators;
  KernelSymbols kernel_symbols;
  LibraryUse libraries;
  // Types.
  Prototypes prototypes{context};
  UnknownTypes unknown_types{context};
  Enumerations enumerations{context, tables};
  TypeNames type_names{context, enumerations, prototypes, unknown_types};
  // Bodies that are expanded where they are used.
  Expander expander{context};
  Translators translators{context, type_names, expander, libraries};
  Inlines inlines{context, type_names, expander, tables, libraries, versions};
  // Names.
  DeclaredProviders providers{context, type_names, translators};
  ProbeArguments probe_arguments{context, providers, translators, expander, libraries};
  Objects objects{context};
  KernelUse kernel_use{context, objects, libraries};
  UndefinedNames undefined_names;
  Names names{context,   tables,     expander,        inlines,
              libraries, kernel_use, undefined_names, kernel_enumerators};
  Elements elements{context, tables,     expander,        inlines,
                    names,   kernel_use, probe_arguments, objects};
  // Expressions.
  Pointers pointers{context, kernel_symbols, objects};
  Assignments assignments{context, tables, names, elements, objects, pointers, translators};
  Operators operators{context, pointers, assignments, translators};
  Members members{context, type_names, translators};
  // Calls.
  CallPrototypes call_prototypes{context};
  Formats formats{context, tables};
  Quantizers quantizers{context};
  Aggregations aggregations{context, tables, call_prototypes, quantizers};
  AggregationActions aggregation_actions{context, tables};
  Rows rows{context, formats};
  Actions actions{context, formats, rows, aggregation_actions, kernel_use, translators};
  Calls calls{context, tables, inlines, kernel_use, call_prototypes, actions};
  // What a unit consists of.
  Declarations declarations{context, type_names, tables, inlines, objects};
  Pragmas pragmas{context, tables, inlines, versions};
  Clauses clauses{context,         tables,      names,      undefined_names,
                  probe_arguments, translators, type_names, pragmas};
};

void Checker::Parts::check(Expr* e, Wanted wanted) {
  if (context.diagnostics.full()) {
    return;
  }
  switch (e->kind) {
    case ExprKind::kAssign:
      if (e->args[0]->kind != ExprKind::kAggregation) {
        assignments.assign(e);
      } else if (wanted.statement) {
        aggregations.aggregate(e);
      } else {
        context.diagnostics.error("D_AGG_NULL", e->span,
                                  "an aggregation may be assigned in a statement of its own only");
      }
      return;
    case ExprKind::kCall:
      calls.check(e, wanted.statement);
      return;
    default:
      check_operand(e);
  }
  if (e->translation != 0 && !wanted.translation) {
    translators.refuse_whole(e);
  }
}

// A table: which part checks what, for all expressions but assignments and calls.
void Checker::Parts::check_operand(Expr* e) {
  switch (e->kind) {
    case ExprKind::kInt:
      operators.int_literal(e);
      return;
    case ExprKind::kFloat:
      context.diagnostics.error("D_SYNTAX", e->span,
                                "floating-point constants are not permitted in D programs");
      return;
    case ExprKind::kString:
      e->type = context.world.types.string_type();
      return;
    case ExprKind::kIdent:
      names.identifier(e);
      return;
    case ExprKind::kScoped:
      if (names.take_from_library(e)) {
        names.identifier(e);
        return;
      }
      kernel_symbols.resolve(e, false);
      return;
    case ExprKind::kThreadVar:
      names.variable(e, ir::Scope::kThread);
      return;
    case ExprKind::kClauseVar:
      names.variable(e, ir::Scope::kClause);
      return;
    case ExprKind::kAggregation:
      aggregations.within(e);
      return;
    case ExprKind::kUnary:
      operators.unary(e);
      return;
    case ExprKind::kPostfix:
      assignments.increment(e, e->args[0]);
      return;
    case ExprKind::kBinary:
      operators.binary(e);
      return;
    case ExprKind::kTernary:
      operators.ternary(e);
      return;
    case ExprKind::kComma:
      operators.comma(e);
      return;
    case ExprKind::kIndex:
      elements.index(e);
      return;
    case ExprKind::kMember:
      members.member(e);
      return;
    case ExprKind::kCast:
      members.cast(e);
      return;
    case ExprKind::kSizeofType:
    case ExprKind::kSizeofExpr:
      members.size_of(e);
      return;
    case ExprKind::kOffsetof:
      members.offset_of(e);
      return;
    case ExprKind::kStringof:
      members.stringof(e);
      return;
    case ExprKind::kXlate:
      translators.xlate(e);
      return;
    case ExprKind::kAssign:
    case ExprKind::kCall:
    case ExprKind::kBuilt:  // made of what has been checked
      return;
  }
}

void Checker::Parts::check_unit(Unit& unit) {
  declare_own_tags(unit, context.world.types);
  for (const Item& item : unit.items) {
    if (context.diagnostics.full()) {
      return;
    }
    switch (item.kind) {
      case Item::Kind::kClause:
        clauses.check(unit.clauses[item.index]);
        break;
      case Item::Kind::kDeclaration:
        declarations.declare_all(unit.declarations[item.index]);
        break;
      case Item::Kind::kInline:
        inlines.define(unit.inlines[item.index]);
        break;
      case Item::Kind::kTranslator:
        translators.define(unit.translators[item.index]);
        break;
      case Item::Kind::kProvider:
        providers.define(unit.providers[item.index]);
        break;
      case Item::Kind::kPragma:
        pragmas.placed(unit.pragmas[item.index]);
        break;
    }
  }
}

// Loading happens in the middle of whatever was being checked. Types are declared at once. Inlines
// and translators wait for their first use: what this kernel does not have is an error only there.
std::vector<Diagnostic> Checker::Parts::declare_library(Unit& unit) {
  const Elsewhere elsewhere(context.scope);
  const types::ScriptNames hidden(context.world.types, true);
  context.scope.in_library = true;
  const std::size_t since = context.diagnostics.total();
  const std::size_t known_translators = translators.count(), known_pragmas = pragmas.named();
  std::vector<std::string> defined;
  for (const Item& item : unit.items) {
    switch (item.kind) {
      case Item::Kind::kDeclaration:
        declarations.declare_all(unit.declarations[item.index]);
        break;
      case Item::Kind::kInline:
        // What the script has under this name stays.
        if (const Inline& one = unit.inlines[item.index]; inlines.add_of_library(one)) {
          defined.push_back(one.declarator.name);
        }
        break;
      case Item::Kind::kTranslator:
        translators.define(unit.translators[item.index]);
        break;
      case Item::Kind::kPragma:
        pragmas.placed(unit.pragmas[item.index]);
        break;
      case Item::Kind::kProvider:
        providers.define(unit.providers[item.index]);
        break;
      case Item::Kind::kClause:
        break;  // there is none
    }
  }
  pragmas.report_unused(known_pragmas);
  std::vector<Diagnostic> errors = context.diagnostics.take_since(since);
  if (!errors.empty()) {
    translators.forget_after(known_translators);
    for (const std::string& name : defined) {
      inlines.forget(name);
    }
  }
  return errors;
}

Checker::Checker(Sources& sources, const std::vector<Unit>& units, World& world, Arena& arena,
                 Diagnostics& diagnostics)
    : parts_(std::make_unique<Parts>(sources, units, world, arena, diagnostics)) {}

Checker::~Checker() = default;

Checked Checker::check(std::vector<Unit>& units) {
  if (units.empty()) {  // dtrace -L dir -e: are the libraries all right?
    parts_->libraries.load("*");
    parts_->inlines.check_unused();
    parts_->translators.check_unused();
  }
  for (const Unit& unit : units) {
    for (const Pragma& pragma : unit.pragmas) {
      parts_->pragmas.early(pragma);
    }
  }
  for (Unit& unit : units) {
    keep_stacks(unit, parts_->context.arena);
    split_clauses(unit, parts_->context.world, parts_->expander);
    parts_->check_unit(unit);
  }
  parts_->clauses.check_waiting();
  parts_->pragmas.report_unused(0);
  parts_->tables.settle_keys();
  for (const std::uint32_t variable : parts_->context.addressed) {
    parts_->tables.add_flow({StringFlow::To::kVariable, variable, 0, nullptr});
  }
  Checked checked = parts_->tables.take();
  checked.per_cpu_offsets = parts_->kernel_symbols.per_cpu_offsets();
  return checked;
}

}  // namespace dt::d
