#pragma once
// Where calls on x86-64 have their arguments and results, as places in struct pt_regs.

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine/x86_64/registers.h"

namespace dt::machine {

// A C function (psABI of x86-64, 3.2.3): its first arguments that are numbers or pointers.
// The others are on the stack. At the function's first instruction the top of the stack is
// the address to return to, and the seventh argument is in the word behind it.
constexpr std::array<std::int32_t, 6> kFunctionArguments = {kSavedDi, kSavedSi, kSavedDx,
                                                            kSavedCx, kSavedR8, kSavedR9};
constexpr std::int32_t kFunctionResult = kSavedAx;
// How far above the stack pointer an argument is that no register has.
constexpr std::int32_t stack_argument(std::size_t number) {
  return static_cast<std::int32_t>(number - kFunctionArguments.size() + 1) * 8;
}

// A function of Go (ABIInternal): its first words of arguments, and of results.
constexpr std::array<std::int32_t, 9> kGoArguments = {
    kSavedAx, kSavedBx, kSavedCx, kSavedDi, kSavedSi, kSavedR8, kSavedR9, kSavedR10, kSavedR11};

// A system call: its fourth argument is not in rcx, in which the instruction `syscall` saves
// the address to return to.
constexpr std::array<std::int32_t, 6> kSystemCallArguments = {kSavedDi,  kSavedSi, kSavedDx,
                                                              kSavedR10, kSavedR8, kSavedR9};
// One of a 32-bit program (int $0x80).
constexpr std::array<std::int32_t, 6> kI386SystemCallArguments = {kSavedBx, kSavedCx, kSavedDx,
                                                                  kSavedSi, kSavedDi, kSavedBp};

// A bit of thread_info.status: the running system call is one of a 32-bit program (TS_COMPAT).
constexpr std::int32_t kCompatCall = 2;

// mov $__NR_rt_sigreturn, %rax; syscall: what a signal handler returns to. Debuggers look for
// these bytes, too, as not every C library describes them in its call frame information.
constexpr std::array<std::uint8_t, 9> kSignalReturn = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};

}  // namespace dt::machine
