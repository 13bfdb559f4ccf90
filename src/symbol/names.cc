// How an address with its symbol is written in stacks and by sym().

#include <fmt/core.h>

#include "symbol/symbol.h"

namespace dt::symbol {
namespace {

std::string text_of(bool found, const Symbol& symbol, std::uint64_t address, bool with_offset) {
  if (!found) {
    return fmt::format("0x{:x}", address);
  }
  if (symbol.name.empty()) {
    return fmt::format("{}`0x{:x}", symbol.module, address);
  }
  if (with_offset && symbol.offset != 0) {
    return fmt::format("{}`{}+0x{:x}", symbol.module, symbol.name, symbol.offset);
  }
  return fmt::format("{}`{}", symbol.module, symbol.name);
}

}  // namespace

std::string kernel_text(Resolver& resolver, KernelAddr address, bool with_offset) {
  Symbol symbol;
  const bool found = resolver.kernel(address, symbol);
  return text_of(found, symbol, address.value, with_offset);
}

std::string user_text(Resolver& resolver, std::int32_t pid, UserAddr address, bool with_offset) {
  Symbol symbol;
  const bool found = resolver.user(pid, address, symbol);
  return text_of(found, symbol, address.value, with_offset);
}

}  // namespace dt::symbol
