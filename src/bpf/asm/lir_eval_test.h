#pragma once
// For tests: what an Emitter's code means, computed on virtual registers before
// any pass has touched it. Deliberately shares nothing with the passes.

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "bpf/asm/lir.h"

namespace dt::bpf {

// Helpers that evaluated programs may call, with fixed answers.
constexpr std::int32_t kEvalCpu = 8, kEvalPid = 14, kEvalClock = 5, kEvalReadKernel = 113;
constexpr std::uint64_t kEvalPidAnswer = (std::uint64_t{100} << 32) | 101;
constexpr std::uint64_t kEvalKernelAddress = 0xffff888000100000;

class LirEval {
 public:
  LirEval(const LirCode& code, std::vector<std::uint8_t> context, std::vector<std::uint8_t> kernel)
      : code_(code), context_(std::move(context)), kernel_(std::move(kernel)) {
    for (std::uint32_t i = 0; i < code.code.size(); ++i) {
      const Lir& lir = code.code[i];
      if (lir.op == LirOp::kLabel || lir.op == LirOp::kFunction) label_at_[lir.label] = i;
    }
  }

  std::uint64_t run() {
    machine_[1] = kContext;
    return call(0);
  }
  const std::vector<std::uint8_t>& context() const { return context_; }

 private:
  static constexpr std::uint64_t kContext = std::uint64_t{1} << 40, kSlot = std::uint64_t{1} << 50;

  struct Frame {
    std::map<std::uint32_t, std::uint64_t> regs;
    std::map<std::uint32_t, std::vector<std::uint8_t>> slots;
  };

  std::uint64_t& reg(std::uint32_t number) {
    return is_virtual(number) ? frames_.back().regs[number] : machine_[number];
  }
  std::uint8_t* memory(std::uint64_t address) {
    if (address < kSlot) return &context_.at(address - kContext);
    const std::uint64_t at = address - kSlot;
    const std::uint32_t slot = static_cast<std::uint32_t>(at >> 20 & 0xfffff);
    std::vector<std::uint8_t>& bytes = frames_.at(at >> 40).slots[slot];
    bytes.resize(code_.slots[slot]);
    return &bytes.at(at & 0xfffff);
  }

  static std::uint64_t compute(Alu op, std::uint64_t a, std::uint64_t b, bool is_64) {
    const std::uint64_t shift = is_64 ? b % 64 : b % 32;
    switch (op) {
      case Alu::kAdd:
        return a + b;
      case Alu::kSub:
        return a - b;
      case Alu::kMul:
        return a * b;
      case Alu::kDiv:
        return b == 0 ? 0 : a / b;
      case Alu::kMod:
        return b == 0 ? a : a % b;
      case Alu::kOr:
        return a | b;
      case Alu::kAnd:
        return a & b;
      case Alu::kXor:
        return a ^ b;
      case Alu::kLsh:
        return a << shift;
      case Alu::kRsh:
        return a >> shift;
      case Alu::kArsh:
        return is_64 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> shift)
                     : static_cast<std::uint64_t>(
                           std::int64_t{static_cast<std::int32_t>(a) >> shift});
    }
    return 0;
  }
  static std::uint64_t alu(const Lir& lir, std::uint64_t a, std::uint64_t b) {
    if (lir.size == 8) return compute(lir.alu, a, b, true);
    return compute(lir.alu, a & 0xffffffff, b & 0xffffffff, false) & 0xffffffff;
  }

  static bool holds(Cond cond, std::uint64_t a, std::uint64_t b) {
    const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    switch (cond) {
      case Cond::kEq:
        return a == b;
      case Cond::kNe:
        return a != b;
      case Cond::kGt:
        return a > b;
      case Cond::kGe:
        return a >= b;
      case Cond::kLt:
        return a < b;
      case Cond::kLe:
        return a <= b;
      case Cond::kSgt:
        return sa > sb;
      case Cond::kSge:
        return sa >= sb;
      case Cond::kSlt:
        return sa < sb;
      case Cond::kSle:
        return sa <= sb;
      case Cond::kSet:
        return (a & b) != 0;
    }
    return false;
  }

  static std::uint64_t sign_extend(std::uint64_t value, unsigned bytes) {
    const unsigned shift = 64 - bytes * 8;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
  }

  void atomic(const Lir& lir) {
    std::uint8_t* at = memory(reg(lir.dst) + offset(lir));
    std::uint64_t old = 0, mask = lir.size == 8 ? ~std::uint64_t{0} : 0xffffffff;
    std::memcpy(&old, at, lir.size);
    const std::uint64_t operand = reg(lir.src) & mask;
    std::uint64_t next = 0;
    switch (lir.atomic) {
      case Atomic::kAdd:
      case Atomic::kFetchAdd:
        next = old + operand;
        break;
      case Atomic::kOr:
        next = old | operand;
        break;
      case Atomic::kXchg:
        next = operand;
        break;
      case Atomic::kCmpxchg:
        next = old == (machine_[0] & mask) ? operand : old;
        break;
    }
    std::memcpy(at, &next, lir.size);
    if (lir.atomic == Atomic::kCmpxchg) machine_[0] = old;
    if (lir.atomic == Atomic::kFetchAdd || lir.atomic == Atomic::kXchg) reg(lir.src) = old;
  }

  void helper(std::int64_t number) {
    std::uint64_t result = 0;
    if (number == kEvalPid) result = kEvalPidAnswer;
    if (number == kEvalClock) result = clock_++;
    if (number == kEvalReadKernel) {
      std::memcpy(memory(machine_[1]), &kernel_.at(machine_[3] - kEvalKernelAddress), machine_[2]);
    }
    for (std::uint32_t r = 1; r <= 5; ++r) machine_[r] = 0xbadbadbad;
    machine_[0] = result;
  }

  static std::uint64_t offset(const Lir& lir) {
    return static_cast<std::uint64_t>(std::int64_t{lir.offset});
  }

  std::uint64_t call(std::uint32_t at) {
    frames_.emplace_back();
    for (std::uint32_t i = at;; ++i) {
      const Lir& lir = code_.code.at(i);
      const auto imm = static_cast<std::uint64_t>(lir.imm);
      switch (lir.op) {
        case LirOp::kLabel:
        case LirOp::kFunction:
        case LirOp::kSlotUse:
        case LirOp::kMap:
        case LirOp::kMapValue:
        case LirOp::kLabelOffset:
          break;
        case LirOp::kMov: {
          const std::uint64_t value = reg(lir.src);
          reg(lir.dst) = lir.size == 4 ? value & 0xffffffff : value;
          break;
        }
        case LirOp::kMovImm:
          reg(lir.dst) = imm;
          break;
        case LirOp::kStackAddress:
          reg(lir.dst) =
              kSlot + ((frames_.size() - 1) << 40) + (std::uint64_t{lir.label} << 20) + offset(lir);
          break;
        case LirOp::kAlu:
          reg(lir.dst) = alu(lir, reg(lir.dst), reg(lir.src));
          break;
        case LirOp::kAluImm:
          reg(lir.dst) = alu(lir, reg(lir.dst), imm);
          break;
        case LirOp::kNeg:
          reg(lir.dst) = 0 - reg(lir.dst);
          break;
        case LirOp::kSignExtend:
          reg(lir.dst) = sign_extend(reg(lir.dst), lir.size);
          break;
        case LirOp::kByteSwap:
          reg(lir.dst) = __builtin_bswap64(reg(lir.dst)) >> (64 - lir.size * 8);
          break;
        case LirOp::kLoad: {
          std::uint64_t value = 0;
          std::memcpy(&value, memory(reg(lir.src) + offset(lir)), lir.size);
          reg(lir.dst) = value;
          break;
        }
        case LirOp::kStore:
          std::memcpy(memory(reg(lir.dst) + offset(lir)), &reg(lir.src), lir.size);
          break;
        case LirOp::kStoreImm:
          std::memcpy(memory(reg(lir.dst) + offset(lir)), &imm, lir.size);
          break;
        case LirOp::kAtomic:
          atomic(lir);
          break;
        case LirOp::kJump:
          i = label_at_.at(lir.label);
          break;
        case LirOp::kBranch:
          if (holds(lir.cond, reg(lir.dst), reg(lir.src))) i = label_at_.at(lir.label);
          break;
        case LirOp::kBranchImm:
          if (holds(lir.cond, reg(lir.dst), imm)) i = label_at_.at(lir.label);
          break;
        case LirOp::kCall:
          helper(lir.imm);
          break;
        case LirOp::kCallKernel:
          machine_[0] = machine_[1];
          for (std::uint32_t r = 1; r <= 5; ++r) machine_[r] = 0xbadbadbad;
          break;
        case LirOp::kCallFunction: {
          const std::uint64_t result = call(label_at_.at(lir.label));
          for (std::uint32_t r = 1; r <= 5; ++r) machine_[r] = 0xbadbadbad;
          machine_[0] = result;
          break;
        }
        case LirOp::kExit:
          frames_.pop_back();
          return machine_[0];
      }
    }
  }

  const LirCode& code_;
  std::vector<std::uint8_t> context_, kernel_;
  std::map<std::uint32_t, std::uint32_t> label_at_;
  std::vector<Frame> frames_;
  std::array<std::uint64_t, 11> machine_ = {};
  std::uint64_t clock_ = 1000;
};

}  // namespace dt::bpf
