#pragma once
// The little of C that a script may have between %{ and %}.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dt::stap {

// The value of an integer literal, or of a constant of the kernel and C: ENOENT, O_CREAT, SIGKILL,
// AF_INET. Comments around it are skipped. nullopt: the text is anything else.
std::optional<std::int64_t> constant_of_c(std::string_view text);

// What to write instead of such C; empty: we know nothing.
std::string instead_of_c(std::string_view text);

// Whether the text has only comments and lines of the preprocessor, which mean nothing here.
bool is_idle_c(std::string_view text);

}  // namespace dt::stap
