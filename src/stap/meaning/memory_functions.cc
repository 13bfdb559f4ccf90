// See memory_functions.h.

#include "stap/meaning/memory_functions.h"

#include <string_view>

#include "stap/meaning/access.h"

namespace dt::stap {

MemoryFunction memory_function_of(Fn fn) {
  const std::string_view name = info(fn).name;
  MemoryFunction out;
  if (fn == Fn::__path) {
    out.size = kPathSize;
    return out;
  }
  out.is_bytes = fn == Fn::__user_bytes || fn == Fn::__kernel_bytes;
  if (fn == Fn::__user_utf16 || fn == Fn::__kernel_utf16) out.unit = 2;
  if (fn == Fn::__user_utf32 || fn == Fn::__kernel_utf32) out.unit = 4;
  if (out.is_bytes || out.unit != 0) {
    out.is_userland = name.starts_with("__user_");
    return out;
  }
  out.is_userland = name.starts_with("user_");
  const std::string_view what = name.substr(name.find('_') + 1);
  if (what.starts_with("string")) {
    out.is_counted = what.starts_with("string_n");
    return out;
  }
  out.is_lenient = out.is_userland;
  const bool is_unsigned = what.starts_with("u");
  const std::string_view kind = what.substr(is_unsigned ? 1 : 0);
  out.is_signed = !is_unsigned && kind != "pointer";
  const bool is_one = kind == "char" || kind == "int8", is_two = kind == "short" || kind == "int16";
  out.size = is_one ? 1 : is_two ? 2 : kind == "int" || kind == "int32" ? 4 : 8;
  return out;
}

}  // namespace dt::stap
