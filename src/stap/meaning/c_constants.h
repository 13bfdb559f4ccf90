#pragma once
// The little of C that a script may have between %{ and %}.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dt::stap {

// The value of an integer, or of a constant that the kernel and C know: ENOENT, O_CREAT, SIGKILL,
// AF_INET. Comments around it do not count. nullopt: it is anything else.
std::optional<std::int64_t> constant_of_c(std::string_view text);

// What a script says instead of such C; empty: nothing of the kind is known.
std::string instead_of_c(std::string_view text);

// Whether there is nothing but comments and lines of the preprocessor, which say nothing here.
bool is_idle_c(std::string_view text);

}  // namespace dt::stap
