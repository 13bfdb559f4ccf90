#pragma once
// Stability of a clause that has been checked: that of the least stable of all
// that it names.

#include <string>
#include <unordered_map>

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "front/dump.h"
#include "support/diagnostics.h"

namespace dt::d {

// What `#pragma D attributes` declares.
struct DeclaredStability {
  std::unordered_map<std::string, probe::Attributes> names;
  std::unordered_map<std::string, probe::ProviderAttributes> providers;
};

class StabilityChecker {
 public:
  StabilityChecker(const Clause& clause, const DeclaredStability& declared, const Sources& sources,
                   World& world, Diagnostics& diagnostics)
      : clause_(clause),
        declared_(declared),
        sources_(sources),
        world_(world),
        diagnostics_(diagnostics),
        rules_(world.types) {}

  // Reports what is less stable than -x amin allows.
  front::ClauseStability of_clause();

 private:
  probe::Attributes of(const Expr* e);
  probe::Attributes of(const Stmt& stmt);
  probe::Attributes of_name(const Expr* e);
  probe::ProviderAttributes of_provider(const std::string& provider);
  bool enough(const Expr* e, const probe::Attributes& attributes);

  const Clause& clause_;
  const DeclaredStability& declared_;
  const Sources& sources_;
  World& world_;
  Diagnostics& diagnostics_;
  TypeRules rules_;
};

}  // namespace dt::d
