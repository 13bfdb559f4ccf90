// See demangle.h.

#include "symbol/elf/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
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

// Where the parts between "::" begin, from the last one on. What stands in brackets is part of a
// part, and so is all behind "operator", which may have brackets of its own.
std::vector<std::size_t> component_starts(const std::string& whole) {
  constexpr std::string_view kOperator = "operator";
  std::vector<std::size_t> out = {0};
  int depth = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const char c = whole[i];
    const bool is_operator = i == out.back() && whole.compare(i, kOperator.size(), kOperator) == 0;
    const char behind = is_operator ? whole.c_str()[i + kOperator.size()] : 'x';
    if (behind != '_' && std::isalnum(static_cast<unsigned char>(behind)) == 0) break;
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0 && whole.compare(i, 2, "::") == 0) out.push_back(++i + 1);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// Where the arguments of the template begin with which the name ends.
std::size_t template_arguments(const std::string& name) {
  if (!name.ends_with('>') || name.find("operator") != std::string::npos) return std::string::npos;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 1;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && --depth == 0) return i;
  }
  return std::string::npos;
}

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

std::size_t copy_suffix(std::string_view symbol) {
  for (const std::string_view one : {".isra.", ".constprop.", ".lto_priv.", ".part."}) {
    const std::size_t at = symbol.find(one, 1);
    if (at != std::string_view::npos) return symbol.find('.', 1);
  }
  return std::string_view::npos;
}

std::vector<std::string> source_names(std::string_view symbol) {
  const std::string own(symbol.substr(0, copy_suffix(symbol)));
  if (!own.starts_with("_Z") || own.size() > kMaxMangledBytes) return {own};
  using Text = std::unique_ptr<char, void (*)(void*)>;
  Text text(::rust_demangle(own.c_str(), DMGL_NO_OPTS), std::free);
  if (text == nullptr) text.reset(::cplus_demangle_v3(own.c_str(), DMGL_NO_OPTS));
  if (text == nullptr) return {own};
  const std::string whole = text.get();
  std::vector<std::string> out;
  for (const std::size_t at : component_starts(whole)) {
    const std::string name = whole.substr(at);
    out.push_back(name);
    const std::size_t arguments = template_arguments(name);
    if (arguments != std::string::npos) out.push_back(name.substr(0, arguments));
  }
  return out;
}

std::string source_name(std::string_view symbol) { return source_names(symbol).front(); }

}  // namespace dt::symbol
