// See system_calls.h.

#include "machine/x86_64/system_calls.h"

#include <algorithm>
#include <limits>

#include "machine/x86_64/decoder.h"
#include "machine/x86_64/instructions.h"

namespace dt::machine {
namespace {

constexpr std::uint8_t kSyscall[] = {0x0f, 0x05};

bool is_syscall(std::span<const std::uint8_t> code, const Instruction& one) {
  return one.length == sizeof kSyscall && code[one.offset] == kSyscall[0] &&
         code[one.offset + 1] == kSyscall[1];
}

// What the last instruction does to the two arguments.
void tell(std::span<const std::uint8_t> last, SystemCall& call) {
  Decoded one;
  if (!Decoder().decode(last, one) || one.writes(Register::kDi)) return;
  call.is_known = true;
  if (!one.writes(Register::kSi)) return;
  const auto immediate = one.immediate(1);
  call.is_known = one.operands[0].kind == Operand::Kind::kRegister && immediate.has_value();
  const auto byte = static_cast<std::uint8_t>(immediate.value_or(0));
  switch (one.mnemonic) {
    case Mnemonic::kXor:
      call.flips = byte;
      break;
    case Mnemonic::kAnd:
      call.keeps = byte;
      break;
    case Mnemonic::kMov:
      call.keeps = 0;
      call.flips = byte;
      break;
    default:
      call.is_known = false;
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

}  // namespace dt::machine
