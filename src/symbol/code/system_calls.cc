// See system_calls.h. The registers that an instruction writes are told by Zydis.

#include "symbol/code/system_calls.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <limits>

#include "symbol/frames/instructions.h"

namespace dt::symbol {
namespace {

constexpr std::uint8_t kSyscall[] = {0x0f, 0x05};

bool is_syscall(std::span<const std::uint8_t> code, const Instruction& one) {
  return one.length == sizeof kSyscall && code[one.offset] == kSyscall[0] &&
         code[one.offset + 1] == kSyscall[1];
}

bool writes(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands,
            ZydisRegister wanted) {
  return std::any_of(operands, operands + instruction.operand_count, [&](const auto& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 &&
           ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operand.reg.value) ==
               wanted;
  });
}

// What the last instruction does to the two arguments.
void tell(std::span<const std::uint8_t> last, SystemCall& call) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder, last.data(), last.size(), &instruction, operands)) ||
      writes(instruction, operands, ZYDIS_REGISTER_RDI)) {
    return;
  }
  call.is_told = true;
  if (!writes(instruction, operands, ZYDIS_REGISTER_RSI)) return;
  call.is_told = operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                 operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  const auto byte = static_cast<std::uint8_t>(operands[1].imm.value.u);
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
      call.flips = byte;
      break;
    case ZYDIS_MNEMONIC_AND:
      call.keeps = byte;
      break;
    case ZYDIS_MNEMONIC_MOV:
      call.keeps = 0;
      call.flips = byte;
      break;
    default:
      call.is_told = false;
  }
}

}  // namespace

Result<std::vector<SystemCall>> system_calls(std::span<const std::uint8_t> code) {
  DT_ASSIGN(const std::vector<Instruction> all,
            decode_to(code, std::numeric_limits<std::uint32_t>::max()));
  std::vector<SystemCall> calls;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (!is_syscall(code, all[i])) continue;
    const Instruction& last = all[i - 1];
    SystemCall call{.before = last.offset};
    const bool is_jumped_to = std::any_of(all.begin(), all.end(), [&](const Instruction& one) {
      return (one.flow == Instruction::Flow::kJump || one.flow == Instruction::Flow::kBranch) &&
             one.target == all[i].offset;
    });
    if (last.flow == Instruction::Flow::kNext && !last.is_forbidden && !is_jumped_to) {
      tell(code.subspan(last.offset, last.length), call);
    }
    calls.push_back(call);
  }
  return calls;
}

}  // namespace dt::symbol
