#pragma once
// Instructions of x86-64 as text, as assemblers of this system write them.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace dt::machine {

// What people call an address ("vfs_read+0x10"); "" = print it as a number.
using NameOfAddress = std::function<std::string(std::uint64_t address)>;

// The text of the instruction at the start of `code`, whose address is `address`; "" if there is
// none.
std::string disassemble(std::span<const std::uint8_t> code, std::uint64_t address,
                        const NameOfAddress& name);

}  // namespace dt::machine
