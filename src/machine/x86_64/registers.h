#pragma once
// The registers of a thread as the kernel saves them: struct pt_regs of x86-64.
//
// Breakpoints, system calls and samples pass this structure to BPF programs. Its layout is
// part of the kernel's interface (ptrace and signals have the same one), so that the places
// are constants here and are not looked up in the kernel's types.

#include <array>
#include <cstdint>

namespace dt::machine {

// Bytes from the start of struct pt_regs.
enum SavedRegister : std::int32_t {
  kSavedR15 = 0,
  kSavedR14 = 8,
  kSavedR13 = 16,
  kSavedR12 = 24,
  kSavedBp = 32,
  kSavedBx = 40,
  kSavedR11 = 48,
  kSavedR10 = 56,
  kSavedR9 = 64,
  kSavedR8 = 72,
  kSavedAx = 80,
  kSavedCx = 88,
  kSavedDx = 96,
  kSavedSi = 104,
  kSavedDi = 112,
  kSavedOrigAx = 120,  // in a system call its number, -1 outside
  kSavedIp = 128,
  kSavedCs = 136,
  kSavedFlags = 144,
  kSavedSp = 152,
  kSavedSs = 160,
};
constexpr std::int32_t kSavedBytes = 168;
constexpr std::int32_t kSavedWordBytes = 8;

// By the numbers that instructions have for registers.
constexpr std::array<std::uint8_t, 16> kSavedByEncoding = {
    kSavedAx, kSavedCx, kSavedDx,  kSavedBx,  kSavedSp,  kSavedBp,  kSavedSi,  kSavedDi,
    kSavedR8, kSavedR9, kSavedR10, kSavedR11, kSavedR12, kSavedR13, kSavedR14, kSavedR15};
// By the numbers that DWARF has for registers (psABI of x86-64, figure 3.36), which differ
// from those of instructions.
constexpr std::array<std::uint8_t, 16> kSavedByDwarf = {
    kSavedAx, kSavedDx, kSavedCx,  kSavedBx,  kSavedSi,  kSavedDi,  kSavedBp,  kSavedSp,
    kSavedR8, kSavedR9, kSavedR10, kSavedR11, kSavedR12, kSavedR13, kSavedR14, kSavedR15};

// The two lowest bits of cs: the privilege level, 0 in the kernel and 3 in a program.
constexpr std::int32_t kPrivilegeOfCs = 3;
// The code segment of 64-bit programs.
constexpr std::int32_t kUserCs = 0x33;

}  // namespace dt::machine
