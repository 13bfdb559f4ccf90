#pragma once
// Structures and unions that a script mentions before it defines them.
//
//   typedef struct node node_t;
//   struct node { node_t *next; };
//
// The first line means the second one's structure, whether the kernel has a structure of this name
// or not: Linux has thousands of them, with names as short as `struct s`.

#include "types/type.h"

namespace dt::d {

struct Unit;

// Declares these tags, incomplete. Those that are declared already stay what they are.
void declare_own_tags(const Unit& unit, types::Catalog& types);

}  // namespace dt::d
