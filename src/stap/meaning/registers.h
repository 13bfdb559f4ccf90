#pragma once
// Registers by the names that scripts give them: register("rdi"), u_register("eax").

#include <cstdint>
#include <optional>
#include <string_view>

namespace dt::stap {

struct RegisterName {
  int number = 0;           // as in struct pt_regs
  std::uint32_t bytes = 8;  // of the low part that is meant
};
std::optional<RegisterName> find_register(std::string_view name);

}  // namespace dt::stap
