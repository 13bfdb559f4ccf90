#pragma once
// Names that mean nothing: what may have been meant.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "d/check/part.h"

namespace dt::ir {
enum class Scope : std::uint8_t;
}

namespace dt::d {

class Inlines;
class KernelEnumerators;
class LibraryUse;
class Tables;
class Versions;
struct Unit;

class UndefinedNames : Part {
 public:
  UndefinedNames(Context& context, const std::vector<Unit>& units, Tables& tables, Inlines& inlines,
                 Versions& versions, LibraryUse& libraries,
                 const KernelEnumerators& kernel_enumerators)
      : Part(context),
        units_(units),
        tables_(tables),
        inlines_(inlines),
        versions_(versions),
        libraries_(libraries),
        kernel_enumerators_(kernel_enumerators) {}

  // One message for each name: its other uses would say the same.
  void report(const Expr* e, ir::Scope scope);
  // Whether an action of the program, wherever it stands, writes to this variable.
  bool is_assigned(const Expr* name);

 private:
  bool is_compared_with_string(Span span) const;
  // What is not there because of -x version or a library that is left out.
  bool version_hint(const std::string& name, Diagnostic& d) const;
  // The names that there are, the script's own first.
  std::vector<std::string_view> names_like(const Expr* e, ir::Scope scope);
  // The variables to which the program writes, by write. They are looked for once.
  const std::vector<const Expr*>& written();
  // The first assignment to it in the whole program; nullptr when there is none.
  const Expr* later_assignment(const Expr* e) const;

  const std::vector<Unit>& units_;
  Tables& tables_;
  Inlines& inlines_;
  Versions& versions_;
  LibraryUse& libraries_;
  const KernelEnumerators& kernel_enumerators_;
  std::unordered_set<std::string> reported_;
  std::optional<std::vector<const Expr*>> written_;
  std::unordered_set<std::string> written_names_;
};

}  // namespace dt::d
