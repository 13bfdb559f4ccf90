// What each LIR instruction reads and writes, and its text.

#include "bpf/asm/lir.h"

#include <fmt/core.h>

#include <limits>

#include "support/check.h"

namespace dt::bpf {

bool fits_s32(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

bool fetches(Atomic atomic) {
  return atomic == Atomic::kFetchAdd || atomic == Atomic::kXchg || atomic == Atomic::kCmpxchg;
}

bool is_pure(const Lir& lir) {
  switch (lir.op) {
    case LirOp::kMov:
    case LirOp::kMovImm:
    case LirOp::kStackAddress:
    case LirOp::kMap:
    case LirOp::kMapValue:
    case LirOp::kLabelOffset:
    case LirOp::kAlu:
    case LirOp::kAluImm:
    case LirOp::kNeg:
    case LirOp::kSignExtend:
    case LirOp::kByteSwap:
    case LirOp::kLoad:
      return true;
    case LirOp::kLabel:
    case LirOp::kFunction:
    case LirOp::kSlotUse:
    case LirOp::kStore:
    case LirOp::kStoreImm:
    case LirOp::kAtomic:
    case LirOp::kJump:
    case LirOp::kBranch:
    case LirOp::kBranchImm:
    case LirOp::kCall:
    case LirOp::kCallFunction:
    case LirOp::kCallKernel:
    case LirOp::kExit:
      return false;
  }
  DT_UNREACHABLE();
}

// A table: which registers each operation reads, and which one it writes.
Operands operands(const Lir& lir) {
  Operands out;
  const auto read = [&out](std::uint32_t reg) { out.reads[out.read_count++] = reg; };
  switch (lir.op) {
    case LirOp::kLabel:
    case LirOp::kFunction:
    case LirOp::kSlotUse:
    case LirOp::kJump:
      break;
    case LirOp::kMovImm:
    case LirOp::kStackAddress:
    case LirOp::kMap:
    case LirOp::kMapValue:
    case LirOp::kLabelOffset:
      out.write = lir.dst;
      break;
    case LirOp::kMov:
    case LirOp::kLoad:
      read(lir.src);
      out.write = lir.dst;
      break;
    case LirOp::kAlu:
      read(lir.dst);
      read(lir.src);
      out.write = lir.dst;
      break;
    case LirOp::kAluImm:
    case LirOp::kNeg:
    case LirOp::kSignExtend:
    case LirOp::kByteSwap:
      read(lir.dst);
      out.write = lir.dst;
      break;
    case LirOp::kStore:
    case LirOp::kBranch:
      read(lir.dst);
      read(lir.src);
      break;
    case LirOp::kStoreImm:
    case LirOp::kBranchImm:
      read(lir.dst);
      break;
    case LirOp::kAtomic:
      read(lir.dst);
      read(lir.src);
      if (lir.atomic == Atomic::kCmpxchg) {
        read(kR0);
        out.write = kR0;
      } else if (fetches(lir.atomic)) {
        out.write = lir.src;
      }
      break;
    case LirOp::kCall:
    case LirOp::kCallFunction:
    case LirOp::kCallKernel:
      for (std::uint32_t i = 1; i <= lir.args; ++i) read(i);
      out.write = kR0;
      break;
    case LirOp::kExit:
      read(kR0);
      break;
  }
  return out;
}

namespace {

std::string reg_name(std::uint32_t reg) {
  return is_virtual(reg) ? fmt::format("v{}", reg) : fmt::format("r{}", reg);
}

const char* alu_text(Alu op) {
  static constexpr const char* kText[] = {"+", "-", "*",  "/",  "%",  "|",
                                          "&", "^", "<<", ">>", "s>>"};
  return kText[static_cast<std::size_t>(op)];
}

const char* cond_text(Cond cond) {
  static constexpr const char* kText[] = {
      "==", "!=", ">", ">=", "<", "<=", "s>", "s>=", "s<", "s<=", "&"};
  return kText[static_cast<std::size_t>(cond)];
}

const char* atomic_text(Atomic op) {
  static constexpr const char* kText[] = {"add", "fetch_add", "or", "xchg", "cmpxchg"};
  return kText[static_cast<std::size_t>(op)];
}

std::string address_of(const Lir& lir) {
  const std::uint32_t base = base_of(lir);
  const std::string name =
      base == kFrame && lir.label != kNoId ? fmt::format("slot{}", lir.label) : reg_name(base);
  return fmt::format("*(u{} *)({} {:+})", lir.size * 8, name, lir.offset);
}

}  // namespace

std::string print(const Lir& lir) {
  const std::string dst = reg_name(lir.dst), src = reg_name(lir.src);
  const char* wide = lir.size == 4 ? "w:" : "";
  switch (lir.op) {
    case LirOp::kLabel:
      return fmt::format("L{}:", lir.label);
    case LirOp::kFunction:
      return fmt::format("{}function L{} ({})", lir.imm != 0 ? "global " : "", lir.label, lir.args);
    case LirOp::kSlotUse:
      return fmt::format("use slot{}", lir.label);
    case LirOp::kMov:
      return fmt::format("{}{} = {}", wide, dst, src);
    case LirOp::kMovImm:
      return fmt::format("{} = {}", dst, lir.imm);
    case LirOp::kStackAddress:
      return fmt::format("{} = slot{} {:+}", dst, lir.label, lir.offset);
    case LirOp::kMap:
      return fmt::format("{} = {}[{}]", dst, map_name(lir.map.kind), lir.map.index);
    case LirOp::kMapValue:
      return fmt::format("{} = {}[{}] value {:+}", dst, map_name(lir.map.kind), lir.map.index,
                         lir.imm);
    case LirOp::kLabelOffset:
      return fmt::format("{} = offset of L{}", dst, lir.label);
    case LirOp::kAlu:
      return fmt::format("{}{} {}= {}", wide, dst, alu_text(lir.alu), src);
    case LirOp::kAluImm:
      return fmt::format("{}{} {}= {}", wide, dst, alu_text(lir.alu), lir.imm);
    case LirOp::kNeg:
      return fmt::format("{} = -{}", dst, dst);
    case LirOp::kSignExtend:
      return fmt::format("{} = (s{}){}", dst, lir.size * 8, dst);
    case LirOp::kByteSwap:
      return fmt::format("{} = bswap{} {}", dst, lir.size * 8, dst);
    case LirOp::kLoad:
      return fmt::format("{} = {}", dst, address_of(lir));
    case LirOp::kStore:
      return fmt::format("{} = {}", address_of(lir), src);
    case LirOp::kStoreImm:
      return fmt::format("{} = {}", address_of(lir), lir.imm);
    case LirOp::kAtomic:
      return fmt::format("{} {} {}", address_of(lir), atomic_text(lir.atomic), src);
    case LirOp::kJump:
      return fmt::format("goto L{}", lir.label);
    case LirOp::kBranch:
      return fmt::format("if {} {} {} goto L{}", dst, cond_text(lir.cond), src, lir.label);
    case LirOp::kBranchImm:
      return fmt::format("if {} {} {} goto L{}", dst, cond_text(lir.cond), lir.imm, lir.label);
    case LirOp::kCall:
      return fmt::format("call {} ({})", lir.imm, lir.args);
    case LirOp::kCallFunction:
      return fmt::format("call L{} ({})", lir.label, lir.args);
    case LirOp::kCallKernel:
      return fmt::format("call kernel-function#{} ({})", lir.imm, lir.args);
    case LirOp::kExit:
      return "exit";
  }
  DT_UNREACHABLE();
}

std::string print(const LirCode& code) {
  std::string out;
  for (const Lir& lir : code.code) {
    if (lir.op != LirOp::kLabel && lir.op != LirOp::kFunction) out += "  ";
    out += print(lir) + "\n";
  }
  return out;
}

}  // namespace dt::bpf
