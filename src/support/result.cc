#include "support/result.h"

#include <fmt/core.h>

#include <cstring>

#include "support/check.h"

namespace dt::support {

Error system_error(std::string_view what, int code) {
  return Error::of_code(fmt::format("{}: {}", what, std::strerror(code)), code);
}

void absent_value(const std::string& error) { DT_UNREACHABLE("no value: {}", error); }

void absent_error() { DT_UNREACHABLE("no error"); }

}  // namespace dt::support
