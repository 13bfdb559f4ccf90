// The options whose values D has words for; see option_special.h.

#include <fmt/core.h>

#include "api/options/option_kinds.h"
#include "api/options/option_special.h"
#include "d/front_end.h"
#include "d/meaning/version.h"

namespace dt::api {

// The names of that version of D and of those before it.
Status set_version(Options& options, std::string_view value) {
  const auto version = d::parse_version(value);
  if (!version) {
    return invalid_value();
  }
  if (*version < d::parse_version("1.0") || *version > d::parse_version(d::kVersion)) {
    return Error::of(fmt::format("version {} of D is not known", value),
                     fmt::format("versions 1.0 to {} are", d::kVersion));
  }
  options.version = *version;
  return {};
}

}  // namespace dt::api
