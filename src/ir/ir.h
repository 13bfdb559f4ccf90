#pragma once
// The intermediate representation: the contract between front-ends (D now) and
// everything after. What both languages need, so that D does not leak in.
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
// nothing after it runs, the clause's record is not written, ERROR fires.
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

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/layout.h"
#include "support/source.h"

namespace dt::ir {

enum class TypeKind : std::uint8_t { kVoid, kInt, kString, kBytes };

struct Type {
  TypeKind kind = TypeKind::kVoid;
  bool is_signed = false;  // kInt
  std::uint32_t size = 0;  // kInt: 1, 2, 4, 8; kString: capacity with NUL; kBytes: size
  bool operator==(const Type&) const = default;

  static Type none() { return {}; }
  static Type integer(std::uint32_t size, bool is_signed) {
    return {TypeKind::kInt, is_signed, size};
  }
  static Type s64() { return integer(8, true); }
  static Type u64() { return integer(8, false); }
  static Type s32() { return integer(4, true); }
  static Type u32() { return integer(4, false); }
  static Type string(std::uint32_t capacity) { return {TypeKind::kString, false, capacity}; }
  static Type bytes(std::uint32_t size) { return {TypeKind::kBytes, false, size}; }
};

using ValueId = std::uint32_t;  // function-wide; defined once
using BlockId = std::uint32_t;
constexpr std::uint32_t kNone = 0xffffffff;

// Things that a firing knows without being told (arguments: imm = number).
enum class Builtin : std::uint8_t {
  kArg,  // imm 0..9; int64
  kPid,
  kPpid,
  kTid,
  kUid,
  kGid,
  kCpu,
  kErrno,
  kExecname,  // string(16)
  kTimestamp,
  kVtimestamp,
  kWalltimestamp,
  kProbeId,
  kEpid,       // u32; of the probe that fired
  kCurthread,  // kernel address of the current task_struct
  kCaller,
  kUcaller,
  kStackdepth,
  kUstackdepth,
  kIpl,
  kProbeprov,
  kProbemod,
  kProbefunc,
  kProbename,  // string; front-ends prefer ProbeX fields
  kExecargs,   // string of any capacity: the process's arguments with blanks between
  kUregs,      // kernel address of the thread's user registers
  kRegs,       // imm 0..20; a register of the kernel at the probe, numbered as in struct pt_regs
};
constexpr std::int64_t kRegisters = 21;
// Whether imm says which one of them: arguments and registers.
bool has_number(Builtin builtin);
const char* builtin_name(Builtin builtin);
std::optional<Builtin> builtin_from_name(const std::string& name);
Type builtin_type(Builtin builtin);

// What kCall calls: subroutines.def.
enum class Subroutine : std::uint8_t {
#define DT_SUBROUTINE(id, name, result, operands, has_effect, may_fault) id,
#include "ir/subroutines.def"
#undef DT_SUBROUTINE
};
struct SubroutineInfo {
  const char* name;
  TypeKind result;
  const char* operands;  // s: a string, i: an integer
  bool has_effect, may_fault;
};
constexpr std::size_t kSubroutineCount = 0
#define DT_SUBROUTINE(id, name, result, operands, has_effect, may_fault) +1
#include "ir/subroutines.def"
#undef DT_SUBROUTINE
    ;
const SubroutineInfo& subroutine_info(Subroutine subroutine);
std::optional<Subroutine> subroutine_from_name(const std::string& name);

enum class Op : std::uint8_t {
  // Integers. Operands and result are 64-bit registers.
  kConst,  // imm
  kAdd,
  kSub,
  kMul,
  kAnd,
  kOr,
  kXor,
  kShl,
  kShrS,
  kShrU,  // shift count is taken modulo 64
  kDivS,
  kDivU,
  kRemS,
  kRemU,  // fault kDivideByZero; INT64_MIN / -1 wraps, remainder 0
  kNeg,
  kNot,     // kNot: bitwise complement
  kExtend,  // truncate to `type` and sign- or zero-extend
  kEq,
  kNe,
  kLtS,
  kLeS,
  kLtU,
  kLeU,  // 0 or 1
  // Firing.
  kBuiltin,  // builtin, imm for those that have_number()
  // Strings and memory.
  kString,  // string constant, `index` into Program::strings
  kStrCmp,  // (a, b) -> s32 <0, 0, >0; bytes are unsigned
  // An address in the lower half is the process's, whatever reads it: a pointer
  // that was copied out of user memory can be followed.
  kLoadKernel,    // (addr) -> int of `type`; faults kBadAddress
  kLoadUser,      // (addr) -> int of `type`; faults kBadAddress
  kCopyinstr,     // (addr[, max]) -> string; faults kBadAddress; max counts the NUL, is
                  // unsigned and clamped to capacity; with 0 nothing is read
  kKernelString,  // (addr) -> string at a kernel address; faults kBadAddress
  kCopyin,        // (addr) -> bytes of `type.size`; user memory; faults
  kKernelBytes,   // (addr) -> bytes of `type.size`; kernel memory; faults
  kToString,      // (string or bytes) -> string of `type`: truncates or pads
  kStack,         // -> bytes: kernel frames, size/8 of them, zero-padded
  kUstack,        // -> bytes: u64 tgid, then (size-8)/8 user frames, zero-padded
  kJstack,       // the same, with the functions that an interpreter runs in the place of its frames
  kUserAddr,     // (addr) -> bytes(16): u64 tgid, u64 address
  kCall,         // the subroutine `index`; strings are cut to `type`
  kAddressText,  // (words...) -> string: imm says whose, see ir/address_text.h
  // Scratch memory, Program::scratch_size bytes of it: what a firing allocates
  // is its own until it ends, whatever clause allocated it, and lies at a
  // kernel address. Only there do the writing operations write: they fault
  // kBadAddress (the address of the place) where a byte of it is not allocated.
  kAlloca,        // (size) -> address, a multiple of 8, of zeros, or with imm 1 of
                  // anything; faults kNoScratch
  kCopyKernel,    // (to, from, size): as kKernelBytes reads; faults kBadAddress; of no
                  // bytes, `from` does not matter
  kCopyUser,      // (to, from, size): of user memory; faults kBadAddress
  kStoreScratch,  // (to, value): the value's low imm bytes (1, 2, 4, 8); of bytes or a
                  // string all imm bytes
  // User memory is written, which is destructive.
  kCopyout,        // (from, to, size): of kernel or scratch memory; faults kNoScratch where
                   // scratch memory has no room for `size` more, kBadAddress
  kCopyoutString,  // (string, to, max): with its NUL, cut to max bytes; faults likewise
  // What the kernel is asked.
  kPath,        // (address of a struct path) -> string, as the process sees it; faults
                // kBadAddress, kIllegalOperation where it has too many components
  kRand,        // -> a random number of 32 bits, each time another one
  kProgenyOf,   // (pid) -> 0 or 1: that is the process, its parent, or theirs; faults
                // kIllegalOperation when there are more ancestors than can be followed
  kSeenNumber,  // (address of a struct pid) -> its number in our namespace of processes; 0 where
                // it has none there, or cannot be read
  // Variables. `index` into Program::variables; keys are the operands. What is
  // stored, keys too, is cut to the width of its place, and strings padded.
  kLoad,       // (keys...) -> value; a missing element is 0 / ""
  kStore,      // (keys..., value); storing 0 or "" into an array element or a thread-local frees it
  kAtomicAdd,  // (keys..., delta): integer variable += delta, result not used
  // Parts of values of bytes: the int or bytes of `type` at imm plus an offset
  // that is given, counted from 0. An offset with which the part would leave the
  // value is taken for 0: whoever lets a script compute one checks it before.
  kPart,       // (bytes[, offset])
  kLoadPart,   // (keys...[, offset]), of a variable of bytes
  kStorePart,  // (keys...[, offset], value), which is cut to the width of `stored`
  kClear,      // (keys...): a variable becomes all zeros; frees as storing 0 does
  // Effects.
  kAggregate,  // agg `index`; (keys..., value[, increment]); count() has no value
  kEmit,       // write the clause's record; operands are Layout::fields in order
  kSignal,     // (signal): to the current process; faults kIllegalOperation where it cannot be sent
  kChill,  // (ns): spins for so long; faults kIllegalOperation when the CPU has had too much of it
  kExit,   // (status): tracing stops; the first one counts. The status is also a field
  kSpeculation,     // -> s32: the id of a new speculation, 0 when all are in use
  kEndSpeculation,  // (id): it may be given out again; nothing when it is not in use
  kFault,           // imm = record::Fault; (address): leaves the clause
};
const char* op_name(Op op);

struct Inst {
  Op op = Op::kConst;
  Builtin builtin = Builtin::kArg;
  Type type;  // of the result; kVoid when there is none
  ValueId result = kNone;
  std::vector<ValueId> args;
  std::int64_t imm = 0;
  std::uint32_t index = 0;   // variable, aggregation, string or subroutine
  Type stored = {};          // kStorePart: the place's
  std::uint32_t action = 0;  // for fault messages; 0 = predicate
  Span span;
};

bool may_fault(const Inst& inst);
bool has_effect(const Inst& inst);  // must not be removed or duplicated
// Reads kernel or user memory, which writes_memory() changes: not to be repeated.
bool reads_memory(Op op);
bool writes_memory(Op op);
bool uses_scratch(Op op);
// Operations on `Inst::index` of the program's variables.
bool reads_variable(Op op);   // nothing else
bool writes_variable(Op op);  // may read it, too

struct Target {
  BlockId block = kNone;
  std::vector<ValueId> args;
};

// How a block ends.
struct Terminator {
  enum class Kind : std::uint8_t { kReturn, kJump, kBranch } kind = Kind::kReturn;
  ValueId condition = kNone;  // kBranch: non-zero goes to `then`
  Target then;                // also kJump's target
  Target otherwise;
};

struct Param {
  ValueId id;
  Type type;
};

struct Block {
  std::vector<Param> params;
  std::vector<Inst> insts;
  Terminator end;
};

// Blocks are in an order in which every jump goes forward (D has no loops);
// block 0 is the entry and has no parameters.
struct Function {
  std::vector<Block> blocks;
  std::uint32_t value_count = 0;  // ValueIds are below this
};

enum class Scope : std::uint8_t { kGlobal, kThread, kClause };
const char* scope_name(Scope scope);

struct Variable {
  std::string name;
  Scope scope = Scope::kGlobal;
  Type type;
  std::vector<Type> keys;  // empty = scalar
};

// A clause: what to run when a probe that matches `pattern` fires.
struct EcbDesc {
  std::vector<std::string> patterns;  // "syscall::read:entry", each as written
  std::vector<Span> pattern_spans;    // theirs in the script; empty when the text form was read
  Function body;                      // predicate included
  record::Layout layout;
  bool records = false;  // body contains kEmit
  Span span;
};

struct Program {
  std::vector<Variable> variables;
  std::vector<record::AggLayout> aggregations;
  std::vector<std::string> strings;  // may contain any byte but NUL
  std::vector<EcbDesc> clauses;
  std::uint32_t string_size = 256;     // strsize
  std::uint32_t scratch_size = 16384;  // bytes for one firing; a multiple of 8
  std::uint32_t speculations = 0;      // how many there can be at a time; 0 = none is used
  bool destructive = false;
};

}  // namespace dt::ir
