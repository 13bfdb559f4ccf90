#pragma once
// Translators: what members of a struct that D promises are on this kernel.
//
// xlate <T> (e) has T's members, each of which is the expression that the
// translator gives for it; xlate <T *> (e) is a pointer to such a thing. The
// whole exists nowhere, so nothing but its members can be used, and, of a
// pointer, whether it is NULL.

#include <cstdint>
#include <string>
#include <vector>

#include "d/check/expansion.h"
#include "d/check/part.h"
#include "d/syntax/ast.h"

namespace dt::d {

class Expander;
class LibraryUse;
class TypeNames;

class Translators : Part {
 public:
  Translators(Context& context, TypeNames& types, Expander& expander, LibraryUse& libraries)
      : Part(context), types_(types), expander_(expander), libraries_(libraries) {}

  // A declaration.
  void define(const Translator& definition);
  // 1 + the index of the translator; 0 when there is none. One of just this input type goes before
  // one of a type that is as good.
  std::uint32_t find(TypeId output, TypeId input);
  // Loads the libraries that may translate to `output`.
  void load(TypeId output);
  // xlate <T> (e).
  void xlate(Expr* e);
  // e is object.member or object->member of a translated object.
  void member(Expr* e);
  // Makes a translated structure one that exists: of all members that the translator gives.
  void build(Expr* e);
  // Reports a translated thing as a whole, where it would have to exist.
  void refuse_whole(Expr* e);
  // What to use instead of a translated whole; "" for anything else.
  std::string member_hint(const Expr* e) const;
  // The input type of the translator that find() gave.
  TypeId input(std::uint32_t found) const { return translators_[found - 1].input; }
  // How many there are; forgets those after the first `count`.
  std::size_t count() const { return translators_.size(); }
  // The members of those that libraries define.
  void check_unused();
  void forget_after(std::size_t count) { translators_.resize(count); }

 private:
  bool types_of(TranslatorInfo& info);
  void check_members(TranslatorInfo& info);
  bool member_value_fits(const TranslatorInfo& info, const Translator::Member& member,
                         const Expr* value);

  TypeNames& types_;
  Expander& expander_;
  LibraryUse& libraries_;
  std::vector<TranslatorInfo> translators_;
  std::vector<const Translator::Member*> wrong_;  // members that have been reported
  bool is_any_wrong_ = false;                     // one of the program, which has been reported
};

}  // namespace dt::d
