// Instructions with operands, decoded by Zydis.
//
// Zydis decodes; what is made of it here is the little that the callers ask for: which registers an
// instruction writes, where it jumps, which memory it names. Implicit operands count: `push` writes
// rsp without naming it.

#include "machine/x86_64/decoder.h"

#include <Zydis/Zydis.h>

#include <algorithm>

namespace dt::machine {
namespace {

Mnemonic mnemonic_of(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
      return Mnemonic::kAdd;
    case ZYDIS_MNEMONIC_AND:
      return Mnemonic::kAnd;
    case ZYDIS_MNEMONIC_CALL:
      return Mnemonic::kCall;
    case ZYDIS_MNEMONIC_JMP:
      return Mnemonic::kJmp;
    case ZYDIS_MNEMONIC_LEA:
      return Mnemonic::kLea;
    case ZYDIS_MNEMONIC_LEAVE:
      return Mnemonic::kLeave;
    case ZYDIS_MNEMONIC_MOV:
      return Mnemonic::kMov;
    case ZYDIS_MNEMONIC_POP:
      return Mnemonic::kPop;
    case ZYDIS_MNEMONIC_POPFQ:
      return Mnemonic::kPopFlags;
    case ZYDIS_MNEMONIC_PUSH:
      return Mnemonic::kPush;
    case ZYDIS_MNEMONIC_PUSHFQ:
      return Mnemonic::kPushFlags;
    case ZYDIS_MNEMONIC_RET:
      return Mnemonic::kReturn;
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
      return Mnemonic::kStop;
    case ZYDIS_MNEMONIC_SUB:
      return Mnemonic::kSub;
    case ZYDIS_MNEMONIC_XOR:
      return Mnemonic::kXor;
    default:
      return Mnemonic::kOther;
  }
}

// Zydis numbers the 64-bit registers in the order of their numbers in instructions.
Register register_of(ZydisRegister name) {
  if (name == ZYDIS_REGISTER_NONE) return Register::kNone;
  if (name == ZYDIS_REGISTER_RIP) return Register::kIp;
  if (name < ZYDIS_REGISTER_RAX || name > ZYDIS_REGISTER_R15) return Register::kOther;
  return static_cast<Register>(name - ZYDIS_REGISTER_RAX);
}

Operand operand_of(const ZydisDecodedOperand& one) {
  Operand out;
  switch (one.type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
      out.kind = Operand::Kind::kRegister;
      out.name = register_of(one.reg.value);
      break;
    case ZYDIS_OPERAND_TYPE_MEMORY:
      out.kind = Operand::Kind::kMemory;
      out.name = register_of(one.mem.base);
      out.is_indexed = one.mem.index != ZYDIS_REGISTER_NONE;
      if (one.mem.disp.has_displacement) out.value = one.mem.disp.value;
      break;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
      out.kind = Operand::Kind::kImmediate;
      out.value = one.imm.value.s;
      break;
    default:
      break;
  }
  return out;
}

// A write to a part of a register is one to the register.
std::uint32_t written_by(const ZydisDecodedOperand& one) {
  if (one.type != ZYDIS_OPERAND_TYPE_REGISTER ||
      (one.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) {
    return 0;
  }
  const ZydisRegister whole =
      ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, one.reg.value);
  return 1U << static_cast<unsigned>(register_of(whole));
}

}  // namespace

static_assert(ZYDIS_REGISTER_RBP - ZYDIS_REGISTER_RAX == static_cast<int>(Register::kBp));
static_assert(ZYDIS_REGISTER_R15 - ZYDIS_REGISTER_RAX == static_cast<int>(Register::kR15));
static_assert(Decoded::kMostOperands == ZYDIS_MAX_OPERAND_COUNT);

struct Decoder::State {
  ZydisDecoder decoder;
};

Decoder::Decoder() : state_(std::make_unique<State>()) {
  ZydisDecoderInit(&state_->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

Decoder::~Decoder() = default;

bool Decoder::decode(std::span<const std::uint8_t> code, Decoded& out) const {
  ZydisDecodedInstruction instruction;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&state_->decoder, code.data(), code.size(), &instruction,
                                           operands.data()))) {
    return false;
  }
  out.mnemonic = mnemonic_of(instruction.mnemonic);
  out.length = instruction.length;
  out.operand_width = instruction.operand_width;
  out.is_conditional_jump = instruction.meta.category == ZYDIS_CATEGORY_COND_BR;
  out.is_unconditional_jump = instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
  out.relative.reset();
  if (instruction.raw.imm[0].is_relative != 0) out.relative = instruction.raw.imm[0].value.s;
  out.count = instruction.operand_count;
  out.shown = instruction.operand_count_visible;
  out.written = 0;
  for (std::size_t i = 0; i < out.count; ++i) {
    out.operands.at(i) = operand_of(operands.at(i));
    out.written |= written_by(operands.at(i));
  }
  return true;
}

bool Decoded::is_register(std::size_t operand, Register name) const {
  return operand < count && operands.at(operand).kind == Operand::Kind::kRegister &&
         operands.at(operand).name == name;
}

std::optional<std::int64_t> Decoded::displacement(std::size_t operand, Register base) const {
  if (operand >= count) return std::nullopt;
  const Operand& one = operands.at(operand);
  if (one.kind != Operand::Kind::kMemory || one.name != base || one.is_indexed) {
    return std::nullopt;
  }
  return one.value;
}

std::optional<std::int64_t> Decoded::immediate(std::size_t operand) const {
  if (operand >= count || operands.at(operand).kind != Operand::Kind::kImmediate) {
    return std::nullopt;
  }
  return operands.at(operand).value;
}

std::optional<std::int64_t> Decoded::target(std::int64_t at) const {
  return relative ? std::optional(at + length + *relative) : std::nullopt;
}

std::optional<std::uint64_t> Decoded::address(std::size_t operand, std::uint64_t at) const {
  if (operand >= shown) return std::nullopt;
  if (immediate(operand) && relative) {
    return at + length + static_cast<std::uint64_t>(*relative);
  }
  if (const auto distance = displacement(operand, Register::kIp)) {
    return at + length + static_cast<std::uint64_t>(*distance);
  }
  const auto absolute = displacement(operand, Register::kNone);
  return absolute ? std::optional(static_cast<std::uint64_t>(*absolute)) : std::nullopt;
}

}  // namespace dt::machine
