#pragma once
// LIR: BPF instructions over virtual registers, one to one with the machine
// but for registers, labels and stack slots that have no numbers yet.
//
// Registers below kFirstVirtual are the machine's r0-r10; the emitter uses them
// only around calls (arguments r1-r5, result r0), at function entry, for the
// result of a function and as the expected value of a compare-and-exchange.
// The passes, in order:
//
//   fold      (fold.h)  constants and addresses into their users, dead code
//   allocate  (allocate.h)  virtual registers -> r0-r9 and spill slots
//   peephole  (peephole.h)  what only shows with real registers
//   encode    (encode.h)    frame layout, jump offsets, bpf_insn
//
// All of them keep the linear order of what remains.

#include <cstdint>
#include <string>
#include <vector>

#include "bpf/asm/reg.h"
#include "kernel/function.h"
#include "support/source.h"

namespace dt::bpf {

constexpr std::uint32_t kR0 = 0;
constexpr std::uint32_t kFrame = 10;  // r10
constexpr std::uint32_t kFirstVirtual = 16;

enum class LirOp : std::uint8_t {
  kLabel,         // label: stands before the next instruction
  kFunction,      // label: a function starts; args: its parameters, in r1..;
                  // imm: 1 + its place in LirCode::globals, 0 = static
  kSlotUse,       // label = stack slot: it is needed until here
  kMov,           // dst = src; size 4 zero-extends
  kMovImm,        // dst = imm (ld_imm64 where it does not fit)
  kStackAddress,  // dst = address of slot `label` + offset
  kMap,           // dst = map
  kMapValue,      // dst = address of `imm` in the map's value
  kLabelOffset,   // dst = index of the instruction at label
  kAlu,           // dst alu= src; size 4 or 8
  kAluImm,        // dst alu= imm
  kNeg,           // dst = -dst
  kSignExtend,    // dst = low `size` bytes of dst
  kByteSwap,      // dst = low `size` bytes of dst, reversed
  kLoad,          // dst = *(src + offset)
  kStore,         // *(dst + offset) = src
  kStoreImm,      // *(dst + offset) = imm
  kAtomic,        // *(dst + offset) atomic= src
  kJump,          // label; size 4 is the long form of cpu v4
  kBranch,        // if dst cond src, label
  kBranchImm,     // if dst cond imm, label
  kCall,          // helper imm; args: how many of r1-r5 it takes
  kCallFunction,  // function label; args
  kCallKernel,    // the kernel's function with BTF number imm; args
  kExit,          // returns r0
};

// In memory instructions whose base is r10, `label` is the stack slot that the
// offset counts from.
struct Lir {
  LirOp op = LirOp::kLabel;
  Alu alu = Alu::kAdd;
  Cond cond = Cond::kEq;
  Atomic atomic = Atomic::kAdd;
  std::uint8_t size = 8;
  std::uint8_t args = 0;
  std::uint32_t dst = kNoId;
  std::uint32_t src = kNoId;
  std::uint32_t label = kNoId;
  std::int32_t offset = 0;
  std::int64_t imm = 0;
  MapRef map = {};
  Span span = {};
};

struct GlobalFunction {
  std::string symbol;
  std::vector<kernel::Parameter> parameters;
};

struct LirCode {
  std::vector<Lir> code;
  std::uint32_t regs = kFirstVirtual;  // virtual registers are below this
  std::uint32_t labels = 0;
  std::vector<std::uint32_t> slots;  // bytes of each stack slot
  std::vector<bool> held;            // by register, as far as there are any: see Emitter::held()
  std::vector<GlobalFunction> globals;

  bool is_held(std::uint32_t reg) const { return reg < held.size() && held[reg]; }
  void hold(std::uint32_t reg) {
    if (reg >= held.size()) held.resize(reg + 1, false);
    held[reg] = true;
  }
};

// The registers that an instruction reads and writes. r1-r5 of calls and r0 of
// an exit are among `reads`; what a call merely destroys is not in `writes`.
struct Operands {
  std::uint32_t reads[6];
  std::uint32_t read_count = 0;
  std::uint32_t write = kNoId;
};
Operands operands(const Lir& lir);

inline bool is_virtual(std::uint32_t reg) { return reg >= kFirstVirtual && reg != kNoId; }
inline bool is_call(const Lir& lir) {
  return lir.op == LirOp::kCall || lir.op == LirOp::kCallFunction || lir.op == LirOp::kCallKernel;
}
// Control does not go on to the next instruction.
inline bool ends_flow(const Lir& lir) { return lir.op == LirOp::kJump || lir.op == LirOp::kExit; }
inline bool is_branch(const Lir& lir) {
  return lir.op == LirOp::kBranch || lir.op == LirOp::kBranchImm;
}
inline bool jumps(const Lir& lir) { return lir.op == LirOp::kJump || is_branch(lir); }
inline bool is_memory(const Lir& lir) {
  return lir.op == LirOp::kLoad || lir.op == LirOp::kStore || lir.op == LirOp::kStoreImm ||
         lir.op == LirOp::kAtomic;
}
// The register that holds the address.
inline std::uint32_t& base_of(Lir& lir) { return lir.op == LirOp::kLoad ? lir.src : lir.dst; }
inline std::uint32_t base_of(const Lir& lir) { return lir.op == LirOp::kLoad ? lir.src : lir.dst; }
// A value that is as cheap to make again as to load: constants and addresses.
inline bool is_remakeable(const Lir& lir) {
  return lir.op == LirOp::kMovImm || lir.op == LirOp::kStackAddress || lir.op == LirOp::kMap ||
         lir.op == LirOp::kMapValue || lir.op == LirOp::kLabelOffset;
}
// Has no effect but to write its destination.
bool is_pure(const Lir& lir);
bool fits_s32(std::int64_t value);
bool fetches(Atomic atomic);

// One line per instruction: "v17 += 8".
std::string print(const LirCode& code);
std::string print(const Lir& lir);

}  // namespace dt::bpf
