#pragma once
// The text of network addresses, by definition: what kAddressText gives.

#include <cstdint>
#include <span>
#include <string>

namespace dt::ir {

// The kinds of addresses: inst.imm of kAddressText. The numbers are Linux's (AF_INET,
// AF_INET6 and ARPHRD_ETHER), which D programs give to inet_ntop() and link_ntop().
enum class AddressKind : std::uint8_t { kEther = 1, kInet = 2, kInet6 = 10 };

// How many integers carry such an address (its bytes in the order of memory,
// eight in an integer), and how many bytes its text takes, the NUL included.
std::uint32_t address_operands(AddressKind kind);
std::uint32_t address_capacity(AddressKind kind);

// "192.0.2.1", "2001:db8::1" (as inet_ntop(3) writes them), "00:1a:2b:3c:4d:5e". Of an
// IPv6 address that carries one of IPv4, ::ffff:192.0.2.1 or ::192.0.2.1, only that one.
std::string address_text(AddressKind kind, std::span<const std::int64_t> words);

}  // namespace dt::ir
