#pragma once
// Casts, stringof, sizeof, offsetof and members.

#include <optional>

#include "d/check/part.h"

namespace dt::d {

class Translators;
class TypeNames;

class Members : Part {
 public:
  Members(Context& context, TypeNames& types, Translators& translators)
      : Part(context), types_(types), translators_(translators) {}

  void cast(Expr* e);
  void stringof(Expr* e);
  void size_of(Expr* e);
  void offset_of(Expr* e);
  void member(Expr* e);

 private:
  struct Outer {
    TypeId type;
    bool is_user = false;
  };
  std::optional<Outer> outer_of(const Expr* e);

  TypeNames& types_;
  Translators& translators_;
};

}  // namespace dt::d
