// Stability: how far a clause may be relied on, which is as far as the least
// stable of all that it names.
//
// Each name has three attributes: the stability of the name and of the data, and a dependency
// class, which says where it exists (from Unknown up to Common). An expression is as stable as its
// least stable part, in each attribute by itself.

#include "d/check/stability.h"

#include "d/meaning/function_table.h"

namespace dt::d {

using probe::Attributes;
using probe::DependencyClass;
using probe::Stability;

namespace {

constexpr Attributes kStable{Stability::kStable, Stability::kStable, DependencyClass::kCommon};
constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving,
                               DependencyClass::kCommon};
// The kernel's own names and types may change with every version.
constexpr Attributes kKernel{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
// Of a provider that the description does not name, nothing is known.
constexpr Attributes kAnyProvider{Stability::kUnstable, Stability::kUnstable,
                                  DependencyClass::kCommon};
// The pointer is D's; what it points to is the kernel's. A member is as stable as its object.
constexpr Attributes kCurthread{Stability::kStable, Stability::kPrivate, DependencyClass::kCommon};

Attributes function_attributes(Fn fn) {
  switch (fn) {
    case Fn::kDdiPathname:
    case Fn::kGetmajor:
    case Fn::kGetminor:
    case Fn::kMutexOwned:
    case Fn::kMutexOwner:
    case Fn::kMutexTypeAdaptive:
    case Fn::kMutexTypeSpin:
    case Fn::kRwIswriter:
    case Fn::kRwReadHeld:
    case Fn::kRwWriteHeld:
      return kEvolving;
    default:
      return kStable;
  }
}

}  // namespace

probe::ProviderAttributes StabilityChecker::of_provider(const std::string& provider) {
  const auto found = declared_.providers.find(provider);
  return found != declared_.providers.end() ? found->second : world_.probes.attributes(provider);
}

Attributes StabilityChecker::of_name(const Expr* e) {
  if (const auto found = declared_.names.find(e->text); found != declared_.names.end()) {
    return found->second;
  }
  switch (e->symbol) {
    case Symbol::kBuiltin:
      return builtin_table()[e->index].builtin == ir::Builtin::kCurthread ? kCurthread : kStable;
    case Symbol::kInline:
      return e->inlined != nullptr ? of(e->inlined) : kStable;
    case Symbol::kKernelSymbol:
    case Symbol::kKernelEnumerator:
      return kKernel;
    default:
      return kStable;  // a parameter too: its argument counts where it is given
  }
}

Attributes StabilityChecker::of(const Expr* e) {
  Attributes out = kStable;
  const bool is_name = e->kind == ExprKind::kIdent || e->kind == ExprKind::kScoped;
  if (is_name) {
    out = of_name(e);
  } else if (e->kind == ExprKind::kIndex && e->symbol == Symbol::kBuiltin) {
    for (const ProbeSpec& spec : clause_.probes) {  // args[n]
      if (const auto pattern = probe::parse_pattern(spec.text)) {
        out = probe::least(out, of_provider(pattern->provider).args);
      }
    }
    return out;
  } else if (e->kind == ExprKind::kCall) {
    out = function_attributes(static_cast<Fn>(e->index));
  }
  for (const Expr* arg : e->args) {
    out = probe::least(out, of(arg));
  }
  // A translator promises what is declared of the name that gives its result;
  // what is declared of none is as stable as its definition.
  if (e->symbol == Symbol::kTranslated &&
      !declared_.names.contains(e->args[0]->kind == ExprKind::kIndex ? e->args[0]->args[0]->text
                                                                     : e->args[0]->text)) {
    out = probe::least(out, of(e->inlined));
  }
  if (e->kind == ExprKind::kIndex && e->symbol == Symbol::kInline) {
    const auto found = declared_.names.find(e->args[0]->text);
    out = probe::least(out, found != declared_.names.end() ? found->second : of(e->inlined));
  }
  if (!enough(e, out)) {
    return kStable;  // said once
  }
  return out;
}

Attributes StabilityChecker::of(const Stmt& stmt) {
  Attributes out = kStable;
  if (stmt.expr != nullptr &&
      !(stmt.expr->type == types::TypeId{} && stmt.expr->kind != ExprKind::kAssign)) {
    out = of(stmt.expr);
  }
  for (const Stmt* inner : stmt.body) {
    out = probe::least(out, of(*inner));
  }
  return out;
}

// -x amin: nothing less stable than that.
bool StabilityChecker::enough(const Expr* e, const Attributes& attributes) {
  if (!world_.minimum || probe::at_least(attributes, *world_.minimum)) {
    return true;
  }
  diagnostics_.error(
      "D_ATTR_MIN", e->span,
      fmt::format("attributes for {} ({}) are less than minimum ({})", sources_.text(e->span),
                  probe::to_string(attributes), probe::to_string(*world_.minimum)));
  return false;
}

front::ClauseStability StabilityChecker::of_clause() {
  front::ClauseStability out;
  out.source = clause_.span.source;
  out.probes = kStable;
  out.statements = kStable;
  for (const ProbeSpec& spec : clause_.probes) {
    const auto pattern = probe::parse_pattern(spec.text);
    if (pattern && pattern->provider.empty()) {
      out.probes = probe::least(out.probes, kAnyProvider);
    } else if (pattern) {
      const probe::ProviderAttributes all = of_provider(pattern->provider);
      out.probes = probe::least(out.probes, all.provider);
      // Of what the description leaves open nothing is promised or broken.
      const std::pair<const std::string*, const Attributes*> fields[] = {
          {&pattern->module, &all.module},
          {&pattern->function, &all.function},
          {&pattern->name, &all.name},
      };
      for (const auto& [field, attributes] : fields) {
        out.probes = field->empty() ? out.probes : probe::least(out.probes, *attributes);
      }
    }
  }
  if (clause_.predicate != nullptr) {
    out.statements = probe::least(out.statements, of(clause_.predicate));
  }
  for (const Stmt* stmt : clause_.body) {
    out.statements = probe::least(out.statements, of(*stmt));
  }
  return out;
}

}  // namespace dt::d
