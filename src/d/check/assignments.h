#pragma once
// Assignment, ++ and --.

#include <cstdint>
#include <optional>

#include "d/check/part.h"

namespace dt::d {

enum class Op : std::uint8_t;

class Elements;
class Names;
class Objects;
class Pointers;
class Tables;
class Translators;

class Assignments : Part {
 public:
  Assignments(Context& context, Tables& tables, Names& names, Elements& elements, Objects& objects,
              Pointers& pointers, Translators& translators)
      : Part(context),
        tables_(tables),
        names_(names),
        elements_(elements),
        objects_(objects),
        pointers_(pointers),
        translators_(translators) {}

  // = and similar operators.
  void assign(Expr* e);
  // ++ and --, before and behind.
  void increment(Expr* e, Expr* target);

 private:
  bool is_assigned(Expr* e);
  bool make(Expr* e);
  // The first assignment makes the variable, and fixes its type and keys.
  bool create(Expr* target, TypeId type);
  // The type of a variable that is first assigned `from`; reports when there is none.
  std::optional<TypeId> type_from(const Expr* at, const Expr* from, Op op);
  bool assignable(const Expr* e, TypeId to, const Expr* from);
  // Whether `a op= b` makes sense; `a op b` must, and its result is stored in a.
  bool compound(Expr* e);
  // Whether an operator that changes a part of what it is given may have this one.
  bool single_value(const Expr* e, const Expr* target);
  // Whether assigning 0 sets all of it to zeros, and frees what can be freed.
  bool frees(const Expr* target) const;
  // Report, and return true, when `target` cannot be written.
  bool not_modifiable(const Expr* e, const Expr* target);
  bool not_storable(const Expr* e, const Expr* target);
  bool leads_from_builtin(const Expr* e, const Expr* target);

  Tables& tables_;
  Names& names_;
  Elements& elements_;
  Objects& objects_;
  Pointers& pointers_;
  Translators& translators_;
};

}  // namespace dt::d
