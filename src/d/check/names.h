#pragma once
// Names: built-in variables, globals, self->, this->, inlines, enumerators.

#include <cstdint>
#include <vector>

#include "d/check/part.h"

namespace dt::ir {
enum class Scope : std::uint8_t;
}

namespace dt::d {

class Expander;
class Inlines;
class KernelEnumerators;
class KernelUse;
class LibraryUse;
class Tables;
class UndefinedNames;

class Names : Part {
 public:
  Names(Context& context, Tables& tables, Expander& expander, Inlines& inlines,
        LibraryUse& libraries, KernelUse& kernel, UndefinedNames& undefined,
        KernelEnumerators& kernel_enumerators)
      : Part(context),
        tables_(tables),
        expander_(expander),
        inlines_(inlines),
        libraries_(libraries),
        kernel_(kernel),
        undefined_(undefined),
        kernel_enumerators_(kernel_enumerators) {}

  // An identifier that stands for a value: a parameter, a built-in variable, an enumerator, an
  // inline, a variable; nothing of these is reported.
  void identifier(Expr* e);
  // `freemem: makes the name of a variable of other kernels, which a library has, an identifier;
  // false when it is none.
  bool take_from_library(Expr* e);
  // x, self->x or this->x.
  void variable(Expr* e, ir::Scope scope);
  // Whether an assignment to `target` would make a variable: x, self->x, this->x or x[...] of one
  // that does not exist.
  bool is_new(const Expr* target) const;

 private:
  bool kernel_enumerator(Expr* e);
  TypeId builtin_type(std::uint32_t index, Span span);

  Tables& tables_;
  Expander& expander_;
  Inlines& inlines_;
  LibraryUse& libraries_;
  KernelUse& kernel_;
  UndefinedNames& undefined_;
  KernelEnumerators& kernel_enumerators_;
  std::vector<TypeId> builtin_types_;  // by index, as they are asked for
};

}  // namespace dt::d
