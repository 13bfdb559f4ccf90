#pragma once
// Facts about single BPF instructions, for the disassembler and the interpreter.

#include <linux/bpf.h>

#include <cstdint>

namespace dt::bpf {

// cpu v4 and later, which the headers we build against may lack.
constexpr std::uint8_t kModeMemSx = 0x80;  // BPF_MEMSX: sign-extending load
constexpr std::uint8_t kClassMask = 0x07;
constexpr std::uint8_t kModeMask = 0xe0;
constexpr std::uint8_t kSizeMask = 0x18;
constexpr std::uint8_t kOpMask = 0xf0;

// The first half of a two-insn ld_imm64.
constexpr bool is_wide(const bpf_insn& insn) { return insn.code == (BPF_LD | BPF_IMM | BPF_DW); }

constexpr std::uint32_t access_bytes(const bpf_insn& insn) {
  switch (insn.code & kSizeMask) {
    case BPF_B:
      return 1;
    case BPF_H:
      return 2;
    case BPF_W:
      return 4;
    default:
      return 8;
  }
}

// "ktime_get_ns", nullptr for a number that we do not know.
const char* helper_name(std::int32_t number);

}  // namespace dt::bpf
