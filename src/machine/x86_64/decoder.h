#pragma once
// One instruction of x86-64 with its operands, for code that follows what a function does to
// the stack and to some registers. Where instructions begin and where control goes:
// instructions.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace dt::machine {

// The 64-bit registers, in the order of their numbers in instructions.
enum class Register : std::uint8_t {
  kAx,
  kCx,
  kDx,
  kBx,
  kSp,
  kBp,
  kSi,
  kDi,
  kR8,
  kR9,
  kR10,
  kR11,
  kR12,
  kR13,
  kR14,
  kR15,
  kIp,
  kNone,
  kOther,  // a part of one of these, or a vector, segment or flags register
};

enum class Mnemonic : std::uint8_t {
  kOther,
  kAdd,
  kAnd,
  kCall,
  kJmp,
  kLea,
  kLeave,
  kMov,
  kPop,
  kPopFlags,
  kPush,
  kPushFlags,
  kReturn,
  kStop,  // hlt, int3, ud2 and similar: nothing follows
  kSub,
  kXor,
};

// In the order of Intel's manuals: the destination first.
struct Operand {
  enum class Kind : std::uint8_t { kOther, kRegister, kMemory, kImmediate };
  Kind kind = Kind::kOther;
  Register name = Register::kNone;  // of kRegister; of kMemory: the base
  bool is_indexed = false;          // kMemory
  std::int64_t value = 0;           // the immediate; of kMemory: the displacement
};

struct Decoded {
  static constexpr std::size_t kMostOperands = 10;

  Mnemonic mnemonic = Mnemonic::kOther;
  std::uint8_t length = 0;
  // 64 for push and pop without a prefix; 16 with the prefix 66.
  std::uint8_t operand_width = 0;  // in bits
  bool is_conditional_jump = false;
  bool is_unconditional_jump = false;  // by an address in the code or by a register
  // How far behind the instruction a relative jump or call leads.
  std::optional<std::int64_t> relative;
  // The first `shown` of them are in the text of the instruction; the others are implied.
  std::array<Operand, kMostOperands> operands;
  std::uint8_t count = 0, shown = 0;
  // A write of eax counts as one of rax: it clears the upper half.
  std::uint32_t written = 0;  // registers of which it writes some part, by 1 << Register

  bool is_register(std::size_t operand, Register name) const;
  bool writes(Register name) const { return (written >> static_cast<unsigned>(name) & 1) != 0; }
  // disp(base), and nothing more.
  std::optional<std::int64_t> displacement(std::size_t operand, Register base) const;
  std::optional<std::int64_t> immediate(std::size_t operand) const;
  // Where a relative call or jump leads, counted as `at`, the place of the instruction.
  std::optional<std::int64_t> target(std::int64_t at) const;
  // The address that an operand means, when the instruction alone determines it.
  std::optional<std::uint64_t> address(std::size_t operand, std::uint64_t at) const;
};

class Decoder {
 public:
  Decoder();
  ~Decoder();

  // The instruction at the start of `code`; false when there is no whole one.
  bool decode(std::span<const std::uint8_t> code, Decoded& out) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dt::machine
