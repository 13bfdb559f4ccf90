#pragma once
// Reads of memory that is not ours: the kernel's and the process's. A program that may wait brings
// in what is not resident of the process's, as the process itself would; in any other that is a
// fault.
//
// Such a program is one that the kernel lets sleep. It says where it may not (an
// RCU read section from its first instruction to its last), so that the runtime can
// wait for it as for others, and leaves that only for the time of a page fault:
//
//     [section begins]  ...  read, in vain -> [ends]  the page is touched  [begins]  read again
//     ...  [section ends]
//
// Between clauses that stand in functions of their own there is no section.

#include <cstdint>

#include "bpf/asm/emitter.h"
#include "bpf/routine/routine.h"
#include "ir/ir.h"

namespace dt::bpf {

struct Unit;

// What is read, and where to: `size` is `most` at most.
struct ForeignRead {
  Reg to, size, from;
  std::uint32_t most = 0;
  bool is_user = false;
  bool is_string = false;
};
// The result of bpf_probe_read() and similar helpers: below 0 if it cannot be read.
Reg read_foreign(Unit& unit, const ForeignRead& read);

// The routine that brings it in page by page: (to, size, from) -> as read_foreign().
void emit_bring_in(Unit& unit, Label name, const Routine& routine);

}  // namespace dt::bpf
