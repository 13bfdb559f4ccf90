#pragma once
// ScratchPointers: which pointers may lead to scratch memory.
//
// A pointer's type says whose memory it leads to, and a type of a program says
// that it is the program's. A copy of such a structure, which copyin() has made
// and a variable keeps, has the same type and is scratch memory of the kernel:
//
//   this->c = copyin(arg0, this->size);  ...  ((struct a.out`rec *)this->c)->id
//
// So a pointer that comes from copyin(), alloca() or a variable to which one of
// them was assigned is looked at when the clause runs: addresses of the kernel
// have their highest bit set.

#include <unordered_map>
#include <vector>

#include "d/meaning/type_meaning.h"

namespace dt::d {
struct Checked;
struct Expr;
}  // namespace dt::d

namespace dt::d::lowering {

class ScratchPointers {
 public:
  ScratchPointers(const Checked& checked, const TypeRules& rules);

  // Whether the pointer that an expression gives may lead there.
  bool may_be(const Expr* pointer) const;
  // Whether the object that is read, which is in memory, may be there.
  bool may_hold(const Expr* object) const;

 private:
  bool from_call(const Expr* e) const;

  const TypeRules& rules_;
  std::vector<bool> variables_;
  // Of the bodies of inlines and translators, which may be arguments of
  // arguments.
  mutable std::unordered_map<const Expr*, bool> known_;
};

}  // namespace dt::d::lowering
