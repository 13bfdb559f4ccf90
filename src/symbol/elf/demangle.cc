// See demangle.h.

#include "symbol/elf/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <memory>

// Else libiberty declares one that is not that of <cstring>.
#define HAVE_DECL_BASENAME 1
#include <demangle.h>

namespace dt::symbol {
namespace {

// Names beyond this are damaged, or not for people.
constexpr std::size_t kMaxMangledBytes = 16 * 1024;

}  // namespace

// A name of a damaged file can take very long, or be very long when demangled: hence the limit.
std::string demangle(const char* name) {
  if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') ||
      std::strlen(name) > kMaxMangledBytes) {
    return name;
  }
  using Text = std::unique_ptr<char, void (*)(void*)>;
  // Rust first: its older names are such of C++ that end in a hash.
  if (const Text text(::rust_demangle(name, DMGL_NO_OPTS), std::free); text != nullptr) {
    return text.get();
  }
  int status = 0;
  const Text text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : std::string(name);
}

}  // namespace dt::symbol
