// How an address with its symbol is written in stacks and by sym().

#include <fmt/core.h>

#include "symbol/resolve/resolver.h"

namespace dt::symbol {

std::string text_of(const Symbol& symbol, std::uint64_t address, bool with_offset) {
  if (is_source_frame(address)) {
    return source_text(symbol.module, symbol.name, symbol.line);
  }
  if (symbol.module.empty()) {
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

std::string kernel_text(Resolver& resolver, KernelAddr address, bool with_offset) {
  Symbol symbol;
  const bool found = resolver.kernel(address, symbol);
  return text_of(found ? symbol : Symbol(), address.value, with_offset);
}

std::string user_text(Resolver& resolver, std::int32_t pid, UserAddr address, bool with_offset) {
  Symbol symbol;
  const bool found = resolver.user(pid, address, symbol);
  return text_of(found ? symbol : Symbol(), address.value, with_offset);
}

}  // namespace dt::symbol
