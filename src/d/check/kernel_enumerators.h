#pragma once
// Enumerators of the kernel's types as D names them: NAME, `name and mod`name.

#include <string>

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

class KernelEnumerators {
 public:
  KernelEnumerators(World& world, Diagnostics& diagnostics)
      : world_(world), diagnostics_(diagnostics), rules_(world.types) {}

  // Makes e, an identifier or a scoped name, the constant. A name without a module is one of
  // vmlinux. False: there is none. Enumerations that disagree about its value are reported.
  bool resolve(Expr* e);
  // What may have been meant by e, as it is written in D; "": nothing like it.
  std::string suggestion(const Expr* e) const;
  // Whether a name is searched for here without a backquote: only one in capitals, as most are. A
  // variable's name that nothing has set yet must not become a number by chance.
  static bool is_plain_name(const Expr* e);

 private:
  types::TypeId type_of(const types::EnumeratorPlace& place) const;

  World& world_;
  Diagnostics& diagnostics_;
  TypeRules rules_;
};

}  // namespace dt::d
