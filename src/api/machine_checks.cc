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

namespace {

// The hint of an error: a name that is near, or all of them where these are few but not none.
std::string existing(const std::string& name, const std::set<std::string>& known) {
  constexpr std::size_t kMostShown = 20;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string near = support::nearest(name, names);
  std::string hint = !near.empty() ? support::did_you_mean(near) + "; "
                     : !names.empty() && names.size() <= kMostShown
                         ? fmt::format("these are: {}; ", fmt::join(names, " "))
                         : std::string();
  return hint + "with -Z it may come later";
}

}  // namespace

Status check_zone(const std::string& zone) {
  const std::optional<std::set<std::string>> known = kernel::zones();
  if (!known || known->contains(zone)) {
    return {};
  }
  return Error::of(fmt::format("could not enable tracing: there is no zone '{}'", zone),
                   existing(zone, *known));
}

Status check_cgroup(const std::string& cgroup) {
  if (cgroup.find('/') != std::string::npos) {
    return Error::of(fmt::format("could not enable tracing: '{}' is no name of a cgroup", cgroup),
                     "it is one component of a path, such as nginx.service");
  }
  const std::set<std::string> known = kernel::cgroups();
  if (known.contains(cgroup)) {
    return {};
  }
  return Error::of(fmt::format("could not enable tracing: no process is in a cgroup '{}'", cgroup),
                   existing(cgroup, known));
}

}  // namespace dt::api
