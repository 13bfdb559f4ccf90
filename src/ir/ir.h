#pragma once
// The intermediate representation: the contract between front-ends (D is the first)
// and all later stages.
//
// A Program holds variables, aggregations, strings and EcbDescs (a clause that
// is not yet bound to a probe). A clause's body is a Function: a control-flow
// graph in SSA form whose blocks take parameters (there are no phis; a jump
// passes arguments). Values are of three sorts:
//
//   int      a 64-bit register. Type says width and signedness, and the
//            register always holds the value correctly extended from that
//            width; the front-end emits kExtend after arithmetic that can
//            leave the range.
//   string   a NUL-terminated string of at most Type::size bytes including the
//            NUL, zero-padded to Type::size. Value semantics: a later store to
//            a variable does not change it.
//   bytes    exactly Type::size bytes of raw memory (copyin, stacks).
//
// NULL strings are the empty string. A faulting instruction leaves the clause:
// nothing after it runs, no kEmit behind it writes, ERROR fires.
//
// Text form (ir/print.h prints it, ir/parse.h reads it; docs/ir.md has it all):
//
//   program strsize=256
//   var @0 global "x" : s64
//   var @1 thread "ts" : u64
//   var @2 global "seen" [s32, str16] : s64
//   agg @0 "_" count [str16]
//   clause "syscall:::entry" {
//     record { trace int8s } urgent
//     b0:
//       %0 : s32 = builtin pid           ; 3:24
//       %1 : s64 = const 42
//       %2 : s32 = eq %0, %1
//       branch %2, b1, b2
//     ...
//   }

#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"
#include "probe/point.h"
#include "record/aggregation.h"
#include "record/layout.h"
#include "support/source.h"

namespace dt::ir {

enum class Scope : std::uint8_t { kGlobal, kThread, kClause };
const char* scope_name(Scope scope);

struct Variable {
  std::string name;
  Scope scope = Scope::kGlobal;
  Type type;
  std::vector<Type> keys;  // empty = scalar
  // How many elements an array has room for at least, whatever the option for all arrays gives.
  std::uint32_t room = 0;
};

// Program::arguments has this much of the arguments of a process, with a NUL.
constexpr std::uint32_t kArgumentsBytes = 256;

// A global scalar of this name and "load1)" is that number of the machine, which others than the
// clauses write: record::supply_of_machine().
constexpr std::string_view kMachineNumber = "machine_number(";

// A clause: what to run when a probe fires that one of its points means.
struct EcbDesc {
  std::vector<probe::Point> points;  // their spans are empty when the text form was read
  Function body;                     // predicate included
  // What its kEmits write. A firing may run any of them or none, and several one after the
  // other; whether what was recorded before a fault counts is the front-end's decision, by
  // the places where it puts them.
  std::vector<record::Layout> layouts;
  Span span;
  // The front-end has made the clause for another one: the script has no such text.
  bool is_added = false;
};

struct Program {
  std::vector<Variable> variables;
  std::vector<record::AggLayout> aggregations;
  std::vector<std::string> strings;  // may contain any byte but NUL
  std::vector<EcbDesc> clauses;
  std::uint32_t string_size = 256;     // strsize
  std::uint32_t scratch_size = 16384;  // bytes for one firing; a multiple of 8
  std::uint32_t speculations = 0;      // how many there can be at a time
  // The variable with what each process was started with, by the number of the process in the
  // first namespace, which others than the clauses write (bpf/program/arguments.h); kNone: none.
  std::uint32_t arguments = kNone;
  bool destructive = false;
};

}  // namespace dt::ir
