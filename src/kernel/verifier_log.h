#pragma once
// Reading the verifier's log: why it refused a program, and at which instruction.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dt::kernel {

// The line that gives the reason ("invalid mem access 'scalar'"); "" when the
// log holds none.
std::string verifier_reason(std::string_view log);

// The function of the kernel that programs of this type, or all on this kernel, may not call; ""
// for other reasons.
std::string forbidden_function(std::string_view log);

// Index of the instruction that was refused.
std::optional<std::uint32_t> verifier_instruction(std::string_view log);

}  // namespace dt::kernel
