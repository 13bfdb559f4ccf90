#pragma once
// Assertions that stay on in every build. They state what *we* guarantee to
// ourselves; input, the kernel and the user's script are never checked with
// them (style: the four roads of errors).

#include <fmt/core.h>

#include <cstdlib>

namespace dt::support {

[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               const std::string& values);

}  // namespace dt::support

// DT_CHECK(cond) or DT_CHECK(cond, "slot {} of {}", slot, count).
#define DT_CHECK(cond, ...)                                                                  \
  do {                                                                                       \
    if (!(cond)) [[unlikely]] {                                                              \
      ::dt::support::check_failed(#cond, __FILE__, __LINE__, ::fmt::format("" __VA_ARGS__)); \
    }                                                                                        \
  } while (false)

#define DT_UNREACHABLE(...) \
  ::dt::support::check_failed("unreachable", __FILE__, __LINE__, ::fmt::format("" __VA_ARGS__))
