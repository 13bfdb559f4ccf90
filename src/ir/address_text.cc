// The text of network addresses.

#include "ir/address_text.h"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <array>
#include <cstring>

#include "support/check.h"

namespace dt::ir {

static_assert(static_cast<int>(AddressKind::kInet) == AF_INET);
static_assert(static_cast<int>(AddressKind::kInet6) == AF_INET6);

std::uint32_t address_operands(AddressKind kind) { return kind == AddressKind::kInet6 ? 2 : 1; }

std::uint32_t address_capacity(AddressKind kind) {
  switch (kind) {
    case AddressKind::kEther:
      return 24;  // 18
    case AddressKind::kInet:
      return 16;
    case AddressKind::kInet6:
      return 48;  // 46
  }
  DT_UNREACHABLE();
}

std::string address_text(AddressKind kind, std::span<const std::int64_t> words) {
  std::array<std::uint8_t, 16> bytes = {};
  std::memcpy(bytes.data(), words.data(), words.size_bytes());
  if (kind == AddressKind::kEther) {
    return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", bytes[0], bytes[1], bytes[2],
                       bytes[3], bytes[4], bytes[5]);
  }
  std::array<char, INET6_ADDRSTRLEN> text = {};
  const char* done = ::inet_ntop(static_cast<int>(kind), bytes.data(), text.data(), text.size());
  DT_CHECK(done != nullptr);
  const std::string_view whole = done;
  const bool carries_inet = kind == AddressKind::kInet6 && whole.find('.') != whole.npos;
  return std::string(carries_inet ? whole.substr(whole.rfind(':') + 1) : whole);
}

}  // namespace dt::ir
