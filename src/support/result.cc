#include "support/result.h"

#include <cstring>

namespace dt::support {

Error system_error(std::string_view what, int code) {
  return Error{fmt::format("{}: {}", what, std::strerror(code)), code, "", ""};
}

}  // namespace dt::support
