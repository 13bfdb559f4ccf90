#include "machine/x86_64/register_names.h"

#include <iterator>

namespace dt::machine {
namespace {

// The names of each register, by the size of what they mean: 8, 4, 2 and 1 bytes.
struct LowParts {
  std::string_view names[4];
};
constexpr LowParts kRegisters[] = {
    {{"rax", "eax", "ax", "al"}},      {{"rcx", "ecx", "cx", "cl"}},
    {{"rdx", "edx", "dx", "dl"}},      {{"rbx", "ebx", "bx", "bl"}},
    {{"rsp", "esp", "sp", "spl"}},     {{"rbp", "ebp", "bp", "bpl"}},
    {{"rsi", "esi", "si", "sil"}},     {{"rdi", "edi", "di", "dil"}},
    {{"r8", "r8d", "r8w", "r8b"}},     {{"r9", "r9d", "r9w", "r9b"}},
    {{"r10", "r10d", "r10w", "r10b"}}, {{"r11", "r11d", "r11w", "r11b"}},
    {{"r12", "r12d", "r12w", "r12b"}}, {{"r13", "r13d", "r13w", "r13b"}},
    {{"r14", "r14d", "r14w", "r14b"}}, {{"r15", "r15d", "r15w", "r15b"}},
};

}  // namespace

std::optional<GeneralRegister> general_register(std::string_view name) {
  constexpr std::uint8_t kWholeBytes = 8;
  for (std::uint8_t i = 0; i < std::size(kRegisters); ++i) {
    for (std::uint8_t width = 0; width < std::size(kRegisters[i].names); ++width) {
      if (kRegisters[i].names[width] != name) continue;
      return GeneralRegister{i, static_cast<std::uint8_t>(kWholeBytes >> width)};
    }
  }
  return std::nullopt;
}

}  // namespace dt::machine
