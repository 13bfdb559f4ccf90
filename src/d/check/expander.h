#pragma once
// Expansion of bodies: of inlines and of the members of translators.
//
// A use is the body's tree once more, checked where it is used, with each parameter bound to
// an argument that is computed once, before the body.

#include <cstdint>
#include <string_view>
#include <vector>

#include "d/check/expansion.h"
#include "d/check/part.h"

namespace dt::d {

struct Clause;
struct Stmt;

class Expander : Part {
 public:
  explicit Expander(Context& context) : Part(context) {}

  // Binds a parameter to an argument; to nothing (nullptr) while a definition is checked.
  Binding bind(const BodyParameter& parameter, Expr* argument);
  // Makes e, within a body, the parameter.
  void parameter(Expr* e, const Binding& binding);
  // The body of an inline or translator with its parameters bound; nullptr when it is wrong
  // (reported). `use`: where it is used.
  Expr* expand(const Expr* body, const std::vector<Binding>& bindings, Span use);
  // The value as if it were cast: an inline has the type that it declares.
  Expr* implicit_cast(Expr* value, TypeId type);
  // The tree as the parser has made it, to be checked once more.
  Clause clone(const Clause& clause);
  // The slot of the next parameter that is bound; of a value that is computed once.
  std::uint32_t next_slot() const { return next_slot_; }
  std::uint32_t take_slot() { return next_slot_++; }
  // The parameter of this name of the body that is being expanded; nullptr when there is none.
  const Binding* binding(std::string_view name) const;

 private:
  bool is_of_library(Span span) const;
  Expr* clone(const Expr* e);
  Stmt* clone(const Stmt* stmt);

  std::uint32_t next_slot_ = 1;
  std::uint64_t expanded_nodes_ = 0;
};

}  // namespace dt::d
