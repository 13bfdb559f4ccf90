#pragma once
// The general registers of x86-64 by their names in assembler, for the whole register and for its
// low parts: rax, eax, ax, al.

#include <cstdint>
#include <optional>
#include <string_view>

namespace dt::machine {

struct GeneralRegister {
  std::uint8_t encoding = 0;  // as instructions number them: kSavedByEncoding
  std::uint8_t bytes = 8;     // of the low part that the name means: 8, 4, 2 or 1
  bool operator==(const GeneralRegister&) const = default;
};
// nullopt for any other name; bits 8-15 (ah) are no low part.
std::optional<GeneralRegister> general_register(std::string_view name);

}  // namespace dt::machine
