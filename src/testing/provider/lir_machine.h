#pragma once
// Runs what a prologue emitted, for tests: virtual registers hold host words
// and addresses, and helpers are functions of the test.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "bpf/asm/emitter.h"
#include "bpf/asm/lir.h"

namespace dt::provider {

class LirMachine {
 public:
  std::function<std::uint64_t(std::int64_t helper)> helper;
  const std::uint8_t* rodata = nullptr;

  // Runs from the first instruction; the value of `result` at the end, or
  // nothing when `left` was reached.
  std::optional<std::uint64_t> run(const std::vector<bpf::Lir>& code, const void* context,
                                   bpf::Reg result, bpf::Label left) {
    regs_.clear();
    regs_[1] = reinterpret_cast<std::uint64_t>(context);
    std::size_t pc = 0;
    for (int steps = 0; pc < code.size() && steps < 10'000; ++steps) {
      const bpf::Lir& lir = code[pc];
      if (lir.op == bpf::LirOp::kLabel && lir.label == left.id) return std::nullopt;
      pc = step(lir, taken(lir)) ? target(code, lir.label) : pc + 1;
    }
    EXPECT_EQ(pc, code.size());
    return regs_[result.id];
  }

 private:
  static std::size_t target(const std::vector<bpf::Lir>& code, std::uint32_t label) {
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i].op == bpf::LirOp::kLabel && code[i].label == label) return i;
    }
    ADD_FAILURE() << "label " << label << " is not bound";
    return code.size();
  }

  bool taken(const bpf::Lir& lir) {
    if (lir.op == bpf::LirOp::kJump) return true;
    if (lir.op != bpf::LirOp::kBranch && lir.op != bpf::LirOp::kBranchImm) return false;
    const std::uint64_t a = regs_[lir.dst];
    const std::uint64_t b =
        lir.op == bpf::LirOp::kBranch ? regs_[lir.src] : static_cast<std::uint64_t>(lir.imm);
    const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    switch (lir.cond) {
      case bpf::Cond::kEq:
        return a == b;
      case bpf::Cond::kNe:
        return a != b;
      case bpf::Cond::kGt:
        return a > b;
      case bpf::Cond::kGe:
        return a >= b;
      case bpf::Cond::kLt:
        return a < b;
      case bpf::Cond::kLe:
        return a <= b;
      case bpf::Cond::kSgt:
        return sa > sb;
      case bpf::Cond::kSge:
        return sa >= sb;
      case bpf::Cond::kSlt:
        return sa < sb;
      case bpf::Cond::kSle:
        return sa <= sb;
      case bpf::Cond::kSet:
        return (a & b) != 0;
    }
    return false;
  }

  // Carries out one instruction; returns whether to jump.
  bool step(const bpf::Lir& lir, bool jump) {
    switch (lir.op) {
      case bpf::LirOp::kMov:
        regs_[lir.dst] = lir.size == 4 ? regs_[lir.src] & 0xffffffff : regs_[lir.src];
        break;
      case bpf::LirOp::kMovImm:
        regs_[lir.dst] = static_cast<std::uint64_t>(lir.imm);
        break;
      case bpf::LirOp::kMapValue:
        regs_[lir.dst] =
            reinterpret_cast<std::uint64_t>(rodata) + static_cast<std::uint64_t>(lir.imm);
        break;
      case bpf::LirOp::kAlu:
        alu(lir, regs_[lir.src]);
        break;
      case bpf::LirOp::kAluImm:
        alu(lir, static_cast<std::uint64_t>(lir.imm));
        break;
      case bpf::LirOp::kSignExtend: {
        const unsigned unused = 64 - 8u * lir.size;
        regs_[lir.dst] = static_cast<std::uint64_t>(
            static_cast<std::int64_t>(regs_[lir.dst] << unused) >> unused);
        break;
      }
      case bpf::LirOp::kNeg:
        regs_[lir.dst] = -regs_[lir.dst];
        break;
      case bpf::LirOp::kLoad: {
        std::uint64_t value = 0;
        std::memcpy(&value, reinterpret_cast<const std::uint8_t*>(regs_[lir.src]) + lir.offset,
                    lir.size);
        regs_[lir.dst] = value;
        break;
      }
      case bpf::LirOp::kCall:
        regs_[bpf::kR0] = helper(lir.imm);
        break;
      case bpf::LirOp::kLabel:
      case bpf::LirOp::kFunction:
      case bpf::LirOp::kJump:
      case bpf::LirOp::kBranch:
      case bpf::LirOp::kBranchImm:
        break;
      default:
        ADD_FAILURE() << "no prologue needs " << bpf::print(lir);
    }
    return jump;
  }

  void alu(const bpf::Lir& lir, std::uint64_t value) {
    std::uint64_t& dst = regs_[lir.dst];
    if (lir.alu == bpf::Alu::kAdd)
      dst += value;
    else if (lir.alu == bpf::Alu::kSub)
      dst -= value;
    else if (lir.alu == bpf::Alu::kAnd)
      dst &= value;
    else if (lir.alu == bpf::Alu::kLsh)
      dst <<= value;
    else if (lir.alu == bpf::Alu::kRsh)
      dst >>= value;
    else
      ADD_FAILURE() << "no prologue needs " << bpf::print(lir);
    if (lir.size == 4) dst &= 0xffffffff;
  }

  std::map<std::uint32_t, std::uint64_t> regs_;
};

}  // namespace dt::provider
