// Stability: how far a clause may be relied on, which is as far as the least
// stable of all that it names.

#include "d/check/checker.h"

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
// The pointer is D's; what it points to is the kernel's.
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

probe::ProviderAttributes Checker::provider_stability(const std::string& provider) {
  const auto found = provider_attributes_.find(provider);
  return found != provider_attributes_.end() ? found->second : world_.probes.attributes(provider);
}

Attributes Checker::name_stability(const Expr* e) {
  if (const auto found = attributes_.find(e->text); found != attributes_.end()) {
    return found->second;
  }
  switch (e->symbol) {
    case Symbol::kBuiltin:
      return builtin_table()[e->index].builtin == ir::Builtin::kCurthread ? kCurthread : kStable;
    case Symbol::kInline:
      return e->inlined != nullptr ? stability(e->inlined) : kStable;
    case Symbol::kKernelSymbol:
      return kKernel;
    default:
      return kStable;  // a parameter too: its argument counts where it is given
  }
}

Attributes Checker::stability(const Expr* e) {
  Attributes out = kStable;
  const bool is_name = e->kind == ExprKind::kIdent || e->kind == ExprKind::kScoped;
  if (is_name) {
    out = name_stability(e);
  } else if (e->kind == ExprKind::kIndex && e->symbol == Symbol::kBuiltin && clause_ != nullptr) {
    for (const ProbeSpec& spec : clause_->probes) {  // args[n]
      if (const auto pattern = probe::parse_pattern(spec.text)) {
        out = probe::least(out, provider_stability(pattern->provider).args);
      }
    }
    return out;
  } else if (e->kind == ExprKind::kCall) {
    out = function_attributes(static_cast<Fn>(e->index));
  }
  for (const Expr* arg : e->args) {
    out = probe::least(out, stability(arg));
  }
  if (e->kind == ExprKind::kMember && e->symbol != Symbol::kTranslated) {
    const Expr* object = e->args[0];
    const types::TypeId outer = e->arrow ? rules_.pointee(object->type) : object->type;
    if (!defined_.contains(world_.types.resolve(outer))) {
      out = probe::least(out, kKernel);
    }
  }
  // A translator promises what is declared of the name that gives its result;
  // what is declared of none is as stable as its definition.
  if (e->symbol == Symbol::kTranslated &&
      !attributes_.contains(e->args[0]->kind == ExprKind::kIndex ? e->args[0]->args[0]->text
                                                                 : e->args[0]->text)) {
    out = probe::least(out, stability(e->inlined));
  }
  if (e->kind == ExprKind::kIndex && e->symbol == Symbol::kInline) {
    const auto found = attributes_.find(e->args[0]->text);
    out = probe::least(out, found != attributes_.end() ? found->second : stability(e->inlined));
  }
  if (!enough(e, out)) {
    return kStable;  // said once
  }
  return out;
}

Attributes Checker::stability(const Stmt& stmt) {
  Attributes out = kStable;
  if (stmt.expr != nullptr && !(bad(stmt.expr) && stmt.expr->kind != ExprKind::kAssign)) {
    out = stability(stmt.expr);
  }
  for (const Stmt* inner : stmt.body) {
    out = probe::least(out, stability(*inner));
  }
  return out;
}

// -x amin: nothing less stable than that.
bool Checker::enough(const Expr* e, const Attributes& attributes) {
  if (!world_.minimum || probe::at_least(attributes, *world_.minimum)) {
    return true;
  }
  error("D_ATTR_MIN", e->span,
        fmt::format("attributes for {} ({}) are less than minimum ({})", sources_.text(e->span),
                    probe::to_string(attributes), probe::to_string(*world_.minimum)));
  return false;
}

void Checker::clause_stability(const Clause& clause) {
  front::ClauseStability out;
  out.source = clause.span.source;
  out.probes = kStable;
  out.statements = kStable;
  for (const ProbeSpec& spec : clause.probes) {
    const auto pattern = probe::parse_pattern(spec.text);
    std::vector<std::string> providers;
    if (pattern && pattern->provider.empty()) {
      for (const probe::Probe& one : world_.probes.match(*pattern)) {
        if (providers.empty() || providers.back() != one.description.provider) {
          providers.push_back(one.description.provider);
        }
      }
    } else if (pattern) {
      providers.push_back(pattern->provider);
    }
    for (const std::string& provider : providers) {
      const probe::ProviderAttributes all = provider_stability(provider);
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
  if (clause.predicate != nullptr) {
    out.statements = probe::least(out.statements, stability(clause.predicate));
  }
  for (const Stmt* stmt : clause.body) {
    out.statements = probe::least(out.statements, stability(*stmt));
  }
  checked_.stability.push_back(out);
}

}  // namespace dt::d
