#pragma once
// Routines: the text of IPv4 and IPv6 addresses (ir/address_text.h). A program may show
// many: as routines, each is followed by the verifier once.

#include <cstdint>
#include <vector>

#include "bpf/asm/emitter.h"

namespace dt::bpf {

struct Unit;

// The operands of kInetText and kInet6Text: zeros, which become the text; and words that begin
// with the address.
constexpr std::uint32_t kAddressTextRoom = 80;
constexpr std::uint32_t kAddressWordBytes = 32;

// By byte: "00" to "ff".
std::vector<std::uint8_t> hexadecimal_bytes();

// What a table in rodata has for the lowest byte of `index`, in entries of `size` bytes.
Reg byte_entry(Unit& unit, std::uint32_t table, Reg index, std::uint32_t size);

}  // namespace dt::bpf
