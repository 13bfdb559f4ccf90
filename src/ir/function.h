#pragma once
// A clause's body in the intermediate representation: its operations, instructions and blocks.
// ir/ir.h says what values are and shows the text form.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/type.h"
#include "support/source.h"

namespace dt::ir {

// Values that every firing has (arguments: imm = number).
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

// What an instruction does: ops.def says it of each.
enum class Op : std::uint8_t {
#define DT_OP(id, name, operands, result, text, family, traits, weight) id,
#include "ir/ops.def"
#undef DT_OP
};
const char* op_name(Op op);

// One struct for all operations: which members count depends on `op`. ops.def says for each
// operation how many operands it has, and whether `imm`, `index` or `stored` mean something; the
// verifier (verify.h) refuses what does not agree with it. `span` is the text in the script that
// the instruction comes from: faults and refusals point to it.
struct Inst {
  Op op = Op::kConst;
  Builtin builtin = Builtin::kArg;
  Type type;  // of the result; kVoid when there is none
  ValueId result = kNone;
  std::vector<ValueId> args;
  std::int64_t imm = 0;
  std::uint32_t index = 0;   // variable, aggregation, string, subroutine or layout
  Type stored = {};          // kStorePart: the place's
  std::uint32_t action = 0;  // for fault messages; 0 = predicate
  Span span;
};

// A fault is an edge that is not drawn: it leads from the middle of a block to the end of the
// clause.
bool may_fault(const Inst& inst);
bool has_effect(const Inst& inst);  // must not be removed or duplicated
// Reads kernel or user memory, which writes_memory() changes: not to be repeated.
bool reads_memory(Op op);
bool writes_memory(Op op);
bool uses_scratch(Op op);
// Operations on `Inst::index` of the program's variables.
bool reads_variable(Op op);   // nothing else
bool writes_variable(Op op);  // may read it, too

// An edge: `args` become the parameters of the block, by position.
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

// A body: blocks in an order in which every jump goes forward (D has no loops); block 0 is the
// entry and has no parameters. Passes rely on that: one walk from the first block to the last sees
// every definition before its uses, and one from the last to the first every use before its
// definition.
struct Function {
  std::vector<Block> blocks;
  std::uint32_t value_count = 0;  // ValueIds are below this
};

}  // namespace dt::ir
