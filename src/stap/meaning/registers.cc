// See registers.h.

#include "stap/meaning/registers.h"

#include <iterator>

namespace dt::stap {
namespace {

// In the order of struct pt_regs of x86-64, each with its low halves.
struct Names {
  std::string_view whole, half, word, byte;
};
constexpr Names kNames[] = {{"r15", "r15d", "r15w", "r15b"},
                            {"r14", "r14d", "r14w", "r14b"},
                            {"r13", "r13d", "r13w", "r13b"},
                            {"r12", "r12d", "r12w", "r12b"},
                            {"rbp", "ebp", "bp", "bpl"},
                            {"rbx", "ebx", "bx", "bl"},
                            {"r11", "r11d", "r11w", "r11b"},
                            {"r10", "r10d", "r10w", "r10b"},
                            {"r9", "r9d", "r9w", "r9b"},
                            {"r8", "r8d", "r8w", "r8b"},
                            {"rax", "eax", "ax", "al"},
                            {"rcx", "ecx", "cx", "cl"},
                            {"rdx", "edx", "dx", "dl"},
                            {"rsi", "esi", "si", "sil"},
                            {"rdi", "edi", "di", "dil"},
                            {"orig_rax", "orig_eax", "", ""},
                            {"rip", "eip", "ip", ""},
                            {"xcs", "cs", "", ""},
                            {"eflags", "rflags", "flags", ""},
                            {"rsp", "esp", "sp", "spl"},
                            {"xss", "ss", "", ""}};

}  // namespace

std::optional<RegisterName> find_register(std::string_view name) {
  // Of these the other names are the whole register's, too; sp and ip always are.
  constexpr int kInstruction = 16, kCode = 17, kFlags = 18, kStack = 19, kStackSegment = 20;
  if (name.empty()) return std::nullopt;
  for (int i = 0; i < static_cast<int>(std::size(kNames)); ++i) {
    const Names& one = kNames[i];
    const bool is_segment = i == kFlags || i == kCode || i == kStackSegment;
    const bool is_pointer = i == kInstruction || i == kStack;
    if (name == one.whole) return RegisterName{i, 8};
    if (name == one.half) return RegisterName{i, is_segment ? 8U : 4U};
    if (name == one.word) return RegisterName{i, is_segment || is_pointer ? 8U : 2U};
    if (name == one.byte) return RegisterName{i, 1};
  }
  return std::nullopt;
}

}  // namespace dt::stap
