// LIR with real registers -> bpf_insn, and the order of all passes.

#include "bpf/asm/encode.h"

#include <limits>

#include "bpf/asm/allocate.h"
#include "bpf/asm/allocate_live.h"
#include "bpf/asm/fold.h"
#include "bpf/asm/peephole.h"
#include "support/check.h"

namespace dt::bpf {
namespace {

constexpr std::uint8_t kAluCode[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_MOD, BPF_OR,
                                     BPF_AND, BPF_XOR, BPF_LSH, BPF_RSH, BPF_ARSH};
constexpr std::uint8_t kCondCode[] = {BPF_JEQ,  BPF_JNE,  BPF_JGT,  BPF_JGE,  BPF_JLT, BPF_JLE,
                                      BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE, BPF_JSET};

bpf_insn make(std::uint32_t code, std::uint32_t dst, std::uint32_t src, std::int32_t offset,
              std::int32_t imm) {
  bpf_insn insn{};
  insn.code = static_cast<std::uint8_t>(code);
  insn.dst_reg = dst & 0xf;
  insn.src_reg = src & 0xf;
  insn.off = static_cast<std::int16_t>(offset);
  insn.imm = imm;
  return insn;
}

std::uint32_t size_code(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return BPF_B;
    case 2:
      return BPF_H;
    case 4:
      return BPF_W;
    case 8:
      return BPF_DW;
    default:
      DT_UNREACHABLE("a memory access of {} bytes", bytes);
  }
}

std::int32_t low(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}
std::int32_t high(std::int64_t value) { return static_cast<std::int32_t>(value >> 32); }
bool fits_u32(std::int64_t value) {
  return value >= 0 && value <= std::numeric_limits<std::uint32_t>::max();
}

// BPF_XCHG and BPF_CMPXCHG include BPF_FETCH: they return the old value in any case.
// Compare-and-exchange expects and returns it in r0, whatever its operands are.
std::int32_t atomic_imm(Atomic atomic) {
  switch (atomic) {
    case Atomic::kAdd:
      return BPF_ADD;
    case Atomic::kFetchAdd:
      return BPF_ADD | BPF_FETCH;
    case Atomic::kOr:
      return BPF_OR;
    case Atomic::kXchg:
      return BPF_XCHG;
    case Atomic::kCmpxchg:
      return BPF_CMPXCHG;
  }
  DT_UNREACHABLE();
}

class Encoder {
 public:
  Encoder(const LirCode& code, const Target& target) : code_(code), target_(target) {}

  Result<Assembly> run() {
    place();
    list_functions();
    out_.object.insns.reserve(total_);
    for (const Lir& lir : code_.code) {
      if (lir.op == LirOp::kLabel || lir.op == LirOp::kFunction) continue;
      std::vector<LineEntry>& lines = out_.object.lines;
      if (lines.empty() || !(lines.back().span == lir.span)) lines.push_back({here(), lir.span});
      const std::uint32_t before = here();
      encode_one(lir);
      DT_CHECK(here() - before == insn_count(lir, target_), "{}", print(lir));
    }
    if (too_far_) return Error::of("a jump in the program is too far");
    return std::move(out_);
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(out_.object.insns.size()); }

  void place() {
    out_.label_insn.assign(code_.labels, kNoId);
    for (const Lir& lir : code_.code) {
      if (lir.op == LirOp::kLabel || lir.op == LirOp::kFunction)
        out_.label_insn[lir.label] = total_;
      total_ += insn_count(lir, target_);
    }
  }

  // Functions have to be described to the kernel if one of them is global; then all of them.
  void list_functions() {
    bool has_global = false;
    for (const Lir& lir : code_.code) {
      if (lir.op != LirOp::kFunction) continue;
      kernel::Function function = {.insn = out_.label_insn[lir.label], .name = {}};
      if (lir.imm != 0) {
        const GlobalFunction& global = code_.globals[static_cast<std::size_t>(lir.imm) - 1];
        function.name = global.symbol;
        function.is_global = has_global = true;
        function.parameters = global.parameters;
      }
      out_.object.functions.push_back(std::move(function));
    }
    if (!has_global) out_.object.functions.clear();
  }

  void put(std::uint32_t code, std::uint32_t dst, std::uint32_t src, std::int32_t offset,
           std::int32_t imm) {
    out_.object.insns.push_back(make(code, dst, src, offset, imm));
  }

  void put_wide(std::uint32_t dst, std::uint32_t kind, std::int32_t first, std::int32_t second) {
    put(BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, first);
    put(0, 0, 0, 0, second);
  }

  // The distance to the label from the instruction after this one. The same holds for calls within
  // the program: the kernel computes imm + 1 from the call.
  std::int32_t distance(const Lir& lir) {
    const std::uint32_t target = out_.label_insn[lir.label];
    DT_CHECK(target != kNoId, "L{} is not bound", lir.label);
    return static_cast<std::int32_t>(target) - static_cast<std::int32_t>(here()) - 1;
  }
  std::int32_t short_distance(const Lir& lir) {
    const std::int32_t d = distance(lir);
    too_far_ |= d < std::numeric_limits<std::int16_t>::min() ||
                d > std::numeric_limits<std::int16_t>::max();
    return d;
  }

  void encode_value(const Lir& lir) {
    switch (lir.op) {
      case LirOp::kMovImm:
        // A 64-bit move extends the sign of its 32 bits, a 32-bit move clears the upper half. What
        // neither of them makes takes two instructions.
        if (fits_s32(lir.imm)) {
          put(BPF_ALU64 | BPF_MOV | BPF_K, lir.dst, 0, 0, low(lir.imm));
        } else if (fits_u32(lir.imm)) {
          put(BPF_ALU | BPF_MOV | BPF_K, lir.dst, 0, 0, low(lir.imm));
        } else {
          put_wide(lir.dst, 0, low(lir.imm), high(lir.imm));
        }
        return;
      case LirOp::kStackAddress:
        put(BPF_ALU64 | BPF_MOV | BPF_X, lir.dst, kFrame, 0, 0);
        if (lir.offset != 0) put(BPF_ALU64 | BPF_ADD | BPF_K, lir.dst, 0, 0, lir.offset);
        return;
      case LirOp::kMap:
        // The descriptor of the map is known only when it has been created: runtime/link.cc fills
        // it in.
        out_.object.relocations.push_back({.insn = here(), .map = lir.map});
        put_wide(lir.dst, BPF_PSEUDO_MAP_FD, 0, 0);
        return;
      case LirOp::kMapValue:
        out_.object.relocations.push_back({.insn = here(),
                                           .map = lir.map,
                                           .is_value = true,
                                           .offset = static_cast<std::uint32_t>(lir.imm)});
        put_wide(lir.dst, BPF_PSEUDO_MAP_VALUE, 0, low(lir.imm));
        return;
      case LirOp::kLabelOffset: {
        const std::uint32_t at = out_.label_insn[lir.label];
        put(BPF_ALU64 | BPF_MOV | BPF_K, lir.dst, 0, 0, at == kNoId ? 0 : low(at));
        return;
      }
      default:
        DT_UNREACHABLE("{}", print(lir));
    }
  }

  // Before version 4 of the instruction set, two shifts: to the top, and arithmetically back.
  void encode_sign_extend(const Lir& lir) {
    const std::int32_t bits = lir.size * 8;
    if (target_.has_cpu_v4) {
      put(BPF_ALU64 | BPF_MOV | BPF_X, lir.dst, lir.dst, bits, 0);
    } else {
      put(BPF_ALU64 | BPF_LSH | BPF_K, lir.dst, 0, 0, 64 - bits);
      put(BPF_ALU64 | BPF_ARSH | BPF_K, lir.dst, 0, 0, 64 - bits);
    }
  }

  void encode_one(const Lir& lir) {
    const std::uint32_t alu_class = lir.size == 4 ? BPF_ALU : BPF_ALU64;
    const std::uint32_t alu = kAluCode[static_cast<std::size_t>(lir.alu)];
    const std::uint32_t cond = kCondCode[static_cast<std::size_t>(lir.cond)];
    switch (lir.op) {
      case LirOp::kLabel:
      case LirOp::kFunction:
      case LirOp::kSlotUse:
        DT_UNREACHABLE("{}", print(lir));
      case LirOp::kMov:
        return put(alu_class | BPF_MOV | BPF_X, lir.dst, lir.src, 0, 0);
      case LirOp::kMovImm:
      case LirOp::kStackAddress:
      case LirOp::kMap:
      case LirOp::kMapValue:
      case LirOp::kLabelOffset:
        return encode_value(lir);
      case LirOp::kAlu:
        return put(alu_class | alu | BPF_X, lir.dst, lir.src, 0, 0);
      case LirOp::kAluImm:
        return put(alu_class | alu | BPF_K, lir.dst, 0, 0, low(lir.imm));
      case LirOp::kNeg:
        return put(BPF_ALU64 | BPF_NEG, lir.dst, 0, 0, 0);
      case LirOp::kSignExtend:
        return encode_sign_extend(lir);
      // BPF_TO_BE swaps on a little-endian machine, and clears the bits above its size.
      case LirOp::kByteSwap:
        return put(BPF_ALU | BPF_END | BPF_TO_BE, lir.dst, 0, 0, lir.size * 8);
      case LirOp::kLoad:
        return put(BPF_LDX | BPF_MEM | size_code(lir.size), lir.dst, lir.src, lir.offset, 0);
      case LirOp::kStore:
        return put(BPF_STX | BPF_MEM | size_code(lir.size), lir.dst, lir.src, lir.offset, 0);
      case LirOp::kStoreImm:
        return put(BPF_ST | BPF_MEM | size_code(lir.size), lir.dst, 0, lir.offset, low(lir.imm));
      case LirOp::kAtomic:
        return put(BPF_STX | BPF_ATOMIC | size_code(lir.size), lir.dst, lir.src, lir.offset,
                   atomic_imm(lir.atomic));
      case LirOp::kJump:
        // `gotol` of version 4: the only jump whose distance has 32 bits. It is written with the
        // class of 32-bit compares.
        if (lir.size == 4) return put(BPF_JMP32 | BPF_JA, 0, 0, 0, distance(lir));
        return put(BPF_JMP | BPF_JA, 0, 0, short_distance(lir), 0);
      case LirOp::kBranch:
        return put(BPF_JMP | cond | BPF_X, lir.dst, lir.src, short_distance(lir), 0);
      case LirOp::kBranchImm:
        return put(BPF_JMP | cond | BPF_K, lir.dst, 0, short_distance(lir), low(lir.imm));
      case LirOp::kCall:
        return put(BPF_JMP | BPF_CALL, 0, 0, 0, low(lir.imm));
      case LirOp::kCallFunction:
        return put(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, distance(lir));
      case LirOp::kCallKernel:
        return put(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, low(lir.imm));
      case LirOp::kExit:
        return put(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
    }
    DT_UNREACHABLE();
  }

  const LirCode& code_;
  const Target& target_;
  Assembly out_;
  std::uint32_t total_ = 0;
  bool too_far_ = false;
};

}  // namespace

std::uint32_t insn_count(const Lir& lir, const Target& target) {
  switch (lir.op) {
    case LirOp::kLabel:
    case LirOp::kFunction:
    case LirOp::kSlotUse:
      return 0;
    case LirOp::kMovImm:
      return fits_s32(lir.imm) || fits_u32(lir.imm) ? 1 : 2;
    case LirOp::kStackAddress:
      return lir.offset == 0 ? 1 : 2;
    case LirOp::kMap:
    case LirOp::kMapValue:
      return 2;
    case LirOp::kSignExtend:
      return target.has_cpu_v4 ? 1 : 2;
    default:
      return 1;
  }
}

Result<Assembly> encode(LirCode code, const Target& target) {
  DT_TRY(shorten_jumps(code, target));
  return Encoder(code, target).run();
}

// fold() before the allocator, while most registers are written once and a value can be followed by
// its register alone. The slots of the stack after it, as spilled registers need some. peephole()
// after both, because only they make the moves and reloads that it removes.
Result<Assembly> assemble(Emitter& emitter, const Target& target) {
  LirCode code = std::move(emitter.lir());
  emitter.lir() = LirCode{};
  // The verifier refuses a program that can run past its last instruction.
  DT_CHECK(!code.code.empty() && ends_flow(code.code.back()), "the last function runs on");
  remove_unreachable(code);
  fold(code);
  mark_slot_uses(code);
  allocate_registers(code);
  DT_ASSIGN(const std::uint32_t stack_bytes, allocate_stack(code, target.stack_limit_bytes));
  peephole(code);
  DT_ASSIGN(Assembly assembly, encode(std::move(code), target));
  assembly.object.stack_bytes = stack_bytes;
  return assembly;
}

}  // namespace dt::bpf
