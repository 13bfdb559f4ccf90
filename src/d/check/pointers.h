#pragma once
// Pointers: what they lead to, addresses, and arithmetic with them.

#include "d/check/part.h"

namespace dt::d {

class KernelSymbols;
class Objects;

class Pointers : Part {
 public:
  Pointers(Context& context, KernelSymbols& kernel_symbols, Objects& objects)
      : Part(context), kernel_symbols_(kernel_symbols), objects_(objects) {}

  // *p
  void dereference(Expr* e);
  // &e
  void address_of(Expr* e);
  // p + n, p - q; false when no operand is a pointer.
  bool arithmetic(Expr* e);
  // Whether a pointer can be moved: what it leads to has a size. Reports.
  bool known_step(const Expr* e, const Expr* pointer);

 private:
  // *a and *(a + n) of an array in a variable, which has no address: a[0], a[n].
  bool dereferences_element(Expr* e);

  KernelSymbols& kernel_symbols_;
  Objects& objects_;
};

}  // namespace dt::d
