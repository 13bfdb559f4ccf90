#pragma once
// Where an array in a variable may stand. Such an array has no address that a
// script could hold: it is a value, of which elements and strings are taken.

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

// Goes through trees that have been checked.
class ArrayPlaces {
 public:
  ArrayPlaces(const Sources& sources, types::Catalog& types, Diagnostics& diagnostics)
      : sources_(sources), rules_(types), diagnostics_(diagnostics) {}

  // Report arrays whose address is wanted.
  void statement(const Stmt& stmt);
  // `whole`: the place takes an array as it is, and does not want its address.
  void expression(const Expr* e, bool whole);
  void refuse_address(const Expr* e);

 private:
  void call(const Expr* e);
  bool takes_whole(const Expr* e, std::size_t operand) const;

  const Sources& sources_;
  TypeRules rules_;
  Diagnostics& diagnostics_;
};

}  // namespace dt::d
