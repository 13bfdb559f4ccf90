#pragma once
// args[] of the clause that is being checked: as the provider passes an argument, or
// translated to what the provider promises.

#include <optional>
#include <vector>

#include "d/check/expansion.h"
#include "d/check/part.h"

namespace dt::probe {
struct Argument;
}

namespace dt::d {

class DeclaredProviders;
class Expander;
class LibraryUse;
class Translators;

class ProbeArguments : Part {
 public:
  ProbeArguments(Context& context, DeclaredProviders& providers, Translators& translators,
                 Expander& expander, LibraryUse& libraries)
      : Part(context),
        providers_(providers),
        translators_(translators),
        expander_(expander),
        libraries_(libraries) {}

  // args[n].
  void element(Expr* e);
  // Another clause is being checked.
  void begin_clause() {
    arguments_.reset();
    failed_ = false;
  }

 private:
  // The types of args[] must be the same in every probe that the clause names.
  void load(Span span);
  // From the probes that there are; false when there are none that can be said (reported).
  bool load_matched(Span span);
  bool are_same(const std::vector<ProbeArgument>& a, const std::vector<ProbeArgument>& b) const;
  std::vector<ProbeArgument> published(const std::vector<probe::Argument>& arguments);
  // e is args[n] as the provider passes it; it becomes its translation to `type`.
  void translate(Expr* e, TypeId type);

  DeclaredProviders& providers_;
  Translators& translators_;
  Expander& expander_;
  LibraryUse& libraries_;
  // The arguments of the clause that is being checked; set at the first look-up.
  std::optional<std::vector<ProbeArgument>> arguments_;
  bool failed_ = false;
};

}  // namespace dt::d
