// See machine_checks.h.

#include "api/machine_checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "kernel/zones.h"
#include "support/nearest.h"

namespace dt::api {

Status check_cpu(std::uint32_t cpu, const std::vector<int>& online) {
  if (std::find(online.begin(), online.end(), static_cast<int>(cpu)) != online.end()) {
    return {};
  }
  std::string those;
  for (const int each : online) {
    those += fmt::format(" {}", each);
  }
  return Error::of(fmt::format("could not enable tracing: CPU {} is not online", cpu),
                   "these are:" + those);
}

Status check_zone(const std::string& zone) {
  const std::optional<std::set<std::string>> known = kernel::zones();
  if (!known || known->contains(zone)) {
    return {};
  }
  const std::vector<std::string_view> names(known->begin(), known->end());
  const std::string near = support::nearest(zone, names);
  return Error::of(fmt::format("could not enable tracing: there is no zone '{}'", zone),
                   (near.empty() ? fmt::format("these are: {}", fmt::join(names, " "))
                                 : support::did_you_mean(near)) +
                       "; with -Z it may come later");
}

}  // namespace dt::api
