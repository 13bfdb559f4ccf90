// Decoding with Zydis.
//
// x86 instructions have 1 to 15 bytes: prefixes, an opcode of up to three bytes, ModRM, SIB, a
// displacement and an immediate, each of which may be absent. Where the next one begins is known
// only when this one is decoded, and decoding at a wrong byte gives valid instructions as a rule;
// nothing in the bytes shows the mistake.

#include "machine/x86_64/instructions.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace dt::machine {
namespace {

constexpr std::uint8_t kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
constexpr std::uint8_t kNop5[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

constexpr int kMaxPassed = 4;

class LengthDecoder {
 public:
  LengthDecoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  // False when there is no whole instruction.
  bool next(std::span<const std::uint8_t> code, std::uint32_t at, Instruction& out) const;

 private:
  ZydisDecoder decoder_;
};

template <std::size_t N>
bool begins_with(std::span<const std::uint8_t> code, const std::uint8_t (&bytes)[N]) {
  return code.size() >= N && std::memcmp(code.data(), bytes, N) == 0;
}

// What arch_uprobe_analyze_insn() of Linux refuses: prefixes of segments and of
// locks, all of AVX, and what a program may not do or what is a trap itself. And
// what it takes but what does something else in a single step: a system call is
// lost (6.18), and flags that are saved say that there is a step. `xchg %r8, %rax` is a nop
// with a prefix to it, of which it carries out nothing (6.18).
bool is_refused(const ZydisDecodedInstruction& instruction) {
  for (std::size_t i = 0; i < instruction.raw.prefix_count; ++i) {
    switch (instruction.raw.prefixes[i].value) {
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0xf0:
        return true;
      default:
        break;
    }
  }
  if (instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY) return true;
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_IO:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_SYSRET:
      return true;
    default:
      break;
  }
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_PUSHF:
    case ZYDIS_MNEMONIC_PUSHFQ:
    case ZYDIS_MNEMONIC_POPF:
    case ZYDIS_MNEMONIC_POPFQ:
    case ZYDIS_MNEMONIC_XBEGIN:
      return true;
    case ZYDIS_MNEMONIC_XCHG:
      return instruction.opcode == 0x90;
    default:
      return false;
  }
}

bool is_emulated(const ZydisDecodedInstruction& instruction) {
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
      return instruction.opcode >= 0x50 && instruction.opcode <= 0x57;
    case ZYDIS_MNEMONIC_NOP:
      return instruction.length == 1;
    case ZYDIS_MNEMONIC_CALL:
    case ZYDIS_MNEMONIC_JMP:
      return instruction.raw.imm[0].is_relative != 0;
    default:
      return false;
  }
}

bool is_trap(ZydisMnemonic mnemonic) {
  return mnemonic == ZYDIS_MNEMONIC_INT3 || mnemonic == ZYDIS_MNEMONIC_UD0 ||
         mnemonic == ZYDIS_MNEMONIC_UD1 || mnemonic == ZYDIS_MNEMONIC_UD2;
}

Instruction::Flow flow_of(const ZydisDecodedInstruction& instruction) {
  if (instruction.meta.category == ZYDIS_CATEGORY_RET) return Instruction::Flow::kReturn;
  if (instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_NONE) return Instruction::Flow::kNext;
  if (instruction.raw.imm[0].is_relative == 0 || instruction.meta.category == ZYDIS_CATEGORY_CALL) {
    return Instruction::Flow::kOther;
  }
  return instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR ? Instruction::Flow::kJump
                                                               : Instruction::Flow::kBranch;
}

// jmp *address(%rip): by a word that the dynamic linker fills in. What jumps by a
// table of the function adds a register.
bool is_jump_by_word(const ZydisDecodedInstruction& instruction) {
  return instruction.mnemonic == ZYDIS_MNEMONIC_JMP && instruction.opcode == 0xff &&
         instruction.raw.modrm.mod == 0 && instruction.raw.modrm.rm == 5;
}

bool LengthDecoder::next(std::span<const std::uint8_t> code, std::uint32_t at,
                         Instruction& out) const {
  const std::span<const std::uint8_t> rest = code.subspan(at);
  ZydisDecodedInstruction instruction;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, nullptr, rest.data(), rest.size(),
                                                  &instruction))) {
    return false;
  }
  out = {};
  out.offset = at;
  out.length = instruction.length;
  out.flow = flow_of(instruction);
  if (is_jump_by_word(instruction)) {
    out.flow = Instruction::Flow::kJump;
    out.target = std::numeric_limits<std::int64_t>::min();
  } else if (out.flow == Instruction::Flow::kJump || out.flow == Instruction::Flow::kBranch) {
    out.target = std::int64_t{at} + instruction.length + instruction.raw.imm[0].value.s;
  }
  if (instruction.meta.category == ZYDIS_CATEGORY_CALL && instruction.raw.imm[0].is_relative != 0) {
    out.called = std::int64_t{at} + instruction.length + instruction.raw.imm[0].value.s;
  }
  out.is_end = instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
               instruction.meta.category == ZYDIS_CATEGORY_RET ||
               instruction.mnemonic == ZYDIS_MNEMONIC_HLT || is_trap(instruction.mnemonic);
  out.is_emulated = is_emulated(instruction);
  out.is_trap = is_trap(instruction.mnemonic);
  out.is_filler =
      instruction.mnemonic == ZYDIS_MNEMONIC_NOP || instruction.mnemonic == ZYDIS_MNEMONIC_INT3;
  out.is_forbidden = is_refused(instruction) || begins_with(rest, kNop5);
  return true;
}

// Whether the instruction changes vector registers and nothing else, as what the
// functions of strings begin with: it may as well have been carried out.
bool changes_vectors_only(std::span<const std::uint8_t> code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &instruction, operands)) ||
      (instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_VEX &&
       instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX)) {
    return false;
  }
  return std::all_of(operands, operands + instruction.operand_count, [](const auto& operand) {
    if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) return true;
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return false;
    const ZydisRegisterClass kind = ZydisRegisterGetClass(operand.reg.value);
    return kind == ZYDIS_REGCLASS_XMM || kind == ZYDIS_REGCLASS_YMM || kind == ZYDIS_REGCLASS_ZMM;
  });
}

// Whether a jump in the code leads to `offset`.
bool is_target(std::span<const std::uint8_t> code, std::uint32_t offset) {
  const Result<std::vector<Instruction>> all = decode(code);
  return !all.ok() || std::any_of(all->begin(), all->end(), [&](const Instruction& one) {
    return (one.flow == Instruction::Flow::kJump || one.flow == Instruction::Flow::kBranch) &&
           one.target == offset;
  });
}

// Whether what begins at `offset` calls a function and goes back to the start: morestack().
bool begins_again(std::span<const std::uint8_t> code, std::int64_t offset) {
  constexpr int kMostInstructions = 64;  // arguments are saved and restored
  const LengthDecoder decoder;
  Instruction one;
  int calls = 0;
  for (int i = 0;
       i < kMostInstructions && offset > 0 && offset < static_cast<std::int64_t>(code.size()) &&
       decoder.next(code, static_cast<std::uint32_t>(offset), one);
       ++i) {
    if (one.flow == Instruction::Flow::kJump) return calls == 1 && one.target == 0;
    if (one.flow == Instruction::Flow::kOther) ++calls;
    if (one.flow == Instruction::Flow::kReturn || one.flow == Instruction::Flow::kBranch) break;
    offset += one.length;
  }
  return false;
}

// Behind the comparisons with the end of the stack, of which large frames have several; 0
// where there are none.
std::uint32_t behind_stack_check(std::span<const std::uint8_t> code) {
  constexpr int kMostInstructions = 10;
  const LengthDecoder decoder;
  Instruction one;
  std::uint32_t behind = 0, at = 0;
  for (int i = 0; i < kMostInstructions && at < code.size() && decoder.next(code, at, one); ++i) {
    at += one.length;
    if (one.flow == Instruction::Flow::kNext) continue;
    if (one.flow != Instruction::Flow::kBranch || !begins_again(code, one.target)) break;
    behind = at;
  }
  return behind;
}

}  // namespace

std::optional<Instruction> first_instruction(std::span<const std::uint8_t> code) {
  static const LengthDecoder kDecoder;
  Instruction one;
  return kDecoder.next(code, 0, one) ? std::optional(one) : std::nullopt;
}

Result<std::vector<Instruction>> decode_to(std::span<const std::uint8_t> code,
                                           std::uint32_t offset) {
  const LengthDecoder decoder;
  std::vector<Instruction> all;
  for (std::uint32_t at = 0; at < code.size() && at <= offset;) {
    Instruction one;
    if (!decoder.next(code, at, one)) {
      return Error::of(fmt::format("what is at offset 0x{:x} is no instruction", at));
    }
    at += one.length;
    all.push_back(one);
  }
  return all;
}

Result<std::vector<Instruction>> decode(std::span<const std::uint8_t> code) {
  DT_ASSIGN(std::vector<Instruction> all,
            decode_to(code, std::numeric_limits<std::uint32_t>::max()));
  std::vector<bool> begins(code.size());
  for (const Instruction& one : all) begins[one.offset] = true;
  for (const Instruction& one : all) {
    const bool jumps =
        one.flow == Instruction::Flow::kJump || one.flow == Instruction::Flow::kBranch;
    if (!jumps || one.target < 0 || one.target >= static_cast<std::int64_t>(code.size())) continue;
    if (!begins[static_cast<std::size_t>(one.target)]) {
      return Error::of(fmt::format(
          "a jump at offset 0x{:x} leads into the middle of an instruction", one.offset));
    }
  }
  return all;
}

std::optional<std::uint32_t> entry_site(std::span<const std::uint8_t> code, bool is_go) {
  const LengthDecoder decoder;
  Instruction one;
  std::uint32_t at = is_go ? behind_stack_check(code) : 0;
  if (at != 0 && is_target(code, at)) return std::nullopt;
  if (at == 0 && begins_with(code, kEndbr64) && code.size() > sizeof kEndbr64 &&
      decoder.next(code, sizeof kEndbr64, one) && (one.is_emulated || one.is_forbidden) &&
      !is_target(code, sizeof kEndbr64)) {
    at = sizeof kEndbr64;
  }
  // A loop that comes back to behind what is passed over would count as another entry.
  for (int passed = 0; passed < kMaxPassed; ++passed) {
    const std::span<const std::uint8_t> rest = code.subspan(at);
    if (!begins_with(rest, kNop5) && !changes_vectors_only(rest)) break;
    if (!decoder.next(code, at, one)) return std::nullopt;
    at += one.length;
    if (at >= code.size() || is_target(code, at)) return std::nullopt;
  }
  if (at >= code.size() || !decoder.next(code, at, one) || one.is_forbidden) return std::nullopt;
  return at;
}

}  // namespace dt::machine
