#pragma once
// Elements: of associative arrays, of arrays and of memory; uses of inlines with arguments.

#include <cstddef>
#include <cstdint>

#include "d/check/part.h"

namespace dt::d {

class Expander;
class Inlines;
class KernelUse;
class Names;
class Objects;
class ProbeArguments;
class Tables;

class Elements : Part {
 public:
  Elements(Context& context, Tables& tables, Expander& expander, Inlines& inlines, Names& names,
           KernelUse& kernel, ProbeArguments& probe_arguments, Objects& objects)
      : Part(context),
        tables_(tables),
        expander_(expander),
        inlines_(inlines),
        names_(names),
        kernel_(kernel),
        probe_arguments_(probe_arguments),
        objects_(objects) {}

  // a[...]: of an associative array, of args[] and uregs[], of an array or a pointer; the use of an
  // inline with arguments.
  void index(Expr* e);
  // Checks the keys from args[first] on; those already checked are not checked again.
  bool keys(Expr* e, std::size_t first);
  // Reports @a[1][2], whose keys stand in one pair of brackets; whether e is one.
  bool multidimensional(const Expr* e);

 private:
  void character(Expr* e);
  void memory_element(Expr* e, const Expr* base);
  bool named_element(Expr* e, const std::string& name);
  void array_element(Expr* e, std::uint32_t variable);
  void thread_register(Expr* e);

  Tables& tables_;
  Expander& expander_;
  Inlines& inlines_;
  Names& names_;
  KernelUse& kernel_;
  ProbeArguments& probe_arguments_;
  Objects& objects_;
};

}  // namespace dt::d
