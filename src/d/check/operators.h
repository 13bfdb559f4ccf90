#pragma once
// Operators, and literals.

#include "d/check/part.h"

namespace dt::d {

class Assignments;
class Pointers;
class Translators;

class Operators : Part {
 public:
  Operators(Context& context, Pointers& pointers, Assignments& assignments,
            Translators& translators)
      : Part(context), pointers_(pointers), assignments_(assignments), translators_(translators) {}

  void int_literal(Expr* e);
  void unary(Expr* e);
  void binary(Expr* e);
  void ternary(Expr* e);
  void comma(Expr* e);

 private:
  void arithmetic(Expr* e);
  void comparison(Expr* e);
  void logical(Expr* e);
  bool scalar_operand(const Expr* e, const Expr* operand);
  // An address and what is none.
  bool mixes_number(const Expr* a, const Expr* b) const;
  Diagnostic& incompatible(const Expr* e);
  bool excludes(Expr* e);
  bool joins_strings(const Expr* e) const;

  Pointers& pointers_;
  Assignments& assignments_;
  Translators& translators_;
};

}  // namespace dt::d
