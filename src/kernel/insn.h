#pragma once
// BPF instructions by hand, for the feature probes and for tests. Programs of
// the person's script come from bpf/.

#include <linux/bpf.h>

#include <array>
#include <cstdint>

namespace dt::kernel::insn {

constexpr bpf_insn make(int code, int dst, int src, int off, std::int32_t imm) {
  bpf_insn insn{};
  insn.code = static_cast<std::uint8_t>(code);
  insn.dst_reg = static_cast<std::uint8_t>(dst & 15);
  insn.src_reg = static_cast<std::uint8_t>(src & 15);
  insn.off = static_cast<std::int16_t>(off);
  insn.imm = imm;
  return insn;
}
constexpr bpf_insn mov(int dst, int src) {
  return make(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}
constexpr bpf_insn mov_imm(int dst, std::int32_t imm) {
  return make(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}
// `op` is BPF_ADD, BPF_AND, ...
constexpr bpf_insn alu_imm(int op, int dst, std::int32_t imm) {
  return make(BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}
// `size` is BPF_B, BPF_H, BPF_W or BPF_DW.
constexpr bpf_insn load(int size, int dst, int src, int off) {
  return make(BPF_LDX | size | BPF_MEM, dst, src, off, 0);
}
constexpr bpf_insn store(int size, int dst, int off, int src) {
  return make(BPF_STX | size | BPF_MEM, dst, src, off, 0);
}
constexpr bpf_insn store_imm(int size, int dst, int off, std::int32_t imm) {
  return make(BPF_ST | size | BPF_MEM, dst, 0, off, imm);
}
// `op` is BPF_ADD, BPF_ADD | BPF_FETCH, BPF_XCHG or BPF_CMPXCHG.
constexpr bpf_insn atomic(int size, int op, int dst, int off, int src) {
  return make(BPF_STX | size | BPF_ATOMIC, dst, src, off, op);
}
constexpr bpf_insn jump(int off) { return make(BPF_JMP | BPF_JA, 0, 0, off, 0); }
// `op` is BPF_JEQ, BPF_JNE, ...
constexpr bpf_insn jump_imm(int op, int dst, std::int32_t imm, int off) {
  return make(BPF_JMP | op | BPF_K, dst, 0, off, imm);
}
constexpr bpf_insn call(std::int32_t helper) { return make(BPF_JMP | BPF_CALL, 0, 0, 0, helper); }
constexpr bpf_insn exit() { return make(BPF_JMP | BPF_EXIT, 0, 0, 0, 0); }
// Whether the instruction is the first half of one that is two long: a load of 64 bits.
constexpr bool is_wide(const bpf_insn& insn) { return insn.code == (BPF_LD | BPF_DW | BPF_IMM); }
// Two instructions each.
constexpr std::array<bpf_insn, 2> map_fd(int dst, int fd) {
  return {make(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd), make(0, 0, 0, 0, 0)};
}
constexpr std::array<bpf_insn, 2> map_value(int dst, int fd, std::int32_t offset) {
  return {make(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_VALUE, 0, fd),
          make(0, 0, 0, 0, offset)};
}

}  // namespace dt::kernel::insn
