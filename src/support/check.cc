#include "support/check.h"

#include <cstdio>

namespace dt::support {

void check_failed(const char* condition, const char* file, int line, const std::string& values) {
  std::fprintf(stderr, "dtrace: internal error: %s:%d: %s%s%s\n", file, line, condition,
               values.empty() ? "" : ": ", values.c_str());
  std::abort();
}

}  // namespace dt::support
